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
  name : string; rate : float; bias : float; margin : float; tie : string; variant : string; aggressiveness : float }
type rows = { dense : bool; width : int; values : string }
type run = { mutable mistakes : int; mutable idle : int (* mistakes that moved nothing *); mutable moved : (int * int) list (* the latest first: round and mark *) }

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
  | _ -> learner.rate

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

let play_unit learner short rows entries codes surprise =
  let averaged = learner.name = "AveragedPerceptron" in
  let mixed = short && rows.values = "float64" in
  if mixed && rows.dense && not averaged then
    raise (Not_covered "dense rows of float64 with weights of float32 are not played again");
  let weight = if short then round32 else same and value = if short && not mixed then round32 else same in
  let alike = rows.values = if short then "float32" else "float64" in
  let order = if averaged || not rows.dense then Quarters else if alike then Lanes else One_by_one in
  let constant = weight learner.bias and least = weight learner.margin in
  let cut = if learner.tie <> "plus" then 0. else if short then -. Float.ldexp 1. (-149) else -. Float.ldexp 1. (-1074) in
  let w = Hashtbl.create 1024 and b = ref 0. and run = { mistakes = 0; idle = 0; moved = [] } in
  Array.iteri (fun t entries ->
    let row = arrange rows value entries and code = codes.(t) in
    let terms = Array.map (fun (i, x) -> value (find w i *. x)) row in
    let score = value (add_up terms order value +. weight (!b *. constant)) in
    let guess = if score > cut then 1 else 0 in
    let a = if code = 1 then score else -. score in
    let clear = guess = code && Float.abs score > least in
    let wrong = guess <> code || (t = 0 && surprise) and before = run.moved in
    if wrong then run.mistakes <- run.mistakes + 1;
    if a <= learner.margin && not clear && (learner.tie = "strict" || learner.margin > 0. || guess <> code) then begin
      let along = weight (find_step learner a (add_squares learner.bias row)) in
      if along <> 0. then begin
        let delta = if code = 1 then along else -. along in
        Array.iter (fun (i, x) -> Hashtbl.replace w i (weight (find w i +. value (delta *. x)))) row;
        b := weight (!b +. weight (delta *. constant));
        if along > 1e6 && learner.name = "AggressivePerceptron" then raise (Not_covered "a step has more than a million copies");
        run.moved <- (t, if learner.name = "AggressivePerceptron" then int_of_float along else 1) :: run.moved
      end
    end;
    if wrong && run.moved == before then run.idle <- run.idle + 1) entries;
  run

let play_network learner short rows entries codes surprise met classes =
  let mixed = short && rows.values = "float64" in
  if mixed && classes > 32 then raise (Not_covered "float64 rows with float32 weights of more than 32 classes are not played again");
  let weight = if short then round32 else same and step = if short && not mixed then round32 else same in
  let constant = weight learner.bias and met = ref met and run = { mistakes = 0; idle = 0; moved = [] } in
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
    let guess = ref 0 and rival = ref (if y <> 0 then 0 else 1) in
    for k = 0 to !met - 1 do
      if scores.(k) > scores.(!guess) then guess := k;
      if k <> y && scores.(k) > scores.(!rival) then rival := k
    done;
    let wrong = !guess <> y || (t = 0 && surprise) and before = run.moved in
    if wrong then run.mistakes <- run.mistakes + 1;
    met := max !met (y + 1);
    let a = scores.(y) -. scores.(!rival) in
    if a <= learner.margin then begin
      let along = weight (find_step learner a (add_squares learner.bias row *. 2.)) in
      if along <> 0. then begin
        List.iter (fun (k, far) ->
          Array.iter (fun (i, x) -> Hashtbl.replace w.(k) i (weight (find w.(k) i +. step (far *. x)))) row;
          b.(k) <- weight (b.(k) +. weight (far *. constant))) [ y, along; !rival, -. along ];
        run.moved <- (t, !rival + 1) :: run.moved
      end
    end;
    if wrong && run.moved == before then run.idle <- run.idle + 1) entries;
  run
