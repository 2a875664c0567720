(* What surrounds the extracted checks: reading a certificate, playing its run again, and asking them. Trusted. *)

open Data
open Certificate
open Theorems
module C = Checks
module I = Integer

(* ---- learners ---- *)

let read_learner about =
  let name = text "name" about in
  let names = [ "Perceptron"; "AveragedPerceptron"; "VotedPerceptron"; "AggressivePerceptron"; "PassiveAggressive" ] in
  if not (List.mem name names) then raise (Not_covered (name ^ " is not covered here"));
  let plain = name = "Perceptron" || name = "AveragedPerceptron" in
  let passive = name = "PassiveAggressive" in
  let tied = not (passive || name = "VotedPerceptron") in
  only "the learner" ([ "name"; "real"; "classes"; "bias" ] @ (if tied then [ "tie" ] else [])
    @ (if passive then [ "margin"; "aggressiveness"; "variant" ] else []) @ (if plain then [ "rate"; "margin" ] else []) @ if name = "Perceptron" then [ "normalized" ] else []) about;
  (match List.assoc_opt "normalized" about with
   | Some (Json.Bool true) -> raise (Not_covered "normalized rows are not covered here")
   | Some (Json.Bool false) -> () | None -> need (name <> "Perceptron") "it lacks normalized"
   | _ -> raise (Refused "normalized is true or false"));
  let number key = if plain || (passive && key <> "rate") then float_of key (field key about) else if key = "rate" then 1. else 0. in
  let tie = if tied then text "tie" about else "strict" in
  need (List.mem tie [ "strict"; "plus"; "minus" ]) "no tie is like that";
  let found = { Floats.name; rate = number "rate"; bias = float_of "bias" (field "bias" about); margin = number "margin"; tie;
    variant = (if passive then text "variant" about else ""); aggressiveness = if passive then number "aggressiveness" else 1. } in
  need (not passive || (found.margin > 0. && found.aggressiveness > 0. && List.mem_assoc found.variant Theorems.passive))
    "no learner has such parameters";
  need (found.bias >= 0. && found.margin >= 0. && found.rate > 0.) "no learner has such parameters";
  found

let read_rows = function
  | None -> raise (Not_covered "its rows came in several forms: such a run is not played again here")
  | Some rows ->
    let rows = record_of "rows" rows in
    only "rows" [ "form"; "width"; "values" ] rows;
    let form = text "form" rows and width = small "width" (field "width" rows) and values = text "values" rows in
    need (List.mem form [ "listed"; "dense" ] && List.mem values [ "float32"; "float64"; "ones" ]
          && (form = "dense" || width = 0)) "no rows are held like that";
    if width > 1_000_000 then raise (Not_covered "dense rows of more than a million attributes");
    { Floats.dense = form = "dense"; width; values }

