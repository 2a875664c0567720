(** * Rows divided by their lengths: steps of any length along rows

    A learner with normalized rows steps by t = rate / |x| along its row, a float. The theorems of the Perceptron are about any
    list of vectors, so they are about the vectors t z as well: with whole numbers t over one denominator, the length of the
    list is at most the bound, however t was rounded. Agreements w.(t z) are compared with the threshold. *)

Require Import ZArith List Lia.
From Littlestone Require Import Vectors Additive Inequalities Perceptron Maps.
Import ListNotations.
Open Scope Z_scope.

Definition stretch (step : Z * vector) : vector := multiply (fst step) (snd step).

Definition check_stretched (name : theorem) (over under : Z) (u : vector) (g : Z) (steps : list (Z * vector)) (bound : Z) : bool :=
  fast_accepts name over under u g (map stretch steps) bound.

(** THEOREM (any steps of any lengths). *)
Theorem checked_stretched_keeps_its_bound : forall name over under u g steps bound,
  check_stretched name over under u g steps bound = true -> Z.of_nat (length steps) <= bound.
Proof.
  intros name over under u g steps bound H. apply verified_bound_holds in H. rewrite map_length in H. exact H.
Qed.

(** Where no step is longer than one unit, neither is any vector that is measured. *)
Theorem stretched_in_reach : forall unit steps,
  (forall t z, In (t, z) steps -> t * t * square z <= unit * unit) -> longest (map stretch steps) <= unit * unit.
Proof.
  induction steps as [|[t z] rest IH]; intros H; cbn [map longest]; [nia|].
  apply Z.max_lub; [|apply IH; intros; apply H; right; assumption].
  specialize (H t z (or_introl eq_refl)). unfold stretch, square in *. cbn [fst snd].
  rewrite dot_multiple_left, dot_multiple_right. lia.
Qed.

(** THEOREM (any stream, before it is seen). With t |z| <= unit and u.(t z) >= g > 0 on every step, and every step taken at an
    agreement w.(t z) of at most the threshold [over / under]: m g^2 <= |u|^2 (unit^2 + 2 threshold). *)
Theorem stretched_bound : forall over under u g unit steps,
  0 <= over -> 0 < under -> 0 < g -> (forall t z, In (t, z) steps -> t * t * square z <= unit * unit) ->
  (forall t z, In (t, z) steps -> g <= dot u (stretch (t, z))) ->
  below_threshold over under [] (map stretch steps) ->
  under * (Z.of_nat (length steps) * (g * g)) <= square u * (under * (unit * unit) + 2 * over).
Proof.
  intros over under u g unit steps O U G L M B.
  assert (D : shortfall u g (map stretch steps) = 0).
  { clear - M. induction steps as [|[t z] rest IH]; cbn [map shortfall]; [reflexivity|].
    rewrite IH by (intros; apply M; right; assumption). specialize (M t z (or_introl eq_refl)). unfold shortfall_of. lia. }
  pose proof (agreement_grows u g (map stretch steps)) as A. rewrite D, map_length, Z.sub_0_r in A.
  pose proof (weights_stay_short over under (map stretch steps) U) as W.
  rewrite (no_excess_below_threshold _ _ _ _ B), map_length in W. pose proof (stretched_in_reach unit steps L) as R.
  pose proof (cauchy_schwarz u (concat (map stretch steps))) as C. pose proof (square_not_negative u) as N.
  set (m := Z.of_nat (length steps)) in *. set (w := dot u (concat (map stretch steps))) in *.
  set (s := square (concat (map stretch steps))) in *. assert (0 <= m) by (unfold m; lia).
  assert (X : 0 <= under * (unit * unit)) by (apply Z.mul_nonneg_nonneg; nia).
  destruct (Z.eq_dec m 0) as [E|E]; [rewrite E, Z.mul_0_l, Z.mul_0_r; apply Z.mul_nonneg_nonneg; lia|].
  assert (Y : under * longest (map stretch steps) <= under * (unit * unit)) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (W2 : under * s <= m * (under * (unit * unit) + 2 * over)).
  { eapply Z.le_trans; [exact W|]. rewrite Z.add_0_r. apply Z.mul_le_mono_nonneg_l; lia. }
  assert (P : (m * g) * (m * g) <= square u * s) by nia.
  apply (Zmult_le_reg_r _ _ m); [lia|].
  assert (square u * (under * s) <= square u * (m * (under * (unit * unit) + 2 * over))) by (apply Z.mul_le_mono_nonneg_l; lia).
  assert (under * ((m * g) * (m * g)) <= under * (square u * s)) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
Qed.
