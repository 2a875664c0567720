(** * What a league's members said, and what was served: the checks of its certificates

    Chances are whole numbers in units that do not matter, since both sides of a comparison have as many factors. The theorems of
    League.v say that a league in exact arithmetic passes the first check on all streams; this file says what a yes means
    of any forecasts, those of a run in floats too, and what no choice of members and no fixed mixture of them could avoid. *)

Require Import ZArith QArith List Bool Lia Psatz.
From Littlestone Require Import Randomized.
Import ListNotations.
Open Scope Z_scope.

(** ** Log-loss on a stretch of rounds *)

Definition multiply (l : list Z) : Z := fold_left Z.mul l 1.
Definition check_stretch (factor : Z) (theirs served : list Z) : bool :=
  Nat.eqb (length theirs) (length served) && (multiply theirs <=? factor * multiply served).
Definition chances_in (unit : positive) (l : list Z) : list Q := map (fun k => k # unit) l.

Lemma multiply_from : forall l a, fold_left Z.mul l a = a * multiply l.
Proof.
  unfold multiply. induction l as [|x l IH]; intros a; cbn [fold_left]; [ring|].
  rewrite IH, (IH (1 * x)). ring.
Qed.

Lemma multiply_next : forall x l, multiply (x :: l) = x * multiply l.
Proof. intros. unfold multiply at 1. cbn [fold_left]. rewrite multiply_from. ring. Qed.

Lemma product_of_chances : forall unit l,
  (product (chances_in unit l) * pow (inject_Z (Zpos unit)) (length l) == inject_Z (multiply l))%Q.
Proof.
  induction l as [|x l IH]; cbn [chances_in map product length pow]; [reflexivity|].
  rewrite multiply_next, inject_Z_mult, <- IH. rewrite (Qmake_Qdiv x unit). unfold chances_in. field.
  intros H. discriminate H.
Qed.

(** THEOREM (any forecasts). The product of an expert's chances is at most [factor] times that of the chances served. *)
Theorem checked_stretch_keeps_its_bound : forall unit factor theirs served,
  check_stretch factor theirs served = true ->
  (product (chances_in unit theirs) <= inject_Z factor * product (chances_in unit served))%Q.
Proof.
  intros unit factor theirs served H. unfold check_stretch in H. apply andb_prop in H as [L H].
  apply Nat.eqb_eq in L. apply Z.leb_le in H.
  pose proof (product_of_chances unit theirs) as A. pose proof (product_of_chances unit served) as B. rewrite <- L in B.
  set (w := pow _ _) in *. assert (W : (0 < w)%Q).
  { unfold w. clear. induction (length theirs); cbn [pow]; [reflexivity|]. apply Qmult_lt_0_compat; [reflexivity | exact IHn]. }
  apply Qmult_le_r with w; [exact W|]. rewrite A, <- Qmult_assoc, B, <- inject_Z_mult. rewrite <- Zle_Qle. exact H.
Qed.

(** ** Rounds in which all members are wrong; a row says who is right *)

Fixpoint forced (rows : list (list bool)) : Z :=
  match rows with [] => 0 | row :: rest => (if existsb (fun right => right) row then 0 else 1) + forced rest end.
Fixpoint missed (choices : list nat) (rows : list (list bool)) : Z :=
  match choices, rows with c :: choices, row :: rest => (if nth c row false then 0 else 1) + missed choices rest | _, _ => 0 end.
Definition check_forced (rows : list (list bool)) (count : Z) (e : nat) (bound : Z) : bool :=
  (count <=? forced rows) && (missed (repeat e (length rows)) rows <=? bound).

Lemma forced_are_missed : forall rows choices, length choices = length rows -> forced rows <= missed choices rows.
Proof.
  induction rows as [|row rest IH]; intros [|c choices] L; try discriminate. cbn [forced missed].
  specialize (IH choices ltac:(simpl in L; lia)). destruct (nth c row false) eqn:R; [|destruct (existsb _ row); lia].
  assert (X : existsb (fun right => right) row = true); [|rewrite X; lia].
  apply existsb_exists. exists true. split; [|reflexivity]. destruct (Nat.lt_ge_cases c (length row)) as [C|C].
  - rewrite <- R. apply nth_In. exact C.
  - rewrite nth_overflow in R; [discriminate | exact C].
Qed.

(** THEOREM. Following one member in each round, which may be another one every time, makes [count] mistakes or more, and so
    does the member whose mistakes are the bound. *)
Theorem checked_forced_mistakes : forall rows count e bound choices,
  check_forced rows count e bound = true -> length choices = length rows ->
  count <= missed choices rows /\ count <= bound.
Proof.
  intros rows count e bound choices H L. apply andb_prop in H as [A B]. apply Z.leb_le in A, B.
  pose proof (forced_are_missed rows choices L). pose proof (forced_are_missed rows (repeat e (length rows)) (repeat_length e _)). lia.
Qed.

(** ** Fixed mixtures: each row has the chances that readings gave, and numbers at least as large as their ratios to what [shares]
    of them gave, times [scale] *)

Fixpoint dot (ws row : list Z) : Z := match ws, row with w :: ws, p :: row => w * p + dot ws row | _, _ => 0 end.
Fixpoint add_rows (a b : list Z) : list Z := match a, b with x :: a, y :: b => x + y :: add_rows a b | _, _ => [] end.
Definition total (ws : list Z) : Z := fold_right Z.add 0 ws.
Fixpoint above (scale mixed : Z) (row ratios : list Z) : bool :=
  match row, ratios with
  | p :: row, r :: ratios => (p * scale <=? r * mixed) && above scale mixed row ratios
  | [], [] => true
  | _, _ => false
  end.
Definition fits (shares : list Z) (scale : Z) (r : list Z * list Z) : bool :=
  Nat.eqb (length (fst r)) (length shares) && forallb (Z.ltb 0) (fst r) && (0 <? dot shares (fst r))
  && above scale (dot shares (fst r)) (fst r) (snd r).
Definition ratios_of (n : nat) (rows : list (list Z * list Z)) : list Z := fold_left add_rows (map snd rows) (repeat 0 n).
Definition check_mixture (shares : list Z) (scale most : Z) (rows : list (list Z * list Z)) : bool :=
  (0 <? scale) && forallb (fits shares scale) rows && forallb (fun r => r <=? most) (ratios_of (length shares) rows).

Lemma above_length : forall scale m row ratios, above scale m row ratios = true -> length ratios = length row.
Proof.
  induction row as [|p row IH]; intros [|r ratios] H; try discriminate; [reflexivity|]. cbn [above] in H.
  apply andb_prop in H as [_ H]. simpl. rewrite (IH _ H). reflexivity.
Qed.

Lemma above_dot : forall scale m ws row ratios, Forall (fun w => 0 <= w) ws -> above scale m row ratios = true ->
  scale * dot ws row <= m * dot ws ratios.
Proof.
  induction ws as [|w ws IH]; intros row ratios W H; [simpl; lia|].
  destruct row as [|p row], ratios as [|r ratios]; try discriminate; cbn [dot]; [lia|]. cbn [above] in H.
  apply andb_prop in H as [A H]. apply Z.leb_le in A. inversion W; subst. specialize (IH row ratios H3 H). nia.
Qed.

Lemma dot_positive : forall ws row, Forall (fun w => 0 <= w) ws -> 0 < total ws -> length row = length ws ->
  Forall (fun p => 0 < p) row -> 0 < dot ws row.
Proof.
  assert (N : forall ws row, Forall (fun w => 0 <= w) ws -> Forall (fun p => 0 < p) row -> 0 <= dot ws row).
  { induction ws as [|w ws IH]; intros [|p row] W P; cbn [dot]; try lia. inversion W; inversion P; subst.
    specialize (IH row H2 H6). nia. }
  induction ws as [|w ws IH]; intros [|p row] W T L P; try discriminate. cbn [dot total fold_right] in *.
  inversion W; inversion P; subst. fold (total ws) in T. pose proof (N ws row H2 H6).
  destruct (Z.eq_dec w 0) as [C|C]; [|nia]. subst w. specialize (IH row H2 ltac:(lia) ltac:(simpl in L; lia) H6). lia.
Qed.

Lemma dot_of_sum : forall ws a b, length a = length b -> dot ws (add_rows a b) = dot ws a + dot ws b.
Proof.
  induction ws as [|w ws IH]; intros [|x a] [|y b] L; try discriminate; cbn [dot add_rows]; try lia.
  rewrite IH; [lia | simpl in L; lia].
Qed.

Lemma add_rows_length : forall a b, length a = length b -> length (add_rows a b) = length b.
Proof. induction a as [|x a IH]; intros [|y b] L; try discriminate; simpl; [reflexivity|]. rewrite IH; auto. Qed.

Lemma dot_below : forall most ws row, Forall (fun w => 0 <= w) ws -> length row = length ws ->
  forallb (fun r => r <=? most) row = true -> dot ws row <= total ws * most.
Proof.
  induction ws as [|w ws IH]; intros [|r row] W L H; try discriminate. cbn [dot total fold_right] in *.
  cbn [forallb] in H. apply andb_prop in H as [A H]. apply Z.leb_le in A. inversion W; subst. fold (total ws).
  specialize (IH row H3 ltac:(simpl in L; lia) H). nia.
Qed.

Lemma dot_of_ratios : forall ws n rows from, length from = n -> Forall (fun r => length (snd r) = n) rows ->
  dot ws (fold_left add_rows (map snd rows) from) = dot ws from + total (map (fun r : list Z * list Z => dot ws (snd r)) rows)
  /\ length (fold_left add_rows (map snd rows) from) = n.
Proof.
  induction rows as [|r rows IH]; intros from F L; cbn [map fold_left total fold_right]; [split; [lia | exact F]|].
  inversion L; subst. assert (E : length from = length (snd r)) by congruence.
  destruct (IH (add_rows from (snd r)) ltac:(rewrite add_rows_length; congruence) H2) as [A B].
  split; [|exact B]. rewrite A, dot_of_sum by exact E. unfold total. lia.
Qed.

Definition given_by (ws : list Z) (rows : list (list Z * list Z)) : list Q := map (fun r => inject_Z (dot ws (fst r))) rows.

(** THEOREM. No fixed shares [ws] of the readings give the labels more than (most / (scale T))^T times what [shares] did, in T
    rounds. Since 1 + x <= e^x, the logarithm of that is at most most / scale - T. *)
Theorem checked_mixture_is_nearly_best : forall shares scale most rows ws,
  check_mixture shares scale most rows = true ->
  length ws = length shares -> Forall (fun w => 0 <= w) ws -> 0 < total ws ->
  (product (given_by ws rows)
   <= pow (inject_Z (total ws * most) / (inject_Z scale * number (length rows))) (length rows) * product (given_by shares rows))%Q.
Proof.
  intros shares scale most rows ws H L W T.
  assert (NE : rows = [] \/ rows <> []) by (destruct rows; [left; reflexivity | right; discriminate]).
  destruct NE as [-> | NE]; [cbn [given_by map product length pow]; lra|]. unfold check_mixture in H. apply andb_prop in H as [H M]. apply andb_prop in H as [S F].
  apply Z.ltb_lt in S. rewrite forallb_forall in F.
  assert (R : Forall (fun r => length (snd r) = length shares) rows).
  { apply Forall_forall. intros r I. specialize (F r I). unfold fits in F. repeat (apply andb_prop in F as [F ?]).
    apply Nat.eqb_eq in F. rewrite (above_length _ _ _ _ H). exact F. }
  destruct (dot_of_ratios ws (length shares) rows (repeat 0 (length shares)) (repeat_length _ _) R) as [D LD].
  fold (ratios_of (length shares) rows) in D, LD.
  pose proof (dot_below most ws (ratios_of (length shares) rows) W ltac:(congruence) M) as B.
  assert (O : forall n l, dot l (repeat 0 n) = 0) by (induction n; intros [|x l]; simpl; try lia; rewrite IHn; lia).
  rewrite O in D.
  set (x := fun r : list Z * list Z => (inject_Z (dot ws (fst r)) / inject_Z (dot shares (fst r)))%Q).
  assert (E : forall r, In r rows -> (0 < inject_Z (dot shares (fst r)))%Q /\ (0 < x r)%Q
    /\ (x r * inject_Z scale <= inject_Z (dot ws (snd r)))%Q).
  { intros r I. specialize (F r I). unfold fits in F. apply andb_prop in F as [F A]. apply andb_prop in F as [F P].
    apply andb_prop in F as [K G]. apply Nat.eqb_eq in K. apply Z.ltb_lt in P.
    assert (PP : (0 < inject_Z (dot shares (fst r)))%Q) by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact P).
    assert (GG : Forall (fun p => 0 < p) (fst r)).
    { apply Forall_forall. intros p J. rewrite forallb_forall in G. apply Z.ltb_lt, (G p J). }
    pose proof (dot_positive ws (fst r) W T ltac:(congruence) GG) as Y.
    split; [exact PP|]. split; unfold x.
    - apply Qlt_shift_div_l; [exact PP|]. rewrite Qmult_0_l. change 0%Q with (inject_Z 0). rewrite <- Zlt_Qlt. exact Y.
    - setoid_replace (inject_Z (dot ws (fst r)) / inject_Z (dot shares (fst r)) * inject_Z scale)%Q
        with (inject_Z (dot ws (fst r)) * inject_Z scale / inject_Z (dot shares (fst r)))%Q by (field; lra).
      apply Qle_shift_div_r; [exact PP|]. rewrite <- !inject_Z_mult, <- Zle_Qle.
      pose proof (above_dot scale _ ws (fst r) (snd r) W A). lia. }
  assert (SUM : forall l, (forall r, In r l -> In r rows) ->
    (sum (map x l) * inject_Z scale <= inject_Z (total (map (fun r => dot ws (snd r)) l)))%Q).
  { induction l as [|r l IH]; intros I; cbn [map sum total fold_right]; [setoid_replace (0 * inject_Z scale)%Q with 0%Q by ring; apply Qle_refl|].
    fold (total (map (fun r => dot ws (snd r)) l)). rewrite inject_Z_plus.
    destruct (E r (I r (or_introl eq_refl))) as [_ [_ Y]]. specialize (IH (fun r J => I r (or_intror J))). lra. }
  specialize (SUM rows (fun r I => I)).
  assert (PX : Forall (fun y => (0 < y)%Q) (map x rows)).
  { apply Forall_forall. intros y I. apply in_map_iff in I as [r [<- I]]. apply (E r I). }
  pose proof (product_by_mean (map x rows) PX) as G. rewrite map_length in G.
  assert (N : (0 < number (length rows))%Q).
  { destruct rows as [|r rows]; [congruence|]. cbn [length]. rewrite number_next. pose proof (number_not_negative (length rows)). lra. }
  assert (C : (0 < inject_Z scale)%Q) by (change 0%Q with (inject_Z 0); rewrite <- Zlt_Qlt; exact S).
  assert (MEAN : (mean (map x rows) <= inject_Z (total ws * most) / (inject_Z scale * number (length rows)))%Q).
  { unfold mean. rewrite map_length. apply Qle_shift_div_l; [apply Qmult_lt_0_compat; assumption|].
    setoid_replace (sum (map x rows) / number (length rows) * (inject_Z scale * number (length rows)))%Q
      with (sum (map x rows) * inject_Z scale)%Q by (field; lra).
    eapply Qle_trans; [exact SUM|]. rewrite <- Zle_Qle. lia. }
  assert (MP : (0 <= mean (map x rows))%Q).
  { unfold mean. rewrite map_length. apply Qle_shift_div_l; [exact N|]. rewrite Qmult_0_l. apply sum_not_negative, PX. }
  pose proof (pow_monotone _ _ (length rows) (conj MP MEAN)) as U.
  assert (V : forall l, (forall r, In r l -> In r rows) ->
    (product (given_by ws l) == product (map x l) * product (given_by shares l))%Q /\ (0 <= product (given_by shares l))%Q).
  { induction l as [|r l IH]; intros I; unfold given_by; cbn [map product]; [split; [ring | lra]|].
    destruct (E r (I r (or_introl eq_refl))) as [Y _]. destruct (IH (fun r J => I r (or_intror J))) as [A A2].
    unfold given_by in A, A2. split; [rewrite A; unfold x; field; lra | apply Qmult_le_0_compat; lra]. }
  destruct (V rows (fun r I => I)) as [A A2]. rewrite A. apply Qmult_le_compat_r; [lra | exact A2].
Qed.
