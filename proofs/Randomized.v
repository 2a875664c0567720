(** * Randomized Weighted Majority, without logarithms

    An expert is drawn by weight; the chance of a mistake is the share of the weight that is wrong. Every round multiplies the
    sum of weights by 1 - (1 - b) chance, b being the penalty, and the mean of these factors is at least their geometric
    mean. So with T rounds, N experts, expected mistakes M and any expert that erred L times: b^L <= N (1 - (1 - b) M / T)^T.
    Since (1 - x / T)^T <= e^-x this gives all that M <= (L ln(1 / b) + ln N) / (1 - b) does, in fractions. *)

Require Import ZArith QArith List Lia Psatz.
Import ListNotations.
Open Scope Q_scope.

Fixpoint pow (x : Q) (n : nat) : Q := match n with O => 1 | S n => x * pow x n end.
Definition number (n : nat) : Q := inject_Z (Z.of_nat n).

Lemma number_next : forall n, number (S n) == number n + 1.
Proof. intros. unfold number. rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. reflexivity. Qed.

Lemma number_not_negative : forall n, 0 <= number n.
Proof. intros. unfold number. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia. Qed.

Lemma pow_not_negative : forall x n, 0 <= x -> 0 <= pow x n.
Proof. induction n; intros; simpl; [lra | apply Qmult_le_0_compat; auto]. Qed.

Lemma pow_same : forall x y n, x == y -> pow x n == pow y n.
Proof. induction n; intros H; simpl; [reflexivity | rewrite (IHn H), H; reflexivity]. Qed.

Lemma pow_of_product : forall x y n, pow (x * y) n == pow x n * pow y n.
Proof. induction n; simpl; [ring | rewrite IHn; ring]. Qed.

(** Bernoulli: (1 + x)^n >= 1 + n x. *)
Lemma bernoulli : forall x n, -1 <= x -> 1 + number n * x <= pow (1 + x) n.
Proof.
  induction n; intros H; [change (number 0) with 0; cbn [pow]; lra|]. cbn [pow]. rewrite number_next. specialize (IHn H).
  pose proof (number_not_negative n).
  assert (X : 0 <= x * x).
  { destruct (Qlt_le_dec x 0); [|apply Qmult_le_0_compat; assumption].
    setoid_replace (x * x) with (- x * - x) by ring. apply Qmult_le_0_compat; lra. }
  assert (0 <= number n * (x * x)) by (apply Qmult_le_0_compat; assumption).
  assert (0 <= (1 + x) * (pow (1 + x) n - (1 + number n * x))) by (apply Qmult_le_0_compat; lra). lra.
Qed.

Fixpoint sum (l : list Q) : Q := match l with [] => 0 | x :: rest => x + sum rest end.
Fixpoint product (l : list Q) : Q := match l with [] => 1 | x :: rest => x * product rest end.
Definition mean (l : list Q) : Q := sum l / number (length l).

(** One more number a beside n numbers of mean m: m^n a <= ((n m + a) / (n + 1))^(n + 1). *)
Lemma one_more_in_mean : forall n m a, 0 < m -> 0 <= a ->
  a * pow m n <= pow ((number n * m + a) / number (S n)) (S n).
Proof.
  intros n m a M A. assert (P : 0 < number (S n)) by (rewrite number_next; pose proof (number_not_negative n); lra).
  set (t := (a - m) / (number (S n) * m)).
  assert (E : (number n * m + a) / number (S n) == m * (1 + t)).
  { unfold t. rewrite number_next in *. field. split; lra. }
  assert (T : t * (number (S n) * m) == a - m) by (unfold t; field; split; lra).
  assert (PM : 0 < number (S n) * m) by (apply Qmult_lt_0_compat; assumption).
  assert (GE : -1 <= t).
  { apply Qmult_le_r with (number (S n) * m); [exact PM|]. rewrite T. rewrite number_next.
    pose proof (number_not_negative n). nra. }
  rewrite (pow_same _ _ _ E), pow_of_product. cbn [pow].
  pose proof (bernoulli t (S n) GE) as B. cbn [pow] in B.
  pose proof (pow_not_negative m n ltac:(lra)) as N.
  assert (MB : m * (1 + number (S n) * t) == a) by nra.
  assert (0 <= (m * pow m n) * ((1 + t) * pow (1 + t) n - (1 + number (S n) * t))).
  { apply Qmult_le_0_compat; [apply Qmult_le_0_compat; lra | lra]. }
  assert (m * pow m n * (1 + number (S n) * t) == a * pow m n) by (rewrite <- MB; ring).
  lra.
