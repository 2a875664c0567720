// node page_on_files.js SCRIPT CERTIFICATE DATA: the script of the page on two files, as the program would do it.
const fs = require("fs");
const path = require("path");
require(path.resolve(process.argv[2]));
const [certificate, data] = process.argv.slice(3);
const [status, line] = globalThis.littlestoneVerify(
  fs.readFileSync(certificate, "latin1"), data, fs.readFileSync(data, "latin1"));
console.log(line);
process.exit(status);
