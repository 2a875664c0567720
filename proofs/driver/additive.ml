(* Additive learners and networks: reading a certificate, playing its run again, and asking the extracted checks. Trusted. *)

open Data
open Certificate
open Fractions
open Theorems
open Game
module C = Checks
module I = Integer

(* ---- learners ---- *)

let read_learner about =
  let name = text "name" about in
  let names = [ "Perceptron"; "AveragedPerceptron"; "VotedPerceptron"; "AggressivePerceptron"; "PassiveAggressive"; "Romma"; "Alma" ] in
  if not (List.mem name names) then raise (Not_covered (name ^ " is not covered here"));
  let plain = name = "Perceptron" || name = "AveragedPerceptron" in
  let passive = name = "PassiveAggressive" in
  let romma = name = "Romma" and alma = name = "Alma" in
  let tied = not (passive || romma || alma || name = "VotedPerceptron") in
  only "the learner" ([ "name"; "real"; "classes"; "bias" ] @ (if tied then [ "tie" ] else [])
    @ (if passive then [ "margin"; "aggressiveness"; "variant" ] else []) @ (if plain then [ "rate"; "margin" ] else []) @ (if romma then [ "aggressive" ] else [])
    @ (if alma then [ "rate"; "alpha"; "margin" ] else []) @ if name = "Perceptron" then [ "normalized" ] else []) about;
  let switch key asked = match List.assoc_opt key about with
    | Some (Json.Bool said) -> said
    | None when not asked -> false
    | _ -> raise (Refused (key ^ " is true or false")) in
  let push = if not alma then 0. else begin
    let alpha = float_of "alpha" (field "alpha" about) in
    let margin = match field "margin" about with Json.Null -> Float.sqrt 8. /. alpha | given -> float_of "margin" given in
    need (0. < alpha && alpha <= 1. && margin > 0.) "no learner has such parameters";
    (1. -. alpha) *. margin
  end in
  let number key = if plain || (alma && key = "rate") || (passive && key <> "rate") then float_of key (field key about) else if key = "rate" then 1. else 0. in
  let tie = if tied then text "tie" about else "strict" in
  need (List.mem tie [ "strict"; "plus"; "minus" ]) "no tie is like that";
  let found = { Floats.name; rate = number "rate"; bias = float_of "bias" (field "bias" about); margin = number "margin"; tie;
    variant = (if passive then text "variant" about else ""); aggressiveness = (if passive then number "aggressiveness" else 1.);
    normalized = switch "normalized" (name = "Perceptron"); aggressive = switch "aggressive" romma; push } in
  need (not passive || (found.margin > 0. && found.aggressiveness > 0. && List.mem_assoc found.variant Theorems.passive))
    "no learner has such parameters";
  let sized x = 1e-30 <= x && x <= 1e30 in
  need ((found.bias = 0. || sized found.bias) && (found.margin = 0. || sized found.margin) && sized found.rate
    && (not passive || sized found.aggressiveness)) "no learner has such parameters";
  found

let read_rows = function
  | None | Some Json.Null -> raise (Not_covered "its rows came in several forms: such a run is not played again here")
  | Some rows ->
    let rows = record_of "rows" rows in
    only "rows" [ "form"; "width"; "values" ] rows;
    let form = text "form" rows and width = small "width" (field "width" rows) and values = text "values" rows in
    need (List.mem form [ "listed"; "dense" ] && List.mem values [ "float32"; "float64"; "ones" ]
          && (form = "dense" || width = 0)) "no rows are held like that";
    if width > 1_000_000 then raise (Not_covered "dense rows of more than a million attributes");
    { Floats.dense = form = "dense"; width; values }

(* A comparator as a certificate writes it, with margin g, in whole numbers; rows are whole numbers of 2^-bits. *)
type comparator = {
  u : (I.t * I.t) list; g : I.t; lift : int; exponent : int; margin : float; attributes : I.t list; numerators : I.t list;
  beside : (string * Json.t) list }