Qed.

Lemma sum_not_negative : forall l, Forall (fun x => 0 < x) l -> 0 <= sum l.
Proof. induction l; intros H; simpl; [lra|]. inversion H; subst. specialize (IHl H3). lra. Qed.

(** The geometric mean is at most the mean. *)
Theorem product_by_mean : forall l, Forall (fun x => 0 < x) l -> product l <= pow (mean l) (length l).
Proof.
  induction l as [|a l IH]; intros H; [simpl; lra|]. inversion H; subst. specialize (IH H3).
  cbn [product]. destruct l as [|c l].
  - unfold mean. cbn [product sum length pow]. unfold number. simpl. setoid_replace ((a + 0) / 1) with a by field. lra.
  - set (rest := c :: l) in *.
    assert (N : 0 < number (length rest)) by (unfold rest; cbn [length]; rewrite number_next;
      pose proof (number_not_negative (length l)); lra).
    assert (M : 0 < mean rest).
    { unfold mean. apply Qlt_shift_div_l; [exact N|]. rewrite Qmult_0_l. unfold rest in *. cbn [sum].
      inversion H3; subst. pose proof (sum_not_negative l H5). lra. }
    apply Qle_trans with (a * pow (mean rest) (length rest)).
    { rewrite !(Qmult_comm a). apply Qmult_le_compat_r; lra. }
    pose proof (one_more_in_mean (length rest) (mean rest) a M ltac:(lra)) as O.
    change (length (a :: rest)) with (S (length rest)).
    eapply Qle_trans; [exact O|]. apply Qle_lteq. right. apply pow_same. unfold mean at 2. cbn [sum].
    change (length (a :: rest)) with (S (length rest)).
    assert (E : number (length rest) * mean rest == sum rest) by (unfold mean; field; lra).
    rewrite E, (Qplus_comm (sum rest)). reflexivity.
Qed.

(** ** The learner *)

Fixpoint wrong_weight (ws : list Q) (wrong : list bool) : Q :=
  match ws, wrong with w :: ws, x :: wrong => (if x then w else 0) + wrong_weight ws wrong | _, _ => 0 end.
Fixpoint reweigh (b : Q) (ws : list Q) (wrong : list bool) : list Q :=
  match ws, wrong with w :: ws, x :: wrong => (if x then b * w else w) :: reweigh b ws wrong | _, _ => ws end.

(** The chance of a mistake in each round; [rounds] says who is wrong in it. *)
Fixpoint chances (b : Q) (ws : list Q) (rounds : list (list bool)) : list Q :=
  match rounds with
  | [] => []
  | wrong :: rest => wrong_weight ws wrong / sum ws :: chances b (reweigh b ws wrong) rest
  end.

Fixpoint after (b : Q) (ws : list Q) (rounds : list (list bool)) : list Q :=
  match rounds with [] => ws | wrong :: rest => after b (reweigh b ws wrong) rest end.

Definition factors (b : Q) (l : list Q) : list Q := map (fun x => 1 - (1 - b) * x) l.

Lemma sum_after_round : forall b ws wrong, sum (reweigh b ws wrong) == sum ws - (1 - b) * wrong_weight ws wrong.
Proof.
  induction ws as [|w ws IH]; intros wrong; [destruct wrong; simpl; ring|].
  destruct wrong as [|x wrong]; simpl; [ring|]. rewrite IH. destruct x; ring.
Qed.

Lemma weights_stay_positive : forall b ws wrong,
  0 < b -> Forall (fun x => 0 < x) ws -> Forall (fun x => 0 < x) (reweigh b ws wrong).
