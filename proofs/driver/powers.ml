(* Winnow and Balanced Winnow, whose weights are powers by whole exponents: their runs in floats, and what is asked of the
   extracted checks. Trusted but for these. *)

open Data
open Certificate
open Fractions
open Theorems
open Game
module C = Checks
module I = Integer

(* ---- the run in floats ---- *)

type weights = {
  base : float; odd : bool; eliminates : bool; lowest : int; exponents : (int, int) Hashtbl.t (* [gone] of what is eliminated *); bias : int;
  mutable constant : int }

let gone = min_int
let begin_with ?(eliminates = false) ?(lowest = gone + 1) base odd bias =
  { base; odd; eliminates; lowest; exponents = Hashtbl.create 64; bias; constant = 0 }
let exponent w i = match Hashtbl.find_opt w.exponents i with Some k -> k | None -> 0

let weigh w k =
  let power k = w.base ** float_of_int k in
  if k = gone then 0. else if w.odd then power k -. power (-k) else power k

(* The sum of the terms from that of the constant on, what is rounded away being added at the end. *)
let score w row =
  let total = ref (if w.bias = 1 then weigh w w.constant else 0.) and rest = ref 0. in
  Array.iter (fun (i, x) ->
    let term = weigh w (exponent w i) *. x in
    let after = !total +. term in
    let part = after -. !total in
    rest := !rest +. ((!total -. (after -. part)) +. (term -. part));
    total := after) row;
  !total +. !rest

(* Levels that scores are compared with, and whether a score that is one demotes, is guessed positive, and promotes. *)
type levels = { below : float; middle : float; above : float; down : bool; says : bool; up : bool }

let play game (rows : Floats.rows) start patience levels =
  let phase = ref 1 and since = ref 0 and highest = ref 0 and mistakes = ref 0 and moved = ref [] in
  let w = ref (start 1) in
  Array.iteri (fun t entries ->
    let row = Floats.arrange rows Floats.same entries and code = game.codes.(t) in
    let s = score !w row in
    let guess = if s > levels.middle || (s = levels.middle && levels.says) then 1 else 0 in
    let teaches = if code = 1 then s < levels.above || (s = levels.above && levels.up)
      else s > levels.below || (s = levels.below && levels.down) in
    if guess <> code || (t = 0 && game.surprise) then incr mistakes;
    if teaches then begin
      moved := (t, 1) :: !moved;
      let sign = if code = 1 then 1 else -1 in
      Array.iter (fun (i, x) -> if x <> 0. then begin
        let k = exponent !w i in
        Hashtbl.replace !w.exponents i
          (if k = gone || (!w.eliminates && code = 0) then gone else max !w.lowest (k + sign * int_of_float x));
        highest := max !highest (i + 1) end) row;
      !w.constant <- !w.constant + sign * !w.bias;
      incr since;
      if float_of_int !since > patience !phase *. Float.log (2. *. float_of_int (max (!highest + !w.bias) 1)) then begin
        incr phase; since := 0; highest := 0; w := start !phase
      end
    end) game.entries;
  !mistakes, List.rev !moved

let replay certificate game start patience levels =
  if Array.length game.codes = 0 then 0, []
  else play game (Additive.read_rows (List.assoc_opt "rows" certificate)) start patience levels

let check_words certificate table =
  let get name = field name certificate in
  need (text "counts" certificate = "updates" && get "count" = Json.Null && text "scope" certificate = "sequence"
        && get "exact" = Json.Bool true) "it counts updates of the sequence, exactly";
  match List.assoc_opt (text "theorem" certificate) table with
  | Some promise -> need (text "promise" certificate = promise) ("its promise is: " ^ promise)
  | None -> raise (Refused "no theorem of this learner is called so")

let tell certificate moved bound =
  let counted = int_of (List.length moved) in
  require_slack certificate counted bound;
  Printf.sprintf "true: %s updates <= %s over %d rounds (%s); proved of these updates, which are those of the run in floats"
    (I.to_string counted) (I.to_string bound) (small "rounds" (field "rounds" certificate)) (text "theorem" certificate)

(* The proved checks look their lists through again and again; beyond this they would take minutes. *)
let require_small steps attributes =
  let longest = List.fold_left (fun most z -> max most (List.length z)) 1 steps and many = List.length steps in
  let work = float_of_int many *. float_of_int longest *. float_of_int (List.length attributes + many * longest) in
  if work > 2e7 then raise (Not_covered "so many updates of a multiplicative learner are not checked here")

let distinct columns = List.sort_uniq compare columns
let column i = int_of (i + 2)  (* the constant, attribute -1, is column 1 *)
let as_fraction k = fraction (int_of k) I.one
let at_most a b = not (less b a)

