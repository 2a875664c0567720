(* Rounds from bytes: what `littlestone rounds` writes, and svmlight; class numbers and the fingerprint. Trusted. *)

exception Unreadable of string
exception Refused of string
exception Not_covered of string

let need condition why = if not condition then raise (Refused why)
let wants condition why = if not condition then raise (Unreadable why)
let round32 x = Int32.float_of_bits (Int32.bits_of_float x)

type label = Named of string | Valued of float | Nothing (* a declared class that no round has *)
type round = { label : label; entries : (int * float) array; row : bool; instance : string (* what stands for an instance that is no row *) }

let read_label = function
  | Json.Text s -> Named s
  | Json.Bool b -> Valued (if b then 1. else 0.)
  | Json.Number s -> Valued (float_of_string s)
  | _ -> raise (Unreadable "a label is a text, a number, true or false")

let read_attribute text =
  let plain = text <> "" && String.length text <= 10 && text.[0] <> '-' && Json.is_whole text in
  wants plain ("no attribute is " ^ text);
  let value = float_of_string text in
  wants (value < 2147483648.) ("no attribute is " ^ text);
  int_of_float value

(* A whole number, or mpe for m times 2^e. *)
let read_dyadic text =
  if text = "nan" then Float.nan
  else begin
    wants (String.length text < 32) "a value is too long";
    let top, power = match String.index_opt text 'p' with
      | None -> text, "0"
      | Some k -> String.sub text 0 k, String.sub text (k + 1) (String.length text - k - 1) in
    wants (Json.is_whole top && top <> "-" && Json.is_whole power && power <> "-" && String.length power < 8) ("no value is " ^ text);
    let mantissa = float_of_string top in
    wants (Float.abs mantissa <= 9007199254740992.) ("no float is " ^ text);
    let value = Float.ldexp mantissa (int_of_string power) in
    wants (Float.is_finite value && (value <> 0. || mantissa = 0.)) ("no float is " ^ text);
    wants (int_of_string power >= -1074 && (Float.ldexp value (- int_of_string power) = mantissa || Float.abs value < 1e-300)) ("no float is " ^ text);
    let dyadic = power <> "0" in
    let odd = Float.rem mantissa 2. <> 0. and fine = int_of_string power < 0 || Float.abs value >= 9007199254740992. in
    let digits = if top.[0] = '-' then String.sub top 1 (String.length top - 1) else top in
    wants ((if dyadic then odd && fine else String.index_opt text 'p' = None && Float.abs mantissa < 9007199254740992.)
      && (digits.[0] <> '0' || text = "0")) ("no float is written " ^ text);
    value
  end

let split_entry entry = match String.index_opt entry ':' with
  | None -> raise (Unreadable ("no entry is " ^ entry))
  | Some k -> String.sub entry 0 k, String.sub entry (k + 1) (String.length entry - k - 1)

let read_lines text =
  let lines = String.split_on_char '\n' text in
  let known = Hashtbl.create 256 in
  let value text = match Hashtbl.find_opt known text with
    | Some x -> x
    | None -> let x = read_dyadic text in Hashtbl.add known text x; x in
  let read line = match String.index_opt line '\t' with
    | None -> raise (Unreadable "a round is a label, a TAB and a row")
    | Some k ->
      let label = try read_label (Json.parse (String.sub line 0 k)) with Json.Malformed why -> raise (Unreadable why) in
      let rest = String.sub line (k + 1) (String.length line - k - 1) in
      if rest <> "" && rest.[0] = '=' then { label; entries = [||]; row = false; instance = String.sub rest 1 (String.length rest - 1) }
      else
        let entries = if rest = "" then [] else String.split_on_char ' ' rest in
        let entry e = let attribute, v = split_entry e in read_attribute attribute, value v in
        { label; entries = Array.of_list (List.map entry entries); row = true; instance = "" } in
  let rec go done_ = function
    | [ "" ] -> List.rev done_
    | [] | [ _ ] -> raise (Unreadable "the last line has no end")
    | line :: rest -> go (read line :: done_) rest in
  match lines with first :: rest when first = "littlestone rounds 2" -> go [] rest | _ -> raise (Unreadable "rounds of another version")

(* A decimal to the nearest float32. Short ones go through float64, which cannot make a tie of them but in theory: a value
   whose float64 lies exactly between two float32 is refused unless it was written so. *)
let is_decimal text =
  let n = String.length text and at = ref 0 and some = ref false in
  let digits () = while !at < n && text.[!at] >= '0' && text.[!at] <= '9' do incr at; some := true done in
  if n > 0 && (text.[0] = '+' || text.[0] = '-') then incr at;
  digits ();
  if !at < n && text.[!at] = '.' then (incr at; digits ());
  !some && (!at = n || ((text.[!at] = 'e' || text.[!at] = 'E') && begin
    incr at; some := false;
    if !at < n && (text.[!at] = '+' || text.[!at] = '-') then incr at;
    digits (); !some && !at = n end))

let read_decimal text =
  wants (is_decimal text && String.length text < 400) ("no number is " ^ text);
  float_of_string text

