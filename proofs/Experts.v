(** * Advice of experts: Weighted Majority and follow the leader

    In each round every expert votes for true or false, or sleeps. An expert is charged for a wrong vote, and for sleeping
    through a round that the learner got wrong. Weighted Majority multiplies the weight of a charged expert by the penalty
    p / q; here all weights are multiplied by q in every round, so that they stay whole numbers. *)

Require Import ZArith List Lia Bool.
Import ListNotations.
Open Scope Z_scope.

Definition vote := option bool.
Record expert := { weight : Z; charge : Z }.

Definition next_vote (votes : list vote) : vote := match votes with [] => None | v :: _ => v end.
Definition is_vote (answer : bool) (v : vote) : bool := match v with Some b => Bool.eqb b answer | None => false end.
Definition is_charged (truth wrong : bool) (v : vote) : bool := match v with Some b => negb (Bool.eqb b truth) | None => wrong end.

(** The weight of those who say so. *)
Fixpoint weight_of (answer : bool) (experts : list expert) (votes : list vote) : Z :=
  match experts with
  | [] => 0
  | e :: rest => (if is_vote answer (next_vote votes) then weight e else 0) + weight_of answer rest (tl votes)
  end.

Fixpoint total (experts : list expert) : Z := match experts with [] => 0 | e :: rest => weight e + total rest end.

