//! Words for refusals of `blind`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of("blind.open", "a blind pass on that issue goes on already", "`annals blind show` tells who is asked"),
    Words::of(
        "blind.nobody",
        "there is nobody to ask",
        "name agents with --agent, or set sanity.blind_pass_roles to roles that there are",
    ),
    Words::of("blind.not_open", "no blind pass goes on there", "`annals blind open` begins one"),
    Words::of("blind.not_asked", "{actor} is not asked in this blind pass", "`annals blind show` tells who is asked"),
    Words::of(
        "blind.given",
        "{actor} has given its opinion already",
        "say more in the discussion, when the pass is closed",
    ),
    Words::of("blind.bad_seal", "a sealed opinion is 64 hexadecimal digits", "`annals blind submit` makes it"),
    Words::of(
        "blind.awaited",
        "opinions are awaited; {actor} may not close the pass before: that is for user, team lead and moderator",
        "the pass closes by itself when all opinions are in",
    ),
    Words::of(
        "blind.sealed",
        "nothing is revealed before the pass is closed",
        "`annals blind show` tells whose opinion is awaited",
    ),
    Words::of(
        "blind.nothing_new",
        "there is nothing new to say about an opinion of {agent} there",
        "`annals blind show` tells who is asked",
    ),
    Words::of("blind.unknown_issue", "there is no issue {issue}", "`annals issue list` shows those there are"),
    Words::of(
        "blind.nothing_to_ask",
        "issue #{label} proposes nothing that is still open",
        "a blind pass comes before the discussion",
    ),
    Words::of(
        "blind.not_a_member",
        "{agent} is not an active agent of the roster",
        "`annals agent list` shows those there are",
    ),
    Words::of(
        "blind.not_an_opener",
        "{actor} may not begin a blind pass: user, team lead, moderator, and agents of these roles may: {roles}",
        "ask one of them",
    ),
    Words::of(
        "blind.not_privileged",
        "{actor} may not choose who is asked",
        "without --agent, those of sanity.blind_pass_roles are asked",
    ),
    Words::of(
        "blind.pass_open",
        "a blind pass goes on on issue #{label}: nobody speaks before all opinions are in",
        "`annals blind submit` gives your opinion, if you are asked",
    ),
    Words::of(
        "blind.pass_needed",
        "a {impact} comment on issue #{label} waits for a blind pass",
        "`annals blind open` begins it: for user, team lead, moderator, and the roles that are asked",
    ),
];
