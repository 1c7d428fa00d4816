//! Many decisions under one lock, with one sync at the end: for imports, where each alone would wait for the disk.
//!
//! Each is decided on the state that those before it have left, as if it had come alone.

use super::{Answer, By, Engine, EngineError, Touched};
use annals_kernel::json::Json;
use annals_rules::domain::Command;

impl Engine {
    /// Decides commands one after another; `next` hears the answer to the one before and says what comes now.
    ///
    /// Where the machine fails, none of them is kept; a rule that says no is an answer, and the others go on.
    pub fn decide_each(
        &self,
        by: &By,
        observed: &Json,
        mut next: impl FnMut(Option<&Answer>) -> Option<Command>,
    ) -> Result<Vec<Answer>, EngineError> {
        let by = &self.clean_by(by);
        let written = self.log.write_on(&mut || self.clock.chance(), |pen| {
            let mut live = self.current()?;
            let live = live.as_mut().expect("BUG: the world was just folded");
            self.adopt_file(pen, live, by)?;
            let mut answers: Vec<Answer> = Vec::new();
            while let Some(command) = next(answers.last()) {
                let ask = self.clean_ask(Self::ask_of(command, observed));
                let stopwatch = self.clock.stopwatch();
                answers.push(self.decide_one(pen, live, &ask, by, || stopwatch.millis())?);
            }
            Ok::<_, EngineError>(answers)
        });
        if written.is_err() {
            // What was folded may have been taken back.
            *self.lock_live() = None;
        }
        let (answers, ticket) = written?;
        self.settle(ticket.as_ref())?;
        if let Some(live) = self.lock_live().as_mut() {
            live.store_if_due();
        }
        let mut touched = Touched::default();
        for answer in answers.iter().filter(|answer| answer.entry.is_some()) {
            touched.add(Touched::by(answer, by));
        }
        self.wrote(&touched);
        Ok(answers)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::clock::Clock;
    use annals_kernel::id::{IssueId, NO_SESSION, SessionId};
    use annals_log::disk::RealDisk;
    use annals_rules::domain::issue::Command as Issue;
    use annals_rules::domain::issue::command::{Close, Open};

    fn engine(folder: &std::path::Path) -> Engine {
        let now = "2026-11-21T03:10:00.123Z".parse().expect("a time");
        Engine::open(Arc::new(RealDisk), folder, Clock::new(Some(now), Some("bulk".into()))).expect("opened")
    }

    fn open(title: &str) -> Command {
        Issue::Open(Open { title: title.into(), ..Open::default() }).into()
    }

    fn opened(answer: &Answer) -> IssueId {
        IssueId::from(answer.entry.expect("an entry").to_string())
    }

    #[test]
    fn what_is_decided_together_comes_out_as_if_each_came_alone() {
        let (one, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let (alone, together) = (engine(one.path()), engine(other.path()));
        let by = By::new("user", SessionId::from(NO_SESSION));
        let none = Json::empty_object();
        let first = alone.decide(open("One"), &none, &by).expect("decided");
        let close = |issue| Command::Issue(Issue::Close(Close { issue, reason: None }));
        let rest = [close(opened(&first)), open(""), open("Two")];
        let mut answers = vec![first];
        answers.extend(rest.map(|command| alone.decide(command, &none, &by).expect("decided")));

        let mut step = 0;
        let heard = together.decide_each(&by, &none, |answer| {
            step += 1;
            match step {
                1 => Some(open("One")),
                2 => answer.map(|answer| close(opened(answer))),
                3 => Some(open("")),
                4 => Some(open("Two")),
                _ => None,
            }
        });
        let heard = heard.expect("decided");
        let rules = |answers: &[Answer]| -> Vec<_> {
            answers.iter().map(|answer| answer.refusal.as_ref().map(|refusal| refusal.rule.clone())).collect()
        };
        assert_eq!(rules(&heard), rules(&answers));
        assert_eq!(rules(&heard), [None, None, Some("issues.bad_title".into()), None]);
        let titles = |engine: &Engine| {
            engine.ask(|world| {
                let issues = world.rooms.issue.issues.iter();
                issues.map(|(_, issue)| format!("{} {} {}", issue.label, issue.title, issue.status)).collect::<Vec<_>>()
            })
        };
        assert_eq!(titles(&together).expect("asked"), ["1 One closed", "2 Two open"]);
        assert_eq!(titles(&together).expect("asked"), titles(&alone).expect("asked"));
        assert_eq!(titles(&engine(other.path())).expect("asked"), titles(&alone).expect("asked"));
    }
}
