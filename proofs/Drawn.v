(** * Randomized halving: a survivor is drawn in every round, each as likely as another

    The chance of a mistake is the part of the survivors that the round contradicts. The sum of these chances is at most
    1/(k + 1) + ... + 1/n, where n concepts became k. *)

Require Import ZArith QArith List Lia Lqa.
From Littlestone Require Import Randomized Finite.
Import ListNotations.
Open Scope Q_scope.

Fixpoint harmonic (n : nat) : Q := match n with O => 0 | S k => harmonic k + 1 / number n end.

Lemma number_positive : forall n, 0 < number (S n).
Proof. intros n. rewrite number_next. pose proof (number_not_negative n). lra. Qed.

(** The part that is lost of n when k are kept. *)
Lemma part_below_harmonic : forall d k, number d <= (harmonic (k + d) - harmonic k) * number (k + d).
Proof.
  induction d as [|d IH]; intros k.
  - rewrite Nat.add_0_r. change (number 0) with 0. ring_simplify. lra.
  - rewrite Nat.add_succ_r. cbn [harmonic]. specialize (IH k). pose proof (number_positive (k + d)) as P.
    set (n := number (S (k + d))) in *. set (h := harmonic (k + d)) in *. set (g := harmonic k) in *.
    assert (E : (h + 1 / n - g) * n == (h - g) * n + 1) by (field; lra). rewrite E.
    assert (N : n == number (k + d) + 1) by (unfold n; apply number_next). rewrite number_next.
    assert (G : 0 <= h - g).
    { unfold h, g. clear. induction d as [|d IH]; [rewrite Nat.add_0_r; lra|]. rewrite Nat.add_succ_r. cbn [harmonic].
      pose proof (number_positive (k + d)). assert (0 < 1 / number (S (k + d))) by (apply Qlt_shift_div_l; lra). lra. }
    rewrite N. lra.
Qed.

Lemma share_below_harmonic : forall n k, (k <= n)%nat ->
  (number n - number k) / number n <= harmonic n - harmonic k.
Proof.
  intros n k K. destruct n as [|n]; [replace k with 0%nat by lia; vm_compute; discriminate|]. apply Qle_shift_div_r; [apply number_positive|].
  pose proof (part_below_harmonic (S n - k) k) as P. replace (k + (S n - k))%nat with (S n) in P by lia.
  assert (E : number (S n) == number (S n - k) + number k).
  { unfold number. rewrite <- inject_Z_plus, <- Nat2Z.inj_add. replace (S n - k + k)%nat with (S n) by lia. reflexivity. }
  lra.
Qed.

Section Drawn.
Variable instance : Type.

(** The expected mistakes of drawing a survivor in every round. *)
Fixpoint expected (rounds : list (round instance)) (space : list (concept instance)) : Q :=
  match rounds with
  | [] => 0
  | r :: rest =>
      (number (length space) - number (length (keep instance r space))) / number (length space)
        + expected rest (keep instance r space)
  end.

(** THEOREM. They are at most the sum of 1/j for j from the survivors plus 1 to all concepts. *)
Theorem drawing_costs_harmonic : forall rounds space,
  expected rounds space <= harmonic (length space) - harmonic (length (survivors instance rounds space)).
Proof.
  induction rounds as [|r rest IH]; intros space; cbn [expected].
  - change (survivors instance [] space) with space. lra.
  - change (survivors instance (r :: rest) space) with (survivors instance rest (keep instance r space)) in *.
    specialize (IH (keep instance r space)).
    pose proof (share_below_harmonic (length space) (length (keep instance r space)) (filter_shortens _ _ space)). lra.
Qed.

Definition check_drawn (space : list (concept instance)) (rounds : list (round instance)) (bound : Q) : bool :=
  Qle_bool (harmonic (length space) - harmonic (length (survivors instance rounds space))) bound.

Theorem checked_drawing_keeps_its_bound : forall space rounds bound,
  check_drawn space rounds bound = true -> expected rounds space <= bound.
Proof.
  intros space rounds bound H. apply Qle_bool_iff in H. pose proof (drawing_costs_harmonic rounds space). lra.
Qed.

End Drawn.
