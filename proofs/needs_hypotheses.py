"""Show that theorems need what they suppose: with one hypothesis replaced by True, the proof must no longer pass.

    python needs_hypotheses.py [FOLDER_WITH_COMPILED_PROOFS]

Each line of the table is a file, a statement in it, and one of its hypotheses; of a check, one of what it asks for.
The file is compiled twice: as it is, which must pass, and with that hypothesis gone, which must fail.
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TABLE = [
    ("Inequalities.v", "Definition exceeds_novikoff", "(missing f =? 0)"),
    ("Inequalities.v", "Definition exceeds_novikoff", "(0 <? m)"),
    ("Inequalities.v", "Definition exceeds_hinge", "(0 <? rest)"),
    ("Inequalities.v", "Definition exceeds_run", "(0 <? rest)"),
    ("Inequalities.v", "Definition exceeds_deviation", "(0 <? m)"),
    ("Inequalities.v", "Definition exceeds_readable", "(0 <? rest)"),
    ("Inequalities.v", "Definition exceeds_squared", "(0 <? rest)"),
    ("Inequalities.v", "Record true_of", "0 < margin f"),
    ("Inequalities.v", "Record true_of", "0 < under f"),
    ("Inequalities.v", "Record true_of", "0 <= missing f"),
    ("Inequalities.v", "Record true_of", "0 <= beyond f"),
    ("Inequalities.v", "Record true_of", "n * margin f - missing f <= w"),
    ("Inequalities.v", "Record true_of", "w * w <= norm f * final f"),
    ("Inequalities.v", "Record true_of", "under f * final f <= n * reach f + beyond f"),
    ("Inequalities.v", "Record true_of", "missing f * missing f <= n * missing2 f"),
    ("Perceptron.v", "Definition judge", "(0 <=? over)"),
    ("Perceptron.v", "Definition judge", "(0 <? under f)"),
    ("Perceptron.v", "Definition judge", "(0 <? margin f)"),
    ("Perceptron.v", "Definition judge", "exceeds name f (bound + 1)"),
    ("Perceptron.v", "Theorem hinge_bound", "longest (updates r rounds) <= reach"),
    ("Perceptron.v", "Theorem hinge_bound", "0 < rest"),
    ("Perceptron.v", "Theorem novikoff_bound", "0 < g"),
    ("Perceptron.v", "Theorem novikoff_bound", "(forall label row, In (label, row) rounds -> square row <= reach)"),
    ("Perceptron.v", "Theorem novikoff_bound",
     "(forall label row, In (label, row) rounds -> g <= dot u (signed label row))"),
    ("Maps.v", "Theorem verified_bound_holds", "fast_accepts name over under u g steps bound = true"),
    ("Maps.v", "Theorem checked_run_keeps_its_bound", "check_run name r u g rounds bound = true"),
    ("Network.v", "Theorem places_differ", "(c <= classes)%positive"),
    ("Network.v", "Theorem places_differ", "(d <= classes)%positive"),
    ("Network.v", "Theorem checked_network_keeps_its_bound",
     "check_network name r classes met u g rounds bound = true"),
    ("Finite.v", "Theorem halving_halves", "(forall r, In r rounds -> In (snd r) labels)"),
    ("Finite.v", "Definition check_halving", "forallb (fun r => existsb (Z.eqb (snd r)) labels) rounds"),
    ("Finite.v", "Definition check_halving", "(count space <? 2 ^ (bound + 1) * count (survivors rounds space))"),
    ("Finite.v", "Theorem consistent_drops", "(forall s x, s <> [] -> exists h, pick s x = Some h /\\ In h s)"),
    ("Finite.v", "Theorem consistent_drops", "survivors rounds space <> []"),
    ("Finite.v", "Definition check_consistent", "(0 <? remain)"),
    ("Finite.v", "Theorem elimination_drops ", "eliminate rounds literals = Some (m, kept)"),
    ("Finite.v", "Theorem elimination_drops_many_first",
     "(forall x, In (x, false) rounds -> k <= count (filter (fun l : literal => l x) literals))"),
    ("Experts.v", "Theorem majority_bound", "0 <= p < q"),
    ("Experts.v", "Theorem majority_bound", "In e experts"),
    ("Experts.v", "Definition check_majority", "(p <? q)"),
    ("Experts.v", "Definition check_majority", "(0 <=? bound)"),
    ("Experts.v", "Theorem leader_bound", "In e experts"),
    ("PassiveAggressive.v", "Theorem any_steps ", "Forall (fun step => 0 <= fst step) steps"),
    ("PassiveAggressive.v", "Theorem mistakes_are_paid", "(forall z, In z rows -> improves charge far k least u z)"),
    ("PassiveAggressive.v", "Theorem passive_0_improves", "0 < k"),
    ("PassiveAggressive.v", "Theorem passive_0_improves", "least * reach <= k * k"),
    ("PassiveAggressive.v", "Theorem passive_0_improves", "times z z <= reach"),
    ("PassiveAggressive.v", "Theorem passive_0_improves", "k <= times u z"),
    ("PassiveAggressive.v", "Theorem passive_1_improves", "least <= C * k"),
    ("PassiveAggressive.v", "Theorem passive_1_improves", "times z z <= reach"),
    ("PassiveAggressive.v", "Theorem passive_2_improves", "0 < a"),
    ("PassiveAggressive.v", "Theorem passive_2_improves", "times z z <= reach"),
    ("PassiveAggressive.v", "Definition check_passive", "(negb (Qle_bool least 0))"),
    ("Winnow.v", "Hypothesis b_large", "1 < b"),
    ("Winnow.v", "Hypothesis low_positive", "0 < low"),
    ("Winnow.v", "Theorem winnow_bound", "attributes <> []"),
    ("Winnow.v", "Theorem winnow_bound", "0 <= q"),
    ("Winnow.v", "Theorem winnow_bound", "(0 <= most)%Z"),
    ("Winnow.v", "Theorem winnow_bound", "(forall i, 0 <= m i)"),
    ("Winnow.v", "Theorem winnow_bound", "never_above most start steps"),
    ("Winnow.v", "Theorem checked_winnow_keeps_its_bound", "0 <= high"),
    ("Winnow.v", "Theorem checked_run_of_winnow_keeps_its_bound", "high <= b ^ most"),
    ("Floors.v", "Definition forces", "negb (match set with [] => true | _ => false end)"),
    ("Floors.v", "Definition forces", "forallb (fun e => 0 <? fst e) set"),
    ("Floors.v", "Definition forces", "is_nothing (add_up set)"),
    ("Floors.v", "Theorem floor_of_linear_rules", "forallb forces sets = true"),
    ("Randomized.v", "Theorem product_by_mean", "Forall (fun x => 0 < x) l"),
    ("Randomized.v", "Theorem randomized_majority_bound", "0 < b"),
    ("Randomized.v", "Theorem randomized_majority_bound", "Forall (fun x => 0 < x) ws"),
    ("Randomized.v", "Theorem randomized_majority_bound", "In w (after b ws rounds)"),
    ("Randomized.v", "Theorem randomized_majority_bound", "rounds <> []"),
    ("Randomized.v", "Theorem randomized_majority_against_an_expert", "(k < n)%nat"),
    ("Winnow.v", "Definition check_steps_of_winnow", "below 1 b"),
    ("Winnow.v", "Definition check_steps_of_winnow", "below 0 low"),
    ("Winnow.v", "Definition check_steps_of_winnow", "Qle_bool 0 high"),
    ("Winnow.v", "Definition check_steps_of_winnow", "(0 <=? q)%Z"),
    ("Winnow.v", "Definition check_steps_of_winnow", "stays_below b attributes most start steps"),
    ("Drift.v", "Fixpoint fair", "Bool.eqb (hits row set) up"),
    ("Drift.v", "Definition check_drift", "Qle_bool theta (2 ^ most)"),
    ("Drift.v", "Definition check_drift", "(0 <=? most)%Z"),
    ("Drift.v", "Definition check_drift", "below (breadth_of attributes) (2 * theta)"),
    ("Drift.v", "Definition check_drift", "fair theta attributes start steps"),
    ("Drift.v", "Definition check_drift", "((most + 1) * additions attributes [] steps <=? promoted)%Z"),
    ("Elimination.v", "Hypothesis b_large", "1 < b"),
    ("Elimination.v", "Theorem elimination_bound", "(forall i, 0 <= m i)"),
    ("Elimination.v", "Theorem elimination_bound", "(0 <= most)%Z"),
    ("Elimination.v", "Theorem elimination_bound", "spared m steps"),
    ("Elimination.v", "Theorem elimination_bound", "not_above most fresh steps"),
    ("Elimination.v", "Definition check_elimination", "below 1 b"),
    ("Elimination.v", "Definition check_elimination", "below 0 low"),
    ("Elimination.v", "Definition check_elimination", "Qle_bool 0 high"),
    ("Elimination.v", "Definition check_elimination", "(0 <? p)%Z"),
    ("Elimination.v", "Definition check_elimination", "(0 <=? most)%Z"),
    ("Elimination.v", "Definition check_elimination", "none_above b attributes most fresh steps"),
    ("Elimination.v", "Definition check_elimination",
     "Qle_bool (target_of attributes (target m) (snd st)) 0"),
    ("Randomized.v", "Definition check_randomized", "negb (Qle_bool b 0)"),
    ("Randomized.v", "Definition check_randomized", "Qle_bool b 1"),
    ("Randomized.v", "Definition check_randomized", "Nat.ltb k n"),
    ("League.v", "Definition sound", "0 <= fst r < 1"),
    ("League.v", "Definition sound", "Forall (fun p => 0 < p) (snd r)"),
    ("League.v", "Theorem league_bound", "(e < n)%nat"),
    ("League.v", "Theorem aggregating_bound", "positive_forecasts n forecasts"),
    ("League.v", "Theorem one_level", "forecasts <> []"),
    ("League.v", "Theorem two_levels",
     "map (fun ps => nth k ps 0) levels = mixed (start n) (numbered 0 forecasts)"),
    ("League.v", "Theorem two_levels", "(k < many)%nat"),
    ("League.v", "Theorem one_level_on_a_stretch", "positive_forecasts n before"),
    ("League.v", "Theorem one_level_on_a_stretch", "during <> []"),
    ("League.v", "Theorem two_levels_on_a_stretch", "length earlier = length before"),
    ("Panel.v", "Definition check_stretch", "Nat.eqb (length theirs) (length served)"),
    ("Panel.v", "Definition check_stretch", "(multiply theirs <=? factor * multiply served)"),
    ("Panel.v", "Definition check_forced", "(count <=? forced rows)"),
    ("Panel.v", "Definition check_forced", "(missed (repeat e (length rows)) rows <=? bound)"),
    ("Panel.v", "Theorem checked_forced_mistakes", "length choices = length rows"),
    ("Panel.v", "Definition fits", "Nat.eqb (length (fst r)) (length shares)"),
    ("Panel.v", "Definition fits", "forallb (Z.ltb 0) (fst r)"),
    ("Panel.v", "Definition fits", "(0 <? dot shares (fst r))"),
    ("Panel.v", "Definition fits", "above scale (dot shares (fst r)) (fst r) (snd r)"),
    ("Panel.v", "Definition check_mixture", "(0 <? scale)"),
    ("Panel.v", "Definition check_mixture", "forallb (fun r => r <=? most) (ratios_of (length shares) rows)"),
    ("Panel.v", "Theorem checked_mixture_is_nearly_best", "Forall (fun w => 0 <= w) ws"),
    ("Panel.v", "Theorem checked_mixture_is_nearly_best", "0 < total ws"),
    ("Hedge.v", "Definition proper", "length r = n"),
    ("Hedge.v", "Theorem hedge_bound", "0 < b"),
    ("Hedge.v", "Theorem hedge_bound", "0 <= s < 1"),
    ("Hedge.v", "Theorem hedge_bound", "Forall (proper b n) rounds"),
    ("Hedge.v", "Theorem hedge_bound", "length path = length rounds"),
    ("Hedge.v", "Theorem hedge_bound", "Forall (fun e => (e < n)%nat) path"),
    ("Hedge.v", "Definition is_proper", "Qle_bool 0 (fst x)"),
    ("Hedge.v", "Definition is_proper", "Qle_bool (fst x) 1"),
    ("Hedge.v", "Definition is_proper", "below 0 (snd x)"),
    ("Hedge.v", "Definition is_proper", "Qle_bool (snd x) (1 - (1 - b) * fst x)"),
    ("Hedge.v", "Definition check_hedge", "below 0 b"),
    ("Hedge.v", "Definition check_hedge", "Qle_bool b 1"),
    ("Hedge.v", "Definition check_hedge", "Qle_bool 0 s"),
    ("Hedge.v", "Definition check_hedge", "below s 1"),
    ("Hedge.v", "Theorem sleep_leaves_the_mean", "length said = length ws"),
    ("Hedge.v", "Theorem sleep_leaves_the_mean", "snd (awake ws said) == h * fst (awake ws said)"),
    ("Hedge.v", "Theorem power_below_chord", "0 < c <= 1"),
    ("Hedge.v", "Theorem power_below_chord", "(p <= k)%nat"),
    ("Hedge.v", "Theorem hedge_against_an_expert", "(e < n)%nat"),
    ("Hedge.v", "Theorem hedge_against_an_expert",
     "Forall (fun r => length r = n /\\ Forall (fun p => (p <= k)%nat) r) rounds"),
    ("Logarithms.v", "Theorem log_below_power", "0 < x"),
    ("Logarithms.v", "Theorem log_above_power", "0 < x"),
    ("Balanced.v", "Hypothesis b_large", "1 < b"),
    ("Balanced.v", "Theorem weights_agree", "(0 < parts)%nat"),
    ("Balanced.v", "Definition check_balanced", "(0 <=? up)%Z"),
    ("Balanced.v", "Definition check_balanced", "(0 <=? cost)%Z"),
    ("Balanced.v", "Definition check_balanced", "(0 <=? rest)%Z"),
    ("Balanced.v", "Definition check_balanced", "forallb signs steps"),
    ("Balanced.v", "Definition check_balanced", "below 0 gain"),
    ("Balanced.v", "Definition check_steps_of_balanced", "below 1 b"),
    ("Normalized.v", "Theorem checked_stretched_keeps_its_bound",
     "check_stretched name over under u g steps bound = true"),
    ("Normalized.v", "Theorem stretched_bound", "0 < g"),
    ("Normalized.v", "Theorem stretched_bound", "(forall t z, In (t, z) steps -> t * t * square z <= unit * unit)"),
    ("Normalized.v", "Theorem stretched_bound", "below_threshold over under [] (map stretch steps)"),
    ("Romma.v", "Lemma turned", "g <= times u z"),
    ("Romma.v", "Theorem romma_bound", "0 < g"),
    ("Romma.v", "Theorem romma_bound", "(forall z, In z rows -> g <= times u z)"),
    ("Romma.v", "Theorem romma_bound", "(forall z, In z rows -> times z z <= reach)"),
    ("Romma.v", "Definition check_romma", "below 0 g"),
    ("Ridge.v", "Theorem ridge_identity", "0 < r"),
    ("Ridge.v", "Theorem ridge_mistakes", "0 < r"),
    ("Ridge.v", "Definition check_ridge", "negb (Qle_bool r 0)"),
    ("Ridge.v", "Definition check_ridge", "Qle_bool (cost u past) bound"),
    ("Ridge.v", "Theorem forward_identity", "0 < r"),
    ("Ridge.v", "Theorem checked_forward_keeps_its_bound", "charges past <= charged"),
    ("Boxes.v", "Theorem closure_bound", "close rounds b = Some (m, last)"),
    ("Boxes.v", "Definition check_closure", "extent last <=? bound"),
    ("Boxes.v", "Theorem memorizer_bound", "memorize rounds memory = Some (m, last)"),
    ("Boxes.v", "Definition check_memorizer", "Z.of_nat (length last) <=? bound"),
    ("Drawn.v", "Lemma share_below_harmonic", "(k <= n)%nat"),
    ("Drawn.v", "Theorem checked_drawing_keeps_its_bound", "check_drawn space rounds bound = true"),
    ("Drawn.v", "Theorem drawn_leader_bound", "In l (lost (repeat 0%Z n) rounds)"),
    ("Drawn.v", "Theorem drawn_leader_bound", "(0 < n)%nat"),
    ("Drawn.v", "Definition check_drawn_leader", "Nat.ltb 0 n"),
    ("Optimal.v", "Theorem optimal_mistakes", "survivors instance rounds space <> []"),
    ("Optimal.v", "Theorem optimal_mistakes",
     "(forall r, In r rounds -> In (fst r) points /\\ (snd r = 0%Z \\/ snd r = 1%Z))"),
    ("Optimal.v", "Definition check_optimal", "some (survivors instance rounds space)"),
    ("Optimal.v", "Definition check_optimal", "existsb (same (fst r)) points"),
    ("Optimal.v", "Theorem checked_optimal_keeps_its_bound", "(forall x z, same x z = true -> x = z)"),
    ("Kernel.v", "Hypothesis symmetric", "forall i j, K i j = K j i"),
    ("Kernel.v", "Hypothesis natural", "forall a, 0 <= inner a a"),
    ("Kernel.v", "Theorem checked_kernel_keeps_its_bound",
     "accepts_kernel name over under u g steps bound = true"),
]  # fmt: skip
SECONDS = 60


def remove(text: str, statement: str, hypothesis: str) -> str:
    """The file with a hypothesis, at its first place after the beginning of a statement, replaced by what is true."""
    start = text.index(statement)
    place = text.index(hypothesis, start)
    plain = "true" if statement.startswith(("Definition", "Fixpoint")) else "True"
    return text[:place] + plain + text[place + len(hypothesis) :]


def passes(compiled: Path, name: str, text: str) -> bool:
    """Whether Coq accepts a file."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / name).write_text(text)
        command = ["coqc", "-Q", compiled, "Littlestone", Path(folder) / name]
        try:
            return subprocess.run(command, capture_output=True, timeout=SECONDS, check=False).returncode == 0
        except subprocess.TimeoutExpired:
            print(f"{name}: given up after {SECONDS} seconds")
            return False


def main(compiled: Path) -> int:
    """Go through the table; the exit status."""
    names = sorted({name for name, _, _ in TABLE})
    texts = [(name, (HERE / name).read_text()) for name in names]
    texts += [(name, remove((HERE / name).read_text(), statement, gone)) for name, statement, gone in TABLE]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(lambda one: passes(compiled, *one), texts))
    for name, whole in zip(names, passed, strict=False):
        assert whole, f"{name} does not pass as it is"
    idle = sum(passed[len(names) :])
    for (name, statement, gone), still in zip(TABLE, passed[len(names) :], strict=True):
        if still:
            print(f"{name}, {statement.strip()}: the proof does not need {gone}")
    print(f"hypotheses: {len(TABLE) - idle} of {len(TABLE)} are needed")
    return int(idle > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else HERE / "build"))
