//! Words of people and agents that show how they feel. English.

use std::sync::LazyLock;

use regex::Regex;

use crate::text::regex;

pub(super) static PLEASED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:thanks?(?: you)?|thx|great(?: job| work)?|perfect|awesome|excellent|nice(?: work| job|ly done)?|well done|good job|love it|lgtm|looks (?:good|great)|works (?:now|great|perfectly)|that worked|it worked|amazing|wonderful)\b",
    )
});
pub(super) static DISPLEASED: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:wtf|ugh|damn|still (?:not|doesn't|isn't|broken|failing|fails|wrong|getting|the same|seeing|see)|again\?|(?:that's|that’s|this is|it's|you're|is) (?:wrong|not (?:right|correct|what i (?:asked|wanted|meant))|broken|worse|terrible|ridiculous|awful)|doesn't work|does not work|didn't work|did not work|not working|you (?:broke|forgot|ignored|missed|keep|didn't|did not)|stop (?:doing|it|that|adding)|i (?:told|asked) you|why (?:did you|are you|is it still|do you keep)|undo (?:this|that|it)|revert (?:this|that|it)|this is (?:bad|a mess)|frustrat\w+|annoying)\b",
    )
});
pub(super) static DOUBTS: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:i(?:'m|’m| am) (?:worried|concerned|not (?:entirely |completely |fully )?(?:sure|certain)|unsure|afraid)|(?:this|that|it) (?:might|could|may) (?:break|fail|cause (?:problems|issues|conflicts)|lose|corrupt|be (?:risky|dangerous|destructive))|(?:is|be|seems|looks|too) (?:risky|dangerous)|i(?:'m|’m| am) stuck|no idea why|(?:this|that|it|which|something) (?:is|was|looks|seems|feels) (?:\w+ ){0,2}(?:strange|weird|odd|confusing|suspicious)|(?:strange|weird|odd|suspicious)[,.!])",
    )
});

/// Whether a person's words show displeasure.
pub(crate) fn is_displeased(words: &str) -> bool {
    DISPLEASED.is_match(words)
}

/// Whether a person is content, and says nothing else.
pub(crate) fn is_only_pleased(words: &str) -> bool {
    let rest = PLEASED.replace_all(words, " ");
    is_pleased(words)
        && rest.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).count() < 2
}

/// Whether a person's words show that they are content.
pub(crate) fn is_pleased(words: &str) -> bool {
    PLEASED.is_match(words)
}
