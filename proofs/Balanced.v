(** * Balanced Winnow: a pair of weights b^k and b^-k for every attribute

    Attributes are -1, 0 or 1. A step along z = y x adds z to the exponents k. The score is the sum of x (b^k - b^-k); the
    learner was meant to step while y times it is at most 0, and by how much a run in floats did otherwise is its [excess].
    With c = (b + 1/b) / 2 every step multiplies the sum of all weights by c at most, and by the inequality of the means that
    sum is at least what a comparator u has agreed with. Logarithms are whole numbers that enclose them (Logarithms.v). *)

Require Import ZArith QArith Qpower Qminmax List Lia Psatz.
From Littlestone Require Import Vectors Winnow Randomized Logarithms.
Import ListNotations.
Open Scope Q_scope.

Section Balanced.
Variables (b : Q) (attributes : list positive).

Definition exponents := positive -> Z.
Definition start : exponents := fun _ => 0%Z.
Definition move (z : vector) (e : exponents) : exponents := fun i => (e i + entry z i)%Z.

(** The sum of all weights, and y times the score. *)
Definition total (e : exponents) : Q := Winnow.sum (fun i => b ^ e i + b ^ (- e i)) attributes.
Definition agreement (e : exponents) (z : vector) : Q :=
  Winnow.sum (fun i => if (entry z i =? 0)%Z then 0 else inject_Z (entry z i) * (b ^ e i - b ^ (- e i))) attributes.

Fixpoint excess (e : exponents) (steps : list vector) : Q :=
  match steps with [] => 0 | z :: rest => Qmax 0 (agreement e z) + excess (move z e) rest end.
Fixpoint after (e : exponents) (steps : list vector) : exponents :=
  match steps with [] => e | z :: rest => after (move z e) rest end.

Definition signs (z : vector) : bool :=
  forallb (fun i => (entry z i =? 0) || (entry z i =? 1) || (entry z i =? -1))%Z attributes.

(** By what a step multiplies the sum of all weights at most. *)
Definition growth : Q := (b + / b) / 2.

Hypothesis b_large : 1 < b.

Lemma b_not_zero : ~ b == 0.
Proof. intros H. rewrite H in b_large. lra. Qed.

Lemma inverse_positive : 0 < / b.
Proof. apply Qinv_lt_0_compat. lra. Qed.

Lemma b_times_inverse : b * / b == 1.
Proof. apply Qmult_inv_r, b_not_zero. Qed.

Lemma growth_large : 1 <= growth.
Proof.
  unfold growth. apply Qle_shift_div_l; [lra|]. pose proof b_times_inverse. pose proof inverse_positive.
  assert (/ b <= 1) by nra. nra.
Qed.

Lemma weight_positive : forall n, 0 < b ^ n.
Proof. intros. apply Qpower_0_lt. lra. Qed.

Lemma power_up : forall n, b ^ (n + 1) == b * b ^ n.
Proof. intros. rewrite Qpower_plus by exact b_not_zero. change (b ^ 1) with b. ring. Qed.

Lemma power_down : forall n, b ^ (n + -1) == / b * b ^ n.
Proof. intros. rewrite Qpower_plus by exact b_not_zero. change (b ^ (-1)) with (/ b). ring. Qed.

Lemma total_not_negative : forall e, 0 <= total e.
Proof.
  intros. unfold total. induction attributes as [|i rest IH]; cbn [Winnow.sum]; [lra|].
  pose proof (weight_positive (e i)). pose proof (weight_positive (- e i)). lra.
Qed.

