(** * Mixtures of forecasts under log-loss: products of probabilities, compared as fractions

    Every expert gives the label that came a probability p. The league's own is q, the mean of theirs by weight; weights are
    then multiplied by p / q, and before the next round a part a of them is shared equally. Losses are logarithms, so the
    sum of losses is a product of probabilities and no logarithm is needed: with n experts and T rounds, sharing 1/t before
    round t, the product of any expert's is at most n T times the league's. Two levels cost n R T^2; no sharing costs n.

    Weights are kept times the product of all q so far: then a round multiplies them by p only, and q is the quotient of the
    sums after and before it. *)

Require Import ZArith QArith List Lia Psatz.
From Littlestone Require Import Randomized.
Import ListNotations.
Open Scope Q_scope.

Definition round := (Q * list Q)%type.  (* the part shared before it, and the probabilities that experts give its label *)

Definition share (a all n w : Q) : Q := (1 - a) * w + a * all / n.
Fixpoint reweigh (a all n : Q) (ws ps : list Q) : list Q :=
  match ws, ps with w :: ws, p :: ps => share a all n w * p :: reweigh a all n ws ps | _, _ => [] end.
Definition play_one (ws : list Q) (r : round) : list Q := reweigh (fst r) (sum ws) (number (length ws)) ws (snd r).

Fixpoint weights (ws : list Q) (rounds : list round) : list Q :=
  match rounds with [] => ws | r :: rest => weights (play_one ws r) rest end.

(** The probabilities that the league gives the labels. *)
Fixpoint mixed (ws : list Q) (rounds : list round) : list Q :=
  match rounds with [] => [] | r :: rest => sum (play_one ws r) / sum ws :: mixed (play_one ws r) rest end.

Fixpoint kept (rounds : list round) : Q := match rounds with [] => 1 | (a, _) :: rest => (1 - a) * kept rest end.
Definition of_expert (e : nat) (rounds : list round) : list Q := map (fun r => nth e (snd r) 0) rounds.

(** Parts below 1, and as many probabilities as experts, all positive. *)
Definition sound (n : nat) (r : round) : Prop :=
  0 <= fst r < 1 /\ length (snd r) = n /\ Forall (fun p => 0 < p) (snd r).

Lemma reweigh_sound : forall a all n ws ps,
  0 <= a < 1 -> 0 <= all -> 0 < n -> length ps = length ws -> Forall (fun p => 0 < p) ps -> Forall (fun w => 0 < w) ws ->
  Forall (fun w => 0 < w) (reweigh a all n ws ps) /\ length (reweigh a all n ws ps) = length ws
  /\ forall e, (e < length ws)%nat -> (1 - a) * nth e ws 0 * nth e ps 0 <= nth e (reweigh a all n ws ps) 0.
Proof.
  induction ws as [|w ws IH]; intros ps A S N L P W; destruct ps as [|p ps]; try discriminate; cbn [reweigh].
  - repeat split; [constructor|]. intros e E. inversion E.
  - inversion P; inversion W; subst. destruct (IH ps A S N ltac:(simpl in L; lia) H2 H6) as [F [E M]].
    assert (X : 0 <= a * all / n) by (apply Qle_shift_div_l; [exact N | rewrite Qmult_0_l; apply Qmult_le_0_compat; lra]).
    assert (Y : 0 < (1 - a) * w) by (apply Qmult_lt_0_compat; lra).
    repeat split.
    + constructor; [apply Qmult_lt_0_compat; [unfold share; lra | assumption] | exact F].
    + simpl. rewrite E. reflexivity.
    + intros [|e] K; cbn [nth]; [|apply M; simpl in K; lia].
      unfold share. assert (0 <= a * all / n * p) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Lemma one_of_sum : forall ws e, Forall (fun w => 0 < w) ws -> (e < length ws)%nat -> nth e ws 0 <= sum ws.
