(* The fields of a certificate, each of the kind that it must be, and its numbers exactly. Trusted. *)

open Data
module I = Integer

let int_of = I.of_int
let two_to k = I.shift_left I.one k

(* ---- fields ---- *)

let field name record = match List.assoc_opt name record with
  | Some value -> value
  | None -> raise (Refused ("it lacks " ^ name))

let text name record = match field name record with Json.Text s -> s | _ -> raise (Refused (name ^ " is no text"))
let record_of what = function Json.Record fields -> fields | _ -> raise (Refused (what ^ " is no record"))
let list_of what = function Json.List items -> items | _ -> raise (Refused (what ^ " is no list"))

let whole what = function
  | Json.Number s when Json.is_whole s -> I.of_string s
  | _ -> raise (Refused (what ^ " is no whole number"))

let small what value =
  let k = whole what value in
  need (I.at_most I.zero k && I.less k (int_of 2147483647)) (what ^ " is out of range");
  int_of_string (I.to_string k)

let float_of what = function
  | Json.Number s ->
    let x = float_of_string s in
    need (Float.is_finite x) (what ^ " is no number");
    x
  | _ -> raise (Refused (what ^ " is no number"))

let strict_float what = function
  | Json.Number s when not (Json.is_whole s) -> float_of what (Json.Number s)
  | _ -> raise (Refused (what ^ " is no float"))

let only what allowed fields =
  List.iter (fun (name, _) -> need (List.mem name allowed) (what ^ " says " ^ name)) fields

(* These words and no others. *)
let exactly_words what names fields =
  only what names fields;
  List.iter (fun name -> ignore (field name fields)) names

(* ---- exact numbers: m times 2^e ---- *)

let dyadic x =
  let mantissa, power = Float.frexp x in
  I.of_string (Printf.sprintf "%.0f" (Float.ldexp mantissa 53)), power - 53

let rec trim (m, e) =
  if I.equal m I.zero then I.zero, 0
  else
    let half = I.shift_right m 1 in
    if I.equal (I.shift_left half 1) m then trim (half, e + 1) else m, e

let bits_of x = if x = 0. then 0 else let _, e = trim (dyadic x) in max 0 (-e)

let scale bits x =
  let m, e = trim (dyadic x) in
  if e + bits >= 0 then I.shift_left m (e + bits) else raise (Refused "a value is too fine")

(* ---- its form ---- *)

let fields = [ "theorem"; "promise"; "counts"; "mistakes"; "updates"; "bound"; "witness"; "scope"; "exact"; "count"; "rounds";
  "learner"; "stream"; "updated"; "marks"; "version"; "slack"; "holds"; "digest" ]

let check_form certificate =
  (match field "version" certificate with
   | Json.Number "2" -> ()
   | Json.Number "1" | Json.Null -> raise (Not_covered "it is of a version before 2")
   | _ -> raise (Refused "no version is like that"));
  List.iter (fun name -> ignore (field name certificate)) fields;
  only "it" ("rows" :: "columns" :: fields) certificate;
  let others = List.filter (fun (name, _) -> name <> "digest") certificate in
  need (text "digest" certificate = Sha256.hash (Json.write (Json.Record others))) "its digest is another's"
