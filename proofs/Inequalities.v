(** * The theorems of the Perceptron as inequalities between whole numbers

    Six numbers are measured of a list of n steps and a comparator u with margin g: N = |u|^2, D and S the sums of the
    shortfalls and of their squares, L = |w|^2, the reach R and the excess E. R, E and the square of g stand over a common
    denominator [under]. Each definition [exceeds_...] says that m steps are impossible; each lemma says that it is right:
    there are fewer than m. *)

Require Import ZArith Lia.
Open Scope Z_scope.

Record facts := {
  norm : Z;       (* |u|^2 *)
  margin : Z;     (* g *)
  under : Z;      (* the denominator of the threshold *)
  reach : Z;      (* [under] times the largest |z|^2 + 2 threshold *)
  missing : Z;    (* D, the sum of the shortfalls (g - u.z)+ *)
  missing2 : Z;   (* S, the sum of their squares *)
  final : Z;       (* L = |w|^2 at the end *)
  beyond : Z      (* E, [under] times twice what agreements exceeded the threshold by *)
}.

(** m g > |u| sqrt(m R + E) *)
Definition exceeds_novikoff (f : facts) (m : Z) : bool :=
  (missing f =? 0) && (0 <? m)
  && (norm f * (reach f * m + beyond f) <? under f * ((m * margin f) * (m * margin f))).

(** m g - D > |u| sqrt(m R + E) *)
Definition exceeds_hinge (f : facts) (m : Z) : bool :=
  let rest := m * margin f - missing f in
  (0 <? rest) && (norm f * (reach f * m + beyond f) <? under f * (rest * rest)).

(** m g - D > |u| |w| *)
Definition exceeds_run (f : facts) (m : Z) : bool :=
  let rest := m * margin f - missing f in
  (0 <? rest) && (norm f * final f <? rest * rest).

(** m > r^2 + 2 D / g, with r^2 = |u|^2 (R + E) / g^2 *)
Definition exceeds_deviation (f : facts) (m : Z) : bool :=
  (0 <? m) && (norm f * (reach f + beyond f) + 2 * under f * missing f * margin f
               <? under f * m * (margin f * margin f)).

(** m > L + r sqrt(L) + r^2 with L = D / g *)
Definition exceeds_readable (f : facts) (m : Z) : bool :=
  let ratio := norm f * (reach f + beyond f) in
  let rest := under f * m * (margin f * margin f) - under f * missing f * margin f - ratio in
  (0 <? m) && (0 <? rest) && (ratio * (under f * missing f * margin f) <? rest * rest).

(** m > (r + sqrt(S) / g)^2 *)
Definition exceeds_squared (f : facts) (m : Z) : bool :=
  let ratio := norm f * (reach f + beyond f) in
  let rest := under f * m * (margin f * margin f) - ratio - under f * missing2 f in
  (0 <? m) && (0 <? rest) && (4 * ratio * (under f * missing2 f) <? rest * rest).

(** What is true of n steps whose weights agree with u by [w]; see Additive.v for why. *)
Record true_of (f : facts) (n w : Z) : Prop := {
  margin_positive : 0 < margin f;
  under_positive : 0 < under f;
  count_natural : 0 <= n;
  norm_natural : 0 <= norm f;
  reach_natural : 0 <= reach f;
  missing_natural : 0 <= missing f;
  missing2_natural : 0 <= missing2 f;
  beyond_natural : 0 <= beyond f;
  agreement_large : n * margin f - missing f <= w;
  agreement_small : w * w <= norm f * final f;
  size_small : under f * final f <= n * reach f + beyond f;
  missing_by_squares : missing f * missing f <= n * missing2 f
}.

Ltac read_facts H :=
  destruct H as [G U Nn N R D S E A C L Q];
  match goal with f : facts |- _ => destruct f as [no g c r d s l e];
    cbn [norm margin under reach missing missing2 final beyond] in * end.

Ltac read_check H :=
  repeat match type of H with
  | (_ && _)%bool = true => apply andb_prop in H; let K := fresh "K" in destruct H as [H K]; read_check K
  | (_ <? _) = true => apply Z.ltb_lt in H
  | (_ =? _) = true => apply Z.eqb_eq in H
  end.

(** Where n g - D is positive, its square is at most |u|^2 (n R + E). *)
Lemma square_of_rest : forall f n w, true_of f n w -> 0 < n * margin f - missing f ->
  under f * ((n * margin f - missing f) * (n * margin f - missing f)) <= norm f * (n * reach f + beyond f).
Proof.
  intros f n w H P. read_facts H. remember (n * g - d) as a.
  assert (a * a <= no * l) by nia. assert (c * (a * a) <= c * (no * l)) by nia.
  assert (no * (c * l) <= no * (n * r + e)) by nia. nia.
Qed.

