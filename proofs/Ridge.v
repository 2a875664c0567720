(** * Ridge regression and second-order learners: the identity of their squared losses

    After rows x with outcomes y, the learner has the weights w that make r |u|^2 and the sum of (y - u.x)^2 least. It keeps
    them by steps along S x, S being r times the inverse of its matrix; S is kept as what it does to a vector. Classifiers
    such as AROW and the second-order Perceptron are the case of rows z = y x with the outcome 1, on whatever rounds they
    learn from. With l = y - w.x and v = x.S x before each row, for any list of rows and any u:

        sum of l^2 r / (r + v)  =  r |u|^2 + sum of (y - u.x)^2 - what u - w measures in the matrix at the end.

    Lists of rows have the latest first. *)

Require Import ZArith QArith List Lia Psatz.
From Littlestone Require Import Vectors Fractions.
Import ListNotations.
Open Scope Q_scope.

Section Ridge.
Variable r : Q.

Fixpoint spread (past : list (fraction_vector * Q)) (b : fraction_vector) : fraction_vector :=
  match past with
  | [] => b
  | (x, _) :: rest =>
      let s := spread rest x in plus (spread rest b) (scale (- times s b / (r + times s x)) s)
  end.

Fixpoint learned (past : list (fraction_vector * Q)) : fraction_vector :=
  match past with
  | [] => zero
  | (x, y) :: rest =>
      let s := spread rest x in
      plus (learned rest) (scale ((y - times (learned rest) x) / (r + times s x)) s)
  end.

(** The sum of l^2 r / (r + v). *)
Fixpoint played (past : list (fraction_vector * Q)) : Q :=
  match past with
  | [] => 0
  | (x, y) :: rest =>
      let l := y - times (learned rest) x in
      l * l * r / (r + times (spread rest x) x) + played rest
  end.

(** What any u loses: r |u|^2 and the sum of (y - u.x)^2. *)
Fixpoint losses (u : fraction_vector) (past : list (fraction_vector * Q)) : Q :=
  match past with [] => 0 | (x, y) :: rest => (y - times u x) * (y - times u x) + losses u rest end.
Definition cost (u : fraction_vector) (past : list (fraction_vector * Q)) : Q := r * times u u + losses u past.