Proof.
  induction ws as [|w ws IH]; intros e W E; [simpl in E; lia|]. inversion W; subst. cbn [sum].
  pose proof (sum_not_negative ws H2). destruct e as [|e]; cbn [nth]; [lra|]. specialize (IH e H2 ltac:(simpl in E; lia)). lra.
Qed.

Lemma league_from : forall rounds ws e,
  Forall (fun w => 0 < w) ws -> (e < length ws)%nat -> Forall (sound (length ws)) rounds ->
  sum (weights ws rounds) == sum ws * product (mixed ws rounds)
  /\ nth e ws 0 * kept rounds * product (of_expert e rounds) <= sum (weights ws rounds).
Proof.
  induction rounds as [|[a ps] rest IH]; intros ws e W E S; cbn [weights mixed kept of_expert map product].
  - split; [ring|]. pose proof (one_of_sum ws e W E). lra.
  - inversion S; subst. destruct H1 as [A [L P]]. cbn [fst snd] in *.
    assert (NE : ws <> []) by (destruct ws; [simpl in E; lia | discriminate]).
    assert (T : 0 < sum ws) by (apply sum_positive; assumption).
    assert (N : 0 < number (length ws)).
    { destruct (length ws) as [|k]; [lia|]. rewrite number_next. pose proof (number_not_negative k). lra. }
    destruct (reweigh_sound a (sum ws) (number (length ws)) ws ps A ltac:(lra) N L P W) as [F [LL M]].
    unfold play_one in *. cbn [fst snd] in *. set (next := reweigh a (sum ws) (number (length ws)) ws ps) in *.
    rewrite <- LL in H2. destruct (IH next e F ltac:(rewrite LL; exact E) H2) as [Q B]. split.
    + rewrite Q. field. lra.
    + eapply Qle_trans; [|exact B]. fold (of_expert e rest). specialize (M e E).
      assert (K : 0 <= kept rest * product (of_expert e rest)).
      { apply Qmult_le_0_compat.
        - clear - H2. induction rest as [|[b q] rest IHr]; cbn [kept]; [lra|]. inversion H2; subst. destruct H1 as [[? ?] _].
          cbn [fst] in *. apply Qmult_le_0_compat; [lra | apply IHr; assumption].
        - clear - H2 E LL. induction rest as [|[b q] rest IHr]; cbn [of_expert map product]; [lra|]. inversion H2; subst.
          destruct H1 as [_ [K G]]. cbn [snd] in *. apply Qmult_le_0_compat; [|apply IHr; assumption].
          rewrite Forall_forall in G. apply Qlt_le_weak, G, nth_In. lia. }
      assert (0 <= (nth e next 0 - (1 - a) * nth e ws 0 * nth e ps 0) * (kept rest * product (of_expert e rest)))
        by (apply Qmult_le_0_compat; lra).
      lra.
Qed.

Definition start (n : nat) : list Q := repeat (1 / number n) n.

(** THEOREM (any forecasts, any parts shared). *)
Theorem league_bound : forall n rounds e, (e < n)%nat -> Forall (sound n) rounds ->
  kept rounds * product (of_expert e rounds) <= number n * product (mixed (start n) rounds).
Proof.
  intros n rounds e E S.
  assert (N : 0 < number n).
  { destruct n as [|k]; [lia|]. rewrite number_next. pose proof (number_not_negative k). lra. }
  assert (I : 0 < 1 / number n) by (apply Qlt_shift_div_l; lra).
  assert (W : Forall (fun w => 0 < w) (start n)).
  { apply Forall_forall. intros w H. apply repeat_spec in H. subst w. exact I. }
  assert (L : length (start n) = n) by apply repeat_length.
  destruct (league_from rounds (start n) e W ltac:(lia) ltac:(rewrite L; exact S)) as [Q B].
  assert (X : nth e (start n) 0 = 1 / number n) by (apply (repeat_spec n), nth_In; fold (start n); rewrite L; exact E).
  assert (T : forall x k, sum (repeat x k) == number k * x).
  { induction k; cbn [repeat sum]; [change (number 0) with 0; ring|]. rewrite IHk, number_next. ring. }
  assert (ONE : sum (start n) == 1) by (unfold start; rewrite T; field; lra).
  rewrite Q, ONE, X in B.
  assert (0 <= (1 * product (mixed (start n) rounds) - 1 / number n * kept rounds * product (of_expert e rounds)) * number n)
    by (apply Qmult_le_0_compat; lra).
  assert (E2 : 1 / number n * kept rounds * product (of_expert e rounds) * number n == kept rounds * product (of_expert e rounds))
    by (field; lra). lra.
