(** * Floors: rounds that no linear rule can all get right

    If whole multiples above 0 of the rows z = y x of some rounds add up to 0, then every vector w has w.z <= 0 on one of
    them: no linear rule gets all of them strictly right. Sets of rounds that share none each force a mistake. *)

Require Import ZArith List Lia.
From Littlestone Require Import Vectors.
Import ListNotations.
Open Scope Z_scope.

(** A set is a list of rows with their multiples. *)
Definition forcing_set := list (Z * vector).

Fixpoint add_up (set : forcing_set) : vector :=
  match set with [] => [] | (k, z) :: rest => multiply k z ++ add_up rest end.

Definition is_nothing (v : vector) : bool := forallb (fun e => entry v (fst e) =? 0) v.

Definition forces (set : forcing_set) : bool :=
  negb (match set with [] => true | _ => false end) && forallb (fun e => 0 <? fst e) set && is_nothing (add_up set).

(** Whether a rule w errs on a row: its agreement is not positive. *)
Definition errs (w z : vector) : bool := dot w z <=? 0.

Fixpoint mistakes (w : vector) (set : forcing_set) : Z :=
  match set with [] => 0 | (_, z) :: rest => (if errs w z then 1 else 0) + mistakes w rest end.

Lemma mistakes_not_negative : forall w set, 0 <= mistakes w set.
Proof. induction set as [|[k z] rest IH]; simpl; [lia | destruct (errs w z); lia]. Qed.

Lemma entry_of_nothing : forall v i, is_nothing v = true -> entry v i = 0.
Proof.
  intros v i H. unfold is_nothing in H. rewrite forallb_forall in H.
  destruct (in_dec Pos.eq_dec i (map fst v)) as [I|N].
  - apply in_map_iff in I as [e [E I]]. specialize (H e I). apply Z.eqb_eq in H. rewrite <- E. exact H.
  - clear H. induction v as [|[j x] v IH]; [reflexivity|]. simpl in *.
    destruct (Pos.eqb_spec i j); [exfalso; apply N; left; auto|]. rewrite IH; [lia | tauto].
Qed.

Lemma nothing_agrees : forall w v, is_nothing v = true -> dot w v = 0.
Proof.
  intros w v H. rewrite dot_symmetric. unfold dot.
  rewrite (score_depends_on_entries (entry v) (fun _ => 0 * 0)) by (intros; apply entry_of_nothing; exact H).
  rewrite (score_of_multiple_of_weights (fun _ => 0) 0 w). reflexivity.
Qed.

Lemma all_right_is_positive : forall w set,
  forallb (fun e => 0 <? fst e) set = true -> mistakes w set = 0 -> set <> [] -> 0 < dot w (add_up set).
Proof.
  induction set as [|[k z] rest IH]; intros P M N; [congruence|].
  cbn [forallb fst] in P. apply andb_prop in P as [K P]. apply Z.ltb_lt in K.
  cbn [mistakes] in M. pose proof (mistakes_not_negative w rest) as R.
  destruct (errs w z) eqn:E; [lia|]. unfold errs in E. apply Z.leb_gt in E.
  cbn [add_up]. rewrite dot_sum_right, dot_multiple_right.
  assert (0 < k * dot w z) by (apply Z.mul_pos_pos; assumption).
  destruct rest as [|d rest]; [cbn; lia|]. specialize (IH P ltac:(lia) ltac:(discriminate)). lia.
Qed.

(** THEOREM. Every linear rule makes a mistake on a set that forces one. *)
Theorem forcing_set_forces : forall w set, forces set = true -> 1 <= mistakes w set.
Proof.
  intros w set H. unfold forces in H. apply andb_prop in H as [H Z0]. apply andb_prop in H as [NE P].
  pose proof (mistakes_not_negative w set) as M.
  destruct (Z.eq_dec (mistakes w set) 0) as [E|E]; [exfalso|lia].
  assert (N : set <> []) by (intros ->; discriminate).
  pose proof (all_right_is_positive w set P E N). rewrite (nothing_agrees w _ Z0) in H. lia.
Qed.

(** THEOREM. Over sets, each with rounds of its own, every linear rule makes at least as many mistakes as there are sets. *)
Theorem floor_of_linear_rules : forall w sets,
  forallb forces sets = true -> Z.of_nat (length sets) <= mistakes w (concat sets).
Proof.
  intros w. induction sets as [|set rest IH]; intros H; [simpl; lia|].
  cbn [forallb] in H. apply andb_prop in H as [F H]. specialize (IH H).
  pose proof (forcing_set_forces w set F).
  assert (A : mistakes w (set ++ concat rest) = mistakes w set + mistakes w (concat rest)).
  { clear. induction set as [|[k z] set IH]; cbn [app mistakes]; [lia | rewrite IH; lia]. }
  cbn [concat length]. rewrite A. lia.
Qed.