Lemma square_of_rest_by_count : forall f n w, true_of f n w -> 0 < n * margin f - missing f -> 1 <= n ->
  under f * ((n * margin f - missing f) * (n * margin f - missing f)) <= n * (norm f * (reach f + beyond f)).
Proof.
  intros f n w H P O. pose proof (square_of_rest f n w H P) as X. read_facts H.
  eapply Z.le_trans; [exact X|]. assert (e <= n * e) by nia. nia.
Qed.

Theorem hinge_is_right : forall f n w m, true_of f n w -> exceeds_hinge f m = true -> n < m.
Proof.
  intros f n w m H X. unfold exceeds_hinge in X. read_check X.
  destruct (Z_lt_le_dec n m) as [|M]; [assumption|exfalso].
  assert (P : 0 < n * margin f - missing f) by (destruct H; nia).
  pose proof (square_of_rest f n w H P) as Y. read_facts H.
  remember (m * g - d) as a. remember (n * g - d) as b.
  remember (r * m + e) as p. remember (n * r + e) as q.
  assert (AB : a <= b) by nia.
  assert (RATIO : a * q <= b * p).
  { assert (b * p - a * q = (n - m) * (g * e + d * r)) by (subst; ring). nia. }
  assert (no * (a * q) <= no * (b * p)) by nia.
  assert (a * (c * (b * b)) <= a * (no * q)) by nia.
  assert (b * (no * p) < b * (c * (a * a))) by nia.
  assert (a * (c * (b * b)) < b * (c * (a * a))) by lia.
  assert (0 < a * b * c) by nia. nia.
Qed.

Theorem novikoff_is_right : forall f n w m, true_of f n w -> exceeds_novikoff f m = true -> n < m.
Proof.
  intros f n w m H X. apply (hinge_is_right f n w m H).
  unfold exceeds_novikoff in X. unfold exceeds_hinge. read_check X. rewrite X, !Z.sub_0_r.
  apply andb_true_intro. split; apply Z.ltb_lt; [destruct H; nia | assumption].
Qed.

Theorem run_is_right : forall f n w m, true_of f n w -> exceeds_run f m = true -> n < m.
Proof.
  intros f n w m H X. unfold exceeds_run in X. read_check X.
  destruct (Z_lt_le_dec n m) as [|M]; [assumption|exfalso]. read_facts H.
  assert (m * g - d <= w) by nia. nia.
Qed.

Theorem deviation_is_right : forall f n w m, true_of f n w -> exceeds_deviation f m = true -> n < m.
Proof.
  intros f n w m H X. unfold exceeds_deviation in X. read_check X.
  destruct (Z_lt_le_dec n m) as [|M]; [assumption|exfalso].
  destruct (Z_lt_le_dec 0 (n * margin f - missing f)) as [P|P].
  - pose proof (square_of_rest_by_count f n w H P ltac:(lia)) as Y. read_facts H.
    remember (no * (r + e)) as x.
    assert (c * m * (g * g) <= c * n * (g * g)) by nia.
    assert (n * (x + 2 * c * d * g) < n * (c * n * (g * g))) by (apply Z.mul_lt_mono_pos_l; lia).
    assert (0 <= c * (d * d)) by nia. nia.
  - read_facts H. assert (c * m * (g * g) <= c * n * (g * g)) by nia.
    assert (0 <= no * (r + e)) by nia.
    assert (c * g * (n * g) <= c * g * d) by nia. assert (0 <= c * g * d) by nia. nia.
Qed.

(** Three facts about whole numbers, apart so that they are found quickly. *)
Lemma readable_arithmetic : forall T x k, 0 < T -> 0 <= x -> (T + x) * (T + x) <= x * (T + x + k) -> T * T <= x * k.
Proof. intros. nia. Qed.

Lemma times_both_sides : forall k a b, 0 <= k -> a <= b -> k * a <= k * b.
Proof. intros. nia. Qed.

Lemma squared_arithmetic : forall n c d a s x T,
  1 <= n -> 0 < c -> 0 <= d -> 0 < a -> 0 <= s -> 0 <= x -> 0 < T ->
  d * d <= n * s -> c * (a * a) <= n * x -> n * T = c * ((d + a) * (d + a)) - n * x - c * (n * s) ->
  T * T <= 4 * x * (c * s).
