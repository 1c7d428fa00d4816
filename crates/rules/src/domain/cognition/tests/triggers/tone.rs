//! Who sets the tone of the critic.

use super::*;

/// AFS 5.2.4: the user may set the tone; the rules set it once for a cause.
#[test]
fn the_tone_is_set_by_the_user_or_by_a_cause() {
    let mut ask = room();
    let set = |tone, reason, cause| -> Command { SetTone { session: "s".into(), tone, reason, cause }.into() };
    let cause = Some(EntryId::new(at(1), 9));
    let tone = |events: Vec<super::super::super::Event>| events.len();
    assert_eq!(ask("coder", Standing::Stranger, set(Tone::Direct, ToneReason::User, None)), Err(Refusal::OnlyUser));
    assert_eq!(
        ask("user", Standing::User, set(Tone::Harsh, ToneReason::User, None)),
        Err(Refusal::SameTone { tone: Tone::Harsh })
    );
    assert_eq!(ask("user", Standing::User, set(Tone::Direct, ToneReason::User, None)).map(tone), Ok(1));
    assert_eq!(ask("user", Standing::User, set(Tone::Harsh, ToneReason::Stable, cause)), Err(Refusal::OnlySystem));
    assert_eq!(ask("system", Standing::System, set(Tone::Challenging, ToneReason::Stable, cause)).map(tone), Ok(1));
    assert!(matches!(
        ask("system", Standing::System, set(Tone::Harsh, ToneReason::Stable, cause)),
        Err(Refusal::Happened { .. })
    ));
}
