(* Experts whose weights are powers with fractions as exponents: Hedge with a fixed rate, fixed share, Randomized Weighted
   Majority of any forecasts, and the aggregating algorithm under log-loss. The run is played again with 400 bits of each number;
   factors of weights are rounded up, as the theorem lets them be, and the extracted checks are asked. Trusted but for these. *)

open Data
open Certificate
open Fractions
module C = Checks
module I = Integer

let fine = Advice.fine
let names = [
  "RandomizedWeightedMajority", List.assoc "RandomizedWeightedMajority" Advice.names; "Hedge", "Hedge (Freund and Schapire 1997)";
  "FixedShare", "Fixed share (Herbster and Warmuth 1998)"; "Aggregating", "Aggregating algorithm (Vovk 1998)" ]
let promises name = if name <> "FixedShare" then Advice.promise
  else "the experts that are named, each from its round on, lost together what is stated"

(* ---- whole numbers of 2^-fine ---- *)

let one = two_to fine
let fix q = I.divide (I.shift_left q.C.qnum fine) q.C.qden
let exact x = over_power x fine
let multiply a b = I.shift_right (I.multiply a b) fine
let quotient a b = I.divide (I.shift_left a fine) b
let coarse = 300
let up x = over_power (I.add I.one (I.shift_right x (fine - coarse))) coarse

(* Weights are m 2^e, m of [fine] bits; those of some experts as whole numbers in the unit of the largest. *)
let normal (m, e) =
  if I.equal m I.zero then raise (Not_covered "chances as small as these");
  let k = fine - size m in
  (if k >= 0 then I.shift_left m k else I.shift_right m (-k)), e - k
let align weights ks =
  let top = List.fold_left (fun top k -> max top (snd weights.(k))) min_int ks in
  top, fun k -> let m, e = weights.(k) in if top - e > 2 * fine then I.zero else I.shift_right m (top - e)
let ln2 = Advice.logarithm (int_of 2) I.one
let ln q = Advice.logarithm q.C.qnum q.C.qden

(* e^-x: 2^-k e^-r, by its series. *)
let shrink x =
  let k = I.divide x ln2 in
  let r = I.subtract x (I.multiply k ln2) in
  let rec go term n sum =
    if I.equal term I.zero then sum
    else go (I.divide (multiply term r) (int_of n)) (n + 1) (if n land 1 = 0 then I.subtract sum term else I.add sum term) in
  I.shift_right (go one 1 I.zero) (int_of_string (I.to_string k))

(* ---- losses: by name and numbers ---- *)

type cost = { kind : string; low : C.q; high : C.q; quantile : C.q; top : C.q }

let zero = fraction I.zero I.one
let two = fraction (int_of 2) I.one
let positive x = I.less I.zero x.C.qnum

let read_cost text =
  let unknown () = raise (Not_covered ("the loss " ^ text ^ " is not covered here")) in
  let open_, close = (try String.index text '(' with Not_found -> unknown ()), String.length text - 1 in
  if text.[close] <> ')' then unknown ();
  let kind = String.sub text 0 open_ in
  let given = List.map (fun part -> match String.split_on_char '=' (String.trim part) with
    | [ key; number ] -> key, (match Json.parse number with Json.Number s -> read_fraction key (Json.Number s) | _ -> unknown ())
    | _ -> unknown ()) (String.split_on_char ',' (String.sub text (open_ + 1) (close - open_ - 1))) in
  let get key = match List.assoc_opt key given with Some x -> x | None -> unknown () in
  let low = get "low" and high = get "high" and pinball = kind = "Pinball" in
  let quantile = if pinball then get "quantile" else fraction I.one (int_of 2) in
  let all = [ "ZeroOne"; "Brier"; "Log"; "Absolute"; "Square"; "Pinball" ] in
  if List.length given <> (if pinball then 3 else 2) || not (List.mem kind all) then unknown ();
  need (less low high && positive quantile && less quantile unit
        && (not (List.mem kind [ "ZeroOne"; "Brier" ]) || (same low zero && same high unit))) "a loss has no such range";
  let width = minus high low and rest = minus unit quantile in
  { kind; low; high; quantile; top = (match kind with
      | "Pinball" -> times (if less quantile rest then rest else quantile) width
      | "Absolute" -> width | "Square" -> times width width | "Brier" -> two | _ -> unit) }

let price cost x y =
  let short = minus y x in
  match cost.kind with
  | "ZeroOne" -> if same short zero then zero else unit
  | "Pinball" -> times (if positive short then cost.quantile else minus cost.quantile unit) short
  | "Absolute" -> if positive short then short else minus x y
  | kind -> times (times short short) (if kind = "Brier" then two else unit)

(* ---- rounds ---- *)

