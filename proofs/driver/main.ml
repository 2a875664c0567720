(* littlestone-verify CERTIFICATE DATA: one line, and status 0 if it is true, 1 if not, 2 if that cannot be said here. *)

let read name =
  let file = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

let () =
  match Sys.argv with
  | [| _; certificate; data |] ->
    let status, line = try Verify.judge (read certificate) data (read data) with Sys_error why -> 2, "cannot be read: " ^ why in
    print_endline line;
    exit status
  | _ ->
    prerr_endline "usage: littlestone-verify certificate.json data";
    exit 2