(* The least whole number from 0 up to [most] that is accepted; whatever is above it is accepted too. *)
let find_least most accepts =
  let rec between low high = (* low is not accepted, high is *)
    let middle = I.shift_right (I.add low high) 1 in
    if I.at_most high (I.add low I.one) then high
    else if accepts middle then between low middle else between middle high in
  if accepts I.zero then Some I.zero else if not (accepts most) then None else Some (between I.zero most)

let read_target witness =
  let wholes what = List.map (whole what) (list_of what (field what witness)) in
  let attributes = wholes "attributes" and numerators = wholes "numerators" in
  need (List.length attributes = List.length numerators) "malformed witness";
  need (List.length (List.sort_uniq compare (List.map I.to_string attributes)) = List.length attributes) "the witness has an entry twice";
  let place number a =
    if I.at_most (int_of (-1)) a && I.less a (int_of 2147483647) then I.add a (int_of 2) else I.add (two_to 100) (int_of number) in
  List.combine (List.mapi place attributes) numerators

(* ---- Winnow ---- *)

let disjunction = "Winnow, disjunction (Littlestone 1988)" and slack = "Winnow, margin with slack (Littlestone 1991)"
let elimination = "Winnow, elimination (Littlestone 1988)"
let drifting = "Winnow-R, drifting disjunction (Blum 1998)"
let winnow = [
  drifting, "the label of every update round is the OR of the variables that a schedule names for it";
  elimination, "any m >= 0 with m.x = 0 on every demotion, the slacks (p - m.x)+ of promotions summed";
  disjunction, "the label of every update round is the OR of some attributes";
  "Winnow, margin (Littlestone 1988)", "some m >= 0 has m.x >= p on every promotion and <= q on every demotion";
  slack, "any m >= 0 and p > q, the slacks (p - m.x)+ of promotions and (m.x - q)+ of demotions summed" ]

(* Whether the least numbers of promotions and demotions that a check accepts add up to the bound. *)
let gives ask bound =
  match find_least bound (fun k -> ask k (two_to 4000)) with
  | None -> false
  | Some promoted -> match find_least bound (ask promoted) with
    | Some demoted -> I.equal (I.add promoted demoted) bound && ask promoted demoted
    | None -> false

(* A schedule names the attributes of the target from an update on. *)
let ask_drift theta attributes steps witness =
  exactly_words "the witness" [ "schedule" ] witness;
  let turns = List.map (fun turn -> match list_of "schedule" turn with
    | [ first; names ] -> small "schedule" first, distinct (List.map (fun i -> column (small "schedule" i)) (list_of "schedule" names))
    | _ -> raise (Refused "malformed schedule")) (list_of "schedule" (field "schedule" witness)) in
  need (List.sort_uniq compare (List.map fst turns) = List.map fst turns && List.mem_assoc 0 turns) "malformed schedule";
  if List.exists (fun (_, set) -> not (List.for_all (fun i -> List.exists (I.equal i) attributes) set)) turns then
    raise (Not_covered "a schedule names attributes that no update has");
  let now = ref [] in
  let steps = List.mapi (fun k step ->
    (match List.assoc_opt k turns with Some set -> now := set | None -> ());
    step, !now) steps in
  let rec least j power = if less power theta then least (j + 1) (times power (as_fraction 2)) else j in
  C.check_drift theta attributes (int_of (least 0 (as_fraction 1))) steps

