(* JSON: numbers are kept as they are written, so that the text of a certificate can be written again. Trusted. *)

exception Malformed of string
exception Too_long of string

let longest = 4000 (* characters of a number *)

type t =
  | Null
  | Bool of bool
  | Number of string
  | Text of string
  | List of t list
  | Record of (string * t) list

let deepest = 100

let write_scalar buffer code =
  let add = Buffer.add_char buffer in
  let continue shift = add (Char.chr (0x80 lor ((code lsr shift) land 0x3f))) in
  if code < 0x80 then add (Char.chr code)
  else if code < 0x800 then (add (Char.chr (0xc0 lor (code lsr 6))); continue 0)
  else if code < 0x10000 then (add (Char.chr (0xe0 lor (code lsr 12))); continue 6; continue 0)
  else (add (Char.chr (0xf0 lor (code lsr 18))); continue 12; continue 6; continue 0)

let parse text =
  let n = String.length text and at = ref 0 in
  let fail () = raise (Malformed (Printf.sprintf "its JSON is malformed at byte %d" !at)) in
  let peek () = if !at < n then text.[!at] else '\000' in
  let rec skip () = if !at < n && String.contains " \t\r\n" text.[!at] then (incr at; skip ()) in
  let expect c = if peek () = c && !at < n then incr at else fail () in
  let word w value = if !at + String.length w <= n && String.sub text !at (String.length w) = w
    then (at := !at + String.length w; value) else fail () in
  let digits () = let from = !at in
    while peek () >= '0' && peek () <= '9' do incr at done; if !at = from then fail () in
  let number () =
    let from = !at in
    if peek () = '-' then incr at;
    if peek () = '0' then (incr at; if peek () >= '0' && peek () <= '9' then fail ()) else digits ();
    if peek () = '.' then (incr at; digits ());
    if peek () = 'e' || peek () = 'E' then (incr at; if peek () = '+' || peek () = '-' then incr at; digits ());
    if !at - from > longest then raise (Too_long (Printf.sprintf "a number has %d characters" (!at - from)));
    Number (String.sub text from (!at - from)) in
  let hex () =
    if !at + 4 > n then fail ();
    let code = String.sub text !at 4 in
    String.iter (fun c -> if not (String.contains "0123456789abcdefABCDEF" c) then fail ()) code;
    at := !at + 4; int_of_string ("0x" ^ code) in
  let string () =
    expect '"';
    let buffer = Buffer.create 16 in
    let rec go () =
      if !at >= n then fail ();
      let c = text.[!at] in
      incr at;
      if c = '"' then Buffer.contents buffer
      else if c < ' ' then fail ()
      else if c <> '\\' then (Buffer.add_char buffer c; go ())
      else begin
        let c = peek () in
        incr at;
        (match c with
         | '"' | '\\' | '/' -> Buffer.add_char buffer c
         | 'b' -> Buffer.add_char buffer '\b' | 'f' -> Buffer.add_char buffer '\012'
         | 'n' -> Buffer.add_char buffer '\n' | 'r' -> Buffer.add_char buffer '\r' | 't' -> Buffer.add_char buffer '\t'
         | 'u' ->
           let high = hex () in
           if high >= 0xd800 && high < 0xdc00 && peek () = '\\' && !at + 1 < n && text.[!at + 1] = 'u' then begin
             at := !at + 2;
             let low = hex () in
             if low < 0xdc00 || low > 0xdfff then fail ();
             write_scalar buffer (0x10000 + ((high - 0xd800) lsl 10) + (low - 0xdc00))
           end else if high >= 0xd800 && high <= 0xdfff then fail ()
           else write_scalar buffer high
         | _ -> fail ());
        go ()
      end in
    go () in
  let rec value depth =
    if depth > deepest then fail ();
    skip ();
    let found = match peek () with
      | '{' ->
        incr at; skip ();
        if peek () = '}' then (incr at; Record [])
        else begin
          let fields = ref [] and seen = Hashtbl.create 16 and more = ref true in
          while !more do
            skip ();
            let name = string () in
            if Hashtbl.mem seen name then raise (Malformed ("it says " ^ name ^ " twice"));
            Hashtbl.add seen name ();
            skip (); expect ':';
            let inner = value (depth + 1) in
            fields := (name, inner) :: !fields;
            if peek () = ',' then incr at else (expect '}'; more := false)
          done;
          Record (List.rev !fields)
        end
      | '[' ->
        incr at; skip ();
        if peek () = ']' then (incr at; List [])
        else begin
          let items = ref [] and more = ref true in
          while !more do
            let item = value (depth + 1) in
            items := item :: !items;
            if peek () = ',' then incr at else (expect ']'; more := false)
          done;
          List (List.rev !items)
        end
      | '"' -> Text (string ())
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | _ -> number () in
    skip (); found in
  let found = value 0 in
  if !at < n then fail ();
  found

(* Text as Python's json.dumps writes it with sorted keys: ASCII, a space after each colon and comma. *)
let write value =
  let buffer = Buffer.create 4096 in
  let add = Buffer.add_string buffer in
  let unit code = add (Printf.sprintf "\\u%04x" code) in
  let write_text s =
    add "\"";
    let n = String.length s and at = ref 0 in
    while !at < n do
      let c = Char.code s.[!at] in
      let next k = Char.code s.[!at + k] land 0x3f in
      let code, long =
        if c < 0x80 then c, 1
        else if c < 0xe0 && !at + 1 < n then ((c land 0x1f) lsl 6) lor next 1, 2
        else if c < 0xf0 && !at + 2 < n then ((c land 0xf) lsl 12) lor (next 1 lsl 6) lor next 2, 3
        else if !at + 3 < n then ((c land 7) lsl 18) lor (next 1 lsl 12) lor (next 2 lsl 6) lor next 3, 4
        else raise (Malformed "a text is not UTF-8") in
      (match code with
       | 34 -> add "\\\"" | 92 -> add "\\\\" | 10 -> add "\\n" | 13 -> add "\\r" | 9 -> add "\\t"
       | 8 -> add "\\b" | 12 -> add "\\f"
       | code when code < 32 || code = 127 && false -> unit code
       | code when code < 128 -> Buffer.add_char buffer (Char.chr code)
       | code when code < 0x10000 -> unit code
       | code -> unit (0xd800 + ((code - 0x10000) lsr 10)); unit (0xdc00 + ((code - 0x10000) land 0x3ff)));
      at := !at + long
    done;
    add "\"" in
  let rec go = function
    | Null -> add "null"
    | Bool b -> add (string_of_bool b)
    | Number s -> add s
    | Text s -> write_text s
    | List items -> add "["; List.iteri (fun k item -> if k > 0 then add ", "; go item) items; add "]"
    | Record fields ->
      let fields = List.sort (fun (a, _) (b, _) -> compare a b) fields in
      add "{";
      List.iteri (fun k (name, item) -> if k > 0 then add ", "; write_text name; add ": "; go item) fields;
      add "}" in
  go value;
  Buffer.contents buffer

let is_whole s = s <> "" && (let ok = ref true in
  String.iteri (fun k c -> if not ((c >= '0' && c <= '9') || (k = 0 && c = '-')) then ok := false) s; !ok)
