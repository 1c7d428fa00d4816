//! AFS 5.3, 5.5: what a model finds where a trigger called for a look.

use super::super::command::{Answer, Fire, FiringVerdict, Judge, Observed};
use super::super::event::{Event, ModeJudged};
use super::super::judged::{JudgedFinding, MOST_JUDGED};
use super::super::mind::Measured;
use super::super::refusal::Refusal;
use super::super::trigger::AnalysisMode;
use super::room::TestRoom;
use annals_kernel::actor::{Role, Standing};
use annals_kernel::id::EntryId;
use annals_kernel::model_word::ModelWord;
use annals_kernel::time::Timestamp;

fn word(purpose: &str) -> Observed {
    let (model, prompt, answer) = ("qwen".into(), "0".into(), "{}".into());
    let purpose = purpose.into();
    let word = ModelWord {
        entry: EntryId::MIN,
        purpose,
        model,
        prompt,
        tokens_in: 0,
        tokens_out: 0,
        left_out: 0,
        ms: 1,
        answer,
    };
    Observed { model: Some(word) }
}

fn judge(firing: EntryId, findings: usize) -> Judge {
    let (kind, text, quote) = ("major".into(), "unproved".into(), "All tests pass.".into());
    let finding = JudgedFinding { kind, text, quote, source: Some(EntryId::MIN), confidence: None };
    Judge {
        session: "s".into(),
        firing,
        figures: [("mood.valence".into(), "0.5".into())].into(),
        found: vec![finding; findings],
        dropped: 1,
        unread: None,
    }
}

#[test]
fn a_model_is_heard_once_where_the_user_let_it_look_and_only_in_the_mode_that_was_called_for() {
    let mut room = TestRoom::new();
    let cause = EntryId::new(Timestamp::from_millis(1000), 9);
    let fire = Fire { session: "s".into(), trigger: "spinning-critic".into(), cause, measured: Measured::new() };
    let fired = room.ask("system", Standing::System, fire).expect("fired");
    let Some(Event::TriggerFired(fired)) = fired.first() else { panic!("{fired:?}") };
    let firing = fired.firing.id;
    let mut ask = |standing, command: Judge, observed| room.ask_observed("who", standing, command, &observed);
    for standing in [Standing::Stranger, Standing::System, Standing::Agent(Role::Critic)] {
        assert_eq!(ask(standing, judge(firing, 1), word("critic")), Err(Refusal::OnlyUser));
    }
    assert!(matches!(ask(Standing::User, judge(firing, 1), word("critic")), Err(Refusal::Over { .. })), "it waits");
    assert!(matches!(ask(Standing::User, judge(cause, 1), word("critic")), Err(Refusal::NotThere { .. })));
    let verdict = FiringVerdict::Accept;
    room.ask("user", Standing::User, Answer { session: "s".into(), firing, verdict }).expect("accepted");
    let mut ask = |command: Judge, observed| room.ask_observed("user", Standing::User, command, &observed);
    let none = Err(Refusal::NoModelWord { mode: AnalysisMode::Critic });
    assert_eq!(ask(judge(firing, 1), Observed::default()), none);
    assert_eq!(ask(judge(firing, 1), word("eval")), none);
    let many = ask(judge(firing, MOST_JUDGED + 1), word("critic"));
    assert!(matches!(many, Err(Refusal::TooMany { .. })));
    let long = Judge { unread: Some("x".repeat(4_001).into()), ..judge(firing, 0) };
    assert!(matches!(ask(long, word("critic")), Err(Refusal::TooMany { .. })));
    let expected = ModeJudged {
        session: "s".into(),
        firing,
        trigger: "spinning-critic".into(),
        mode: AnalysisMode::Critic,
        model: "qwen".into(),
        found: 2,
    };
    assert_eq!(ask(judge(firing, 2), word("critic")), Ok(vec![expected.into()]));
    let again = Refusal::Happened { rule: "spinning-critic".into(), cause: firing };
    assert_eq!(ask(judge(firing, 2), word("critic")), Err(again));
    let found = room.mind().firing(firing).expect("a firing");
    assert!(found.judged.is_some() && found.concluded.is_none(), "beside what the rules find");
}
