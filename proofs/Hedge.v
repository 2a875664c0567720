(** * Hedge with losses between 0 and 1, without logarithms; experts that are switched between, and experts that sleep

    A round gives each expert a loss l and a factor f, by which its weight is multiplied: Hedge takes f = b^l, which is no
    fraction. All that is needed is f <= 1 - (1 - b) l, which is true of b^l and of numbers a little above it: so f may be
    rounded up. Before the next round a share s of all weights may be spread equally. With n experts, T rounds and the loss M
    of the mean by weight, the weight v that is left along any path of experts is at most n (1 - (1 - b) M / T)^T. Since
    (1 - (1 - e^-r) x) <= e^(r^2 / 8 - r x), this is at least as much as M <= L + ln n / r + r T / 8 says, in fractions.
    An expert that sleeps loses the mean of the others. *)

Require Import ZArith QArith List Bool Lia Psatz.
From Littlestone Require Import Randomized.
Import ListNotations.
Open Scope Q_scope.

Definition round := list (Q * Q).  (* of each expert, its loss and the factor of its weight *)

Fixpoint dot (ws ls : list Q) : Q := match ws, ls with w :: ws, l :: ls => w * l + dot ws ls | _, _ => 0 end.
Fixpoint times (ws fs : list Q) : list Q := match ws, fs with w :: ws, f :: fs => w * f :: times ws fs | _, _ => [] end.
Definition share (s : Q) (ws : list Q) : list Q := map (fun w => (1 - s) * w + s * sum ws / number (length ws)) ws.
Definition step (s : Q) (ws : list Q) (r : round) : list Q := share s (times ws (map snd r)).

(** What the mean by weight loses in each round. *)
Fixpoint hedge_losses (s : Q) (ws : list Q) (rounds : list round) : list Q :=
  match rounds with
  | [] => []
  | r :: rest => dot ws (map fst r) / sum ws :: hedge_losses s (step s ws r) rest
  end.
Fixpoint final (s : Q) (ws : list Q) (rounds : list round) : list Q :=
  match rounds with [] => ws | r :: rest => final s (step s ws r) rest end.

(** What is left of v along a path of experts. *)
Fixpoint left_over (s : Q) (n : nat) (v : Q) (path : list nat) (rounds : list round) : Q :=
  match path, rounds with
  | e :: path, r :: rest =>
    let kept := v * snd (nth e r (0, 0)) in
    match path with
    | [] => kept
    | next :: _ => left_over s n ((if Nat.eqb next e then 1 - s else s / number n) * kept) path rest
    end
  | _, _ => v
  end.

Definition proper (b : Q) (n : nat) (r : round) : Prop :=
  length r = n /\ Forall (fun x => 0 <= fst x <= 1 /\ 0 < snd x <= 1 - (1 - b) * fst x) r.

Lemma times_sound : forall b ws r, Forall (fun w => 0 < w) ws -> proper b (length ws) r ->
  length (times ws (map snd r)) = length ws /\ Forall (fun w => 0 < w) (times ws (map snd r))
  /\ sum (times ws (map snd r)) <= sum ws - (1 - b) * dot ws (map fst r)
  /\ 0 <= dot ws (map fst r) <= sum ws
  /\ forall e, (e < length ws)%nat -> nth e (times ws (map snd r)) 0 == nth e ws 0 * snd (nth e r (0, 0)).
Proof.
  intros b. induction ws as [|w ws IH]; intros [|[l f] r] W [L P]; try discriminate; cbn [map times dot sum length fst snd].
  - repeat split; try (constructor || lra). intros e E. inversion E.
  - inversion W; inversion P; subst. cbn [fst snd] in *. destruct H5 as [[L0 L1] [F0 F1]].
    assert (PR : proper b (length ws) r) by (split; [simpl in L; lia | assumption]).
    destruct (IH r H2 PR) as [A [B [C [D E]]]].
    assert (0 <= w * (1 - (1 - b) * l - f)) by (apply Qmult_le_0_compat; lra).
    assert (0 <= w * l) by (apply Qmult_le_0_compat; lra).
    assert (0 <= w * (1 - l)) by (apply Qmult_le_0_compat; lra).
    repeat split; try lra.
    + rewrite A. reflexivity.
    + constructor; [apply Qmult_lt_0_compat; assumption | exact B].
    + intros [|e] K; cbn [nth snd]; [reflexivity | apply E; lia].
