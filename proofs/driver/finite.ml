(* Halving and the consistent learner over thresholds, and elimination: the run is that of the extracted functions, which are
   the learners of the theorems; what is told of it is compared. Trusted but for these. *)

open Data
open Certificate
open Game
module C = Checks
module I = Integer

let number k = Json.Number (string_of_int k)

(* ---- coins: splitmix64 ---- *)

let mix_bits word =
  let open Int64 in
  let fold word by factor = mul (logxor word (shift_right_logical word by)) factor in
  let word = fold (add word 0x9E3779B97F4A7C15L) 30 0xBF58476D1CE4E5B9L in
  let word = fold word 27 0x94D049BB133111EBL in
  logxor word (shift_right_logical word 31)

let pick seed number among =
  let natural bits = I.of_string (Printf.sprintf "%Lu" bits) in
  let bits = mix_bits (Int64.logxor (mix_bits (Int64.logand seed Int64.max_int)) (Int64.of_int number)) in
  let drawn = I.add (I.shift_left (natural bits) 64) (natural (mix_bits (Int64.lognot bits))) in
  int_of_string (I.to_string (I.shift_right (I.multiply drawn (int_of among)) 128))

(* ---- what a certificate says ---- *)

let require_claim certificate theorem promise bound witness =
  let get name = field name certificate in
  need (text "theorem" certificate = theorem) "no theorem of this learner is called so";
  need (text "promise" certificate = promise) ("its promise is: " ^ promise);
  need (text "counts" certificate = "mistakes" && get "count" = Json.Null && text "scope" certificate = "sequence"
        && get "exact" = Json.Bool true) "it counts mistakes of the sequence, exactly";
  need (I.equal (whole "bound" (get "bound")) bound) ("the witness does not give that but " ^ I.to_string bound);
  let said = record_of "witness" (get "witness") in
  need (List.sort compare said = List.sort compare witness) "its witness is another";
  require_slack certificate (int_of (small "mistakes" (get "mistakes"))) bound;
  Printf.sprintf "true: %d mistakes <= %s over %d rounds (%s); proved of the learner in exact arithmetic, whose run it is"
    (small "mistakes" (get "mistakes")) (I.to_string bound) (small "rounds" (get "rounds")) theorem

(* ---- Halving and the consistent learner over the thresholds x >= j, j from 0 to n + 1 ---- *)

let read_thresholds concepts =
  try Scanf.sscanf concepts "Thresholds(n=%u)%!" (fun n ->
    if concepts <> Printf.sprintf "Thresholds(n=%d)" n || n > 2000 then raise Exit; n)
  with _ -> raise (Not_covered ("the class " ^ concepts ^ " is not covered here"))

let read_instance n (round : round) =
  let x = if not round.row then (try int_of_string round.instance with _ -> -1)
    else begin
      need (Array.for_all (fun (i, _) -> i = 0) round.entries) "an instance has one attribute";
      int_of_float (Array.fold_left (fun _ (_, x) -> if Float.is_integer x then x else -1.) 0. round.entries)
    end in
  need (round.row || round.instance = string_of_int x) "an instance is a whole number";
  need (x >= 0 && x <= n) "an instance is out of range";
  x

let hash_instances points codes =
  let buffer = Buffer.create 4096 in
  Buffer.add_string buffer "littlestone rounds 2\n";
  Array.iteri (fun t x ->
    let told = string_of_int x in
    Buffer.add_int32_le buffer 3l;
    Buffer.add_int32_le buffer (Int32.of_int (String.length told));
    Buffer.add_int64_le buffer (Int64.of_int codes.(t));
    Buffer.add_string buffer told) points;
  Sha256.hash (Buffer.contents buffer)