let is_binary cost = List.mem cost.kind [ "ZeroOne"; "Brier"; "Log" ]

let read_rows certificate witness name data votes cost =
  if votes then begin
    let experts, panel, truth = Advice.read_panel certificate witness name data in
    experts, panel, Array.map (fun y -> if y then unit else zero) truth
  end else begin
    let experts = small "experts" (field "experts" witness) and rounds = Game.cut_rounds certificate name data in
    need (0 < experts && experts < 1_000_000 && rounds <> [||] && Array.for_all (fun (r : round) -> r.row) rounds)
      "there are no rounds, or no experts";
    let truth = Array.map (fun (r : round) -> match r.label with
      | Valued y -> y | Named _ -> raise (Not_covered "outcomes that are texts")) rounds in
    let said = hash_rounds 4 (Array.map (fun (r : round) -> r.entries) rounds) (Array.map Int64.bits_of_float truth) in
    need (text "stream" certificate = Sha256.hash (Printf.sprintf "%d %s" experts said)) "the rounds are not those of the certificate";
    let inside x = Float.is_finite x && not (less (exactly x) cost.low) && not (less cost.high (exactly x)) in
    need (Array.for_all (if is_binary cost then Advice.is_bit else inside) truth) "an outcome is none";
    experts, Array.map (fun (r : round) ->
      let row = Array.make experts 0. in
      Array.iter (fun (k, x) -> need (k < experts) "a forecast is of no expert"; row.(k) <- x) r.entries;
      need (Array.exists (fun x -> not (Float.is_nan x)) row && Array.for_all (fun x -> Float.is_nan x || inside x) row)
        "a round is one that the learner refuses";
      row) rounds, Array.map exactly truth
  end

(* The expert that the witness follows in each round. *)
let read_path witness name many experts =
  if name <> "FixedShare" then Array.make many (small "expert" (field "expert" witness))
  else begin
    let turns = List.map (fun turn -> match List.map (small "schedule") (list_of "schedule" turn) with
      | [ first; e ] -> first, e | _ -> raise (Refused "a schedule is rounds and experts"))
      (list_of "schedule" (field "schedule" witness)) in
    let path = Array.make many (-1) in
    let rec rising = function (a, e) :: ((b, f) :: _ as rest) -> a < b && e <> f && rising rest | _ -> true in
    need (turns <> [] && fst (List.hd turns) = 0 && rising turns && List.for_all (fun (first, _) -> first < many) turns)
      "a schedule is experts that take turns";
    List.iter (fun (first, e) -> Array.fill path first (many - first) e) turns;
    path
  end
  |> fun path -> need (Array.for_all (fun e -> e < experts) path) "no expert has this number"; path

(* ---- the run: what it lost, what each expert was charged asleep, the chances of saying 1, and its rounds for the checks ---- *)

type run = { loss : I.t; asleep : I.t array; guesses : I.t list; rounds : (C.q * C.q) list list; served : I.t list }

let play cost draws rate b sharing experts panel truth =
  let weights = ref (Array.make experts (normal (I.one, 0))) and asleep = Array.make experts I.zero and loss = ref I.zero in
  let guesses = ref [] and rounds = ref [] and served = ref [] and log = cost.kind = "Log" and known = Hashtbl.create 64 in
  let factor l = (* rounded up *)
    if I.equal l.C.qnum I.zero then unit else if same l unit then b
    else match Hashtbl.find_opt known l with
      | Some f -> f
      | None -> let f = up (shrink (multiply rate (fix l))) in Hashtbl.add known l f; f in
  Array.iteri (fun t row ->
    let y = truth.(t) and w = !weights in
    let awake = List.filter (fun k -> not (Float.is_nan row.(k))) (List.init experts Fun.id) in
    let add of_expert = List.fold_left (fun sum k -> I.add sum (of_expert k)) I.zero awake in
    let _, weight = align w awake in
    let total = add weight in
    let mean number = quotient (add (fun k -> multiply (weight k) (number k))) total in
    let lost = Array.make experts zero and factors = Array.make experts unit in
    List.iter (fun k ->
      let x = exactly row.(k) in
      if log then factors.(k) <- (if same y unit then x else minus unit x)
      else begin
        lost.(k) <- times (price cost x y) (inverse cost.top);
        factors.(k) <- factor lost.(k)
      end) awake;
    let h = mean (fun k -> fix lost.(k)) and guess = mean (fun k -> fix (exactly row.(k))) in
    let left = mean (fun k -> fix factors.(k)) in
    if log then begin
      if I.equal left I.zero then raise (Not_covered "chances as small as these");
      loss := I.add !loss (ln (exact left))
    end else begin
      let paid = if draws then multiply (fix cost.top) h else fix (price cost (exact guess) y) in
      if I.less (I.add (multiply (fix cost.top) h) (two_to 40)) paid then raise (Not_covered "a loss that is not convex");
      loss := I.add !loss paid
    end;
    guesses := guess :: !guesses;
    served := left :: !served;
    Array.iteri (fun k x -> if Float.is_nan x then begin
      asleep.(k) <- I.subtract asleep.(k) (multiply (fix cost.top) (quotient (ln (exact left)) rate));
      lost.(k) <- over_power (I.shift_right h (fine - coarse)) coarse;
      let most = minus unit (times (minus unit b) lost.(k)) in
      factors.(k) <- if log then exact left else if less most (up left) then most else up left
    end) row;
    rounds := Array.to_list (Array.map2 (fun l f -> l, f) lost factors) :: !rounds;
    let moved = Array.mapi (fun k (m, e) -> normal (multiply m (fix factors.(k)), e)) w in
    weights := if same sharing zero then moved else begin
      let top, weight = align moved (List.init experts Fun.id) in
      let all = List.fold_left (fun sum k -> I.add sum (weight k)) I.zero (List.init experts Fun.id) in
      let spread = I.divide (multiply (fix sharing) all) (int_of experts) and keep = fix (minus unit sharing) in
      Array.init experts (fun k -> normal (I.add (multiply keep (weight k)) spread, top))
    end) panel;
  { loss = (if log then I.negate !loss else !loss); asleep;
    guesses = List.rev !guesses; rounds = List.rev !rounds; served = List.rev !served }

