(** * Winnow: promotions and demotions by a factor b, with a margin and slack

    Attributes are active or not. Every weight is b to a whole exponent, 0 at first. A promotion raises the exponents of
    the active attributes by 1, a demotion lowers them. The learner was meant to promote while the score is below [high]
    and to demote from [low] on; by how much a run in floats did otherwise is its [excess]. No logarithm is needed: that
    an exponent is at most E is b^E itself. *)

Require Import ZArith QArith Qpower Qminmax List Lia Psatz.
From Littlestone Require Vectors.
Import ListNotations.
Open Scope Q_scope.

Section Winnow.
Variables (b high low : Q) (attributes : list positive).

Fixpoint sum (f : positive -> Q) (over : list positive) : Q :=
  match over with [] => 0 | i :: rest => f i + sum f rest end.

Definition exponents := positive -> Z.
Definition weight (e : exponents) (i : positive) : Q := b ^ e i.
Definition active (row : list positive) (i : positive) : bool := existsb (Pos.eqb i) row.

(** The sum of the weights of the active attributes, and of all. *)
Definition score (e : exponents) (row : list positive) : Q := sum (fun i => if active row i then weight e i else 0) attributes.
Definition total (e : exponents) : Q := sum (weight e) attributes.

(** What a target m says of a row, and its weight in all. *)
Definition target_of (m : positive -> Q) (row : list positive) : Q := sum (fun i => if active row i then m i else 0) attributes.
Definition target_sum (m : positive -> Q) : Q := sum m attributes.

Definition move (up : bool) (row : list positive) (e : exponents) : exponents :=
  fun i => if active row i then (if up then e i + 1 else e i - 1)%Z else e i.

Definition step := (bool * list positive)%type.

Fixpoint promotions (steps : list step) : Q :=
  match steps with [] => 0 | (up, _) :: rest => (if up then 1 else 0) + promotions rest end.
Fixpoint demotions (steps : list step) : Q :=
  match steps with [] => 0 | (up, _) :: rest => (if up then 0 else 1) + demotions rest end.

(** What steps beyond the thresholds added to the sum of all weights, times b. *)
Fixpoint excess (e : exponents) (steps : list step) : Q :=
  match steps with
  | [] => 0
  | (up, row) :: rest =>
      (if up then b * (b - 1) * Qmax 0 (score e row - high) else (b - 1) * Qmax 0 (low - score e row))
      + excess (move up row e) rest
  end.

(** The slacks (p - m.x)+ of promotions and (m.x - q)+ of demotions. *)
Fixpoint slack (m : positive -> Q) (p q : Q) (steps : list step) : Q :=
  match steps with
  | [] => 0
  | (up, row) :: rest =>
      (if up then Qmax 0 (p - target_of m row) else Qmax 0 (target_of m row - q)) + slack m p q rest
  end.

(** No promotion had a score of b^most or more. *)
Fixpoint never_above (most : Z) (e : exponents) (steps : list step) : Prop :=
  match steps with
  | [] => True
  | (up, row) :: rest => (up = true -> score e row < b ^ most) /\ never_above most (move up row e) rest
  end.

Fixpoint after (e : exponents) (steps : list step) : exponents :=
  match steps with [] => e | (up, row) :: rest => after (move up row e) rest end.

Definition start : exponents := fun _ => 0%Z.

(** ** The sum of all weights *)

Hypothesis b_large : 1 < b.
Hypothesis low_positive : 0 < low.

Lemma b_not_zero : ~ b == 0.
Proof. intros H. rewrite H in b_large. lra. Qed.

Lemma power_positive : forall n, 0 < b ^ n.
Proof. intros. apply Qpower_0_lt. lra. Qed.

Lemma one_more : forall n, b ^ (n + 1) == b * b ^ n.
Proof. intros. rewrite Qpower_plus by exact b_not_zero. change (b ^ 1) with b. ring. Qed.

Lemma one_less : forall n, b * b ^ (n - 1) == b ^ n.
Proof. intros. rewrite <- one_more. replace (n - 1 + 1)%Z with n by lia. reflexivity. Qed.

Lemma total_after_promotion : forall e row, b * total (move true row e) == b * total e + b * (b - 1) * score e row.
Proof.
  intros. unfold total, score. induction attributes as [|i rest IH]; simpl; [ring|].
  unfold weight at 1. unfold move at 1. destruct (active row i); [rewrite one_more|]; fold (weight e i); lra.
Qed.

