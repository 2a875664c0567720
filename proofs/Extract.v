(** * The checks as OCaml

    Whole numbers become those of the module Integer: Zarith in the program, BigInt in the page. This table and that module
    are trusted. *)

Require Import ZArith List Bool FMapPositive Extraction.
From Littlestone Require Import Vectors Inequalities Perceptron Maps Network Experts PassiveAggressive.

Extraction Language OCaml.
Extract Inductive bool => "bool" [ "true" "false" ].
Extract Inductive option => "option" [ "Some" "None" ].
Extract Inductive list => "list" [ "[]" "(::)" ].
Extract Inductive prod => "(*)" [ "(,)" ].
Extract Inductive unit => "unit" [ "()" ].
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
Extract Inlined Constant Z.eqb => "Integer.equal".
Extract Inlined Constant Z.ltb => "Integer.less".
Extract Inlined Constant Z.leb => "Integer.at_most".

Extraction "checks.ml" signed step_between exceeds judge fast_measure fast_accepts fast_play check_run fast_play_network
  play_advice majority follow check_majority check_leader check_passive.
