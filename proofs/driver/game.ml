(* The rounds that a certificate speaks of, and what it must say of their run. Trusted. *)

open Data
open Certificate
module I = Integer

type game = {
  entries : (int * float) array array; codes : int array; classes : int; surprise : bool; declared : label list }

let read_declared about = match List.assoc_opt "classes" about with
  | None -> [] | Some classes -> List.map (function Json.Null -> Nothing | label -> read_label label) (list_of "classes" classes)

let cut_rounds certificate name data =
  let many = small "rounds" (field "rounds" certificate) in
  let rounds = Array.of_list (read_rounds name data) in
  need (Array.length rounds >= many) (Printf.sprintf "the data have %d rounds, not %d" (Array.length rounds) many);
  Array.sub rounds 0 many

let read_game certificate about name data limit =
  let declared = read_declared about and rounds = cut_rounds certificate name data in
  let labels = Array.map (fun (r : round) -> r.label) rounds and entries = Array.map (fun (r : round) -> r.entries) rounds in
  need (Array.for_all (fun (r : round) -> r.row) rounds) "the rounds are not rows of attributes";
  let codes, classes = number_labels labels declared limit in
  need (text "stream" certificate = fingerprint entries codes) "the rounds are not those of the certificate";
  Array.iter (Array.iter (fun (_, v) -> need (not (Float.is_nan v)) "a value is not a number")) entries;
  { entries; codes; classes; surprise = is_surprise labels about; declared }

(* Mistakes, update rounds and marks are those of the run. *)
let require_run certificate mistakes moved marked =
  let numbers what = List.map (small what) (list_of what (field what certificate)) in
  need (small "mistakes" (field "mistakes" certificate) = mistakes) (Printf.sprintf "the run makes %d mistakes" mistakes);
  need (numbers "updated" = List.map fst moved) "the update rounds are not those of the run";
  need (small "updates" (field "updates" certificate) = List.length moved) "the number of updates is not that of the run";
  need (numbers "marks" = if marked then List.map snd moved else []) "its marks are not those of the run"

let require_slack certificate counted bound =
  need (I.equal (whole "slack" (field "slack" certificate)) (I.subtract bound counted)) "the slack does not follow";
  need (field "holds" certificate = Json.Bool true && I.at_most counted bound) "it says that it does not hold"