Lemma total_after_demotion : forall e row, b * total (move false row e) == b * total e - (b - 1) * score e row.
Proof.
  intros. unfold total, score. induction attributes as [|i rest IH]; simpl; [ring|].
  unfold weight at 1. unfold move at 1. destruct (active row i).
  - pose proof (one_less (e i)) as O. fold (weight e i) in O. set (x := b ^ (e i - 1)) in *. lra.
  - fold (weight e i). lra.
Qed.

(** THEOREM. Demotions are paid by what promotions added: b times the first line of the proof of Littlestone. *)
Theorem demotions_are_paid : forall steps e,
  b * total (after e steps) + demotions steps * ((b - 1) * low)
    <= b * total e + promotions steps * (b * (b - 1) * high) + excess e steps.
Proof.
  induction steps as [|[up row] rest IH]; intros e; cbn [after demotions promotions excess]; [lra|].
  specialize (IH (move up row e)). destruct up.
  - rewrite total_after_promotion in IH.
    pose proof (Q.le_max_r 0 (score e row - high)) as M. set (x := Qmax 0 (score e row - high)) in *.
    assert (0 <= b * (b - 1) * (x - (score e row - high))) by (apply Qmult_le_0_compat; nra). lra.
  - rewrite total_after_demotion in IH.
    pose proof (Q.le_max_r 0 (low - score e row)) as M. set (x := Qmax 0 (low - score e row)) in *.
    assert (0 <= (b - 1) * (x - (low - score e row))) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Lemma total_at_start : total start == inject_Z (Z.of_nat (length attributes)).
Proof.
  unfold total, weight, start. induction attributes as [|i rest IH]; [reflexivity|].
  cbn [sum length]. rewrite IH, Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus. reflexivity.
Qed.

Lemma total_positive : forall e, attributes <> [] -> 0 < total e.
Proof.
  intros e. unfold total. destruct attributes as [|i rest]; [congruence|intros _]. cbn [sum].
  assert (0 <= sum (weight e) rest).
  { induction rest as [|j rest IH]; cbn [sum]; [lra|]. pose proof (power_positive (e j)). unfold weight at 1. lra. }
  pose proof (power_positive (e i)). unfold weight at 1. lra.
Qed.

(** ** Exponents *)

Lemma sum_of_parts : forall f over i, (forall j, 0 <= f j) -> In i over -> f i <= sum f over.
Proof.
  induction over as [|j over IH]; intros i P H; [destruct H|]. cbn [sum].
  assert (0 <= sum f over) by (clear - P; induction over; cbn [sum]; [lra | pose proof (P a); lra]).
  pose proof (P j). destruct H as [->|H]; [lra | specialize (IH i P H); lra].
Qed.

Lemma active_weight : forall e row i, In i attributes -> active row i = true -> weight e i <= score e row.
Proof.
  intros e row i I A. unfold score.
  pose proof (sum_of_parts (fun j => if active row j then weight e j else 0) attributes i) as S. cbv beta in S. rewrite A in S.
  apply S; [|exact I]. intros j. destruct (active row j); [|lra]. pose proof (power_positive (e j)). unfold weight. lra.
Qed.

Lemma smaller_exponent : forall m n, b ^ m < b ^ n -> (m < n)%Z.
Proof.
  intros m n H. destruct (Z_lt_le_dec m n) as [L|L]; [exact L|exfalso].
  assert (b ^ n <= b ^ m); [|lra]. replace m with (n + (m - n))%Z by lia. rewrite Qpower_plus by exact b_not_zero.
  assert (1 <= b ^ (m - n)).
  { replace (m - n)%Z with (Z.of_nat (Z.to_nat (m - n))) by lia. generalize (Z.to_nat (m - n)) as k.
    induction k as [|k IH]; [simpl; lra|]. rewrite Nat2Z.inj_succ, <- Z.add_1_r, one_more. nra. }
  pose proof (power_positive n). nra.
Qed.

Lemma exponents_stay_small : forall most steps e,
  never_above most e steps -> (forall i, In i attributes -> (e i <= most)%Z) ->
  forall i, In i attributes -> (after e steps i <= most)%Z.
Proof.
  induction steps as [|[up row] rest IH]; intros e N H i I; cbn [after never_above] in *; [apply H; exact I|].
  destruct N as [N R]. apply (IH (move up row e) R); [|exact I]. intros j J. unfold move.
  destruct (active row j) eqn:A; [|apply H; exact J]. destruct up; [|specialize (H j J); lia].
  pose proof (active_weight e row j J A) as W. specialize (N eq_refl). unfold weight in W.
  assert (b ^ e j < b ^ most) by lra. apply smaller_exponent in H0. lia.