Qed.

(** ** Nothing shared: Bayes, or the aggregating algorithm under log-loss *)

Definition unshared (forecasts : list (list Q)) : list round := map (fun ps => (0, ps)) forecasts.
Definition likelihood (e : nat) (forecasts : list (list Q)) : Q := product (map (fun ps => nth e ps 0) forecasts).
Definition positive_forecasts (n : nat) (forecasts : list (list Q)) : Prop :=
  Forall (fun ps => length ps = n /\ Forall (fun p => 0 < p) ps) forecasts.

Theorem aggregating_bound : forall n forecasts e, (e < n)%nat -> positive_forecasts n forecasts ->
  likelihood e forecasts <= number n * product (mixed (start n) (unshared forecasts)).
Proof.
  intros n forecasts e E P. unfold likelihood. pose proof (league_bound n (unshared forecasts) e E) as H.
  assert (S : Forall (sound n) (unshared forecasts)).
  { apply Forall_forall. intros r I. apply in_map_iff in I as [ps [<- I]]. unfold positive_forecasts in P.
    rewrite Forall_forall in P. destruct (P ps I). repeat split; cbn [fst snd]; auto; lra. }
  assert (K : kept (unshared forecasts) == 1).
  { clear. induction forecasts; cbn [unshared map kept]; [reflexivity|]. fold (unshared forecasts). rewrite IHforecasts. ring. }
  specialize (H S). rewrite K in H. unfold of_expert, unshared in *. rewrite map_map in H. cbn [snd] in H. lra.
Qed.

(** ** Sharing 1/t before round t, nothing before the first *)

Fixpoint numbered (t : nat) (forecasts : list (list Q)) : list round :=
  match forecasts with
  | [] => []
  | ps :: rest => ((match t with O => 0 | _ => 1 / number (S t) end), ps) :: numbered (S t) rest
  end.

Lemma numbered_sound : forall n forecasts t, positive_forecasts n forecasts -> Forall (sound n) (numbered t forecasts).
Proof.
  induction forecasts as [|ps rest IH]; intros t P; cbn [numbered]; [constructor|].
  inversion P; subst. destruct H1. constructor; [|apply IH; assumption]. repeat split; cbn [fst snd]; auto; destruct t; try lra.
  - apply Qle_shift_div_l; rewrite !number_next; pose proof (number_not_negative t); lra.
  - apply Qlt_shift_div_r; rewrite !number_next; pose proof (number_not_negative t); lra.
Qed.

Lemma kept_numbered : forall forecasts t, (0 < t)%nat ->
  kept (numbered t forecasts) * number (t + length forecasts) == number t.
Proof.
  induction forecasts as [|ps rest IH]; intros t T; cbn [numbered kept length]; [rewrite Nat.add_0_r; ring|].
  destruct t as [|t]; [lia|]. specialize (IH (S (S t)) ltac:(lia)).
  replace (S t + S (length rest))%nat with (S (S t) + length rest)%nat by lia.
  rewrite <- Qmult_assoc, IH. rewrite !number_next. pose proof (number_not_negative t). field. lra.
Qed.