let read_value text =
  let value = read_decimal text in
  let short = round32 value in
  wants (Float.is_finite short) (text ^ " is beyond float32");
  let rest = Int64.logand (Int64.bits_of_float value) 0x1fffffffL in
  if rest = 0x10000000L && String.length text > 17 then raise (Not_covered (text ^ " is too close to call in float32"));
  if short <> 0. && Float.abs short < 1.2e-38 then raise (Not_covered (text ^ " is too small"));
  short

let read_svmlight text =
  let read line =
    let line = match String.index_opt line '#' with None -> line | Some k -> String.sub line 0 k in
    let line = String.map (fun c -> if c = '\r' || c = '\t' then ' ' else c) line in
    match List.filter (fun w -> w <> "") (String.split_on_char ' ' line) with
    | [] -> None
    | label :: words ->
      let entry w = let attribute, v = split_entry w in read_attribute attribute, read_value v in
      let words = match words with first :: rest when String.length first > 4 && String.sub first 0 4 = "qid:" -> rest | all -> all in
      let entries = Array.of_list (List.map entry words) in
      let rising = ref true in
      Array.iteri (fun k (i, _) -> if k > 0 && fst entries.(k - 1) >= i then rising := false) entries;
      if not !rising then raise (Not_covered "a row does not ascend: littlestone rounds writes the data plainly");
      Some { label = Valued (read_decimal label); entries; row = true; instance = "" } in
  List.filter_map read (String.split_on_char '\n' text)

let starts_with prefix text =
  String.length text >= String.length prefix && String.sub text 0 (String.length prefix) = prefix

let ends_with suffix text =
  let n = String.length text and k = String.length suffix in n >= k && String.sub text (n - k) k = suffix

let read_rounds name text =
  if starts_with "littlestone rounds " text then read_lines text
  else if List.exists (fun s -> ends_with s name) [ ".svm"; ".svmlight"; ".libsvm" ] then read_svmlight text
  else raise (Not_covered (name ^ " is read as .svm or what littlestone rounds writes"))

(* Class numbers: false, 0 and -1 are 0, true and 1 are 1, others in turn. Also how many classes there are. *)
let number_labels labels declared limit =
  need (List.length declared <= limit) "too many classes are declared";
  let numbers = Hashtbl.create 16 and names = Hashtbl.create 16 in
  List.iteri (fun k label ->
    need (not (Hashtbl.mem numbers label)) "declared classes must differ from one another";
    Hashtbl.add numbers label k; Hashtbl.add names k label) declared;
  let closed = declared <> [] in
  let number label = match Hashtbl.find_opt numbers label with
    | Some k -> k
    | None ->
      let usual = match label with Valued 0. | Valued (-1.) -> Some 0 | Valued 1. -> Some 1 | _ -> None in
      let chosen =
        if closed then begin
          need (declared = [ Valued 0.; Valued 1. ] && usual <> None) "a label is no declared class";
          Option.get usual
        end else
          let taken = Hashtbl.length names in
          let free = List.find (fun k -> k >= 0 && not (Hashtbl.mem names k)) [ 0; taken - 1; taken ] in
          match usual with Some k when not (Hashtbl.mem names k) -> k | _ -> free in
      need (chosen < limit) "there is one class too many";
      Hashtbl.add numbers label chosen;
      if not (Hashtbl.mem names chosen) then Hashtbl.add names chosen label;
      chosen in
  let codes = Array.map number labels in
  codes, Hashtbl.fold (fun k _ most -> max most (k + 1)) names 2

(* Whether the first guess is a mistake in any case: an unusual label comes first, and nothing is said of classes. *)
let is_surprise (labels : label array) about =
  Array.length labels > 0 && not (List.mem_assoc "classes" about)
  && not (List.mem labels.(0) [ Valued 0.; Valued (-1.); Valued 1. ])

(* Of rows with classes or, flagged by 4, outcomes, whose bits are given. *)
let hash_rounds flag rows codes =
  let buffer = Buffer.create 65536 in
  Buffer.add_string buffer "littlestone rounds 2\n";
  Array.iteri (fun t row ->
    let row = List.filter (fun (_, v) -> v <> 0.) (Array.to_list row) in
    let kind = List.fold_left (fun kind (_, v) ->
      if v = 1. then kind else max kind (if v = round32 v then 1 else 2)) 0 row in
    Buffer.add_int32_le buffer (Int32.of_int (kind + flag));
    Buffer.add_int32_le buffer (Int32.of_int (List.length row));
    Buffer.add_int64_le buffer codes.(t);
    List.iter (fun (i, _) -> Buffer.add_int32_le buffer (Int32.of_int i)) row;
    if kind = 1 then List.iter (fun (_, v) -> Buffer.add_int32_le buffer (Int32.bits_of_float v)) row;
    if kind = 2 then List.iter (fun (_, v) ->
      Buffer.add_int64_le buffer (if Float.is_nan v then 0x7ff8000000000000L else Int64.bits_of_float v)) row) rows;
  Sha256.hash (Buffer.contents buffer)

let fingerprint rows codes = hash_rounds 0 rows (Array.map Int64.of_int codes)