(** One step: the sum grows to at most c (sum + the agreement before, if that was positive). *)
Lemma total_after_step : forall e z, signs z = true -> total (move z e) <= growth * total e + (b - / b) / 2 * agreement e z.
Proof.
  intros e z. unfold signs, total, agreement. pose proof growth_large as G. pose proof b_times_inverse as B.
  induction attributes as [|i rest IH]; cbn [forallb Winnow.sum]; intros S; [lra|].
  apply andb_prop in S as [S R]. specialize (IH R).
  pose proof (weight_positive (e i)) as P. pose proof (weight_positive (- e i)) as N.
  assert (ONE : b ^ move z e i + b ^ (- move z e i)
                <= growth * (b ^ e i + b ^ (- e i))
                   + (b - / b) / 2 * (if (entry z i =? 0)%Z then 0 else inject_Z (entry z i) * (b ^ e i - b ^ (- e i)))).
  { unfold move. destruct (Z.eqb_spec (entry z i) 0) as [E|E].
    - rewrite E, Z.add_0_r. nra.
    - cbn [orb] in S. apply orb_prop in S as [S|S]; apply Z.eqb_eq in S; rewrite S.
      + replace (- (e i + 1))%Z with (- e i + -1)%Z by lia. rewrite power_up, power_down.
        change (inject_Z 1) with 1. unfold growth. apply Qle_lteq. right. field. exact b_not_zero.
      + replace (- (e i + -1))%Z with (- e i + 1)%Z by lia. rewrite power_up, power_down.
        change (inject_Z (-1)) with (-1). unfold growth. apply Qle_lteq. right. field. exact b_not_zero. }
  lra.
Qed.

Lemma total_after_one : forall e z, signs z = true -> total (move z e) <= growth * (total e + Qmax 0 (agreement e z)).
Proof.
  intros e z S. pose proof (total_after_step e z S) as H. pose proof (Q.le_max_r 0 (agreement e z)) as M.
  pose proof (Q.le_max_l 0 (agreement e z)) as M0. set (x := Qmax 0 (agreement e z)) in *.
  pose proof b_times_inverse. pose proof inverse_positive.
  assert (HALF : 0 <= (b - / b) / 2) by (apply Qle_shift_div_l; [lra|]; nra).
  assert (LESS : 0 <= growth - (b - / b) / 2).
  { unfold growth. setoid_replace ((b + / b) / 2 - (b - / b) / 2) with (/ b) by (field; exact b_not_zero). lra. }
  assert (0 <= (b - / b) / 2 * (x - agreement e z)) by (apply Qmult_le_0_compat; lra).
  assert (0 <= (growth - (b - / b) / 2) * x) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Lemma excess_natural : forall steps e, 0 <= excess e steps.
Proof.
  induction steps as [|z rest IH]; intros e; cbn [excess]; [lra|].
  pose proof (Q.le_max_l 0 (agreement e z)). specialize (IH (move z e)). lra.
Qed.

Lemma growth_power : forall n, 1 <= pow growth n.
Proof. induction n; cbn [pow]; [lra|]. pose proof growth_large. nra. Qed.

Lemma total_after : forall steps e, forallb signs steps = true ->
  total (after e steps) <= pow growth (length steps) * (total e + excess e steps).
Proof.
  induction steps as [|z rest IH]; intros e S; cbn [after excess length pow]; [lra|].
  cbn [forallb] in S. apply andb_prop in S as [S R]. specialize (IH (move z e) R). pose proof (total_after_one e z S) as O.
  pose proof growth_large as G. pose proof (excess_natural rest (move z e)) as X. pose proof (growth_power (length rest)) as P.
  set (w := total (move z e)) in *. set (x := excess (move z e) rest) in *. set (p := pow growth (length rest)) in *.
  set (y := total e + Qmax 0 (agreement e z)) in *.
  assert (w + x <= growth * (y + x)) by nra.
  assert (p * (w + x) <= p * (growth * (y + x))) by nra. unfold y in *. lra.
Qed.

(** ** A comparator: whole numbers for the attributes, their absolute values adding up to A *)

Variable u : vector.
Definition part (i : positive) : nat := Z.abs_nat (entry u i).
Definition parts : nat := fold_right (fun i so_far => (part i + so_far)%nat) O attributes.