let check_winnow certificate about name data =
  only "the learner" [ "name"; "promotion"; "threshold"; "margin"; "floor"; "eliminate"; "strict_gt"; "real"; "classes" ] about;
  let switch key = match field key about with Json.Bool said -> said | _ -> raise (Refused (key ^ " is true or false")) in
  let number key = float_of key (field key about) in
  let promotion = number "promotion" and threshold = number "threshold" and margin = number "margin" in
  let strict = switch "strict_gt" in
  need (promotion > 1. && promotion <= Float.ldexp 1. 64 && margin >= 0. && margin < threshold && threshold <= Float.ldexp 1. 512
        && number "floor" >= 0. && number "floor" <= 1.) "no learner has such parameters";
  if switch "real" then raise (Not_covered "attributes between 0 and 1 are not covered here");
  let eliminates = switch "eliminate" in
  let drifts = number "floor" > 0. in
  need (not (eliminates && drifts)) "what is eliminated has no floor";
  if drifts && not (promotion = 2. && number "floor" = 0.5 && margin = 0. && not strict) then
    raise (Not_covered "a floor is covered for promotion 2, floor 1/2 and margin 0");
  need (746. /. Float.log promotion <= 1048574.) "so close to 1 weights are floats and no exact powers";
  let above = threshold +. margin and below = threshold -. margin in
  need (below >= Float.ldexp 1. (-900)) "the threshold is so small that weights near it underflow";
  let game = read_game certificate about name data 2 in
  need (Array.for_all (Array.for_all (fun (_, x) -> x = 0. || x = 1.)) game.entries) "an attribute is neither 0 nor 1";
  let levels = { below; middle = threshold; above; down = not strict; says = not strict; up = strict } in
  let start = if drifts then begin_with ~lowest:(-1) promotion false 0 else begin_with ~eliminates promotion false 0 in
  let mistakes, moved = replay certificate game (fun _ -> start) (fun _ -> Float.infinity) levels in
  require_run certificate mistakes moved false;
  check_words certificate winnow;
  if moved = [] then raise (Not_covered "a run without updates is not covered here");
  let row (t, _) = List.filter_map (fun (i, x) -> if x = 0. then None else Some (column i)) (Array.to_list game.entries.(t)) in
  let steps = List.map (fun step -> game.codes.(fst step) = 1, row step) moved in
  let attributes = distinct (List.concat_map snd steps) and bound = whole "bound" (field "bound" certificate) in
  need (I.at_most I.zero bound) "the bound must not be negative";
  let give ask = if not (gives ask bound) then raise (Refused ("the witness does not give " ^ I.to_string bound)) in
  (* the target *)
  let witness = record_of "witness" (field "witness" certificate) and theorem = text "theorem" certificate in
  need (drifts = (theorem = drifting)) "a floor is covered by the theorem on drift";
  require_small (List.map snd steps) attributes;
  if drifts then give (ask_drift (exactly threshold) attributes steps witness)
  else begin
  only "the witness" [ "attributes"; "numerators"; "promoted"; "demoted" ] witness;
  let target = read_target witness and p = whole "promoted" (field "promoted" witness) and q = whole "demoted" (field "demoted" witness) in
  need (I.less I.zero p && I.at_most I.zero q && List.for_all (fun (_, k) -> I.at_most I.zero k) target) "a target has no negative weights";
  let look i = List.fold_left (fun sum (j, k) -> if I.equal i j then I.add sum k else sum) I.zero target in
  let missing (up, row) =
    let sum = List.fold_left (fun sum i -> I.add sum (look i)) I.zero row in
    I.less I.zero (if not up then I.subtract sum q else if eliminates then I.zero else I.subtract p sum) in
  need (eliminates = (theorem = elimination)) "elimination has a theorem of its own";
  need (not eliminates || I.equal q I.zero) "an eliminated attribute may have no weight in the witness";
  need (theorem = slack || not (List.exists missing steps)) "the witness has slack";
  need (theorem <> disjunction || (I.equal q I.zero && List.for_all (fun (_, k) -> I.equal k p) target)) "that is no disjunction";
  let spare = List.fold_left (fun sum (i, k) -> if List.exists (I.equal i) attributes then sum else I.add sum k) I.zero target in
  if I.less I.zero spare then raise (Not_covered "a target has weight where no update has an attribute");
  if attributes = [] && not eliminates then raise (Not_covered "updates without attributes are not covered here");
  (* the least exponent whose power no promotion reaches *)
  let b = exactly promotion and goal = exactly above in
  let rec find_power j power =
    need (j < 100000) "the promotion is too close to 1";
    if less goal power || (not strict && at_most goal power) then j else find_power (j + 1) (times power b) in
  let most = int_of (find_power 0 (fraction I.one I.one)) in
  give (fun promoted demoted ->
    if eliminates then C.check_elimination b goal (exactly below) attributes target p most steps promoted demoted
    else C.check_steps_of_winnow b goal (exactly below) attributes target p q most steps promoted demoted)
  end;
  tell certificate moved bound

(* ---- Balanced Winnow ---- *)

let summed = "its shortfalls (g - u.z)+ summed"
let clean_balanced = "Balanced Winnow (Littlestone 1989)"
let balanced = [
  clean_balanced, "some u with |u|_1 = 1 has u.z >= g > 0 on every update round";
  "Balanced Winnow, margin with slack (Littlestone 1989)", "any u with |u|_1 = 1 and margin g > 0, " ^ summed ^ " over the update rounds" ]
let phased_balanced = [
  "Balanced Winnow, phase by phase (Littlestone 1989)", "phases end at their caps; in the last any u with |u|_1 = 1, " ^ summed ]

