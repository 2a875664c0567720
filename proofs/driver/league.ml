(* Certificates of leagues: members are played again in floats, all that they say is read and mixed again; the inequality of each
   claim is asked of the extracted checks, in whole numbers. Trusted but for these. *)

open Data
open Certificate
open Fractions
open Readings
module C = Checks
module I = Integer

let loss = "League, on every stretch of rounds (Adamskiy, Koolen, Chernov and Vovk 2012)"
let choices = "rounds in which all members are wrong"
let mixtures = "a mixture's loss is convex in its shares"
let most_classes = 256

(* Two logarithms as whole numbers of 2^-60, the first rounded down and the second up. *)
let ends low high =
  let down x = I.shift_right x (Advice.fine - 60) in
  over_power (down low) 60, over_power (I.negate (down (I.negate high))) 60

(* A product of many numbers, by halves. *)
let rec multiply_all = function
  | [] -> I.one
  | [ x ] -> x
  | numbers ->
    let rec pair = function a :: b :: rest -> I.multiply a b :: pair rest | rest -> rest in
    multiply_all (pair numbers)

(* ---- members ---- *)

let play_member name first known (game : Game.game) rows =
  let network = text "name" known = "Network" in
  let inner = if network then record_of "learner" (field "learner" known) else known in
  let kind = text "name" inner in
  let played = if network then [ "Perceptron"; "PassiveAggressive" ]
    else [ "Perceptron"; "AveragedPerceptron"; "AggressivePerceptron"; "PassiveAggressive"; "Alma"; "Romma" ] in
  if not (List.mem kind played) then raise (Not_covered ("the member " ^ name ^ " is not played again here"));
  if network then begin
    exactly_words "a network" [ "name"; "learner"; "updates" ] known;
    need (List.mem (text "updates" known) [ "winner"; "each" ]) "no network has such updates";
    if not (first = 0 && List.length game.declared <= 2) then
      raise (Not_covered ("the network " ^ name ^ " is played again only where it meets all classes itself"))
  end;
  need (not (List.exists (fun word -> List.mem_assoc word known || List.mem_assoc word inner) [ "real"; "classes" ]))
    "a member has no classes of its own";
  let learner = Additive.read_learner inner and short = rows.Floats.values = "float32" in
  need ((if short then round32 learner.rate else learner.rate) > 0. || kind = "Alma") "no learner has such a rate";
  let many = Array.length game.codes in
  (* of two classes, it leaves when a third one comes *)
  let rec third t = if t < many && (network || game.codes.(t) <= 1) then third (t + 1) else t in
  let last = max first (third 0) in
  let codes = Array.sub game.codes first (last - first) and entries = Array.sub game.entries first (last - first) in
  let run = if network then
      Floats.play_network learner (text "updates" known = "each") short rows entries codes game.surprise 2 (max 2 game.classes)
    else Floats.play_unit learner short rows entries codes game.surprise in
  let told = Array.of_list (List.rev run.told) in
  let voice name k =
    let said = if network then told else Array.map (fun row -> [| row.(k) |]) told in
    new_voice name network first (Array.append said (Array.make (many - last) [| Mixture.asleep |])) in
  if kind = "AveragedPerceptron" && not network then [ voice name 0; voice (name ^ ", played") 1 ] else [ voice name 0 ]

let list_voices about (game : Game.game) rows =
  let members = List.map (record_of "a member") (list_of "members" (field "members" about)) in
  let names = List.map (text "name") members in
  need (members <> [] && List.length (List.sort_uniq compare names) = List.length names) "members have names of their own";
  snd (List.fold_left (fun (earliest, voices) member ->
    let name = text "name" member and first = small "joined" (field "joined" member) in
    if List.mem_assoc "says" member then raise (Not_covered (name ^ " is not played again: what it said is not in the data"));
    exactly_words "a member" [ "name"; "joined"; "learner" ] member;
    need (earliest <= first && first < Array.length game.codes && (voices <> [] || first = 0))
      "members are listed as they joined, the first of them before the first round";
    first, voices @ play_member name first (record_of "learner" (field "learner" member)) game rows) (0, []) members)

(* ---- fingerprints ---- *)

let hash_numbers arrays =
  let buffer = Buffer.create 65536 in
  List.iter (fun (shape, numbers) ->
    Buffer.add_string buffer shape;
    List.iter (Array.iter (Buffer.add_int64_le buffer)) numbers) arrays;
  Sha256.hash (Buffer.contents buffer)

let bits_of_float x = if Float.is_nan x then 0x7ff8000000000000L else Int64.bits_of_float x

