(* Advice of experts: Weighted Majority, plain and randomized, and following the leader. The run is that of the extracted
   functions, which are the learners of the theorems; what is told of it is compared. Trusted but for these. *)

open Data
open Certificate
open Fractions
module C = Checks
module I = Integer

let names = [
  "WeightedMajority", "Weighted majority (Littlestone and Warmuth 1994)";
  "RandomizedWeightedMajority", "Randomized weighted majority (Littlestone and Warmuth 1994)";
  "FollowTheLeader", "Follow the leader" ]

let promise = "the expert that is named lost, and was charged asleep, what is stated"

(* ---- logarithms, off by less than 2^-300 ---- *)

let fine = 400

(* ln ((b + a) / (b - a)) times 2^fine: twice the area tangent of a / b, which is at most 1/3. *)
let area a b =
  let s = I.divide (I.shift_left a fine) b in
  let square = I.shift_right (I.multiply s s) fine in
  let rec add_terms sum power n =
    if I.equal power I.zero then sum
    else add_terms (I.add sum (I.divide power (int_of n))) (I.divide (I.multiply power square) (two_to fine)) (n + 2) in
  I.shift_left (add_terms I.zero s 1) 1

(* ln (a / b) times 2^fine: a / b is 2^k times a number between 1/2 and 2. *)
let logarithm a b =
  let k = size a - size b in
  let a, b = if k >= 0 then a, I.shift_left b k else I.shift_left a (-k), b in
  I.add (area (I.subtract a b) (I.add a b)) (I.multiply (int_of k) (area I.one (int_of 3)))

(* ---- the rounds: what each expert said, and the label ---- *)

let read_panel certificate witness name data =
  let experts = small "experts" (field "experts" witness) and rounds = Game.cut_rounds certificate name data in
  need (0 < experts && experts < 1_000_000 && rounds <> [||]) "there are no rounds, or no experts";
  need (Array.for_all (fun (r : round) -> r.row) rounds) "the rounds are not rows of forecasts";
  let codes, _ = number_labels (Array.map (fun (r : round) -> r.label) rounds) [ Valued 0.; Valued 1. ] 2 in
  let said = fingerprint (Array.map (fun (r : round) -> r.entries) rounds) codes in
  need (text "stream" certificate = Sha256.hash (Printf.sprintf "%d %s" experts said)) "the rounds are not those of the certificate";
  if experts * Array.length rounds > 10_000_000 then raise (Not_covered "so many forecasts are not covered here");
  let panel = Array.map (fun (r : round) ->
    let row = Array.make experts 0. in
    Array.iter (fun (k, x) -> need (k < experts) "a forecast is of no expert"; row.(k) <- x) r.entries;
    need (Array.exists (fun x -> not (Float.is_nan x)) row && Array.for_all (fun x -> Float.is_nan x || (x >= 0. && x <= 1.)) row)
      "a round is one that the learner refuses";
    row) rounds in
  experts, panel, Array.map (fun code -> code = 1) codes

let is_bit x = x = 0. || x = 1.
let is_vote x = Float.is_nan x || is_bit x

(* The extracted checks hold numbers of so many bits in all. *)
let limit_work experts rounds bits =
  if float experts *. float rounds *. float rounds *. float bits > 4e8 then raise (Not_covered "so long a run is not covered here")

(* ---- votes counted: Weighted Majority and the leader ---- *)

