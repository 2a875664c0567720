(* Finite classes by their names as a certificate writes them: how many concepts, what each says and is called. Trusted. *)

open Data

type t = {
  text : string; kind : string; n : int; d : int; empty : bool; base : int (* digits of a concept over bits *);
  size : int; many : int (* numbers of an instance *); top : int (* the largest of them *); tuples : bool }

let largest = 8192

let read_small text =
  let unknown () = raise (Not_covered ("the class " ^ text ^ " is not covered here")) in
  let attempt form build = try Some (Scanf.sscanf text form build) with Scanf.Scan_failure _ | Failure _ | End_of_file -> None in
  let size base n = if n > 20 then unknown () else int_of_float (Float.pow (float base) (float n)) in
  let sides n = if n > 200 then unknown () else n * (n + 1) / 2 in
  let make kind n = { text; kind; n; d = 1; empty = true; base = 1; size = n + 2; many = 1; top = n; tuples = false } in
  let bits kind n base = { (make kind n) with base; size = size base n; many = n; top = 1; tuples = true } in
  let terms kind n monotone = bits kind n (if monotone then 2 else 3) in
  let found = List.find_map (fun attempt -> attempt ()) [
    (fun () -> attempt "thresholds(n=%u)%!" (make "Thresholds"));
    (fun () -> attempt "intervals(n=%u)%!" (fun n -> { (make "Intervals" n) with size = sides n + 1; top = n - 1 }));
    (fun () -> attempt "parities(n=%u)%!" (fun n -> bits "Parities" n 2));
    (fun () -> attempt "conjunctions(n=%u, k=none, monotone=%B)%!" (terms "Conjunctions"));
    (fun () -> attempt "disjunctions(n=%u, k=none, monotone=%B)%!" (terms "Disjunctions"));
    (fun () -> attempt "rectangles(m=%u, d=%u, empty=%B)%!" (fun n d empty ->
      if d < 1 || d > 8 then unknown ();
      let all = Float.pow (float (sides n)) (float d) in
      { (make "Rectangles" n) with d; empty; size = (if all > 1e9 then max_int else int_of_float all + Bool.to_int empty);
        many = d; top = n - 1; tuples = true })) ] in
  match found with
  | Some one when (one.n >= 1 || one.kind = "Thresholds" || one.base > 1) -> one
  | _ -> unknown ()

(* What a class is called, so that a text in another spelling is not taken for it. *)
let write one =
  let flag b = if b then "True" else "False" in
  match one.kind with
  | "Rectangles" -> Printf.sprintf "Rectangles(m=%d, d=%d, empty=%s)" one.n one.d (flag one.empty)
  | "Conjunctions" | "Disjunctions" -> Printf.sprintf "%s(n=%d, k=None, monotone=%s)" one.kind one.n (flag (one.base = 2))
  | kind -> Printf.sprintf "%s(n=%d)" kind one.n

(* The class of a text that is spelled as it is written. *)
let read text =
  let one = { (read_small (String.lowercase_ascii text)) with text } in
  if write one <> text then raise (Not_covered ("the class " ^ text ^ " is not covered here"));
  one

let read_whole = function
  | Json.Number s -> let x = float_of_string s in if Float.is_integer x && Float.abs x < 1e9 then int_of_float x else -1
  | Json.Bool b -> Bool.to_int b
  | _ -> -1

(* An instance of a round: so many whole numbers. *)
let read_instance one (round : round) =
  let values =
    if round.row then begin
      need (Array.for_all (fun (i, _) -> i < one.many) round.entries) "an instance has too many attributes";
      let values = Array.make one.many 0 in
      Array.iter (fun (i, x) -> values.(i) <- (if Float.is_integer x && Float.abs x < 1e9 then int_of_float x else -1)) round.entries;
      values
    end else match Json.parse round.instance with
      | Json.List values when one.tuples -> Array.of_list (List.map read_whole values)
      | value when not one.tuples -> [| read_whole value |]
      | _ -> [||] in
  need (Array.length values = one.many && Array.for_all (fun v -> v >= 0 && v <= one.top) values) ("no instance of " ^ one.text);
  values

let write_instance tuples values =
  let words = String.concat "," (List.map string_of_int (Array.to_list values)) in
  if tuples then "[" ^ words ^ "]" else words

(* The points of a class in turn; [none] if there are too many. *)
let list_points one most =
  let all = Float.pow (float (one.top + 1)) (float one.many) in
  if all > float most then raise (Not_covered "the class is too large for its dimension");
  List.init (int_of_float all) (fun k ->
    let rest = ref k in
    Array.init one.many (fun _ -> let v = !rest mod (one.top + 1) in rest := !rest / (one.top + 1); v))

(* The intervals of a box, none of the empty one. *)
let find_sides one number =
  let base = one.n * (one.n + 1) / 2 and rest = ref (number - Bool.to_int one.empty) in
  let side () =
    let place = !rest mod base in
    rest := !rest / base;
    let b = ref 0 in
    while (!b + 1) * (!b + 2) / 2 <= place do incr b done;
    place - !b * (!b + 1) / 2, !b in
  if !rest < 0 then [] else List.init one.d (fun _ -> side ())

(* The attributes of a concept over bits, and whether each is negated. *)
let list_literals one number =
  let rest = ref number in
  List.filter_map (fun (place, digit) -> if digit = 0 then None else Some (place, digit = 2))
    (List.init one.n (fun place -> let digit = !rest mod one.base in rest := !rest / one.base; place, digit))

let says one number x =
  if one.kind = "Thresholds" then x.(0) >= number
  else if one.base > 1 then begin
    let held = List.map (fun (place, negated) -> (x.(place) = 1) <> negated) (list_literals one number) in
    match one.kind with
    | "Parities" -> List.length (List.filter Fun.id held) mod 2 = 1
    | "Conjunctions" -> List.for_all Fun.id held
    | _ -> List.exists Fun.id held
  end else
    let sides = find_sides one number in
    sides <> [] && List.for_all Fun.id (List.mapi (fun j (a, b) -> a <= x.(j) && x.(j) <= b) sides)

let name_of one number =
  let join mark words none = if words = [] then none else String.concat mark words in
  if one.kind = "Thresholds" then Printf.sprintf "x >= %d" number
  else if one.base > 1 then begin
    let words = List.map (fun (place, negated) -> Printf.sprintf "%sx%d" (if negated then "not " else "") (place + 1)) (list_literals one number) in
    match one.kind with
    | "Parities" -> if words = [] then "0" else String.concat " + " words ^ " mod 2"
    | "Conjunctions" -> join " and " words "true"
    | _ -> join " or " words "false"
  end else join " x " (List.map (fun (a, b) -> Printf.sprintf "[%d, %d]" a b) (find_sides one number)) "empty"