let check_prints witness names (rounds : Mixture.round array) =
  let many = Array.length rounds and width = List.length names in
  let flat numbers = Printf.sprintf "(%d,)" many, [ Array.map numbers rounds ] in
  let panel = hash_numbers [ Printf.sprintf "(%d, %d)" many width,
    Array.to_list (Array.map (fun (r : Mixture.round) -> Array.init width (fun k ->
      bits_of_float (if k < Array.length r.panel then r.panel.(k) else Mixture.asleep))) rounds) ] in
  let require name found = need (text name witness = found) ("the " ^ name ^ " of this run have another fingerprint") in
  require "panel" (Sha256.hash (String.concat "\n" (panel :: List.map (fun voice -> voice.name) names)));
  require "served" (hash_numbers [ flat (fun r -> bits_of_float r.served); flat (fun r -> bits_of_float r.level) ]);
  let flag b = if b then 1L else 0L in
  require "guesses" (hash_numbers [ flat (fun r -> flag r.wrong); flat (fun r -> flag r.coin) ])

(* ---- the claims: theorem, promise, and what is counted and bounded ---- *)

let prints = [ "panel"; "served"; "guesses" ]
let is_number x = not (Float.is_nan x)

(* What was served on a stretch, and what the theorem allows beside a reading: P <= N R q^2 Q. *)
let check_stretch witness names (rounds : Mixture.round array) levels still =
  exactly_words "the witness" (prints @ [ "stretch"; "readings"; "levels"; "member"; "reading" ]) witness;
  let first, last = match List.map (small "stretch") (list_of "stretch" (field "stretch" witness)) with
    | [ first; last ] -> first, last
    | _ -> raise (Refused "a stretch has a first and a last round") in
  let reading = small "reading" (field "reading" witness) and member = text "member" witness and many = List.length names in
  need (1 <= first && first <= last && last <= Array.length rounds && reading < many) "no rounds or no reading are like that";
  let voice = List.nth names reading in
  need (voice.name = member && voice.first < first) "that is not a reading of the member, or it was not there";
  need (small "readings" (field "readings" witness) = many && small "levels" (field "levels" witness) = levels)
    "there are other readings or levels";
  need (first = 1 || not still) "a league that shares nothing promises from the first round on";
  let ended = Array.fold_left (fun sum (r : Mixture.round) -> if is_number r.served then sum + 1 else sum) 0 (Array.sub rounds 0 last) in
  let pairs = List.filter_map (fun (r : Mixture.round) ->
    let own = if reading < Array.length r.panel then r.panel.(reading) else Mixture.asleep in
    let theirs = if Float.is_nan own && levels > 1 then r.level else own in
    if is_number r.served && is_number theirs then Some (theirs, r.served) else None)
    (Array.to_list (Array.sub rounds (first - 1) (last - first + 1))) in
  let fine = List.fold_left (fun most (a, b) -> max most (max (bits_of a) (bits_of b))) 0 pairs in
  let theirs = List.map (fun (a, _) -> scale fine a) pairs and served = List.map (fun (_, b) -> scale fine b) pairs in
  let squared = I.multiply (int_of ended) (int_of ended) in
  let factor = I.multiply (int_of many) (if still then I.one else if levels = 1 then int_of ended else I.multiply (int_of levels) squared) in
  let factor = I.maximum I.one factor in
  need (C.check_stretch factor theirs served) "more was lost than the theorem allows";
  let unit = two_to (fine * List.length pairs) in
  let lost numbers = Advice.logarithm unit (multiply_all numbers) in
  let count, bound = ends (lost served) (I.add (Advice.logarithm factor I.one) (lost theirs)) in
  loss, Printf.sprintf "a reading of %s loses what it does in rounds %d to %d" member first last, count, bound,
  "the inequality of products is proved, of the chances of this run in floats"

(* The rounds in which all members are wrong, and the mistakes of the best of those there from the start. *)
let check_forced witness voices (rounds : Mixture.round array) =
  exactly_words "the witness" prints witness;
  let early = List.length (List.filter (fun voice -> voice.first = 0) voices) in
  let rows = Array.to_list (Array.map (fun (r : Mixture.round) -> Array.to_list r.right) rounds) in
  let misses e = Array.fold_left (fun sum (r : Mixture.round) -> if r.right.(e) then sum else sum + 1) 0 rounds in
  let bound, best = List.fold_left min (max_int, 0) (List.init early (fun e -> misses e, e)) in
  let count = List.length (List.filter (fun row -> not (List.mem true row)) rows) in
  need (C.check_forced rows (int_of count) best (int_of bound)) "the choices are not those of the run";
  choices, "the guess of one member is followed in each round, which may be another one every time",
  fraction (int_of count) I.one, fraction (int_of bound) I.one, "proved of every choice among these guesses, which are those of the run in floats"

