(** * Winnow that eliminates: a demotion takes attributes out for ever

    A weight is b to the promotions of its attribute, or gone. A promotion adds at most (b - 1) high to the sum of weights, a
    demotion takes at least low from it; what rounding let a step exceed is measured. A target that has no weight on any row
    of a demotion keeps all its attributes, and their exponents stay below the level. *)

Require Import ZArith QArith Qminmax List Bool Lia Psatz.
From Littlestone Require Import Vectors Winnow.
Import ListNotations.
Open Scope Q_scope.

Section Elimination.
Variables (b high low : Q) (attributes : list positive).

Definition state := positive -> option Z.
Definition worth (s : state) (i : positive) : Q := match s i with Some k => b ^ k | None => 0 end.
Definition value (s : state) (row : list positive) : Q := sum (fun i => if active row i then worth s i else 0) attributes.
Definition whole (s : state) : Q := sum (worth s) attributes.
Definition change (up : bool) (row : list positive) (s : state) : state := fun i =>
  if active row i then (if up then option_map (fun k => (k + 1)%Z) (s i) else None) else s i.
Fixpoint beyond (s : state) (steps : list step) : Q :=
  match steps with
  | [] => 0
  | (up, row) :: rest =>
      (if up then (b - 1) * Qmax 0 (value s row - high) else Qmax 0 (low - value s row)) + beyond (change up row s) rest
  end.
Fixpoint not_above (most : Z) (s : state) (steps : list step) : Prop :=
  match steps with
  | [] => True
  | (up, row) :: rest => (up = true -> value s row < b ^ most) /\ not_above most (change up row s) rest
  end.
Fixpoint ending (s : state) (steps : list step) : state :=
  match steps with [] => s | (up, row) :: rest => ending (change up row s) rest end.
(** By how much the target misses p on promotions. *)
Fixpoint lacking (m : positive -> Q) (p : Q) (steps : list step) : Q :=
  match steps with
  | [] => 0
  | (up, row) :: rest => (if up then Qmax 0 (p - target_of attributes m row) else 0) + lacking m p rest
  end.
Definition spared (m : positive -> Q) (steps : list step) : Prop :=
  Forall (fun st : step => fst st = false -> target_of attributes m (snd st) <= 0) steps.
Definition fresh : state := fun _ => Some 0%Z.

Hypothesis b_large : 1 < b.

Lemma worth_not_negative : forall s i, 0 <= worth s i.
Proof. intros s i. unfold worth. destruct (s i); [|lra]. apply Qlt_le_weak, power_positive, b_large. Qed.

Lemma whole_not_negative : forall s, 0 <= whole s.
Proof.
  intros s. unfold whole. induction attributes as [|i rest IH]; cbn [sum]; [lra|]. pose proof (worth_not_negative s i). lra.
Qed.

Lemma whole_after_promotion : forall s row, whole (change true row s) == whole s + (b - 1) * value s row.
Proof.
  intros. unfold whole, value. induction attributes as [|i rest IH]; cbn [sum]; [ring|]. rewrite IH.
  unfold worth at 1, change at 1. fold (worth s i). destruct (active row i); [|unfold worth; ring].
  unfold worth. destruct (s i); cbn [option_map]; [rewrite (one_more b b_large)|]; ring.
Qed.

Lemma whole_after_demotion : forall s row, whole (change false row s) == whole s - value s row.
Proof.
  intros. unfold whole, value. induction attributes as [|i rest IH]; cbn [sum]; [ring|]. rewrite IH.
  unfold worth at 1, change at 1. destruct (active row i); [ring | unfold worth; ring].
Qed.

Theorem eliminations_are_paid : forall steps s,
  whole (ending s steps) + demotions steps * low <= whole s + promotions steps * ((b - 1) * high) + beyond s steps.
Proof.
  induction steps as [|[up row] rest IH]; intros s; cbn [ending demotions promotions beyond]; [lra|].
  specialize (IH (change up row s)). destruct up.
  - rewrite whole_after_promotion in IH. pose proof (Q.le_max_r 0 (value s row - high)) as M.
    set (x := Qmax 0 (value s row - high)) in *. assert (0 <= (b - 1) * (x - (value s row - high))) by (apply Qmult_le_0_compat; lra). lra.
  - rewrite whole_after_demotion in IH. pose proof (Q.le_max_r 0 (low - value s row)) as M. lra.
Qed.

(** ** The target: its attributes are never gone, and their exponents stay small *)

Definition known (s : state) (i : positive) : Z := match s i with Some k => k | None => 0%Z end.
Definition holds_on (m : positive -> Q) (s : state) : Q := sum (fun i => m i * inject_Z (known s i)) attributes.
Definition kept (m : positive -> Q) (most : Z) (s : state) : Prop :=
  forall i, In i attributes -> m i == 0 \/ exists k, s i = Some k /\ (k <= most)%Z.