Qed.

Lemma number_positive : forall n, (0 < n)%nat -> 0 < number n.
Proof. intros [|n] H; [lia|]. rewrite number_next. pose proof (number_not_negative n). lra. Qed.

Lemma share_sound : forall s ws, 0 <= s < 1 -> Forall (fun w => 0 < w) ws -> ws <> [] ->
  length (share s ws) = length ws /\ Forall (fun w => 0 < w) (share s ws) /\ sum (share s ws) == sum ws
  /\ forall e, (e < length ws)%nat -> (1 - s) * nth e ws 0 <= nth e (share s ws) 0 /\ s / number (length ws) * sum ws <= nth e (share s ws) 0.
Proof.
  intros s ws S W NE. unfold share. set (more := s * sum ws / number (length ws)).
  assert (N : 0 < number (length ws)) by (apply number_positive; destruct ws; [congruence | simpl; lia]).
  pose proof (sum_positive ws W NE) as T.
  assert (M : 0 <= more) by (unfold more; apply Qle_shift_div_l; [exact N | rewrite Qmult_0_l; apply Qmult_le_0_compat; lra]).
  assert (MM : more == s / number (length ws) * sum ws) by (unfold more; field; lra).
  assert (SUM : forall l, sum (map (fun w => (1 - s) * w + more) l) == (1 - s) * sum l + number (length l) * more).
  { induction l as [|w l IH]; cbn [map sum length]; [change (number 0) with 0; ring|]. rewrite IH, number_next. ring. }
  split; [apply map_length|]. split; [|split].
  - apply Forall_forall. intros x I. apply in_map_iff in I as [w [<- I]]. rewrite Forall_forall in W. specialize (W w I).
    assert (0 < (1 - s) * w) by (apply Qmult_lt_0_compat; lra). lra.
  - rewrite SUM. unfold more. field. lra.
  - intros e E. assert (X : nth e (map (fun w => (1 - s) * w + more) ws) 0 = (1 - s) * nth e ws 0 + more).
    { rewrite (nth_indep _ 0 ((1 - s) * 0 + more)) by (rewrite map_length; exact E).
      apply (map_nth (fun w => (1 - s) * w + more)). }
    rewrite X. assert (0 <= (1 - s) * nth e ws 0).
    { apply Qmult_le_0_compat; [lra|]. rewrite Forall_forall in W. apply Qlt_le_weak, W, nth_In, E. }
    split; lra.
Qed.

Lemma step_sound : forall b s ws r, 0 <= s < 1 -> Forall (fun w => 0 < w) ws -> ws <> [] -> proper b (length ws) r ->
  length (step s ws r) = length ws /\ Forall (fun w => 0 < w) (step s ws r) /\ step s ws r <> []
  /\ sum (step s ws r) <= sum ws * (1 - (1 - b) * (dot ws (map fst r) / sum ws))
  /\ 0 <= dot ws (map fst r) / sum ws <= 1.
Proof.
  intros b s ws r S W NE P. destruct (times_sound b ws r W P) as [A [B [C [D _]]]].
  assert (N : times ws (map snd r) <> []) by (intros X; rewrite X in A; destruct ws; [congruence | discriminate]).
  destruct (share_sound s _ S B N) as [E [F [G _]]]. pose proof (sum_positive ws W NE) as T.
  unfold step. split; [congruence|]. split; [exact F|]. split; [|split].
  - intros X. rewrite X in E. destruct (times ws (map snd r)); [congruence | discriminate].
  - rewrite G. setoid_replace (sum ws * (1 - (1 - b) * (dot ws (map fst r) / sum ws)))
      with (sum ws - (1 - b) * dot ws (map fst r)) by (field; lra). exact C.
  - split; [apply Qle_shift_div_l | apply Qle_shift_div_r]; lra.
Qed.

Definition lowered (b : Q) (l : list Q) : list Q := map (fun x => 1 - (1 - b) * x) l.

Lemma weights_fall : forall b s rounds ws, 0 < b -> 0 <= s < 1 ->
  Forall (fun w => 0 < w) ws -> ws <> [] -> Forall (proper b (length ws)) rounds ->
  sum (final s ws rounds) <= sum ws * product (lowered b (hedge_losses s ws rounds))
  /\ Forall (fun x => 0 < x) (lowered b (hedge_losses s ws rounds))
  /\ Forall (fun x => 0 <= x <= 1) (hedge_losses s ws rounds).
