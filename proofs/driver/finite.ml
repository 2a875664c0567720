(* Finite classes, boxes, and instances learned by heart: the run is that of the extracted functions, which are the
   learners of the theorems; what is told of it is compared. Trusted but for these. *)

open Data
open Certificate
open Game
open Fractions
module C = Checks
module I = Integer

let number k = Json.Number (string_of_int k)

(* ---- what a certificate says ---- *)

type claim = { theorem : string; promise : string; bound : C.q; witness : (string * Json.t) list; expected : C.q option }

let whole_fraction k = fraction k I.one

(* Numbers by their values, so that 6.0 is 6 and true is 1, and words in order. *)
let rec loosen = function
  | Json.Number s -> Json.Number (string_of_float (float_of_string s))
  | Json.Bool b -> Json.Number (if b then "1." else "0.")
  | Json.List items -> Json.List (List.map loosen items)
  | Json.Record fields -> Json.Record (List.sort compare (List.map (fun (name, value) -> name, loosen value) fields))
  | value -> value

let require_claim certificate claim =
  let get name = field name certificate in
  let drawn = claim.expected <> None and mistakes = small "mistakes" (get "mistakes") in
  let counts = if drawn then "expected mistakes" else "mistakes" in
  need (text "theorem" certificate = claim.theorem) "no theorem of this learner is called so";
  need (text "promise" certificate = claim.promise) ("its promise is: " ^ claim.promise);
  need (text "counts" certificate = counts && text "scope" certificate = (if drawn then "expectation" else "sequence")
        && get "exact" = Json.Bool true) ("it counts " ^ counts ^ ", exactly");
  let bound = read_exact "bound" (get "bound") in
  need (same bound claim.bound) "the witness does not give that bound";
  let counted = match claim.expected with
    | None -> need (get "count" = Json.Null) "it counts mistakes"; whole_fraction (int_of mistakes)
    | Some expected -> need (same (read_exact "count" (get "count")) expected) "the expected count is another"; expected in
  let said = record_of "witness" (get "witness") in
  if Json.write (Json.Record said) <> Json.write (Json.Record claim.witness) then begin
    if loosen (Json.Record said) = loosen (Json.Record claim.witness) then raise (Not_covered "a whole number is written as something else");
    raise (Refused "its witness is another")
  end;
  need (same (read_exact "slack" (get "slack")) (minus bound counted)) "the slack does not follow";
  need (get "holds" = Json.Bool true && not (less bound counted)) "it says that it does not hold";
  Printf.sprintf "true: %s %s <= %s over %d rounds (%s); proved of the learner in exact arithmetic, whose run it is"
    (show counted) counts (show bound) (small "rounds" (get "rounds")) claim.theorem

(* The bound that a check accepts, and no smaller one. *)
let find_bound certificate ask =
  let bound = read_exact "bound" (field "bound" certificate) in
  need (I.equal bound.C.qden I.one) "the bound is no whole number";
  let k = bound.C.qnum in
  need (I.at_most I.zero k && ask k && not (I.less I.zero k && ask (I.subtract k I.one))) ("the witness does not give " ^ I.to_string k);
  bound

let hash_instances points codes =
  let buffer = Buffer.create 4096 in
  Buffer.add_string buffer "littlestone rounds 2\n";
  Array.iteri (fun t told ->
    Buffer.add_int32_le buffer 3l;
    Buffer.add_int32_le buffer (Int32.of_int (String.length told));
    Buffer.add_int64_le buffer (Int64.of_int codes.(t));
    Buffer.add_string buffer told) points;
  Sha256.hash (Buffer.contents buffer)

let to_int k = int_of_string (I.to_string k)

(* ---- classes whose concepts are listed ---- *)

let theorems = [
  "Halving", "Halving (Barzdin and Freivald 1972, Angluin 1988)";
  "Consistent", "Consistent learner (Gold 1967, Mitchell 1982)";
  "RandomizedHalving", "Randomized halving (Maass 1991)";
  "StandardOptimal", "Standard optimal algorithm (Littlestone 1988)";
  "NeverMiss", "Apple tasting without a miss (Helmbold, Littlestone and Long 2000)" ]

