(** * Passive-aggressive learners: each mistake brings the weights nearer to any u, but for what u loses

    A round with y w.x < k, k being the margin, moves the weights by t along z = y x; t depends on s = w.z and q = |z|^2.
    In exact fractions, for all rounds. A float run has steps t of its own: [any_steps] is about these. *)

Require Import ZArith QArith Qminmax List Lia Psatz.
From Littlestone Require Import Vectors Fractions.
Import ListNotations.
Open Scope Q_scope.

Definition loss (k : Q) (u z : fraction_vector) : Q := Qmax 0 (k - times u z).

(** THEOREM (any steps, also those of floats). With steps t >= 0 along z, s = w.z before each, and any u with losses l:
    the sum of 2 t (k - s) - t^2 |z|^2 is at most |u|^2 and the sum of 2 t l. *)
Fixpoint gains (k : Q) (w : fraction_vector) (steps : list (Q * fraction_vector)) : Q :=
  match steps with
  | [] => 0
  | (t, z) :: rest => 2 * t * (k - times w z) - t * t * times z z + gains k (plus w (scale t z)) rest
  end.

Fixpoint weighed_losses (k : Q) (u : fraction_vector) (steps : list (Q * fraction_vector)) : Q :=
  match steps with
  | [] => 0
  | (t, z) :: rest => 2 * t * loss k u z + weighed_losses k u rest
  end.

Lemma any_steps_from : forall k u steps w,
  Forall (fun step => 0 <= fst step) steps -> gains k w steps <= distance w u + weighed_losses k u steps.
Proof.
  induction steps as [|[t z] rest IH]; intros w H; simpl.
  - pose proof (distance_not_negative w u). lra.
  - inversion H; subst. simpl in H2. specialize (IH (plus w (scale t z)) H3).
    rewrite distance_after_step in IH.
    assert (k - times u z <= loss k u z) by apply Q.le_max_r.
    assert (0 <= t * (loss k u z - (k - times u z))) by (apply Qmult_le_0_compat; lra). nra.
Qed.

Theorem any_steps : forall k u steps,
  Forall (fun step => 0 <= fst step) steps -> gains k zero steps <= times u u + weighed_losses k u steps.
Proof. intros. rewrite <- distance_at_start. apply any_steps_from. assumption. Qed.

(** ** The learner in exact fractions *)

Definition learns (k : Q) (w z : fraction_vector) : bool :=
  andb (negb (Qle_bool k (times w z))) (negb (Qle_bool (times z z) 0)).

(** Mistakes (s <= 0) among the rounds that move the weights, with steps of length [far s q]. *)
Fixpoint mistakes (far : Q -> Q -> Q) (k : Q) (w : fraction_vector) (rows : list fraction_vector) : Q :=
  match rows with
  | [] => 0
  | z :: rest =>
      if learns k w z
      then (if Qle_bool (times w z) 0 then 1 else 0)
           + mistakes far k (plus w (scale (far (times w z) (times z z)) z)) rest
      else mistakes far k w rest
  end.

(** What u is charged for its losses over these rounds. *)
Fixpoint charges (charge : Q -> Q) (far : Q -> Q -> Q) (k : Q) (u w : fraction_vector) (rows : list fraction_vector) : Q :=
  match rows with
  | [] => 0
  | z :: rest =>
      if learns k w z
      then charge (loss k u z) + charges charge far k u (plus w (scale (far (times w z) (times z z)) z)) rest
      else charges charge far k u w rest
  end.

(** If every step gains at least [least] on a mistake, and nothing is lost otherwise, up to the charges. *)
Definition improves (charge : Q -> Q) (far : Q -> Q -> Q) (k least : Q) (u z : fraction_vector) : Prop :=
  forall s, s < k -> 0 < times z z ->
    (if Qle_bool s 0 then least else 0)
      <= 2 * far s (times z z) * (times u z - s) - far s (times z z) * far s (times z z) * times z z + charge (loss k u z).

