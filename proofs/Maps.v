(** * The same runs with weights in a map, fast enough for real data

    Weights are kept in a tree of columns instead of a list of rows. Each function here is proved equal to the plain one
    of Additive.v and Perceptron.v, so that the theorems are about what is run. *)

Require Import ZArith List Lia FMapPositive.
From Littlestone Require Import Vectors Additive Inequalities Perceptron.
Import ListNotations.
Open Scope Z_scope.

Definition weights := PositiveMap.t Z.
Definition no_weights : weights := PositiveMap.empty Z.

Definition get (w : weights) (i : positive) : Z :=
  match PositiveMap.find i w with Some x => x | None => 0 end.

Fixpoint add_row (w : weights) (row : vector) : weights :=
  match row with
  | [] => w
  | (i, x) :: rest => add_row (PositiveMap.add i (get w i + x) w) rest
  end.

(** A map holds the entries of a vector. *)
Definition holds (w : weights) (v : vector) : Prop := forall i, get w i = entry v i.

Lemma get_after_adding : forall row w i, get (add_row w row) i = get w i + entry row i.
Proof.
  induction row as [|[j x] row IH]; intros w i; simpl; [lia|].
  rewrite IH. unfold get at 1. destruct (Pos.eqb_spec i j) as [->|N].
  - rewrite PositiveMap.gss. lia.
  - rewrite PositiveMap.gso by assumption. unfold get. lia.
Qed.

Lemma holds_nothing : holds no_weights [].
Proof. intros i. unfold get, no_weights. rewrite PositiveMap.gempty. reflexivity. Qed.

Lemma holds_sum : forall w v row, holds w v -> holds (add_row w row) (v ++ row).
Proof. intros w v row H i. rewrite get_after_adding, entry_of_sum, H. reflexivity. Qed.

Lemma score_by_map : forall w v row, holds w v -> score (get w) row = dot v row.
Proof. intros. apply score_depends_on_entries. assumption. Qed.

Definition fast_square (v : vector) : Z := score (get (add_row no_weights v)) v.

Lemma fast_square_is_square : forall v, fast_square v = square v.
Proof. intros. apply score_by_map. apply (holds_sum no_weights [] v holds_nothing). Qed.

(** ** Measuring a list of steps in one pass *)

Fixpoint measure_from (over under : Z) (u : weights) (g : Z) (w : weights) (so_far : facts) (longest_so_far : Z)
    (steps : list vector) : facts :=
  match steps with
  | [] => {| norm := norm so_far; margin := g; Inequalities.under := under;
             reach := under * longest_so_far + 2 * over;
             missing := missing so_far; missing2 := missing2 so_far; final := final so_far; beyond := beyond so_far |}
  | z :: rest =>
      let agreement := score (get w) z in
      let length := fast_square z in
      let short := Z.max 0 (g - score (get u) z) in
      measure_from over under u g (add_row w z)
        {| norm := norm so_far; margin := g; Inequalities.under := under; reach := 0;
           missing := missing so_far + short;
           missing2 := missing2 so_far + short * short;
           final := final so_far + 2 * agreement + length;
           beyond := beyond so_far + Z.max 0 (2 * (under * agreement - over)) |}
        (Z.max longest_so_far length) rest
  end.

Definition fast_measure (over under : Z) (u : vector) (g : Z) (steps : list vector) : facts :=
  measure_from over under (add_row no_weights u) g no_weights
    {| norm := fast_square u; margin := g; Inequalities.under := under; reach := 0;
       missing := 0; missing2 := 0; final := 0; beyond := 0 |} 0 steps.

Lemma measure_from_is_right : forall over under u_map u g steps w_map w so_far far,
  holds u_map u -> holds w_map w -> final so_far = square w -> 0 <= far ->
  measure_from over under u_map g w_map so_far far steps =
  {| norm := norm so_far; margin := g; Inequalities.under := under;
     reach := under * Z.max far (longest steps) + 2 * over;
     missing := missing so_far + shortfall u g steps;
     missing2 := missing2 so_far + squares u g steps;
     final := square (w ++ concat steps);
     beyond := beyond so_far + excess over under w steps |}.
