(** * Winnow with a floor: targets that change

    Promotion 2, floor 1/2: exponents are at least -1. Each update has the set of attributes whose OR is its label; the set may
    change between updates. Attributes of the set are never demoted, and each promotion raises one of them, which it can do
    only so often after it came into the set; demotions take more from the sum of weights than the floor keeps. *)

Require Import ZArith QArith Qminmax List Bool Lia Psatz.
From Littlestone Require Import Winnow.
Import ListNotations.
Open Scope Q_scope.

Definition labelled := (bool * list positive * list positive)%type.  (* promoted?, the row, the set of the target *)

Section Drift.
Variables (theta : Q) (attributes : list positive).

Definition raised (up : bool) (row : list positive) (e : exponents) : exponents := fun i =>
  if active row i then (if up then e i + 1 else Z.max (-1) (e i - 1))%Z else e i.
Fixpoint zsum (f : positive -> Z) (over : list positive) : Z := match over with [] => 0%Z | i :: over => (f i + zsum f over)%Z end.
Definition hits (row set : list positive) : bool := existsb (fun i => active row i && active set i) attributes.
Definition added (before set : list positive) : Z :=
  zsum (fun i => if active set i && negb (active before i) then 1%Z else 0%Z) attributes.
Fixpoint additions (before : list positive) (steps : list labelled) : Z :=
  match steps with [] => 0%Z | (_, _, set) :: rest => (added before set + additions set rest)%Z end.
Fixpoint ups (steps : list labelled) : Z :=
  match steps with [] => 0%Z | (up, _, _) :: rest => ((if up then 1 else 0) + ups rest)%Z end.
Fixpoint downs (steps : list labelled) : Z :=
  match steps with [] => 0%Z | (up, _, _) :: rest => ((if up then 0 else 1) + downs rest)%Z end.

(** Scores are on the side of the threshold on which the learner errs, and the set labels the row. *)
Fixpoint fair (e : exponents) (steps : list labelled) : bool :=
  match steps with
  | [] => true
  | (up, row, set) :: rest =>
      Bool.eqb (hits row set) up
      && (if up then below (score 2 attributes e row) theta else Qle_bool theta (score 2 attributes e row))
      && fair (raised up row e) rest
  end.

Definition small (most : Z) (e : exponents) : Prop := forall i, In i attributes -> (-1 <= e i <= most)%Z.
Definition potential (most : Z) (set : list positive) (e : exponents) : Z :=
  zsum (fun i => if active set i then (most - e i)%Z else 0%Z) attributes.

Lemma two_large : 1 < 2. Proof. reflexivity. Qed.

Lemma small_after : forall most up row e, theta <= 2 ^ most -> (-1 <= most)%Z -> small most e ->
  (up = true -> score 2 attributes e row < theta) -> small most (raised up row e).
Proof.
  intros most up row e T M S U i I. specialize (S i I) as Si. unfold raised. destruct (active row i) eqn:A; [|exact Si].
  destruct up; [|lia]. pose proof (active_weight 2 attributes two_large e row i I A) as W. specialize (U eq_refl).
  assert (L : 2 ^ e i < 2 ^ most) by (unfold weight in W; lra). apply (smaller_exponent 2 two_large) in L. lia.
Qed.

Lemma zsum_below : forall f g over, (forall i, In i over -> (f i <= g i)%Z) -> (zsum f over <= zsum g over)%Z.
Proof.
  induction over as [|i over IH]; intros H; cbn [zsum]; [lia|]. pose proof (H i (or_introl eq_refl)).
  specialize (IH (fun j J => H j (or_intror J))). lia.
Qed.

Lemma zsum_plus : forall f g over, zsum (fun i => (f i + g i)%Z) over = (zsum f over + zsum g over)%Z.
Proof. induction over as [|i over IH]; cbn [zsum]; [reflexivity|]. rewrite IH. lia. Qed.

