(* Elimination of literals: a conjunction is a disjunction of the opposite. The run is that of the extracted function;
   what is told of it is compared. Trusted but for it. *)

open Data
open Certificate
open Game
open Fractions
open Finite

(* Attributes, counted from 1, as ranges such as x1-x5 x100. *)
let write_runs attributes =
  let has i = List.mem i attributes in
  let rec last i = if has (i + 1) then last (i + 1) else i in
  let run i = if last i = i then Printf.sprintf "x%d" (i + 1) else Printf.sprintf "x%d-x%d" (i + 1) (last i + 1) in
  String.concat " " (List.map run (List.filter (fun i -> not (has (i - 1))) (List.sort compare attributes)))

(* The learner as it is told: whether it is a disjunction that is looked for, which labels 1, and whether plain literals do. *)
type learner = { monotone : bool; target : string; decided : int; attributes : int; active : int list array; game : game }

(* The run of literals that are `known` before the first round, or not: then one more, the absence of an attribute that
   comes in no row, is there until a round drops it, so that a row with all attributes fires too. *)
let play certificate learner known =
  let { monotone; target; decided; attributes = n; active; game } = learner in
  let indices = List.init n Fun.id and absent = if known then [] else [ n ] in
  let on = if monotone && decided = 0 then [] else indices in
  let off = if monotone && decided = 1 then [] else indices @ absent in
  let plain i x = List.mem i x and negated i x = not (List.mem i x) in
  let rounds = Array.to_list (Array.mapi (fun t x -> x, game.codes.(t) = decided) active) in
  let wrong, kept = match C.eliminate rounds (List.map plain on @ List.map negated off) with
    | Some (wrong, kept) -> to_int wrong, List.length kept
    | None -> raise (Refused "no such target labels every round") in
  (* the rounds that taught, and what is left: a literal is dropped by a round of the other label on which it is true *)
  let on = ref on and off = ref off and moved = ref [] in
  List.iteri (fun t (x, positive) ->
    if (not positive) && (List.exists (fun i -> plain i x) !on || List.exists (fun i -> negated i x) !off) then begin
      moved := (t, 1) :: !moved;
      on := List.filter (fun i -> not (plain i x)) !on;
      off := List.filter (fun i -> not (negated i x)) !off
    end) rounds;
  need (kept = List.length !on + List.length !off) "what is left is counted in two ways";
  let off = List.filter (fun i -> i < n) !off in
  let left = List.length !on + List.length off in
  let first = game.surprise && Array.length game.codes > 0 in
  let wrong = if first && not (List.mem_assoc 0 !moved) then wrong + 1 else wrong in
  require_run certificate wrong (List.rev !moved) false;
  (* m <= literals - kept; where all were there, the first round that drops any drops n of 2 n, or may have: one more *)
  let more = if monotone && (known || decided = 1) then 0 else 1 in
  let bound = max 0 (n + more - left) in
  need (wrong <= bound) "more mistakes than that";
  let plain, negated = if decided = 1 then !on, off else off, !on in
  require_claim certificate { theorem = "Elimination (Valiant 1984)"; expected = None; bound = whole_fraction (int_of bound);
    promise = Printf.sprintf "a %s%s labels every round" (if monotone then "monotone " else "") target;
    witness = [ "attributes", number n; "literals", number left;
                "plain", Json.Text (write_runs plain); "negated", Json.Text (write_runs negated) ] }

let check certificate about name data =
  require_plain certificate about;
  only "the learner" [ "name"; "target"; "monotone"; "real"; "classes" ] about;
  let monotone = match field "monotone" about with Json.Bool said -> said | _ -> raise (Refused "monotone is true or false") in
  let target = text "target" about in
  need (List.mem target [ "disjunction"; "conjunction" ]) "no target is like that";
  let game = read_game certificate about name data 2 in
  let witness = record_of "witness" (field "witness" certificate) in
  let n = small "attributes" (field "attributes" witness) in
  if n > 2000 then raise (Not_covered "so many attributes are not covered here");
  need (Array.for_all (Array.for_all (fun (i, x) -> x = 0. || (i < n && x = 1.))) game.entries) "an attribute is neither 0 nor 1";
  let active = Array.map (fun row -> List.filter_map (fun (i, x) -> if x = 0. then None else Some i) (Array.to_list row)) game.entries in
  let learner = { monotone; target; decided = if target = "disjunction" then 1 else 0; attributes = n; active; game } in
  try play certificate learner true with Refused _ -> play certificate learner false