Definition side (e : exponents) (i : positive) : Z := if (entry u i <? 0)%Z then (- e i)%Z else e i.

(** The list that the inequality of the means is used on: b^(side) / |u_i|, |u_i| times. *)
Definition shares (e : exponents) : list Q := flat_map (fun i => repeat (b ^ side e i / number (part i)) (part i)) attributes.

Lemma number_positive : forall n, (0 < n)%nat -> 0 < number n.
Proof. intros [|n] H; [lia|]. rewrite number_next. pose proof (number_not_negative n). lra. Qed.

Lemma sum_app : forall l m, Randomized.sum (l ++ m) == Randomized.sum l + Randomized.sum m.
Proof. induction l; intros; cbn [app Randomized.sum]; [ring | rewrite IHl; ring]. Qed.
Lemma product_app : forall l m, product (l ++ m) == product l * product m.
Proof. induction l; intros; cbn [app product]; [ring | rewrite IHl; ring]. Qed.
Lemma sum_repeat : forall x n, Randomized.sum (repeat x n) == number n * x.
Proof. induction n; cbn [repeat Randomized.sum]; [change (number 0) with 0; ring|]. rewrite IHn, number_next. ring. Qed.
Lemma product_repeat : forall x n, product (repeat x n) == pow x n.
Proof. induction n; cbn [repeat product pow]; [reflexivity | rewrite IHn; reflexivity]. Qed.

Lemma shares_length : forall e, length (shares e) = parts.
Proof.
  intros. unfold shares, parts. induction attributes as [|i rest IH]; cbn [flat_map fold_right]; [reflexivity|].
  rewrite app_length, repeat_length, IH. reflexivity.
Qed.

Lemma shares_positive : forall e, Forall (fun x => 0 < x) (shares e).
Proof.
  intros. unfold shares. apply Forall_forall. intros x X. apply in_flat_map in X as [i [_ X]].
  assert (N : (0 < part i)%nat) by (destruct (part i); [destruct X | lia]).
  apply repeat_spec in X. subst x. apply Qlt_shift_div_l; [apply number_positive; exact N|].
  rewrite Qmult_0_l. apply weight_positive.
Qed.

Lemma shares_sum : forall e, Randomized.sum (shares e) <= total e.
Proof.
  intros. unfold shares, total. induction attributes as [|i rest IH]; cbn [flat_map Winnow.sum]; [simpl; lra|].
  rewrite sum_app, sum_repeat. pose proof (weight_positive (e i)). pose proof (weight_positive (- e i)).
  assert (number (part i) * (b ^ side e i / number (part i)) <= b ^ e i + b ^ (- e i)); [|lra].
  destruct (part i) as [|n] eqn:P; [change (number 0) with 0; lra|].
  assert (0 < number (S n)) by (apply number_positive; lia).
  assert (E : number (S n) * (b ^ side e i / number (S n)) == b ^ side e i) by (field; lra). rewrite E.
  unfold side. destruct (entry u i <? 0)%Z; lra.
Qed.

(** The sum of u_i k_i. *)
Definition agreed (e : exponents) : Z := fold_right (fun i so_far => (entry u i * e i + so_far)%Z) 0%Z attributes.
(** The product of |u_i|^|u_i|. *)
Definition self : Q := fold_right (fun i so_far => pow (number (part i)) (part i) * so_far) 1 attributes.

Lemma pow_is_power : forall x n, pow x n == x ^ Z.of_nat n.
Proof.
  induction n as [|n IH]; [reflexivity|]. cbn [pow]. rewrite IH. destruct n as [|n]; [simpl; ring|].
  change (Z.of_nat (S (S n))) with (Zpos (Pos.succ (Pos.of_succ_nat n))). rewrite <- Pos.add_1_l.
  change (Z.of_nat (S n)) with (Zpos (Pos.of_succ_nat n)). cbn [Qpower]. rewrite Qpower_plus_positive. reflexivity.
Qed.

