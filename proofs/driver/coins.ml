(* Coins: splitmix64, by the seed of a certificate and the number of a toss. Trusted. *)

open Data
open Certificate
module I = Integer

let mix_bits word =
  let open Int64 in
  let fold word by factor = mul (logxor word (shift_right_logical word by)) factor in
  let word = fold (add word 0x9E3779B97F4A7C15L) 30 0xBF58476D1CE4E5B9L in
  let word = fold word 27 0x94D049BB133111EBL in
  logxor word (shift_right_logical word 31)

let draw_bits seed number = mix_bits (Int64.logxor (mix_bits (Int64.logand seed Int64.max_int)) (Int64.of_int number))
let natural bits = I.of_string (Printf.sprintf "%Lu" bits)

(* One of so many, equally likely. *)
let pick seed number among =
  let bits = draw_bits seed number in
  let drawn = I.add (I.shift_left (natural bits) 64) (natural (mix_bits (Int64.lognot bits))) in
  int_of_string (I.to_string (I.shift_right (I.multiply drawn (int_of among)) 128))

(* A number from 0 to 1, in units of 2^-53. *)
let toss seed number = natural (Int64.shift_right_logical (draw_bits seed number) 11)

let read_seed about tosses = match List.assoc_opt "seed" about with
  | None -> 0L
  | Some seed ->
    need tosses "only coins have a seed";
    let seed = whole "seed" seed in
    if not (I.at_most I.zero seed && I.less seed (two_to 62)) then raise (Not_covered "such a seed is not covered here");
    Int64.of_string (I.to_string seed)
