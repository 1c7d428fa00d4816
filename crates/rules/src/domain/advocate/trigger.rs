//! When a consensus needs a challenge (control-room 2.3, 7.2).
//!
//! Judges the voices that it is shown; does not choose who dissents.

use std::collections::BTreeSet;

use annals_kernel::grounding::{DissentReason, Impact, Stance};
use annals_kernel::id::AgentId;
use annals_kernel::settings::{Settings, settings};

settings! {
    /// Control-room 10.2.
    ENABLED: bool = true, "sanity.auto_devils_advocate_enabled",
        "whether a quick consensus makes somebody devil's advocate by itself", weakens WhenOff;
    /// Control-room 7.2.
    MIN_APPROVALS: u32 = 2, "dissent.min_approvals_before_trigger",
        "how many agents must approve before somebody is to challenge it", weakens WhenHigher;
    /// Control-room 7.2.
    MAX_TURNS: u32 = 2, "dissent.max_turns_for_quick_consensus",
        "within how many turns a consensus is a quick one; twice as many comments are looked at", weakens WhenLower;
    /// Control-room 7.2.
    REQUIRE_EVIDENCE: bool = true, "dissent.require_evidence_for_bypass",
        "whether an approval that cites at least two files or issues makes a challenge needless", weakens WhenOn;
}

/// So many files and issues are substantial (control-room 7.2).
const SUBSTANTIAL: u32 = 2;

/// What a comment said.
#[derive(Debug, Clone, Copy)]
pub struct CommentVoice<'v> {
    /// Whose it is.
    pub author: &'v AgentId,
    /// For, against, or neither.
    pub stance: Stance,
    /// How much it would change.
    pub impact: Option<Impact>,
    /// How many files, and how many issues and entries of canon it cites, as far as they are evidence.
    pub cited: (u16, u16),
}

/// Why the last of these comments of agents, the oldest first, need a challenge; nothing where they do not.
///
/// What would change much needs one however well it is founded: such comments must cite something anyway.
pub fn judge(voices: &[CommentVoice<'_>], settings: &Settings) -> Option<DissentReason> {
    let shown = settings.get(&MAX_TURNS).saturating_mul(2) as usize;
    let recent = &voices[voices.len().saturating_sub(shown)..];
    let approvals = || recent.iter().filter(|voice| voice.stance == Stance::Support);
    let least = settings.get(&MIN_APPROVALS) as usize;
    let high = approvals().filter(|voice| voice.impact.is_some_and(|impact| impact >= Impact::Structural));
    if authors(high) >= least {
        return Some(DissentReason::HighImpactProposal);
    }
    let is_substantial = |voice: &CommentVoice<'_>| u32::from(voice.cited.0) + u32::from(voice.cited.1) >= SUBSTANTIAL;
    let bypasses = settings.get(&REQUIRE_EVIDENCE) && approvals().any(is_substantial);
    if authors(approvals()) < least || bypasses {
        return None;
    }
    let cites_a_file = approvals().any(|voice| voice.cited.0 > 0);
    Some(if cites_a_file { DissentReason::QuickConsensus } else { DissentReason::NoEvidenceConsensus })
}

/// One agent that approves twice is no consensus.
fn authors<'v>(voices: impl Iterator<Item = &'v CommentVoice<'v>>) -> usize {
    voices.map(|voice| voice.author).collect::<BTreeSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Said<'s> = (&'s str, Stance, Option<Impact>, (u16, u16));

    fn reason(voices: &[Said<'_>]) -> Option<DissentReason> {
        reason_under(voices, &Settings::default())
    }

    fn reason_under(voices: &[Said<'_>], settings: &Settings) -> Option<DissentReason> {
        let authors: Vec<AgentId> = voices.iter().map(|(author, ..)| AgentId::from(*author)).collect();
        let voices = voices.iter().zip(&authors);
        let voices = voices.map(|((_, stance, impact, cited), author)| CommentVoice {
            author,
            stance: *stance,
            impact: *impact,
            cited: *cited,
        });
        judge(&voices.collect::<Vec<_>>(), settings)
    }

    const FOR: Stance = Stance::Support;

    /// Control-room 7.2.
    #[test]
    fn two_approvals_without_substantial_evidence_need_a_challenge() {
        assert_eq!(reason(&[]), None);
        assert_eq!(reason(&[("a", FOR, None, (0, 0))]), None);
        let no_file = Some(DissentReason::NoEvidenceConsensus);
        assert_eq!(reason(&[("a", FOR, None, (0, 0)), ("b", FOR, None, (0, 0))]), no_file);
        assert_eq!(reason(&[("a", FOR, None, (0, 1)), ("b", FOR, None, (0, 1))]), no_file);
        let quick = Some(DissentReason::QuickConsensus);
        assert_eq!(reason(&[("a", FOR, None, (1, 0)), ("b", FOR, None, (0, 0))]), quick);
        assert_eq!(reason(&[("a", FOR, None, (1, 1)), ("b", FOR, None, (0, 0))]), None);
        assert_eq!(reason(&[("a", FOR, None, (0, 0)), ("a", FOR, None, (0, 0))]), None);
        assert_eq!(reason(&[("a", FOR, None, (0, 0)), ("b", Stance::Oppose, None, (0, 0))]), None);
    }

    /// Control-room 7.2.
    #[test]
    fn only_the_last_four_comments_are_looked_at() {
        let other = |author| (author, Stance::Neutral, None, (0, 0));
        let first = ("a", FOR, None, (0, 0));
        assert!(reason(&[first, other("c"), other("d"), ("b", FOR, None, (0, 0))]).is_some());
        assert_eq!(reason(&[first, other("c"), other("d"), other("e"), ("b", FOR, None, (0, 0))]), None);
    }

    /// Control-room 2.3, 13.1.
    #[test]
    fn what_would_change_much_needs_a_challenge_however_well_founded() {
        let high = |author, impact| (author, FOR, Some(impact), (3, 3));
        let voices = [high("a", Impact::Structural), high("b", Impact::CanonChanging)];
        assert_eq!(reason(&voices), Some(DissentReason::HighImpactProposal));
        assert_eq!(reason(&[high("a", Impact::Structural), high("b", Impact::Minor)]), None);
    }

    #[test]
    fn thresholds_are_settings() {
        let two = [("a", FOR, None, (2, 0)), ("b", FOR, None, (0, 0))];
        let mut settings = Settings::default();
        settings.set("dissent.require_evidence_for_bypass", Some(false.into()));
        assert_eq!(reason_under(&two, &settings), Some(DissentReason::QuickConsensus));
        settings.set("dissent.min_approvals_before_trigger", Some(3.into()));
        assert_eq!(reason_under(&two, &settings), None);
        settings.set("dissent.min_approvals_before_trigger", Some(1.into()));
        settings.set("dissent.max_turns_for_quick_consensus", Some(0.into()));
        assert_eq!(reason_under(&two, &settings), None);
    }
}
