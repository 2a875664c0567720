(* Ridge regression by the forward algorithm: its run is played again in floats; that its comparator costs no more than the
   bound leaves is asked of the extracted check, exactly. Trusted but for that. *)

open Data
open Certificate
open Fractions
module C = Checks
module I = Integer

let theorem = "Ridge, square loss (Vovk 2001; Azoury and Warmuth 2001)"
let promise = "none: it is true of every stream and of every comparator u"

(* ---- sums that are rounded once, from whole numbers m with m 2^e ---- *)

(* The nearest float, of two as near the even one. *)
let nearest (m, e) =
  let positive = I.maximum m (I.negate m) in
  let k = max 0 (size positive - 53) in
  let high = I.shift_right positive k in
  let rest = I.shift_left (I.subtract positive (I.shift_left high k)) 1 in
  let odd = not (I.equal (I.shift_left (I.shift_right high 1) 1) high) in
  let up = I.less (two_to k) rest || (k > 0 && I.equal rest (two_to k) && odd) in
  let found = Float.ldexp (I.to_float (if up then I.add high I.one else high)) (k + e) in
  if I.less m I.zero then -. found else found

let add_exactly terms =
  let parts = List.filter_map (fun x -> if x = 0. then None else Some (dyadic x)) terms in
  let least = List.fold_left (fun least (_, e) -> min least e) 0 parts in
  List.fold_left (fun sum (m, e) -> I.add sum (I.shift_left m (e - least))) I.zero parts, least

let add_all terms = nearest (add_exactly terms)

(* ---- rows: each entry is the number of its attribute, by the order in which they came, its value, and the largest size
   that the attribute had before; number 0 is the constant ---- *)

type row = { y : float; entries : (int * float * float) list }

let read_rows guard bias games labels =
  let places = Hashtbl.create 64 and largest = ref [| 1. |] in
  Hashtbl.add places (-1) 0;
  let read entries = List.filter_map (fun (i, value) ->
    if value = 0. then None else begin
      let j = match Hashtbl.find_opt places i with
        | Some j -> j
        | None -> let j = Array.length !largest in Hashtbl.add places i j; largest := Array.append !largest [| 0. |]; j in
      let old = !largest.(j) in
      let value = if guard && old > 0. then Float.min (Float.max value (-2. *. old)) (2. *. old) else value in
      !largest.(j) <- Float.max old (Float.abs value);
      Some (j, value, old)
    end) (Array.to_list entries) in
  let rows = Array.to_list (Array.map2 (fun entries y -> { y; entries = (if bias then [ 0, 1., 1. ] else []) @ read entries }) games labels) in
  rows, places, !largest

(* ---- the run in floats ---- *)

type centre = { mutable c : float array; p : float array array }

let lose kept along = Array.iteri (fun i a ->
  if a <> 0. then Array.iteri (fun j b -> kept.p.(i).(j) <- kept.p.(i).(j) -. a *. b) along) along

(* An attribute in units of its new largest size: its ridge grows. *)
let rescale kept ridge row shrink =
  let more = ridge *. (1. -. shrink *. shrink) and diagonal = kept.p.(row).(row) and share = kept.c.(row) in
  let below = shrink *. shrink +. more *. diagonal in
  let root = Float.sqrt (more /. below) in
  let along = Array.map (fun p -> root *. p) kept.p.(row) in
  kept.c <- Array.mapi (fun i c -> c -. along.(i) *. (root *. share)) kept.c;
  lose kept along;
  Array.iteri (fun i a ->
    let x = a /. root *. (shrink /. below) in
    kept.p.(row).(i) <- x; kept.p.(i).(row) <- x) along;
  kept.p.(row).(row) <- diagonal /. below;
  kept.c.(row) <- share *. (shrink /. below)

let play ridge rows size origin =
  let kept = { c = Array.make size 0.; p = Array.init size (fun i -> Array.init size (fun j -> if i = j then 1. /. ridge else 0.)) } in
  let largest = Array.make size 0. and loss = ref 0. and rest = ref 0. and charges = ref [] and logs = ref [] in
  largest.(0) <- 1.;
  List.iteri (fun t { y; entries } ->
    List.iter (fun (j, value, _) -> largest.(j) <- Float.max largest.(j) (Float.abs value)) entries;
    let row = List.map (fun (j, value, _) -> j, value /. largest.(j)) entries in
    List.iter (fun (j, value, old) ->
      if j > 0 && old > 0. && old < Float.abs value then rescale kept ridge j (old /. Float.abs value)) entries;
    let m = List.fold_left (fun sum (j, x) -> sum +. kept.c.(j) *. x) 0. row in
    let along = Array.make size 0. in
    List.iter (fun (j, x) -> Array.iteri (fun i p -> along.(i) <- along.(i) +. x *. p) kept.p.(j)) row;
    let q = Float.max (List.fold_left (fun sum (j, x) -> sum +. x *. along.(j)) 0. row) 0. in
    let below = 1. +. q and first = if t = 0 then origin else 0. in
    let z = m /. below -. first and root = Float.sqrt (1. /. below) in
    let lost = (y -. z) *. (y -. z) in
    let after = !loss +. lost in
    rest := !rest +. (if !loss >= lost then (!loss -. after) +. lost else (lost -. after) +. !loss);
    loss := after;
    charges := (if first <> 0. then first *. first else -. (q *. z *. z)) :: (y *. y *. q /. below) :: !charges;
    logs := Float.log1p q :: !logs;
    let step = (y -. m) /. below in
    kept.c <- Array.mapi (fun i c -> c +. step *. along.(i)) kept.c;
    lose kept (Array.map (fun a -> a *. root) along)) rows;
  !loss +. !rest, add_all (List.rev !charges), add_all !logs

