(* The run in floats, operation by operation as docs/certificate-format.md has it. Trusted, and held to the vectors. *)

open Data

type order = One_by_one | Quarters | Lanes | Halves | Fours

let add_up terms order real =
  let n = Array.length terms in
  match order with
  | Quarters ->
    let sums = Array.make 4 0. and whole = n - n mod 4 in
    for k = 0 to n - 1 do
      let s = if k < whole then k land 3 else 0 in
      sums.(s) <- real (sums.(s) +. terms.(k))
    done;
    real (real (sums.(0) +. sums.(1)) +. real (sums.(2) +. sums.(3)))
  | Lanes ->
    let lanes = [| Array.make 16 0.; Array.make 16 0. |] and whole = n - n mod 16 and paired = n - n mod 32 in
    for k = 0 to n - 1 do
      let lane = lanes.(if k < paired then k / 16 mod 2 else if k < whole then 0 else 1) in
      lane.(k mod 16) <- real (lane.(k mod 16) +. terms.(k))
    done;
    let row = Array.map2 (fun a b -> real (a +. b)) lanes.(0) lanes.(1) in
    List.iter (fun size -> for k = 0 to size - 1 do row.(k) <- real (row.(k) +. row.(k + size)) done) [ 8; 4; 2; 1 ];
    row.(0)
  | Halves ->
    let sums = [| 0.; 0. |] in
    for k = 0 to n - 1 do sums.(k land 1) <- real (sums.(k land 1) +. terms.(k)) done;
    real (sums.(0) +. sums.(1))
  | One_by_one | Fours ->
    let total = ref 0. and first = ref 0 in
    while order = Fours && !first + 4 <= n do
      let k = !first in
      let a = real (terms.(k) +. terms.(k + 1)) and b = real (terms.(k + 2) +. terms.(k + 3)) in
      total := real (!total +. real (a +. b));
      first := k + 4
    done;
    for k = !first to n - 1 do total := real (!total +. terms.(k)) done;
    !total

type learner = {
  name : string; rate : float; bias : float; margin : float; tie : string; variant : string; aggressiveness : float;
  normalized : bool; aggressive : bool; push : float (* of Alma: (1 - alpha) B *) }
type rows = { dense : bool; width : int; values : string }
type run = {
  mutable mistakes : int; mutable idle : int (* mistakes that moved nothing *);
  mutable moved : (int * int) list (* the latest first: round and mark *);
  mutable told : float array list (* scores, the latest first; of an average, its own and then that of the weights *) }

let new_run () = { mistakes = 0; idle = 0; moved = []; told = [] }

let same (x : float) = x

(* How far along y x a round steps, in float64. *)
let find_step learner a q = match learner.name with
  | "VotedPerceptron" -> 1.
  | "AggressivePerceptron" ->
    if not (q > 0.) then 0.
    else let copies = Float.floor (-. a /. q) +. 1. in if a +. copies *. q > 0. then copies else copies +. 1.
  | "PassiveAggressive" ->
    let cap = if learner.variant = "I" then learner.aggressiveness else Float.infinity in
    let damping = if learner.variant = "II" then 0.5 /. learner.aggressiveness else 0. in
    if q > 0. then Float.min cap ((learner.margin -. a) /. (q +. damping)) else 0.
  | _ -> if not learner.normalized then learner.rate else if q > 0. then learner.rate /. Float.sqrt q else 0.

let add_squares c values = Array.fold_left (fun total (_, x) -> total +. x *. x) (c *. c) values

let arrange rows real entries =
  if not rows.dense then Array.map (fun (i, x) -> i, real x) entries
  else begin
    let filled = Array.init rows.width (fun i -> i, 0.) in
    Array.iter (fun (i, x) -> if x <> 0. then begin
      need (i < rows.width) "a row has more attributes than its width";
      filled.(i) <- (i, real x) end) entries;
    filled
  end

let find weights i = match Hashtbl.find_opt weights i with Some x -> x | None -> 0.

(* The weights of ALMA and ROMMA are [scale] times those kept; [squares] is the sum of squares of those kept. *)
type scaled = { mutable scale : float; mutable squares : float }

