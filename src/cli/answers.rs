//! The answers of `--json`: every one has a name with its version, and a type that its published shape is made of.
//!
//! The schemas are derived in the tests of this crate alone, which hold the published files against them, and the program
//! prints the files.
//! An answer that is not in this table cannot be printed. Members are only ever added to one; where one goes, or means
//! something else, the answer gets a new name. Does not print; `output` does.

use serde::Serialize;

use super::{
    access, advocate, agent, analyse, archive, audit, blind, canon, cognition, config, council, credit, debate,
    decided, doctor, evidence, forget, goal, hivemind, import, init, issue, knowledge, memory, message, milestone,
    model, models, notice, prime, recall, record, reflect, render, replay, resident, run, sanitize, scenario, scrub,
    seal, search, session, setup, show, stats, status, swarm, task, topic, triggers, trust, tune, verify, voice, why,
};
use crate::domain::knowledge::trace::RetrievalTrace;
use crate::domain::moderation;
use crate::engine::mend::Ahead;
use crate::role;
use crate::view;

/// What a command answers in JSON.
pub(super) trait Answer: Serialize {
    /// The name, as it stands in the member `schema`.
    const NAME: &'static str;
}

/// An answer that is published.
#[derive(Debug, Clone, Copy)]
pub(super) struct Published {
    /// The name.
    pub name: &'static str,
    /// The commands that answer so.
    pub commands: &'static str,
    /// The schema, as it stands in `docs/schema/answers`.
    pub schema: fn() -> String,
}

macro_rules! answers {
    ($( $name:literal $version:ident, $commands:literal: $type:ty; )*) => {
        $( impl Answer for $type {
            const NAME: &'static str = concat!($name, "/", stringify!($version));
        } )*

        /// All of them, by name.
        pub const ALL: &[Published] = &[$( Published {
            name: <$type as Answer>::NAME,
            commands: $commands,
            #[cfg(not(test))]
            schema: || include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"), "/docs/schema/answers/", $name, ".", stringify!($version), ".json",
            )).to_owned(),
            #[cfg(test)]
            schema: tests::derived::<$type>,
        }, )*];
    };
}