(* ---- what the comparator costs, exactly: attributes in units of powers of two, and for each growth of a size a row with the
   outcome 0 that makes up for the ridge, at least; so the cost that is checked is no smaller than that of the certificate ---- *)

let fine = 160

let ask ridge rows largest u bound =
  let unit_of = Array.make (Array.length largest) 0 and met = Array.make (Array.length largest) false in
  let place j = int_of (j + 1) in
  let r = exactly ridge in
  let vector j x = { C.top = [ place j, x.C.qnum ]; bottom = x.C.qden } in
  let in_units j x = let m, e = if x = 0. then I.zero, 0 else trim (dyadic x) in over_power m (unit_of.(j) - e) in
  (* the root of r (b^2 - a^2), rounded up *)
  let make_up j old size =
    let square x = times x x in
    let a = if old = 0. then unit else in_units j old in
    let rest = times r (minus (square (in_units j size)) (square a)) in
    if not (I.less I.zero rest.C.qnum) then []
    else [ vector j (over_power (I.add I.one (I.root (I.divide (I.shift_left rest.C.qnum (2 * fine)) rest.C.qden))) fine), fraction I.zero I.one ] in
  let past = List.fold_left (fun past { y; entries } ->
    let grown = List.concat_map (fun (j, value, old) ->
      let size = Float.abs value in
      if j = 0 || size <= old then []
      else begin
        if not met.(j) then (met.(j) <- true; unit_of.(j) <- snd (Float.frexp size) - 1);
        make_up j old size
      end) entries in
    let cells = List.map (fun (j, value, _) -> j, if j = 0 then unit else in_units j value) entries in
    let bottom = List.fold_left (fun most (_, x) -> I.maximum most x.C.qden) I.one cells in
    let top = List.map (fun (j, x) -> place j, I.multiply x.C.qnum (I.divide bottom x.C.qden)) cells in
    ({ C.top; bottom }, exactly y) :: grown @ past) [] rows in
  (* u in these units, rounded *)
  let entry (j, k) =
    let size = if j = 0 then unit else in_units j largest.(j) in
    place j, I.divide (I.multiply (I.shift_left k (fine - 40)) size.C.qden) size.C.qnum in
  C.check_ridge r { C.top = List.map entry u; bottom = two_to fine } past bound