let check_listed certificate about name data =
  let halving = text "name" about = "Halving" in
  only "the learner" ([ "name"; "concepts"; "real"; "classes" ] @ if halving then [] else [ "choice"; "seed" ]) about;
  let choice = if halving then "" else text "choice" about in
  need (halving || List.mem choice [ "lowest"; "random" ]) "no choice is like that";
  need (choice = "random" || not (List.mem_assoc "seed" about)) "only coins have a seed";
  let n = read_thresholds (text "concepts" about) and declared = read_declared about in
  need (declared = [ Valued 0.; Valued 1. ] && field "classes" about = Json.List [ Json.Bool false; Json.Bool true ]) "no classes are like that";
  let rounds = cut_rounds certificate name data in
  let codes, _ = number_labels (Array.map (fun (r : round) -> r.label) rounds) declared 2 in
  let points = Array.map (read_instance n) rounds in
  need (text "stream" certificate = hash_instances points codes) "the rounds are not those of the certificate";
  let seed = match List.assoc_opt "seed" about with None -> 0L | Some seed -> Int64.of_int (small "seed" seed) in
  let concept j x = if x >= j then I.one else I.zero in
  let space = List.init (n + 2) concept in
  let played = Array.to_list (Array.mapi (fun t x -> x, int_of codes.(t)) points) in
  (* survivors are thresholds from [low] to [high] *)
  let low = ref 0 and high = ref (n + 1) and moved = ref [] and cuts = ref 0 and picks = Hashtbl.create 16 in
  Array.iteri (fun t x ->
    let cut_low = if codes.(t) = 1 then !low else max !low (x + 1) and cut_high = if codes.(t) = 1 then min !high x else !high in
    need (cut_low <= cut_high) "no concept labels every round";
    if not (Hashtbl.mem picks (!high - !low + 1)) then
      Hashtbl.add picks (!high - !low + 1) (if choice = "random" then pick seed !cuts (!high - !low + 1) else 0);
    if cut_low > !low || cut_high < !high then begin
      incr cuts; low := cut_low; high := cut_high; moved := (t, 1) :: !moved
    end) points;
  (* the extracted learner plays; a consistent one picks by how many survive, which every cut changes *)
  let consistent left = match left with [] -> None | _ -> List.nth_opt left (Hashtbl.find picks (List.length left)) in
  let guess = if halving then C.halving_guess [ I.zero; I.one ] else fun left x ->
    match consistent left with Some h -> h x | None -> I.zero in
  let mistakes = int_of_string (I.to_string (C.mistakes guess played space)) in
  need (List.assoc_opt "rows" certificate = None) "no sum depends on how rows are held";
  require_run certificate mistakes (List.rev !moved) false;
  let bound = whole "bound" (field "bound" certificate) in
  need (I.at_most I.zero bound) "the bound must not be negative";
  let ask bound = if halving then C.check_halving [ I.zero; I.one ] space played bound else C.check_consistent space played bound in
  need (ask bound && not (I.less I.zero bound && ask (I.subtract bound I.one))) ("the witness does not give " ^ I.to_string bound);
  require_claim certificate
    (if halving then "Halving (Barzdin and Freivald 1972, Angluin 1988)" else "Consistent learner (Gold 1967, Mitchell 1982)")
    (Printf.sprintf "one of the %d concepts of Thresholds(n=%d) labels every round" (n + 2) n) bound
    [ "concept", number !low; "name", Json.Text (Printf.sprintf "x >= %d" !low); "concepts", number (n + 2);
      "survivors", number (!high - !low + 1) ]

(* ---- Elimination: a conjunction is a disjunction of the opposite ---- *)

(* Attributes, counted from 1, as ranges such as x1-x5 x100. *)
let write_runs attributes =
  let has i = List.mem i attributes in
  let rec last i = if has (i + 1) then last (i + 1) else i in
  let run i = if last i = i then Printf.sprintf "x%d" (i + 1) else Printf.sprintf "x%d-x%d" (i + 1) (last i + 1) in
  String.concat " " (List.map run (List.filter (fun i -> not (has (i - 1))) (List.sort compare attributes)))

