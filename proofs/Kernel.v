(** * The Perceptron in the space of a kernel: all it needs of rows is their inner products

    Rows are numbered. A vector is a list of numbers of rows with coefficients, as in Vectors.v, and stands for their
    combination in the space of the kernel; inner products are those of a table K of whole numbers, which is symmetric and
    in which no vector has a negative square. That a kernel's table is such is what makes it a kernel; it is supposed here. *)

Require Import ZArith List Lia.
From Littlestone Require Import Vectors Inequalities Perceptron.
Import ListNotations.
Open Scope Z_scope.

Section Kernel.
Variable K : positive -> positive -> Z.

(** The inner product of two combinations, and the score of a row. *)
Definition against (a : vector) (j : positive) : Z := score (fun i => K i j) a.
Definition inner (a b : vector) : Z := score (against a) b.

Hypothesis symmetric : forall i j, K i j = K j i.
Hypothesis natural : forall a, 0 <= inner a a.

Lemma inner_sum_right : forall a b c, inner a (b ++ c) = inner a b + inner a c.
Proof. intros. apply score_of_sum_of_rows. Qed.

Lemma inner_sum_left : forall a b c, inner (a ++ b) c = inner a c + inner b c.
Proof.
  intros. unfold inner. rewrite <- score_of_sum_of_weights. apply score_depends_on_entries.
  intros. apply score_of_sum_of_rows.
Qed.

Lemma inner_multiple_right : forall k a b, inner a (multiply k b) = k * inner a b.
Proof. intros. apply score_of_multiple_of_row. Qed.

Lemma inner_multiple_left : forall k a b, inner (multiply k a) b = k * inner a b.
Proof.
  intros. unfold inner. rewrite <- score_of_multiple_of_weights. apply score_depends_on_entries.
  intros. apply score_of_multiple_of_row.
Qed.

Lemma inner_nothing : forall b, inner [] b = 0.
Proof. unfold inner, against. induction b as [|[j x] b IH]; cbn [score] in *; lia. Qed.

Lemma inner_symmetric : forall a b, inner a b = inner b a.
Proof.
  induction a as [|[i x] a IH]; intros b; [rewrite inner_nothing; reflexivity|].
  change ((i, x) :: a) with ([(i, x)] ++ a). rewrite inner_sum_left, inner_sum_right, IH. f_equal.
  unfold inner, against. cbn [score]. clear IH. induction b as [|[j y] b IHb]; cbn [score] in *; [lia|].
  rewrite (symmetric i j). lia.
Qed.

Lemma inner_square_of_sum : forall a b, inner (a ++ b) (a ++ b) = inner a a + 2 * inner a b + inner b b.
Proof. intros. rewrite inner_sum_left, !inner_sum_right, (inner_symmetric b a). lia. Qed.

Lemma inner_cauchy_schwarz : forall a b, inner a b * inner a b <= inner a a * inner b b.
Proof.
  intros a b.
  assert (H : forall s t, 0 <= s * s * inner a a + 2 * s * t * inner a b + t * t * inner b b).
  { intros s t. pose proof (natural (multiply s a ++ multiply t b)) as P. rewrite inner_square_of_sum in P.
    rewrite !inner_multiple_left, !inner_multiple_right in P. lia. }
  pose proof (natural a) as A. pose proof (natural b) as B.
  destruct (Z.eq_dec (inner b b) 0) as [E|E].
  - rewrite E in *. pose proof (H 1 (- (inner a a + 1) * inner a b)) as Q. assert (inner a b * inner a b = 0) by nia. lia.
  - pose proof (H (inner b b) (- inner a b)) as Q. nia.
Qed.

(** ** What is measured of a list of steps, each along a combination z (y times one row), and of a comparator u *)

Fixpoint short (u : vector) (g : Z) (steps : list vector) : Z :=
  match steps with [] => 0 | z :: rest => Z.max 0 (g - inner u z) + short u g rest end.
Fixpoint short2 (u : vector) (g : Z) (steps : list vector) : Z :=
  match steps with [] => 0 | z :: rest => Z.max 0 (g - inner u z) * Z.max 0 (g - inner u z) + short2 u g rest end.
Fixpoint largest (steps : list vector) : Z :=
  match steps with [] => 0 | z :: rest => Z.max (inner z z) (largest rest) end.
Fixpoint exceeded (over under : Z) (w : vector) (steps : list vector) : Z :=
  match steps with
  | [] => 0
  | z :: rest => Z.max 0 (2 * (under * inner w z - over)) + exceeded over under (w ++ z) rest
  end.

Definition measure_kernel (over under : Z) (u : vector) (g : Z) (steps : list vector) : facts :=
  {| norm := inner u u; margin := g; under := under; reach := under * largest steps + 2 * over;
     missing := short u g steps; missing2 := short2 u g steps;
     final := inner (concat steps) (concat steps); beyond := exceeded over under [] steps |}.

Lemma short_natural : forall u g steps, 0 <= short u g steps.
Proof. induction steps; cbn [short]; lia. Qed.
Lemma short2_natural : forall u g steps, 0 <= short2 u g steps.
Proof. induction steps; cbn [short2]; nia. Qed.
Lemma largest_natural : forall steps, 0 <= largest steps.
Proof. induction steps; cbn [largest]; lia. Qed.
Lemma exceeded_natural : forall over under steps w, 0 <= exceeded over under w steps.
Proof. induction steps as [|z rest IH]; intros; cbn [exceeded]; [lia | specialize (IH (w ++ z)); lia]. Qed.

Lemma inner_agreement_grows : forall u g steps,
  Z.of_nat (length steps) * g - short u g steps <= inner u (concat steps).
Proof.
  induction steps as [|z rest IH]; [cbn [length short concat]; unfold inner; cbn [score]; lia|].
  cbn [length short concat]. rewrite inner_sum_right, Nat2Z.inj_succ, Z.mul_succ_l. lia.
Qed.

Lemma inner_stays_short : forall over under steps w most,
  0 < under -> largest steps <= most ->
  under * inner (w ++ concat steps) (w ++ concat steps)
    <= under * inner w w + Z.of_nat (length steps) * (under * most + 2 * over) + exceeded over under w steps.
Proof.
  induction steps as [|z rest IH]; intros w most U R.
  - cbn [concat length exceeded]. rewrite app_nil_r. lia.
  - cbn [concat length exceeded largest] in *. rewrite app_assoc.
    specialize (IH (w ++ z) most U ltac:(lia)). rewrite (inner_square_of_sum w z) in IH.
    rewrite Nat2Z.inj_succ, Z.mul_succ_l. assert (under * inner z z <= under * most) by nia. lia.
Qed.

Lemma short_by_squares : forall u g steps,
  short u g steps * short u g steps <= Z.of_nat (length steps) * short2 u g steps.
Proof.
  induction steps as [|z rest IH]; [simpl; lia|]. cbn [length short short2]. rewrite Nat2Z.inj_succ.
  apply Additive.one_more_square; auto using short2_natural. lia.
Qed.

Definition accepts_kernel (name : theorem) (over under : Z) (u : vector) (g : Z) (steps : list vector) (bound : Z) : bool :=
  judge name over (measure_kernel over under u g steps) bound.

(** THEOREM (any steps). If the check accepts with the table of a kernel, there are at most [bound] steps. *)
Theorem checked_kernel_keeps_its_bound : forall name over under u g steps bound,
  accepts_kernel name over under u g steps bound = true -> Z.of_nat (length steps) <= bound.
Proof.
  intros name over under u g steps bound H. unfold accepts_kernel, judge in H.
  apply andb_prop in H as [H X]. apply andb_prop in H as [H G]. apply andb_prop in H as [O U].
  apply Z.leb_le in O. apply Z.ltb_lt in U, G. cbn [measure_kernel Inequalities.under margin] in U, G.
  assert (T : true_of (measure_kernel over under u g steps) (Z.of_nat (length steps)) (inner u (concat steps))).
  { pose proof (largest_natural steps).
    constructor; cbn [measure_kernel norm margin Inequalities.under reach missing missing2 final beyond];
      auto using short_natural, short2_natural, exceeded_natural, inner_agreement_grows, inner_cauchy_schwarz, short_by_squares;
      try lia; try nia.
    pose proof (inner_stays_short over under steps [] (largest steps) U ltac:(lia)) as P.
    cbn [app] in P. rewrite inner_nothing in P. lia. }
  pose proof (exceeds_is_right name _ _ _ _ T X). lia.
Qed.

(** ** The learner in exact arithmetic: a round is a label and the number of its row *)

Fixpoint play_kernel (r : rule) (w : vector) (rounds : list (bool * positive)) : list vector :=
  match rounds with
  | [] => []
  | (label, i) :: rest =>
      let z := [(i, if label then 1 else -1)] in
      if teaches r label (inner w z) then z :: play_kernel r (w ++ z) rest else play_kernel r w rest
  end.

(** THEOREM (exact runs). *)
Theorem checked_run_of_kernel_keeps_its_bound : forall name r u g rounds bound,
  accepts_kernel name (threshold_over r) (threshold_under r) u g (play_kernel r [] rounds) bound = true ->
  Z.of_nat (length (play_kernel r [] rounds)) <= bound.
Proof. intros. eapply checked_kernel_keeps_its_bound; eassumption. Qed.

Theorem exact_kernel_run_exceeds_nothing : forall r rounds w,
  exceeded (threshold_over r) (threshold_under r) w (play_kernel r w rounds) = 0.
Proof.
  induction rounds as [|[label i] rest IH]; intros w; cbn [play_kernel]; [reflexivity|].
  destruct (teaches r label (inner w [(i, if label then 1 else -1)])) eqn:T; [|apply IH].
  cbn [exceeded]. rewrite IH. apply teaches_below in T. lia.
Qed.

End Kernel.
