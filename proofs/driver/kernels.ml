(* The Perceptron in the space of a linear or polynomial kernel: its run is played again in floats, its table of inner
   products is exact. That such a table is a kernel's is known; the check on it is the extracted one. *)

open Data
open Certificate
open Fractions
open Game
module C = Checks
module I = Integer

type kernel = { degree : int; constant : float; extra : float }

let read_kernel about =
  exactly_words "the learner" ([ "name"; "kernel"; "bias"; "budget"; "removal"; "real" ] @ if List.mem_assoc "classes" about then [ "classes" ] else []) about;
  if field "budget" about <> Json.Null || field "removal" about <> Json.Text "oldest" then raise (Not_covered "a budget of rows is not covered here");
  let known = record_of "kernel" (field "kernel" about) and bias = float_of "bias" (field "bias" about) in
  need (bias >= 0.) "no learner has such parameters";
  match text "name" known with
  | "LinearKernel" -> exactly_words "the kernel" [ "name" ] known; { degree = 1; constant = 0.; extra = bias *. bias }
  | "PolynomialKernel" ->
    exactly_words "the kernel" [ "name"; "degree"; "constant" ] known;
    let degree = small "degree" (field "degree" known) and constant = float_of "constant" (field "constant" known) in
    need (degree >= 1 && degree <= 64 && constant >= 0.) "no learner has such parameters";
    { degree; constant; extra = bias *. bias }
  | name -> raise (Not_covered (name ^ " is not covered here"))

(* ---- the run in floats: mistakes, and the rounds that were kept ---- *)

let play kernel rows codes surprise =
  let kept = ref [] and mistakes = ref 0 in
  Array.iteri (fun t row ->
    let x = Hashtbl.create 16 in
    Array.iter (fun (i, v) -> Hashtbl.replace x i v) row;
    let compute other =
      let product = Array.fold_left (fun sum (i, v) -> sum +. v *. Floats.find x i) 0. other in
      let power = ref 1. in
      for _ = 1 to kernel.degree do power := !power *. (kernel.constant +. product) done;
      !power +. kernel.extra in
    let score = List.fold_left (fun sum s -> sum +. (if codes.(s) = 1 then compute rows.(s) else -. compute rows.(s))) 0. (List.rev !kept) in
    if (score > 0.) <> (codes.(t) = 1) || (t = 0 && surprise) then incr mistakes;
    if (if codes.(t) = 1 then score else -. score) <= 0. then kept := t :: !kept) rows;
  !mistakes, List.rev !kept

(* ---- the table, in whole numbers: rows count 2^-bits, kernels 2^-(2 bits degree) ---- *)

let tabulate kernel rows kept =
  let finest = List.fold_left (fun most t -> Array.fold_left (fun most (_, v) -> max most (bits_of v)) most rows.(t)) 0 kept in
  let bits = List.fold_left max finest [ (bits_of kernel.constant + 1) / 2; (bits_of kernel.extra + 1) / 2 ] in
  let whole_row t =
    let row = Hashtbl.create 16 in
    Array.iter (fun (i, v) -> if v <> 0. then Hashtbl.replace row i (scale bits v)) rows.(t); row in
  let known = Array.of_list (List.map whole_row kept) in
  let constant = scale (2 * bits) kernel.constant and extra = scale (2 * bits * kernel.degree) kernel.extra in
  let product a b = Hashtbl.fold (fun i v sum -> match Hashtbl.find_opt b i with Some w -> I.add sum (I.multiply v w) | None -> sum) a I.zero in
  let entry i j = I.add (I.power (I.add constant (product known.(i) known.(j))) (int_of kernel.degree)) extra in
  let n = Array.length known in
  let table = Array.init n (fun i -> Array.init n (fun j -> if j <= i then entry i j else I.zero)) in
  let place k = int_of_float (I.to_float k) - 1 in
  2 * bits * kernel.degree, fun i j -> let i = place i and j = place j in table.(max i j).(min i j)

let check certificate about name data =
  let kernel = read_kernel about and get name = field name certificate in
  let short = match text "real" about with "float32" -> true | "float64" -> false | _ -> raise (Refused "no weights are of such a type") in
  let held = Additive.read_rows (List.assoc_opt "rows" certificate) in
  let game = read_game certificate about name data 2 in
  let rows = Array.map (fun entries ->
    let entries = Floats.arrange held Fun.id entries in
    let places = Array.to_list (Array.map fst entries) in
    if List.length (List.sort_uniq compare places) <> List.length places then raise (Not_covered "a row has an attribute twice");
    if short && Array.exists (fun (_, v) -> round32 v <> v) entries then raise (Not_covered "rows that are rounded when they are kept");
    entries) game.entries in
  if Array.length rows > 5000 then raise (Not_covered "so many rounds are not covered here");
  let mistakes, kept = play kernel rows game.codes game.surprise in
  require_run certificate mistakes (List.map (fun t -> t, 1) kept) false;
  if List.length kept > 400 then raise (Not_covered "so many rows that are kept are not covered here");
  need (text "counts" certificate = "updates" && get "count" = Json.Null && text "scope" certificate = "sequence"
        && get "exact" = Json.Bool true) "it counts updates of the sequence, exactly";
  let promise, theorem = match List.assoc_opt (text "theorem" certificate) Theorems.theorems with
    | Some (promise, theorem) when theorem <> C.RunDependent -> promise, theorem
    | _ -> raise (Refused "no theorem of this learner is called so") in
  need (text "promise" certificate = promise) ("its promise is: " ^ promise);
  (* the comparator: numerators 2^exponent times the rows that were kept *)
  let witness = record_of "witness" (get "witness") in
  exactly_words "the witness" [ "margin"; "exponent"; "numerators" ] witness;
  let numerators = List.map (whole "numerators") (list_of "numerators" (field "numerators" witness)) in
  let exponent = whole "exponent" (field "exponent" witness) and margin = strict_float "margin" (field "margin" witness) in
  need (List.length numerators = List.length kept && margin > 0. && I.less (int_of (-3000)) exponent && I.less exponent (int_of 3000)) "malformed witness";
  let unit, table = tabulate kernel rows kept in
  let gm, ge = trim (dyadic margin) in
  let shift = ge + unit - int_of_string (I.to_string exponent) in
  let g = if shift >= 0 then I.shift_left gm shift else gm and lift = max 0 (-shift) in
  let sign t k = if game.codes.(t) = 1 then k else I.negate k in
  let u = List.mapi (fun j (t, k) -> int_of (j + 1), sign t (I.shift_left k lift)) (List.combine kept numerators) in
  let steps = List.mapi (fun j t -> [ int_of (j + 1), sign t I.one ]) kept in
  let bound = whole "bound" (get "bound") in
  let facts = C.measure_kernel table I.zero I.one u g steps in
  need (I.at_most I.zero bound && C.accepts_kernel table theorem I.zero I.one u g steps bound) ("the witness does not give " ^ I.to_string bound);
  (* a bound is too large if even looser measures give less: kernels by 2^-34 of themselves and of 1, then all by a
     thousandth; what lies between is not called *)
  let all = List.fold_left (fun sum (_, k) -> I.add sum (I.maximum k (I.negate k))) I.zero u and n = int_of (List.length kept) in
  let wide = I.add I.one (I.shift_right (I.multiply all (I.add (two_to unit) facts.C.reach)) 34) in
  let more x y = let sum = I.add (I.add x y) I.one in I.add sum (I.shift_right sum 10) in
  let short = I.multiply n wide and twice = I.multiply (int_of 2) wide in
  let loose = { facts with C.norm = more facts.C.norm (I.multiply wide all); reach = more facts.C.reach I.zero;
    missing = more facts.C.missing short; missing2 = more facts.C.missing2 (I.add (I.multiply twice facts.C.missing) (I.multiply wide short));
    final = more facts.C.final I.zero; beyond = more facts.C.beyond (I.shift_right (I.multiply n facts.C.reach) 10) } in
  if I.less I.zero bound then begin
    let less = I.subtract bound I.one in
    need (not (C.judge theorem I.zero loose less)) ("the witness gives less than " ^ I.to_string bound);
    if C.judge theorem I.zero facts less then raise (Not_covered "the bound is too close to call")
  end;
  require_slack certificate (int_of (List.length kept)) bound;
  Printf.sprintf "true: %d updates <= %s over %d rounds (%s); proved of these updates, which are those of the run in floats"
    (List.length kept) (I.to_string bound) (Array.length rows) (text "theorem" certificate)