let turn learner updates a q length =
  if q = 0. then 0., 1.
  else if learner.name = "Alma" then begin
    let root = Float.sqrt (float updates +. 1.) and size = Float.sqrt q in
    if a *. root > learner.push *. size then 0., 1.
    else
      let along = learner.rate /. (root *. size) in
      let after = length +. 2. *. along *. a +. along *. along *. q in
      let factor = if after > 1. then 1. /. Float.sqrt after else 1. in
      factor *. along, factor
  end else
    let p = q *. length in
    let rest = p -. a *. a in
    if p <= a || p *. (p -. 2. *. a +. 1.) > Float.ldexp 1. 40 *. rest then 1. /. q, 0.
    else length *. (1. -. a) /. rest, (p -. a) /. rest

let move_scaled s w b row delta factor c =
  s.scale <- s.scale *. factor;
  if not (Float.ldexp 1. (-200) <= Float.abs s.scale && Float.abs s.scale <= Float.ldexp 1. 200) then begin
    b := !b *. s.scale;
    s.squares <- !b *. !b;
    List.iter (fun i ->
      let x = find w i *. s.scale in
      Hashtbl.replace w i x; s.squares <- s.squares +. x *. x)
      (List.sort compare (Hashtbl.fold (fun i _ all -> i :: all) w []));
    s.scale <- 1.
  end;
  let delta = delta /. s.scale and old = !b in
  b := !b +. delta *. c;
  s.squares <- s.squares +. (!b *. !b -. old *. old);
  Array.iter (fun (i, x) ->
    let old = find w i in
    let next = old +. delta *. x in
    Hashtbl.replace w i next;
    s.squares <- s.squares +. (next *. next -. old *. old)) row

(* The mean of all weights so far is w - sums / rounds: each movement is added to the sums as often as rounds were before it. *)
type average = { sums : (int, float) Hashtbl.t; mutable late : float }

let note_movement kept weight row now delta constant =
  let now = weight now in
  Array.iter (fun (i, x) -> Hashtbl.replace kept.sums i (weight (find kept.sums i +. weight (now *. weight (delta *. x))))) row;
  kept.late <- weight (kept.late +. weight (now *. weight (delta *. constant)))

let score_average kept w b row now c =
  let share = 1. /. Float.max now 1. in
  Array.fold_left (fun total (i, x) -> total +. (find w i -. find kept.sums i *. share) *. x) ((b -. kept.late *. share) *. c) row

let play_unit learner short rows entries codes surprise =
  let romma = List.mem learner.name [ "Alma"; "Romma" ] and kept = { scale = 1.; squares = 0. } in
  let short = short && not romma in
  let enough = if not romma then learner.margin else if learner.push > 0. then Float.infinity
    else if learner.aggressive then Float.pred 1. else 0. in
  let averaged = learner.name = "AveragedPerceptron" in
  let mixed = short && rows.values = "float64" in
  if mixed && rows.dense && not averaged then
    raise (Not_covered "dense rows of float64 with weights of float32 are not played again");
  let weight = if short then round32 else same and value = if short && not mixed then round32 else same in
  let alike = rows.values = if short then "float32" else "float64" in
  let order = if averaged || not rows.dense then Quarters else if alike then Lanes else One_by_one in
  let constant = weight learner.bias and least = weight enough in
  let cut = if learner.tie <> "plus" then 0. else if short then -. Float.ldexp 1. (-149) else -. Float.ldexp 1. (-1074) in
  let w = Hashtbl.create 1024 and b = ref 0. and run = new_run () and updates = ref 0 in
  let mean = { sums = Hashtbl.create 16; late = 0. } in
  Array.iteri (fun t entries ->
    let row = arrange rows value entries and code = codes.(t) in
    let terms = Array.map (fun (i, x) -> value (find w i *. x)) row in
    let score = value (add_up terms order value +. weight (!b *. constant)) in
    let score = if romma then score *. kept.scale else score in
    run.told <- (if averaged then [| score_average mean w !b row (float t) learner.bias; score |] else [| score |]) :: run.told;
    let guess = if score > cut then 1 else 0 in
    let a = if code = 1 then score else -. score in
    let clear = guess = code && Float.abs score > least in
    let wrong = guess <> code || (t = 0 && surprise) and before = run.moved in
    if wrong then run.mistakes <- run.mistakes + 1;
    if a <= enough && not clear && (learner.tie = "strict" || enough > 0. || guess <> code) then begin
      if romma then begin
        let along, factor = turn learner !updates a (add_squares learner.bias row) (kept.scale *. kept.scale *. kept.squares) in
        if along <> 0. || factor <> 1. then begin
          move_scaled kept w b row (if code = 1 then along else -. along) factor learner.bias;
          run.moved <- (t, 1) :: run.moved
        end
      end else
      let along = weight (find_step learner a (add_squares learner.bias row)) in
      if along <> 0. then begin
        let delta = if code = 1 then along else -. along in
        Array.iter (fun (i, x) -> Hashtbl.replace w i (weight (find w i +. value (delta *. x)))) row;
        b := weight (!b +. weight (delta *. constant));
        if averaged then note_movement mean weight row (float t) delta constant;
        if along > 1e6 && learner.name = "AggressivePerceptron" then raise (Not_covered "a step has more than a million copies");
        run.moved <- (t, if learner.name = "AggressivePerceptron" then int_of_float along else 1) :: run.moved
      end
    end;
    if run.moved != before then incr updates;
    if wrong && run.moved == before then run.idle <- run.idle + 1) entries;
  run