Qed.

(** ** A target *)

Definition agreed (m : positive -> Q) (e : exponents) : Q := sum (fun i => m i * inject_Z (e i)) attributes.

Lemma agreed_after : forall m up row e,
  agreed m (move up row e) == agreed m e + (if up then 1 else -1) * target_of m row.
Proof.
  intros. unfold agreed, target_of. induction attributes as [|i rest IH]; cbn [sum]; [destruct up; ring|].
  rewrite IH. unfold move at 1. destruct (active row i), up; try ring.
  - rewrite inject_Z_plus. change (inject_Z 1) with 1. ring.
  - unfold Zminus. rewrite inject_Z_plus. change (inject_Z (- (1))) with (-1). ring.
Qed.

Lemma target_agrees : forall m p q steps e,
  p * promotions steps - q * demotions steps - slack m p q steps <= agreed m (after e steps) - agreed m e.
Proof.
  induction steps as [|[up row] rest IH]; intros e; cbn [promotions demotions slack after]; [lra|].
  specialize (IH (move up row e)). rewrite agreed_after in IH.
  destruct up.
  - pose proof (Q.le_max_r 0 (p - target_of m row)). lra.
  - pose proof (Q.le_max_r 0 (target_of m row - q)). lra.
Qed.

Lemma agreed_at_most : forall m most e,
  (forall i, 0 <= m i) -> (forall i, In i attributes -> (e i <= most)%Z) -> agreed m e <= target_sum m * inject_Z most.
Proof.
  intros m most e P. unfold agreed, target_sum. induction attributes as [|i rest IH]; intros H; cbn [sum]; [lra|].
  specialize (IH (fun j J => H j (or_intror J))). specialize (H i (or_introl eq_refl)). specialize (P i).
  assert (inject_Z (e i) <= inject_Z most) by (rewrite <- Zle_Qle; exact H). nra.
Qed.

Lemma agreed_at_start : forall m, agreed m start == 0.
Proof. intros. unfold agreed, start. induction attributes as [|i rest IH]; cbn [sum]; [reflexivity|]. rewrite IH. ring. Qed.

(** ** The bound *)

Definition breadth : Q := inject_Z (Z.of_nat (length attributes)).

(** THEOREM (any steps, also those of floats). With a target m >= 0, levels p and q, slack D, exponents up to E, sum S, d
    attributes and excess X: the promotions u are at most (S E + D + q b (d + X/b) / ((b - 1) low)) / (p - q b high / low), and
    demotions are fewer than b (d + X/b) / ((b - 1) low) + b high / low u. Written without quotients. *)
Theorem winnow_bound : forall m p q most steps,
  attributes <> [] -> 0 <= q -> (0 <= most)%Z -> (forall i, 0 <= m i) -> never_above most start steps ->
  let u := promotions steps in
  let v := demotions steps in
  u * ((b - 1) * (p * low - q * b * high))
    <= (b - 1) * low * (target_sum m * inject_Z most + slack m p q steps) + q * (b * breadth + excess start steps)
  /\ v * ((b - 1) * low) < b * breadth + excess start steps + u * (b * (b - 1) * high).
Proof.
  intros m p q most steps NE Q0 E P N u v.
  pose proof (demotions_are_paid steps start) as W. rewrite total_at_start in W. fold breadth in W. fold u v in W.
  pose proof (total_positive (after start steps) NE) as T.
  assert (BT : 0 < b * total (after start steps)) by nra.
  assert (V : v * ((b - 1) * low) < b * breadth + excess start steps + u * (b * (b - 1) * high)) by lra.
  split; [|exact V].
  pose proof (target_agrees m p q steps start) as A. rewrite agreed_at_start in A. fold u v in A.
  assert (S : forall i, In i attributes -> (after start steps i <= most)%Z).
  { apply exponents_stay_small; [exact N|]. intros i _. unfold start. exact E. }
  pose proof (agreed_at_most m most (after start steps) P S) as B.
  assert (A2 : p * u - slack m p q steps - target_sum m * inject_Z most <= q * v) by lra.
  assert (K : 0 < (b - 1) * low) by (apply Qmult_lt_0_compat; lra).
  assert (A3 : (b - 1) * low * (p * u - slack m p q steps - target_sum m * inject_Z most) <= (b - 1) * low * (q * v)).
  { apply Qmult_le_l; assumption. }
  assert (A4 : q * (v * ((b - 1) * low)) <= q * (b * breadth + excess start steps + u * (b * (b - 1) * high))).
  { destruct (Qlt_le_dec 0 q) as [Q1|Q1]; [apply Qmult_le_l; [exact Q1 | lra]|].
    assert (Z0 : q == 0) by lra. rewrite Z0. lra. }
  lra.
