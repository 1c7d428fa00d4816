//! Words for refusals of `advocate`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "advocate.not_privileged",
        "{actor} may not say who dissents: that is for the user, the team lead and the moderator",
        "ask the moderator, with a comment or an issue of its own",
    ),
    Words::of(
        "advocate.live",
        "{agent} is devil's advocate there already",
        "`annals advocate release` takes the task back first",
    ),
    Words::of("advocate.not_live", "nobody is devil's advocate there", "`annals advocate list` shows who is"),
    Words::of("advocate.unknown_issue", "there is no issue {issue}", "`annals issue list` shows those there are"),
    Words::of(
        "advocate.nothing_to_challenge",
        "issue #{label} is {status}: there is nothing to challenge",
        "a challenge is for a proposal that is still discussed",
    ),
    Words::of(
        "advocate.nothing_to_challenge",
        "issue #{label} is about the swarm itself: there is nothing to challenge",
        "a challenge is for a proposal that is still discussed",
    ),
    Words::of(
        "advocate.not_able",
        "{agent} is no active agent that can be devil's advocate",
        "`annals agent list` shows who can; without --agent, the next in turn is asked",
    ),
];