(* ---- the certificate ---- *)

let check certificate about name data =
  let learner = text "name" about and get name = field name certificate in
  let votes = learner = "RandomizedWeightedMajority" and shares = learner = "FixedShare" and mixes = learner = "Aggregating" in
  (match learner with
   | "RandomizedWeightedMajority" -> only "the learner" [ "name"; "penalty"; "seed" ] about
   | "Aggregating" -> exactly_words "the learner" [ "name"; "loss" ] about
   | "FixedShare" -> exactly_words "the learner" [ "name"; "rate"; "switching"; "loss"; "draws" ] (List.remove_assoc "seed" about)
   | _ -> exactly_words "the learner" [ "name"; "rate"; "loss"; "draws"; "memory" ] (List.remove_assoc "seed" about));
  let cost = read_cost (if votes then "Absolute(low=0, high=1)" else text "loss" about) in
  if mixes && cost.kind <> "Log" then raise (Not_covered "the aggregating algorithm is covered under log-loss only");
  need (mixes || cost.kind <> "Log") "no theorem covers this loss";
  let draws = (not (votes || mixes)) && (match field "draws" about with
    | Json.Bool said -> said | _ -> raise (Refused "draws is true or false")) in
  need (votes || mixes || draws || cost.kind <> "ZeroOne") "no theorem covers this loss";
  if learner = "Hedge" then need (float_of "memory" (field "memory" about) = 1.) "no theorem covers a memory that fades";
  let seed = Coins.read_seed about (votes || draws) in
  let number key = read_fraction key (field key about) in
  if (not (votes || mixes)) && field "rate" about = Json.Null then raise (Not_covered "rates that fall are not covered here");
  let b, rate = if votes then begin
      let p = number "penalty" in
      need (I.at_most I.zero p.C.qnum && less p unit) "no theorem covers such a penalty";
      if less p (over_power I.one 80) then raise (Not_covered "a penalty of 0, or almost, is not covered here");
      p, ln (inverse p)
    end else if mixes then unit, one
    else begin
      let rate = number "rate" in
      need (positive rate) "no rate is like that";
      if less (fraction (int_of 60) I.one) rate then raise (Not_covered "so large a rate is not covered here");
      up (shrink (fix rate)), fix rate
    end in
  let sharing = if shares then number "switching" else zero in
  need ((not shares) || (positive sharing && less sharing unit)) "no theorem covers such switching";
  need (List.mem (List.assoc_opt "rows" certificate) [ None; Some Json.Null ]) "no sum depends on how rows are held";
  let witness = record_of "witness" (get "witness") in
  exactly_words "the witness" [ "losses"; "charged asleep"; "experts"; "error"; (if shares then "schedule" else "expert") ] witness;
  let experts, panel, truth = read_rows certificate witness name data votes cost in
  let many = Array.length panel in
  if many > 1000 || experts * many > 20_000 then raise (Not_covered "so long a run is not covered here");
  let sleepy = Array.exists (Array.exists Float.is_nan) panel and path = read_path witness learner many experts in
  need (not (sleepy && shares)) "the theorem is for experts that never sleep";
  let counts = if votes then "expected mistakes" else "loss" in
  need (text "theorem" certificate = List.assoc learner names && text "promise" certificate = promises learner)
    "its theorem or promise is another";
  need (text "counts" certificate = counts && text "scope" certificate = (if votes || draws then "expectation" else "sequence")
        && get "exact" = Json.Bool false) "the theorem counts something else";
  need (get "updated" = Json.List [] && get "marks" = Json.List [] && small "updates" (get "updates") = many)
    "every round teaches, and none is marked";
  let bound = read_exact "bound" (get "bound") and count = read_exact "count" (get "count") in
  let told name = read_fraction name (field name witness) in
  let error = told "error" and rounds_of_top = times cost.top (fraction (int_of many) I.one) in
  need (positive error && not (less (plus (times count (over_power I.one 30)) (times rounds_of_top (over_power I.one 40))) error))
    "rounding makes no such error";
  need (same (read_exact "slack" (get "slack")) (minus bound count) && get "holds" = Json.Bool true && not (less bound count))
    "the slack does not follow";
  (* the run, and what is told of it *)
  let run = play cost draws rate b sharing experts panel truth in
  let near what value claimed spread =
    let room = times (over_power I.one 180) (plus unit claimed) and value = exact value in
    need (not (less value (minus (minus claimed spread) room)) && not (less (plus claimed room) value))
      (what ^ " is " ^ show value ^ ", not " ^ show claimed) in
  near "the loss" run.loss count error;
  let follow of_round = List.filter_map Fun.id (List.init many (fun t ->
    let x = panel.(t).(path.(t)) in if Float.is_nan x then None else Some (of_round t (exactly x)))) in
  let charged = if mixes then begin
      let lost = List.fold_left I.subtract I.zero (follow (fun t x -> ln (if same truth.(t) unit then x else minus unit x))) in
      near "what the witness lost" lost (told "losses") error;
      lost
    end else begin
      let lost = List.fold_left plus zero (follow (fun t x -> price cost x truth.(t))) in
      need (same lost (told "losses")) ("the witness lost " ^ show lost);
      fix lost
    end in
  let free = run.asleep.(path.(0)) in
  if sleepy then near "what the witness was charged asleep" free (told "charged asleep") error
  else need (same (told "charged asleep") zero) "no expert slept, and none was charged for it";
  let mistakes = small "mistakes" (get "mistakes") in
  let fewest = ref 0 and most = ref 0 in
  if votes then List.iteri (fun t guess ->
    let coin = I.shift_left (Coins.toss seed t) (fine - 53) and said = same truth.(t) unit in
    let apart = I.subtract coin guess in
    let close = I.at_most (I.maximum apart (I.negate apart)) (two_to (fine - 30)) && I.less I.zero guess && I.less guess one in
    let errs = I.less coin guess <> said in
    if errs && not close then incr fewest;
    if errs || close then incr most) run.guesses;
  need (!fewest <= mistakes && mistakes <= !most) (Printf.sprintf "the run makes %d to %d mistakes" !fewest !most);
  (* the bound that the theorem gives *)
  let variety = Advice.logarithm (int_of experts) I.one and top = fix cost.top and charge = I.add charged free in
  let allowed = if votes then quotient (I.add variety (multiply charge rate)) (fix (minus unit b))
    else if mixes then I.add charge variety
    else begin
      let switches = snd (Array.fold_left (fun (before, n) e -> e, if e = before then n else n + 1) (path.(0), 0) path) in
      let variety = if not shares then variety
        else I.subtract (I.subtract (I.multiply (int_of (switches + 1)) variety) (I.multiply (int_of switches) (ln sharing)))
          (I.multiply (int_of (many - 1 - switches)) (ln (minus unit sharing))) in
      I.add charge (multiply top (I.add (quotient variety rate) (I.divide (I.multiply rate (int_of many)) (int_of 8))))
    end in
  near "the bound" allowed bound (plus (times (fraction (int_of 4) I.one) error)
    (times (plus bound (fraction (int_of many) I.one)) (over_power I.one 30)));
  let proved = if mixes then
      let theirs = List.mapi (fun t served -> let x = panel.(t).(path.(t)) in
        if Float.is_nan x then served else fix (let x = exactly x in if same truth.(t) unit then x else minus unit x)) run.served in
      C.check_stretch (int_of experts) theirs run.served
    else C.check_hedge b sharing experts (Array.to_list path) run.rounds (times bound (inverse cost.top)) in
  if not proved then raise (Not_covered "the bound is too close to call");
  Printf.sprintf "true: %s %s <= %s over %d rounds (%s); %s" (show count) counts (show bound) many (List.assoc learner names)
    (if mixes then "the inequality of products is proved, of the chances of this replay"
     else "proved of weights that are rounded as those of this replay are")