Lemma pow_positive : forall x n, 0 < x -> 0 < pow x n.
Proof. induction n; intros; cbn [pow]; [lra | apply Qmult_lt_0_compat; auto]. Qed.

Lemma self_positive : 0 < self.
Proof.
  unfold self. induction attributes as [|i rest IH]; cbn [fold_right]; [lra|]. apply Qmult_lt_0_compat; [|exact IH].
  destruct (part i) eqn:P; [cbn [pow]; lra|]. apply pow_positive, number_positive. lia.
Qed.

Lemma shares_product : forall e, product (shares e) * self == b ^ agreed e.
Proof.
  intros. unfold shares, self, agreed. induction attributes as [|i rest IH]; cbn [flat_map fold_right]; [reflexivity|].
  rewrite product_app, product_repeat, Qpower_plus by exact b_not_zero. rewrite <- IH.
  assert (E : pow (b ^ side e i / number (part i)) (part i) * pow (number (part i)) (part i) == b ^ (entry u i * e i)).
  { rewrite <- pow_of_product. destruct (part i) as [|n] eqn:P.
    - unfold part in P. assert (Z : entry u i = 0%Z) by lia. rewrite Z. reflexivity.
    - assert (0 < number (S n)) by (apply number_positive; lia).
      assert (F : b ^ side e i / number (S n) * number (S n) == b ^ side e i) by (field; lra).
      rewrite (pow_same _ _ _ F), pow_is_power, <- Qpower_mult. rewrite <- P. unfold part, side.
      rewrite Zabs2Nat.id_abs. destruct (Z.ltb_spec (entry u i) 0); [rewrite Z.abs_neq by lia | rewrite Z.abs_eq by lia].
      + replace (- e i * - entry u i)%Z with (entry u i * e i)%Z by lia. reflexivity.
      + rewrite Z.mul_comm. reflexivity. }
  set (q := product _) in *. set (s := fold_right _ 1 rest) in *.
  setoid_replace (pow (b ^ side e i / number (part i)) (part i) * q * (pow (number (part i)) (part i) * s))
    with (pow (b ^ side e i / number (part i)) (part i) * pow (number (part i)) (part i) * (q * s)) by ring.
  rewrite E. reflexivity.
Qed.

(** b^(u.k) A^A <= (product of |u_i|^|u_i|) (sum of all weights)^A *)
Theorem weights_agree : forall e, (0 < parts)%nat -> b ^ agreed e * pow (number parts) parts <= self * pow (total e) parts.
Proof.
  intros e P. pose proof (product_by_mean (shares e) (shares_positive e)) as M.
  unfold mean in M. rewrite (shares_length e) in M. pose proof (number_positive parts P) as N.
  assert (S : pow (Randomized.sum (shares e) / number parts) parts * pow (number parts) parts <= pow (total e) parts).
  { rewrite <- pow_of_product. apply pow_monotone.
    assert (E : Randomized.sum (shares e) / number parts * number parts == Randomized.sum (shares e)) by (field; lra).
    rewrite E. split; [apply sum_not_negative, shares_positive | apply shares_sum]. }
  rewrite <- shares_product. pose proof self_positive as F. pose proof (pow_positive (number parts) parts N) as Q.
  set (a := product (shares e)) in *. set (c := pow (number parts) parts) in *.
  set (d := pow (Randomized.sum (shares e) / number parts) parts) in *.
  assert (a * c <= d * c) by nra. assert (self * (a * c) <= self * pow (total e) parts) by nra. lra.
Qed.

(** ** What u agrees with: u.k is the sum of all u.z *)

Definition with_step (z : vector) : Z := fold_right (fun i so_far => (entry u i * entry z i + so_far)%Z) 0%Z attributes.

Lemma agreed_after_step : forall e z, agreed (move z e) = (agreed e + with_step z)%Z.
Proof.
  intros. unfold agreed, with_step, move. induction attributes as [|i rest IH]; cbn [fold_right]; [reflexivity|]. rewrite IH. lia.
