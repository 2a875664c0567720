(* Fractions as certificates write them. Trusted. *)

open Data
open Certificate
module C = Checks
module I = Integer

let fraction top bottom = { C.qnum = top; qden = bottom }
let over_power top k = if k >= 0 then fraction top (two_to k) else fraction (I.shift_left top (-k)) I.one
let times a b = fraction (I.multiply a.C.qnum b.C.qnum) (I.multiply a.C.qden b.C.qden)
let inverse a = fraction a.C.qden a.C.qnum
let plus a b = fraction (I.add (I.multiply a.C.qnum b.C.qden) (I.multiply b.C.qnum a.C.qden)) (I.multiply a.C.qden b.C.qden)
let less a b = I.less (I.multiply a.C.qnum b.C.qden) (I.multiply b.C.qnum a.C.qden)
let exactly x = let m, e = if x = 0. then I.zero, 0 else trim (dyadic x) in over_power m (-e)

let ratio a b = (* a / b as a float, near enough *)
  if I.equal a I.zero then 0. else I.to_float (I.divide (I.shift_left a 80) b) /. Float.ldexp 1. 80

let rec divisor a b = if I.equal b I.zero then a else divisor b (I.subtract a (I.multiply b (I.divide a b)))

let read_fraction what = function
  | Json.Number s when Json.is_whole s && s <> "-" -> fraction (I.of_string s) I.one
  | Json.Number s -> exactly (float_of what (Json.Number s))
  | Json.Text s ->
    let top, bottom = match String.split_on_char '/' s with
      | [ top; bottom ] when List.for_all (fun k -> Json.is_whole k && k <> "-") [ top; bottom ] -> I.of_string top, I.of_string bottom
      | _ -> raise (Refused (what ^ " is no fraction")) in
    need (I.less I.one bottom && s = I.to_string top ^ "/" ^ I.to_string bottom) (what ^ " is no fraction");
    let common = divisor bottom (I.maximum top (I.negate top)) in
    need (I.equal common I.one) (what ^ " is not in lowest terms");
    fraction top bottom
  | _ -> raise (Refused (what ^ " is no number"))

(* Bounds, counts and what is between them are never floats of a run that is counted exactly. *)
let read_exact what = function
  | Json.Number s when not (Json.is_whole s) -> raise (Not_covered (what ^ " is a float"))
  | value -> read_fraction what value

let same a b = I.equal (I.multiply a.C.qnum b.C.qden) (I.multiply b.C.qnum a.C.qden)
let minus a b = plus a (fraction (I.negate b.C.qnum) b.C.qden)
let unit = fraction I.one I.one
let show x = if I.equal x.C.qden I.one then I.to_string x.C.qnum else Printf.sprintf "%.6g" (ratio x.C.qnum x.C.qden)
let size x = int_of_string (I.to_string (I.log2 (I.maximum x (I.negate x)))) + 1

