(* Whole numbers of any size, by BigInt of JavaScript: integer_bigint.js has the operations. Trusted. *)
type t

external of_int : int -> t = "integer_of_int"
external of_text : string -> t = "integer_of_string"
external to_string : t -> string = "integer_to_string"
external add : t -> t -> t = "integer_add"
external subtract : t -> t -> t = "integer_subtract"
external multiply : t -> t -> t = "integer_multiply"
external negate : t -> t = "integer_negate"
external equal : t -> t -> bool = "integer_equal"
external less : t -> t -> bool = "integer_less"
external at_most : t -> t -> bool = "integer_at_most"
external shift_left : t -> int -> t = "integer_shift_left"
external shift_right : t -> int -> t = "integer_shift_right"
external is_odd : t -> bool = "integer_is_odd"
external power : t -> t -> t = "integer_power"
external divide : t -> t -> t = "integer_divide"
external bits : t -> int = "integer_bits"
external to_int : t -> int = "integer_to_int"
external to_float : t -> float = "integer_to_float"

let of_string = of_text
let zero = of_int 0
let one = of_int 1
let maximum a b = if less a b then b else a
let double p = shift_left p 1
let double_and_one p = add (shift_left p 1) one

let case_positive odd even last p =
  if equal p one then last () else if is_odd p then odd (shift_right p 1) else even (shift_right p 1)

let case none positive negative z =
  if equal z zero then none () else if less zero z then positive z else negative (negate z)

(* The root, rounded down, by Newton's steps from above. *)
let root n =
  if equal n zero then zero
  else
    let rec shrink x =
      let y = shift_right (add x (divide n x)) 1 in
      if less y x then shrink y else x
    in
    let rec above x = if less n (multiply x x) then x else above (shift_left x 8) in
    shrink (above one)

let log2 n = if less zero n then of_int (bits n - 1) else zero
let shift_down n by = shift_right n (to_int by) (* by what is not negative *)