Qed.

(** The shortfalls (g A - u.z)+, A being the sum of all |u_i|. *)
Fixpoint short (goal : Q) (steps : list vector) : Q :=
  match steps with [] => 0 | z :: rest => Qmax 0 (goal - inject_Z (with_step z)) + short goal rest end.

Lemma agreed_after : forall goal steps e,
  inject_Z (agreed e) + number (length steps) * goal - short goal steps <= inject_Z (agreed (after e steps)).
Proof.
  induction steps as [|z rest IH]; intros e; cbn [after length short]; [change (number 0) with 0; lra|].
  specialize (IH (move z e)). rewrite agreed_after_step, inject_Z_plus in IH. rewrite number_next.
  pose proof (Q.le_max_r 0 (goal - inject_Z (with_step z))). lra.
Qed.

Lemma agreed_at_start : agreed start = 0%Z.
Proof. unfold agreed, start. induction attributes as [|i rest IH]; cbn [fold_right]; [reflexivity|]. rewrite IH. lia. Qed.

Lemma short_natural : forall goal steps, 0 <= short goal steps.
Proof.
  induction steps as [|z rest IH]; cbn [short]; [lra|]. pose proof (Q.le_max_l 0 (goal - inject_Z (with_step z))). lra.
Qed.

(** ** The check *)

(** The sum of |u_i| log |u_i|, from above. *)
Definition self_log : Z :=
  fold_right (fun i so_far => (if entry u i =? 0 then so_far else Z.abs (entry u i) * high_log (Z.abs (entry u i)) + so_far)%Z) 0%Z attributes.
Definition sizes : Z := fold_right (fun i so_far => (Z.abs (entry u i) + so_far)%Z) 0%Z attributes.

Definition check_balanced (margin : Q) (steps : list vector) (bound : Z) : bool :=
  let A := inject_Z sizes in
  let goal := margin * A in
  let up := log_below b in
  let cost := log_above growth in
  let heavy := log_above (total start + excess start steps) in
  let rest := (self_log + sizes * heavy - sizes * low_log sizes)%Z in
  let gain := inject_Z up * goal - A * inject_Z cost in
  (0 <=? bound)%Z && (0 <? sizes)%Z && (0 <=? up)%Z && (0 <=? cost)%Z && (0 <=? rest)%Z && forallb signs steps
  && below 0 gain && below (inject_Z rest + inject_Z up * short goal steps) (inject_Z (bound + 1) * gain).

Lemma sizes_are_parts : sizes = Z.of_nat parts.
Proof.
  unfold sizes, parts, part. induction attributes as [|i rest IH]; cbn [fold_right]; [reflexivity|].
  rewrite IH, Nat2Z.inj_add, Zabs2Nat.id_abs. reflexivity.
Qed.

Lemma power_monotone : forall x y n, (0 <= n)%Z -> 0 <= x <= y -> x ^ n <= y ^ n.
Proof.
  intros x y n N H. rewrite <- (Z2Nat.id n N), <- !pow_is_power. apply pow_monotone. exact H.
Qed.

Lemma power_swapped : forall x m n, (x ^ m) ^ n == (x ^ n) ^ m.
Proof. intros. rewrite <- !Qpower_mult, Z.mul_comm. reflexivity. Qed.

Lemma product_between : forall a b c d, 0 <= a -> 0 <= d -> a <= c -> b <= d -> 0 <= b -> a * b <= c * d.
Proof.
  intros x y z w X W H K Y. assert (0 <= (z - x) * w) by (apply Qmult_le_0_compat; lra).
  assert (0 <= x * (w - y)) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Lemma self_power : self ^ one_log <= 2 ^ self_log.
