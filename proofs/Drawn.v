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

(** * Leaders that are drawn: in every round one of the experts that were wrong least often, each as likely as another

    [level] is how often they were wrong; the experts that were wrong so often are the leaders. When none is left, the level
    rises by 1. *)

Fixpoint leaders (level : Z) (losses : list Z) : nat :=
  match losses with [] => O | l :: rest => ((if (l =? level)%Z then 1 else 0) + leaders level rest)%nat end.

(** How many of the leaders are wrong in a round, and what all have lost after it. *)
Fixpoint blamed (level : Z) (losses : list Z) (wrong : list bool) : nat :=
  match losses, wrong with
  | l :: losses, w :: wrong => ((if ((l =? level)%Z && w)%bool then 1 else 0) + blamed level losses wrong)%nat
  | _, _ => O
  end.
Fixpoint charge (losses : list Z) (wrong : list bool) : list Z :=
  match losses, wrong with
  | l :: losses, w :: wrong => (if w then l + 1 else l)%Z :: charge losses wrong
  | _, _ => losses
  end.

Fixpoint follow_drawn (level : Z) (losses : list Z) (rounds : list (list bool)) : Q :=
  match rounds with
  | [] => 0
  | wrong :: rest =>
      let after := charge losses wrong in
      number (blamed level losses wrong) / number (leaders level losses)
        + follow_drawn (if Nat.eqb (leaders level after) 0 then level + 1 else level)%Z after rest
  end.

Definition lost (losses : list Z) (rounds : list (list bool)) : list Z := fold_left charge rounds losses.

Lemma charging_keeps_level : forall level losses wrong, Forall (fun l => level <= l)%Z losses ->
  Forall (fun l => level <= l)%Z (charge losses wrong)
  /\ (leaders level (charge losses wrong) + blamed level losses wrong = leaders level losses)%nat
  /\ length (charge losses wrong) = length losses.
Proof.
  induction losses as [|l losses IH]; intros wrong H; [destruct wrong; cbn; auto|].
  destruct wrong as [|w wrong]; [cbn [charge blamed]; auto|]. inversion H; subst.
  destruct (IH wrong H3) as [F [E L]]. cbn [charge leaders blamed length].
  destruct w; destruct (Z.eqb_spec l level); cbn [andb]; (split; [constructor; [lia | exact F]|]); split;
    try (rewrite L; reflexivity);
    try (destruct (Z.eqb_spec (l + 1) level); lia); destruct (Z.eqb_spec l level); lia.
Qed.

Lemma rising : forall level losses wrong, Forall (fun l => level <= l)%Z losses ->
  (0 < leaders level losses)%nat -> leaders level (charge losses wrong) = O ->
  Forall (fun l => level + 1 <= l)%Z (charge losses wrong) /\ (0 < leaders (level + 1) (charge losses wrong))%nat.
Proof.
  intros level losses wrong H K N. destruct (charging_keeps_level level losses wrong H) as [F [E L]]. split.
  - clear - F N. induction (charge losses wrong) as [|l rest IH]; [constructor|]. inversion F; subst. cbn [leaders] in N.
    destruct (Z.eqb_spec l level); [lia|]. constructor; [lia | apply IH; assumption].
  - assert (B : (0 < blamed level losses wrong)%nat) by lia. clear - B. revert wrong B.
    induction losses as [|l losses IH]; intros wrong B; cbn [blamed] in B; [destruct wrong; lia|].
    destruct wrong as [|w wrong]; [lia|]. cbn [charge leaders].
    destruct ((l =? level)%Z && w)%bool eqn:X.
    + apply andb_prop in X as [X ->]. apply Z.eqb_eq in X. subst l. rewrite Z.eqb_refl. lia.
    + specialize (IH wrong ltac:(lia)). lia.
Qed.

Lemma leaders_at_most : forall level losses, (leaders level losses <= length losses)%nat.
Proof. induction losses as [|l losses IH]; cbn [leaders length]; [lia | destruct (l =? level)%Z; lia]. Qed.

Lemma harmonic_grows : forall n k, (k <= n)%nat -> harmonic k <= harmonic n.
Proof.
  induction n as [|n IH]; intros k K; [replace k with O by lia; lra|].
  destruct (Nat.eq_dec k (S n)) as [->|N]; [lra|]. specialize (IH k ltac:(lia)). cbn [harmonic].
  pose proof (number_positive n). assert (0 < 1 / number (S n)) by (apply Qlt_shift_div_l; lra). lra.
Qed.

Lemma follow_from : forall rounds level losses,
  Forall (fun l => level <= l)%Z losses -> (0 < leaders level losses)%nat ->
  exists last, Forall (fun l => last <= l)%Z (lost losses rounds) /\ (0 < leaders last (lost losses rounds))%nat
  /\ follow_drawn level losses rounds
     <= harmonic (length losses) * (inject_Z last - inject_Z level) + harmonic (leaders level losses)
        - harmonic (leaders last (lost losses rounds)).