Lemma zsum_times : forall c f over, zsum (fun i => (c * f i)%Z) over = (c * zsum f over)%Z.
Proof. induction over as [|i over IH]; cbn [zsum]; [lia|]. rewrite IH. lia. Qed.

Lemma potential_of_new_set : forall most before set e, small most e ->
  (potential most set e <= potential most before e + (most + 1) * added before set)%Z.
Proof.
  intros most before set e S. unfold potential, added. rewrite <- zsum_times, <- zsum_plus. apply zsum_below. intros i I.
  specialize (S i I). destruct (active set i), (active before i); cbn [andb negb]; lia.
Qed.

Lemma potential_falls : forall most up row set e, hits row set = up ->
  (potential most set (raised up row e) + (if up then 1 else 0) <= potential most set e)%Z.
Proof.
  intros most up row set e H. unfold potential, hits in *. revert H. generalize attributes as over.
  assert (LE : forall over, up = true -> (zsum (fun i => if active set i then most - raised up row e i else 0) over
    <= zsum (fun i => if active set i then most - e i else 0) over)%Z).
  { intros over ->. apply zsum_below. intros i _. unfold raised. destruct (active set i), (active row i); lia. }
  induction over as [|i over IH]; intros H; cbn [zsum existsb] in *; [subst up; lia|].
  destruct up.
  - specialize (LE over eq_refl). destruct (active row i && active set i) eqn:A.
    + apply andb_prop in A as [A B]. rewrite B. unfold raised at 1. rewrite A. lia.
    + cbn [orb] in H. specialize (IH H). unfold raised at 1. destruct (active set i) eqn:B; [|lia].
      destruct (active row i); [discriminate | lia].
  - apply orb_false_elim in H as [A H]. specialize (IH H). unfold raised at 1.
    destruct (active set i) eqn:B; [|lia]. destruct (active row i); [discriminate | lia].
Qed.

Lemma fair_step : forall e up row set rest, fair e ((up, row, set) :: rest) = true ->
  hits row set = up /\ (up = true -> score 2 attributes e row < theta) /\ (up = false -> theta <= score 2 attributes e row)
  /\ fair (raised up row e) rest = true.
Proof.
  intros e up row set rest H. cbn [fair] in H. apply andb_prop in H as [H R]. apply andb_prop in H as [A B].
  apply Bool.eqb_prop in A. repeat split; [exact A | | | exact R]; intros ->; [apply below_means, B | apply Qle_bool_iff, B].
Qed.

Lemma ups_are_few : forall most steps e before, theta <= 2 ^ most -> (-1 <= most)%Z -> small most e -> fair e steps = true ->
  (ups steps <= potential most before e + (most + 1) * additions before steps)%Z.
Proof.
  induction steps as [|[[up row] set] rest IH]; intros e before T M S F; cbn [ups additions].
  - assert (0 <= potential most before e)%Z; [|lia]. unfold potential.
    assert (Z : forall over, zsum (fun _ => 0%Z) over = 0%Z) by (induction over; cbn [zsum]; lia).
    rewrite <- (Z attributes) at 1. apply zsum_below. intros i I. specialize (S i I). destruct (active before i); lia.
  - apply fair_step in F as [H [U [_ R]]]. pose proof (small_after most up row e T M S U) as S2.
    specialize (IH (raised up row e) set T M S2 R). pose proof (potential_of_new_set most before set e S).
    pose proof (potential_falls most up row set e H). lia.
Qed.

(** ** Demotions *)

Definition breadth_of (over : list positive) : Q := inject_Z (Z.of_nat (length over)).
Definition floored (row : list positive) (e : exponents) (over : list positive) : Z :=
  zsum (fun i => if active row i && (e i =? -1)%Z then 1%Z else 0%Z) over.

Lemma breadth_next : forall i over, breadth_of (i :: over) == breadth_of over + 1.
Proof. intros. unfold breadth_of. cbn [length]. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. reflexivity. Qed.

Lemma floored_few : forall row e over,
  (floored row e over <= Z.of_nat (length over))%Z
  /\ (floored row e over = Z.of_nat (length over) ->
      2 * sum (fun i => if active row i then weight 2 e i else 0) over == breadth_of over).