Proof.
  intros n c d a s x T O C D A S X P Q Y F.
  assert (CD : c * (d * d) <= n * (c * s)) by (clear - C Q; nia).
  assert (F1 : n * T <= 2 * (c * (d * a))).
  { replace (c * ((d + a) * (d + a))) with (c * (d * d) + 2 * (c * (d * a)) + c * (a * a)) in F by ring. lia. }
  assert (F2 : (n * T) * (n * T) <= (2 * (c * (d * a))) * (2 * (c * (d * a)))).
  { apply Z.square_le_mono_nonneg; [clear - O P; nia | exact F1]. }
  assert (B : (c * (d * d)) * (c * (a * a)) <= (n * (c * s)) * (n * x)).
  { apply Z.mul_le_mono_nonneg; [clear - C D; nia | exact CD | clear - C A; nia | exact Y]. }
  assert ((n * n) * (T * T) <= (n * n) * (4 * x * (c * s))).
  { replace ((n * n) * (T * T)) with ((n * T) * (n * T)) by ring.
    eapply Z.le_trans; [exact F2|].
    replace ((2 * (c * (d * a))) * (2 * (c * (d * a)))) with (4 * ((c * (d * d)) * (c * (a * a)))) by ring.
    replace ((n * n) * (4 * x * (c * s))) with (4 * ((n * (c * s)) * (n * x))) by ring. lia. }
  apply (Zmult_le_reg_r _ _ (n * n)); [clear - O; nia | lia].
Qed.

Theorem readable_is_right : forall f n w m, true_of f n w -> exceeds_readable f m = true -> n < m.
Proof.
  intros f n w m H X. unfold exceeds_readable in X. read_check X.
  destruct (Z_lt_le_dec n m) as [|M]; [assumption|exfalso].
  assert (O : 1 <= n) by lia.
  assert (RATIO : 0 <= norm f * (reach f + beyond f)) by (destruct H; apply Z.mul_nonneg_nonneg; lia).
  assert (GROWS : under f * m * (margin f * margin f) <= under f * n * (margin f * margin f)).
  { destruct H. apply Z.mul_le_mono_nonneg_r; [nia|]. apply Z.mul_le_mono_nonneg_l; lia. }
  assert (P : 0 < n * margin f - missing f).
  { destruct H as [G U _ _ _ _ _ _ _ _ _ _].
    assert (0 < (under f * margin f) * (n * margin f - missing f)) by lia.
    apply (Z.mul_pos_cancel_l (under f * margin f)); [apply Z.mul_pos_pos; lia | lia]. }
  pose proof (square_of_rest_by_count f n w H P O) as Y. read_facts H.
  set (x := no * (r + e)) in *. set (k := c * d * g) in *.
  set (T := c * n * (g * g) - k - x).
  assert (TPOS : 0 < T) by (unfold T; lia).
  assert (GREW : (c * m * (g * g) - k - x) * (c * m * (g * g) - k - x) <= T * T).
  { apply Z.square_le_mono_nonneg; unfold T; lia. }
  assert (Y2 : c * (g * g) * (c * ((n * g - d) * (n * g - d))) <= c * (g * g) * (n * x)).
  { apply times_both_sides; [clear - U; nia | exact Y]. }
  replace (c * (g * g) * (c * ((n * g - d) * (n * g - d)))) with ((T + x) * (T + x)) in Y2
    by (unfold T, k; ring).
  replace (c * (g * g) * (n * x)) with (x * (T + x + k)) in Y2 by (unfold T; ring).
  pose proof (readable_arithmetic T x k TPOS RATIO Y2). lia.
Qed.

Theorem squared_is_right : forall f n w m, true_of f n w -> exceeds_squared f m = true -> n < m.
Proof.
  intros f n w m H X. unfold exceeds_squared in X. read_check X.
  destruct (Z_lt_le_dec n m) as [|M]; [assumption|exfalso].
  assert (O : 1 <= n) by lia.
  assert (RATIO : 0 <= norm f * (reach f + beyond f)) by (destruct H; apply Z.mul_nonneg_nonneg; lia).
  assert (GROWS : under f * m * (margin f * margin f) <= under f * n * (margin f * margin f)).
  { destruct H. apply Z.mul_le_mono_nonneg_r; [nia|]. apply Z.mul_le_mono_nonneg_l; lia. }
  destruct (Z_lt_le_dec 0 (n * margin f - missing f)) as [P|P].
  - pose proof (square_of_rest_by_count f n w H P O) as Y. read_facts H.
    set (x := no * (r + e)) in *. set (T := c * n * (g * g) - x - c * s).
    assert (TPOS : 0 < T) by (unfold T; lia).
    assert (GREW : (c * m * (g * g) - x - c * s) * (c * m * (g * g) - x - c * s) <= T * T).
    { apply Z.square_le_mono_nonneg; unfold T; lia. }
    pose proof (squared_arithmetic n c d (n * g - d) s x T O U D P S RATIO TPOS Q Y ltac:(unfold T; ring)). lia.
  - read_facts H. set (x := no * (r + e)) in *.
    assert (SMALL : (n * g) * (n * g) <= n * s).
    { eapply Z.le_trans; [|exact Q]. apply Z.square_le_mono_nonneg; [clear - O G; nia | lia]. }
    assert (n * (g * g) <= s) by (clear - SMALL O; apply (Zmult_le_reg_r _ _ n); lia).
    assert (c * (n * (g * g)) <= c * s) by (apply times_both_sides; lia).
    lia.
Qed.
