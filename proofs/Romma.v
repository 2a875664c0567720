(** * ROMMA: every mistake makes the weights longer, and no weights are longer than a comparator with margin 1

    A round that teaches replaces the weights w by the shortest that have agreement 1 with it and at least |w|^2 with w. In
    exact fractions, for all rounds; [aggressive] learns from agreements below 1 as well. *)

Require Import ZArith QArith List Lia Psatz.
From Littlestone Require Import Vectors Fractions.
Import ListNotations.
Open Scope Q_scope.

Definition turn (w z : fraction_vector) : fraction_vector :=
  let a := times w z in
  let q := times z z in
  let p := q * times w w in
  if Qle_bool p a then scale (1 / q) z
  else plus (scale ((p - a) / (p - a * a)) w) (scale (times w w * (1 - a) / (p - a * a)) z).

Definition below (x y : Q) : bool := negb (Qle_bool y x).

Definition teaches (aggressive : bool) (w z : fraction_vector) : bool :=
  if aggressive then below (times w z) 1 else Qle_bool (times w z) 0.

Fixpoint mistakes (aggressive : bool) (w : fraction_vector) (rows : list fraction_vector) : Q :=
  match rows with
  | [] => 0
  | z :: rest =>
      (if Qle_bool (times w z) 0 then 1 else 0) + mistakes aggressive (if teaches aggressive w z then turn w z else w) rest
  end.

Lemma below_means : forall x y, below x y = true -> x < y.
Proof. intros x y H. apply Bool.negb_true_iff in H. apply Qnot_le_lt. intros C. apply Qle_bool_iff in C. congruence. Qed.

Lemma square_of_times : forall a b, times a b * times a b <= times a a * times b b.
Proof.
  intros. unfold times, Qle, Qmult. simpl. pose proof (cauchy_schwarz (top a) (top b)) as H. unfold square in H.
  replace (bottom a * bottom a * (bottom b * bottom b))%positive with (bottom a * bottom b * (bottom a * bottom b))%positive by lia.
  apply Z.mul_le_mono_nonneg_r; [lia | exact H].
Qed.

(** What a turn does: agreement and length. *)
Lemma turned : forall u w z g,
  0 < g -> g <= times u z -> g * times w w <= times u w -> times w z < 1 ->
  let new := turn w z in
  g * times new new <= times u new
  /\ times w w * times z z + (1 - times w z) * (1 - times w z) <= times new new * times z z.
