(** * Rows of whole numbers, their inner product, and the inequality of Cauchy and Schwarz

    A vector is a list of entries: the number of a column, and a value. A column may be named more than once; its values
    then add up. So the sum of two vectors is one list behind the other, and weights that are a sum of rows are simply
    these rows, one behind the other. *)

Require Import ZArith List Lia.
Import ListNotations.
Open Scope Z_scope.

Definition vector := list (positive * Z).

(** The value of a column. *)
Fixpoint entry (v : vector) (i : positive) : Z :=
  match v with
  | [] => 0
  | (j, x) :: rest => (if Pos.eqb i j then x else 0) + entry rest i
  end.

(** The score that weights, given column by column, have on a row. *)
Fixpoint score (weights : positive -> Z) (row : vector) : Z :=
  match row with
  | [] => 0
  | (j, x) :: rest => weights j * x + score weights rest
  end.

Definition dot (a b : vector) : Z := score (entry a) b.
Definition square (a : vector) : Z := dot a a.
Definition multiply (k : Z) (v : vector) : vector := map (fun e => (fst e, k * snd e)) v.
Definition negate (v : vector) : vector := multiply (-1) v.

(** ** The inner product is linear on both sides, and symmetric *)

Lemma entry_of_sum : forall a b i, entry (a ++ b) i = entry a i + entry b i.
Proof. induction a as [|[j x] a IH]; intros; simpl; [lia | rewrite IH; lia]. Qed.

Lemma entry_of_multiple : forall k a i, entry (multiply k a) i = k * entry a i.
Proof.
  induction a as [|[j x] a IH]; intros; simpl; [lia|].
  fold (multiply k a). rewrite IH. destruct (Pos.eqb i j); lia.
Qed.

Lemma score_of_sum_of_rows : forall f a b, score f (a ++ b) = score f a + score f b.
Proof. induction a as [|[j x] a IH]; intros; simpl; [lia | rewrite IH; lia]. Qed.

Lemma score_of_multiple_of_row : forall f k a, score f (multiply k a) = k * score f a.
Proof. induction a as [|[j x] a IH]; simpl; [lia|]. fold (multiply k a). rewrite IH. lia. Qed.

Lemma score_depends_on_entries : forall f g a, (forall i, f i = g i) -> score f a = score g a.
Proof. induction a as [|[j x] a IH]; intros H; simpl; [lia | rewrite IH, H; auto]. Qed.

Lemma score_of_sum_of_weights : forall f g a, score (fun i => f i + g i) a = score f a + score g a.
Proof. induction a as [|[j x] a IH]; simpl; [lia | rewrite IH; lia]. Qed.

Lemma score_of_multiple_of_weights : forall f k a, score (fun i => k * f i) a = k * score f a.
Proof. induction a as [|[j x] a IH]; simpl; [lia | rewrite IH; lia]. Qed.

Lemma dot_sum_right : forall a b c, dot a (b ++ c) = dot a b + dot a c.
Proof. intros. apply score_of_sum_of_rows. Qed.

Lemma dot_sum_left : forall a b c, dot (a ++ b) c = dot a c + dot b c.
Proof.
  intros. unfold dot. rewrite <- score_of_sum_of_weights.
  apply score_depends_on_entries. intros; apply entry_of_sum.
Qed.

Lemma dot_multiple_right : forall k a b, dot a (multiply k b) = k * dot a b.
Proof. intros. apply score_of_multiple_of_row. Qed.

Lemma dot_multiple_left : forall k a b, dot (multiply k a) b = k * dot a b.
Proof.
  intros. unfold dot. rewrite <- score_of_multiple_of_weights.
  apply score_depends_on_entries. intros; apply entry_of_multiple.
Qed.

Lemma dot_nothing_left : forall a, dot [] a = 0.
Proof. unfold dot. induction a as [|[j x] a IH]; simpl in *; lia. Qed.

Lemma dot_one_entry_left : forall i x b, dot [(i, x)] b = x * entry b i.
Proof.
  unfold dot. induction b as [|[j y] b IH]; simpl in *; [lia|].
  rewrite IH, (Pos.eqb_sym i j). destruct (Pos.eqb j i); lia.
Qed.

