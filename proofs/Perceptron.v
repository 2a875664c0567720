(** * The Perceptron: its theorems, the check of a certificate, and why a check that says yes is right

    [accepts] is what the verifier computes. [accepted_bound_holds] is about any list of steps, whatever machine took
    them: it covers runs in floats. [accepted_bound_holds_of_run] is about the learner [updates], which is the Perceptron
    itself, in exact arithmetic, on any rounds. *)

Require Import ZArith List Lia.
From Littlestone Require Import Vectors Additive Inequalities.
Import ListNotations.
Open Scope Z_scope.

Inductive theorem := Novikoff | Hinge | Squared | RunDependent | Readable | TotalDeviation.

Definition exceeds (name : theorem) : facts -> Z -> bool :=
  match name with
  | Novikoff => exceeds_novikoff
  | Hinge => exceeds_hinge
  | Squared => exceeds_squared
  | RunDependent => exceeds_run
  | Readable => exceeds_readable
  | TotalDeviation => exceeds_deviation
  end.

(** What is measured of a comparator u with margin g on a list of steps, with the threshold [over / under]. *)
Definition measure (over under : Z) (u : vector) (g : Z) (steps : list vector) : facts :=
  {| norm := square u;
     margin := g;
     under := under;
     reach := under * longest steps + 2 * over;
     missing := shortfall u g steps;
     missing2 := squares u g steps;
     final := square (concat steps);
     beyond := excess over under [] steps |}.

(** The parameters are sound and one more than the bound is impossible. *)
Definition judge (name : theorem) (over : Z) (f : facts) (bound : Z) : bool :=
  (0 <=? over) && (0 <? under f) && (0 <? margin f) && exceeds name f (bound + 1).

Definition accepts (name : theorem) (over under : Z) (u : vector) (g : Z) (steps : list vector) (bound : Z) : bool :=
  judge name over (measure over under u g steps) bound.

(** The two lines of every proof hold of every list of steps. *)
Lemma facts_are_true : forall over under u g steps,
  0 <= over -> 0 < under -> 0 < g ->
  true_of (measure over under u g steps) (Z.of_nat (length steps)) (dot u (concat steps)).
Proof.
  intros over under u g steps O U G. pose proof (longest_not_negative steps).
  constructor; cbn [measure norm margin Inequalities.under reach missing missing2 final beyond]; try assumption.
  - lia.
  - apply square_not_negative.
  - assert (0 <= under * longest steps) by (apply Z.mul_nonneg_nonneg; lia). lia.
  - apply shortfall_not_negative.
  - apply squares_not_negative.
  - apply excess_not_negative.
  - apply agreement_grows.
  - apply cauchy_schwarz.
  - apply weights_stay_short; assumption.
  - apply shortfall_by_squares.
Qed.

Lemma exceeds_is_right : forall name f n w m, true_of f n w -> exceeds name f m = true -> n < m.
Proof.
  intros name f n w m T X; destruct name; simpl in X;
    eauto using novikoff_is_right, hinge_is_right, squared_is_right, run_is_right, readable_is_right, deviation_is_right.
Qed.

(** THEOREM (runs in floats). If the check accepts a list of steps, there are at most [bound] of them. *)
Theorem accepted_bound_holds : forall name over under u g steps bound,
  accepts name over under u g steps bound = true -> Z.of_nat (length steps) <= bound.
Proof.
  intros name over under u g steps bound H. unfold accepts, judge in H.
  apply andb_prop in H as [H X]. apply andb_prop in H as [H G]. apply andb_prop in H as [O U].
  apply Z.leb_le in O. apply Z.ltb_lt in U, G. cbn [measure Inequalities.under margin] in U, G.
  pose proof (exceeds_is_right name _ _ _ _ (facts_are_true over under u g steps O U G) X). lia.
Qed.

(** ** The learner *)

Inductive tie := Strict | Plus | Minus.
Record rule := { threshold_over : Z; threshold_under : Z; ties : tie }.

