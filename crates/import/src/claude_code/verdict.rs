//! How a call ended: done, failed, stopped, or never begun because somebody said no (FORMATS 1.6).
//!
//! Claude Code has one flag for all but the first (`is_error`); the rest is told by the wording, and in later versions
//! by `toolDenialKind`. Pure.

use std::borrow::Cow;

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClaudeVerdict {
    /// It did what it was asked.
    Done,
    /// It did not; the tool's text.
    Failed(Box<str>),
    /// It was stopped on its way, or before.
    Interrupted,
    /// A person said no; what the person said to it.
    Rejected(Option<Box<str>>),
    /// A rule or a hook said no; its words.
    Denied(Box<str>),
}

const INTERRUPTED: [&str; 3] =
    ["[Request interrupted by user", "[Tool call interrupted: ", "The user doesn't want to take this action right now"];

const REJECTED: [&str; 2] =
    ["The user doesn't want to proceed with this tool use", "The agent proposed a plan that was rejected by the user"];

/// How the refusals of rules begin, and what else must be in them.
const DENIED: [(&str, &str); 7] = [
    ("PreToolUse:", " hook"),
    ("Execution stopped by PreToolUse hook", ""),
    ("Permission to use ", " denied"),
    ("Permission for this action ", " denied"),
    ("Permission for this tool use was denied", ""),
    ("Claude requested permissions to ", "haven't granted it yet"),
    ("File is in a directory that is denied by your permission settings", ""),
];

/// The words of a person, where a refusal has any.
const WORDS: [&str; 2] = ["the user said:\n", "The user said:\n"];

impl ClaudeVerdict {
    /// Of a result whose flag is up.
    pub fn of_error(text: &str, short: Option<&str>, denial: Option<&str>) -> Self {
        let text = untagged(text);
        let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| text.starts_with(beginning));
        let words = WORDS.iter().find_map(|words| text.split_once(words)).map(|(_, said)| said.trim());
        let words = words.filter(|words| !words.is_empty()).map(Into::into);
        let is_rejected = begins(&REJECTED) || short == Some("User rejected tool use");
        match denial {
            Some("user-rejected") => Self::Rejected(words),
            // The session ended before the result came; resumed, it says so.
            Some("interrupted") => Self::Interrupted,
            Some(_) => Self::Denied(text.into()),
            None if begins(&INTERRUPTED) => Self::Interrupted,
            None if is_rejected => Self::Rejected(words),
            None if DENIED.iter().any(|(start, inside)| text.starts_with(start) && text.contains(inside)) => {
                // With words of a person in it a rule has asked, and the person has answered.
                if words.is_some() { Self::Rejected(words) } else { Self::Denied(text.into()) }
            }
            None => Self::Failed(text.into()),
        }
    }
}

/// The text without the tag around complaints of the tool itself.
fn untagged(text: &str) -> Cow<'_, str> {
    let inside = text.trim().strip_prefix("<tool_use_error>").and_then(|text| text.strip_suffix("</tool_use_error>"));
    Cow::Borrowed(inside.unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str) -> ClaudeVerdict {
        ClaudeVerdict::of_error(text, None, None)
    }

    #[test]
    fn a_failure_keeps_its_text_without_the_tag() {
        assert_eq!(verdict("Exit code 2\nno such file"), ClaudeVerdict::Failed("Exit code 2\nno such file".into()));
        assert_eq!(
            verdict("<tool_use_error>Not read yet</tool_use_error>"),
            ClaudeVerdict::Failed("Not read yet".into())
        );
    }

    #[test]
    fn a_no_of_a_person_is_told_from_a_no_of_a_rule() {
        let no = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
        assert_eq!(verdict(no), ClaudeVerdict::Rejected(None));
        let because = format!("{no} To tell you how to proceed, the user said:\nnot on main\n");
        assert_eq!(verdict(&because), ClaudeVerdict::Rejected(Some("not on main".into())));
        assert_eq!(ClaudeVerdict::of_error("no", Some("User rejected tool use"), None), ClaudeVerdict::Rejected(None));
        for rule in ["PreToolUse:Bash hook error: too late", "Permission to use Bash with command x has been denied."] {
            assert_eq!(verdict(rule), ClaudeVerdict::Denied(rule.into()));
        }
        assert_eq!(
            verdict("Permission to use this port is needed"),
            ClaudeVerdict::Failed("Permission to use this port is needed".into())
        );
    }

    #[test]
    fn later_versions_name_the_kind_of_no() {
        assert_eq!(ClaudeVerdict::of_error("odd words", None, Some("user-rejected")), ClaudeVerdict::Rejected(None));
        assert_eq!(
            ClaudeVerdict::of_error("git-guard: no", None, Some("permission-rule")),
            ClaudeVerdict::Denied("git-guard: no".into())
        );
    }

    #[test]
    fn what_was_stopped_is_interrupted() {
        assert_eq!(verdict("[Request interrupted by user for tool use]"), ClaudeVerdict::Interrupted);
        assert_eq!(verdict("The user doesn't want to take this action right now. STOP."), ClaudeVerdict::Interrupted);
        let lost = "[Tool call interrupted: the session ended before its result came]";
        assert_eq!(
            (verdict(lost), ClaudeVerdict::of_error(lost, None, Some("interrupted"))),
            (ClaudeVerdict::Interrupted, ClaudeVerdict::Interrupted)
        );
    }
}
