(** * Learners that add rows to their weights: what any list of steps obeys

    A step along z replaces the weights w by w + z; z is y x, the row with the sign of its label. The weights start at 0,
    so after the steps [z1; ...; zm] they are z1 ++ ... ++ zm. The learner was meant to step only while w.z <= threshold, a
    fraction [over / under]. A run in floats may step a little beyond; by how much, twice and summed, is the [excess].

    Whole numbers only: all fractions are over one denominator, and roots are avoided by comparing squares. *)

Require Import ZArith List Lia.
From Littlestone Require Import Vectors.
Import ListNotations.
Open Scope Z_scope.

(** ** What is measured of a list of steps *)

Definition shortfall_of (u : vector) (margin : Z) (z : vector) : Z := Z.max 0 (margin - dot u z).

(** The sum of the shortfalls (g - u.z)+ of a comparator u with margin g. *)
Fixpoint shortfall (u : vector) (margin : Z) (steps : list vector) : Z :=
  match steps with [] => 0 | z :: rest => shortfall_of u margin z + shortfall u margin rest end.

(** The sum of their squares. *)
Fixpoint squares (u : vector) (margin : Z) (steps : list vector) : Z :=
  match steps with
  | [] => 0
  | z :: rest => shortfall_of u margin z * shortfall_of u margin z + squares u margin rest
  end.

(** The largest |z|^2. *)
Fixpoint longest (steps : list vector) : Z :=
  match steps with [] => 0 | z :: rest => Z.max (square z) (longest rest) end.

(** Twice by how much agreements exceeded the threshold before a step, times [under]. *)
Fixpoint excess (over under : Z) (weights : vector) (steps : list vector) : Z :=
  match steps with
  | [] => 0
  | z :: rest => Z.max 0 (2 * (under * dot weights z - over)) + excess over under (weights ++ z) rest
  end.

(** Every step was taken at an agreement of at most the threshold. *)
Fixpoint below_threshold (over under : Z) (weights : vector) (steps : list vector) : Prop :=
  match steps with
  | [] => True
  | z :: rest => under * dot weights z <= over /\ below_threshold over under (weights ++ z) rest
  end.

(** ** Facts about them *)

Lemma count_not_negative : forall steps : list vector, 0 <= Z.of_nat (length steps).
Proof. intros. lia. Qed.

Lemma shortfall_not_negative : forall u margin steps, 0 <= shortfall u margin steps.
Proof. unfold shortfall_of. induction steps as [|z rest IH]; simpl; unfold shortfall_of; lia. Qed.

Lemma squares_not_negative : forall u margin steps, 0 <= squares u margin steps.
Proof. induction steps as [|z rest IH]; simpl; [lia | nia]. Qed.

Lemma longest_not_negative : forall steps, 0 <= longest steps.
Proof. induction steps as [|z rest IH]; simpl; lia. Qed.

Lemma excess_not_negative : forall over under steps w, 0 <= excess over under w steps.
Proof. induction steps as [|z rest IH]; intros; simpl; [lia | specialize (IH (w ++ z)); lia]. Qed.

Lemma no_excess_below_threshold : forall over under steps w,
  below_threshold over under w steps -> excess over under w steps = 0.
Proof. induction steps as [|z rest IH]; intros w H; cbn [excess below_threshold] in *; [lia|]. destruct H. rewrite IH by auto. lia. Qed.

(** The first line of every proof: m g - D <= u.w. *)
Lemma agreement_grows : forall u margin steps,
  Z.of_nat (length steps) * margin - shortfall u margin steps <= dot u (concat steps).
Proof.
  induction steps as [|z rest IH]; [simpl; unfold dot; simpl; lia|].
  cbn [length shortfall concat]. rewrite dot_sum_right. unfold shortfall_of. lia.
Qed.

(** The second line: |w|^2 <= m (longest + 2 threshold) + excess. *)
Lemma weights_stay_short_from : forall over under steps w reach,
  0 < under -> longest steps <= reach ->
  under * square (w ++ concat steps)
    <= under * square w + Z.of_nat (length steps) * (under * reach + 2 * over) + excess over under w steps.
Proof.
  induction steps as [|z rest IH]; intros w reach U R.
  - cbn [concat length excess]. rewrite app_nil_r. lia.
  - cbn [concat length excess longest] in *. rewrite app_assoc.
    specialize (IH (w ++ z) reach U ltac:(lia)). rewrite (square_of_sum w z) in IH.
    rewrite Nat2Z.inj_succ, Z.mul_succ_l.
    assert (under * square z <= under * reach) by nia.
    pose proof (Z.le_max_r 0 (2 * (under * dot w z - over))). lia.
Qed.

Lemma weights_stay_short : forall over under steps,
  0 < under ->
  under * square (concat steps)
    <= Z.of_nat (length steps) * (under * longest steps + 2 * over) + excess over under [] steps.
Proof.
  intros. pose proof (weights_stay_short_from over under steps [] (longest steps) H ltac:(lia)) as P.
  cbn [app] in P. change (square []) with 0 in P. rewrite Z.mul_0_r in P. exact P.
Qed.

(** The sum of the shortfalls, squared, is at most m times the sum of their squares. *)
Lemma one_more_square : forall m a d s,
  0 <= m -> 0 <= s -> d * d <= m * s -> (a + d) * (a + d) <= (m + 1) * (a * a + s).
Proof.
  intros m a d s M S H. pose proof (Z.square_nonneg (m * a - d)) as P.
  assert (2 * a * d <= m * (a * a) + s); [|nia].
  destruct (Z.eq_dec m 0) as [->|E].
  - assert (d = 0) by nia. subst d. lia.
  - apply (Zmult_le_reg_r _ _ m); nia.
Qed.

Lemma shortfall_by_squares : forall u margin steps,
  shortfall u margin steps * shortfall u margin steps <= Z.of_nat (length steps) * squares u margin steps.
Proof.
  induction steps as [|z rest IH]; [simpl; lia|]. cbn [length shortfall squares].
  rewrite Nat2Z.inj_succ. apply one_more_square; auto using squares_not_negative. lia.
Qed.
