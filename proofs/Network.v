(** * Networks: one unit for each class, and the right one moves towards a row, its best rival away

    The weights of all units are one long vector; column j of class c has a place of its own in it. A step along x for
    the right class and along -x for the rival is a step along one long row z, and the lead of the right class over the
    rival is w.z. So a network is a Perceptron over rows z, and the theorems of Perceptron.v are about it. *)

Require Import ZArith List Lia.
From Littlestone Require Import Vectors Additive Inequalities Perceptron Maps.
Import ListNotations.
Open Scope Z_scope.

(** The place of a column in the block of a class; classes are numbered 1, 2, ..., [classes]. *)
Definition place (classes class column : positive) : positive := (column * classes + class)%positive.

(** Two columns, or two classes, never share a place. *)
Theorem places_differ : forall classes c d i j,
  (c <= classes)%positive -> (d <= classes)%positive -> place classes c i = place classes d j -> c = d /\ i = j.
Proof. unfold place. intros n c d i j C D E. assert (i = j) by nia. split; [nia | assumption]. Qed.

Definition put (classes class : positive) (row : vector) : vector :=
  map (fun e => (place classes class (fst e), snd e)) row.

Definition step_between (classes truth rival : positive) (row : vector) : vector :=
  put classes truth row ++ negate (put classes rival row).

(** The first class of the highest score among some, the right one left out. *)
Fixpoint best_rival (scores : positive -> Z) (truth : positive) (met : list positive) : option positive :=
  match met with
  | [] => None
  | c :: rest =>
      match best_rival scores truth rest with
      | None => if Pos.eqb c truth then None else Some c
      | Some d => if Pos.eqb c truth then Some d else if scores c <? scores d then Some d else Some c
      end
  end.

Definition meet (truth : positive) (met : list positive) : list positive :=
  if existsb (Pos.eqb truth) met then met else met ++ [truth].

(** What a round does, given how the weights score a row: whether the guess was wrong, and the step, if any. *)
Definition decide (r : rule) (classes : positive) (scores : vector -> Z) (met : list positive) (truth : positive)
    (row : vector) : bool * option (positive * vector) :=
  match best_rival (fun c => scores (put classes c row)) truth met with
  | None => (negb (existsb (Pos.eqb truth) met), None)
  | Some rival =>
      let lead := scores (put classes truth row) - scores (put classes rival row) in
      let wrong := orb (negb (existsb (Pos.eqb truth) met)) (orb (lead <? 0) (andb (lead =? 0) (rival <? truth)%positive)) in
      (wrong, if threshold_under r * lead <=? threshold_over r
              then Some (rival, step_between classes truth rival row) else None)
  end.

Fixpoint play_network (r : rule) (classes : positive) (met : list positive) (w : vector)
    (rounds : list (positive * vector)) : list (bool * option (positive * vector)) :=
  match rounds with
  | [] => []
  | (truth, row) :: rest =>
      let found := decide r classes (dot w) met truth row in
      match snd found with
      | Some (_, z) => found :: play_network r classes (meet truth met) (w ++ z) rest
      | None => found :: play_network r classes (meet truth met) w rest
      end
  end.

Fixpoint network_steps (decisions : list (bool * option (positive * vector))) : list vector :=
  match decisions with
  | [] => []
  | (_, Some (_, z)) :: rest => z :: network_steps rest
  | (_, None) :: rest => network_steps rest
  end.

Definition network_updates (r : rule) (classes : positive) (met : list positive) (rounds : list (positive * vector)) :=
  network_steps (play_network r classes met [] rounds).

(** The lead of the right class over its rival is the agreement of the weights with the step. *)
Lemma lead_is_agreement : forall classes truth rival row w,
  dot w (step_between classes truth rival row) = dot w (put classes truth row) - dot w (put classes rival row).
Proof. intros. unfold step_between, negate. rewrite dot_sum_right, dot_multiple_right. lia. Qed.

Lemma decided_below : forall r classes w met truth row wrong rival z,
  decide r classes (dot w) met truth row = (wrong, Some (rival, z)) ->
  threshold_under r * dot w z <= threshold_over r.
Proof.
  intros r classes w met truth row wrong rival z H. unfold decide in H.
  destruct (best_rival _ truth met) as [d|]; [|discriminate].
  destruct (Z.leb_spec (threshold_under r * (dot w (put classes truth row) - dot w (put classes d row)))
                       (threshold_over r)) as [L|L]; [|discriminate].
  injection H as _ _ <-. rewrite lead_is_agreement. exact L.