answers! {
    "annals.access" v1, "access": access::Access<'_>;
    "annals.advocate.list" v1, "advocate list": advocate::Assignments;
    "annals.agent.brief" v1, "agent brief": view::brief::Brief;
    "annals.agent.list" v1, "agent list": agent::list::AgentRows;
    "annals.analyse" v1, "analyse --mode": analyse::AnalysisAnswer;
    "annals.analyse.overview" v1, "analyse": analyse::Overview;
    "annals.analyse.range" v1, "analyse A..B, analyse --since": analyse::range::AnalysedRange;
    "annals.archive" v1, "archive": archive::Archived;
    "annals.blame" v1, "blame": view::blame::BlamedFile;
    "annals.blind.show" v1, "blind show": blind::show::Passes;
    "annals.canon.check" v1, "canon check": canon::check::FoundConflicts;
    "annals.canon.conflicts" v1, "canon conflicts": canon::list::Conflicts;
    "annals.canon.list" v1, "canon list": canon::list::CanonEntries;
    "annals.canon.show" v1, "canon show": view::canon::Page;
    "annals.cognition.show" v1, "cognition show": cognition::show::ShownMind<'_>;
    "annals.config.list" v1, "config list": config::SettingRows;
    "annals.config.value" v1, "config get": config::SettingRow;
    "annals.config.waiting" v1, "config accept": config::NotInForce<'_>;
    "annals.council.list" v1, "council list": council::show::Councils;
    "annals.council.show" v1, "council show": view::council::CouncilInfo;
    "annals.credit.board" v1, "credit board": view::credit::board::Board;
    "annals.credit.list" v1, "credit list": credit::profile::Profiles<'_>;
    "annals.credit.profile" v1, "credit profile": credit::profile::OneProfile<'_>;
    "annals.debate.failures" v1, "debate failures": debate::list::Failures;
    "annals.debate.gate" v1, "debate gate": debate::gate::AskedGate<'_>;
    "annals.debate.list" v1, "debate list": debate::list::Debates;
    "annals.debate.report" v1, "debate report": debate::report::ReportAnswer;
    "annals.debate.show" v1, "debate show": debate::show::ShownDebate;
    "annals.decision" v1, "every command that decides": decided::Decided;
    "annals.doctor" v1, "doctor": doctor::Checks<'_>;
    "annals.entry.show" v1, "show": show::Documents;
    "annals.evidence.check" v1, "evidence check": evidence::One<'_>;
    "annals.evidence.recheck" v1, "evidence recheck": evidence::Many<'_>;
    "annals.forget" v1, "forget": forget::Forgotten;
    "annals.ggs.explain" v1, "ggs explain": role::ggs::Explained;
    "annals.goal.list" v1, "goal list": goal::Goals;
    "annals.health" v1, "health": moderation::report::SwarmReport;
    "annals.history.ahead" v1, "history mend-clock": Ahead;
    "annals.hivemind.list" v1, "hivemind list": hivemind::list::ListedEntries;
    "annals.hivemind.show" v1, "hivemind show": view::hivemind::Now;
    "annals.hivemind.sync" v1, "hivemind sync": hivemind::sync::Synced;
    "annals.import" v1, "import": import::ImportAnswer<'_>;
    "annals.init" v1, "init": init::Initialized;
    "annals.issue" v1, "issue show": view::issue::Thread;
    "annals.issue-import" v1, "issue import beads": issue::import::ImportedIssues<'_>;
    "annals.issue.check" v1, "issue comment --check, issue resolve --check": issue::say::Checked<'_>;
    "annals.issue.list" v1, "issue list, issue ready": issue::list::Issues;
    "annals.issue.stats" v1, "issue stats": issue::stats::IssueStats;
    "annals.knowledge.extract" v1, "knowledge extract": knowledge::extract::Extracted;
    "annals.knowledge.list" v1, "knowledge list": knowledge::list::KnowledgeEntries;
    "annals.knowledge.review" v1, "knowledge review, knowledge accept": knowledge::review::Candidates;
    "annals.knowledge.search" v1, "knowledge search": knowledge::search::FoundKnowledge;
    "annals.knowledge.settle" v1, "knowledge settle": knowledge::settle::SettledKnowledge;
    "annals.knowledge.show" v1, "knowledge show": view::knowledge::KnowledgeInfo;
    "annals.knowledge.trace" v1, "knowledge trace": RetrievalTrace;
    "annals.memory.dream" v1, "memory dream": memory::dream::Dreamt;
    "annals.memory.learn" v1, "memory learn": memory::learn::LearntAnswer;
    "annals.memory.list" v1, "memory list": memory::list::ListedMegrams;
    "annals.memory.plot" v1, "memory plot": view::plot::Plot;
    "annals.memory.potentials" v1, "memory potentials": view::memory::PairInfo;
    "annals.milestone.list" v1, "milestone list": milestone::MilestoneRows;
    "annals.prime" v1, "prime": prime::Primed;
    "annals.voice.accept" v1, "voice accept": voice::accept::WaitingWords;
    "annals.voice.report" v1, "voice report": voice::report::VoiceReport;
    "annals.moderation.profile" v1, "moderate profile": moderation::state::Profile;
    "annals.moderation.show" v1, "moderate show": moderation::state::State;
    "annals.notice.list" v1, "notice list": notice::Notices;
    "annals.recall" v1, "recall": recall::RecallAnswer;
    "annals.record" v1, "record": record::Recorded<'_>;
    "annals.record.line" v1, "record --each": record::LineOutcome;
    "annals.reflection" v1, "reflect": reflect::Reflection;
    "annals.replay" v1, "replay": replay::Replayed<'_>;
    "annals.sanitize" v1, "sanitize --check": sanitize::FoundSecrets<'_>;
    "annals.scrub" v1, "scrub": scrub::ScrubAnswer<'_>;
    "annals.seal" v1, "seal": seal::Sealed<'_>;
    "annals.search" v1, "search": search::SearchAnswer;
    "annals.search.embed" v1, "search --embed": search::EmbedAnswer;
    "annals.session.list" v1, "session list": session::list::Sessions;
    "annals.session.summary" v1, "session summary": session::summary::Summaries;
    "annals.session.show" v1, "session show": session::show::ToldSession;
    "annals.setup" v1, "setup": setup::SetUp<'_>;
    "annals.stats.by" v1, "stats --by": stats::by::KeyRows<'_>;
    "annals.stats.show" v1, "stats": stats::Stats;
    "annals.status" v1, "status": status::Status;
    "annals.status_line" v1, "status --line": status::line::StatusLine;
    "annals.swarm" v1, "swarm replay": swarm::Played<'_>;
    "annals.run.begun" v1, "run": run::RunBegun;
    "annals.run.message" v1, "run": run::StreamedMessage;
    "annals.run.end" v1, "run": run::ToldEnd;
    "annals.audit" v1, "audit": audit::Audited;
    "annals.tune" v1, "tune": tune::TuneReport;
    "annals.knowledge.promote" v1, "knowledge promote": knowledge::promote::PromotedKnowledge;
    "annals.message.list" v1, "message list": message::MessageRows;
    "annals.message.show" v1, "message show": message::ReadMessage;
    "annals.resident.status" v1, "resident status": resident::ResidentStatus;
    "annals.resident.ticks" v1, "resident tick, resident run": resident::ToldTicks;
    "annals.session.handoff" v1, "session handoff": session::handoff::SessionHandoff;
    "annals.scenario" v1, "scenario": scenario::PlayedScenarios;
    "annals.model.list" v1, "model list": model::ModelRows;
    "annals.model.check" v1, "model check": model::CheckedModels;
    "annals.judged" v1, "council vote --by-model, council debate --by-model, council resolve --by-model, debate advocate --by-model, debate critic --by-model, debate resolve --by-model, blind submit --by-model": models::Judgements;
    "annals.model.ask" v1, "model ask": model::AskedModel;
    "annals.task.apply" v1, "task apply": task::AppliedTask;
    "annals.task.diff" v1, "task diff": task::TaskDiff;
    "annals.task.abort" v1, "task abort": role::ggs::FinalResult;
    "annals.task.compare" v1, "task compare": task::ComparedTasks;
    "annals.task.why" v1, "task why": task::TaskReasons;
    "annals.task.list" v1, "task list": task::TaskRows;
    "annals.task.show" v1, "task show": task::ShownTask;
    "annals.topic.list" v1, "topic list, topic show": topic::Topics;
    "annals.triggers.judge" v1, "triggers judge, triggers accept --by-model": triggers::judge::JudgedFirings;
    "annals.triggers.list" v1, "triggers list": triggers::KnownTriggers;
    "annals.triggers.session" v1, "triggers SESSION": triggers::Session<'_>;
    "annals.triggers.waiting" v1, "triggers": triggers::WaitingFirings;
    "annals.trust" v1, "trust": trust::Trust;
    "annals.verify" v1, "verify": verify::Verified<'_>;
    "annals.view.render" v1, "render": render::RenderAnswer;
    "annals.why" v1, "why VALUE": why::Lines<'_>;
    "annals.why.commit" v1, "why COMMIT": view::blame::why::CommitOrigin;
    "annals.why.event" v1, "why EVENT": why::Caused<'_>;
    "annals.why.file" v1, "why FILE": view::blame::why::FileOrigin;
    "annals.why.session" v1, "why SESSION": why::Parts<'_>;
}

#[cfg(test)]
mod tests;
