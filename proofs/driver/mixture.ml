(* The mixture of a league's readings, the account of its guesses, and the play of all rounds in floats. Trusted, and held to the
   vectors. *)

open Readings

let asleep = Int64.float_of_bits 0x7ff8000000000000L

(* The weights of all readings on each level of sharing; the rate 0 stands for 1/t. *)
type mixture = {
  rates : float array; still : bool; mutable charged : int; mutable weights : float array array; mutable levels : float array;
  mutable shared : float array array; mutable shares : float array (* weights of this round *);
  mutable told : float array array (* what each level says of each class *) }

let new_mixture rates still =
  let rates = Array.append [| 0. |] rates in
  let n = Array.length rates in
  { rates; still; charged = 0; weights = Array.make n [||]; levels = Array.make n (1. /. float n); shared = [||]; shares = [||]; told = [||] }

let admit m more =
  let many = Array.length m.weights.(0) + more in
  m.weights <- Array.map (fun w ->
    if m.charged > 0 then Array.append w (Array.make more 0.) else Array.make many (1. /. float many)) m.weights

let share m =
  let now = m.charged + 1 in
  let rates = Array.map (fun rate -> if m.still || now = 1 then 0. else if rate > 0. then rate else 1. /. float now) m.rates in
  m.shared <- Array.map2 (fun weights rate ->
    let keep = 1. -. rate and even = rate /. float (Array.length weights) in
    Array.map (fun weight -> keep *. weight +. even) weights) m.weights rates;
  m.shares <- Array.map (fun level -> (1. -. rates.(0)) *. level +. rates.(0) /. float (Array.length rates)) m.levels

(* What is served of each class met; a row is [None] of a reading that sleeps. *)
let serve m rows met =
  share m;
  m.told <- Array.map (fun weights ->
    let total = add_lanes (Array.map2 (fun row weight -> if row = None then 0. else weight) rows weights) in
    let say c = add_lanes (Array.map2 (fun row weight -> match row with Some row -> row.(c) *. weight | None -> 0.) rows weights) /. total in
    if met = 2 then let yes = say 1 in [| 1. -. yes; yes |] else Array.init met say) m.shared;
  let mix c = add (Array.map2 (fun share told -> share *. told.(c)) m.shares m.told) in
  if met = 2 then let yes = mix 1 in [| 1. -. yes; yes |] else Array.init met mix

let weigh m rows said y =
  Array.iteri (fun k told ->
    let moved = Array.map2 (fun row weight -> weight *. (match row with Some row -> row.(y) | None -> told.(y))) rows m.shared.(k) in
    let scale = 1. /. add_lanes moved in
    m.weights.(k) <- Array.map (fun weight -> weight *. scale) moved) m.told;
  let moved = Array.map2 (fun share told -> share *. (told.(y) /. said.(y))) m.shares m.told in
  let total = add moved in
  m.charged <- m.charged + 1;
  m.levels <- Array.map (fun weight -> weight /. total) moved

(* The account of one phase: who is followed, and when a coin must choose. *)
type account = {
  seed : int64; follows : bool; wrong : float array; alone : int array; other : int array;
  mutable balance : float; mutable gap : float; mutable rate : float; mutable draws : float array }

let new_account members seed follows =
  { seed; follows; wrong = Array.make members 0.; alone = Array.make members 0; other = Array.make members 0;
    balance = 0.; gap = 0.; rate = 0.; draws = [||] }

let fewest numbers = Array.fold_left Float.min Float.infinity numbers

let fade x = if x < 700. then exponential (-. x) else 0.