Definition signed (label : bool) (row : vector) : vector := if label then row else negate row.

(** Whether a round with this label and agreement y w.x moves the weights. *)
Definition teaches (r : rule) (label : bool) (agreement : Z) : bool :=
  if ((agreement =? 0) && (threshold_over r =? 0))%bool
  then match ties r with Strict => true | Plus => negb label | Minus => label end
  else threshold_under r * agreement <=? threshold_over r.

(** Whether the guess, the sign of w.x, is not the label. *)
Definition errs (r : rule) (label : bool) (agreement : Z) : bool :=
  if agreement =? 0
  then match ties r with Plus => negb label | _ => label end
  else agreement <? 0.

(** The rounds as the learner plays them: whether its guess was wrong, and its step, if it took one. *)
Fixpoint play (r : rule) (weights : vector) (rounds : list (bool * vector)) : list (bool * option vector) :=
  match rounds with
  | [] => []
  | (label, row) :: rest =>
      let z := signed label row in
      let agreement := dot weights z in
      if teaches r label agreement
      then (errs r label agreement, Some z) :: play r (weights ++ z) rest
      else (errs r label agreement, None) :: play r weights rest
  end.

Fixpoint steps_of (decisions : list (bool * option vector)) : list vector :=
  match decisions with
  | [] => []
  | (_, Some z) :: rest => z :: steps_of rest
  | (_, None) :: rest => steps_of rest
  end.

Definition updates (r : rule) (rounds : list (bool * vector)) : list vector := steps_of (play r [] rounds).

Lemma teaches_below : forall r label agreement,
  teaches r label agreement = true -> threshold_under r * agreement <= threshold_over r.
Proof.
  intros r label a H. unfold teaches in H.
  destruct (Z.eqb_spec a 0); destruct (Z.eqb_spec (threshold_over r) 0); simpl in H;
    try (apply Z.leb_le in H; exact H). subst. lia.
Qed.

Lemma updates_below_threshold : forall r rounds w,
  below_threshold (threshold_over r) (threshold_under r) w (steps_of (play r w rounds)).
Proof.
  induction rounds as [|[label row] rest IH]; intros w; cbn [play]; [exact I|].
  destruct (teaches r label (dot w (signed label row))) eqn:T; cbn [steps_of]; [|apply IH].
  split; [apply teaches_below in T; exact T | apply IH].
Qed.

(** THEOREM (exact runs). If the check accepts the steps of the Perceptron on these rounds, it takes at most [bound]. *)
Theorem accepted_bound_holds_of_run : forall name r u g rounds bound,
  accepts name (threshold_over r) (threshold_under r) u g (updates r rounds) bound = true ->
  Z.of_nat (length (updates r rounds)) <= bound.
Proof. intros. eapply accepted_bound_holds; eassumption. Qed.

(** In an exact run nothing is paid for rounding. *)
Theorem exact_run_has_no_excess : forall r rounds,
  excess (threshold_over r) (threshold_under r) [] (updates r rounds) = 0.
Proof. intros. apply no_excess_below_threshold, updates_below_threshold. Qed.

(** THEOREM (any stream, before it is seen). With rows of |x|^2 <= reach, any u and any g, D being the sum of the
    shortfalls over the updates: (m g - D)^2 <= |u|^2 m (reach + 2 threshold), as long as m g >= D. *)
Theorem hinge_bound : forall r rounds u g reach,
  0 <= threshold_over r -> 0 < threshold_under r -> 0 < g ->
  longest (updates r rounds) <= reach ->
  let m := Z.of_nat (length (updates r rounds)) in
  let rest := m * g - shortfall u g (updates r rounds) in
  0 < rest ->
  threshold_under r * (rest * rest) <= square u * (m * (threshold_under r * reach + 2 * threshold_over r)).
