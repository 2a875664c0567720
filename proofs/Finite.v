(** * Finite classes: Halving, the consistent learner, and elimination of literals

    A concept is any function from instances to labels. The learners keep the concepts that no round has contradicted,
    the survivors. Nothing is supposed of the class; what is promised, that some concept labels every round, is checked
    by counting the survivors at the end. *)

Require Import ZArith List Lia Bool.
Import ListNotations.
Open Scope Z_scope.

Lemma filter_shortens : forall (A : Type) (f : A -> bool) l, (length (filter f l) <= length l)%nat.
Proof. induction l as [|a l IH]; simpl; [lia | destruct (f a); simpl; lia]. Qed.

Section FiniteClasses.
Variable instance : Type.
Definition concept := instance -> Z.
Definition round := (instance * Z)%type.

Definition count {A : Type} (l : list A) : Z := Z.of_nat (length l).
Definition keep (r : round) (space : list concept) : list concept := filter (fun h : concept => h (fst r) =? snd r) space.
Definition survivors (rounds : list round) (space : list concept) : list concept := fold_left (fun s r => keep r s) rounds space.
Definition votes (space : list concept) (x : instance) (y : Z) : Z := count (filter (fun h : concept => h x =? y) space).

(** ** Halving *)

(** The first of the labels with the most votes. *)
Fixpoint elect (space : list concept) (x : instance) (labels : list Z) (so_far : Z) : Z :=
  match labels with
  | [] => so_far
  | y :: rest => elect space x rest (if votes space x so_far <? votes space x y then y else so_far)
  end.

Definition halving_guess (labels : list Z) (space : list concept) (x : instance) : Z :=
  match labels with [] => 0 | y :: rest => elect space x rest y end.

(** How many mistakes a learner makes that guesses by [guess] from the survivors. *)
Fixpoint mistakes (guess : list concept -> instance -> Z) (rounds : list round) (space : list concept) : Z :=
  match rounds with
  | [] => 0
  | r :: rest => (if guess space (fst r) =? snd r then 0 else 1) + mistakes guess rest (keep r space)
  end.

Lemma mistakes_not_negative : forall guess rounds space, 0 <= mistakes guess rounds space.
Proof.
  induction rounds as [|r rest IH]; intros; simpl; [lia|].
  specialize (IH (keep r space)). destruct (_ =? _); lia.
Qed.

Lemma elect_is_largest : forall space x labels so_far y,
  In y (so_far :: labels) -> votes space x y <= votes space x (elect space x labels so_far).
Proof.
  induction labels as [|z labels IH]; intros so_far y H; simpl.
  - destruct H as [->|[]]. lia.
  - destruct (Z.ltb_spec (votes space x so_far) (votes space x z)) as [L|L].
    + destruct H as [->|H]; [|apply IH; exact H].
      specialize (IH z z (or_introl eq_refl)). lia.
    + destruct H as [->|[->|H]]; [apply IH; left; reflexivity| |apply IH; right; exact H].
      specialize (IH so_far so_far (or_introl eq_refl)). lia.
Qed.

Lemma two_labels_share : forall space x y z, y <> z -> votes space x y + votes space x z <= count space.
Proof.
  unfold votes, count. induction space as [|h space IH]; intros x y z N; simpl; [lia|].
  specialize (IH x y z N).
  destruct (Z.eqb_spec (h x) y); destruct (Z.eqb_spec (h x) z); simpl length; lia.
Qed.