(** The experts after a round; [wrong]: the learner's guess was. *)
Fixpoint charge_experts (p q : Z) (truth wrong : bool) (experts : list expert) (votes : list vote) : list expert :=
  match experts with
  | [] => []
  | e :: rest =>
      (if is_charged truth wrong (next_vote votes)
       then {| weight := p * weight e; charge := charge e + 1 |}
       else {| weight := q * weight e; charge := charge e |})
      :: charge_experts p q truth wrong rest (tl votes)
  end.

Definition beginners (n : nat) : list expert := repeat {| weight := 1; charge := 0 |} n.

(** A learner guesses from the experts and their votes. Its mistakes, and the experts at the end. *)
Fixpoint play_advice (guess : list expert -> list vote -> bool) (p q : Z) (experts : list expert)
    (rounds : list (list vote * bool)) (mistakes : Z) : Z * list expert :=
  match rounds with
  | [] => (mistakes, experts)
  | (votes, truth) :: rest =>
      let wrong := negb (Bool.eqb (guess experts votes) truth) in
      play_advice guess p q (charge_experts p q truth wrong experts votes) rest (mistakes + (if wrong then 1 else 0))
  end.

Definition majority (experts : list expert) (votes : list vote) : bool :=
  weight_of false experts votes <? weight_of true experts votes.

(** ** Weighted Majority *)

Definition weighty (e : expert) : Prop := 0 <= weight e.

Lemma charging_keeps_weighty : forall p q truth wrong experts votes,
  0 <= p -> 0 <= q -> Forall weighty experts -> Forall weighty (charge_experts p q truth wrong experts votes).
Proof.
  induction experts as [|e rest IH]; intros votes P Q H; simpl; [constructor|].
  inversion H; subst. constructor; [|apply IH; assumption].
  unfold weighty in *. destruct (is_charged _ _ _); simpl; nia.
Qed.

Lemma charging_shrinks : forall p q truth wrong experts votes,
  0 <= p <= q -> Forall weighty experts ->
  total (charge_experts p q truth wrong experts votes) <= q * total experts.
Proof.
  induction experts as [|e rest IH]; intros votes P H; simpl; [lia|].
  inversion H; subst. specialize (IH (tl votes) P H3). unfold weighty in *.
  destruct (is_charged _ _ _); simpl weight; nia.
Qed.

Lemma charging_after_mistake : forall p q truth experts votes,
  0 <= p <= q -> Forall weighty experts ->
  weight_of truth experts votes <= weight_of (negb truth) experts votes ->
  2 * total (charge_experts p q truth true experts votes) <= (p + q) * total experts.
Proof.
  intros p q truth experts votes P H L.
  assert (S : forall es vs, Forall weighty es ->
    2 * total (charge_experts p q truth true es vs)
      <= (p + q) * total es + (q - p) * (weight_of truth es vs - weight_of (negb truth) es vs)).
  { induction es as [|e rest IH]; intros vs F; cbn [charge_experts total weight_of]; [lia|].
    inversion F; subst. specialize (IH (tl vs) H3). unfold weighty in *.
    destruct (next_vote vs) as [[]|]; destruct truth;
      cbn [is_charged is_vote negb Bool.eqb weight]; cbn [negb] in IH; nia. }
  specialize (S experts votes H). nia.
Qed.

(** Each weight is (p / q)^charge, times q for each round. *)
Definition fair (p q rounds : Z) (e : expert) : Prop :=
  0 <= charge e /\ weight e * q ^ charge e = p ^ charge e * q ^ rounds.

Lemma charging_keeps_fair : forall p q t truth wrong experts votes,
  0 <= t -> Forall (fair p q t) experts -> Forall (fair p q (t + 1)) (charge_experts p q truth wrong experts votes).
Proof.
  induction experts as [|e rest IH]; intros votes T H; simpl; [constructor|].
  inversion H; subst. constructor; [|apply IH; assumption].
  destruct H2 as [C E]. unfold fair. rewrite (Z.pow_add_r q t 1), Z.pow_1_r by lia.
  destruct (is_charged _ _ _); simpl; (split; [lia|]).
  - rewrite !Z.pow_add_r, !Z.pow_1_r by lia.
    replace (p * weight e * (q ^ charge e * q)) with ((weight e * q ^ charge e) * (p * q)) by ring. rewrite E. ring.
  - replace (q * weight e * q ^ charge e) with ((weight e * q ^ charge e) * q) by ring. rewrite E. ring.
Qed.

Lemma majority_run : forall p q rounds experts t m m' experts',
  0 <= p <= q -> 0 <= t -> 0 <= m -> Forall weighty experts -> Forall (fair p q t) experts ->
  play_advice majority p q experts rounds m = (m', experts') ->
  0 <= m' /\ Forall weighty experts' /\ exists t', 0 <= t' /\ Forall (fair p q t') experts'
  /\ forall n, 0 <= n -> (2 * q) ^ m * total experts <= n * (p + q) ^ m * q ^ t ->
     (2 * q) ^ m' * total experts' <= n * (p + q) ^ m' * q ^ t'.
Proof.
  induction rounds as [|[votes truth] rest IH]; intros experts t m m' experts' P T M W F R; simpl in R.
  - injection R as <- <-. repeat split; try assumption. exists t. auto.
  - set (wrong := negb (Bool.eqb (majority experts votes) truth)) in *.
    assert (0 <= m + (if wrong then 1 else 0)) by (destruct wrong; lia).
    destruct (IH _ (t + 1) _ _ _ P ltac:(lia) H
                 (charging_keeps_weighty p q truth wrong experts votes ltac:(lia) ltac:(lia) W)
                 (charging_keeps_fair p q t truth wrong experts votes T F) R) as [A [B [t' [C [D G]]]]].
    split; [exact A|]. split; [exact B|]. exists t'. split; [exact C|]. split; [exact D|].
    intros n N I. apply G; [exact N|]. clear G IH R.
    assert (PM : 0 <= (2 * q) ^ m) by (apply Z.pow_nonneg; lia).
    assert (PN : 0 <= (p + q) ^ m) by (apply Z.pow_nonneg; lia).
    rewrite (Z.pow_add_r q t 1), Z.pow_1_r by lia.
    destruct wrong eqn:E.
    + rewrite !Z.pow_add_r, !Z.pow_1_r by lia.
      assert (L : weight_of truth experts votes <= weight_of (negb truth) experts votes).
      { subst wrong. unfold majority in E.
        destruct (Z.ltb_spec (weight_of false experts votes) (weight_of true experts votes)); destruct truth; simpl in *;
          try discriminate; lia. }
      pose proof (charging_after_mistake p q truth experts votes P W L) as S.
      set (after := total (charge_experts p q truth true experts votes)) in *.
      replace ((2 * q) ^ m * (2 * q) * after) with ((q * (2 * q) ^ m) * (2 * after)) by ring.
      apply Z.le_trans with ((q * (2 * q) ^ m) * ((p + q) * total experts)).
      { apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia | exact S]. }
      replace (q * (2 * q) ^ m * ((p + q) * total experts)) with ((q * (p + q)) * ((2 * q) ^ m * total experts)) by ring.
      apply Z.le_trans with ((q * (p + q)) * (n * (p + q) ^ m * q ^ t)).
      { apply Z.mul_le_mono_nonneg_l; [apply Z.mul_nonneg_nonneg; lia | exact I]. }
      apply Z.eq_le_incl. ring.
    + rewrite Z.add_0_r.
      pose proof (charging_shrinks p q truth false experts votes P W) as S.
      apply Z.le_trans with ((2 * q) ^ m * (q * total experts)).
      { apply Z.mul_le_mono_nonneg_l; [exact PM | exact S]. }
      replace ((2 * q) ^ m * (q * total experts)) with (q * ((2 * q) ^ m * total experts)) by ring.
      apply Z.le_trans with (q * (n * (p + q) ^ m * q ^ t)).
      { apply Z.mul_le_mono_nonneg_l; [lia | exact I]. }
      apply Z.eq_le_incl. ring.
Qed.

Lemma one_of_total : forall experts e, Forall weighty experts -> In e experts -> weight e <= total experts.
Proof.
  induction experts as [|d rest IH]; intros e W I; [destruct I|].
  inversion W; subst. unfold weighty in *. simpl.
  assert (0 <= total rest) by (clear - H2; induction rest; simpl; [lia|]; inversion H2; subst; unfold weighty in *;
    specialize (IHrest H3); lia).
  destruct I as [->|I]; [lia | specialize (IH e H2 I); lia].
Qed.

Lemma total_of_beginners : forall n, total (beginners n) = Z.of_nat n.
Proof. unfold beginners. induction n; [reflexivity|]. cbn [repeat total weight]. rewrite IHn. lia. Qed.

(** THEOREM. With N experts and penalty p / q, M mistakes and any expert charged L times: (2q / (p + q))^M (p / q)^L <= N. *)
Theorem majority_bound : forall p q n rounds m experts e,
  0 <= p < q -> play_advice majority p q (beginners n) rounds 0 = (m, experts) -> In e experts ->
  (2 * q) ^ m * p ^ charge e <= Z.of_nat n * (p + q) ^ m * q ^ charge e.
Proof.
  intros p q n rounds m experts e P R I.
  assert (W : Forall weighty (beginners n)) by (apply Forall_forall; intros x X; apply repeat_spec in X; subst x;
    unfold weighty; simpl; lia).
  assert (F : Forall (fair p q 0) (beginners n)) by (apply Forall_forall; intros x X; apply repeat_spec in X; subst x;
    split; simpl; [lia | reflexivity]).
  destruct (majority_run p q rounds (beginners n) 0 0 m experts ltac:(lia) ltac:(lia) ltac:(lia) W F R)
    as [M [W' [t [T [F' G]]]]].
  specialize (G (Z.of_nat n) ltac:(lia)). rewrite total_of_beginners, !Z.pow_0_r in G. specialize (G ltac:(lia)).
  pose proof (one_of_total experts e W' I) as O.
  rewrite Forall_forall in F'. destruct (F' e I) as [C E].
  assert (Q : 0 < q ^ t) by (apply Z.pow_pos_nonneg; lia).
  assert (QC : 0 < q ^ charge e) by (apply Z.pow_pos_nonneg; lia).
  assert (A : 0 <= (2 * q) ^ m) by (apply Z.pow_nonneg; lia).
  apply (Zmult_le_reg_r _ _ (q ^ t)); [lia|].
  replace ((2 * q) ^ m * p ^ charge e * q ^ t) with ((2 * q) ^ m * (p ^ charge e * q ^ t)) by ring. rewrite <- E.
  replace (Z.of_nat n * (p + q) ^ m * q ^ charge e * q ^ t)
    with (q ^ charge e * (Z.of_nat n * (p + q) ^ m * q ^ t)) by ring.
  replace ((2 * q) ^ m * (weight e * q ^ charge e)) with (q ^ charge e * ((2 * q) ^ m * weight e)) by ring.
  apply Z.mul_le_mono_nonneg_l; [lia|]. eapply Z.le_trans; [|exact G].
  apply Z.mul_le_mono_nonneg_l; [exact A | exact O].
Qed.

(** One more than the bound is impossible with an expert charged so often. *)
Definition check_majority (p q experts charged bound : Z) : bool :=
  (0 <=? p) && (p <? q) && (0 <=? bound)
  && (experts * (p + q) ^ (bound + 1) * q ^ charged <? (2 * q) ^ (bound + 1) * p ^ charged).

(** THEOREM. If the check accepts with what some expert was charged, Weighted Majority errs at most [bound] times. *)
Theorem checked_majority_keeps_its_bound : forall p q n rounds m experts e bound,
  play_advice majority p q (beginners n) rounds 0 = (m, experts) -> In e experts ->
  check_majority p q (Z.of_nat n) (charge e) bound = true -> m <= bound.
Proof.
  intros p q n rounds m experts e bound R I H. unfold check_majority in H.
  apply andb_prop in H as [H X]. apply andb_prop in H as [H B]. apply andb_prop in H as [P Q].
  apply Z.leb_le in P, B. apply Z.ltb_lt in Q, X.
  pose proof (majority_bound p q n rounds m experts e ltac:(lia) R I) as G.
  destruct (Z_lt_le_dec bound m) as [M|M]; [exfalso|exact M].
  set (k := m - (bound + 1)). assert (MK : m = (bound + 1) + k) by (unfold k; clear; lia). rewrite MK in G.
  assert (N : 0 <= k) by (unfold k; clear - M; lia). assert (S : 0 < p + q) by (clear - P Q; lia).
  assert (L : (p + q) ^ k <= (2 * q) ^ k) by (apply Z.pow_le_mono_l; clear - P Q; lia).
  assert (K : 0 < (p + q) ^ k) by (apply Z.pow_pos_nonneg; assumption).
  rewrite (Z.pow_add_r (2 * q) (bound + 1) k), (Z.pow_add_r (p + q) (bound + 1) k) in G by (clear - B N; lia).
  set (x := Z.of_nat n * (p + q) ^ (bound + 1) * q ^ charge e) in *.
  set (y := (2 * q) ^ (bound + 1) * p ^ charge e) in *.
  replace ((2 * q) ^ (bound + 1) * (2 * q) ^ k * p ^ charge e) with (y * (2 * q) ^ k) in G by (unfold y; ring).
  replace (Z.of_nat n * ((p + q) ^ (bound + 1) * (p + q) ^ k) * q ^ charge e) with (x * (p + q) ^ k) in G
    by (unfold x; ring).
  assert (XP : 0 <= x).
  { unfold x. apply Z.mul_nonneg_nonneg; [apply Z.mul_nonneg_nonneg; [apply Nat2Z.is_nonneg|]|]; apply Z.pow_nonneg;
    clear - P Q; lia. }
  assert (x * (p + q) ^ k <= x * (2 * q) ^ k) by (apply Z.mul_le_mono_nonneg_l; assumption).
  assert (x * (2 * q) ^ k < y * (2 * q) ^ k) by (apply Z.mul_lt_mono_pos_r; [apply Z.lt_le_trans with (1 := K), L | exact X]).
  apply (Z.lt_irrefl (x * (2 * q) ^ k)). apply Z.lt_le_trans with (1 := H0). apply Z.le_trans with (1 := G). exact H.
Qed.

(** ** Follow the leader: the first of the experts awake that were charged least *)

Fixpoint leader (experts : list expert) (votes : list vote) : option (Z * bool) :=
  match experts with
  | [] => None
  | e :: rest =>
      match next_vote votes, leader rest (tl votes) with
      | None, found => found
      | Some b, None => Some (charge e, b)
      | Some b, Some (c, d) => if c <? charge e then Some (c, d) else Some (charge e, b)
      end
  end.

Definition follow (experts : list expert) (votes : list vote) : bool :=
  match leader experts votes with Some (_, b) => b | None => false end.

(** What all experts were charged, nobody for more than [most]. *)
Fixpoint capped (most : Z) (experts : list expert) : Z :=
  match experts with [] => 0 | e :: rest => Z.min (charge e) most + capped most rest end.

Lemma capped_grows : forall most p q truth wrong experts votes,
  capped most experts <= capped most (charge_experts p q truth wrong experts votes).
Proof.
  induction experts as [|e rest IH]; intros votes; cbn [charge_experts capped]; [lia|].
  specialize (IH (tl votes)). destruct (is_charged _ _ _); cbn [charge]; lia.
Qed.

Lemma capped_grows_by_leader : forall most p q truth experts votes c b,
  leader experts votes = Some (c, b) -> b <> truth -> c < most ->
  capped most experts + 1 <= capped most (charge_experts p q truth true experts votes).
Proof.
  induction experts as [|e rest IH]; intros votes c b L N C; cbn [leader] in L; [discriminate|].
  cbn [charge_experts capped]. pose proof (capped_grows most p q truth true rest (tl votes)) as G.
  destruct (next_vote votes) as [d|] eqn:V.
  - destruct (leader rest (tl votes)) as [[c' b']|] eqn:R.
    + destruct (c' <? charge e).
      * injection L as -> ->. specialize (IH (tl votes) c b R N C).
        destruct (is_charged _ _ _); cbn [charge]; lia.
      * injection L as <- ->. cbn [is_charged]. destruct b, truth; try contradiction; cbn [Bool.eqb negb charge]; lia.
    + injection L as <- ->. cbn [is_charged]. destruct b, truth; try contradiction; cbn [Bool.eqb negb charge]; lia.
  - specialize (IH (tl votes) c b L N C). cbn [is_charged charge]. lia.
Qed.

Lemma leader_least : forall experts (votes : list vote) k e,
  nth_error experts k = Some e -> nth k votes None <> None ->
  exists c b, leader experts votes = Some (c, b) /\ c <= charge e.
Proof.
  induction experts as [|d rest IH]; intros votes k e K A; [destruct k; discriminate|].
  cbn [leader]. destruct k as [|k]; cbn [nth_error] in K.
  - injection K as ->. destruct votes as [|v votes]; cbn in A; [contradiction|]. cbn [next_vote tl].
    destruct v as [b|]; [|contradiction]. destruct (leader rest votes) as [[c b']|].
    + destruct (Z.ltb_spec c (charge e)); eexists; eexists; (split; [reflexivity | lia]).
    + eexists; eexists; (split; [reflexivity | lia]).
  - assert (A' : nth k (tl votes) None <> None) by (destruct votes as [|v votes]; [destruct k; exact A | exact A]).
    destruct (IH (tl votes) k e K A') as [c [b [L C]]]. rewrite L.
    destruct (next_vote votes); [|eexists; eexists; split; [reflexivity | exact C]].
    destruct (Z.ltb_spec c (charge d)); eexists; eexists; (split; [reflexivity | lia]).
Qed.

Lemma capped_grows_by_sleeper : forall most p q truth experts (votes : list vote) k e,
  nth_error experts k = Some e -> nth k votes None = None -> charge e < most ->
  capped most experts + 1 <= capped most (charge_experts p q truth true experts votes).
Proof.
  induction experts as [|d rest IH]; intros votes k e K A C; [destruct k; discriminate|].
  cbn [charge_experts capped]. pose proof (capped_grows most p q truth true rest (tl votes)) as G.
  destruct k as [|k]; cbn [nth_error] in K.
  - injection K as ->. assert (V : next_vote votes = None) by (destruct votes; [reflexivity | exact A]).
    rewrite V. cbn [is_charged charge]. lia.
  - assert (A' : nth k (tl votes) None = None) by (destruct votes as [|v votes]; [destruct k; reflexivity | exact A]).
    specialize (IH (tl votes) k e K A' C). destruct (is_charged _ _ _); cbn [charge]; lia.
Qed.

Lemma charging_by_place : forall p q truth wrong experts (votes : list vote) k e,
  nth_error experts k = Some e ->
  exists e', nth_error (charge_experts p q truth wrong experts votes) k = Some e'
    /\ charge e <= charge e' /\ (wrong = true -> nth k votes None = None -> charge e < charge e').
Proof.
  induction experts as [|d rest IH]; intros votes k e K; [destruct k; discriminate|].
  cbn [charge_experts]. destruct k as [|k]; cbn [nth_error] in *.
  - injection K as ->. eexists. split; [reflexivity|]. destruct (next_vote votes) as [b|] eqn:V.
    + split; [destruct (is_charged _ _ _); cbn [charge]; lia|].
      intros _ A. destruct votes; cbn in *; [discriminate|]. rewrite A in V. discriminate.
    + cbn [is_charged]. split; [destruct wrong; cbn [charge]; lia|]. intros -> _. cbn [charge]. lia.
  - destruct (IH (tl votes) k e K) as [e' [N [C D]]]. exists e'. split; [exact N|]. split; [exact C|].
    intros W A. apply D; [exact W|]. destruct votes as [|v votes]; [destruct k; reflexivity | exact A].
Qed.

Lemma leader_run : forall p q rounds experts m m' experts' k e e',
  play_advice follow p q experts rounds m = (m', experts') ->
  nth_error experts k = Some e -> nth_error experts' k = Some e' ->
  charge e <= charge e' /\ (m <= capped (charge e' + 1) experts -> m' <= capped (charge e' + 1) experts').
Proof.
  induction rounds as [|[votes truth] rest IH]; intros experts m m' experts' k e e' R K K'; cbn [play_advice] in R.
  - injection R as <- <-. rewrite K in K'. injection K' as <-. split; [lia | auto].
  - set (wrong := negb (Bool.eqb (follow experts votes) truth)) in *.
    destruct (charging_by_place p q truth wrong experts votes k e K) as [d [N [C D]]].
    destruct (IH _ _ _ _ k d e' R N K') as [C' G]. split; [lia|]. intros H. apply G. clear G IH R.
    pose proof (capped_grows (charge e' + 1) p q truth wrong experts votes) as B.
    destruct wrong eqn:W; [|lia].
    destruct (nth k votes None) as [v|] eqn:V.
    + destruct (leader_least experts votes k e K ltac:(rewrite V; discriminate)) as [c [b [L LC]]].
      assert (NB : b <> truth).
      { subst wrong. unfold follow in W. rewrite L in W. destruct b, truth; cbn in W; congruence. }
      pose proof (capped_grows_by_leader (charge e' + 1) p q truth experts votes c b L NB ltac:(lia)). lia.
    + pose proof (capped_grows_by_sleeper (charge e' + 1) p q truth experts votes k e K V ltac:(lia)). lia.
Qed.

Lemma capped_at_most : forall most experts k e, 0 <= most -> nth_error experts k = Some e -> charge e < most ->
  capped most experts <= most * (Z.of_nat (length experts) - 1) + charge e.
Proof.
  intros most. induction experts as [|d rest IH]; intros k e M K C; [destruct k; discriminate|].
  cbn [capped]. replace (Z.of_nat (length (d :: rest))) with (Z.of_nat (length rest) + 1) by (cbn [length]; lia).
  assert (A : capped most rest <= most * Z.of_nat (length rest)).
  { clear - M. induction rest as [|f rest IH]; cbn [capped]; [cbn; lia|].
    replace (Z.of_nat (length (f :: rest))) with (Z.of_nat (length rest) + 1) by (cbn [length]; lia). lia. }
  destruct k as [|k]; cbn [nth_error] in K.
  - injection K as ->. lia.
  - specialize (IH k e M K C). lia.
Qed.

Lemma play_keeps_length : forall guess p q rounds experts m m' experts',
  play_advice guess p q experts rounds m = (m', experts') -> length experts' = length experts.
Proof.
  induction rounds as [|[votes truth] rest IH]; intros experts m m' experts' R; cbn [play_advice] in R.
  - injection R as _ <-. reflexivity.
  - rewrite (IH _ _ _ _ R). clear. set (wrong := negb _). clearbody wrong.
    revert votes. induction experts as [|e es IHe]; intros votes; cbn; [reflexivity | rewrite IHe; reflexivity].
Qed.

(** THEOREM. If some expert was charged L times, following the leader among N makes at most N L + N - 1 mistakes. *)
Theorem leader_bound : forall p q n rounds m experts e,
  play_advice follow p q (beginners n) rounds 0 = (m, experts) -> In e experts ->
  m <= Z.of_nat n * charge e + Z.of_nat n - 1.
Proof.
  intros p q n rounds m experts e R I. apply In_nth_error in I as [k K].
  pose proof (play_keeps_length _ _ _ _ _ _ _ _ R) as L. unfold beginners in L at 1. rewrite repeat_length in L.
  assert (S : exists d, nth_error (beginners n) k = Some d).
  { destruct (nth_error (beginners n) k) eqn:E; [eexists; reflexivity|]. apply nth_error_None in E.
    assert (nth_error experts k <> None) by congruence. apply nth_error_Some in H.
    unfold beginners in E. rewrite repeat_length in E. lia. }
  destruct S as [d D]. destruct (leader_run p q rounds (beginners n) 0 m experts k d e R D K) as [C G].
  assert (Z0 : charge d = 0) by (apply nth_error_In, repeat_spec in D; subst d; reflexivity).
  assert (P : 0 <= capped (charge e + 1) (beginners n)).
  { assert (0 <= charge e + 1) by lia. clear - H. unfold beginners. induction n; cbn [repeat capped charge]; lia. }
  specialize (G P). pose proof (capped_at_most (charge e + 1) experts k e ltac:(lia) K ltac:(lia)) as B.
  rewrite L in B. lia.
Qed.

Definition check_leader (experts charged bound : Z) : bool := experts * charged + experts - 1 <=? bound.

Theorem checked_leader_keeps_its_bound : forall p q n rounds m experts e bound,
  play_advice follow p q (beginners n) rounds 0 = (m, experts) -> In e experts ->
  check_leader (Z.of_nat n) (charge e) bound = true -> m <= bound.
Proof.
  intros p q n rounds m experts e bound R I H. apply Z.leb_le in H.
  pose proof (leader_bound p q n rounds m experts e R I). lia.
Qed.