Proof.
  unfold self, self_log. induction attributes as [|i rest IH]; cbn [fold_right]; [rewrite Qpower_1; change (2 ^ 0) with 1; lra|].
  rewrite Qmult_power.
  assert (0 < fold_right (fun i so_far => pow (number (part i)) (part i) * so_far) 1 rest).
  { clear IH. induction rest as [|j rest IH]; cbn [fold_right]; [lra|]. apply Qmult_lt_0_compat; [|exact IH].
    destruct (part j) eqn:P; [cbn [pow]; lra|]. apply pow_positive, number_positive. lia. }
  destruct (Z.eqb_spec (entry u i) 0) as [E|E].
  - assert (P0 : part i = O) by (unfold part; rewrite E; reflexivity). rewrite P0. cbn [pow]. rewrite Qpower_1, Qmult_1_l. exact IH.
  - rewrite Qpower_plus by discriminate.
    assert (P : (0 < Z.abs (entry u i))%Z) by lia.
    pose proof (high_log_power (Z.abs (entry u i)) P) as H1.
    assert (N : number (part i) == inject_Z (Z.abs (entry u i))).
    { unfold number, part. rewrite Zabs2Nat.id_abs. reflexivity. }
    assert (M : pow (number (part i)) (part i) ^ one_log <= 2 ^ (Z.abs (entry u i) * high_log (Z.abs (entry u i)))).
    { rewrite pow_is_power, N. replace (Z.of_nat (part i)) with (Z.abs (entry u i)) by (unfold part; rewrite Zabs2Nat.id_abs; reflexivity).
      rewrite power_swapped, (Z.mul_comm (Z.abs (entry u i)) (high_log (Z.abs (entry u i)))), Qpower_mult.
      apply power_monotone; [apply Z.abs_nonneg|]. split; [|exact H1].
      apply Qpower_0_le. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia. }
    apply product_between; try exact M; try exact IH.
    + apply Qpower_0_le, pow_not_negative, number_not_negative.
    + apply Qlt_le_weak, two_power_positive.
    + apply Qpower_0_le. lra.
Qed.

(** THEOREM (any steps, also those of floats). If the check accepts, there are at most [bound] steps. *)
Theorem checked_balanced_keeps_its_bound : forall margin steps bound,
  check_balanced margin steps bound = true -> (Z.of_nat (length steps) <= bound)%Z.