Proof.
  induction ws as [|w ws IH]; intros wrong B H; [destruct wrong; constructor|].
  inversion H; subst. destruct wrong as [|x wrong]; [exact H|]. simpl. constructor; [|apply IH; assumption].
  destruct x; [apply Qmult_lt_0_compat; assumption | assumption].
Qed.

Lemma sum_positive : forall ws, Forall (fun x => 0 < x) ws -> ws <> [] -> 0 < sum ws.
Proof.
  intros ws H N. destruct H as [|w ws W H]; [congruence|]. simpl. pose proof (sum_not_negative ws H). lra.
Qed.

Lemma reweigh_not_empty : forall b ws wrong, ws <> [] -> reweigh b ws wrong <> [].
Proof. intros b ws wrong N. destruct ws; [congruence|]. destruct wrong; simpl; congruence. Qed.

(** The sum of weights is that at the start times all factors, which are positive. *)
Theorem sum_is_product : forall b rounds ws, 0 < b -> Forall (fun x => 0 < x) ws -> ws <> [] ->
  sum (after b ws rounds) == sum ws * product (factors b (chances b ws rounds))
  /\ Forall (fun x => 0 < x) (factors b (chances b ws rounds)).
Proof.
  induction rounds as [|wrong rest IH]; intros ws B H N; cbn [after chances factors map product].
  - split; [ring | constructor].
  - pose proof (weights_stay_positive b ws wrong B H) as H'. pose proof (reweigh_not_empty b ws wrong N) as N'.
    destruct (IH (reweigh b ws wrong) B H' N') as [E F]. fold (factors b (chances b (reweigh b ws wrong) rest)).
    pose proof (sum_positive ws H N) as S. pose proof (sum_positive _ H' N') as S'. pose proof (sum_after_round b ws wrong) as R.
    assert (Q : sum ws * (1 - (1 - b) * (wrong_weight ws wrong / sum ws)) == sum (reweigh b ws wrong)).
    { rewrite R. field. lra. }
    split.
    + rewrite E, <- Q. ring.
    + constructor; [|exact F]. apply Qmult_lt_l with (sum ws); [exact S|]. rewrite Q, Qmult_0_r. exact S'.
Qed.

Lemma sum_of_factors : forall b l, sum (factors b l) == number (length l) - (1 - b) * sum l.
Proof.
  intros b. induction l as [|x l IH]; [unfold number; simpl; ring|].
  cbn [factors map sum length]. fold (factors b l). rewrite IH, number_next. ring.
Qed.

(** THEOREM. What is left of any weight bounds the expected mistakes: w <= W (1 - (1 - b) M / T)^T. *)
Theorem randomized_majority_bound : forall b rounds ws w,
  0 < b -> Forall (fun x => 0 < x) ws -> In w (after b ws rounds) -> ws <> [] -> rounds <> [] ->
  let expected := sum (chances b ws rounds) in
  w <= sum ws * pow (1 - (1 - b) * expected / number (length rounds)) (length rounds).
Proof.
  intros b rounds ws w B H I N R expected. destruct (sum_is_product b rounds ws B H N) as [E F].
  assert (A : Forall (fun x => 0 < x) (after b ws rounds)).
  { clear - B H. revert ws H. induction rounds; intros ws H; simpl; [exact H|]. apply IHrounds.
    apply weights_stay_positive; assumption. }
  assert (W : w <= sum (after b ws rounds)).
  { clear - A I. induction A as [|x l X A IH]; [destruct I|]. simpl. pose proof (sum_not_negative l A).
    destruct I as [->|I]; [lra | specialize (IH I); lra]. }
  assert (L : length (factors b (chances b ws rounds)) = length rounds).
  { unfold factors. rewrite map_length. clear. revert ws. induction rounds; intros ws; simpl; [reflexivity | rewrite IHrounds; reflexivity]. }
  pose proof (product_by_mean _ F) as P. rewrite L in P.
  assert (T : 0 < number (length rounds)).
  { destruct rounds; [congruence|]. cbn [length]. rewrite number_next. pose proof (number_not_negative (length rounds)). lra. }
  assert (M : mean (factors b (chances b ws rounds)) == 1 - (1 - b) * expected / number (length rounds)).
  { unfold mean. rewrite L, sum_of_factors. unfold factors in L. rewrite map_length in L. rewrite L. unfold expected. field. lra. }
  rewrite <- (pow_same _ _ _ M). pose proof (sum_positive ws H N) as S.
  eapply Qle_trans; [exact W|]. rewrite E. rewrite !(Qmult_comm (sum ws)). apply Qmult_le_compat_r; lra.
