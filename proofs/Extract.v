(** * The checks as OCaml

    Whole numbers become those of the module Integer: Zarith in the program, BigInt in the page. This table and that module
    are trusted. *)

Require Import ZArith List Bool FMapPositive Extraction.
From Littlestone Require Vectors Inequalities Perceptron Maps Network Finite Experts Randomized PassiveAggressive Winnow Balanced Romma
  Ridge Kernel Boxes Drawn Optimal Panel Hedge Elimination Drift.

Extraction Language OCaml.
Extract Inductive bool => "bool" [ "true" "false" ].
Extract Inductive option => "option" [ "Some" "None" ].
Extract Inductive list => "list" [ "[]" "(::)" ].
Extract Inductive prod => "(*)" [ "(,)" ].
Extract Inductive unit => "unit" [ "()" ].
Extract Inductive nat => "int" [ "0" "succ" ] "(fun none more n -> if n = 0 then none () else more (n - 1))".
Extract Inlined Constant Z.of_nat => "Integer.of_int".
Extract Inlined Constant andb => "(&&)".
Extract Inlined Constant orb => "(||)".
Extract Inlined Constant negb => "not".

Extract Inductive positive => "Integer.t" [ "Integer.double_and_one" "Integer.double" "Integer.one" ] "Integer.case_positive".
Extract Inductive Z => "Integer.t" [ "Integer.zero" "(fun p -> p)" "Integer.negate" ] "Integer.case".
Extract Inlined Constant Pos.add => "Integer.add".
Extract Inlined Constant Pos.mul => "Integer.multiply".
Extract Inlined Constant Pos.eqb => "Integer.equal".
Extract Inlined Constant Pos.ltb => "Integer.less".
Extract Inlined Constant Z.add => "Integer.add".
Extract Inlined Constant Z.sub => "Integer.subtract".
Extract Inlined Constant Z.mul => "Integer.multiply".
Extract Inlined Constant Z.opp => "Integer.negate".
Extract Inlined Constant Z.max => "Integer.maximum".
Extract Inlined Constant Z.pow => "Integer.power".
Extract Inlined Constant Z.log2 => "Integer.log2".
Extract Inlined Constant Z.shiftr => "Integer.shift_down".
Extract Inlined Constant Z.eqb => "Integer.equal".
Extract Inlined Constant Z.ltb => "Integer.less".
Extract Inlined Constant Z.leb => "Integer.at_most".

Extraction "checks.ml" Perceptron.signed Network.step_between Perceptron.exceeds Perceptron.judge Maps.fast_measure
  Maps.fast_accepts Maps.fast_play Maps.check_run Network.fast_play_network Experts.play_advice Experts.majority Experts.follow
  Experts.check_majority Experts.check_leader PassiveAggressive.check_passive Winnow.check_steps_of_winnow
  Balanced.check_steps_of_balanced Romma.check_romma Finite.check_halving Finite.check_consistent Finite.halving_guess
  Finite.mistakes Finite.eliminate Randomized.sum Randomized.chances Randomized.check_randomized
  Finite.shown Boxes.close Boxes.inside Boxes.grow Boxes.check_closure Boxes.memorize Boxes.check_memorizer Drawn.harmonic
  Drawn.expected Drawn.check_drawn Optimal.depths Optimal.optimal_guess Optimal.check_optimal Ridge.check_ridge
  Kernel.measure_kernel Kernel.accepts_kernel Drawn.follow_drawn Drawn.lost Drawn.check_drawn_leader
  Panel.check_stretch Panel.check_forced Panel.check_mixture Hedge.check_hedge Elimination.check_elimination
  Drift.check_drift.
