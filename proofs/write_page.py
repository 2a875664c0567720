"""Put the script into the page, so that it is one file: python write_page.py SCRIPT TEMPLATE PAGE"""

import sys
from pathlib import Path

script, template, page = map(Path, sys.argv[1:])
text = script.read_text(encoding="utf-8").replace("</script", "<\\/script")
whole = template.read_text(encoding="utf-8").replace("/*SCRIPT*/", text)
page.write_text(whole, encoding="utf-8")