Qed.

(** ** The check *)

Fixpoint count (up : bool) (steps : list step) : Z :=
  match steps with [] => 0 | (way, _) :: rest => ((if Bool.eqb way up then 1 else 0) + count up rest)%Z end.

Lemma promotions_counted : forall steps, promotions steps == inject_Z (count true steps).
Proof.
  induction steps as [|[way row] rest IH]; [reflexivity|]. cbn [promotions count].
  rewrite inject_Z_plus, IH. destruct way; reflexivity.
Qed.

Lemma demotions_counted : forall steps, demotions steps == inject_Z (count false steps).
Proof.
  induction steps as [|[way row] rest IH]; [reflexivity|]. cbn [demotions count].
  rewrite inject_Z_plus, IH. destruct way; reflexivity.
Qed.

Definition below (x y : Q) : bool := negb (Qle_bool y x).

Lemma below_means : forall x y, below x y = true -> x < y.
Proof.
  intros x y H. apply Bool.negb_true_iff in H. apply Qnot_le_lt. intros C. apply Qle_bool_iff in C. congruence.
Qed.

Definition check_winnow (m : positive -> Q) (p q : Q) (most : Z) (steps : list step) (promoted demoted : Z) : bool :=
  let left_over := (b - 1) * (p * low - q * b * high) in
  let heavy := b * breadth + excess start steps in
  (0 <=? promoted)%Z && below 0 left_over
  && below ((b - 1) * low * (target_sum m * inject_Z most + slack m p q steps) + q * heavy)
           (inject_Z (promoted + 1) * left_over)
  && Qle_bool (heavy + inject_Z promoted * (b * (b - 1) * high)) (inject_Z (demoted + 1) * ((b - 1) * low)).

(** THEOREM. If the check accepts, there are at most [promoted] promotions and [demoted] demotions. *)
Theorem checked_winnow_keeps_its_bound : forall m p q most steps promoted demoted,
  attributes <> [] -> 0 <= q -> 0 <= high -> (0 <= most)%Z -> (forall i, 0 <= m i) -> never_above most start steps ->
  check_winnow m p q most steps promoted demoted = true ->
  (count true steps <= promoted /\ count false steps <= demoted)%Z.
Proof.
  intros m p q most steps promoted demoted NE Q0 H0 E P N C. unfold check_winnow in C.
  apply andb_prop in C as [C D]. apply andb_prop in C as [C B]. apply andb_prop in C as [_ A].
  apply below_means in A, B. apply Qle_bool_iff in D.
  destruct (winnow_bound m p q most steps NE Q0 E P N) as [U V].
  rewrite promotions_counted in U, V. rewrite demotions_counted in V.
  assert (UP : (count true steps < promoted + 1)%Z).
  { rewrite Zlt_Qlt. apply Qmult_lt_r with ((b - 1) * (p * low - q * b * high)); [exact A | lra]. }
  split; [lia|].
  assert (K : 0 < (b - 1) * low) by (apply Qmult_lt_0_compat; lra).
  assert (UQ : inject_Z (count true steps) <= inject_Z promoted) by (rewrite <- Zle_Qle; lia).
  assert (F : 0 <= b * (b - 1) * high) by (apply Qmult_le_0_compat; [nra | exact H0]).
  assert (G : inject_Z (count true steps) * (b * (b - 1) * high) <= inject_Z promoted * (b * (b - 1) * high)) by nra.
  assert (DOWN : (count false steps < demoted + 1)%Z); [|lia].
  rewrite Zlt_Qlt. apply Qmult_lt_r with ((b - 1) * low); [exact K | lra].
Qed.

(** ** The learner in exact arithmetic: promote below [high], demote from [low] on *)

Fixpoint play (e : exponents) (rounds : list (bool * list positive)) : list step :=
  match rounds with
  | [] => []
  | (label, row) :: rest =>
      if (if label then below (score e row) high else Qle_bool low (score e row))
      then (label, row) :: play (move label row e) rest
      else play e rest
  end.