Qed.

Theorem network_below_threshold : forall r classes rounds met w,
  below_threshold (threshold_over r) (threshold_under r) w (network_steps (play_network r classes met w rounds)).
Proof.
  induction rounds as [|[truth row] rest IH]; intros met w; cbn [play_network]; [exact I|].
  destruct (decide r classes (dot w) met truth row) as [wrong [[rival z]|]] eqn:E; cbn [snd network_steps]; [|apply IH].
  split; [exact (decided_below _ _ _ _ _ _ _ _ _ E) | apply IH].
Qed.

(** THEOREM (exact runs of networks). *)
Theorem network_keeps_its_bound : forall name r classes met u g rounds bound,
  accepts name (threshold_over r) (threshold_under r) u g (network_updates r classes met rounds) bound = true ->
  Z.of_nat (length (network_updates r classes met rounds)) <= bound.
Proof. intros. eapply accepted_bound_holds; eassumption. Qed.

Theorem exact_network_has_no_excess : forall r classes met rounds,
  excess (threshold_over r) (threshold_under r) [] (network_updates r classes met rounds) = 0.
Proof. intros. apply no_excess_below_threshold, network_below_threshold. Qed.

(** ** The same with weights in a map *)

Lemma decide_by_map : forall r classes s t met truth row,
  (forall v, s v = t v) -> decide r classes s met truth row = decide r classes t met truth row.
Proof.
  intros r classes s t met truth row H. unfold decide.
  assert (B : forall l, best_rival (fun c => s (put classes c row)) truth l
                      = best_rival (fun c => t (put classes c row)) truth l).
  { induction l as [|c l IH]; simpl; [reflexivity|]. rewrite IH.
    destruct (best_rival (fun c => t (put classes c row)) truth l) as [d|]; [|reflexivity].
    rewrite (H (put classes c row)), (H (put classes d row)). reflexivity. }
  rewrite B. destruct (best_rival _ truth met) as [d|]; [|reflexivity].
  rewrite (H (put classes truth row)), (H (put classes d row)). reflexivity.
Qed.

Fixpoint play_network_from (r : rule) (classes : positive) (met : list positive) (w : weights)
    (rounds : list (positive * vector)) (done : list (bool * option (positive * vector)))
    : list (bool * option (positive * vector)) :=
  match rounds with
  | [] => rev_append done []
  | (truth, row) :: rest =>
      let found := decide r classes (score (get w)) met truth row in
      match snd found with
      | Some (_, z) => play_network_from r classes (meet truth met) (add_row w z) rest (found :: done)
      | None => play_network_from r classes (meet truth met) w rest (found :: done)
      end
  end.

Definition fast_play_network (r : rule) (classes : positive) (met : list positive) (rounds : list (positive * vector)) :=
  play_network_from r classes met no_weights rounds [].

Lemma play_network_from_is_right : forall r classes rounds met w_map w done, holds w_map w ->
  play_network_from r classes met w_map rounds done = rev_append done (play_network r classes met w rounds).
Proof.
  induction rounds as [|[truth row] rest IH]; intros met w_map w done H; cbn [play_network_from play_network];
    [reflexivity|].
  rewrite (decide_by_map r classes (score (get w_map)) (dot w)) by (intros; apply score_by_map; exact H).
  destruct (snd (decide r classes (dot w) met truth row)) as [[rival z]|].
  - rewrite (IH _ _ (w ++ z)) by (apply holds_sum; exact H). reflexivity.
  - rewrite (IH _ _ w) by exact H. reflexivity.
Qed.

Definition check_network (name : theorem) (r : rule) (classes : positive) (met : list positive) (u : vector) (g : Z)
    (rounds : list (positive * vector)) (bound : Z) : bool :=
  fast_accepts name (threshold_over r) (threshold_under r) u g
    (network_steps (fast_play_network r classes met rounds)) bound.

(** THEOREM (exact runs of networks, the program). *)
Theorem checked_network_keeps_its_bound : forall name r classes met u g rounds bound,
  check_network name r classes met u g rounds bound = true ->
  Z.of_nat (length (network_updates r classes met rounds)) <= bound.
Proof.
  intros name r classes met u g rounds bound H. unfold check_network, fast_play_network in H.
  rewrite (play_network_from_is_right r classes rounds met no_weights [] [] holds_nothing) in H.
  exact (verified_bound_holds name _ _ u g _ bound H).
Qed.