Lemma numbered_experts : forall e forecasts t, product (of_expert e (numbered t forecasts)) == likelihood e forecasts.
Proof.
  unfold likelihood. induction forecasts as [|ps rest IH]; intros t; cbn [numbered of_expert map product snd]; [reflexivity|].
  specialize (IH (S t)). unfold of_expert in IH. rewrite IH. reflexivity.
Qed.

(** THEOREM. One level: the product of an expert's probabilities is at most n T times the league's. *)
Theorem one_level : forall n forecasts e, (e < n)%nat -> positive_forecasts n forecasts -> forecasts <> [] ->
  likelihood e forecasts <= number n * number (length forecasts) * product (mixed (start n) (numbered 0 forecasts)).
Proof.
  intros n forecasts e E P NE.
  pose proof (league_bound n (numbered 0 forecasts) e E (numbered_sound n forecasts 0 P)) as H.
  rewrite numbered_experts in H. destruct forecasts as [|ps rest]; [congruence|].
  pose proof (kept_numbered rest 1 ltac:(lia)) as K. cbn [numbered kept] in H.
  change (number 1) with 1 in K. cbn [length]. change (1 + length rest)%nat with (S (length rest)) in K.
  set (q := product _) in *. set (k := kept (numbered 1 rest)) in *. set (l := likelihood e (ps :: rest)) in *.
  pose proof (number_not_negative (S (length rest))) as T.
  assert (X : 0 <= (number n * q - (1 - 0) * k * l) * number (S (length rest))) by (apply Qmult_le_0_compat; lra).
  assert (Y : (1 - 0) * k * l * number (S (length rest)) == l).
  { setoid_replace ((1 - 0) * k * l * number (S (length rest))) with (k * number (S (length rest)) * l) by ring. rewrite K. ring. }
  lra.
Qed.

(** THEOREM. Two levels: R mixtures with rates of their own are mixed again, sharing 1/t; [levels] are the probabilities that
    they gave, and the k-th of them shared 1/t as well. Then the factor is n R T^2. *)
Theorem two_levels : forall n forecasts e levels many k,
  (e < n)%nat -> positive_forecasts n forecasts -> forecasts <> [] ->
  (k < many)%nat -> positive_forecasts many levels -> length levels = length forecasts ->
  map (fun ps => nth k ps 0) levels = mixed (start n) (numbered 0 forecasts) ->
  let T := number (length forecasts) in
  likelihood e forecasts <= number n * number many * (T * T) * product (mixed (start many) (numbered 0 levels)).
Proof.
  intros n forecasts e levels many k E P NE K PL LL M T.
  pose proof (one_level n forecasts e E P NE) as A.
  assert (NL : levels <> []) by (intros C; subst; destruct forecasts; [congruence | discriminate]).
  pose proof (one_level many levels k K PL NL) as B. unfold likelihood in B at 1. rewrite M, LL in B.
  fold T in A, B. set (q := product (mixed (start n) (numbered 0 forecasts))) in *.
  set (p := product (mixed (start many) (numbered 0 levels))) in *.
  assert (0 <= number n * T) by (apply Qmult_le_0_compat; apply number_not_negative).
  assert (0 <= number n * T * (number many * T * p - q)) by (apply Qmult_le_0_compat; lra). lra.
Qed.

(** ** Stretches: what an expert earned before does not matter, since a part is shared before every round *)

Lemma weights_sound : forall n rounds ws, length ws = n -> Forall (fun w => 0 < w) ws -> ws <> [] -> Forall (sound n) rounds ->
  length (weights ws rounds) = n /\ Forall (fun w => 0 < w) (weights ws rounds).
Proof.
  induction rounds as [|[a ps] rest IH]; intros ws L W NE S; cbn [weights]; [auto|].
  inversion S; subst. destruct H1 as [A [K P]]. cbn [fst snd] in *.
  pose proof (sum_positive ws W NE) as T.
  assert (N : 0 < number (length ws)).
  { destruct ws as [|w ws]; [congruence|]. cbn [length]. rewrite number_next. pose proof (number_not_negative (length ws)). lra. }
  destruct (reweigh_sound a (sum ws) (number (length ws)) ws ps A ltac:(lra) N K P W) as [F [LL _]].
  apply IH; try assumption. intros C. unfold play_one in C. cbn [fst snd] in C. rewrite C in LL.
  destruct ws; [congruence | discriminate].