let check certificate about name data =
  exactly_words "the learner" [ "name"; "ridge"; "bias"; "guard" ] about;
  let get name = field name certificate in
  let ridge = float_of "ridge" (field "ridge" about) and bias = float_of "bias" (field "bias" about) in
  let guard = match field "guard" about with Json.Bool said -> said | _ -> raise (Refused "guard is true or false") in
  need (ridge > 0. && bias >= 0.) "no learner has such parameters";
  need (List.mem (List.assoc_opt "rows" certificate) [ None; Some Json.Null ]) "no sum depends on how rows are held";
  let rounds = Game.cut_rounds certificate name data in
  need (rounds <> [||] && Array.for_all (fun (r : round) -> r.row) rounds) "there are no rounds, or they are no rows";
  let outcomes = Array.map (fun (r : round) -> match r.label with
    | Valued y -> y | _ -> raise (Not_covered "outcomes that are texts")) rounds in
  let games = Array.map (fun (r : round) -> r.entries) rounds in
  need (text "stream" certificate = hash_rounds 4 games (Array.map Int64.bits_of_float outcomes)) "the rounds are not those of the certificate";
  Array.iter (Array.iter (fun (_, x) -> need (Float.is_finite x) "a value is no number")) games;
  let size_of y = Float.max (Float.ldexp 1. (snd (Float.frexp (Float.abs y)) - 1)) (Float.ldexp 1. (-1022)) in
  let unit_of_labels = match List.find_opt (fun y -> y <> 0.) (Array.to_list outcomes) with Some y -> size_of y | None -> 1. in
  need (Array.for_all (fun y -> Float.abs y <= Float.min (Float.ldexp 1. 900) (unit_of_labels *. Float.ldexp 1. 400)) outcomes)
    "a label is larger than labels may be";
  let biased = bias <> 0. in
  let origin = if biased then outcomes.(0) /. unit_of_labels else 0. in
  let labels = Array.map (fun y -> y /. unit_of_labels -. origin) outcomes and scale = unit_of_labels *. unit_of_labels in
  let many = Array.length rounds in
  if many > 2000 then raise (Not_covered "so many rounds are not covered here");
  let rows, places, largest = read_rows guard biased games labels in
  let size = Array.length largest in
  if size > 200 || scale = 0. || not (Float.is_finite scale) then raise (Not_covered "so many attributes, or such labels, are not covered here");
  let loss, charge, logs = play ridge rows size origin in
  need (text "theorem" certificate = theorem && text "promise" certificate = promise && text "counts" certificate = "square loss"
        && text "scope" certificate = "sequence" && get "exact" = Json.Bool false) "its theorem or promise is another";
  need (get "updated" = Json.List [] && get "marks" = Json.List [] && small "mistakes" (get "mistakes") = 0
        && small "updates" (get "updates") = many) "every round teaches, and none is marked";
  let count = strict_float "count" (get "count") in
  need (count = loss *. unit_of_labels *. unit_of_labels) (Printf.sprintf "the run loses %.17g" (loss *. scale));
  (* the comparator *)
  let witness = record_of "witness" (get "witness") in
  exactly_words "the witness" [ "attributes"; "numerators"; "comparator"; "floor"; "zero"; "logarithms" ] witness;
  let wholes what = List.map (whole what) (list_of what (field what witness)) in
  let attributes = List.map (fun a ->
    need (I.at_most (int_of (-1)) a && I.less a (int_of 2147483647)) "no attribute is like that";
    int_of_string (I.to_string a)) (wholes "attributes") and numerators = wholes "numerators" in
  need (List.length attributes = List.length numerators && List.sort_uniq compare attributes = attributes
        && List.for_all (Hashtbl.mem places) attributes && (biased || not (List.mem (-1) attributes))
        && List.for_all (fun k -> not (I.equal k I.zero) && I.less (I.maximum k (I.negate k)) (two_to 62)) numerators)
    "a comparator has whole numbers for attributes in order";
  let u = List.map2 (fun a k -> Hashtbl.find places a, k) attributes numerators in
  let weight = Array.make size 0. in
  List.iter (fun (j, k) -> weight.(j) <- I.to_float k /. Float.ldexp 1. 40) u;
  let pulls = Array.make size [] in
  let measured = List.map (fun { y; entries } ->
    let seen = List.map (fun (j, value, _) -> j, value /. largest.(j)) entries in
    let short = y -. add_all (List.map (fun (j, x) -> weight.(j) *. x) seen) in
    List.iter (fun (j, x) -> pulls.(j) <- (2. *. short *. x) :: pulls.(j)) seen;
    short *. short, 2. *. short *. y -. short *. short) rows in
  let lost = add_all (List.map fst measured) in
  let whole_weight w = let m, e = if w = 0. then I.zero, 0 else dyadic w in I.shift_left m (e + 100) in
  let squares = Array.fold_left (fun sum w -> let k = whole_weight w in I.add sum (I.multiply k k)) I.zero weight in
  let rm, re = dyadic ridge in
  let cost = nearest (I.multiply rm squares, re - 200) in
  let pulled = add_all (List.map (fun part -> let sum = add_all part in sum *. sum) (Array.to_list pulls)) in
  let least = Float.max 0. (add_all (List.map snd measured) -. pulled /. (4. *. ridge)) in
  let highest = Array.fold_left (fun most y -> Float.max most (Float.abs y)) 0. labels in
  let larger = lost +. cost +. origin *. origin +. highest *. highest *. logs in
  let given = lost +. cost +. charge and zero = add_all (List.map (fun { y; _ } -> y *. y) rows) +. origin *. origin in
  let room = Float.ldexp given (-29) *. scale in
  let bound = float_of "bound" (get "bound") in
  (* logarithms may be off by a bit here or there; no truth depends on them *)
  let require_near what doubt ours said =
    let over = said -. ours *. scale and most = Float.max room (Float.ldexp ours (-29) *. scale) in
    need (over >= -. (doubt *. ours *. scale) && over <= most) (Printf.sprintf "the %s is %.17g, not %.17g" what (ours *. scale) said) in
  let told name = float_of name (field name witness) in
  require_near "bound" 0. given bound;
  require_near "comparator" 0. lost (told "comparator");
  require_near "zero" 0. zero (told "zero");
  require_near "logarithms" (Float.ldexp 1. (-50)) larger (told "logarithms");
  let under = least *. scale -. strict_float "floor" (field "floor" witness) in
  need (under >= 0. && under <= room) (Printf.sprintf "the floor is %.17g" (least *. scale));
  need (count *. (1. +. Float.ldexp 1. (-46)) <= bound) "the loss exceeds the bound";
  need (float_of "slack" (get "slack") = bound -. count && get "holds" = Json.Bool true) "the slack does not follow";
  if not (ask ridge rows largest u (minus (times (exactly bound) (inverse (exactly scale))) (exactly charge))) then
    raise (Not_covered "what the comparator costs is too close to call");
  Printf.sprintf "true: %.6g square loss <= %.6g over %d rounds (%s); proved of what the comparator costs, the run up to its rounding"
    count bound many theorem