let read_comparator witness further network blocks bits =
  only "the witness" ([ "margin"; "exponent"; "attributes"; "numerators"; "unexplained" ] @ further
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
  { u; g; lift; exponent; margin; attributes; numerators; beside = witness }

(* Normalized rows: a step is stretched by t, the largest whole number of 2^-96 with t |z| <= 1. *)
let finer = 96

let stretch bits z =
  let square = List.fold_left (fun sum (_, v) -> I.add sum (I.multiply v v)) I.zero z in
  need (I.less I.zero square) "a row without attributes cannot teach";
  let t = I.root (I.divide (two_to (2 * (finer + bits))) square) in
  if I.less t (two_to 48) then raise (Not_covered "normalized rows of such a length are not covered here");
  t, List.map (fun (i, v) -> i, I.multiply t v) z

(* What is asked of one comparator: its promise, what was measured, and whether the bound is given and no larger. *)
let judge_comparator (learner : Floats.learner) rate bits name bound idle comparator steps stretched =
  let passive = learner.name = "PassiveAggressive" and romma = learner.name = "Romma" in
  let fine_bits = if learner.normalized then bits + finer else bits in
  let mm, me = if learner.margin = 0. || passive then I.zero, 0 else trim (dyadic learner.margin) in
  let rm, re = trim (dyadic rate) in
  let mm, e = if learner.normalized then I.multiply mm stretched, me - re + 2 * bits + finer else mm, me - re + 2 * bits in
  let over = if e >= 0 then I.shift_left mm e else mm and under = if e >= 0 then rm else I.shift_left rm (-e) in
  let promise, theorem = match List.assoc_opt name theorems with
    | Some (promise, theorem) when not (passive || romma || (learner.normalized && theorem = C.RunDependent)) -> promise, Some theorem
    | None when passive && name = "Passive-aggressive " ^ learner.variant ^ " (Crammer and others 2006)" ->
      List.assoc learner.variant Theorems.passive, None
    | None when romma && name = "ROMMA (Li and Long 2002)" -> clean, None
    | _ -> raise (Refused "no theorem of this learner is called so") in
  need (I.at_most I.zero bound) "the bound must not be negative";
  let facts = C.fast_measure over under comparator.u comparator.g steps in
  let taken = List.length steps in
  let most = List.fold_left (fun most z -> max most (List.length z)) 0 steps in
  let loose = loosen facts over taken most in
  let loose = if theorem = Some C.Novikoff then { loose with C.missing = I.zero } else loose in (* it supposes none *)
  let fine = fine_bits - comparator.exponent + comparator.lift and paid = I.subtract bound (int_of idle) in
  let given, larger = match theorem with
    | Some theorem -> C.judge theorem over facts bound, I.less I.zero bound && C.exceeds theorem loose bound
    | None when romma -> ask_romma facts loose comparator.u comparator.g fine bits steps paid
    | None ->
      need (comparator.margin = learner.margin) "losses are at the learner's own margin";
      need (learner.variant <> "0" || I.equal facts.C.missing I.zero) "the witness lacks the margin on an update round";
      let ask facts fine bits = ask_passive learner.variant learner.margin learner.aggressiveness facts fine bits in
      ask facts fine bits paid,
      I.less I.zero paid && ask loose (fine + 320) (bits + 64) (I.subtract paid I.one) in
  need given ("the witness does not give " ^ I.to_string bound);
  need (not larger) ("the witness gives less than " ^ I.to_string bound);
  (match List.assoc_opt "unexplained" comparator.beside with
   | None -> ()
   | Some claimed ->
     let truth = if taken = 0 then 0. else ratio facts.C.missing (I.multiply comparator.g (int_of taken)) in
     near "what the comparator leaves unexplained" (strict_float "unexplained" claimed) truth);
  promise, over, under

let check_everywhere comparator constant normalized game claimed =
  let weights = Hashtbl.create 256 in
  List.iter2 (fun a k -> Hashtbl.replace weights (I.to_string a) (Float.ldexp (I.to_float k) comparator.exponent))
    comparator.attributes comparator.numerators;
  let look a = match Hashtbl.find_opt weights (string_of_int a) with Some x -> x | None -> 0. in
  let total = ref 0. in
  Array.iteri (fun t row ->
    let a, square = Array.fold_left (fun (a, square) (i, x) -> a +. look i *. x, square +. x *. x)
        (look (-1) *. constant, constant *. constant) row in
    let a = if game.codes.(t) = 1 then a else -. a in
    let a = if normalized && square > 0. then a /. Float.sqrt square else a in
    total := !total +. Float.max 0. (comparator.margin -. a) /. comparator.margin) game.entries;
  near "the loss of the comparator over all rounds" (strict_float "everywhere" claimed) !total

let check_additive certificate about name data =
  let get name = field name certificate in
  let network = text "name" about = "Network" in
  let each = network && text "updates" about = "each" in
  let learner =
    if text "name" about = "Alma" then raise (Not_covered "Alma is not covered here")
    else if not network then read_learner about
    else begin
      only "the learner" [ "name"; "learner"; "updates"; "real"; "classes" ] about;
      let inner = record_of "learner" (field "learner" about) in
      need (not (List.mem_assoc "real" inner || List.mem_assoc "classes" inner)) "a unit has no classes of its own";
      need (List.mem (text "updates" about) [ "winner"; "each" ]) "no network has such updates";
      let found = read_learner inner in
      need (List.mem found.name [ "Perceptron"; "AveragedPerceptron"; "PassiveAggressive" ]) "no network has such units";
      found
    end in
  let short = match text "real" about with
    | "float32" -> true | "float64" -> false | _ -> raise (Refused "no floats are like that") in
  let rounded = if short then round32 else Floats.same in
  let marked = learner.name = "AggressivePerceptron" and passive = learner.name = "PassiveAggressive" in
  let romma = learner.name = "Romma" in
  let exact = not (passive || romma || learner.normalized) in
  need (exact || not each) "only units that are Perceptrons have a theorem here";
  (* the rounds, and the run in floats *)
  let game = read_game certificate about name data (if network then 2147483647 else 2) in
  let many = Array.length game.codes and codes = game.codes and entries = game.entries and classes = game.classes in
  let rows = if many = 0 then { Floats.dense = false; width = 0; values = "float64" } else read_rows (List.assoc_opt "rows" certificate) in
  let met = max 2 (List.length game.declared) in
  if each && max classes met > 60 then raise (Not_covered "networks of more than 60 units that learn each on their own");
  let run = if network then Floats.play_network learner each short rows entries codes game.surprise met (max classes met)
    else Floats.play_unit learner short rows entries codes game.surprise in
  let moved = List.rev run.moved in
  require_run certificate run.mistakes moved ((network && not each) || marked);
  (* rows as whole numbers: column 1 is the constant, column j + 2 attribute j *)
  let constant = rounded learner.bias and rate = rounded learner.rate in
  need (rate > 0.) "no learner has such a rate";
  let bits = Array.fold_left (Array.fold_left (fun most (_, x) -> max most (bits_of x))) (bits_of constant) entries in
  let column i = int_of i |> I.add (int_of 2) in
  let whole_row entries =
    let row = List.filter_map (fun (i, x) -> if x = 0. then None else Some (column i, scale bits x)) (Array.to_list entries) in
    if constant = 0. then row else (I.one, scale bits constant) :: row in
  let blocks = int_of (max classes met) and block c = int_of (c + 1) in
  let bound = whole "bound" (get "bound") in
  let tell counted how =
    require_slack certificate counted bound;
    Printf.sprintf "true: %s %s <= %s over %d rounds (%s); %s" (I.to_string counted) (text "counts" certificate)
      (I.to_string bound) many (text "theorem" certificate) how in
  need (text "scope" certificate = "sequence") "its scope must be the sequence";
  need (get "exact" = Json.Bool exact) (if exact then "it is exact, and says that it is not" else "it is not exact, and says that it is");
  let witness = record_of "witness" (get "witness") in
  let floats = "proved of these updates, which are those of the run in floats" in
  if each then begin
    only "the witness" [ "units" ] witness;
    let units = list_of "units" (field "units" witness) in
    need (List.length units = max classes met) "the units are others";
    let check k unit =
      let unit = record_of "a unit" unit in
      only "a unit" [ "theorem"; "bound"; "updated"; "witness" ] unit;
      let own = List.filter (fun (_, mark) -> mark lsr k land 1 = 1) moved in
      need (List.map (small "updated") (list_of "updated" (field "updated" unit)) = List.map fst own) "the updates of a unit are others";
      let steps = List.map (fun (t, _) -> C.signed (codes.(t) = k) (whole_row entries.(t))) own in
      let comparator = read_comparator (record_of "witness" (field "witness" unit)) [] false blocks bits in
      let bound = whole "bound" (field "bound" unit) in
      ignore (judge_comparator learner rate bits (text "theorem" unit) bound 0 comparator steps I.one);
      List.length steps, bound in
    let judged = List.mapi check units in
    let counted = int_of (List.fold_left (fun sum (steps, _) -> sum + steps) 0 judged) in
    need (I.equal bound (List.fold_left (fun sum (_, bound) -> I.add sum bound) I.zero judged)) "the bound is that of all units";
    need (text "theorem" certificate = "Network, every unit by its own theorem") "no theorem of this learner is called so";
    need (text "promise" certificate = "each unit has a witness of its own for its class against all others; bounds and steps add up")
      "its promise is another";
    need (text "counts" certificate = "steps" && get "count" = Json.Number (I.to_string counted)) "the count is another";
    tell counted floats
  end else begin
    let step (t, mark) =
      let row = whole_row entries.(t) in
      if network then [ C.step_between blocks (block codes.(t)) (block (mark - 1)) row ]
      else let z = C.signed (codes.(t) = 1) row in List.init (if marked then mark else 1) (fun _ -> z) in
    let steps = List.concat_map step moved in
    let taken = List.length steps in
    let stretched = if learner.normalized then List.map (stretch bits) steps else [] in
    let longest_stretch = List.fold_left (fun most (t, _) -> I.maximum most t) I.zero stretched in
    let steps = if learner.normalized then List.map snd stretched else steps in
    let fine_bits = if learner.normalized then bits + finer else bits in
    let comparator = read_comparator witness [ "everywhere" ] network blocks fine_bits in
    let of_mistakes = passive || (romma && learner.aggressive) in
    let idle = if of_mistakes then run.idle + (if network then max 0 (classes - met) else 0) else 0 in
    let promise, over, under =
      judge_comparator learner rate bits (text "theorem" certificate) bound idle comparator steps longest_stretch in
    need (text "promise" certificate = promise) ("its promise is: " ^ promise);
    need (text "counts" certificate = if marked then "steps" else if of_mistakes then "mistakes" else "updates") "the theorem counts something else";
    need (get "count" = if marked then Json.Number (string_of_int taken) else Json.Null) "the count is another";
    (match List.assoc_opt "everywhere" witness with
     | None -> ()
     | Some claimed ->
       need (not network) "losses over all rounds are known of two classes";
       check_everywhere comparator constant learner.normalized game claimed);
    (* the same learner in exact arithmetic *)
    let rule = { C.threshold_over = over; threshold_under = under;
      ties = (match learner.tie with "plus" -> C.Plus | "minus" -> C.Minus | _ -> C.Strict) } in
    let note t moved rest = match moved with Some mark -> (t, mark) :: rest | None -> rest in
    let number decisions mark = List.rev (snd (List.fold_left (fun (t, rest) (_, moved) ->
      t + 1, note t (Option.map mark moved) rest) (0, []) decisions)) in
    let again =
      if marked || not exact then []
      else if network then
        number (C.fast_play_network rule blocks (List.init met block) (List.init many (fun t -> block codes.(t), whole_row entries.(t))))
          (fun (rival, _) -> int_of_string (I.to_string rival))
      else number (C.fast_play rule (List.init many (fun t -> codes.(t) = 1, whole_row entries.(t)))) (fun _ -> 1) in
    let exactly = exact && (not marked) && again = moved in
    tell (int_of (if marked then taken else if of_mistakes then run.mistakes else List.length moved))
      (if passive || romma then "the theorem is proved of exact steps; those of this run are floats, so that it holds up to their rounding"
       else if exactly then "proved of the learner in exact arithmetic too, whose updates are the same"
       else floats)
  end
