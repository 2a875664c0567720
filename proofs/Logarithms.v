(** * Logarithms to base 2 between whole numbers, in steps of 2^-50

    [low_log x] and [high_log x] enclose 2^50 times the logarithm of a whole number: 2^low <= x^(2^50) <= 2^high. They are
    found by squaring fifty times and keeping the first 80 bits, so that x^(2^50) is never written out. *)

Require Import ZArith QArith Qpower List Lia Psatz.
From Littlestone Require Import Winnow.
Open Scope Z_scope.

Definition bits := 80.

Fixpoint low_from (squarings : nat) (m e : Z) : Z :=
  match squarings with
  | O => Z.log2 m + e
  | S rest => let s := Z.max 0 (Z.log2 (m * m) - bits) in low_from rest (Z.shiftr (m * m) s) (2 * e + s)
  end.

Fixpoint high_from (squarings : nat) (m e : Z) : Z :=
  match squarings with
  | O => Z.log2 m + 1 + e
  | S rest => let s := Z.max 0 (Z.log2 (m * m) - bits) in high_from rest (if s =? 0 then m * m else Z.shiftr (m * m) s + 1) (2 * e + s)
  end.

Lemma power_of_square : forall y k, (y * y) ^ (2 ^ Z.of_nat k) = y ^ (2 ^ Z.of_nat (S k)).
Proof.
  intros. replace (y * y) with (y ^ 2) by lia. rewrite <- Z.pow_mul_r by lia.
  rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia. reflexivity.
Qed.

Lemma cut : forall q, 0 < q -> let s := Z.max 0 (Z.log2 q - bits) in
  0 <= s /\ 0 < Z.shiftr q s /\ Z.shiftr q s * 2 ^ s <= q < (Z.shiftr q s + 1) * 2 ^ s.
Proof.
  intros q Q s. assert (S : 0 <= s) by (unfold s; lia). split; [exact S|].
  rewrite Z.shiftr_div_pow2 by exact S. assert (P : 0 < 2 ^ s) by (apply Z.pow_pos_nonneg; lia).
  pose proof (Z.div_mod q (2 ^ s) ltac:(lia)) as D. pose proof (Z.mod_pos_bound q (2 ^ s) P) as M.
  repeat split; try nia.
  apply Z.div_str_pos. split; [exact P|].
  assert (2 ^ s <= 2 ^ Z.log2 q).
  { apply Z.pow_le_mono_r; [lia|]. unfold s, bits. pose proof (Z.log2_nonneg q). lia. }
  pose proof (Z.log2_spec q Q). lia.
Qed.

Lemma low_from_is_below : forall k m e y, 0 < m -> 0 <= e -> m * 2 ^ e <= y ->
  0 <= low_from k m e /\ 2 ^ low_from k m e <= y ^ (2 ^ Z.of_nat k).
Proof.
  induction k as [|k IH]; intros m e y M E H.
  - cbn [low_from]. pose proof (Z.log2_nonneg m). split; [lia|]. rewrite Z.pow_add_r by lia.
    change (2 ^ Z.of_nat 0) with 1. rewrite Z.pow_1_r. pose proof (Z.log2_spec m M).
    assert (0 < 2 ^ e) by (apply Z.pow_pos_nonneg; lia). nia.
  - cbn [low_from]. rewrite <- power_of_square. destruct (cut (m * m) ltac:(nia)) as [S [P [L _]]].
    set (s := Z.max 0 (Z.log2 (m * m) - bits)) in *. apply IH; [exact P | lia|].
    replace (2 * e + s) with (s + (e + e)) by lia. rewrite !Z.pow_add_r by lia.
    assert (0 < 2 ^ e) by (apply Z.pow_pos_nonneg; lia).
    assert (Z.shiftr (m * m) s * (2 ^ s * (2 ^ e * 2 ^ e)) <= (m * 2 ^ e) * (m * 2 ^ e)); [|nia].
    replace (Z.shiftr (m * m) s * (2 ^ s * (2 ^ e * 2 ^ e))) with (Z.shiftr (m * m) s * 2 ^ s * (2 ^ e * 2 ^ e)) by ring.
    replace ((m * 2 ^ e) * (m * 2 ^ e)) with (m * m * (2 ^ e * 2 ^ e)) by ring.
    apply Z.mul_le_mono_nonneg_r; nia.
Qed.

Lemma high_from_is_above : forall k m e y, 0 < m -> 0 <= e -> 0 <= y <= m * 2 ^ e ->
  0 <= high_from k m e /\ y ^ (2 ^ Z.of_nat k) <= 2 ^ high_from k m e.
Proof.
  induction k as [|k IH]; intros m e y M E H.
  - cbn [high_from]. pose proof (Z.log2_nonneg m). split; [lia|]. rewrite Z.pow_add_r by lia.
    change (2 ^ Z.of_nat 0) with 1. rewrite Z.pow_1_r. pose proof (Z.log2_spec m M). rewrite <- Z.add_1_r in *.
    assert (0 < 2 ^ e) by (apply Z.pow_pos_nonneg; lia). nia.
  - cbn [high_from]. rewrite <- power_of_square. destruct (cut (m * m) ltac:(nia)) as [S [P [_ L]]].
    set (s := Z.max 0 (Z.log2 (m * m) - bits)) in *. destruct (Z.eqb_spec s 0) as [E0|E0].
    { apply IH; [nia | lia|]. split; [nia|]. replace (2 * e + s) with (e + e) by lia. rewrite Z.pow_add_r by lia.
      assert (y * y <= (m * 2 ^ e) * (m * 2 ^ e)) by nia. nia. }
    apply IH; [lia | lia|]. split; [nia|].
    replace (2 * e + s) with (s + (e + e)) by lia. rewrite !Z.pow_add_r by lia.
    assert (0 < 2 ^ e) by (apply Z.pow_pos_nonneg; lia).
    assert ((m * 2 ^ e) * (m * 2 ^ e) <= (Z.shiftr (m * m) s + 1) * (2 ^ s * (2 ^ e * 2 ^ e))); [|nia].
    replace ((Z.shiftr (m * m) s + 1) * (2 ^ s * (2 ^ e * 2 ^ e))) with ((Z.shiftr (m * m) s + 1) * 2 ^ s * (2 ^ e * 2 ^ e)) by ring.
    replace ((m * 2 ^ e) * (m * 2 ^ e)) with (m * m * (2 ^ e * 2 ^ e)) by ring.
    apply Z.mul_le_mono_nonneg_r; nia.