(* The rounds of a class: instances as a class reads them, and labels, which are 0 and 1. *)
let read_points certificate outer concepts name data =
  let declared = read_declared outer in
  need (declared = [ Valued 0.; Valued 1. ]) "no classes are like that";
  if field "classes" outer <> Json.List [ Json.Bool false; Json.Bool true ] then raise (Not_covered "classes that are numbers");
  let rounds = cut_rounds certificate name data in
  let codes, _ = number_labels (Array.map (fun (r : round) -> r.label) rounds) declared 2 in
  let points = Array.map (Classes.read_instance concepts) rounds in
  let told = Array.map (Classes.write_instance concepts.Classes.tuples) points in
  need (text "stream" certificate = hash_instances told codes) "the rounds are not those of the certificate";
  if Array.length points > 100_000 then raise (Not_covered "so many rounds are not covered here");
  points, codes

let shown_words shown inner = [ "rounds shown", number shown; "agreeing with them", Json.Record inner ]

let check_listed certificate outer about wrapped name data =
  let learner = text "name" about in
  only "the learner" ([ "name"; "concepts"; "real"; "classes"; "seed" ] @ if learner = "Consistent" then [ "choice" ] else []) about;
  let choice = if learner = "Consistent" then text "choice" about else "" in
  need (learner <> "Consistent" || List.mem choice [ "lowest"; "random" ]) "no choice is like that";
  let drawn = learner = "RandomizedHalving" and random = choice = "random" in
  need (not (drawn && wrapped)) "an expectation says nothing of rounds that depend on its coins";
  let seed = Coins.read_seed outer (drawn || random) in
  let concepts = Classes.read (text "concepts" about) in
  let size = concepts.Classes.size in
  if size > Classes.largest then raise (Not_covered "a class of so many concepts is not covered here");
  let points, codes = read_points certificate outer concepts name data in
  if float size *. float (Array.length points) > 3e7 then raise (Not_covered "so many rounds over so many concepts are not covered here");
  (* an instance is the number of its point; what concepts say of it is looked up *)
  let domain = if learner = "StandardOptimal" then Classes.list_points concepts 64 else [] in
  let known = Hashtbl.create 64 in
  let place x = match Hashtbl.find_opt known x with
    | Some (k, _) -> k
    | None ->
      let k = Hashtbl.length known in
      Hashtbl.add known x (k, Bytes.init size (fun j -> if Classes.says concepts j x then '\001' else '\000')); k in
  let places = List.map place domain in
  let instances = Array.map place points in
  let columns = Array.make (Hashtbl.length known) Bytes.empty in
  Hashtbl.iter (fun _ (k, column) -> columns.(k) <- column) known;
  let concept j x = if Bytes.get columns.(x) j = '\001' then I.one else I.zero in
  let space = List.init size concept in
  let many = Array.length points in
  let played = List.init many (fun t -> instances.(t), int_of codes.(t)) in
  let depth = ref 0 in
  while 1 lsl !depth < size do incr depth done;
  if domain <> [] && Float.pow (2. *. float (List.length domain)) (float !depth) *. float many > 3e6 then
    raise (Not_covered "the class is too large for its dimension");
  (* survivors, and the rounds that the learner is shown and that drop some *)
  let picks = Hashtbl.create 16 and cuts = ref 0 in
  let note left = let n = List.length left in
    if random && not (Hashtbl.mem picks n) then Hashtbl.add picks n (Coins.pick seed !cuts n) in
  let pick left x = match learner with
    | "NeverMiss" -> (match List.find_opt (fun h -> I.equal (h x) I.one) left with Some h -> Some h | None -> List.nth_opt left 0)
    | _ -> List.nth_opt left (if random then Hashtbl.find picks (List.length left) else 0) in
  let guess = match learner with
    | "Halving" -> C.halving_guess [ I.zero; I.one ]
    | "StandardOptimal" -> C.optimal_guess places
    | _ -> fun left x -> match pick left x with Some h -> h x | None -> I.zero in
  let left = ref (List.init size Fun.id) and moved = ref [] and wrong = ref 0 in
  for t = 0 to many - 1 do
    let x = instances.(t) and y = int_of codes.(t) in
    let functions = if wrapped then List.map concept !left else [] in
    note !left;
    let errs = not (I.equal y (if drawn then concept (List.nth !left (Coins.pick seed t (List.length !left))) x
                               else if wrapped then guess functions x else y)) in
    if errs then incr wrong;
    if errs || not wrapped then begin
      let kept = List.filter (fun j -> I.equal (concept j x) y) !left in
      need (kept <> []) "no concept labels every round";
      let cut = List.compare_lengths kept !left < 0 in
      if cut then incr cuts;
      if cut || wrapped then moved := (t, 1) :: !moved;
      left := kept
    end
  done;
  let taught = if wrapped then C.shown guess played space else played in
  let mistakes = if drawn then !wrong else to_int (C.mistakes guess taught space) in
  need (not wrapped || (mistakes = !wrong && List.length taught = !wrong)) "the rounds shown are counted in two ways";
  require_run certificate mistakes (List.rev !moved) false;
  let promise = Printf.sprintf "one of the %d concepts of %s labels every round" size concepts.Classes.text in
  let first = List.hd !left in
  let witness = [ "concept", number first; "name", Json.Text (Classes.name_of concepts first); "concepts", number size;
    "survivors", number (List.length !left) ] in
  let claim = { theorem = List.assoc learner theorems; promise; bound = whole_fraction I.zero; witness; expected = None } in
  let claim = match learner with
    | "Halving" -> { claim with bound = find_bound certificate (C.check_halving [ I.zero; I.one ] space taught) }
    | "StandardOptimal" ->
      let dimension left = C.depths places left - 1 in
      { claim with bound = find_bound certificate (C.check_optimal places Int.equal space taught);
        witness = witness @ [ "dimension", number (dimension space); "dimension left", number (dimension (List.map concept !left)) ] }
    | "RandomizedHalving" ->
      let bound = read_exact "bound" (field "bound" certificate) in
      let given = minus (C.harmonic size) (C.harmonic (List.length !left)) in
      need (C.check_drawn space taught bound && same given bound) "the witness does not give that bound";
      { claim with bound; promise = promise ^ ", and no label depends on the learner's coins"; expected = Some (C.expected taught space) }
    | _ -> { claim with bound = find_bound certificate (C.check_consistent space taught) } in
  require_claim certificate (if not wrapped then claim else
    { claim with theorem = "Conservative conversion (Littlestone 1989) of " ^ claim.theorem; witness = shown_words !wrong claim.witness })