Proof.
  intros margin steps bound C. unfold check_balanced in C.
  apply andb_prop in C as [C LAST]. apply andb_prop in C as [C GAIN]. apply andb_prop in C as [C SIGNS].
  apply andb_prop in C as [C REST]. apply andb_prop in C as [C COST]. apply andb_prop in C as [C UP].
  apply andb_prop in C as [BOUND SIZES]. apply Z.leb_le in REST, COST, UP, BOUND. apply Z.ltb_lt in SIZES.
  apply below_means in GAIN, LAST. rewrite sizes_are_parts in *.
  set (A := inject_Z (Z.of_nat parts)) in *. set (goal := margin * A) in *. set (up := log_below b) in *.
  set (cost := log_above growth) in *. set (heavy := log_above (total start + excess start steps)) in *.
  set (rest := (self_log + Z.of_nat parts * heavy - Z.of_nat parts * low_log (Z.of_nat parts))%Z) in *.
  destruct (Z_le_gt_dec (Z.of_nat (length steps)) bound) as [|TOO]; [assumption|exfalso].
  set (m := length steps) in *.
  assert (MQ : inject_Z (bound + 1) <= number m) by (unfold number; rewrite <- Zle_Qle; lia).
  assert (PP : (0 < parts)%nat) by lia.
  (* u.k is positive *)
  pose proof (agreed_after goal steps start) as AG. rewrite agreed_at_start in AG. fold m in AG.
  set (U := agreed (after start steps)) in *.
  assert (UPQ : 0 <= inject_Z up) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact UP).
  assert (COSTQ : 0 <= inject_Z cost) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact COST).
  assert (RESTQ : 0 <= inject_Z rest) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact REST).
  assert (AQ : 0 < A) by (apply (number_positive parts PP)).
  set (gain := inject_Z up * goal - A * inject_Z cost) in *.
  assert (BIG : inject_Z rest + inject_Z up * short goal steps < number m * gain).
  { eapply Qlt_le_trans; [exact LAST|]. assert (0 <= (number m - inject_Z (bound + 1)) * gain) by (apply Qmult_le_0_compat; lra). lra. }
  assert (MN : 0 <= number m) by apply number_not_negative.
  assert (POS : inject_Z rest + number m * (A * inject_Z cost) < inject_Z up * (number m * goal - short goal steps)) by (unfold gain in BIG; lra).
  assert (AC : 0 <= number m * (A * inject_Z cost)) by (apply Qmult_le_0_compat; [exact MN | apply Qmult_le_0_compat; lra]).
  assert (LEFT : 0 < number m * goal - short goal steps).
  { apply Qnot_le_lt. intros X. assert (0 <= inject_Z up * - (number m * goal - short goal steps)) by (apply Qmult_le_0_compat; lra). lra. }
  assert (UN : (0 <= U)%Z) by (rewrite Zle_Qle; change (inject_Z 0) with 0 in *; lra).
  (* the inequality between powers, and its logarithm *)
  pose proof (weights_agree (after start steps) PP) as W. fold U in W.
  pose proof (total_after steps start SIGNS) as T. fold m in T.
  assert (TN : 0 < total start + excess start steps).
  { pose proof (total_not_negative start). pose proof (excess_natural steps start).
    destruct (Qlt_le_dec 0 (total start + excess start steps)) as [|Z]; [assumption|exfalso].
    assert (Z0 : total start + excess start steps == 0) by lra. rewrite Z0 in T. pose proof (total_not_negative (after start steps)).
    assert (Z1 : total (after start steps) == 0) by lra.
    rewrite (pow_same _ _ parts Z1) in W. destruct parts as [|k]; [lia|]. cbn [pow] in W. rewrite Qmult_0_l, Qmult_0_r in W.
    assert (0 < b ^ U * (number (S k) * pow (number (S k)) k)); [|lra].
    apply Qmult_lt_0_compat; [apply weight_positive | apply Qmult_lt_0_compat; [|apply pow_positive]; apply number_positive; lia]. }
  set (S0 := total start + excess start steps) in *.
  assert (W2 : b ^ U * pow (number parts) parts <= self * pow (pow growth m * S0) parts).
  { eapply Qle_trans; [exact W|]. pose proof self_positive. pose proof (total_not_negative (after start steps)).
    pose proof (pow_monotone (total (after start steps)) (pow growth m * S0) parts ltac:(lra)) as PM.
    assert (0 <= self * (pow (pow growth m * S0) parts - pow (total (after start steps)) parts)) by (apply Qmult_le_0_compat; lra). lra. }
  assert (NP : 0 < number parts) by (apply number_positive; exact PP).
  assert (L : 2 ^ (up * U + low_log (Z.of_nat parts) * Z.of_nat parts) <= (b ^ U * pow (number parts) parts) ^ one_log).
  { rewrite Qmult_power, Qpower_plus by discriminate. apply product_between; try (apply Qlt_le_weak, two_power_positive).
    - apply Qpower_0_le, pow_not_negative. lra.
    - rewrite Qpower_mult, (power_swapped b). apply power_monotone; [exact UN|].
      split; [apply Qlt_le_weak, two_power_positive | apply log_below_power; lra].
    - rewrite Qpower_mult, pow_is_power, (power_swapped (number parts)). apply power_monotone; [lia|].
      split; [apply Qlt_le_weak, two_power_positive | apply low_log_power; lia]. }
  assert (G0 : 0 < growth) by (pose proof growth_large; lra).
  assert (R : (self * pow (pow growth m * S0) parts) ^ one_log <= 2 ^ (self_log + (cost * Z.of_nat m + heavy) * Z.of_nat parts)).
  { rewrite Qmult_power, (Qpower_plus 2 self_log) by discriminate. pose proof self_positive.
    assert (PG : 0 < pow growth m * S0) by (apply Qmult_lt_0_compat; [apply pow_positive; exact G0 | exact TN]).
    apply product_between; try exact self_power; try (apply Qlt_le_weak, two_power_positive).
    - apply Qpower_0_le. lra.
    - rewrite Qpower_mult, pow_is_power, (power_swapped (pow growth m * S0)). apply power_monotone; [lia|]. split; [apply Qpower_0_le; lra|].
      rewrite Qmult_power, Qpower_plus by discriminate. apply product_between; try (apply Qlt_le_weak, two_power_positive).
      + apply Qpower_0_le, pow_not_negative. lra.
      + rewrite Qpower_mult, pow_is_power, (power_swapped growth). apply power_monotone; [lia|].
        split; [apply Qpower_0_le; lra | apply log_above_power; exact G0].
      + apply log_above_power. exact TN.
      + apply Qpower_0_le. lra.
    - apply Qpower_0_le, pow_not_negative. lra. }
  assert (CMP : (b ^ U * pow (number parts) parts) ^ one_log <= (self * pow (pow growth m * S0) parts) ^ one_log).
  { apply power_monotone; [unfold one_log; lia|]. split; [|exact W2].
    apply Qmult_le_0_compat; [apply Qlt_le_weak, weight_positive | apply pow_not_negative; lra]. }
  pose proof (powers_compare _ _ (Qle_trans _ _ _ L (Qle_trans _ _ _ CMP R))) as FINAL.
  (* against what the check says *)
  assert (F2 : inject_Z up * inject_Z U <= inject_Z rest + number m * (A * inject_Z cost)).
  { unfold rest, A, number. rewrite <- !inject_Z_mult, <- inject_Z_plus, <- Zle_Qle. lia. }
  assert (0 <= inject_Z up * (inject_Z U - (number m * goal - short goal steps))).
  { apply Qmult_le_0_compat; [exact UPQ|]. change (inject_Z 0) with 0 in AG. lra. }
  lra.