Qed.

Definition squarings : nat := 50.
Definition one_log : Z := 2 ^ 50.
Definition low_log (x : Z) : Z := low_from squarings x 0.
Definition high_log (x : Z) : Z := high_from squarings x 0.

(** ** The same of fractions *)
Open Scope Q_scope.

Definition log_below (x : Q) : Z := (low_log (Qnum x) - high_log (Zpos (Qden x)))%Z.
Definition log_above (x : Q) : Z := (high_log (Qnum x) - low_log (Zpos (Qden x)))%Z.

Lemma whole_power : forall a n, (0 <= n)%Z -> inject_Z a ^ n == inject_Z (a ^ n).
Proof. intros a n N. rewrite <- Zpower_Qpower by exact N. reflexivity. Qed.

Lemma low_log_power : forall x, (0 < x)%Z -> 2 ^ low_log x <= inject_Z x ^ one_log.
Proof.
  intros x X. destruct (low_from_is_below squarings x 0 x X ltac:(lia) ltac:(rewrite Z.pow_0_r; lia)) as [N H].
  change 2 with (inject_Z 2). unfold low_log. rewrite (whole_power 2) by exact N. rewrite whole_power by (unfold one_log; lia).
  rewrite <- Zle_Qle. exact H.
Qed.

Lemma high_log_power : forall x, (0 < x)%Z -> inject_Z x ^ one_log <= 2 ^ high_log x.
Proof.
  intros x X. destruct (high_from_is_above squarings x 0 x X ltac:(lia) ltac:(rewrite Z.pow_0_r; lia)) as [N H].
  change 2 with (inject_Z 2). unfold high_log. rewrite (whole_power 2) by exact N. rewrite whole_power by (unfold one_log; lia).
  rewrite <- Zle_Qle. exact H.
Qed.

Lemma as_quotient : forall x, x == inject_Z (Qnum x) / inject_Z (Zpos (Qden x)).
Proof. intros [a d]. apply Qmake_Qdiv. Qed.

Lemma two_power_positive : forall n, 0 < 2 ^ n.
Proof. intros. apply Qpower_0_lt. reflexivity. Qed.

Lemma two_power_difference : forall m n, 2 ^ (m - n) == 2 ^ m / 2 ^ n.
Proof.
  intros. unfold Z.sub. rewrite Qpower_plus by discriminate. rewrite Qpower_opp. reflexivity.
Qed.

Lemma positive_power : forall x n, 0 < x -> 0 < x ^ n.
Proof. intros. apply Qpower_0_lt. assumption. Qed.

Lemma divide_between : forall a b c d, 0 < a -> 0 < b -> 0 < c -> 0 < d -> a <= c -> d <= b -> a / b <= c / d.
Proof.
  intros a b c d A B C D H K. apply Qle_shift_div_r; [exact B|].
  assert (E : c / d * b == c * b / d) by (field; lra). rewrite E. apply Qle_shift_div_l; [exact D|]. nra.
Qed.

(** THEOREM. *)
Theorem log_below_power : forall x, 0 < x -> 2 ^ log_below x <= x ^ one_log.
Proof.
  intros x X. assert (N : (0 < Qnum x)%Z) by (unfold Qlt in X; simpl in X; lia).
  unfold log_below. rewrite two_power_difference.
  assert (E : x ^ one_log == inject_Z (Qnum x) ^ one_log / inject_Z (Zpos (Qden x)) ^ one_log).
  { rewrite (as_quotient x) at 1. unfold Qdiv. rewrite Qmult_power, Qinv_power. reflexivity. }
  rewrite E. apply divide_between; auto using two_power_positive, low_log_power, high_log_power; try (apply positive_power);
    try (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia). apply high_log_power. lia.
Qed.

Theorem log_above_power : forall x, 0 < x -> x ^ one_log <= 2 ^ log_above x.
Proof.
  intros x X. assert (N : (0 < Qnum x)%Z) by (unfold Qlt in X; simpl in X; lia).
  unfold log_above. rewrite two_power_difference.
  assert (E : x ^ one_log == inject_Z (Qnum x) ^ one_log / inject_Z (Zpos (Qden x)) ^ one_log).
  { rewrite (as_quotient x) at 1. unfold Qdiv. rewrite Qmult_power, Qinv_power. reflexivity. }
  rewrite E. apply divide_between; auto using two_power_positive, low_log_power, high_log_power; try (apply positive_power);
    try (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia). apply low_log_power. lia.
Qed.

Lemma powers_compare : forall m n, 2 ^ m <= 2 ^ n -> (m <= n)%Z.
Proof.
  intros m n H. assert (L : 2 ^ m < 2 ^ (n + 1)).
  { rewrite Qpower_plus by discriminate. change (2 ^ 1) with 2. pose proof (two_power_positive n). lra. }
  apply (smaller_exponent 2) in L; [lia | reflexivity].
Qed.