Proof.
  induction rounds as [|r rest IH]; intros ws B S W NE P; cbn [final hedge_losses lowered map product].
  - repeat split; try constructor. lra.
  - pose proof (Forall_inv P) as P1. pose proof (Forall_inv_tail P) as P2.
    destruct (step_sound b s ws r S W NE P1) as [A [F [N [C D]]]].
    rewrite <- A in P2. destruct (IH (step s ws r) B S F N P2) as [X [Y Z]].
    pose proof (sum_positive ws W NE) as T. pose proof (sum_positive _ F N) as T2.
    set (h := dot ws (map fst r) / sum ws) in *.
    assert (H : 0 < 1 - (1 - b) * h) by (apply Qmult_lt_l with (sum ws); [exact T | lra]).
    fold (lowered b (hedge_losses s (step s ws r) rest)). set (l := lowered b _) in *.
    assert (PL : 0 <= product l).
    { clear - Y. induction Y as [|x l X Y IH]; cbn [product]; [lra | apply Qmult_le_0_compat; lra]. }
    split; [|split; constructor; assumption].
    assert (0 <= (sum ws * (1 - (1 - b) * h) - sum (step s ws r)) * product l) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Lemma one_of_sum : forall ws e, Forall (fun w => 0 < w) ws -> (e < length ws)%nat -> nth e ws 0 <= sum ws.
Proof.
  induction ws as [|w ws IH]; intros e W E; [simpl in E; lia|]. inversion W; subst. cbn [sum].
  pose proof (sum_not_negative ws H2). destruct e as [|e]; cbn [nth]; [lra|]. specialize (IH e H2 ltac:(simpl in E; lia)). lra.
Qed.

(** The weight of the expert that a path has come to is at least what is left over. *)
Lemma path_stays : forall b s rounds path ws v, 0 <= s < 1 -> Forall (fun w => 0 < w) ws -> ws <> [] ->
  Forall (proper b (length ws)) rounds -> length path = length rounds -> rounds <> [] ->
  Forall (fun e => (e < length ws)%nat) path -> 0 <= v -> (forall e, hd_error path = Some e -> v <= nth e ws 0) ->
  left_over s (length ws) v path rounds <= sum (final s ws rounds).