Lemma no_weight_there : forall m row i, (forall j, 0 <= m j) -> target_of attributes m row <= 0 -> In i attributes ->
  active row i = true -> m i == 0.
Proof.
  intros m row i P T I A. unfold target_of in T.
  pose proof (sum_of_parts (fun j => if active row j then m j else 0) attributes i) as S. cbv beta in S. rewrite A in S.
  assert (m i <= sum (fun j => if active row j then m j else 0) attributes).
  { apply S; [|exact I]. intros j. destruct (active row j); [apply P | lra]. }
  pose proof (P i). lra.
Qed.

Lemma holds_after : forall m up row s, (forall i, 0 <= m i) ->
  (up = false -> target_of attributes m row <= 0) ->
  (forall i, In i attributes -> m i == 0 \/ exists k, s i = Some k) ->
  holds_on m (change up row s) == holds_on m s + (if up then target_of attributes m row else 0).
Proof.
  intros m up row s P T K.
  assert (Z : up = false -> forall i, In i attributes -> active row i = true -> m i == 0).
  { intros U i I A. apply (no_weight_there m row i P (T U) I A). }
  clear T. unfold holds_on, target_of. induction attributes as [|i rest IH]; cbn [sum]; [destruct up; ring|].
  rewrite IH; [|intros j J; apply K; right; exact J | intros U j J; apply Z; [exact U | right; exact J]].
  specialize (K i (or_introl eq_refl)). unfold known at 1, change at 1. destruct (active row i) eqn:A.
  - destruct up.
    + destruct K as [K|[k K]].
      * rewrite K. ring.
      * unfold known at 2. rewrite K. cbn [option_map]. rewrite inject_Z_plus. change (inject_Z 1) with 1. ring.
    + rewrite (Z eq_refl i (or_introl eq_refl) A). ring.
  - unfold known. destruct up; ring.
Qed.

Lemma target_is_kept : forall m p most steps s, (forall i, 0 <= m i) -> spared m steps ->
  not_above most s steps -> kept m most s ->
  kept m most (ending s steps) /\ p * promotions steps - lacking m p steps <= holds_on m (ending s steps) - holds_on m s.
Proof.
  induction steps as [|[up row] rest IH]; intros s P S N K; cbn [ending promotions lacking not_above] in *; [split; [exact K | lra]|].
  destruct N as [N1 N2]. pose proof (Forall_inv S) as S1. pose proof (Forall_inv_tail S) as S2. cbn [fst snd] in S1.
  assert (K2 : kept m most (change up row s)).
  { intros i I. destruct (K i I) as [Z|[k [E L]]]; [left; exact Z|]. unfold change. destruct (active row i) eqn:A; [|right; exists k; auto].
    destruct up; [|left; apply (no_weight_there m row i P (S1 eq_refl) I A)].
    right. exists (k + 1)%Z. rewrite E. split; [reflexivity|]. specialize (N1 eq_refl).
    assert (W : b ^ k <= value s row).
    { unfold value. assert (X : worth s i = b ^ k) by (unfold worth; rewrite E; reflexivity).
      rewrite <- X. pose proof (sum_of_parts (fun j => if active row j then worth s j else 0) attributes i) as Q2. cbv beta in Q2.
      rewrite A in Q2. apply Q2; [|exact I]. intros j. destruct (active row j); [apply worth_not_negative | lra]. }
    assert (L2 : b ^ k < b ^ most) by lra. apply (smaller_exponent b b_large) in L2. lia. }
  destruct (IH (change up row s) P S2 N2 K2) as [A B]. split; [exact A|].
  assert (KK : forall i, In i attributes -> m i == 0 \/ exists k, s i = Some k).
  { intros i I. destruct (K i I) as [Z|[k [E _]]]; [left; exact Z | right; exists k; exact E]. }
  rewrite (holds_after m up row s P S1 KK) in B. destruct up; [|lra].
  pose proof (Q.le_max_r 0 (p - target_of attributes m row)). lra.
Qed.

Lemma holds_at_most : forall m most s, (forall i, 0 <= m i) -> kept m most s ->
  holds_on m s <= target_sum attributes m * inject_Z most.
Proof.
  intros m most s P. unfold holds_on, target_sum, kept. induction attributes as [|i rest IH]; intros K; cbn [sum]; [lra|].
  specialize (IH (fun j J => K j (or_intror J))). destruct (K i (or_introl eq_refl)) as [Z|[k [E L]]].
  - rewrite Z. lra.
  - unfold known at 1. rewrite E. specialize (P i). assert (inject_Z k <= inject_Z most) by (rewrite <- Zle_Qle; exact L). nra.
Qed.

