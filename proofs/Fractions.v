(** * Vectors of fractions: a vector of whole numbers over one denominator *)

Require Import ZArith QArith List Lia.
From Littlestone Require Import Vectors.
Open Scope Q_scope.

Record fraction_vector := { top : vector; bottom : positive }.

Definition whole (v : vector) : fraction_vector := {| top := v; bottom := 1 |}.
Definition zero : fraction_vector := whole nil.
Definition times (a b : fraction_vector) : Q := dot (top a) (top b) # (bottom a * bottom b).
Definition plus (a b : fraction_vector) : fraction_vector :=
  {| top := multiply (Zpos (bottom b)) (top a) ++ multiply (Zpos (bottom a)) (top b); bottom := bottom a * bottom b |}.
Definition scale (t : Q) (a : fraction_vector) : fraction_vector :=
  {| top := multiply (Qnum t) (top a); bottom := Qden t * bottom a |}.

Lemma times_plus_left : forall a b c, times (plus a b) c == times a c + times b c.
Proof.
  intros. unfold times, plus, Qeq, Qplus. simpl Qnum. simpl Qden. simpl top. simpl bottom.
  rewrite dot_sum_left, !dot_multiple_left, !Pos2Z.inj_mul. ring.
Qed.

Lemma times_scale_left : forall t a b, times (scale t a) b == t * times a b.
Proof.
  intros. unfold times, scale, Qeq, Qmult. simpl Qnum. simpl Qden. simpl top. simpl bottom.
  rewrite dot_multiple_left, !Pos2Z.inj_mul. ring.
Qed.

Lemma times_symmetric : forall a b, times a b == times b a.
Proof. intros. unfold times, Qeq. simpl. rewrite (dot_symmetric (top a)), !Pos2Z.inj_mul. ring. Qed.

Lemma times_itself : forall a, 0 <= times a a.
Proof. intros. unfold times, Qle. simpl. pose proof (square_not_negative (top a)). unfold square in *. lia. Qed.

Lemma times_plus_right : forall a b c, times a (plus b c) == times a b + times a c.
Proof. intros. rewrite times_symmetric, times_plus_left, (times_symmetric b), (times_symmetric c). reflexivity. Qed.

Lemma times_scale_right : forall t a b, times a (scale t b) == t * times a b.
Proof. intros. rewrite times_symmetric, times_scale_left, times_symmetric. reflexivity. Qed.

(** |w - u|^2 *)
Definition distance (w u : fraction_vector) : Q := times w w - 2 * times w u + times u u.

Lemma distance_not_negative : forall w u, 0 <= distance w u.
Proof.
  intros. pose proof (times_itself (plus w (scale (-1) u))) as H.
  rewrite times_plus_left, !times_plus_right, !times_scale_left, !times_scale_right in H.
  rewrite (times_symmetric u w) in H. unfold distance.
  setoid_replace (times w w - 2 * times w u + times u u)
    with (times w w + -1 * times w u + (-1 * times w u + -1 * (-1 * times u u))) by ring. exact H.
Qed.

(** A step along z by t changes it by 2 t (w.z - u.z) + t^2 |z|^2. *)
Lemma distance_after_step : forall w u z t,
  distance (plus w (scale t z)) u == distance w u + 2 * t * (times w z - times u z) + t * t * times z z.
Proof.
  intros. unfold distance. rewrite !times_plus_left, !times_plus_right, !times_scale_left, !times_scale_right.
  rewrite (times_symmetric z w), (times_symmetric z u). ring.
Qed.

Lemma zero_times : forall a, times zero a == 0.
Proof. intros. unfold times, zero, whole. simpl top. rewrite dot_nothing_left. reflexivity. Qed.

Lemma distance_at_start : forall u, distance zero u == times u u.
Proof. intros. unfold distance. rewrite !zero_times. ring. Qed.