let choose a t guesses best =
  let least = fewest a.wrong and variety = logarithm (float (Array.length a.wrong)) in
  a.rate <- if a.gap > 0. then variety /. a.gap else 0.;
  let draws = Array.map (fun k ->
    if a.gap > 0. then fade (a.rate *. (k -. least)) else if k = least then 1. else 0.) a.wrong in
  let total = add draws in
  a.draws <- Array.map (fun draw -> draw /. total) draws;
  if a.balance +. 1. <= Float.sqrt (least *. variety) +. variety +. 2. then begin
    let most = ref 0. and chosen = ref best in
    if a.follows then Array.iteri (fun i guess ->
      let both = float (a.alone.(i) + a.other.(i)) in
      let ahead = float (a.other.(i) - a.alone.(i)) -. Float.sqrt both -. variety in
      if ahead > !most then (most := ahead; chosen := guess)) guesses;
    !chosen, false
  end else begin
    let coin = Float.ldexp (Int64.to_float (Int64.shift_right_logical (Coins.draw_bits a.seed t) 11)) (-53) in
    let reached = ref 0. and found = ref None in
    Array.iteri (fun i guess ->
      reached := !reached +. a.draws.(i);
      if !found = None && coin < !reached then found := Some guess) guesses;
    (match !found with Some guess -> guess | None -> guesses.(Array.length guesses - 1)), true
  end

let settle a guesses best y wrong coin =
  let before = fewest a.wrong and part = fade a.rate and followed = ref 0. and kept = ref 0. in
  Array.iteri (fun i guess ->
    let miss = guess <> y and draw = a.draws.(i) in
    if miss && best = y then a.alone.(i) <- a.alone.(i) + 1;
    if (not miss) && best <> y then a.other.(i) <- a.other.(i) + 1;
    followed := !followed +. (if miss then draw else 0.);
    kept := !kept +. draw *. (if miss then part else 1.);
    if miss then a.wrong.(i) <- a.wrong.(i) +. 1.) guesses;
  let mixed = if !kept = 0. then !followed else if a.rate > 0. then -. logarithm !kept /. a.rate else fewest a.wrong -. before in
  a.gap <- a.gap +. Float.max (!followed -. mixed) 0.;
  if not coin then a.balance <- a.balance +. ((if wrong then 1. else 0.) -. !followed)

(* What each round gave its label: by readings, as it was served, and by the first level; whose guess was right, and the
   league's own. *)
type round = { panel : float array; served : float; level : float; wrong : bool; coin : bool; right : bool array }

(* All rounds, and how many were charged. *)
let play_rounds voices rates still seed follows codes declared =
  let mixture = new_mixture rates still and here = ref [||] and labels = ref (Array.make (max 2 declared) 0.) in
  let account = ref (new_account 0 seed follows) in
  let play t y =
    let fresh = List.filter (fun voice -> voice.first = t) voices in
    if fresh <> [] then begin
      here := Array.append !here (Array.of_list fresh);
      admit mixture (each * List.length fresh);
      account := new_account (Array.length !here) seed follows
    end;
    let met = Array.length !labels in
    let heard = Array.map (fun voice -> listen voice t met) !here in
    let rows = Array.concat (List.map (function
      | Some (found, _) -> Array.of_list (List.map Option.some found)
      | None -> Array.make each None) (Array.to_list heard)) in
    let awake = Array.exists Option.is_some rows in
    let said = if awake then serve mixture rows met else !labels in
    let best = find_largest said in
    let guesses = Array.map (function Some (_, guess) -> guess | None -> best) heard in
    let guess, coin = choose !account t guesses best in
    settle !account guesses best y (guess <> y) coin;
    let charged = awake && y < met in
    let told = if charged then mixture.told.(0).(y) else asleep in
    if charged then weigh mixture rows said y;
    Array.iter (fun voice -> learn voice y) !here;
    if y >= met then labels := Array.append !labels (Array.make (y + 1 - met) 0.);
    !labels.(y) <- !labels.(y) +. 1.;
    { panel = Array.map (function Some row when charged -> row.(y) | _ -> asleep) rows;
      served = (if charged then said.(y) else asleep); level = told; wrong = guess <> y; coin; right = Array.map (fun g -> g = y) guesses } in
  let rounds = Array.mapi play codes in
  rounds, mixture.charged
