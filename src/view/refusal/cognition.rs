//! Words for refusals of `cognition`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of("cognition.nothing_said", "nothing is said", "give at least one option; --help lists them"),
    Words::of("cognition.out_of_range", "{what:words} is from {low} to {high}", "give a number within the range"),
    Words::of("cognition.too_many", "{what:words}: more than {most} are too many", "say less, or in several commands"),
    Words::of(
        "cognition.not_there",
        "there is no {thing} {id} in this session",
        "`annals cognition show` lists what there is, with ids",
    ),
    Words::of("cognition.over", "{thing} {id} is {how:words} already", "nothing is left to do"),
    Words::of(
        "cognition.second_primary",
        "the session has a primary goal already: {goal}",
        "complete or abandon it, or add a subgoal",
    ),
    Words::of("cognition.no_focus", "no goal is in focus", "`annals cognition goal focus ID` turns to one"),
    Words::of(
        "cognition.golden_full",
        "as many facts as there may be ({most}) are verified already",
        "`annals cognition fact drop ID` makes room; cognition.max_golden is the limit",
    ),
    Words::of("cognition.only_system", "only the engine says this", "`annals triggers SESSION` has the engine look"),
    Words::of("cognition.happened", "{rule} was said of {cause} already", "nothing is left to do"),
    Words::of(
        "cognition.no_model_word",
        "no model said anything of {mode}",
        "`annals triggers judge FIRING` asks the one that you wrote down",
    ),
    Words::of("cognition.only_user", "only the user decides this", "the user says it, or a team lead"),
    Words::of("cognition.held", "{setting} is off", "`annals config set` turns it on"),
    Words::of("cognition.same_tone", "the tone is {tone} already", "nothing is left to do"),
    Words::of(
        "cognition.bad_state",
        "the state cannot be read: {problem.part}: {problem.problem}",
        "`annals cognition import` reads files of protocol 0.1 and 0.2",
    ),
    Words::of(
        "cognition.bad_state",
        "the state cannot be read: no emotions, metacognition, goals or epistemic state is in it",
        "`annals cognition import` reads files of protocol 0.1 and 0.2",
    ),
];
