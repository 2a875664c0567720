(** * The standard optimal algorithm: guess the label that leaves the larger Littlestone dimension

    A class shatters a tree of depth 0 if it is not empty, and one of depth d + 1 if some point splits it into two that
    shatter trees of depth d. The number of depths that it shatters is its dimension plus 1. *)

Require Import ZArith List Lia Bool.
From Littlestone Require Import Finite.
Import ListNotations.

Section Optimal.
Variable instance : Type.
Variable points : list instance.
Notation keep := (Finite.keep instance).
Notation concept := (Finite.concept instance).

Definition some (space : list concept) : bool := match space with [] => false | _ => true end.

Fixpoint shatters (d : nat) (space : list concept) : bool :=
  match d with
  | O => some space
  | S d => existsb (fun x => shatters d (keep (x, 0%Z) space) && shatters d (keep (x, 1%Z) space)) points
  end.

Fixpoint search (fuel d : nat) (space : list concept) : nat :=
  match fuel with O => d | S fuel => if shatters d space then search fuel (S d) space else d end.

(** The dimension plus 1; 0 of the empty class. *)
Definition depths (space : list concept) : nat := search (length space) 0 space.

Definition optimal_guess (space : list concept) (x : instance) : Z :=
  if Nat.ltb (depths (keep (x, 0%Z) space)) (depths (keep (x, 1%Z) space)) then 1%Z else 0%Z.

Lemma filters_commute : forall (A : Type) (f g : A -> bool) l, filter f (filter g l) = filter g (filter f l).
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [filter].
  destruct (f a) eqn:F; destruct (g a) eqn:G; cbn [filter]; rewrite ?F, ?G, IH; reflexivity.
Qed.

Lemma parts_shatter_less : forall d f space, shatters d (filter f space) = true -> shatters d space = true.
Proof.
  induction d as [|d IH]; intros f space H; cbn [shatters] in *.
  - destruct space; [exact H | reflexivity].
  - apply existsb_exists in H as [x [I H]]. apply existsb_exists. exists x. split; [exact I|].
    apply andb_prop in H as [A B]. unfold keep in *. rewrite filters_commute in A, B.
    rewrite (IH _ _ A), (IH _ _ B). reflexivity.
Qed.

Lemma shatters_below : forall d space, shatters (S d) space = true -> shatters d space = true.
Proof.
  induction d as [|d IH]; intros space H.
  - cbn [shatters] in H. apply existsb_exists in H as [x [_ H]]. apply andb_prop in H as [A _].
    destruct space; [exact A | reflexivity].
  - change (shatters (S (S d)) space) with (existsb (fun x => shatters (S d) (keep (x, 0%Z) space) && shatters (S d) (keep (x, 1%Z) space)) points) in H.
    apply existsb_exists in H as [x [I H]]. apply andb_prop in H as [A B].
    cbn [shatters]. apply existsb_exists. exists x. split; [exact I|]. rewrite (IH _ A), (IH _ B). reflexivity.
Qed.

Lemma sides_share : forall x (space : list concept),
  (length (keep (x, 0%Z) space) + length (keep (x, 1%Z) space) <= length space)%nat.
Proof.
  induction space as [|h space IH]; [simpl; lia|]. unfold keep in *. cbn [filter fst snd] in *.
  destruct (Z.eqb_spec (h x) 0); destruct (Z.eqb_spec (h x) 1); cbn [length] in *; lia.
Qed.

Lemma shattering_is_large : forall d space, shatters d space = true -> (d < length space)%nat.
Proof.
  induction d as [|d IH]; intros space H; cbn [shatters] in H.
  - destruct space; [discriminate | cbn [length]; lia].
  - apply existsb_exists in H as [x [_ H]]. apply andb_prop in H as [A B].
    pose proof (IH _ A). pose proof (IH _ B). pose proof (sides_share x space). lia.
Qed.

Lemma search_shatters : forall fuel d space k, (d <= k)%nat -> (k < search fuel d space)%nat -> shatters k space = true.
Proof.
  induction fuel as [|fuel IH]; intros d space k D K; cbn [search] in K; [lia|].
  destruct (shatters d space) eqn:E; [|lia].
  destruct (Nat.eq_dec d k) as [->|N]; [exact E | apply (IH (S d)); [lia | exact K]].
Qed.

Lemma search_finds : forall fuel d space k, shatters k space = true -> (d <= k)%nat -> (k < d + fuel)%nat -> (k < search fuel d space)%nat.
Proof.
  induction fuel as [|fuel IH]; intros d space k H D F; [lia|]. cbn [search].
  assert (E : shatters d space = true).
  { clear - H D. induction D as [|k D IHD]; [exact H | apply IHD, shatters_below; exact H]. }
  rewrite E. destruct (Nat.eq_dec d k) as [->|N].
  - clear. assert (M : forall more d, (d <= search more d space)%nat).
    { induction more as [|more IHf]; intros d; cbn [search]; [lia|]. destruct (shatters d space); [specialize (IHf (S d)); lia | lia]. }
    specialize (M fuel (S k)). lia.
  - apply IH; [exact H | lia | lia].
