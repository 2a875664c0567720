(* Which check a certificate asks for, and the verdict as a status and a line. Trusted. *)

open Data
open Certificate

let verify certificate_text name data =
  let certificate = match Json.parse certificate_text with
    | Json.Record fields -> fields
    | _ -> raise (Refused "a certificate is one JSON object") in
  if List.assoc_opt "version" certificate = None then raise (Not_covered "it is of a version before 2");
  check_form certificate;
  let about = record_of "learner" (field "learner" certificate) in
  if List.mem_assoc "mixing" about then raise (Not_covered "runs over shards are not covered here");
  let counts = text "counts" certificate in
  if List.mem counts [ "served mistakes"; "weight of updates" ] || ends_with " of units" counts then
    raise (Not_covered (counts ^ " are not covered here"));
  match text "name" about with
  | "Winnow" -> Powers.check_winnow certificate about name data
  | "BalancedWinnow" -> Powers.check_balanced certificate about name data
  | "Elimination" -> Elimination.check certificate about name data
  | "Halving" | "Consistent" | "RandomizedHalving" | "StandardOptimal" | "NeverMiss" | "Closure" | "Memorizer"
  | "Conservative" -> Finite.check certificate about name data
  | "RandomizedWeightedMajority" when field "exact" certificate = Json.Bool false -> Hedge.check certificate about name data
  | "Hedge" | "FixedShare" | "Aggregating" -> Hedge.check certificate about name data
  | "WeightedMajority" | "RandomizedWeightedMajority" | "FollowTheLeader" -> Advice.check certificate about name data
  | "KernelPerceptron" -> Kernels.check certificate about name data
  | "Ridge" -> Ridge.check certificate about name data
  | "League" -> League.check certificate about name data
  | _ -> Additive.check_additive certificate about name data

let judge certificate name data =
  try 0, verify certificate name data with
  | Refused why | Json.Malformed why -> 1, "false: " ^ why
  | Not_covered why -> 2, "not covered here: " ^ why
  | Unreadable why | Json.Too_long why -> 2, "cannot be read: " ^ why
  | Failure why | Invalid_argument why -> 1, "false: it is malformed: " ^ why
  | Not_found -> 1, "false: it is malformed"
  | Stack_overflow -> 2, "cannot be read: it is too long for this program"