Proof.
  intros u w z g G M L A new.
  assert (QP : 0 < times z z).
  { destruct (Qlt_le_dec 0 (times z z)) as [|H]; [assumption|exfalso]. pose proof (times_itself z).
    pose proof (square_of_times u z) as C. assert (E : times z z == 0) by lra. rewrite E in C. nra. }
  assert (U : times u z == times z u) by apply times_symmetric.
  assert (S : times z w == times w z) by apply times_symmetric.
  pose proof (square_of_times w z) as CS. pose proof (times_itself w) as WN.
  unfold new, turn. destruct (Qle_bool (times z z * times w w) (times w z)) eqn:B.
  - apply Qle_bool_iff in B.
    rewrite times_scale_right, times_scale_left, times_scale_right.
    assert (E : 1 / times z z * (1 / times z z * times z z) == 1 / times z z) by (field; lra). rewrite E.
    assert (I : 0 < 1 / times z z) by (apply Qlt_shift_div_l; lra). split; [nra|].
    assert (F : 1 / times z z * times z z == 1) by (field; lra). rewrite F. nra.
  - assert (B' : times w z < times z z * times w w).
    { apply Qnot_le_lt. intros C. apply Qle_bool_iff in C. congruence. }
    clear B.
    assert (D : 0 < times z z * times w w - times w z * times w z).
    { destruct (Qlt_le_dec 0 (times z z * times w w - times w z * times w z)) as [|D]; [assumption|exfalso].
      assert (AN : times w z < 0).
      { apply Qnot_le_lt. intros C. assert (0 <= times w z * (1 - times w z)) by (apply Qmult_le_0_compat; lra). lra. }
      assert (WP : 0 < times w w).
      { apply Qnot_le_lt. intros C. assert (E : times w w == 0) by lra. rewrite E in CS.
        assert (0 < - times w z * - times w z) by (apply Qmult_lt_0_compat; lra). lra. }
      (* the vector |w|^2 z - (w.z) w would be 0, and yet agree with u *)
      set (v := plus (scale (times w w) z) (scale (- times w z) w)).
      assert (V0 : times v v == times w w * (times z z * times w w - times w z * times w z)).
      { unfold v. rewrite !times_plus_left, !times_plus_right, !times_scale_left, !times_scale_right, S. ring. }
      assert (V1 : times u v == times w w * times u z - times w z * times u w).
      { unfold v. rewrite times_plus_right, !times_scale_right. ring. }
      pose proof (square_of_times u v) as C.
      assert (Z : times v v == 0).
      { pose proof (times_itself v) as N. rewrite V0 in N. rewrite V0.
        assert (Y : times z z * times w w - times w z * times w z == 0) by lra. rewrite Y. ring. }
      rewrite Z, Qmult_0_r, V1 in C.
      assert (X1 : 0 < times w w * times u z) by (apply Qmult_lt_0_compat; lra).
      assert (X2 : 0 <= - times w z * times u w) by (apply Qmult_le_0_compat; [lra|]; nra).
      set (x := times w w * times u z - times w z * times u w) in *. assert (0 < x) by (unfold x; lra).
      assert (0 < x * x) by (apply Qmult_lt_0_compat; assumption). lra. }
    set (a := times w z) in *. set (q := times z z) in *. set (n := times w w) in *. set (d := q * n - a * a) in *.
    set (c := (q * n - a) / d). set (e := n * (1 - a) / d).
    assert (CD : c * d == q * n - a) by (unfold c; field; lra).
    assert (ED : e * d == n * (1 - a)) by (unfold e; field; lra).
    assert (C0 : 0 <= c) by (unfold c; apply Qle_shift_div_l; lra).
    assert (E0 : 0 <= e).
    { unfold e. apply Qle_shift_div_l; [exact D|]. rewrite Qmult_0_l. apply Qmult_le_0_compat; lra. }
    assert (ONE : c * a + e * q == 1).
    { unfold c, e, d. field. unfold d in D. lra. }
    assert (TWO : c * n + e * a == n).
    { unfold c, e, d. field. unfold d in D. lra. }
    assert (T : times (plus (scale c w) (scale e z)) (plus (scale c w) (scale e z)) == c * n + e).
    { transitivity (c * (c * n + e * a) + e * (c * a + e * q)); [|rewrite ONE, TWO; ring].
      rewrite times_plus_left, !times_plus_right, !times_scale_left, !times_scale_right, S. fold a q n. ring. }
    rewrite T, times_plus_right, !times_scale_right. split.
    + assert (0 <= c * (times u w - g * n)) by (apply Qmult_le_0_compat; lra).
      assert (0 <= e * (times u z - g)) by (apply Qmult_le_0_compat; lra). lra.
    + (* |t|^2 - |w|^2 is |t - w|^2, whose agreement with z is 1 - a *)
      set (s := plus (plus (scale c w) (scale e z)) (scale (-1) w)).
      assert (SS : times s s == c * n + e - n).
      { transitivity (c * n + e - 2 * (c * n + e * a) + n); [|rewrite TWO; ring].
        set (t := plus (scale c w) (scale e z)) in *.
        assert (TW : times t w == c * n + e * a) by (unfold t; rewrite times_plus_left, !times_scale_left, S; fold a n; ring).
        unfold s. rewrite times_plus_left, !times_plus_right, !times_scale_left, !times_scale_right, T.
        rewrite (times_symmetric w t), TW. fold n. ring. }
      assert (SZ : times s z == 1 - a).
      { unfold s. rewrite !times_plus_left, !times_scale_left. fold a q. rewrite ONE. ring. }
      pose proof (square_of_times s z) as C. rewrite SS, SZ in C. fold q in C. lra.
Qed.

Lemma mistakes_from : forall aggressive u g reach rows w,
  0 < g -> 0 < reach -> (forall z, In z rows -> g <= times u z) -> (forall z, In z rows -> times z z <= reach) ->
  g * times w w <= times u w ->
  (mistakes aggressive w rows + reach * times w w) * (g * g) <= reach * times u u.
Proof.
  induction rows as [|z rest IH]; intros w G R M Q L; cbn [mistakes].
  - pose proof (distance_not_negative (scale g w) u) as D. unfold distance in D.
    rewrite !times_scale_left, times_scale_right, (times_symmetric w u) in D.
    assert (0 <= g * (times u w - g * times w w)) by (apply Qmult_le_0_compat; lra).
    assert (g * (g * times w w) <= times u u) by lra.
    assert (0 <= reach * (times u u - g * (g * times w w))) by (apply Qmult_le_0_compat; lra). lra.
  - assert (MR : forall y, In y rest -> g <= times u y) by (intros; apply M; right; assumption).
    assert (QR : forall y, In y rest -> times y y <= reach) by (intros; apply Q; right; assumption).
    specialize (M z (or_introl eq_refl)). specialize (Q z (or_introl eq_refl)).
    destruct (teaches aggressive w z) eqn:T.
    + assert (A : times w z < 1).
      { unfold teaches in T. destruct aggressive; [apply below_means; exact T | apply Qle_bool_iff in T; lra]. }
      destruct (turned u w z g G M L A) as [L' N]. set (t := turn w z) in *.
      specialize (IH t G R MR QR L').
      pose proof (times_itself z) as ZN.
      assert (S : (if Qle_bool (times w z) 0 then 1 else 0) + reach * times w w <= reach * times t t).
      { assert (W : 0 <= times t t - times w w).
        { apply Qnot_lt_le. intros C. assert (0 <= (times w w - times t t) * times z z) by (apply Qmult_le_0_compat; lra).
          assert ((1 - times w z) * (1 - times w z) <= 0) by lra. nra. }
        destruct (Qle_bool (times w z) 0) eqn:B; [apply Qle_bool_iff in B|].
        - assert (1 <= (1 - times w z) * (1 - times w z)) by nra.
          assert (0 <= (reach - times z z) * (times t t - times w w)) by (apply Qmult_le_0_compat; lra). lra.
        - assert (0 <= reach * (times t t - times w w)) by (apply Qmult_le_0_compat; lra). lra. }
      eapply Qle_trans; [|exact IH].
      assert (0 < g * g) by nra.
      assert (0 <= (reach * times t t - ((if Qle_bool (times w z) 0 then 1 else 0) + reach * times w w)) * (g * g))
        by (apply Qmult_le_0_compat; lra). lra.
    + specialize (IH w G R MR QR L).
      destruct (Qle_bool (times w z) 0) eqn:B; [|lra].
      exfalso. unfold teaches in T. destruct aggressive; [|congruence].
      apply Qle_bool_iff in B. unfold below in T. apply Bool.negb_false_iff, Qle_bool_iff in T. lra.
Qed.

(** THEOREM (any stream). With u.z >= g > 0 and |z|^2 <= reach on every round there are at most |u|^2 reach / g^2 mistakes. *)
Theorem romma_bound : forall aggressive u g reach rows,
  0 < g -> 0 < reach -> (forall z, In z rows -> g <= times u z) -> (forall z, In z rows -> times z z <= reach) ->
  mistakes aggressive zero rows * (g * g) <= reach * times u u.
Proof.
  intros aggressive u g reach rows G R M Q.
  pose proof (mistakes_from aggressive u g reach rows zero G R M Q) as H. rewrite (times_symmetric u zero), !zero_times in H.
  specialize (H ltac:(lra)). lra.
Qed.

(** The check: the witness has its margin on every row, no row is longer than the reach, and one more is impossible. *)
Definition check_romma (u : fraction_vector) (g reach : Q) (rows : list fraction_vector) (bound : Q) : bool :=
  below 0 g && below 0 reach
  && forallb (fun z => Qle_bool g (times u z)) rows && forallb (fun z => Qle_bool (times z z) reach) rows
  && below (reach * times u u) ((bound + 1) * (g * g)).

(** THEOREM (exact runs). If the check accepts, the learner makes fewer than [bound + 1] mistakes on these rows. *)
Theorem checked_romma_keeps_its_bound : forall aggressive u g reach rows bound,
  check_romma u g reach rows bound = true -> mistakes aggressive zero rows < bound + 1.
Proof.
  intros aggressive u g reach rows bound C. unfold check_romma in C.
  apply andb_prop in C as [C B]. apply andb_prop in C as [C Q]. apply andb_prop in C as [C M]. apply andb_prop in C as [G R].
  apply below_means in G, R, B. rewrite forallb_forall in M, Q.
  pose proof (romma_bound aggressive u g reach rows G R
    (fun z Z => proj1 (Qle_bool_iff _ _) (M z Z)) (fun z Z => proj1 (Qle_bool_iff _ _) (Q z Z))) as H.
  apply Qmult_lt_r with (g * g); [nra | lra].
Qed.