Proof.
  intros r rounds u g reach O U G L m rest P.
  pose proof (square_of_rest _ _ _ (facts_are_true _ _ u g (updates r rounds) O U G) P) as X.
  cbn [measure norm margin Inequalities.under Inequalities.reach missing missing2 final beyond] in X.
  rewrite exact_run_has_no_excess in X. fold m in X. fold rest in X.
  eapply Z.le_trans; [exact X|]. rewrite Z.add_0_r.
  apply times_both_sides; [apply square_not_negative|]. apply times_both_sides; [unfold m; lia|].
  assert (threshold_under r * longest (updates r rounds) <= threshold_under r * reach)
    by (apply times_both_sides; lia). lia.
Qed.

(** Novikoff's theorem: if u has margin g > 0 on every round, there are at most |u|^2 (reach + 2 threshold) / g^2 updates. *)
Lemma no_shortfall : forall r u g rounds w,
  (forall label row, In (label, row) rounds -> g <= dot u (signed label row)) ->
  shortfall u g (steps_of (play r w rounds)) = 0.
Proof.
  induction rounds as [|[label row] rest IH]; intros w H; cbn [play]; [reflexivity|].
  destruct (teaches _ _ _); cbn [steps_of shortfall].
  - rewrite IH by (intros; apply H; right; assumption).
    specialize (H label row (or_introl eq_refl)). unfold shortfall_of. lia.
  - apply IH. intros; apply H; right; assumption.
Qed.

Lemma rows_in_reach : forall r reach rounds w,
  0 <= reach -> (forall label row, In (label, row) rounds -> square row <= reach) ->
  longest (steps_of (play r w rounds)) <= reach.
Proof.
  induction rounds as [|[label row] rest IH]; intros w P H; cbn [play]; [exact P|].
  assert (square (signed label row) <= reach).
  { specialize (H label row (or_introl eq_refl)). destruct label; [exact H|].
    unfold signed, negate, square in *. rewrite dot_multiple_left, dot_multiple_right. lia. }
  destruct (teaches _ _ _); cbn [steps_of longest];
    [apply Z.max_lub; [assumption|]|]; apply IH; auto; intros; apply H with label0; right; assumption.
Qed.

Theorem novikoff_bound : forall r rounds u g reach,
  0 <= threshold_over r -> 0 < threshold_under r -> 0 < g -> 0 <= reach ->
  (forall label row, In (label, row) rounds -> square row <= reach) ->
  (forall label row, In (label, row) rounds -> g <= dot u (signed label row)) ->
  threshold_under r * (Z.of_nat (length (updates r rounds)) * (g * g))
    <= square u * (threshold_under r * reach + 2 * threshold_over r).
Proof.
  intros r rounds u g reach O U G RP R M.
  pose proof (square_not_negative u) as N.
  assert (B : 0 <= threshold_under r * reach) by (apply Z.mul_nonneg_nonneg; lia).
  destruct (Z.eq_dec (Z.of_nat (length (updates r rounds))) 0) as [E|E].
  { rewrite E. rewrite Z.mul_0_l, Z.mul_0_r. apply Z.mul_nonneg_nonneg; lia. }
  pose proof (hinge_bound r rounds u g reach O U G (rows_in_reach r reach rounds [] RP R)) as H.
  cbv zeta in H. unfold updates in H at 2 4 6. rewrite (no_shortfall r u g rounds [] M), Z.sub_0_r in H.
  fold (updates r rounds) in H. set (m := Z.of_nat (length (updates r rounds))) in *.
  assert (MP : 0 < m) by (unfold m in *; lia).
  specialize (H ltac:(apply Z.mul_pos_pos; lia)).
  apply (Zmult_le_reg_r _ _ m); [lia|].
  replace (threshold_under r * (m * (g * g)) * m) with (threshold_under r * ((m * g) * (m * g))) by ring.
  eapply Z.le_trans; [exact H|]. apply Z.eq_le_incl. ring.
Qed.
