(** * What the theorems rest on: each must print "Closed under the global context", which is: no axiom *)

From Littlestone Require Vectors Additive Inequalities Perceptron Maps Network Finite Experts Fractions PassiveAggressive Winnow Floors.

Print Assumptions Vectors.cauchy_schwarz.
Print Assumptions Inequalities.novikoff_is_right.
Print Assumptions Inequalities.hinge_is_right.
Print Assumptions Inequalities.squared_is_right.
Print Assumptions Inequalities.run_is_right.
Print Assumptions Inequalities.readable_is_right.
Print Assumptions Inequalities.deviation_is_right.
Print Assumptions Perceptron.accepted_bound_holds.
Print Assumptions Perceptron.accepted_bound_holds_of_run.
Print Assumptions Perceptron.exact_run_has_no_excess.
Print Assumptions Perceptron.hinge_bound.
Print Assumptions Perceptron.novikoff_bound.
Print Assumptions Maps.fast_measure_is_measure.
Print Assumptions Maps.fast_play_is_play.
Print Assumptions Maps.verified_bound_holds.
Print Assumptions Maps.checked_run_keeps_its_bound.
Print Assumptions Network.places_differ.
Print Assumptions Network.network_below_threshold.
Print Assumptions Network.network_keeps_its_bound.
Print Assumptions Network.checked_network_keeps_its_bound.
Print Assumptions Finite.halving_halves.
Print Assumptions Finite.checked_halving_keeps_its_bound.
Print Assumptions Finite.consistent_drops.
Print Assumptions Finite.checked_consistent_keeps_its_bound.
Print Assumptions Finite.elimination_drops.
Print Assumptions Finite.elimination_drops_many_first.
Print Assumptions Experts.majority_bound.
Print Assumptions Experts.checked_majority_keeps_its_bound.
Print Assumptions Experts.leader_bound.
Print Assumptions Experts.checked_leader_keeps_its_bound.
Print Assumptions PassiveAggressive.any_steps.
Print Assumptions PassiveAggressive.mistakes_are_paid.
Print Assumptions PassiveAggressive.passive_0_improves.
Print Assumptions PassiveAggressive.passive_1_improves.
Print Assumptions PassiveAggressive.passive_2_improves.
Print Assumptions PassiveAggressive.checked_passive_keeps_its_bound.
Print Assumptions Winnow.demotions_are_paid.
Print Assumptions Winnow.winnow_bound.
Print Assumptions Winnow.checked_winnow_keeps_its_bound.
Print Assumptions Winnow.checked_run_of_winnow_keeps_its_bound.
Print Assumptions Floors.forcing_set_forces.
Print Assumptions Floors.floor_of_linear_rules.