Qed.

(** ** The weight of an expert is b to its errors *)

Fixpoint errors (k : nat) (rounds : list (list bool)) : nat :=
  match rounds with [] => O | wrong :: rest => (if nth k wrong false then 1 else 0) + errors k rest end.

Lemma weight_after_round : forall b ws wrong k,
  nth k (reweigh b ws wrong) 0 == (if nth k wrong false then b else 1) * nth k ws 0.
Proof.
  induction ws as [|w ws IH]; intros wrong k.
  - destruct wrong, k; simpl; try destruct b0; try (destruct (nth k wrong false)); ring.
  - destruct wrong as [|x wrong]; [destruct k; simpl; ring|].
    destruct k as [|k]; cbn [reweigh nth]; [destruct x; ring | apply IH].
Qed.

Lemma weight_after : forall b rounds ws k, nth k (after b ws rounds) 0 == pow b (errors k rounds) * nth k ws 0.
Proof.
  induction rounds as [|wrong rest IH]; intros ws k; cbn [after errors]; [simpl; ring|].
  rewrite IH, weight_after_round. destruct (nth k wrong false); cbn [plus pow]; ring.
Qed.

Lemma length_after : forall b rounds ws, length (after b ws rounds) = length ws.
Proof.
  induction rounds as [|wrong rest IH]; intros ws; cbn [after]; [reflexivity|]. rewrite IH. clear.
  revert wrong. induction ws as [|w ws IH]; intros wrong; destruct wrong; simpl; auto.
Qed.

Lemma sum_of_ones : forall n, sum (repeat 1 n) == number n.
Proof. induction n; [reflexivity|]. cbn [repeat sum]. rewrite IHn, number_next. ring. Qed.

(** THEOREM. With n experts, one of which errs L times in T rounds, and M expected mistakes:
    b^L <= n (1 - (1 - b) M / T)^T. *)
Theorem randomized_majority_against_an_expert : forall b n k rounds,
  0 < b -> (k < n)%nat -> rounds <> [] ->
  let expected := sum (chances b (repeat 1 n) rounds) in
  pow b (errors k rounds) <= number n * pow (1 - (1 - b) * expected / number (length rounds)) (length rounds).
Proof.
  intros b n k rounds B K R expected.
  assert (P : Forall (fun x => 0 < x) (repeat 1 n)).
  { apply Forall_forall. intros x X. apply repeat_spec in X. subst x. lra. }
  assert (I : In (nth k (after b (repeat 1 n) rounds) 0) (after b (repeat 1 n) rounds)).
  { apply nth_In. rewrite length_after, repeat_length. exact K. }
  assert (N : repeat 1 n <> []) by (destruct n; [lia | discriminate]).
  pose proof (randomized_majority_bound b rounds (repeat 1 n) _ B P I N R) as H. cbv zeta in H.
  rewrite weight_after, sum_of_ones in H.
  assert (ONE : nth k (repeat 1 n) 0 = 1) by (apply (repeat_spec n 1), nth_In; rewrite repeat_length; exact K).
  rewrite ONE, Qmult_1_r in H. exact H.
Qed.

(** ** The check *)

Lemma length_of_chances : forall b rounds ws, length (chances b ws rounds) = length rounds.
Proof. induction rounds as [|wrong rest IH]; intros; cbn [chances length]; [reflexivity | rewrite IH; reflexivity]. Qed.