let check_votes leads penalty expert witness bound mistakes (experts, panel, truth) =
  need (Array.for_all (Array.for_all is_vote) panel) "a vote is neither 0 nor 1";
  let sleepy = Array.exists (Array.exists Float.is_nan) panel in
  let p, q = if leads then I.one, I.one else penalty.C.qnum, penalty.C.qden in
  if I.equal p I.zero && sleepy then raise (Not_covered "experts that sleep, with a penalty of 0");
  limit_work experts (Array.length panel) (size q);
  let vote x = if Float.is_nan x then None else Some (x = 1.) in
  let rounds = Array.to_list (Array.mapi (fun t row -> Array.to_list (Array.map vote row), truth.(t)) panel) in
  let beginners = List.init experts (fun _ -> { C.weight = I.one; charge = I.zero }) in
  let guess = if leads then C.follow else C.majority in
  let made, after = C.play_advice guess p q beginners rounds I.zero in
  need (I.equal made mistakes) ("the run makes " ^ I.to_string made ^ " mistakes");
  let charged = (List.nth after expert).C.charge in
  let lost = ref 0 in
  Array.iteri (fun t row -> if is_bit row.(expert) && (row.(expert) = 1.) <> truth.(t) then incr lost) panel;
  let told name = read_fraction name (field name witness) in
  let whole_fraction k = fraction k I.one in
  need (same (told "losses") (whole_fraction (int_of !lost))
        && same (told "charged asleep") (whole_fraction (I.subtract charged (int_of !lost)))) "the witness was charged something else";
  need (not (I.equal p I.zero) || I.equal charged I.zero) "a penalty of 0 promises nothing once every expert erred";
  need (I.equal bound.C.qden I.one) "the bound is no whole number";
  let ask bound = if leads then C.check_leader (int_of experts) charged bound else C.check_majority p q (int_of experts) charged bound in
  let bound = bound.C.qnum in
  need (I.at_most I.zero bound && ask bound && not (I.less I.zero bound && ask (I.subtract bound I.one)))
    ("the witness does not give " ^ I.to_string bound)

(* ---- expectations: Randomized Weighted Majority of votes ---- *)

let check_expectation penalty expert seed witness bound count mistakes (experts, panel, truth) =
  need (Array.for_all (Array.for_all is_bit) panel) "only votes of experts that are awake are counted exactly";
  if I.equal penalty.C.qnum I.zero then raise (Not_covered "a penalty of 0 is not covered here");
  if not (I.less I.zero bound.C.qnum) then raise (Not_covered "a bound of 0 is not covered here");
  let many = Array.length panel in
  limit_work experts many (40 * size penalty.C.qden);
  limit_work 1 many (size bound.C.qden);
  let rounds = Array.to_list (Array.mapi (fun t row -> Array.to_list (Array.map (fun x -> (x = 1.) <> truth.(t)) row)) panel) in
  let chances = C.chances penalty (List.init experts (fun _ -> unit)) rounds in
  let expected = C.sum chances in
  need (size count.C.qden <= 12_000) "the fraction is too long";
  need (same expected count) "the expected count is another";
  let lost = List.fold_left (fun n wrong -> if List.nth wrong expert then n + 1 else n) 0 rounds in
  let told name = read_fraction name (field name witness) in
  need (same (told "losses") (fraction (int_of lost) I.one) && same (told "charged asleep") (fraction I.zero I.one))
    "the witness was charged something else";
  (* coins: those that fall within 2^-30 of the chance may have fallen either way *)
  let fewest = ref 0 and most = ref 0 in
  List.iteri (fun t wrong ->
    let share = if truth.(t) then minus unit wrong else wrong and coin = over_power (Coins.toss seed t) 53 in
    let apart = minus coin share in
    let apart = if I.less apart.C.qnum I.zero then minus share coin else apart in
    let near = not (less (over_power I.one 30) apart) && I.less I.zero share.C.qnum && less share unit in
    let errs = less coin share <> truth.(t) in
    if errs && not near then incr fewest;
    if errs || near then incr most) chances;
  need (!fewest <= mistakes && mistakes <= !most) (Printf.sprintf "the run makes %d to %d mistakes" !fewest !most);
  need (C.check_randomized penalty experts expert rounds bound) "the witness does not give that bound";
  (* the bound is (ln n + L ln 1/p) / (1 - p), rounded up by 2^-30 of itself and of the rounds at most *)
  let top = I.add (logarithm (int_of experts) I.one) (I.multiply (int_of lost) (logarithm penalty.C.qden penalty.C.qnum)) in
  let allowed = times (over_power top fine) (inverse (minus unit penalty)) in
  let room = over_power (I.add I.one (I.divide bound.C.qnum bound.C.qden)) 200 in
  let spread = times (plus bound (fraction (int_of many) I.one)) (over_power I.one 30) in
  need (not (less (plus bound room) allowed) && not (less allowed (minus bound (plus spread room)))) "the theorem gives another bound"

(* ---- expectations: leaders that are drawn ---- *)