Qed.

Lemma shared_weight : forall a all n ws ps e, 0 < n -> 0 <= all -> 0 <= a < 1 -> length ps = length ws ->
  Forall (fun p => 0 < p) ps -> Forall (fun w => 0 < w) ws -> (e < length ws)%nat ->
  a * all / n * nth e ps 0 <= nth e (reweigh a all n ws ps) 0.
Proof.
  induction ws as [|w ws IH]; intros ps e N S A L P W E; [simpl in E; lia|].
  destruct ps as [|p ps]; [discriminate|]. inversion P; inversion W; subst. cbn [reweigh].
  destruct e as [|e]; cbn [nth]; [|apply IH; auto; simpl in L, E; lia].
  unfold share. assert (0 <= (1 - a) * w * p) by (apply Qmult_le_0_compat; [apply Qmult_le_0_compat|]; lra). lra.
Qed.

(** THEOREM. One level, on every stretch: [before] came before it, and T counts all rounds up to its end. *)
Theorem one_level_on_a_stretch : forall n before during e,
  (e < n)%nat -> positive_forecasts n before -> positive_forecasts n during -> during <> [] ->
  likelihood e during <= number n * number (length before + length during)
    * product (mixed (weights (start n) (numbered 0 before)) (numbered (length before) during)).