(** THEOREM (any steps). *)
Theorem elimination_bound : forall m p most steps,
  (forall i, 0 <= m i) -> (0 <= most)%Z -> spared m steps -> not_above most fresh steps ->
  p * promotions steps <= target_sum attributes m * inject_Z most + lacking m p steps
  /\ demotions steps * low <= inject_Z (Z.of_nat (length attributes)) + promotions steps * ((b - 1) * high) + beyond fresh steps.
Proof.
  intros m p most steps P M S N.
  assert (K : kept m most fresh) by (intros i _; right; exists 0%Z; split; [reflexivity | exact M]).
  destruct (target_is_kept m p most steps fresh P S N K) as [A B]. pose proof (holds_at_most m most _ P A) as C.
  assert (Z : holds_on m fresh == 0).
  { unfold holds_on, known, fresh. clear. induction attributes as [|i rest IH]; cbn [sum]; [reflexivity|]. rewrite IH. ring. }
  rewrite Z in B. split; [lra|]. pose proof (eliminations_are_paid steps fresh) as E. pose proof (whole_not_negative (ending fresh steps)).
  assert (W : whole fresh == inject_Z (Z.of_nat (length attributes))) by (exact (total_at_start b attributes)).
  rewrite W in E. lra.
Qed.

End Elimination.

(** ** The check *)

Fixpoint none_above (b : Q) (attributes : list positive) (most : Z) (s : state) (steps : list step) : bool :=
  match steps with
  | [] => true
  | (up, row) :: rest =>
      (if up then below (value b attributes s row) (b ^ most) else true) && none_above b attributes most (change up row s) rest
  end.

Lemma none_above_means : forall b attributes most steps s,
  none_above b attributes most s steps = true -> not_above b attributes most s steps.
Proof.
  induction steps as [|[up row] rest IH]; intros s H; cbn [none_above not_above] in *; [exact I|].
  apply andb_prop in H as [H R]. split; [|apply IH; exact R]. intros ->. apply below_means. exact H.
Qed.

Definition check_elimination (b high low : Q) (attributes : list positive) (m : Vectors.vector) (p most : Z)
    (steps : list step) (promoted demoted : Z) : bool :=
  below 1 b && below 0 low && Qle_bool 0 high && (0 <? p)%Z && (0 <=? most)%Z
  && none_above b attributes most fresh steps
  && forallb (fun st : step => fst st || Qle_bool (target_of attributes (target m) (snd st)) 0) steps
  && below (target_sum attributes (target m) * inject_Z most + lacking attributes (target m) (inject_Z p) steps) (inject_Z (p * (promoted + 1)))
  && below (inject_Z (Z.of_nat (length attributes)) + inject_Z promoted * ((b - 1) * high) + beyond b high low attributes fresh steps)
       (inject_Z (demoted + 1) * low).

(** THEOREM (any steps, the program). *)
Theorem checked_elimination_keeps_its_bound : forall b high low attributes m p most steps promoted demoted,
  check_elimination b high low attributes m p most steps promoted demoted = true ->
  (count true steps <= promoted /\ count false steps <= demoted)%Z.
Proof.
  intros b high low attributes m p most steps promoted demoted H. unfold check_elimination in H.
  apply andb_prop in H as [H D]. apply andb_prop in H as [H U]. apply andb_prop in H as [H S]. apply andb_prop in H as [H N].
  apply andb_prop in H as [H M]. apply andb_prop in H as [H P]. apply andb_prop in H as [H H0]. apply andb_prop in H as [B L].
  apply below_means in B, L, U, D. apply Qle_bool_iff in H0. apply Z.ltb_lt in P. apply Z.leb_le in M. apply none_above_means in N.
  assert (SP : spared attributes (target m) steps).
  { apply Forall_forall. intros st I E. rewrite forallb_forall in S. specialize (S st I). rewrite E in S. apply Qle_bool_iff, S. }
  destruct (elimination_bound b high low attributes B (target m) (inject_Z p) most steps (fun i => Q.le_max_l _ _) M SP N) as [X Y].
  rewrite promotions_counted in X, Y. rewrite demotions_counted in Y.
  assert (C : (count true steps <= promoted)%Z).
  { assert (inject_Z (p * count true steps) < inject_Z (p * (promoted + 1))) by (rewrite inject_Z_mult; lra).
    rewrite <- Zlt_Qlt in H. nia. }
  split; [exact C|].
  assert (G : inject_Z (count true steps) <= inject_Z promoted) by (rewrite <- Zle_Qle; exact C).
  assert (0 <= (inject_Z promoted - inject_Z (count true steps)) * ((b - 1) * high)).
  { apply Qmult_le_0_compat; [lra|]. apply Qmult_le_0_compat; lra. }
  assert (F : inject_Z (count false steps) * low < inject_Z (demoted + 1) * low) by lra.
  apply Qmult_lt_r in F; [|exact L]. rewrite <- Zlt_Qlt in F. lia.
Qed.