let play_network learner each short rows entries codes surprise met classes =
  let mixed = short && rows.values = "float64" in
  if mixed && classes > 32 then raise (Not_covered "float64 rows with float32 weights of more than 32 classes are not played again");
  let weight = if short then round32 else same and step = if short && not mixed then round32 else same in
  let constant = weight learner.bias and met = ref met and run = new_run () in
  let w = Array.init classes (fun _ -> Hashtbl.create 64) and b = Array.make classes 0. in
  Array.iteri (fun t entries ->
    let row = arrange rows step entries and y = codes.(t) in
    let scored = if mixed then Array.map (fun (i, x) -> i, weight x) row else row in
    let order = if max !met (y + 1) <= 32 then Halves else Fours in
    let scores = Array.init (max !met (y + 1)) (fun k ->
      if k >= !met then 0.
      else
        let terms = Array.map (fun (i, x) -> weight (find w.(k) i *. x)) scored in
        weight (add_up terms order weight +. weight (b.(k) *. constant))) in
    run.told <- Array.sub scores 0 !met :: run.told;
    let guess = ref 0 and rival = ref (if y <> 0 then 0 else 1) in
    for k = 0 to !met - 1 do
      if scores.(k) > scores.(!guess) then guess := k;
      if k <> y && scores.(k) > scores.(!rival) then rival := k
    done;
    let wrong = !guess <> y || (t = 0 && surprise) and before = run.moved in
    if wrong then run.mistakes <- run.mistakes + 1;
    met := max !met (y + 1);
    let mark = ref 0 in
    List.iter (fun k ->
      let sign = if k = y then 1. else -1. in
      let a = if each then sign *. scores.(k) else scores.(y) -. scores.(!rival) in
      if a <= learner.margin then begin
        let along = weight (sign *. find_step learner a (add_squares learner.bias row *. if each then 1. else 2.)) in
        if along <> 0. then begin
          mark := if each then !mark + 1 lsl k else !rival + 1;
          List.iter (fun (k, far) ->
            Array.iter (fun (i, x) -> Hashtbl.replace w.(k) i (weight (find w.(k) i +. step (far *. x)))) row;
            b.(k) <- weight (b.(k) +. weight (far *. constant)))
            (if each then [ k, along ] else [ y, along; !rival, -. along ])
        end
      end) (if each then List.init !met Fun.id else [ y ]);
    if !mark <> 0 then run.moved <- (t, !mark) :: run.moved;
    if wrong && run.moved == before then run.idle <- run.idle + 1) entries;
  run