Qed.

(** ** The learner in exact arithmetic *)

Fixpoint play (e : exponents) (rows : list vector) : list vector :=
  match rows with
  | [] => []
  | z :: rest => if Qle_bool (agreement e z) 0 then z :: play (move z e) rest else play e rest
  end.

Theorem exact_run_of_balanced_has_no_excess : forall rows e, excess e (play e rows) == 0.
Proof.
  induction rows as [|z rest IH]; intros e; cbn [play]; [reflexivity|].
  destruct (Qle_bool (agreement e z) 0) eqn:A; [|apply IH]. cbn [excess]. rewrite IH. apply Qle_bool_iff in A.
  rewrite Q.max_l by exact A. ring.
Qed.

(** THEOREM (exact runs). *)
Theorem checked_run_of_balanced_keeps_its_bound : forall margin rows bound,
  check_balanced margin (play start rows) bound = true -> (Z.of_nat (length (play start rows)) <= bound)%Z.
Proof. intros. eapply checked_balanced_keeps_its_bound; eassumption. Qed.

End Balanced.

(** The check that is extracted asks for the hypothesis on b as well. *)
Definition check_steps_of_balanced (b : Q) (attributes : list positive) (u : vector) (margin : Q) (steps : list vector)
    (bound : Z) : bool := below 1 b && check_balanced b attributes u margin steps bound.

(** THEOREM (any steps, the program). *)
Theorem checked_steps_of_balanced_keep_their_bound : forall b attributes u margin steps bound,
  check_steps_of_balanced b attributes u margin steps bound = true -> (Z.of_nat (length steps) <= bound)%Z.
Proof.
  intros b attributes u margin steps bound H. apply andb_prop in H as [B C]. apply below_means in B.
  exact (checked_balanced_keeps_its_bound b attributes B u margin steps bound C).
Qed.