let check_drawn expert seed witness bound count mistakes (experts, panel, truth) =
  need (Array.for_all (Array.for_all is_bit) panel) "only votes of experts that are awake are counted exactly";
  limit_work experts (Array.length panel) 64;
  let rounds = Array.to_list (Array.mapi (fun t row -> Array.to_list (Array.map (fun x -> (x = 1.) <> truth.(t)) row)) panel) in
  let beginners = List.init experts (fun _ -> I.zero) in
  need (size count.C.qden <= 12_000 && same (C.follow_drawn I.zero beginners rounds) count) "the expected count is another";
  let charged = List.nth (C.lost beginners rounds) expert in
  let told name = read_fraction name (field name witness) in
  need (same (told "losses") (fraction charged I.one) && same (told "charged asleep") (fraction I.zero I.one))
    "the witness was charged something else";
  (* the leaders of each round, and the one whom the coin names *)
  let losses = Array.make experts 0 and made = ref 0 in
  List.iteri (fun t wrong ->
    let least = Array.fold_left min max_int losses in
    let leaders = List.filter (fun (k, _) -> losses.(k) = least) (List.mapi (fun k w -> k, w) wrong) in
    let coin = Float.ldexp (I.to_float (Coins.toss seed t)) (-53) in
    if snd (List.nth leaders (int_of_float (coin *. float (List.length leaders)))) then incr made;
    List.iteri (fun k w -> if w then losses.(k) <- losses.(k) + 1) wrong) rounds;
  need (!made = mistakes) (Printf.sprintf "the run makes %d mistakes" !made);
  let given = minus (times (C.harmonic experts) (plus (fraction charged I.one) unit)) unit in
  need (C.check_drawn_leader experts charged bound && same given bound) "the witness does not give that bound"

let check certificate about name data =
  let learner = text "name" about in
  let leads = learner = "FollowTheLeader" and weighs = learner = "RandomizedWeightedMajority" in
  let own = if leads then "random" else "penalty" in
  only "the learner" [ "name"; own; "seed" ] about;
  let get name = field name certificate in
  let penalty = if leads then unit else read_fraction "penalty" (field own about) in
  need (leads || (I.at_most I.zero penalty.C.qnum && less penalty unit)) "no theorem covers such a penalty";
  let draws = match leads, field own about with
    | true, Json.Bool said -> said
    | false, _ -> false
    | _ -> raise (Refused "random is true or false") in
  let tosses = weighs || draws in
  let seed = Coins.read_seed about tosses in
  need (List.mem (List.assoc_opt "rows" certificate) [ None; Some Json.Null ]) "no sum depends on how rows are held";
  let witness = record_of "witness" (get "witness") in
  exactly_words "the witness" [ "losses"; "charged asleep"; "experts"; "error"; "expert" ] witness;
  let table = read_panel certificate witness name data in
  let experts, panel, _ = table in
  let many = Array.length panel in
  need (text "theorem" certificate = List.assoc learner names && text "promise" certificate = promise) "its theorem or promise is another";
  need (text "counts" certificate = (if tosses then "expected mistakes" else "mistakes")
        && text "scope" certificate = (if tosses then "expectation" else "sequence")) "the theorem counts something else";
  need (get "updated" = Json.List [] && get "marks" = Json.List [] && small "updates" (get "updates") = many) "every round teaches, and none is marked";
  let exact = match get "exact" with Json.Bool said -> said | _ -> raise (Refused "exact is true or false") in
  if weighs && not exact then raise (Not_covered "a run with rounding is not covered here");
  need (exact && same (read_fraction "error" (field "error" witness)) (fraction I.zero I.one)) "votes are counted exactly, without error";
  let expert = small "expert" (field "expert" witness) in
  need (expert < experts) "no expert has this number";
  let bound = read_exact "bound" (get "bound") and mistakes = small "mistakes" (get "mistakes") in
  let counted = if tosses then read_exact "count" (get "count") else (need (get "count" = Json.Null) "it counts mistakes"; fraction (int_of mistakes) I.one) in
  need (same (read_exact "slack" (get "slack")) (minus bound counted)) "the slack does not follow";
  need (get "holds" = Json.Bool true && not (less bound counted)) "it says that it does not hold";
  if draws then check_drawn expert seed witness bound counted mistakes table
  else if tosses then check_expectation penalty expert seed witness bound counted mistakes table
  else check_votes leads penalty expert witness bound (int_of mistakes) table;
  Printf.sprintf "true: %s %s <= %s over %d rounds (%s); proved of the learner in exact arithmetic, whose run it is"
    (show counted) (text "counts" certificate) (show bound) many (text "theorem" certificate)