Qed.

Lemma depths_says : forall space k, shatters k space = true <-> (k < depths space)%nat.
Proof.
  intros space k. unfold depths. split; intros H.
  - apply search_finds; [exact H | lia | apply shattering_is_large; exact H].
  - apply (search_shatters (length space) 0); [lia | exact H].
Qed.

Lemma parts_have_less_depth : forall f space, (depths (filter f space) <= depths space)%nat.
Proof.
  intros f space. destruct (Nat.le_gt_cases (depths (filter f space)) (depths space)) as [L|L]; [exact L|].
  apply depths_says, parts_shatter_less, depths_says in L. lia.
Qed.

Lemma splitting_deepens : forall space x k, In x points ->
  (k < depths (keep (x, 0%Z) space))%nat -> (k < depths (keep (x, 1%Z) space))%nat -> (S k < depths space)%nat.
Proof.
  intros space x k I A B. apply depths_says in A, B. apply depths_says. cbn [shatters]. apply existsb_exists.
  exists x. rewrite A, B. split; [exact I | reflexivity].
Qed.

(** THEOREM. On labels 0 and 1 of points of the class, mistakes are at most the dimension that is lost. *)
Theorem optimal_mistakes : forall rounds space,
  (forall r, In r rounds -> In (fst r) points /\ (snd r = 0%Z \/ snd r = 1%Z)) ->
  survivors instance rounds space <> [] ->
  (mistakes instance optimal_guess rounds space + Z.of_nat (depths (survivors instance rounds space)) <= Z.of_nat (depths space))%Z.
Proof.
  induction rounds as [|r rest IH]; intros space P S.
  - change (survivors instance [] space) with space. cbn [mistakes]. lia.
  - cbn [mistakes]. change (survivors instance (r :: rest) space) with (survivors instance rest (keep r space)) in *.
    specialize (IH (keep r space) (fun q I => P q (or_intror I)) S).
    pose proof (parts_have_less_depth (fun h : concept => (h (fst r) =? snd r)%Z) space) as L. fold (keep r space) in L.
    destruct (Z.eqb_spec (optimal_guess space (fst r)) (snd r)) as [E|E]; [lia|].
    assert (N : (0 < depths (keep r space))%nat).
    { apply depths_says. cbn [shatters]. destruct (keep r space) eqn:K; [|reflexivity]. exfalso. apply S.
      clear. induction rest as [|q rest IHr]; [reflexivity | exact IHr]. }
    destruct (P r (or_introl eq_refl)) as [I Y]. destruct r as [x y]. cbn [fst snd] in *.
    unfold optimal_guess in E. destruct (Nat.ltb_spec (depths (keep (x, 0%Z) space)) (depths (keep (x, 1%Z) space))) as [G|G];
      destruct Y as [->| ->]; try congruence.
    + pose proof (splitting_deepens space x (pred (depths (keep (x, 0%Z) space))) I ltac:(lia) ltac:(lia)). lia.
    + pose proof (splitting_deepens space x (pred (depths (keep (x, 1%Z) space))) I ltac:(lia) ltac:(lia)). lia.
Qed.

(** [same] says which instances are the same point. *)
Definition check_optimal (same : instance -> instance -> bool) (space : list concept) (rounds : list (Finite.round instance)) (bound : Z) : bool :=
  forallb (fun r => existsb (same (fst r)) points && ((snd r =? 0)%Z || (snd r =? 1)%Z)) rounds
  && some (survivors instance rounds space)
  && (Z.of_nat (depths space) - Z.of_nat (depths (survivors instance rounds space)) <=? bound)%Z.

(** THEOREM. If the check accepts, the standard optimal algorithm makes at most [bound] mistakes on these rounds. *)
Theorem checked_optimal_keeps_its_bound : forall same space rounds bound,
  (forall x z, same x z = true -> x = z) ->
  check_optimal same space rounds bound = true -> (mistakes instance optimal_guess rounds space <= bound)%Z.
Proof.
  intros same space rounds bound Q H. unfold check_optimal in H. apply andb_prop in H as [H B]. apply andb_prop in H as [F L].
  apply Z.leb_le in B. rewrite forallb_forall in F.
  assert (P : forall r, In r rounds -> In (fst r) points /\ (snd r = 0%Z \/ snd r = 1%Z)).
  { intros r I. specialize (F r I). apply andb_prop in F as [A Y]. apply existsb_exists in A as [x [X E]].
    apply Q in E. apply orb_prop in Y. rewrite E. split; [exact X|]. destruct Y as [Y|Y]; apply Z.eqb_eq in Y; auto. }
  assert (S : survivors instance rounds space <> []) by (intros E; rewrite E in L; discriminate).
  pose proof (optimal_mistakes rounds space P S). lia.
Qed.

End Optimal.