(** The matrix r I + sum of x x', between two vectors. *)
Fixpoint form (past : list (fraction_vector * Q)) (a b : fraction_vector) : Q :=
  match past with [] => r * times a b | (x, _) :: rest => times a x * times b x + form rest a b end.

Lemma form_symmetric : forall past a b, form past a b == form past b a.
Proof. induction past as [|[x y] rest IH]; intros; cbn [form]; [rewrite times_symmetric; reflexivity | rewrite (IH a b); ring]. Qed.

Lemma form_plus : forall past a b t c, form past a (plus b (scale t c)) == form past a b + t * form past a c.
Proof.
  induction past as [|[x y] rest IH]; intros; cbn [form].
  - rewrite times_plus_right, times_scale_right. ring.
  - rewrite IH, times_plus_left, times_scale_left. ring.
Qed.

Lemma square_natural : forall x : Q, 0 <= x * x.
Proof. intros. destruct (Qlt_le_dec x 0); nra. Qed.

Lemma form_not_negative : forall past a, 0 <= r -> 0 <= form past a a.
Proof.
  induction past as [|[x y] rest IH]; intros a R; cbn [form].
  - apply Qmult_le_0_compat; [exact R | apply times_itself].
  - pose proof (IH a R). pose proof (square_natural (times a x)). lra.
Qed.

(** S is symmetric and undoes the matrix, but for r. *)
Lemma spread_inverts : forall past, 0 < r ->
  (forall a b, form past a (spread past b) == r * times a b)
  /\ (forall a b, times (spread past a) b == times (spread past b) a)
  /\ (forall b, 0 <= times (spread past b) b).
Proof.
  intros past R.
  assert (P : (forall a b, form past a (spread past b) == r * times a b) /\ (forall a b, times (spread past a) b == times (spread past b) a)).
  { induction past as [|[x y] rest [I S]]; [split; intros; cbn [spread form]; [reflexivity | apply times_symmetric]|].
    assert (V : 0 <= times (spread rest x) x).
    { pose proof (form_not_negative rest (spread rest x) ltac:(lra)) as F. rewrite I in F.
      apply Qmult_le_l with r; [exact R|]. lra. }
    assert (D : ~ r + times (spread rest x) x == 0) by (intros E; lra).
    split; intros a b; cbn [spread form].
    - rewrite form_plus, times_plus_left, times_scale_left, !I, (S b x). field. exact D.
    - rewrite !times_plus_left, !times_scale_left, (S a b). field. exact D. }
  destruct P as [I S]. repeat split; auto. intros b.
  pose proof (form_not_negative past (spread past b) ltac:(lra)) as F. rewrite I in F. apply Qmult_le_l with r; [exact R|]. lra.
Qed.

Definition apart (u w : fraction_vector) : fraction_vector := plus u (scale (-1) w).

Lemma form_after_step : forall past u w t s,
  form past (apart u (plus w (scale t s))) (apart u (plus w (scale t s)))
    == form past (apart u w) (apart u w) - 2 * t * form past (apart u w) s + t * t * form past s s.
Proof.
  intros. unfold apart.
  induction past as [|[x y] rest IH]; cbn [form].
  - rewrite !times_plus_left, !times_plus_right, !times_scale_left, !times_scale_right, !times_plus_left, !times_plus_right,
      !times_scale_left, !times_scale_right, (times_symmetric s w), (times_symmetric s u). ring.
  - rewrite IH, !times_plus_left, !times_scale_left, !times_plus_left, !times_scale_left. ring.
Qed.

(** THEOREM (any rows). *)
Theorem ridge_identity : forall past u, 0 < r ->
  cost u past == played past + form past (apart u (learned past)) (apart u (learned past)).
Proof.
  intros past u R. unfold cost. induction past as [|[x y] rest IH].
  - cbn [losses played form learned]. unfold apart.
    rewrite times_plus_left, !times_plus_right, !times_scale_left, !times_scale_right, (times_symmetric u zero), !zero_times. ring.
  - cbn [losses played learned form]. rewrite form_after_step.
    destruct (spread_inverts rest R) as [I [S V]].
    set (w := learned rest) in *. set (s := spread rest x) in *. specialize (V x). fold s in V.
    assert (A : form rest (apart u w) s == r * times (apart u w) x) by (unfold s; apply I).
    assert (B : form rest s s == r * times s x) by (unfold s at 2; apply I).
    rewrite A, B.
    assert (E : times (apart u w) x == times u x - times w x) by (unfold apart; rewrite times_plus_left, times_scale_left; ring).
    assert (F : forall t, times (apart u (plus w (scale t s))) x == times u x - times w x - t * times s x).
    { intros. unfold apart. rewrite times_plus_left, times_scale_left, times_plus_left, times_scale_left. ring. }
    rewrite F, E.
    setoid_replace (r * times u u + ((y - times u x) * (y - times u x) + losses u rest))
      with ((r * times u u + losses u rest) + (y - times u x) * (y - times u x)) by ring.
    rewrite IH. field. lra.
Qed.

(** THEOREM. No u costs less than what the learner's losses add up to, ... *)
Theorem ridge_bound : forall past u, 0 < r -> played past <= cost u past.
Proof.
  intros. rewrite ridge_identity by assumption.
  pose proof (form_not_negative past (apart u (learned past)) ltac:(lra)). lra.
Qed.

(** ... and the learner's own weights cost just that. *)
Theorem ridge_attained : forall past, 0 < r -> cost (learned past) past == played past.
Proof.
  intros. rewrite ridge_identity by assumption.
  assert (Z : forall a b, form past (apart a a) b == 0).
  { intros a b. unfold apart. rewrite form_symmetric, form_plus. ring. }
  rewrite Z. ring.
Qed.

(** The check: r is positive and the comparator costs at most the bound. *)
Definition check_ridge (u : fraction_vector) (past : list (fraction_vector * Q)) (bound : Q) : bool :=
  negb (Qle_bool r 0) && Qle_bool (cost u past) bound.

(** THEOREM. If the check accepts, the sum of l^2 r / (r + v) of the learner is at most the bound. *)
Theorem checked_ridge_keeps_its_bound : forall u past bound, check_ridge u past bound = true -> played past <= bound.
Proof.
  intros u past bound H. apply andb_prop in H as [R C]. apply Qle_bool_iff in C.
  apply Bool.negb_true_iff in R. eapply Qle_trans; [apply (ridge_bound past u) | exact C].
  apply Qnot_le_lt. intros X. apply Qle_bool_iff in X. congruence.
Qed.

(** ** The forward algorithm: it forecasts z = m r / (r + v) instead of m = w.x *)

Fixpoint forward (past : list (fraction_vector * Q)) : Q :=
  match past with
  | [] => 0
  | (x, y) :: rest =>
      let z := times (learned rest) x * r / (r + times (spread rest x) x) in (y - z) * (y - z) + forward rest
  end.

(** What a row is charged beside l^2 r / (r + v): y^2 v / (r + v) - z^2 v / r. *)
Fixpoint charges (past : list (fraction_vector * Q)) : Q :=
  match past with
  | [] => 0
  | (x, y) :: rest =>
      let v := times (spread rest x) x in
      let z := times (learned rest) x * r / (r + v) in y * y * v / (r + v) - z * z * v / r + charges rest
  end.

(** THEOREM. The squared losses of the forward algorithm are those sums together. *)
Theorem forward_identity : forall past, 0 < r -> forward past == played past + charges past.
Proof.
  intros past R. induction past as [|[x y] rest IH]; cbn [forward played charges]; [ring|].
  destruct (spread_inverts rest R) as [_ [_ V]]. specialize (V x). rewrite IH.
  set (v := times (spread rest x) x) in *. set (m := times (learned rest) x). field. lra.
Qed.

(** THEOREM. If the check accepts a bound for what u costs, the forward algorithm loses at most that and its charges. *)
Theorem checked_forward_keeps_its_bound : forall u past bound charged,
  check_ridge u past (bound - charged) = true -> charges past <= charged -> forward past <= bound.
Proof.
  intros u past bound charged H C. pose proof (checked_ridge_keeps_its_bound u past (bound - charged) H) as P.
  assert (R : 0 < r).
  { apply andb_prop in H as [R _]. apply Bool.negb_true_iff in R. apply Qnot_le_lt. intros X. apply Qle_bool_iff in X. congruence. }
  rewrite (forward_identity past R). lra.
Qed.

(** Mistakes, rounds with l >= 1: each counts r / (r + v), and their sum is at most the bound. *)
Fixpoint mistakes (past : list (fraction_vector * Q)) : Q :=
  match past with
  | [] => 0
  | (x, y) :: rest =>
      (if Qle_bool 1 (y - times (learned rest) x) then r / (r + times (spread rest x) x) else 0) + mistakes rest
  end.

Theorem ridge_mistakes : forall past u, 0 < r -> mistakes past <= cost u past.
Proof.
  intros past u R. eapply Qle_trans; [|apply ridge_bound; exact R]. clear u.
  induction past as [|[x y] rest IH]; cbn [mistakes played]; [lra|].
  destruct (spread_inverts rest R) as [_ [_ V]]. specialize (V x).
  set (l := y - times (learned rest) x). set (v := times (spread rest x) x) in *.
  assert (F : 0 <= r / (r + v)) by (apply Qle_shift_div_l; lra).
  assert (E : l * l * r / (r + v) == l * l * (r / (r + v))) by (field; lra). rewrite E.
  pose proof (square_natural l).
  destruct (Qle_bool 1 l) eqn:L; [apply Qle_bool_iff in L|].
  - assert (1 <= l * l) by nra. assert (0 <= (l * l - 1) * (r / (r + v))) by (apply Qmult_le_0_compat; lra). lra.
  - assert (0 <= l * l * (r / (r + v))) by (apply Qmult_le_0_compat; lra). lra.
Qed.

End Ridge.
