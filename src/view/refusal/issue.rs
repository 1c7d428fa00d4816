//! Words for refusals of `issue`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of("issues.unknown_issue", "there is no issue {issue}", "`annals issue list` shows those there are"),
    Words::of(
        "issues.bad_title",
        "an issue needs a title of 1 to {most} characters on one line",
        "put the rest into the body",
    ),
    Words::of(
        "issues.too_long",
        "a text may have {most} characters at most; this one has {length}",
        "put the material into a file of the project and cite it",
    ),
    Words::of("issues.no_text", "there is no text", "give the text as an argument, or `-` to read it from stdin"),
    Words::of("issues.known_source", "{origin} is issue {issue} already", "`annals issue show` shows it"),
    Words::of(
        "issues.frozen",
        "issue #{label} is frozen until {until}",
        "the moderator can unfreeze it: `annals issue unfreeze`",
    ),
    Words::of(
        "issues.frozen_for_good",
        "issue #{label} was frozen {freezes} times, and only user, moderator or team lead can end that",
        "`annals issue unfreeze`, by one of them",
    ),
    Words::of(
        "issues.not_then",
        "issue #{label} is {from}, and {what:words} is not allowed then",
        "`annals issue show` tells how it is; `annals issue reopen` takes an ended one up again",
    ),
    Words::of(
        "issues.too_early",
        "issue #{label} has {turns} of {least} comments, this one included: too few to resolve it",
        "let others speak; user and moderator can force it with `--force REASON`",
    ),
    Words::of(
        "issues.not_privileged",
        "{actor} may not {what:words}: that is for the user, the team lead and the moderator",
        "ask the moderator, with a comment or an issue of its own",
    ),
    Words::of(
        "issues.nothing_to_change",
        "nothing about issue #{label} would change",
        "`annals issue show` tells how it is",
    ),
    Words::of(
        "issues.reserved_tag",
        "{tag} stands for issues about the swarm itself, and only rules give or take it",
        "take another tag",
    ),
    Words::of(
        "issues.unchanged",
        "{file} is as it was when it was cited on issue #{label}: it shows no change",
        "name a file that changed since, or a commit",
    ),
    Words::of(
        "issues.old_commit",
        "the commit is of {committed_at}, and issue #{label} was opened {opened_at}: it shows nothing that the issue led to",
        "name a commit that was made since, or a file that changed",
    ),
    Words::of(
        "issues.circular",
        "issue #{label} would wait for itself",
        "take one of the links back with `annals issue link --remove`",
    ),
    Words::of(
        "issues.refuted",
        "the file or commit that is to show that issue #{label} was applied is not in the project",
        "name what is there; a claim that is not true costs credits",
    ),
    Words::of(
        "issues.not_shown",
        "to mark issue #{label} as applied, name a file or a commit of the project that shows it",
        "`--file PATH` or `--commit HASH`, of something that is there",
    ),
];
