(* The theorems by their names, and what is asked of the extracted checks. Trusted but for these. *)

open Data
open Certificate
open Fractions
module C = Checks
module I = Integer

let clean = "some u has u.z >= g > 0 on every update round"
let any = "any comparator u and margin g > 0, its shortfalls (g - u.z)+ summed over the update rounds"

let theorems = [
  "Perceptron (Novikoff 1962)", (clean, C.Novikoff);
  "Perceptron, hinge loss", (any, C.Hinge);
  "Perceptron, squared deviation (Freund and Schapire 1999)",
    ("any comparator u and margin g > 0, its shortfalls (g - u.z)+ squared and summed over the update rounds", C.Squared);
  "Perceptron, run-dependent", (any ^ ", and the length of the final weights", C.RunDependent);
  "Perceptron, hinge loss, readable form", (any, C.Readable);
  "Perceptron, total deviation", (any, C.TotalDeviation) ]

(* The most that floats may have measured when the certificate was made: a bound that even this does not give is too large.
   Rows are taken 2^64 times and the comparator 2^256 times as large, so that all numbers are whole. *)
let loosen (f : C.facts) over steps entries =
  let open I in
  let times = multiply and rows = 64 and u = 256 in
  let longest = divide (subtract f.C.reach (multiply (int_of 2) over)) f.C.under in
  let more x shift = add (shift_left x shift) (shift_left x (shift - 36)) in
  let n = int_of steps in
  (* (entries + 8) 2^-50 |u| |z|, rounded up, in units of 2^-(rows + u) *)
  let root = add one (root (shift_left (times f.C.norm longest) (2 * (rows + u)))) in
  let off = add one (shift_right (times (int_of (entries + 8)) root) 50) in
  let short = add (shift_left f.C.missing (rows + u)) (times n off) in
  let short = add short (add one (shift_right short 36)) in
  let squares = add (shift_left f.C.missing2 (2 * (rows + u)))
      (add (times (int_of 2) (times off (shift_left f.C.missing (rows + u)))) (times n (times off off))) in
  let squares = add squares (add one (shift_right squares 36)) in
  let grown = times (times (add (two_to (2 * rows - 36)) (times (times n n) (two_to (2 * rows - 50)))) longest) n in
  { C.norm = more f.C.norm (2 * u); margin = shift_left f.C.margin (rows + u); under = f.C.under;
    reach = add (times f.C.under (more longest (2 * rows))) (shift_left (multiply (int_of 2) over) (2 * rows));
    missing = short; missing2 = squares; final = add (shift_left f.C.final (2 * rows)) grown;
    beyond = add (shift_left f.C.beyond (2 * rows)) (times f.C.under grown) }

let near what claimed truth =
  need (Float.abs (claimed -. truth) <= 1e-6 *. Float.max truth 1.) (Printf.sprintf "%s is %.6g, not %.6g" what truth claimed)

(* ---- passive-aggressive learners: fractions of the units in which the learner counts ---- *)

let losses = "any comparator u, its losses (k - u.z)+"

let passive = [
  "0", "some u has u.z >= k, the learner's margin, on every update round";
  "I", losses ^ " summed over the update rounds, k being the learner's margin";
  "II", losses ^ " squared and summed over the update rounds, k the learner's margin" ]

(* Whether the check accepts that at most [bound] mistakes moved the weights. Facts are in whole numbers: those of u.z count
   2^-fine, those of rows squared 4^-bits, |u|^2 counts 4^-(fine - bits). *)
let ask_passive variant margin aggressiveness (f : C.facts) fine bits bound =
  let k = exactly margin and c = exactly aggressiveness in
  let norm = over_power f.C.norm (2 * (fine - bits)) and longest = over_power f.C.reach (2 * bits) in
  let two = fraction (int_of 2) I.one and none = fraction I.zero I.one in
  let square = times k k and flat = I.equal f.C.reach I.zero in
  let charged = match variant with
    | "I" -> times (times two c) (over_power f.C.missing fine)
    | "II" -> times (times two c) (over_power f.C.missing2 (2 * fine))
    | _ -> none in
  let least = match variant with
    | "0" -> if flat then plus norm (fraction I.one I.one) else times square (inverse longest)
    | "I" ->
      let capped = times c k in
      if flat then capped else let free = times square (inverse longest) in if less free capped then free else capped
    | _ -> times square (inverse (plus longest (inverse (times two c)))) in
  I.at_most I.zero bound && C.check_passive least norm charged (fraction bound I.one)

(* ROMMA: whether the check accepts that at most [bound] rounds made a mistake, and whether one less is given as well.
   Rows count 2^-bits, u.z counts 2^-fine. *)
let ask_romma (f : C.facts) (loose : C.facts) u g fine bits rows bound =
  let vector top power = if power >= 0 then { C.top; bottom = two_to power }
    else { C.top = List.map (fun (i, v) -> i, I.shift_left v (-power)) top; bottom = I.one } in
  let reach = if rows = [] then fraction I.one I.one else over_power f.C.reach (2 * bits) in
  I.at_most I.zero bound
  && C.check_romma (vector u (fine - bits)) (over_power g fine) reach (List.map (fun z -> vector z bits) rows) (fraction bound I.one),
  I.less I.zero bound
  && I.less (I.multiply loose.C.reach loose.C.norm) (I.multiply bound (I.multiply loose.C.margin loose.C.margin))