Proof.
  induction rounds as [|wrong rest IH]; intros level losses H K.
  - exists level. cbn [follow_drawn]. unfold lost. cbn [fold_left]. repeat split; try assumption.
    assert (E : harmonic (length losses) * (inject_Z level - inject_Z level) == 0) by ring. lra.
  - cbn [follow_drawn]. change (lost losses (wrong :: rest)) with (lost (charge losses wrong) rest).
    destruct (charging_keeps_level level losses wrong H) as [F [E L]].
    assert (C : number (blamed level losses wrong) / number (leaders level losses)
                <= harmonic (leaders level losses) - harmonic (leaders level (charge losses wrong))).
    { pose proof (share_below_harmonic (leaders level losses) (leaders level (charge losses wrong)) ltac:(lia)) as S.
      assert (D : number (blamed level losses wrong) == number (leaders level losses) - number (leaders level (charge losses wrong))).
      { rewrite <- E. unfold number. rewrite Nat2Z.inj_add, inject_Z_plus. ring. }
      rewrite D. exact S. }
    destruct (Nat.eqb_spec (leaders level (charge losses wrong)) 0) as [Z0|NZ].
    + destruct (rising level losses wrong H K Z0) as [F' K']. destruct (IH _ _ F' K') as [last [A [B D]]].
      exists last. repeat split; try assumption. rewrite L in D. rewrite Z0 in C. change (harmonic 0) with 0 in C.
      pose proof (harmonic_grows (length losses) (leaders (level + 1) (charge losses wrong))
        ltac:(rewrite <- L; apply leaders_at_most)) as M.
      set (h := harmonic (length losses)) in *. rewrite inject_Z_plus in D.
      assert (X : h * (inject_Z last - (inject_Z level + inject_Z 1)) == h * (inject_Z last - inject_Z level) - h)
        by (change (inject_Z 1) with 1; ring).
      rewrite X in D. lra.
    + destruct (IH level (charge losses wrong) F ltac:(lia)) as [last [A [B D]]].
      exists last. repeat split; try assumption. rewrite L in D. lra.
Qed.

(** THEOREM. If some expert lost L times, drawing a leader among n makes at most H_n (L + 1) - 1 expected mistakes. *)
Theorem drawn_leader_bound : forall n rounds l, In l (lost (repeat 0%Z n) rounds) -> (0 < n)%nat ->
  follow_drawn 0 (repeat 0%Z n) rounds <= harmonic n * (inject_Z l + 1) - 1.
Proof.
  intros n rounds l I N.
  assert (F : Forall (fun l => 0 <= l)%Z (repeat 0%Z n)) by (apply Forall_forall; intros x X; apply repeat_spec in X; lia).
  assert (K : leaders 0 (repeat 0%Z n) = n) by (clear; induction n; cbn [repeat leaders]; [reflexivity | rewrite IHn; reflexivity]).
  destruct (follow_from rounds 0 (repeat 0%Z n) F ltac:(lia)) as [last [A [B C]]].
  rewrite repeat_length, K in C. rewrite Forall_forall in A. specialize (A l I).
  assert (ONE : 1 <= harmonic (leaders last (lost (repeat 0%Z n) rounds))).
  { eapply Qle_trans; [|apply (harmonic_grows _ 1); lia]. vm_compute. discriminate. }
  assert (P : 0 <= harmonic n) by (apply (harmonic_grows n 0); lia).
  assert (Y : inject_Z last <= inject_Z l) by (rewrite <- Zle_Qle; exact A).
  assert (Q : 0 <= harmonic n * (inject_Z l - inject_Z last)) by (apply Qmult_le_0_compat; lra).
  change (inject_Z 0) with 0 in C.
  assert (X : harmonic n * (inject_Z last - 0) == harmonic n * (inject_Z l + 1) - harmonic n * (inject_Z l - inject_Z last) - harmonic n)
    by ring.
  rewrite X in C. lra.
Qed.

Definition check_drawn_leader (n : nat) (charged : Z) (bound : Q) : bool :=
  Nat.ltb 0 n && Qle_bool (harmonic n * (inject_Z charged + 1) - 1) bound.

Theorem checked_drawn_leader_keeps_its_bound : forall n rounds l bound, In l (lost (repeat 0%Z n) rounds) ->
  check_drawn_leader n l bound = true -> follow_drawn 0 (repeat 0%Z n) rounds <= bound.
Proof.
  intros n rounds l bound I H. apply andb_prop in H as [N H]. apply Nat.ltb_lt in N. apply Qle_bool_iff in H.
  pose proof (drawn_leader_bound n rounds l I N). lra.
Qed.
