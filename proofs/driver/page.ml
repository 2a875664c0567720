(* The same program for a page: littlestoneVerify(certificate, name, data) gives [status, line]; texts are byte strings. *)
open Js_of_ocaml

let verify certificate name data =
  let status, line = Verify.judge (Js.to_bytestring certificate) (Js.to_bytestring name) (Js.to_bytestring data) in
  Js.array [| Js.Unsafe.inject status; Js.Unsafe.inject (Js.bytestring line) |]

let () = Js.Unsafe.set Js.Unsafe.global (Js.string "littlestoneVerify") (Js.wrap_callback verify)
