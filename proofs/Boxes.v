(** * Boxes on a grid, and instances learned by heart

    The closure learner keeps the smallest box around the positive points and calls positive what is inside. The memorizer
    says what an instance was labelled before, and 0 of a new one. *)

Require Import ZArith List Lia Bool.
Import ListNotations.
Open Scope Z_scope.

(** ** Closure *)

Definition box := option (list (Z * Z)).  (* none, or the lowest and the highest point on every side *)

Fixpoint within (sides : list (Z * Z)) (x : list Z) : bool :=
  match sides, x with
  | (a, b) :: sides, v :: x => (a <=? v) && (v <=? b) && within sides x
  | _, _ => true
  end.

Fixpoint widen (sides : list (Z * Z)) (x : list Z) : list (Z * Z) :=
  match sides, x with
  | (a, b) :: sides, v :: x => (Z.min a v, Z.max b v) :: widen sides x
  | _, _ => sides
  end.

Fixpoint widths (sides : list (Z * Z)) : Z := match sides with [] => 0 | (a, b) :: rest => b - a + widths rest end.

Definition inside (b : box) (x : list Z) : bool := match b with Some sides => within sides x | None => false end.
Definition grow (b : box) (x : list Z) : box :=
  match b with Some sides => Some (widen sides x) | None => Some (map (fun v => (v, v)) x) end.
Definition extent (b : box) : Z := match b with Some sides => 1 + widths sides | None => 0 end.

(** Mistakes and the box at the end; nothing if a negative point is inside, which no box then explains. *)
Fixpoint close (rounds : list (list Z * bool)) (b : box) : option (Z * box) :=
  match rounds with
  | [] => Some (0, b)
  | (x, true) :: rest =>
      if inside b x then close rest b
      else match close rest (grow b x) with Some (m, last) => Some (m + 1, last) | None => None end
  | (x, false) :: rest => if inside b x then None else close rest b
  end.

Lemma widening : forall sides x, widths sides + (if within sides x then 0 else 1) <= widths (widen sides x).
Proof.
  induction sides as [|[a b] sides IH]; intros x; destruct x as [|v x]; cbn [widths within widen]; try lia.
  specialize (IH x). destruct (Z.leb_spec a v); destruct (Z.leb_spec v b); cbn [andb]; destruct (within sides x); lia.
Qed.

Lemma widths_of_point : forall x, widths (map (fun v : Z => (v, v)) x) = 0.
Proof. induction x as [|v x IH]; cbn [map widths]; lia. Qed.

(** THEOREM. Every mistake widens the box: mistakes are at most one more than the sum of its sides. *)
Theorem closure_bound : forall rounds b m last, close rounds b = Some (m, last) -> m + extent b <= extent last.
Proof.
  induction rounds as [|[x label] rest IH]; intros b m last H; cbn [close] in H.
  - injection H as <- <-. lia.
  - destruct label; destruct (inside b x) eqn:I; try discriminate; try (apply IH; exact H).
    destruct (close rest (grow b x)) as [[k l]|] eqn:E; [|discriminate]. specialize (IH _ _ _ E). injection H as <- <-.
    destruct b as [sides|]; cbn [grow extent inside] in *.
    + pose proof (widening sides x) as W. rewrite I in W. lia.
    + rewrite widths_of_point in IH. lia.
Qed.

Definition check_closure (rounds : list (list Z * bool)) (bound : Z) : bool :=
  match close rounds None with Some (_, last) => extent last <=? bound | None => false end.

(** THEOREM. If the check accepts, some mistakes and a box are the outcome, and the mistakes are at most [bound]. *)
Theorem checked_closure_keeps_its_bound : forall rounds bound, check_closure rounds bound = true ->
  exists m last, close rounds None = Some (m, last) /\ m <= bound.
Proof.
  intros rounds bound H. unfold check_closure in H. destruct (close rounds None) as [[m last]|] eqn:E; [|discriminate].
  apply Z.leb_le in H. pose proof (closure_bound _ _ _ _ E) as B. cbn [extent] in B. exists m, last. split; [reflexivity | lia].
Qed.

(** ** The memorizer *)

Section Memory.
Variable instance : Type.
Variable same : instance -> instance -> bool.

Fixpoint recall (memory : list (instance * Z)) (x : instance) : option Z :=
  match memory with [] => None | (z, y) :: rest => if same z x then Some y else recall rest x end.

(** Mistakes and what is known at the end; nothing if an instance has two labels. *)
Fixpoint memorize (rounds : list (instance * Z)) (memory : list (instance * Z)) : option (Z * list (instance * Z)) :=
  match rounds with
  | [] => Some (0, memory)
  | (x, y) :: rest =>
      match recall memory x with
      | Some said => if said =? y then memorize rest memory else None
      | None =>
          match memorize rest ((x, y) :: memory) with
          | Some (m, last) => Some (m + (if y =? 0 then 0 else 1), last)
          | None => None
          end
      end
  end.

(** THEOREM. There are at most as many mistakes as new instances. *)
Theorem memorizer_bound : forall rounds memory m last, memorize rounds memory = Some (m, last) ->
  m + Z.of_nat (length memory) <= Z.of_nat (length last).
Proof.
  induction rounds as [|[x y] rest IH]; intros memory m last H; cbn [memorize] in H.
  - injection H as <- <-. lia.
  - destruct (recall memory x) as [said|].
    + destruct (said =? y); [apply IH; exact H | discriminate].
    + destruct (memorize rest ((x, y) :: memory)) as [[k l]|] eqn:E; [|discriminate].
      specialize (IH _ _ _ E). injection H as <- <-. cbn [length] in IH. destruct (y =? 0); lia.
Qed.

Definition check_memorizer (rounds : list (instance * Z)) (bound : Z) : bool :=
  match memorize rounds [] with Some (_, last) => Z.of_nat (length last) <=? bound | None => false end.

Theorem checked_memorizer_keeps_its_bound : forall rounds bound, check_memorizer rounds bound = true ->
  exists m last, memorize rounds [] = Some (m, last) /\ m <= bound.
Proof.
  intros rounds bound H. unfold check_memorizer in H. destruct (memorize rounds []) as [[m last]|] eqn:E; [|discriminate].
  apply Z.leb_le in H. pose proof (memorizer_bound _ _ _ _ E) as B. cbn [length] in B. exists m, last. split; [reflexivity | lia].
Qed.

End Memory.