(* What no fixed shares of the readings lose less than, and what those of the witness lose. *)
let check_mixture witness names (rounds : Mixture.round array) =
  exactly_words "the witness" (prints @ [ "shares" ]) witness;
  let shares = List.map (whole "shares") (list_of "shares" (field "shares" witness)) and many = List.length names in
  need (List.length shares = many && List.for_all (I.at_most I.zero) shares
        && I.equal (List.fold_left I.add I.zero shares) (two_to 20)) "shares of all readings add up to 2^20";
  let cut x = let m, e = dyadic x in if e + 80 >= 0 then I.shift_left m (e + 80) else I.shift_right m (- e - 80) in
  let rows = List.filter_map (fun (r : Mixture.round) ->
    if Float.is_nan r.level then None
    else Some (List.init many (fun k ->
      let own = if k < Array.length r.panel then r.panel.(k) else Mixture.asleep in
      cut (if Float.is_nan own then r.level else own)))) (Array.to_list rounds) in
  let mixed row = List.fold_left2 (fun sum share p -> I.add sum (I.multiply share p)) I.zero shares row in
  let beside = List.map (fun row ->
    let m = mixed row in
    m, List.map (fun p -> I.divide (I.add (I.shift_left p 84) (I.subtract m I.one)) m) row) rows in
  let none = List.init many (fun _ -> I.zero) in
  let sums = List.fold_left (fun sums (_, ratios) -> List.map2 I.add sums ratios) none beside in
  let most = List.fold_left I.maximum I.zero sums and played = List.length rows in
  need (C.check_mixture shares (two_to 84) most (List.map2 (fun row (_, ratios) -> row, ratios) rows beside))
    "the shares are not nearly the best";
  let made = multiply_all (List.map fst beside) in
  let lost = Advice.logarithm (two_to (100 * played)) made in
  let more = I.shift_left (I.subtract most (I.shift_left (int_of played) 64)) (Advice.fine - 64) in
  let count, bound = ends (I.maximum I.zero (I.subtract lost more)) lost in
  mixtures, "shares of the readings are fixed for all rounds; one that sleeps says what the first level does", count, bound,
  "proved of all shares of these readings, which are those of the run in floats"

let read_rate rate =
  let x = float_of "a rate" rate in
  need (0. < x && x < 1.) "no rate is like that";
  x

let check certificate about name data =
  let get name = field name certificate and flag name = match field name about with
    | Json.Bool said -> said | _ -> raise (Refused (name ^ " is true or false")) in
  only "the learner" [ "name"; "rates"; "switching"; "most"; "seed"; "members"; "classes"; "follows" ] about;
  let switching = flag "switching" and follows = List.mem_assoc "follows" about in
  let rates = List.map read_rate (list_of "rates" (field "rates" about)) in
  need ((not follows) || flag "follows") "follows is said only of leagues that do";
  need (switching || rates = [] || not follows) "a league that shares nothing has no rates";
  let most = float_of "most" (field "most" about) in
  need (most > 0.) "no importance is like that";
  if most <> 1. then raise (Not_covered "rounds of unequal importance are not covered here");
  ignore (field "seed" about);
  let seed = Coins.read_seed about true in
  if not (List.mem (text "counts" certificate) [ "log-loss"; "forced mistakes"; "forced log-loss" ]) then
    raise (Not_covered "the account of a league's guesses has no theorem here");
  let game = Game.read_game certificate about name data most_classes in
  need (game.codes <> [||]) "it played no round";
  let rows = Additive.read_rows (List.assoc_opt "rows" certificate) in
  let voices = list_voices about game rows and still = not switching in
  let rates = if still then [] else rates in
  let rounds, charged = Mixture.play_rounds voices (Array.of_list rates) still seed follows game.codes (List.length game.declared) in
  let names = List.concat_map (fun voice -> List.init each (fun _ -> voice)) voices in
  let witness = record_of "witness" (get "witness") in
  check_prints witness names rounds;
  need (charged > 0 || text "counts" certificate = "log-loss") "no round is charged";
  let theorem, promise, count, bound, proved = match text "counts" certificate with
    | "log-loss" -> check_stretch witness names rounds (1 + List.length rates) still
    | "forced mistakes" -> check_forced witness voices rounds
    | _ -> check_mixture witness names rounds in
  need (text "theorem" certificate = theorem && text "promise" certificate = promise) "its theorem or promise is another";
  need (text "scope" certificate = "sequence" && get "exact" = Json.Bool false) "it is of this sequence, and not exact";
  let mistakes = Array.fold_left (fun sum (r : Mixture.round) -> if r.wrong then sum + 1 else sum) 0 rounds in
  need (small "mistakes" (get "mistakes") = mistakes) (Printf.sprintf "the run makes %d mistakes" mistakes);
  need (small "updates" (get "updates") = charged && get "updated" = Json.List [] && get "marks" = Json.List [])
    "every charged round teaches, and none is marked";
  let read what = match get what with
    | Json.Number s when not (Json.is_whole s) -> raise (Refused (what ^ " is a float"))
    | value -> read_fraction what value in
  need (same (read "count") count) ("the count is " ^ show count);
  need (same (read "bound") bound) ("the bound is " ^ show bound);
  need (same (read "slack") (minus bound count) && get "holds" = Json.Bool true && not (less bound count)) "the slack does not follow";
  Printf.sprintf "true: %s %s <= %s over %d rounds (%s); %s" (show count) (text "counts" certificate) (show bound)
    (Array.length rounds) theorem proved
