(* Whole numbers of any size, by Zarith. Trusted, and integer_bigint.ml beside it. *)
type t = Z.t

let zero = Z.zero
let one = Z.one
let add = Z.add
let subtract = Z.sub
let multiply = Z.mul
let negate = Z.neg
let maximum = Z.max
let equal = Z.equal
let less = Z.lt
let at_most = Z.leq
let double p = Z.shift_left p 1
let double_and_one p = Z.succ (Z.shift_left p 1)
let power base exponent = if Z.sign exponent < 0 then Z.zero else Z.pow base (Z.to_int exponent)

let case_positive odd even last p =
  if Z.equal p Z.one then last () else if Z.is_odd p then odd (Z.shift_right p 1) else even (Z.shift_right p 1)

let case none positive negative z =
  let s = Z.sign z in
  if s = 0 then none () else if s > 0 then positive z else negative (Z.neg z)

let of_int = Z.of_int
let of_string = Z.of_string
let to_string = Z.to_string
let shift_left = Z.shift_left
let shift_right = Z.shift_right
let divide = Z.div
let root = Z.sqrt (* of what is not negative, rounded down *)
let to_float = Z.to_float
let log2 n = if Z.sign n <= 0 then Z.zero else Z.of_int (Z.numbits n - 1)
let shift_down n by = Z.shift_right n (Z.to_int by) (* by what is not negative *)