(** THEOREM. Halving's mistakes halve the class: 2^mistakes times the survivors is at most its size. *)
Theorem halving_halves : forall labels rounds space,
  (forall r, In r rounds -> In (snd r) labels) ->
  2 ^ mistakes (halving_guess labels) rounds space * count (survivors rounds space) <= count space.
Proof.
  induction rounds as [|r rest IH]; intros space H.
  - change (survivors [] space) with space. simpl mistakes. rewrite Z.pow_0_r. lia.
  - cbn [mistakes]. change (survivors (r :: rest) space) with (survivors rest (keep r space)).
    specialize (IH (keep r space) (fun q I => H q (or_intror I))).
    pose proof (mistakes_not_negative (halving_guess labels) rest (keep r space)) as P.
    set (m := mistakes (halving_guess labels) rest (keep r space)) in *.
    assert (K : count (keep r space) = votes space (fst r) (snd r)) by reflexivity.
    destruct (Z.eqb_spec (halving_guess labels space (fst r)) (snd r)) as [E|E].
    + rewrite Z.add_0_l. eapply Z.le_trans; [exact IH|]. apply inj_le, filter_shortens.
    + rewrite Z.pow_add_r, Z.pow_1_r by lia.
      assert (L : votes space (fst r) (snd r) <= votes space (fst r) (halving_guess labels space (fst r))).
      { specialize (H r (or_introl eq_refl)). unfold halving_guess. destruct labels as [|y labels]; [destruct H|].
        apply elect_is_largest. exact H. }
      pose proof (two_labels_share space (fst r) _ _ E). lia.
Qed.

Definition check_halving (labels : list Z) (space : list concept) (rounds : list round) (bound : Z) : bool :=
  forallb (fun r => existsb (Z.eqb (snd r)) labels) rounds
  && (0 <=? bound) && (count space <? 2 ^ (bound + 1) * count (survivors rounds space)).

(** THEOREM. If the check accepts, Halving makes at most [bound] mistakes on these rounds. *)
Theorem checked_halving_keeps_its_bound : forall labels space rounds bound,
  check_halving labels space rounds bound = true -> mistakes (halving_guess labels) rounds space <= bound.
Proof.
  intros labels space rounds bound H. unfold check_halving in H.
  apply andb_prop in H as [H X]. apply andb_prop in H as [L B]. apply Z.ltb_lt in X. apply Z.leb_le in B.
  assert (I : forall r, In r rounds -> In (snd r) labels).
  { intros r R. rewrite forallb_forall in L. specialize (L r R). apply existsb_exists in L as [y [Y E]].
    apply Z.eqb_eq in E. rewrite E. exact Y. }
  pose proof (halving_halves labels rounds space I) as P.
  destruct (Z_lt_le_dec bound (mistakes (halving_guess labels) rounds space)) as [M|M]; [exfalso|exact M].
  assert (2 ^ (bound + 1) <= 2 ^ mistakes (halving_guess labels) rounds space) by (apply Z.pow_le_mono_r; lia).
  assert (0 <= count (survivors rounds space)) by (unfold count; lia). nia.
Qed.

(** ** The consistent learner: any survivor guesses, another one for every instance if you like. Who never misses a positive
    lets one that says 1 guess, while there is one. *)

Definition consistent_guess (pick : list concept -> instance -> option concept) (space : list concept) (x : instance) : Z :=
  match pick space x with Some h => h x | None => 0 end.

(** THEOREM. Each mistake drops at least the concept that guessed, while there is one. *)
Theorem consistent_drops : forall pick rounds space,
  (forall s x, s <> [] -> exists h, pick s x = Some h /\ In h s) -> survivors rounds space <> [] ->
  mistakes (consistent_guess pick) rounds space + count (survivors rounds space) <= count space.
Proof.
  induction rounds as [|r rest IH]; intros space P S.
  - simpl. lia.
  - cbn [mistakes]. change (survivors (r :: rest) space) with (survivors rest (keep r space)) in *.
    specialize (IH (keep r space) P S).
    assert (NE : space <> []).
    { intros ->. apply S. clear. simpl keep. induction rest as [|q rest IH]; [reflexivity | exact IH]. }
    destruct (P space (fst r) NE) as [h [E I]]. unfold consistent_guess at 1. rewrite E.
    assert (D : count (keep r space) + (if h (fst r) =? snd r then 0 else 1) <= count space).
    { clear - I. unfold keep, count. induction space as [|k space IH]; [destruct I|]. simpl.
      destruct I as [->|I].
      - pose proof (filter_shortens concept (fun h : concept => h (fst r) =? snd r) space).
        destruct (h (fst r) =? snd r); simpl length; lia.
      - specialize (IH I). destruct (k (fst r) =? snd r); destruct (h (fst r) =? snd r); simpl length; lia. }
    lia.
Qed.

Definition check_consistent (space : list concept) (rounds : list round) (bound : Z) : bool :=
  let remain := count (survivors rounds space) in (0 <? remain) && (count space - remain <=? bound).

Theorem checked_consistent_keeps_its_bound : forall pick space rounds bound,
  (forall s x, s <> [] -> exists h, pick s x = Some h /\ In h s) ->
  check_consistent space rounds bound = true -> mistakes (consistent_guess pick) rounds space <= bound.
Proof.
  intros pick space rounds bound P H. unfold check_consistent in H. apply andb_prop in H as [L B].
  apply Z.ltb_lt in L. apply Z.leb_le in B.
  assert (NE : survivors rounds space <> []) by (intros E; rewrite E in L; unfold count in L; simpl in L; lia).
  pose proof (consistent_drops pick rounds space P NE). lia.
Qed.

(** ** Learners that are shown only the rounds that they guess wrong *)

Fixpoint shown (guess : list concept -> instance -> Z) (rounds : list round) (space : list concept) : list round :=
  match rounds with
  | [] => []
  | r :: rest => if guess space (fst r) =? snd r then shown guess rest space else r :: shown guess rest (keep r space)
  end.

(** THEOREM. Such a learner errs in the rounds that it is shown; the learner inside, played on these alone, errs in all of
    them: what is true of its mistakes is true of their number. *)
Theorem shown_rounds_are_mistakes : forall guess rounds space,
  mistakes guess (shown guess rounds space) space = count (shown guess rounds space).
Proof.
  induction rounds as [|r rest IH]; intros space; cbn [shown]; [reflexivity|].
  destruct (guess space (fst r) =? snd r) eqn:E; [apply IH|].
  cbn [mistakes]. rewrite E, IH. unfold count. cbn [length]. lia.
Qed.

(** ** Elimination: literals that may be in the disjunction (of a conjunction: labels and literals negated) *)

Definition literal := instance -> bool.
Definition fires (literals : list literal) (x : instance) : bool := existsb (fun l : literal => l x) literals.
Definition drop (x : instance) (literals : list literal) : list literal := filter (fun l : literal => negb (l x)) literals.

(** A negative round drops the literals that fire on it; the guess is positive if one fires. A positive round on which
    none fires breaks the promise: no such disjunction labels every round, and there is no result. *)
Fixpoint eliminate (rounds : list (instance * bool)) (literals : list literal) : option (Z * list literal) :=
  match rounds with
  | [] => Some (0, literals)
  | (x, label) :: rest =>
      if label
      then if fires literals x then eliminate rest literals else None
      else match eliminate rest (drop x literals) with
           | Some (m, kept) => Some ((if fires literals x then 1 else 0) + m, kept)
           | None => None
           end
  end.

Lemma drop_some : forall x literals,
  count (drop x literals) + count (filter (fun l : literal => l x) literals) = count literals.
Proof.
  intros x literals. unfold drop, count. induction literals as [|l rest IH]; simpl; [lia|].
  destruct (l x); simpl length; lia.
Qed.

Lemma firing_counts : forall x literals, fires literals x = true -> 1 <= count (filter (fun l : literal => l x) literals).
Proof.
  intros x literals H. apply existsb_exists in H as [l [I F]]. unfold count.
  assert (In l (filter (fun l : literal => l x) literals)) by (apply filter_In; auto).
  destruct (filter _ literals); [destruct H | simpl length; lia].
Qed.

(** THEOREM. Mistakes and literals left are at most the literals. *)
Theorem elimination_drops : forall rounds literals m kept,
  eliminate rounds literals = Some (m, kept) -> m + count kept <= count literals.
Proof.
  induction rounds as [|[x label] rest IH]; intros literals m kept H; simpl in H.
  - injection H as <- <-. lia.
  - destruct label.
    + destruct (fires literals x); [apply IH; exact H | discriminate].
    + destruct (eliminate rest (drop x literals)) as [[k l]|] eqn:E; [|discriminate].
      specialize (IH _ _ _ E). injection H as <- <-. pose proof (drop_some x literals).
      destruct (fires literals x) eqn:F; [pose proof (firing_counts x literals F); lia | unfold count in *; lia].
Qed.

(** THEOREM. If on every negative row at least k of the literals fire, the first mistake drops k: mistakes are at most
    max(0, literals + 1 - k - left). With all 2n literals over n attributes, k is n. *)
Theorem elimination_drops_many_first : forall rounds literals m kept k,
  (forall x, In (x, false) rounds -> k <= count (filter (fun l : literal => l x) literals)) ->
  eliminate rounds literals = Some (m, kept) -> m = 0 \/ m + count kept <= count literals + 1 - k.
Proof.
  induction rounds as [|[x label] rest IH]; intros literals m kept k K H; simpl in H.
  - injection H as <- <-. left. reflexivity.
  - destruct label.
    + destruct (fires literals x); [|discriminate].
      apply (IH literals m kept k); [intros; apply K; right; assumption | exact H].
    + destruct (eliminate rest (drop x literals)) as [[j l]|] eqn:E; [|discriminate].
      specialize (K x (or_introl eq_refl)). pose proof (drop_some x literals) as D.
      pose proof (elimination_drops _ _ _ _ E) as P. injection H as <- <-.
      destruct (fires literals x) eqn:F; [right; lia|].
      assert (Z0 : count (filter (fun l : literal => l x) literals) = 0).
      { unfold fires in F. unfold count. clear - F. induction literals as [|h t IH]; [reflexivity|]. simpl in *.
        destruct (h x); [discriminate | apply IH; exact F]. }
      right. unfold count in *. lia.
Qed.

End FiniteClasses.