Proof.
  induction over as [|i over IH]; unfold floored in *; cbn [zsum length sum]; [split; [lia | intros; reflexivity]|].
  destruct IH as [A B]. rewrite Nat2Z.inj_succ. destruct (active row i && (e i =? -1)%Z) eqn:C; split; try lia.
  intros H. rewrite breadth_next, <- (B ltac:(lia)). apply andb_prop in C as [C D]. rewrite C. apply Z.eqb_eq in D.
  unfold weight at 1. rewrite D. change (2 ^ (-1)) with (1 # 2). ring.
Qed.

Lemma total_after_lowering : forall row e over, (forall i, In i over -> (-1 <= e i)%Z) ->
  4 * sum (weight 2 (raised false row e)) over + 2 * sum (fun i => if active row i then weight 2 e i else 0) over
  <= 4 * sum (weight 2 e) over + inject_Z (floored row e over).
Proof.
  induction over as [|i over IH]; intros S; unfold floored in *; cbn [zsum sum]; [discriminate|].
  specialize (IH (fun j J => S j (or_intror J))). specialize (S i (or_introl eq_refl)). rewrite inject_Z_plus.
  assert (X : 4 * weight 2 (raised false row e) i + 2 * (if active row i then weight 2 e i else 0)
    <= 4 * weight 2 e i + inject_Z (if active row i && (e i =? -1)%Z then 1 else 0)).
  { unfold weight, raised. destruct (active row i); cbn [andb]; [|change (inject_Z 0) with 0; set (y := 2 ^ e i); lra].
    destruct (e i =? -1)%Z eqn:E.
    - apply Z.eqb_eq in E. rewrite E. discriminate.
    - apply Z.eqb_neq in E. rewrite Z.max_r by lia. pose proof (one_less 2 two_large (e i)) as O. change (inject_Z 0) with 0.
      set (x := 2 ^ (e i - 1)) in *. set (y := 2 ^ e i) in *. lra. }
  lra.
Qed.

Lemma total_after_raising : forall row e over,
  sum (weight 2 (raised true row e)) over == sum (weight 2 e) over + sum (fun i => if active row i then weight 2 e i else 0) over.
Proof.
  induction over as [|i over IH]; cbn [sum]; [reflexivity|]. rewrite IH. unfold weight at 1, raised at 1.
  destruct (active row i); [rewrite (one_more 2 two_large)|]; fold (weight 2 e i); ring.
Qed.

Lemma floor_of_total : forall e over, (forall i, In i over -> (-1 <= e i)%Z) -> breadth_of over <= 2 * sum (weight 2 e) over.
Proof.
  induction over as [|i over IH]; intros S; cbn [sum]; [discriminate|]. rewrite breadth_next.
  specialize (IH (fun j J => S j (or_intror J))). specialize (S i (or_introl eq_refl)).
  assert (1 # 2 <= weight 2 e i); [|lra]. unfold weight. change (1 # 2) with (2 ^ (-1)).
  destruct (Qlt_le_dec (2 ^ e i) (2 ^ (-1))) as [C|C]; [|exact C]. apply (smaller_exponent 2 two_large) in C. lia.
Qed.

Lemma downs_are_paid : forall most steps e, theta <= 2 ^ most -> (-1 <= most)%Z -> small most e -> fair e steps = true ->
  breadth_of attributes < 2 * theta ->
  inject_Z (downs steps) * (2 * theta - breadth_of attributes + 1) + 2 * breadth_of attributes
    <= 4 * sum (weight 2 e) attributes + inject_Z (ups steps) * (4 * theta).
Proof.
  induction steps as [|[[up row] set] rest IH]; intros e T M S F D; cbn [ups downs].
  - pose proof (floor_of_total e attributes (fun i I => proj1 (S i I))). change (inject_Z 0) with 0. lra.
  - apply fair_step in F as [H [U [L R]]]. pose proof (small_after most up row e T M S U) as S2.
    specialize (IH (raised up row e) T M S2 R D). rewrite !inject_Z_plus. destruct up.
    + rewrite total_after_raising in IH. specialize (U eq_refl). unfold score in U. change (inject_Z 1) with 1. change (inject_Z 0) with 0. lra.
    + specialize (L eq_refl). unfold score in L.
      pose proof (total_after_lowering row e attributes (fun i I => proj1 (S i I))) as P.
      destruct (floored_few row e attributes) as [A B]. set (v := sum (fun i => if active row i then weight 2 e i else 0) attributes) in *.
      assert (K : inject_Z (floored row e attributes) <= breadth_of attributes - 1).
      { destruct (Z.eq_dec (floored row e attributes) (Z.of_nat (length attributes))) as [E|E]; [specialize (B E); lra|].
        unfold breadth_of. setoid_replace (inject_Z (Z.of_nat (length attributes)) - 1) with (inject_Z (Z.of_nat (length attributes) - 1)).
        - rewrite <- Zle_Qle. lia.
        - unfold Zminus. rewrite inject_Z_plus. reflexivity. }
      set (f := inject_Z (floored row e attributes)) in *.
      change (inject_Z 1) with 1. change (inject_Z 0) with 0. lra.
Qed.

End Drift.

Definition check_drift (theta : Q) (attributes : list positive) (most : Z) (steps : list labelled) (promoted demoted : Z) : bool :=
  Qle_bool theta (2 ^ most) && (0 <=? most)%Z && below (breadth_of attributes) (2 * theta)
  && fair theta attributes start steps && ((most + 1) * additions attributes [] steps <=? promoted)%Z
  && below (2 * breadth_of attributes + inject_Z promoted * (4 * theta))
       (inject_Z (demoted + 1) * (2 * theta - breadth_of attributes + 1)).

(** THEOREM (any steps, the program). *)
Theorem checked_drift_keeps_its_bound : forall theta attributes most steps promoted demoted,
  check_drift theta attributes most steps promoted demoted = true -> (ups steps <= promoted /\ downs steps <= demoted)%Z.
Proof.
  intros theta attributes most steps promoted demoted H. unfold check_drift in H.
  apply andb_prop in H as [H Y]. apply andb_prop in H as [H X]. apply andb_prop in H as [H F]. apply andb_prop in H as [H D].
  apply andb_prop in H as [T M]. apply Qle_bool_iff in T. apply Z.leb_le in M, X. apply below_means in D, Y.
  assert (S : small attributes most start) by (intros i _; unfold start; lia).
  pose proof (ups_are_few theta attributes most steps start [] T ltac:(lia) S F) as U.
  assert (Z0 : potential attributes most [] start = 0%Z).
  { unfold potential. clear. induction attributes as [|i rest IH]; cbn [zsum]; [reflexivity|]. rewrite IH. reflexivity. }
  rewrite Z0 in U. assert (C : (ups steps <= promoted)%Z) by lia. split; [exact C|].
  pose proof (downs_are_paid theta attributes most steps start T ltac:(lia) S F D) as P.
  assert (W : sum (weight 2 start) attributes == breadth_of attributes) by (exact (total_at_start 2 attributes)).
  rewrite W in P. assert (G : inject_Z (ups steps) <= inject_Z promoted) by (rewrite <- Zle_Qle; exact C).
  assert (B : 0 <= breadth_of attributes) by (unfold breadth_of; change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
  assert (0 <= (inject_Z promoted - inject_Z (ups steps)) * (4 * theta)) by (apply Qmult_le_0_compat; lra).
  set (left := 2 * theta - breadth_of attributes + 1) in *.
  assert (L : 0 < left) by (unfold left; lra).
  assert (Q : inject_Z (downs steps) * left < inject_Z (demoted + 1) * left) by lra.
  apply Qmult_lt_r in Q; [|exact L]. rewrite <- Zlt_Qlt in Q. lia.
Qed.