Lemma learns_means : forall k w z, learns k w z = true -> times w z < k /\ 0 < times z z.
Proof.
  intros k w z H. unfold learns in H. apply andb_prop in H as [A B].
  apply Bool.negb_true_iff in A, B. split; apply Qnot_le_lt; intros C; apply Qle_bool_iff in C; congruence.
Qed.

Theorem mistakes_are_paid : forall charge far k least u rows w,
  (forall z, In z rows -> improves charge far k least u z) ->
  least * mistakes far k w rows <= distance w u + charges charge far k u w rows.
Proof.
  induction rows as [|z rest IH]; intros w H; simpl.
  - pose proof (distance_not_negative w u). lra.
  - assert (R : forall y, In y rest -> improves charge far k least u y) by (intros; apply H; right; assumption).
    destruct (learns k w z) eqn:L; [|apply IH; exact R].
    apply learns_means in L as [S Q]. pose proof (H z (or_introl eq_refl) (times w z) S Q) as I.
    specialize (IH (plus w (scale (far (times w z) (times z z)) z)) R). rewrite distance_after_step in IH.
    destruct (Qle_bool (times w z) 0); lra.
Qed.

(** *** Variant 0 *)
Definition far_0 (k s q : Q) : Q := (k - s) / q.

Lemma step_times_square : forall k s q, 0 < q -> far_0 k s q * q == k - s.
Proof. intros. unfold far_0. field. lra. Qed.

Theorem passive_0_improves : forall k least reach u z,
  0 < k -> least * reach <= k * k -> 0 < reach -> times z z <= reach -> k <= times u z ->
  improves (fun _ => 0) (far_0 k) k least u z.
Proof.
  intros k least reach u z K L R Z C s S Q. pose proof (step_times_square k s (times z z) Q) as E.
  set (t := far_0 k s (times z z)) in *. set (q := times z z) in *. set (c := times u z) in *. clearbody t q c.
  assert (T : 0 < t) by nra.
  assert (G : t * (k - s) <= 2 * t * (c - s) - t * t * q).
  { assert (t * t * q == t * (k - s)) by (rewrite <- Qmult_assoc, E; reflexivity). nra. }
  destruct (Qle_bool s 0) eqn:M; [apply Qle_bool_iff in M|nra].
  assert (k - s <= t * reach) by nra.
  assert (k * k <= (t * (k - s)) * reach) by nra.
  assert (least <= t * (k - s)); [|lra].
  apply Qmult_le_r with reach; [assumption|lra].
Qed.

(** *** Variant I: steps are at most C *)
Definition far_1 (C k s q : Q) : Q := Qmin C ((k - s) / q).

Theorem passive_1_improves : forall C k least reach u z,
  0 < C -> 0 < k -> least <= C * k -> least * reach <= k * k -> 0 < reach -> times z z <= reach ->
  improves (fun l => 2 * C * l) (far_1 C k) k least u z.
Proof.
  intros C k least reach u z P K L1 L R Z s S Q. pose proof (step_times_square k s (times z z) Q) as E.
  unfold far_1. fold (far_0 k s (times z z)). set (t0 := far_0 k s (times z z)) in *.
  assert (D1 : k - times u z <= loss k u z) by apply Q.le_max_r.
  assert (D2 : 0 <= loss k u z) by apply Q.le_max_l.
  set (l := loss k u z) in *. set (q := times z z) in *. set (c := times u z) in *. clearbody t0 l q c.
  assert (T0 : 0 < t0) by nra.
  assert (T : exists t, t == Qmin C t0 /\ 0 < t /\ t <= C /\ t <= t0 /\ (t == C \/ t == t0)).
  { exists (Qmin C t0). split; [reflexivity|]. destruct (Q.min_spec C t0) as [[A B]|[A B]]; rewrite B; lra. }
  destruct T as [t [TE [TP [TC [TT TO]]]]]. rewrite <- TE.
  assert (F : t * q <= k - s) by nra.
  assert (G : t * (k - s) <= 2 * t * (c - s) - t * t * q + 2 * C * l).
  { assert (t * t * q <= t * (k - s)) by nra. assert (t * l <= C * l) by nra. assert (0 <= t * (l - (k - c))) by nra. nra. }
  destruct (Qle_bool s 0) eqn:M; [apply Qle_bool_iff in M|assert (0 <= t * (k - s)) by nra; lra].
  assert (least <= t * (k - s)); [|lra].
  destruct TO as [TO|TO].
  - rewrite TO. nra.
  - assert (k - s <= t * reach) by (rewrite TO; nra).
    assert (k * k <= (t * (k - s)) * reach) by nra. apply Qmult_le_r with reach; [assumption|lra].