(* The updates of each phase, and the caps of those that ended: 2 ln(2n) / d^2 updates and one more. *)
let cut_phases game bias moved =
  let rec cut number rows caps count highest = function
    | [] -> List.rev rows, List.rev caps, number
    | (t, _) :: rest ->
      let highest = Array.fold_left (fun most (i, x) -> if x = 0. then most else max most (i + 1)) highest game.entries.(t) in
      let d = Float.max (Float.ldexp 1. (-number)) (Float.ldexp 1. (-14)) in
      let patience = 2. /. (d *. d) *. Float.log (2. *. float_of_int (max (highest + bias) 1)) in
      let count = count + 1 in
      if Float.abs (float_of_int count -. patience) < 1e-9 *. patience || Float.abs (patience -. Float.round patience) < 1e-9 *. patience then
        raise (Not_covered "rounding may have decided when a phase ended");
      if float_of_int count > patience then cut (number + 1) [] (int_of_float patience + 1 :: caps) 0 0 rest
      else cut number ((t, 1) :: rows) caps count highest rest in
  cut 1 [] [] 0 0 moved

let check_balanced certificate about name data =
  only "the learner" [ "name"; "factor"; "margin"; "bias"; "real"; "classes" ] about;
  let optional key = match field key about with Json.Null -> None | value -> Some (float_of key value) in
  let factor = optional "factor" and margin = optional "margin" in
  let bias = small "bias" (field "bias" about) in
  need (List.mem (text "real" about) [ "float32"; "float64" ]) "no floats are like that";
  need (bias <= 1 && (factor = None || margin = None)
        && (match factor with None -> true | Some b -> b >= Float.exp (Float.ldexp 1. (-14)) && b <= Float.ldexp 1. 64)
        && (match margin with None -> true | Some d -> d >= Float.ldexp 1. (-14) && d < 1.)) "no learner has such parameters";
  let phased = factor = None && margin = None in
  let least phase = Float.max (Float.ldexp 1. (-phase)) (Float.ldexp 1. (-14)) in
  let base phase = match factor, margin with
    | Some b, _ -> b
    | None, Some d -> Float.sqrt ((1. +. d) /. (1. -. d))
    | None, None -> let d = least phase in Float.sqrt ((1. +. d) /. (1. -. d)) in
  let game = read_game certificate about name data 2 in
  need (Array.for_all (Array.for_all (fun (_, x) -> x = 0. || Float.abs x = 1.)) game.entries) "an attribute is none of -1, 0 and 1";
  let patience phase = if phased then 2. /. (least phase ** 2.) else Float.infinity in
  let levels = { below = 0.; middle = 0.; above = 0.; down = true; says = false; up = true } in
  let mistakes, moved = replay certificate game (fun phase -> begin_with (base phase) true bias) patience levels in
  require_run certificate mistakes moved false;
  check_words certificate (if phased then phased_balanced else balanced);
  let last, caps, phase = if phased then cut_phases game bias moved else moved, [], 1 in
  let witness = record_of "witness" (field "witness" certificate) in
  exactly_words "the witness" [ "margin"; "attributes"; "numerators"; "caps" ] witness;
  need (List.map (small "caps") (list_of "caps" (field "caps" witness)) = caps) "the phases that ended have other caps";
  let bound = whole "bound" (field "bound" certificate) in
  let rest = I.subtract bound (int_of (List.fold_left (+) 0 caps)) in
  need (I.at_most I.zero rest) "the caps alone add up to more";
  if last = [] then need (I.equal rest I.zero) "the witness gives less"
  else begin
    let u = read_target witness and g = strict_float "margin" (field "margin" witness) in
    need (g > 0. && List.exists (fun (_, k) -> not (I.equal k I.zero)) u) "the witness is empty or its margin not positive";
    let row (t, _) =
      let sign x = int_of (if (x > 0.) = (game.codes.(t) = 1) then 1 else -1) in
      let row = List.filter_map (fun (i, x) -> if x = 0. then None else Some (column i, sign x)) (Array.to_list game.entries.(t)) in
      if bias = 1 then (I.one, sign 1.) :: row else row in
    let steps = List.map row last in
    let attributes = distinct (List.map fst (List.concat (u :: steps))) in
    require_small steps attributes;
    let size = List.fold_left (fun sum (_, k) -> I.add sum (I.maximum k (I.negate k))) I.zero u in
    let goal = times (exactly g) (fraction size I.one) in
    let agrees z =
      let look i = List.fold_left (fun sum (j, k) -> if I.equal i j then I.add sum k else sum) I.zero u in
      at_most goal (fraction (List.fold_left (fun sum (i, v) -> I.add sum (I.multiply (look i) v)) I.zero z) I.one) in
    need (text "theorem" certificate <> clean_balanced || List.for_all agrees steps) "the witness lacks its margin on an update round";
    let ask g bound = C.check_steps_of_balanced (exactly (base phase)) attributes u g steps bound in
    need (ask (exactly g) rest) ("the witness does not give " ^ I.to_string bound);
    let smaller = times (exactly g) (fraction (I.subtract (two_to 30) I.one) (two_to 30)) in
    need (not (I.less I.zero rest && ask smaller (I.subtract rest I.one))) ("the witness gives less than " ^ I.to_string bound)
  end;
  tell certificate moved bound