Proof.
  induction steps as [|z rest IH]; intros w_map w so_far far U W S P.
  - cbn [measure_from shortfall squares excess longest concat]. rewrite app_nil_r, S, Z.max_l by exact P.
    f_equal; lia.
  - cbn [measure_from shortfall squares excess longest concat].
    rewrite (score_by_map w_map w z W), (score_by_map u_map u z U), fast_square_is_square.
    rewrite (IH (add_row w_map z) (w ++ z)).
    + cbn [norm missing missing2 beyond]. rewrite app_assoc. unfold shortfall_of. f_equal; lia.
    + exact U.
    + apply holds_sum. exact W.
    + cbn [final]. rewrite square_of_sum, S. reflexivity.
    + pose proof (square_not_negative z). lia.
Qed.

Theorem fast_measure_is_measure : forall over under u g steps,
  fast_measure over under u g steps = measure over under u g steps.
Proof.
  intros. unfold fast_measure, measure.
  rewrite (measure_from_is_right over under _ u g steps no_weights []);
    [| apply (holds_sum no_weights [] u holds_nothing) | exact holds_nothing | reflexivity | lia].
  cbn [norm missing missing2 beyond]. rewrite fast_square_is_square, Z.max_r by apply longest_not_negative.
  reflexivity.
Qed.

(** The check that is extracted. *)
Definition fast_accepts (name : theorem) (over under : Z) (u : vector) (g : Z) (steps : list vector) (bound : Z) : bool :=
  judge name over (fast_measure over under u g steps) bound.

(** THEOREM (runs in floats, the program). *)
Theorem verified_bound_holds : forall name over under u g steps bound,
  fast_accepts name over under u g steps bound = true -> Z.of_nat (length steps) <= bound.
Proof.
  intros name over under u g steps bound H. unfold fast_accepts in H. rewrite fast_measure_is_measure in H.
  apply (accepted_bound_holds name over under u g steps bound H).
Qed.

(** ** Playing the Perceptron in one pass *)

Fixpoint play_from (r : rule) (w : weights) (rounds : list (bool * vector)) (done : list (bool * option vector))
    : list (bool * option vector) :=
  match rounds with
  | [] => rev_append done []
  | (label, row) :: rest =>
      let z := signed label row in
      let agreement := score (get w) z in
      if teaches r label agreement
      then play_from r (add_row w z) rest ((errs r label agreement, Some z) :: done)
      else play_from r w rest ((errs r label agreement, None) :: done)
  end.

Definition fast_play (r : rule) (rounds : list (bool * vector)) : list (bool * option vector) :=
  play_from r no_weights rounds [].

Lemma play_from_is_right : forall r rounds w_map w done,
  holds w_map w -> play_from r w_map rounds done = rev_append done (play r w rounds).
Proof.
  induction rounds as [|[label row] rest IH]; intros w_map w done H; cbn [play_from play]; [reflexivity|].
  rewrite (score_by_map w_map w _ H).
  destruct (teaches r label (dot w (signed label row))).
  - rewrite (IH _ (w ++ signed label row)) by (apply holds_sum; exact H). reflexivity.
  - rewrite (IH _ w) by exact H. reflexivity.
Qed.

Theorem fast_play_is_play : forall r rounds, fast_play r rounds = play r [] rounds.
Proof. intros. unfold fast_play. rewrite (play_from_is_right r rounds no_weights [] [] holds_nothing). reflexivity. Qed.

(** The whole check of an exact run: play it, measure the comparator on its steps, ask the theorem. *)
Definition check_run (name : theorem) (r : rule) (u : vector) (g : Z) (rounds : list (bool * vector)) (bound : Z) : bool :=
  fast_accepts name (threshold_over r) (threshold_under r) u g (steps_of (fast_play r rounds)) bound.

(** THEOREM (exact runs, the program). *)
Theorem checked_run_keeps_its_bound : forall name r u g rounds bound,
  check_run name r u g rounds bound = true -> Z.of_nat (length (updates r rounds)) <= bound.
Proof.
  intros name r u g rounds bound H. unfold check_run in H. rewrite fast_play_is_play in H.
  exact (verified_bound_holds name _ _ u g _ bound H).
Qed.