let check_elimination certificate about name data =
  only "the learner" [ "name"; "target"; "monotone"; "real"; "classes" ] about;
  let monotone = match field "monotone" about with Json.Bool said -> said | _ -> raise (Refused "monotone is true or false") in
  let target = text "target" about in
  need (List.mem target [ "disjunction"; "conjunction" ]) "no target is like that";
  need (List.assoc_opt "rows" certificate = None) "no sum depends on how rows are held";
  let game = read_game certificate about name data 2 in
  let witness = record_of "witness" (field "witness" certificate) in
  let n = small "attributes" (field "attributes" witness) in
  if n > 2000 then raise (Not_covered "so many attributes are not covered here");
  need (Array.for_all (Array.for_all (fun (i, x) -> x = 0. || (i < n && x = 1.))) game.entries) "an attribute is neither 0 nor 1";
  let active = Array.map (fun row -> List.filter_map (fun (i, x) -> if x = 0. then None else Some i) (Array.to_list row)) game.entries in
  let decided = if target = "disjunction" then 1 else 0 in
  let all = Array.exists (fun row -> List.length row >= n) active in
  if monotone && decided = 0 && all then raise (Not_covered "a row with all attributes, which may have been unknown before it");
  let indices = List.init n Fun.id in
  let on = if monotone && decided = 0 then [] else indices and off = if monotone && decided = 1 then [] else indices in
  let plain i x = List.mem i x and negated i x = not (List.mem i x) in
  let literals = List.map plain on @ List.map negated off in
  let rounds = Array.to_list (Array.mapi (fun t x -> x, game.codes.(t) = decided) active) in
  let wrong, kept = match C.eliminate rounds literals with
    | Some (wrong, kept) -> wrong, kept
    | None -> raise (Refused "no such target labels every round") in
  (* the rounds that taught, and what is left: a literal is dropped by a round of the other label on which it is true *)
  let on = ref on and off = ref off and moved = ref [] in
  List.iteri (fun t (x, positive) ->
    if (not positive) && (List.exists (fun i -> plain i x) !on || List.exists (fun i -> negated i x) !off) then begin
      moved := (t, 1) :: !moved;
      on := List.filter (fun i -> not (plain i x)) !on;
      off := List.filter (fun i -> not (negated i x)) !off
    end) rounds;
  let left = List.length kept in
  need (left = List.length !on + List.length !off) "what is left is counted in two ways";
  let first = game.surprise && Array.length game.codes > 0 in
  let wrong = int_of_string (I.to_string wrong) in
  let wrong = if first && not (List.mem_assoc 0 !moved) then wrong + 1 else wrong in
  require_run certificate wrong (List.rev !moved) false;
  (* m <= literals - kept; where all were there, the first round that drops any drops n of 2 n, or may have: one more *)
  let more = if not monotone then 1 else 0 in
  let bound = max 0 (n + more - left) in
  let claimed = whole "bound" (field "bound" certificate) in
  if monotone && decided = 0 && I.equal claimed (int_of (bound + 1)) then raise (Not_covered "attributes that were unknown before the first round");
  need (wrong <= bound) "more mistakes than that";
  let words = [ write_runs !on; write_runs !off ] in
  let plain, negated = match words with [ a; b ] when decided = 1 -> a, b | [ a; b ] -> b, a | _ -> assert false in
  require_claim certificate "Elimination (Valiant 1984)"
    (Printf.sprintf "a %s%s labels every round" (if monotone then "monotone " else "") target) (int_of bound)
    [ "attributes", number n; "literals", number left; "plain", Json.Text plain; "negated", Json.Text negated ]

let check certificate about name data =
  (match List.assoc_opt "real" about with
   | None | Some (Json.Text ("float32" | "float64")) -> ()
   | _ -> raise (Refused "no weights are of such a type"));
  if text "name" about = "Elimination" then check_elimination certificate about name data
  else check_listed certificate about name data