Lemma dot_symmetric : forall a b, dot a b = dot b a.
Proof.
  induction a as [|[i x] a IH]; intros b; [rewrite dot_nothing_left; reflexivity|].
  change ((i, x) :: a) with ([(i, x)] ++ a) at 1.
  rewrite dot_sum_left, dot_one_entry_left, IH. unfold dot. simpl. lia.
Qed.

(** ** A square is not negative: it is a sum of squares over the columns that are named *)

Fixpoint sum_over (columns : list positive) (f : positive -> Z) : Z :=
  match columns with [] => 0 | i :: rest => f i + sum_over rest f end.

Lemma sum_over_nothing_new : forall columns f i x,
  ~ In i columns -> sum_over columns (fun k => f k * (if Pos.eqb k i then x else 0)) = 0.
Proof.
  induction columns as [|j columns IH]; intros f i x H; simpl; [lia|].
  rewrite IH by (intro; apply H; right; auto).
  destruct (Pos.eqb_spec j i); [exfalso; apply H; left; auto | lia].
Qed.

Lemma sum_over_one_column : forall columns f i x,
  NoDup columns -> In i columns -> sum_over columns (fun k => f k * (if Pos.eqb k i then x else 0)) = f i * x.
Proof.
  induction columns as [|j columns IH]; intros f i x D H; simpl; [destruct H|].
  inversion D; subst. destruct (Pos.eqb_spec j i) as [->|N].
  - rewrite sum_over_nothing_new by auto. lia.
  - destruct H as [->|H]; [contradiction|]. rewrite IH by auto. lia.
Qed.

Lemma sum_over_sums : forall columns f g h,
  (forall i, f i = g i + h i) -> sum_over columns f = sum_over columns g + sum_over columns h.
Proof. induction columns as [|i columns IH]; intros f g h H; simpl; [lia | rewrite (IH f g h H), H; lia]. Qed.

Lemma sum_over_not_negative : forall columns f, (forall i, 0 <= f i) -> 0 <= sum_over columns f.
Proof. induction columns as [|i columns IH]; intros f H; simpl; [lia | specialize (IH f H); specialize (H i); lia]. Qed.

Lemma sum_over_zeros : forall columns f, (forall i, f i = 0) -> sum_over columns f = 0.
Proof. induction columns as [|i columns IH]; intros f H; simpl; [lia | rewrite (IH f H), H; lia]. Qed.

Lemma score_column_by_column : forall f v columns,
  NoDup columns -> (forall e, In e v -> In (fst e) columns) ->
  score f v = sum_over columns (fun i => f i * entry v i).
Proof.
  induction v as [|[j x] v IH]; intros columns D H; simpl.
  - rewrite sum_over_zeros; [lia | intros; lia].
  - rewrite (IH columns D) by (intros; apply H; right; auto).
    rewrite <- (sum_over_one_column columns f j x D (H (j, x) (or_introl eq_refl))).
    symmetry. apply sum_over_sums. intros. lia.
Qed.

Lemma square_not_negative : forall a, 0 <= square a.
Proof.
  intros. unfold square, dot.
  rewrite (score_column_by_column (entry a) a (nodup Pos.eq_dec (map fst a))).
  - apply sum_over_not_negative. intros. nia.
  - apply NoDup_nodup.
  - intros. apply nodup_In. apply in_map. auto.
Qed.

Lemma square_of_sum : forall a b, square (a ++ b) = square a + 2 * dot a b + square b.
Proof.
  intros. unfold square. rewrite dot_sum_left, !dot_sum_right, (dot_symmetric b a). lia.
Qed.

(** The square of an inner product is at most the product of the squares. *)
Theorem cauchy_schwarz : forall a b, dot a b * dot a b <= square a * square b.
Proof.
  intros a b.
  assert (H : forall s t, 0 <= s * s * square a + 2 * s * t * dot a b + t * t * square b).
  { intros s t. pose proof (square_not_negative (multiply s a ++ multiply t b)) as P.
    rewrite square_of_sum in P. unfold square in *.
    rewrite !dot_multiple_left, !dot_multiple_right in P. lia. }
  pose proof (square_not_negative a) as A. pose proof (square_not_negative b) as B.
  destruct (Z.eq_dec (square b) 0) as [E|E].
  - rewrite E in *. pose proof (H 1 (- (square a + 1) * dot a b)) as Q.
    assert (dot a b * dot a b = 0) by nia. lia.
  - pose proof (H (square b) (- dot a b)) as Q. nia.
Qed.