Proof.
  induction rounds as [|r rest IH]; intros path ws v S W NE P L R E V H; [congruence|].
  destruct path as [|e path]; [discriminate|]. pose proof (Forall_inv P) as P1. pose proof (Forall_inv_tail P) as P2.
  pose proof (Forall_inv E) as E1. cbv beta in E1. pose proof (Forall_inv_tail E) as E2.
  destruct (times_sound b ws r W P1) as [A [B [_ [_ D]]]]. specialize (D e E1). specialize (H e eq_refl).
  assert (N : times ws (map snd r) <> []) by (intros X; rewrite X in A; destruct ws; [congruence | discriminate]).
  destruct (share_sound s _ S B N) as [AS [FS [GS HS]]]. destruct (step_sound b s ws r S W NE P1) as [SA [SF [SN _]]].
  assert (F : 0 < snd (nth e r (0, 0))).
  { destruct P1 as [P0 P1]. rewrite Forall_forall in P1. assert (I : In (nth e r (0, 0)) r) by (apply nth_In; lia).
    apply P1 in I. lra. }
  set (f := snd (nth e r (0, 0))) in *. set (kept := v * f).
  assert (K : 0 <= kept <= nth e (times ws (map snd r)) 0).
  { unfold kept. rewrite D. split; [apply Qmult_le_0_compat; lra|]. apply Qmult_le_compat_r; lra. }
  cbn [left_over final]. fold f. fold kept. destruct path as [|next path].
  - destruct rest as [|r2 rest]; [|discriminate]. cbn [final]. unfold step. rewrite GS.
    pose proof (one_of_sum _ e B ltac:(lia)). lra.
  - destruct rest as [|r2 rest]; [discriminate|]. set (rest' := r2 :: rest) in *.
    rewrite <- SA in P2, E2. rewrite <- SA at 2.
    set (v' := (if Nat.eqb next e then 1 - s else s / number (length ws)) * kept).
    assert (NN : 0 < number (length ws)) by (apply number_positive; lia).
    assert (Q : 0 <= s / number (length ws)) by (apply Qle_shift_div_l; lra).
    pose proof (IH (next :: path) (step s ws r) v' S SF SN P2 ltac:(simpl in L |- *; lia) ltac:(discriminate) E2) as G.
    rewrite SA in G |- *. apply G.
    + unfold v'. destruct (Nat.eqb next e); apply Qmult_le_0_compat; lra.
    + intros e' He. injection He as <-. pose proof (Forall_inv E2) as En. cbv beta in En. rewrite SA in En.
      destruct (HS next ltac:(lia)) as [H1 H2]. fold (step s ws r) in H1, H2. rewrite A in H2.
      pose proof (one_of_sum _ e B ltac:(lia)) as O. unfold v'. destruct (Nat.eqb next e) eqn:Q1.
      * apply Nat.eqb_eq in Q1. subst next.
        assert (0 <= (1 - s) * (nth e (times ws (map snd r)) 0 - kept)) by (apply Qmult_le_0_compat; lra). lra.
      * assert (0 <= s / number (length ws) * (sum (times ws (map snd r)) - kept)) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Lemma sum_of_lowered : forall b l, sum (lowered b l) == number (length l) - (1 - b) * sum l.
Proof. exact sum_of_factors. Qed.

Lemma length_of_losses : forall s rounds ws, length (hedge_losses s ws rounds) = length rounds.
Proof. induction rounds as [|r rest IH]; intros; cbn [hedge_losses length]; [reflexivity | rewrite IH; reflexivity]. Qed.

(** THEOREM (any factors that are small enough, any path). *)
Theorem hedge_bound : forall b s n path rounds,
  0 < b -> 0 <= s < 1 -> (0 < n)%nat -> Forall (proper b n) rounds -> rounds <> [] ->
  length path = length rounds -> Forall (fun e => (e < n)%nat) path ->
  let lost := sum (hedge_losses s (repeat 1 n) rounds) in
  left_over s n 1 path rounds <= number n * pow (1 - (1 - b) * lost / number (length rounds)) (length rounds)
  /\ 0 <= 1 - (1 - b) * lost / number (length rounds) /\ lost <= number (length rounds).
Proof.
  intros b s n path rounds B S N P R L E lost.
  assert (W : Forall (fun w => 0 < w) (repeat 1 n)).
  { apply Forall_forall. intros x X. apply repeat_spec in X. subst x. lra. }
  assert (LN : length (repeat 1 n) = n) by apply repeat_length.
  assert (NE : repeat 1 n <> []) by (destruct n; [lia | discriminate]).
  rewrite <- LN in P, E. destruct (weights_fall b s rounds (repeat 1 n) B S W NE P) as [A [F I]].
  assert (H : forall e, hd_error path = Some e -> 1 <= nth e (repeat 1 n) 0).
  { intros e He. destruct path as [|p path]; [discriminate|]. injection He as <-. pose proof (Forall_inv E) as E1. cbv beta in E1.
    assert (ONE : nth p (repeat 1 n) 0 = 1) by (apply (repeat_spec n 1), nth_In, E1). rewrite ONE. lra. }
  pose proof (path_stays b s rounds path (repeat 1 n) 1 S W NE P L R E ltac:(lra) H) as G. rewrite LN in G.
  set (losses := hedge_losses s (repeat 1 n) rounds) in *.
  assert (K : length losses = length rounds) by apply length_of_losses.
  assert (LL : length (lowered b losses) = length rounds) by (unfold lowered; rewrite map_length; exact K).
  pose proof (product_by_mean _ F) as Q. rewrite LL in Q.
  assert (T : 0 < number (length rounds)) by (apply number_positive; destruct rounds; [congruence | simpl; lia]).
  assert (M : mean (lowered b losses) == 1 - (1 - b) * lost / number (length rounds)).
  { unfold mean. rewrite LL, sum_of_lowered, K. fold lost. field. lra. }
  rewrite (pow_same _ _ _ M) in Q. rewrite sum_of_ones in A. pose proof (number_not_negative n) as NN.
  split; [|split].
  - eapply Qle_trans; [exact G|]. eapply Qle_trans; [exact A|]. rewrite !(Qmult_comm (number n)). apply Qmult_le_compat_r; assumption.
  - rewrite <- M. unfold mean. rewrite LL. apply Qle_shift_div_l; [exact T|]. rewrite Qmult_0_l. apply sum_not_negative, F.
  - unfold lost. fold losses. rewrite <- K. clear - I. induction I as [|x l X I IH]; cbn [sum length]; [change (number 0) with 0; lra|].
    rewrite number_next. lra.
Qed.

(** ** The check *)

Definition below (a b : Q) : bool := negb (Qle_bool b a).
Definition is_proper (b : Q) (n : nat) (r : round) : bool :=
  Nat.eqb (length r) n
  && forallb (fun x => Qle_bool 0 (fst x) && Qle_bool (fst x) 1 && below 0 (snd x) && Qle_bool (snd x) (1 - (1 - b) * fst x)) r.
Definition check_hedge (b s : Q) (n : nat) (path : list nat) (rounds : list round) (bound : Q) : bool :=
  let base := 1 - (1 - b) * bound / number (length rounds) in
  below 0 b && Qle_bool b 1 && Qle_bool 0 s && below s 1 && Nat.ltb 0 n && negb (Nat.eqb (length rounds) 0)
  && Nat.eqb (length path) (length rounds) && forallb (fun e => Nat.ltb e n) path && forallb (is_proper b n) rounds
  && (below (number (length rounds)) bound
      || below (number n * pow base (length rounds)) (left_over s n 1 path rounds)).

Lemma below_less : forall a b, below a b = true -> a < b.
Proof. intros a b H. apply Qnot_le_lt. intros C. apply Qle_bool_iff in C. unfold below in H. rewrite C in H. discriminate. Qed.

(** THEOREM. If the check accepts, the loss is below the bound. *)
Theorem checked_hedge_keeps_its_bound : forall b s n path rounds bound,
  check_hedge b s n path rounds bound = true -> sum (hedge_losses s (repeat 1 n) rounds) < bound.
Proof.
  intros b s n path rounds bound H. unfold check_hedge in H.
  apply andb_prop in H as [H X]. apply andb_prop in H as [H P]. apply andb_prop in H as [H E]. apply andb_prop in H as [H L].
  apply andb_prop in H as [H R]. apply andb_prop in H as [H N]. apply andb_prop in H as [H S1]. apply andb_prop in H as [H S0].
  apply andb_prop in H as [B B1]. apply below_less in B, S1. apply Qle_bool_iff in B1, S0. apply Nat.ltb_lt in N.
  apply Nat.eqb_eq in L. apply Bool.negb_true_iff, Nat.eqb_neq in R.
  assert (NE : rounds <> []) by (destruct rounds; [simpl in R; congruence | discriminate]).
  assert (PP : Forall (proper b n) rounds).
  { apply Forall_forall. intros r I. rewrite forallb_forall in P. specialize (P r I). unfold is_proper in P.
    apply andb_prop in P as [P0 P1]. apply Nat.eqb_eq in P0. split; [exact P0|]. apply Forall_forall. intros x J.
    rewrite forallb_forall in P1. specialize (P1 x J). apply andb_prop in P1 as [P1 Q4]. apply andb_prop in P1 as [P1 Q3].
    apply andb_prop in P1 as [Q1 Q2]. apply Qle_bool_iff in Q1, Q2, Q4. apply below_less in Q3. lra. }
  assert (EE : Forall (fun e => (e < n)%nat) path).
  { apply Forall_forall. intros e I. rewrite forallb_forall in E. apply Nat.ltb_lt, E, I. }
  destruct (hedge_bound b s n path rounds B (conj S0 S1) N PP NE L EE) as [G [LOW MOST]]. cbv zeta in *.
  set (lost := sum (hedge_losses s (repeat 1 n) rounds)) in *.
  apply orb_prop in X as [X|X]; apply below_less in X; [lra|].
  apply Qnot_le_lt. intros C.
  assert (T : 0 < number (length rounds)) by (apply number_positive; lia).
  assert (LESS : 1 - (1 - b) * lost / number (length rounds) <= 1 - (1 - b) * bound / number (length rounds)).
  { assert ((1 - b) * bound / number (length rounds) <= (1 - b) * lost / number (length rounds)); [|lra].
    unfold Qdiv. apply Qmult_le_compat_r; [|apply Qlt_le_weak, Qinv_lt_0_compat; exact T].
    assert (0 <= (1 - b) * (lost - bound)) by (apply Qmult_le_0_compat; lra). lra. }
  pose proof (pow_monotone _ _ (length rounds) (conj LOW LESS)) as PM.
  assert (0 <= number n * (pow (1 - (1 - b) * bound / number (length rounds)) (length rounds)
    - pow (1 - (1 - b) * lost / number (length rounds)) (length rounds))).
  { apply Qmult_le_0_compat; [apply number_not_negative | lra]. }
  lra.
Qed.

(** ** Sleep: an expert that loses the mean of those awake leaves the mean as it is *)

Definition fill (h : Q) (said : list (option Q)) : list Q := map (fun l => match l with Some l => l | None => h end) said.
Fixpoint awake (ws : list Q) (said : list (option Q)) : Q * Q :=  (* the weight of those awake, and their losses by weight *)
  match ws, said with
  | w :: ws, l :: said => let (a, d) := awake ws said in match l with Some l => (w + a, w * l + d) | None => (a, d) end
  | _, _ => (0, 0)
  end.

Theorem sleep_leaves_the_mean : forall ws said h, length said = length ws -> snd (awake ws said) == h * fst (awake ws said) ->
  dot ws (fill h said) == h * sum ws.
Proof.
  intros ws said h L H.
  assert (X : dot ws (fill h said) == snd (awake ws said) + h * (sum ws - fst (awake ws said))).
  { clear H. revert said L. induction ws as [|w ws IH]; intros [|l said] L; try discriminate; [cbn; ring|].
    unfold fill in *. cbn [map dot sum awake]. rewrite (IH said) by (simpl in L; lia). destruct (awake ws said) as [a d].
    destruct l; cbn [fst snd]; ring. }
  rewrite X, H. ring.
Qed.

(** ** Hedge itself, where losses are whole numbers of 1/k and b = c^k: then b^(p/k) = c^p *)

Lemma power_falls_slowly : forall c p, 0 < c <= 1 -> number p * (pow c p * (1 - c)) <= 1 - pow c p /\ 0 < pow c p <= 1.
Proof.
  induction p as [|p IH]; intros C; cbn [pow]; [change (number 0) with 0; lra|]. specialize (IH C). destruct IH as [IH P].
  rewrite number_next. pose proof (number_not_negative p) as N. set (x := pow c p) in *.
  assert (0 <= x * (1 - c)) by (apply Qmult_le_0_compat; lra).
  assert (0 < c * x) by (apply Qmult_lt_0_compat; lra).
  assert (0 <= (number p + 1) * (x * (1 - c)) * (1 - c)) by (repeat apply Qmult_le_0_compat; lra).
  split; [|split]; lra.
Qed.

Lemma power_of_more : forall c p k, 0 < c <= 1 -> (p <= k)%nat -> pow c k <= pow c p.
Proof.
  intros c p k C L. induction L as [|k L IH]; [lra|]. cbn [pow]. destruct (power_falls_slowly c k C) as [_ P].
  assert (0 <= (1 - c) * pow c k) by (apply Qmult_le_0_compat; lra). lra.
Qed.

(** The chord lies above: c^p <= 1 - (1 - c^k) p / k. *)
Theorem power_below_chord : forall c p k, 0 < c <= 1 -> (p <= k)%nat -> (0 < k)%nat ->
  pow c p <= 1 - (1 - pow c k) * (number p / number k).
Proof.
  intros c p k C L K.
  assert (M : number p * (1 - pow c k) <= number k * (1 - pow c p)).
  { induction L as [|k L IH]; [lra|]. destruct (Nat.eq_dec k 0) as [Z|Z].
    - subst k. replace p with O by lia. change (number 0) with 0. cbn [pow]. lra.
    - specialize (IH ltac:(lia)). cbn [pow]. rewrite number_next. destruct (power_falls_slowly c p C) as [F P].
      pose proof (power_of_more c p k C L) as O. pose proof (number_not_negative p).
      assert (0 <= number p * ((pow c p - pow c k) * (1 - c))) by (repeat apply Qmult_le_0_compat; lra). lra. }
  pose proof (number_positive k K) as N.
  assert (X : 0 <= (number k * (1 - pow c p) - number p * (1 - pow c k)) / number k) by (apply Qle_shift_div_l; lra).
  assert (Y : (number k * (1 - pow c p) - number p * (1 - pow c k)) / number k
    == 1 - pow c p - (1 - pow c k) * (number p / number k)) by (field; lra).
  lra.
Qed.

Definition of_wholes (c : Q) (k : nat) (r : list nat) : round := map (fun p => (number p / number k, pow c p)) r.
Fixpoint total_of (e : nat) (rounds : list (list nat)) : nat :=
  match rounds with [] => O | r :: rest => (nth e r O + total_of e rest)%nat end.

Lemma left_over_of_one : forall c k n e rounds v, Forall (fun r => length r = n) rounds -> (e < n)%nat ->
  left_over 0 n v (repeat e (length rounds)) (map (of_wholes c k) rounds) == v * pow c (total_of e rounds).
Proof.
  induction rounds as [|r rest IH]; intros v L E; cbn [length repeat map left_over total_of]; [cbn [pow]; ring|].
  pose proof (Forall_inv L) as L1. cbv beta in L1. pose proof (Forall_inv_tail L) as L2.
  assert (X : snd (nth e (of_wholes c k r) (0, 0)) = pow c (nth e r O)).
  { unfold of_wholes. rewrite (nth_indep _ (0, 0) (number 0 / number k, pow c 0)) by (rewrite map_length; lia).
    rewrite (map_nth (fun p => (number p / number k, pow c p))). reflexivity. }
  assert (ADD : forall a b, pow c (a + b) == pow c a * pow c b) by (induction a; intros; cbn [plus pow]; [ring | rewrite IHa; ring]).
  rewrite X. destruct rest as [|r2 rest]; cbn [length repeat]; [cbn [total_of]; rewrite Nat.add_0_r; reflexivity|].
  rewrite Nat.eqb_refl. specialize (IH ((1 - 0) * (v * pow c (nth e r O))) L2 E). cbn [length repeat] in IH.
  rewrite IH, ADD. ring.
Qed.

(** THEOREM. Hedge with b = c^k and losses of whole numbers p of 1/k, against any expert, whose losses add up to P / k:
    c^P <= n (1 - (1 - b) M / T)^T. *)
Theorem hedge_against_an_expert : forall c k n e rounds,
  0 < c <= 1 -> (0 < k)%nat -> (e < n)%nat -> rounds <> [] ->
  Forall (fun r => length r = n /\ Forall (fun p => (p <= k)%nat) r) rounds ->
  let lost := sum (hedge_losses 0 (repeat 1 n) (map (of_wholes c k) rounds)) in
  pow c (total_of e rounds) <= number n * pow (1 - (1 - pow c k) * lost / number (length rounds)) (length rounds).
Proof.
  intros c k n e rounds C K E R P lost.
  destruct (power_falls_slowly c k C) as [_ [B _]].
  assert (PP : Forall (proper (pow c k) n) (map (of_wholes c k) rounds)).
  { apply Forall_forall. intros r I. apply in_map_iff in I as [r0 [<- I]]. rewrite Forall_forall in P. destruct (P r0 I) as [L F].
    split; [unfold of_wholes; rewrite map_length; exact L|]. apply Forall_forall. intros x J. apply in_map_iff in J as [p [<- J]].
    rewrite Forall_forall in F. specialize (F p J). cbn [fst snd]. pose proof (number_positive k K) as N.
    pose proof (power_below_chord c p k C F K). destruct (power_falls_slowly c p C) as [_ [Q _]]. pose proof (number_not_negative p).
    repeat split; try assumption; [apply Qle_shift_div_l | apply Qle_shift_div_r]; try lra.
    rewrite Qmult_1_l. unfold number. rewrite <- Zle_Qle. lia. }
  assert (NE : map (of_wholes c k) rounds <> []) by (destruct rounds; [congruence | discriminate]).
  destruct (hedge_bound (pow c k) 0 n (repeat e (length rounds)) (map (of_wholes c k) rounds) B (conj (Qle_refl 0) eq_refl) ltac:(lia) PP NE
    ltac:(rewrite repeat_length, map_length; reflexivity)
    ltac:(apply Forall_forall; intros x X; apply repeat_spec in X; subst x; exact E)) as [G _].
  cbv zeta in G. rewrite map_length in G. fold lost in G.
  rewrite left_over_of_one in G; [lra | | exact E].
  apply Forall_forall. intros r I. rewrite Forall_forall in P. apply P, I.
Qed.