(* ---- boxes on a grid ---- *)

let check_closure certificate about name data =
  only "the learner" [ "name"; "concepts"; "real"; "classes" ] about;
  let concepts = Classes.read (text "concepts" about) in
  need (concepts.Classes.kind = "Rectangles") "no boxes are like that";
  let points, codes = read_points certificate about concepts name data in
  let rounds = List.init (Array.length points) (fun t -> List.map int_of (Array.to_list points.(t)), codes.(t) = 1) in
  let mistakes, last = match C.close rounds None with Some found -> found | None -> raise (Refused "no box labels every round") in
  (* a round teaches if its point is positive and outside *)
  let around = ref None and moved = ref [] in
  List.iteri (fun t (x, positive) ->
    if positive && not (C.inside !around x) then (around := C.grow !around x; moved := (t, 1) :: !moved)) rounds;
  require_run certificate (to_int mistakes) (List.rev !moved) false;
  let corner side sides = Json.List (List.map (fun both -> Json.Number (I.to_string (side both))) sides) in
  require_claim certificate { theorem = "Closure (Helmbold, Sloan and Warmuth 1990)"; expected = None;
    promise = Printf.sprintf "a box on the grid of %d points a side in %d dimensions labels every round" concepts.Classes.n concepts.Classes.d;
    bound = find_bound certificate (C.check_closure rounds);
    witness = [ "box", match last with None -> Json.Null | Some sides -> Json.List [ corner fst sides; corner snd sides ] ] }