Lemma pow_monotone : forall x y n, 0 <= x <= y -> pow x n <= pow y n.
Proof.
  induction n; intros H; cbn [pow]; [lra|]. specialize (IHn H).
  assert (0 <= (y - x) * pow y n) by (apply Qmult_le_0_compat; [lra | apply pow_not_negative; lra]).
  assert (0 <= x * (pow y n - pow x n)) by (apply Qmult_le_0_compat; lra). lra.
Qed.

(** With n experts and an expert k: so many expected mistakes would leave less weight than k has. *)
Definition check_randomized (b : Q) (n k : nat) (rounds : list (list bool)) (bound : Q) : bool :=
  let base := 1 - (1 - b) * bound / number (length rounds) in
  negb (Qle_bool b 0) && Qle_bool b 1 && Nat.ltb k n && negb (Nat.eqb (length rounds) 0)
  && negb (Qle_bool (pow b (errors k rounds)) (number n * pow base (length rounds))).

(** THEOREM. If the check accepts, the expected mistakes are fewer than the bound, for all outcomes and all advice. *)
Theorem checked_randomized_keeps_its_bound : forall b n k rounds bound,
  check_randomized b n k rounds bound = true -> sum (chances b (repeat 1 n) rounds) < bound.
Proof.
  intros b n k rounds bound H. unfold check_randomized in H.
  apply andb_prop in H as [H X]. apply andb_prop in H as [H R]. apply andb_prop in H as [H K]. apply andb_prop in H as [B B1].
  apply Bool.negb_true_iff in X, R, B. apply Nat.ltb_lt in K. apply Nat.eqb_neq in R. apply Qle_bool_iff in B1.
  assert (B0 : 0 < b) by (apply Qnot_le_lt; intros C; apply Qle_bool_iff in C; congruence).
  assert (NE : rounds <> []) by (destruct rounds; [simpl in R; congruence | discriminate]).
  apply Qnot_le_lt. intros C. set (expected := sum (chances b (repeat 1 n) rounds)) in *.
  pose proof (randomized_majority_against_an_expert b n k rounds B0 K NE) as M. cbv zeta in M. fold expected in M.
  assert (T : 0 < number (length rounds)).
  { destruct rounds; [congruence|]. cbn [length]. rewrite number_next. pose proof (number_not_negative (length rounds)). lra. }
  assert (P : Forall (fun x => 0 < x) (repeat 1 n)).
  { apply Forall_forall. intros x I. apply repeat_spec in I. subst x. lra. }
  assert (NW : repeat 1 n <> []) by (destruct n; [lia | discriminate]).
  destruct (sum_is_product b rounds (repeat 1 n) B0 P NW) as [_ F].
  pose proof (sum_of_factors b (chances b (repeat 1 n) rounds)) as S. rewrite length_of_chances in S. fold expected in S.
  pose proof (sum_not_negative _ F) as SN. rewrite S in SN.
  assert (LOW : 0 <= 1 - (1 - b) * expected / number (length rounds)).
  { assert (E : 1 - (1 - b) * expected / number (length rounds) == (number (length rounds) - (1 - b) * expected) / number (length rounds))
      by (field; lra). rewrite E. apply Qle_shift_div_l; lra. }
  assert (LESS : 1 - (1 - b) * expected / number (length rounds) <= 1 - (1 - b) * bound / number (length rounds)).
  { assert ((1 - b) * bound / number (length rounds) <= (1 - b) * expected / number (length rounds)); [|lra].
    unfold Qdiv. apply Qmult_le_compat_r; [|apply Qlt_le_weak, Qinv_lt_0_compat; exact T].
    assert (0 <= (1 - b) * (expected - bound)) by (apply Qmult_le_0_compat; lra). lra. }
  pose proof (pow_monotone _ _ (length rounds) (conj LOW LESS)) as PM.
  assert (NN : 0 <= number n) by apply number_not_negative.
  assert (Y : pow b (errors k rounds) <= number n * pow (1 - (1 - b) * bound / number (length rounds)) (length rounds)).
  { eapply Qle_trans; [exact M|]. rewrite !(Qmult_comm (number n)). apply Qmult_le_compat_r; assumption. }
  apply Qle_bool_iff in Y. congruence.
Qed.