let verify certificate_text name data =
  let certificate = match Json.parse certificate_text with
    | Json.Record fields -> fields
    | _ -> raise (Refused "a certificate is one JSON object") in
  if List.assoc_opt "version" certificate = None then raise (Not_covered "it is of a version before 2");
  check_form certificate;
  let get name = field name certificate in
  let about = record_of "learner" (get "learner") in
  if List.mem_assoc "mixing" about then raise (Not_covered "runs over shards are not covered here");
  let network = text "name" about = "Network" in
  let declared = match List.assoc_opt "classes" about with
    | None -> [] | Some classes -> List.map read_label (list_of "classes" classes) in
  let learner =
    if not network then read_learner about
    else begin
      only "the learner" [ "name"; "learner"; "updates"; "real"; "classes" ] about;
      let inner = record_of "learner" (field "learner" about) in
      need (not (List.mem_assoc "real" inner || List.mem_assoc "classes" inner)) "a unit has no classes of its own";
      (match text "updates" about with
       | "winner" -> () | "each" -> raise (Not_covered "networks whose units learn each on their own are not covered here")
       | _ -> raise (Refused "no network has such updates"));
      let found = read_learner inner in
      need (List.mem found.name [ "Perceptron"; "AveragedPerceptron"; "PassiveAggressive" ]) "no network has such units";
      found
    end in
  let short = match text "real" about with
    | "float32" -> true | "float64" -> false | _ -> raise (Refused "no floats are like that") in
  let rounded = if short then round32 else Floats.same in
  let marked = learner.name = "AggressivePerceptron" and passive = learner.name = "PassiveAggressive" in
  (* the rounds *)
  let many = small "rounds" (get "rounds") in
  let rounds = Array.of_list (read_rounds name data) in
  need (Array.length rounds >= many) (Printf.sprintf "the data have %d rounds, not %d" (Array.length rounds) many);
  let rounds = Array.sub rounds 0 many in
  let labels = Array.map (fun r -> r.label) rounds and entries = Array.map (fun r -> r.entries) rounds in
  need (Array.for_all (fun r -> r.row) rounds) "the rounds are not rows of attributes";
  let codes, classes = number_labels labels declared (if network then 2147483647 else 2) in
  let surprise = is_surprise labels declared in
  need (text "stream" certificate = fingerprint entries codes) "the rounds are not those of the certificate";
  Array.iter (Array.iter (fun (_, v) -> need (not (Float.is_nan v)) "a value is not a number")) entries;
  (* the run in floats *)
  let rows = if many = 0 then { Floats.dense = false; width = 0; values = "float64" } else read_rows (List.assoc_opt "rows" certificate) in
  let met = max 2 (List.length declared) in
  let run = if network then Floats.play_network learner short rows entries codes surprise met (max classes met)
    else Floats.play_unit learner short rows entries codes surprise in
  let moved = List.rev run.moved in
  let numbers what = List.map (small what) (list_of what (get what)) in
  need (small "mistakes" (get "mistakes") = run.mistakes) (Printf.sprintf "the run makes %d mistakes" run.mistakes);
  need (numbers "updated" = List.map fst moved) "the update rounds are not those of the run";
  need (small "updates" (get "updates") = List.length moved) "the number of updates is not that of the run";
  need (numbers "marks" = if network || marked then List.map snd moved else []) "its marks are not those of the run";
  (* rows as whole numbers: column 1 is the constant, column j + 2 attribute j *)
  let constant = rounded learner.bias and rate = rounded learner.rate in
  need (rate > 0.) "no learner has such a rate";
  let bits = Array.fold_left (Array.fold_left (fun most (_, x) -> max most (bits_of x))) (bits_of constant) entries in
  let column i = int_of i |> I.add (int_of 2) in
  let whole_row entries =
    let row = List.filter_map (fun (i, x) -> if x = 0. then None else Some (column i, scale bits x)) (Array.to_list entries) in
    if constant = 0. then row else (I.one, scale bits constant) :: row in
  let blocks = int_of (max classes met) and block c = int_of (c + 1) in
  let step (t, mark) =
    let row = whole_row entries.(t) in
    if network then [ C.step_between blocks (block codes.(t)) (block (mark - 1)) row ]
    else let z = C.signed (codes.(t) = 1) row in List.init (if marked then mark else 1) (fun _ -> z) in
  let steps = List.concat_map step moved in
  let taken = List.length steps in
  (* the comparator and the threshold over common denominators *)
  let witness = record_of "witness" (get "witness") in
  only "the witness" ([ "margin"; "exponent"; "attributes"; "numerators"; "unexplained"; "everywhere" ]
    @ if network then [ "classes" ] else []) witness;
  let wholes what = List.map (whole what) (list_of what (field what witness)) in
  let attributes = wholes "attributes" and numerators = wholes "numerators" in
  let owners = if network && List.mem_assoc "classes" witness then wholes "classes" else List.map (fun _ -> I.zero) attributes in
  need (List.length attributes = List.length numerators && List.length owners = List.length attributes) "malformed witness";
  let in_range a = I.at_most (int_of (-1)) a && I.less a (int_of 2147483647) in
  let keys = List.map2 (fun c a -> I.to_string c ^ " " ^ I.to_string a) owners attributes in
  need (List.length (List.sort_uniq compare keys) = List.length keys) "the witness has an entry twice";
  let exponent = whole "exponent" (field "exponent" witness) in
  need (I.less (int_of (-3000)) exponent && I.less exponent (int_of 3000)) "malformed witness";
  let exponent = int_of_string (I.to_string exponent) in
  let margin = strict_float "margin" (field "margin" witness) in
  need (margin > 0.) "the margin must be positive";
  let gm, ge = trim (dyadic margin) in
  let lift = max 0 (exponent - bits - ge) in
  let g = I.shift_left gm (ge + bits - exponent + lift) in
  (* an entry that no step has an attribute for still counts in |u| *)
  let place number ((c, a), k) =
    let known = in_range a && (not network || (I.at_most I.zero c && I.less c blocks)) in
    let j = I.add a (int_of 2) in
    (if not known then I.add (two_to 100) (int_of number)
     else if network then I.add (I.multiply j blocks) (I.add c I.one) else j), I.shift_left k lift in
  let u = List.mapi place (List.combine (List.combine owners attributes) numerators) in
  let mm, me = if learner.margin = 0. || passive then I.zero, 0 else trim (dyadic learner.margin) in
  let rm, re = trim (dyadic rate) in
  let e = me - re + 2 * bits in
  let over = if e >= 0 then I.shift_left mm e else mm and under = if e >= 0 then rm else I.shift_left rm (-e) in
  (* the theorem *)
  let bound = whole "bound" (get "bound") in
  need (I.at_most I.zero bound) "the bound must not be negative";
  let promise, theorem = match List.assoc_opt (text "theorem" certificate) theorems with
    | Some (promise, theorem) when not passive -> promise, Some theorem
    | None when passive && text "theorem" certificate = "Passive-aggressive " ^ learner.variant ^ " (Crammer and others 2006)" ->
      List.assoc learner.variant Theorems.passive, None
    | _ -> raise (Refused "no theorem of this learner is called so") in
  need (text "promise" certificate = promise) ("its promise is: " ^ promise);
  need (text "scope" certificate = "sequence" && get "exact" = Json.Bool (not passive)) "its scope is the sequence, and exact is another";
  need (text "counts" certificate = if marked then "steps" else if passive then "mistakes" else "updates") "the theorem counts something else";
  need (get "count" = if marked then Json.Number (string_of_int taken) else Json.Null) "the count is another";
  let facts = C.fast_measure over under u g steps in
  let most = List.fold_left (fun most z -> max most (List.length z)) 0 steps in
  let loose = loosen facts over taken most in
  let loose = if theorem = Some C.Novikoff then { loose with C.missing = I.zero } else loose in (* it supposes none *)
  let given, larger = match theorem with
    | Some theorem -> C.judge theorem over facts bound, I.less I.zero bound && C.exceeds theorem loose bound
    | None ->
      need (margin = learner.margin) "losses are at the learner's own margin";
      need (learner.variant <> "0" || I.equal facts.C.missing I.zero) "the witness lacks the margin on an update round";
      let still = run.idle + if network then max 0 (classes - met) else 0 in
      let fine = bits - exponent + lift and paid = I.subtract bound (int_of still) in
      let ask facts fine bits = ask_passive learner.variant learner.margin learner.aggressiveness facts fine bits in
      ask facts fine bits paid,
      I.less I.zero paid && ask loose (fine + 320) (bits + 64) (I.subtract paid I.one) in
  need given ("the witness does not give " ^ I.to_string bound);
  need (not larger) ("the witness gives less than " ^ I.to_string bound);
  let counted = int_of (if marked then taken else if passive then run.mistakes else List.length moved) in
  need (I.equal (whole "slack" (get "slack")) (I.subtract bound counted)) "the slack does not follow";
  need (get "holds" = Json.Bool true && I.at_most counted bound) "it says that it does not hold";
  (* floats beside the claim *)
  (match List.assoc_opt "unexplained" witness with
   | None -> ()
   | Some claimed ->
     let truth = if taken = 0 then 0. else ratio facts.C.missing (I.multiply g (int_of taken)) in
     near "what the comparator leaves unexplained" (strict_float "unexplained" claimed) truth);
  (match List.assoc_opt "everywhere" witness with
   | None -> ()
   | Some claimed ->
     need (not network) "losses over all rounds are known of two classes";
     let weights = Hashtbl.create 256 in
     List.iter2 (fun a k -> Hashtbl.replace weights (I.to_string a) (Float.ldexp (I.to_float k) exponent)) attributes numerators;
     let look a = match Hashtbl.find_opt weights (string_of_int a) with Some x -> x | None -> 0. in
     let total = ref 0. in
     Array.iteri (fun t row ->
       let a = Array.fold_left (fun a (i, x) -> a +. look i *. x) (look (-1) *. constant) row in
       let a = if codes.(t) = 1 then a else -. a in
       total := !total +. Float.max 0. (margin -. a) /. margin) entries;
     near "the loss of the comparator over all rounds" (strict_float "everywhere" claimed) !total);
  (* the same learner in exact arithmetic *)
  let rule = { C.threshold_over = over; threshold_under = under;
    ties = (match learner.tie with "plus" -> C.Plus | "minus" -> C.Minus | _ -> C.Strict) } in
  let note t moved rest = match moved with Some mark -> (t, mark) :: rest | None -> rest in
  let number decisions mark = List.rev (snd (List.fold_left (fun (t, rest) (_, moved) ->
    t + 1, note t (Option.map mark moved) rest) (0, []) decisions)) in
  let again =
    if marked || passive then []
    else if network then
      number (C.fast_play_network rule blocks (List.init met block) (List.init many (fun t -> block codes.(t), whole_row entries.(t))))
        (fun (rival, _) -> int_of_string (I.to_string rival))
    else number (C.fast_play rule (List.init many (fun t -> codes.(t) = 1, whole_row entries.(t)))) (fun _ -> 1) in
  let exactly = (not marked) && (not passive) && again = moved in
  Printf.sprintf "true: %s %s <= %s over %d rounds (%s); %s" (I.to_string counted) (text "counts" certificate)
    (I.to_string bound) many (text "theorem" certificate)
    (if passive then "the theorem is proved of exact steps; those of this run are floats, so that it holds up to their rounding"
     else if exactly then "proved of the learner in exact arithmetic too, whose updates are the same"
     else "proved of these updates, which are those of the run in floats")

let judge certificate name data =
  try 0, verify certificate name data with
  | Refused why | Json.Malformed why -> 1, "false: " ^ why
  | Not_covered why -> 2, "not covered here: " ^ why
  | Unreadable why -> 2, "cannot be read: " ^ why
  | Failure why | Invalid_argument why -> 1, "false: it is malformed: " ^ why
  | Not_found -> 1, "false: it is malformed"
  | Stack_overflow -> 2, "cannot be read: it is too long for this program"