Theorem exact_run_has_no_excess : forall rounds e, excess e (play e rounds) == 0.
Proof.
  induction rounds as [|[label row] rest IH]; intros e; cbn [play]; [reflexivity|].
  destruct label.
  - destruct (below (score e row) high) eqn:L; [|apply IH]. cbn [excess]. rewrite IH. apply below_means in L.
    rewrite Q.max_l by lra. ring.
  - destruct (Qle_bool low (score e row)) eqn:L; [|apply IH]. cbn [excess]. rewrite IH. apply Qle_bool_iff in L.
    rewrite Q.max_l by lra. ring.
Qed.

Theorem exact_run_never_above : forall most rounds e, high <= b ^ most -> never_above most e (play e rounds).
Proof.
  induction rounds as [|[label row] rest IH]; intros e H; cbn [play]; [exact I|].
  destruct label.
  - destruct (below (score e row) high) eqn:L; [|apply IH; exact H]. apply below_means in L.
    split; [intros _; lra | apply IH; exact H].
  - destruct (Qle_bool low (score e row)); [|apply IH; exact H]. split; [discriminate | apply IH; exact H].
Qed.

(** THEOREM (exact runs). *)
Theorem checked_run_of_winnow_keeps_its_bound : forall m p q most rounds promoted demoted,
  attributes <> [] -> 0 <= q -> 0 <= high -> high <= b ^ most -> (0 <= most)%Z -> (forall i, 0 <= m i) ->
  check_winnow m p q most (play start rounds) promoted demoted = true ->
  (count true (play start rounds) <= promoted /\ count false (play start rounds) <= demoted)%Z.
Proof.
  intros m p q most rounds promoted demoted NE Q0 H0 HM E P C.
  exact (checked_winnow_keeps_its_bound m p q most _ _ _ NE Q0 H0 E P (exact_run_never_above most rounds start HM) C).
Qed.

End Winnow.

(** ** The check that is extracted: every hypothesis of the theorem is asked for as well *)

Fixpoint stays_below (b : Q) (attributes : list positive) (most : Z) (e : exponents) (steps : list step) : bool :=
  match steps with
  | [] => true
  | (up, row) :: rest =>
      (if up then below (score b attributes e row) (b ^ most) else true)
      && stays_below b attributes most (move up row e) rest
  end.

Lemma stays_below_means : forall b attributes most steps e,
  stays_below b attributes most e steps = true -> never_above b attributes most e steps.
Proof.
  induction steps as [|[up row] rest IH]; intros e H; cbn [stays_below never_above] in *; [exact I|].
  apply andb_prop in H as [H R]. split; [|apply IH; exact R]. intros ->. apply below_means. exact H.
Qed.

(** A target with whole numbers for the attributes; negative ones count as 0. *)
Definition target (m : Vectors.vector) (i : positive) : Q := Qmax 0 (inject_Z (Vectors.entry m i)).

Definition check_steps_of_winnow (b high low : Q) (attributes : list positive) (m : Vectors.vector) (p q most : Z)
    (steps : list step) (promoted demoted : Z) : bool :=
  below 1 b && below 0 low && Qle_bool 0 high && negb (match attributes with [] => true | _ => false end)
  && (0 <=? q)%Z && (0 <=? most)%Z && stays_below b attributes most start steps
  && check_winnow b high low attributes (target m) (inject_Z p) (inject_Z q) most steps promoted demoted.

(** THEOREM (any steps, the program). *)
Theorem checked_steps_of_winnow_keep_their_bound : forall b high low attributes m p q most steps promoted demoted,
  check_steps_of_winnow b high low attributes m p q most steps promoted demoted = true ->
  (count true steps <= promoted /\ count false steps <= demoted)%Z.
Proof.
  intros b high low attributes m p q most steps promoted demoted H. unfold check_steps_of_winnow in H.
  apply andb_prop in H as [H C]. apply andb_prop in H as [H S]. apply andb_prop in H as [H E]. apply andb_prop in H as [H Q0].
  apply andb_prop in H as [H N]. apply andb_prop in H as [H H0]. apply andb_prop in H as [B L].
  apply below_means in B, L. apply Qle_bool_iff in H0. apply Z.leb_le in Q0, E.
  refine (checked_winnow_keeps_its_bound b high low attributes B L (target m) _ _ most steps promoted demoted
    _ _ H0 E _ (stays_below_means _ _ _ _ _ S) C).
  - destruct attributes; discriminate.
  - change 0 with (inject_Z 0). rewrite <- Zle_Qle. exact Q0.
  - intros i. apply Q.le_max_l.
Qed.