(* ---- instances learned by heart ---- *)

(* Where it is `wrapped`, by Conservative, only rounds that are guessed wrong are learned. *)
let check_memorizer certificate about wrapped name data =
  only "the learner" ([ "name"; "real"; "classes" ] @ if wrapped then [ "learner" ] else []) about;
  let declared = read_declared about and rounds = cut_rounds certificate name data in
  let labels = Array.map (fun (r : round) -> r.label) rounds in
  let codes, _ = number_labels labels declared 2147483647 in
  if Array.length rounds > 20_000 then raise (Not_covered "so many instances are not covered here");
  let rows = Array.for_all (fun (r : round) -> r.row) rounds in
  if not rows then Array.iter (fun (r : round) ->
    if r.row || not (Json.is_whole r.instance) || r.instance = "-" || I.to_string (I.of_string r.instance) <> r.instance then
      raise (Not_covered "instances that are neither rows nor whole numbers")) rounds;
  let stream = if rows then fingerprint (Array.map (fun (r : round) -> r.entries) rounds) codes
    else hash_instances (Array.map (fun (r : round) -> r.instance) rounds) codes in
  need (text "stream" certificate = stream) "the rounds are not those of the certificate";
  let key (r : round) = r.instance, List.sort compare (List.filter (fun (_, x) -> x <> 0.) (Array.to_list r.entries)) in
  let equal a b = compare a b = 0 and seen = Hashtbl.create 64 and moved = ref [] in
  let learns t x y = match Hashtbl.find_opt seen x with
    | Some known -> need (known = y) "an instance has two labels"; not wrapped
    | None ->
      let learned = not (wrapped && y = 0) in
      if learned then (Hashtbl.add seen x y; moved := (t, 1) :: !moved);
      learned in
  let played = List.init (Array.length rounds) (fun t -> t, key rounds.(t), codes.(t)) in
  let played = List.filter_map (fun (t, x, y) -> if learns t x y then Some (x, int_of y) else None) played in
  let mistakes, memory = match C.memorize equal played [] with
    | Some found -> found | None -> raise (Refused "an instance has two labels") in
  (* of labels that were not known before the first round that round is a mistake, and its instance is new *)
  let surprised = is_surprise labels about && codes.(0) = 0 in
  require_run certificate (to_int mistakes + Bool.to_int surprised) (List.rev !moved) false;
  let theorem, witness = "Memorizer (Samuel 1959)", [ "instances", number (List.length memory) ] in
  require_claim certificate { promise = "the label is a function of the instance"; expected = None;
    theorem = if wrapped then "Conservative conversion (Littlestone 1989) of " ^ theorem else theorem;
    bound = find_bound certificate (C.check_memorizer equal played);
    witness = if wrapped then shown_words (List.length played) witness else witness }

(* What holds of all these learners: no weights are of another type, and no sum depends on how rows are held. *)
let require_plain certificate about =
  (match List.assoc_opt "real" about with
   | None | Some (Json.Text ("float32" | "float64")) -> ()
   | _ -> raise (Refused "no weights are of such a type"));
  need (List.mem (List.assoc_opt "rows" certificate) [ None; Some Json.Null ]) "no sum depends on how rows are held"

let check certificate about name data =
  require_plain certificate about;
  match text "name" about with
  | "Closure" -> check_closure certificate about name data
  | "Memorizer" -> check_memorizer certificate about false name data
  | "Conservative" ->
    only "the learner" [ "name"; "learner"; "real"; "classes"; "seed" ] about;
    let inner = record_of "learner" (field "learner" about) in
    (match text "name" inner with
     | "Memorizer" -> only "the learner" [ "name" ] inner; check_memorizer certificate about true name data
     | learner when List.mem_assoc learner theorems ->
       only "the learner" [ "name"; "concepts"; "choice" ] inner;
       check_listed certificate about inner true name data
     | learner -> raise (Not_covered (learner ^ " inside Conservative is not covered here")))
  | _ -> check_listed certificate about about false name data
