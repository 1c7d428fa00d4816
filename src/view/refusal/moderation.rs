//! Words for refusals of `moderation`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of(
        "moderation.not_privileged",
        "{actor} may not do this: it is for the user, the team lead and the moderator",
        "ask the moderator, with a comment or an issue of its own",
    ),
    Words::of("moderation.own_freedom", "{actor} may not say how much freedom it has itself", "the user can"),
    Words::of("moderation.nothing_to_change", "nothing would change", "`annals moderate show` tells how it is"),
    Words::of("moderation.bad_tag", "a tag is a word", "as in #pacing"),
    Words::of("moderation.no_text", "there is no text", "say why: others read it"),
    Words::of(
        "moderation.bad_title",
        "an issue needs a title of 1 to {most} characters on one line",
        "put the rest into the body",
    ),
    Words::of(
        "moderation.not_several",
        "2 to {most} issues become one, not {count}",
        "name at least two issues, and join the rest afterwards",
    ),
    Words::of(
        "moderation.bad_slices",
        "a task is cut into 2 to 100 portions, not {slices}",
        "leave --slices out for the usual number",
    ),
    Words::of("moderation.bad_interest", "interest goes from 1 to 5, not to {interest}", "3 is usual"),
    Words::of(
        "moderation.unknown_agent",
        "there is no agent {agent} in the roster",
        "`annals agent list` shows those there are",
    ),
    Words::of("moderation.unknown_issue", "there is no issue {issue}", "`annals issue list` shows those there are"),
    Words::of(
        "moderation.issue_ended",
        "issue #{label} is {status}: it cannot become part of another one",
        "leave it out, or reopen it first",
    ),
    Words::of(
        "moderation.tag_frozen",
        "no new issues come under {tag} for now: {reason}",
        "comment on an issue that is there, or ask the moderator",
    ),
    Words::of("moderation.restricted", "{actor} decides nothing for now", "say what you would decide, in a comment"),
    Words::of(
        "moderation.low_trust",
        "{agent} is of low trust, and nobody else supports issue #{label}",
        "let another agent support it (`annals issue comment --stance support`), or ask the moderator",
    ),
    Words::of(
        "moderation.contested",
        "issue #{label} is contested, {support} for it and {oppose} against: {actor} does not decide it",
        "the user or the team lead resolves it; or answer the opposition, so that it says otherwise",
    ),
    Words::of(
        "moderation.not_alone",
        "issue #{label} is {impact}, and nobody but {actor} supports it",
        "let another agent support it (`annals issue comment --stance support`), or ask the moderator",
    ),
];