Qed.

(** *** Variant II: steps are damped by a = 1 / (2 C); squares of losses are charged over a *)
Definition far_2 (a k s q : Q) : Q := (k - s) / (q + a).

Theorem passive_2_improves : forall a k least reach u z,
  0 < a -> 0 < k -> least * (reach + a) <= k * k -> 0 < reach -> times z z <= reach ->
  improves (fun l => l * l / a) (far_2 a k) k least u z.
Proof.
  intros a k least reach u z P K L R Z s S Q.
  assert (E : far_2 a k s (times z z) * (times z z + a) == k - s) by (unfold far_2; field; lra).
  assert (D1 : k - times u z <= loss k u z) by apply Q.le_max_r.
  set (t := far_2 a k s (times z z)) in *. set (l := loss k u z) in *. set (q := times z z) in *. set (c := times u z) in *.
  clearbody t l q c.
  assert (LA : exists x, x * a == l /\ l * l / a == x * x * a).
  { exists (l / a). split; field; lra. }
  destruct LA as [x [XA XL]]. rewrite XL.
  assert (T : 0 < t) by nra.
  assert (SQ : 0 <= (t - x) * (t - x) * a).
  { apply Qmult_le_0_compat; [|lra]. destruct (Qlt_le_dec (t - x) 0); nra. }
  assert (G : t * (k - s) <= 2 * t * (c - s) - t * t * q + x * x * a).
  { assert (t * (t * (q + a)) == t * (k - s)) by (rewrite E; reflexivity).
    assert (0 <= t * (l - (k - c))) by nra. nra. }
  destruct (Qle_bool s 0) eqn:M; [apply Qle_bool_iff in M|assert (0 <= t * (k - s)) by nra; lra].
  assert (least <= t * (k - s)); [|lra].
  assert (k - s <= t * (reach + a)) by nra.
  assert (k * k <= (t * (k - s)) * (reach + a)) by nra. apply Qmult_le_r with (reach + a); [lra|lra].
Qed.

(** ** The check: with so much gained by a mistake, one more than the bound costs more than |u|^2 and the charges *)
Definition check_passive (least norm charged bound : Q) : bool :=
  andb (negb (Qle_bool least 0)) (negb (Qle_bool ((bound + 1) * least) (norm + charged))).

(** THEOREM. If the check accepts, fewer than [bound + 1] mistakes move the weights. *)
Theorem checked_passive_keeps_its_bound : forall charge far k least u rows bound,
  (forall z, In z rows -> improves charge far k least u z) ->
  check_passive least (times u u) (charges charge far k u zero rows) bound = true ->
  mistakes far k zero rows < bound + 1.
Proof.
  intros charge far k least u rows bound H C. unfold check_passive in C. apply andb_prop in C as [L C].
  apply Bool.negb_true_iff in L, C.
  assert (0 < least) by (apply Qnot_le_lt; intros X; apply Qle_bool_iff in X; congruence).
  assert (times u u + charges charge far k u zero rows < (bound + 1) * least)
    by (apply Qnot_le_lt; intros X; apply Qle_bool_iff in X; congruence).
  pose proof (mistakes_are_paid charge far k least u rows zero H) as P. rewrite distance_at_start in P.
  apply Qmult_lt_r with least; [assumption|]. lra.
Qed.
