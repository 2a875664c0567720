(* What a member of a league says, read as chances of the classes met; exponentials and logarithms are the same floats on every
   machine. Trusted, and held to the vectors. *)

let least = 1e-6 (* the least chance that a reading gives a class *)
let each = 11 (* readings of a score, or of scores *)
let ln2 = 0.6931471803691238 and rest = 1.9082149292705877e-10 (* ln 2 in two parts *)
let inverses = let rec go k f = if k > 12 then [] else 1. /. f :: go (k + 1) (f *. float (k + 1)) in Array.of_list (go 0 1.)

(* Of x cut to [-700, 700]: 2^n times the series of e^r. *)
let exponential x =
  let x = Float.min (Float.max x (-700.)) 700. and middle = 1.5 *. Float.ldexp 1. 52 in
  let n = Float.fma x 1.4426950408889634 middle -. middle in
  let r = Float.fma n (-. rest) (Float.fma n (-. ln2) x) and series = ref inverses.(12) in
  for k = 11 downto 0 do series := Float.fma !series r inverses.(k) done;
  Float.ldexp !series (int_of_float n)

(* Of x = 2^n m, that of m by the series of 2 atanh(s), s = (m - 1) / (m + 1). *)
let logarithm x =
  let m, n = Float.frexp x in
  let m, n = if m >= 0.7071067811865476 then m, n else 2. *. m, n - 1 in
  let s = (m -. 1.) /. (m +. 1.) and series = ref (1. /. 21.) and n = float n in
  let z = s *. s in
  for k = 9 downto 1 do series := !series *. z +. 1. /. float (2 * k + 1) done;
  n *. ln2 +. (2. *. s +. (2. *. s *. z *. !series +. n *. rest))

let add numbers = Array.fold_left (+.) 0. numbers
let add_lanes numbers = Floats.add_up numbers Floats.Lanes Floats.same
let clip chance = Float.min (Float.max chance least) (1. -. least)

let spread chances =
  let total = add chances in
  let floored = Array.map (fun chance -> Float.max (chance /. total) least) chances in
  let total = add floored in
  Array.map (fun chance -> chance /. total) floored

let find_largest numbers =
  let best = ref 0 in
  Array.iteri (fun k x -> if x > numbers.(!best) then best := k) numbers;
  !best

(* One of the things that a member says, from its first round on, and what was counted of it. A cell of a table is told by
   whether it is one of two classes, and its number. *)
type voice = {
  name : string; network : bool; first : int; said : float array array;
  mutable sizes : float; mutable many : float; tables : (bool * int * int, float) Hashtbl.t;
  mutable cell : (bool * int) option; mutable size : float }

let new_voice name network first said =
  { name; network; first; said; sizes = 0.; many = 0.; tables = Hashtbl.create 64; cell = None; size = 0. }

let look voice (two, cell) label = match Hashtbl.find_opt voice.tables (two, cell, label) with Some x -> x | None -> 0.
let find_scale voice = if voice.sizes > 0. then voice.sizes /. voice.many else 1.
let count_reached x edges = List.length (List.filter (fun edge -> x >= edge) edges)
let half_octaves = List.init 15 (fun k ->
  let k = k - 7 in Float.ldexp (if k land 1 = 1 then 1.4142135623730951 else 1.) (k asr 1))
let octaves = List.init 7 (fun k -> Float.ldexp 1. (k - 3))

(* Ten slopes of the odds of two classes, and a table by sign and half octave. *)
let read_score voice score =
  let ratio = score /. find_scale voice in
  let odds = ref (exponential (-0.25 *. ratio)) in
  let slopes = List.init 10 (fun _ ->
    let chance = clip (1. /. (1. +. !odds)) in
    odds := !odds *. !odds; chance) in
  let cell = true, (if score > 0. then 16 else 0) + count_reached (Float.abs ratio) half_octaves in
  let no = look voice cell 0 and yes = look voice cell 1 in
  voice.size <- Float.abs score;
  voice.cell <- Some cell;
  List.map (fun chance -> [| 1. -. chance; chance |]) (slopes @ [ clip ((yes +. 0.5) /. (yes +. no +. 1.)) ])

(* Ten slopes of a soft maximum of more classes, and a table by guess and octave of its lead. *)
let read_scores voice said =
  let met = Array.length said and best = find_largest said and scale = find_scale voice in
  let top = said.(best) in
  let next = ref Float.neg_infinity in
  Array.iteri (fun c score -> if c <> best then next := Float.max !next score) said;
  voice.size <- top -. !next;
  let powers = ref (Array.map (fun score -> exponential (0.25 *. ((score -. top) /. scale))) said) in
  let slopes = List.init 10 (fun _ ->
    let found = spread !powers in
    powers := Array.map (fun power -> power *. power) !powers; found) in
  let cell = false, 8 * best + count_reached (voice.size /. scale) octaves in
  let counts = Array.init met (look voice cell) in
  let total = add counts in
  voice.cell <- Some cell;
  slopes @ [ spread (Array.map (fun count -> (count +. 0.5) /. (total +. 0.5 *. float met)) counts) ]

(* The readings of a round and the guess; none if it sleeps. *)
let listen voice t met =
  voice.cell <- None;
  voice.size <- 0.;
  let said = voice.said.(t - voice.first) in
  let said = if voice.network then Array.sub said 0 (min met (Array.length said)) else said in
  if (voice.network && Array.length said < met) || not (Array.for_all Float.is_finite said) || (met > 2 && not voice.network)
  then None
  else if not voice.network then Some (read_score voice said.(0), if said.(0) > 0. then 1 else 0)
  else Some ((if met = 2 then read_score voice (said.(1) -. said.(0)) else read_scores voice said), find_largest said)

(* Count the label in the cell that was spoken from, and the size of the score. *)
let learn voice label = match voice.cell with
  | None -> ()
  | Some (two, cell) ->
    Hashtbl.replace voice.tables (two, cell, label) (look voice (two, cell) label +. 1.);
    voice.sizes <- voice.sizes +. voice.size;
    voice.many <- voice.many +. 1.
