//! Words for refusals of `milestone`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "milestones.not_allowed",
        "only the user, the team lead, the assistant and the moderator mark milestones, not {actor}",
        "ask one of them",
    ),
    Words::of("milestones.goes_on", "the {kind} \"{name}\" goes on", "`annals milestone end KIND` ends it"),
    Words::of("milestones.none_goes_on", "no {kind} goes on", "`annals milestone list` shows those there are"),
    Words::of(
        "milestones.bad_name",
        "a name is 1 to {most} letters, digits, dots, dashes and underscores",
        "issues tagged `#chapter-NAME` belong to the chapter NAME",
    ),
];