Proof.
  intros n before during e E PB PD NE.
  destruct before as [|b before]; [apply one_level; assumption|].
  assert (N : 0 < number n).
  { destruct n as [|k]; [lia|]. rewrite number_next. pose proof (number_not_negative k). lra. }
  assert (I : 0 < 1 / number n) by (apply Qlt_shift_div_l; lra).
  assert (W : Forall (fun w => 0 < w) (start n)).
  { apply Forall_forall. intros w H. apply repeat_spec in H. subst w. exact I. }
  assert (L : length (start n) = n) by apply repeat_length.
  assert (NS : start n <> []) by (intros C; rewrite C in L; simpl in L; lia).
  destruct (weights_sound n (numbered 0 (b :: before)) (start n) L W NS (numbered_sound n _ 0 PB)) as [LW PW].
  set (ws := weights (start n) (numbered 0 (b :: before))) in *. set (t := length (b :: before)).
  assert (T : (0 < t)%nat) by (unfold t; simpl; lia).
  destruct during as [|ps rest]; [congruence|]. pose proof (Forall_inv PD) as [LP PP]. pose proof (Forall_inv_tail PD) as H2.
  pose proof (numbered_sound (length ws) (ps :: rest) t ltac:(rewrite LW; exact PD)) as SD.
  destruct t as [|t']; [lia|]. cbn [numbered] in SD |- *. pose proof (Forall_inv SD) as [A _]. cbn [fst] in A.
  set (a := 1 / number (S (S t'))) in *.
  assert (NW : ws <> []) by (intros C; rewrite C in LW; simpl in LW; lia).
  pose proof (sum_positive ws PW NW) as SW.
  cbn [mixed product length]. unfold play_one. cbn [fst snd]. rewrite LW.
  destruct (reweigh_sound a (sum ws) (number n) ws ps A ltac:(lra) N ltac:(lia) PP PW) as [F [LL _]].
  pose proof (shared_weight a (sum ws) (number n) ws ps e N ltac:(lra) A ltac:(lia) PP PW ltac:(lia)) as SH.
  set (next := reweigh a (sum ws) (number n) ws ps) in *.
  destruct (league_from (numbered (S (S t')) rest) next e F ltac:(lia)
    ltac:(rewrite LL, LW; apply numbered_sound; exact H2)) as [Q B].
  rewrite Q, numbered_experts in B.
  pose proof (kept_numbered rest (S (S t')) ltac:(lia)) as K.
  unfold likelihood in *. cbn [map product].
  set (k := kept (numbered (S (S t')) rest)) in *. set (l := product (map _ rest)) in *.
  set (q := product (mixed next _)) in *. set (p := nth e ps 0) in *.
  replace (S t' + S (length rest))%nat with (S (S t') + length rest)%nat by lia.
  set (m := number (S (S t') + length rest)) in *.
  assert (M : 0 <= m) by apply number_not_negative.
  assert (X : 0 < number (S (S t'))) by (rewrite !number_next; pose proof (number_not_negative t'); lra).
  assert (KL : 0 <= k * l).
  { apply Qmult_le_0_compat.
    - destruct (Qlt_le_dec k 0) as [C|C]; [|exact C]. assert (0 <= - k * m) by (apply Qmult_le_0_compat; lra). lra.
    - unfold l. clear - H2 E. induction rest as [|r rest IHr]; cbn [map product]; [lra|]. inversion H2; subst.
      destruct H1 as [J G]. apply Qmult_le_0_compat; [|apply IHr; assumption].
      rewrite Forall_forall in G. apply Qlt_le_weak, G, nth_In. lia. }
  assert (Y : 0 <= (nth e next 0 - a * sum ws / number n * p) * (k * l)) by (apply Qmult_le_0_compat; lra).
  assert (Z1 : a * sum ws / number n * p * (k * l) <= sum next * q) by lra.
  assert (Z2 : 0 <= (sum next * q - a * sum ws / number n * p * (k * l)) * (number n * m / sum ws)).
  { apply Qmult_le_0_compat; [lra|]. apply Qle_shift_div_l; [exact SW|]. rewrite Qmult_0_l. apply Qmult_le_0_compat; lra. }
  assert (Z3 : (sum next * q) * (number n * m / sum ws) == number n * m * (sum next / sum ws * q)) by (field; lra).
  assert (Z4 : a * sum ws / number n * p * (k * l) * (number n * m / sum ws) == a * (k * m) * (p * l)) by (field; lra).
  assert (Z5 : a * (k * m) * (p * l) == p * l) by (rewrite K; unfold a; field; lra).
  lra.
Qed.

(** THEOREM. Two levels, on every stretch. *)
Theorem two_levels_on_a_stretch : forall n before during e earlier levels many k,
  (e < n)%nat -> positive_forecasts n before -> positive_forecasts n during -> during <> [] ->
  (k < many)%nat -> positive_forecasts many earlier -> positive_forecasts many levels ->
  length earlier = length before -> length levels = length during ->
  map (fun ps => nth k ps 0) levels = mixed (weights (start n) (numbered 0 before)) (numbered (length before) during) ->
  let T := number (length before + length during) in
  likelihood e during <= number n * number many * (T * T)
    * product (mixed (weights (start many) (numbered 0 earlier)) (numbered (length earlier) levels)).
Proof.
  intros n before during e earlier levels many k E PB PD NE K PE PL LE LL M T.
  pose proof (one_level_on_a_stretch n before during e E PB PD NE) as A.
  assert (NL : levels <> []) by (intros C; subst; destruct during; [congruence | discriminate]).
  pose proof (one_level_on_a_stretch many earlier levels k K PE PL NL) as B.
  unfold likelihood in B at 1. rewrite M, LE, LL in B. rewrite LE. fold T in A, B.
  set (q := product (mixed (weights (start n) _) _)) in *. set (p := product (mixed (weights (start many) _) _)) in *.
  assert (0 <= number n * T) by (apply Qmult_le_0_compat; apply number_not_negative).
  assert (0 <= number n * T * (number many * T * p - q)) by (apply Qmult_le_0_compat; lra). lra.
Qed.
