(* SHA-256 (FIPS 180-4). Trusted. *)

let constants = [|
  0x428a2f98l; 0x71374491l; 0xb5c0fbcfl; 0xe9b5dba5l; 0x3956c25bl; 0x59f111f1l; 0x923f82a4l; 0xab1c5ed5l;
  0xd807aa98l; 0x12835b01l; 0x243185bel; 0x550c7dc3l; 0x72be5d74l; 0x80deb1fel; 0x9bdc06a7l; 0xc19bf174l;
  0xe49b69c1l; 0xefbe4786l; 0x0fc19dc6l; 0x240ca1ccl; 0x2de92c6fl; 0x4a7484aal; 0x5cb0a9dcl; 0x76f988dal;
  0x983e5152l; 0xa831c66dl; 0xb00327c8l; 0xbf597fc7l; 0xc6e00bf3l; 0xd5a79147l; 0x06ca6351l; 0x14292967l;
  0x27b70a85l; 0x2e1b2138l; 0x4d2c6dfcl; 0x53380d13l; 0x650a7354l; 0x766a0abbl; 0x81c2c92el; 0x92722c85l;
  0xa2bfe8a1l; 0xa81a664bl; 0xc24b8b70l; 0xc76c51a3l; 0xd192e819l; 0xd6990624l; 0xf40e3585l; 0x106aa070l;
  0x19a4c116l; 0x1e376c08l; 0x2748774cl; 0x34b0bcb5l; 0x391c0cb3l; 0x4ed8aa4al; 0x5b9cca4fl; 0x682e6ff3l;
  0x748f82eel; 0x78a5636fl; 0x84c87814l; 0x8cc70208l; 0x90befffal; 0xa4506cebl; 0xbef9a3f7l; 0xc67178f2l |]

let start = [| 0x6a09e667l; 0xbb67ae85l; 0x3c6ef372l; 0xa54ff53al; 0x510e527fl; 0x9b05688cl; 0x1f83d9abl; 0x5be0cd19l |]

let hash text =
  let ( +. ) = Int32.add and ( ^. ) = Int32.logxor and ( &. ) = Int32.logand in
  let turn x k = Int32.logor (Int32.shift_right_logical x k) (Int32.shift_left x (32 - k)) in
  let right = Int32.shift_right_logical in
  let n = String.length text in
  let blocks = (n + 8) / 64 + 1 in
  let padded = Bytes.make (blocks * 64) '\000' in
  Bytes.blit_string text 0 padded 0 n;
  Bytes.set padded n '\128';
  Bytes.set_int32_be padded (blocks * 64 - 4) (Int32.shift_left (Int32.of_int n) 3);
  Bytes.set_int32_be padded (blocks * 64 - 8) (Int32.of_int (n / 0x20000000));
  let h = Array.copy start and w = Array.make 64 0l in
  for block = 0 to blocks - 1 do
    for k = 0 to 15 do w.(k) <- Bytes.get_int32_be padded (block * 64 + 4 * k) done;
    for k = 16 to 63 do
      let a = w.(k - 15) and b = w.(k - 2) in
      w.(k) <- w.(k - 16) +. w.(k - 7) +. (turn a 7 ^. turn a 18 ^. right a 3) +. (turn b 17 ^. turn b 19 ^. right b 10)
    done;
    let a = ref h.(0) and b = ref h.(1) and c = ref h.(2) and d = ref h.(3) in
    let e = ref h.(4) and f = ref h.(5) and g = ref h.(6) and l = ref h.(7) in
    for k = 0 to 63 do
      let choose = (!e &. !f) ^. (Int32.lognot !e &. !g) in
      let t1 = !l +. (turn !e 6 ^. turn !e 11 ^. turn !e 25) +. choose +. constants.(k) +. w.(k) in
      let most = (!a &. !b) ^. (!a &. !c) ^. (!b &. !c) in
      let t2 = (turn !a 2 ^. turn !a 13 ^. turn !a 22) +. most in
      l := !g; g := !f; f := !e; e := !d +. t1; d := !c; c := !b; b := !a; a := t1 +. t2
    done;
    List.iteri (fun k x -> h.(k) <- h.(k) +. x) [ !a; !b; !c; !d; !e; !f; !g; !l ]
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08lx") h))
