//! When a planning debate is due: what is at stake, and what makes a debate needless (decision 26a).
//!
//! Looks at words, and at what it is told. Does not look at files.

use super::command::Facts;
use super::csp::Stakes;
use super::identity;
use super::limits::{BULK_FILES, DESTRUCTIVE, JUST_DO_IT, PRODUCTION, READ_ONLY, SECURITY, VAGUE};
use super::phrases::PhraseText;
use super::{asked, foreign, ordered};
use annals_kernel::call::effect::{Effect, effects};
use annals_kernel::grounding::words;
use annals_kernel::own_words::own_words;
use annals_kernel::settings::Settings;

words! {
    /// Of which kind a debate is.
    pub enum DebateCategory {
        /// Something is destroyed.
        Destructive = "destructive",
        /// Others feel it.
        Production = "production",
        /// Security, credentials.
        Security = "security",
        /// Many files.
        Bulk = "bulk",
        /// It is not clear what is meant.
        Ambiguous = "ambiguous",
        /// Nothing of that.
        Ordinary = "ordinary",
        /// It failed before.
        Failure = "failure",
    }
}

words! {
    /// Why no planning debate is due.
    pub enum Bypass {
        /// It changes nothing.
        ReadOnly = "read-only",
        /// Little is at stake.
        LowStakes = "low-stakes",
        /// The user said so.
        JustDoIt = "just-do-it",
        /// The same task and plan were debated.
        Debated = "debated-already",
        /// Debates are off in this session.
        Disabled = "disabled",
    }
}

/// What is at stake, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AtStake {
    /// How much.
    pub stakes: Stakes,
    /// Why.
    pub category: DebateCategory,
}

/// Texts with and without forms of verbs, so that "deleting" is found as "delete".
fn said(texts: &[&str]) -> [PhraseText; 2] {
    let plain = texts.join("\n");
    let stemmed: Vec<_> = texts.iter().map(|text| identity::canonical(text)).collect();
    [PhraseText::of(&plain), PhraseText::of(&stemmed.join("\n"))]
}

/// What is at stake in a task and its plan.
pub fn at_stake(asked: DebateRequest<'_>, settings: &Settings) -> AtStake {
    let DebateRequest { texts, facts, voice } = asked;
    if let Some(found) = of_commands(texts.get(1..).unwrap_or_default()).filter(|found| found.stakes == Stakes::High) {
        return found;
    }
    let (users, agents) = voice.parted(texts);
    let whole = said(texts);
    let has = |words: &[String]| whole.iter().any(|said| said.first(words).is_some());
    let (stakes, category) = if let Some(category) = of_person(users, settings).or_else(|| of_agent(agents, settings)) {
        (Stakes::High, category)
    } else if facts.files.is_some_and(|files| files > settings.get(&BULK_FILES)) {
        (Stakes::Medium, DebateCategory::Bulk)
    } else if has(&settings.get(&VAGUE)) || texts.iter().all(|text| is_pointing(text)) {
        (Stakes::Medium, DebateCategory::Ambiguous)
    } else {
        (Stakes::Low, DebateCategory::Ordinary)
    };
    AtStake { stakes, category }
}

/// Why much is at stake in what a person asks for.
fn of_person(texts: &[&str], settings: &Settings) -> Option<DebateCategory> {
    let owns: Vec<String> = texts.iter().map(|text| own_words(text)).collect();
    let orders: Vec<_> = owns.iter().flat_map(|own| ordered::orders(own)).collect();
    let does = |words: &[String]| orders.iter().any(|order| order.does(words));
    if does(&settings.get(&DESTRUCTIVE)) {
        Some(DebateCategory::Destructive)
    } else if does(&settings.get(&PRODUCTION)) || orders.iter().any(ordered::Order::releases) {
        Some(DebateCategory::Production)
    } else {
        let security = settings.get(&SECURITY);
        let guards = orders.iter().any(|order| order.guards(&security)).then_some(DebateCategory::Security);
        guards.or_else(|| owns.iter().find_map(|own| foreign::at_stake(own)))
    }
}

/// Why much is at stake in what an agent says that it does.
fn of_agent(texts: &[&str], settings: &Settings) -> Option<DebateCategory> {
    let acts: Vec<String> =
        texts.iter().flat_map(|text| asked::acts(text)).filter(|act| !asked::is_about_code(act)).collect();
    let is_in = |clauses: &[String], words: &[String]| {
        clauses.iter().any(|clause| PhraseText::of(clause).first(words).is_some())
    };
    if is_in(&acts, &settings.get(&DESTRUCTIVE)) {
        Some(DebateCategory::Destructive)
    } else if is_in(&acts, &settings.get(&PRODUCTION)) || texts.iter().any(|text| asked::releases(text)) {
        Some(DebateCategory::Production)
    } else {
        let touched: Vec<String> = texts.iter().flat_map(|text| asked::touched(text)).collect();
        is_in(&touched, &settings.get(&SECURITY)).then_some(DebateCategory::Security)
    }
}

/// What a command that does this puts at stake.
pub fn of_effect(effect: Effect) -> AtStake {
    use DebateCategory::{Ambiguous, Destructive, Production, Security};
    let (stakes, category) = match effect {
        Effect::Rewritten
        | Effect::Discarded
        | Effect::Dropped
        | Effect::Removed
        | Effect::Disk
        | Effect::CloudRemoved => (Stakes::High, Destructive),
        Effect::Published | Effect::Deployed | Effect::Migrated | Effect::Stopped => (Stakes::High, Production),
        Effect::Opened => (Stakes::High, Security),
        Effect::Unreadable => (Stakes::Medium, Ambiguous),
    };
    AtStake { stakes, category }
}

/// What the commands of a plan put at stake: a plan may be a command line.
fn of_commands(plans: &[&str]) -> Option<AtStake> {
    let found = plans.iter().flat_map(|plan| effects(plan)).map(|found| of_effect(found.effect));
    found.max_by_key(|at_stake| at_stake.stakes)
}

/// "Fix it": what is meant stands elsewhere.
fn is_pointing(text: &str) -> bool {
    const SHORT: usize = 3;
    let canonical = identity::canonical(text);
    let words: Vec<_> = canonical.split_whitespace().collect();
    let points = |word: &&str| ["it", "this", "that", "them", "these", "those"].contains(word);
    words.len() <= SHORT && words.iter().any(points)
}

/// Whose words a request is made of: only the user's pass a debate over (decision 57).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestVoice {
    /// The user says all of it.
    User,
    /// The task is what the user asked for; the plan, and what else is told, are an agent's.
    Prompt,
    /// An agent says all of it.
    Agent,
}

impl RequestVoice {
    /// Texts of the user, and texts of an agent; the task is the first of them.
    fn parted<'t, 'a>(self, texts: &'t [&'a str]) -> (&'t [&'a str], &'t [&'a str]) {
        texts.split_at(match self {
            Self::User => texts.len(),
            Self::Prompt => texts.len().min(1),
            Self::Agent => 0,
        })
    }
}

/// What is asked for: the task and its plan, what is told beside them, and by whom.
#[derive(Debug, Clone, Copy)]
pub struct DebateRequest<'a> {
    /// The task first.
    pub texts: &'a [&'a str],
    /// What the router is told.
    pub facts: &'a Facts,
    /// Who says so.
    pub voice: RequestVoice,
}

/// What the request itself says against a debate. An agent's "list" is believed where it names nothing of high stakes.
pub fn bypass(asked: DebateRequest<'_>, at_stake: AtStake, settings: &Settings) -> Option<Bypass> {
    let DebateRequest { texts, facts, voice } = asked;
    let (users, agents) = voice.parted(texts);
    let first = texts.first().map(|text| identity::canonical(text)).unwrap_or_default();
    let first = first.split_whitespace().next().unwrap_or_default();
    let asks = settings.get(&READ_ONLY).iter().any(|word| word == first);
    let is_doubted = || {
        let told = DebateRequest { texts: agents, facts: &Facts::default(), voice: RequestVoice::Agent };
        self::at_stake(told, settings).stakes == Stakes::High
    };
    let is_users = voice == RequestVoice::User;
    if facts.read_only && is_users || asks && !is_doubted() {
        Some(Bypass::ReadOnly)
    } else if at_stake.stakes == Stakes::Low {
        Some(Bypass::LowStakes)
    } else if facts.just_do_it && is_users || said(users)[0].first(&settings.get(&JUST_DO_IT)).is_some() {
        Some(Bypass::JustDoIt)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, facts: &Facts) -> (Stakes, DebateCategory, Option<Bypass>) {
        let settings = Settings::default();
        let asked = DebateRequest { texts: &[text], facts, voice: RequestVoice::User };
        let found = at_stake(asked, &settings);
        (found.stakes, found.category, bypass(asked, found, &settings))
    }

    /// Decision 26a.
    #[test]
    fn stakes_follow_from_the_words() {
        use DebateCategory::{Ambiguous, Destructive, Ordinary, Production, Security};
        for (text, stakes, category) in [
            ("Delete the old cache", Stakes::High, Destructive),
            ("deleting old branches", Stakes::High, Destructive),
            ("git push --force origin main", Stakes::High, Destructive),
            ("run an irreversible migration", Stakes::High, Destructive),
            ("DROP TABLE users", Stakes::High, Destructive),
            ("Deployed the site again", Stakes::High, Production),
            ("restart prod", Stakes::High, Production),
            ("rotate the API keys", Stakes::High, Security),
            ("change credentials", Stakes::High, Security),
            ("clean up the project", Stakes::Medium, Ambiguous),
            ("Fix it", Stakes::Medium, Ambiguous),
            ("Fix the authentication test", Stakes::Low, Ordinary),
            ("describe the product page", Stakes::Low, Ordinary),
        ] {
            let (found, why, _) = of(text, &Facts::default());
            assert_eq!((found, why), (stakes, category), "{text}");
        }
    }

    /// Decision 26a: more than ten files.
    #[test]
    fn many_files_are_bulk() {
        let files = |files| of("rename the type", &Facts { files: Some(files), ..Facts::default() });
        assert_eq!(files(10), (Stakes::Low, DebateCategory::Ordinary, Some(Bypass::LowStakes)));
        assert_eq!(files(11), (Stakes::Medium, DebateCategory::Bulk, None));
    }

    /// Decision 26a: what makes a debate needless.
    #[test]
    fn a_debate_is_passed_over_for_a_reason() {
        let read_only = Facts { read_only: true, ..Facts::default() };
        let just_do_it = Facts { just_do_it: true, ..Facts::default() };
        for (text, facts, expected) in [
            ("delete it all", &Facts::default(), None),
            ("delete it all", &read_only, Some(Bypass::ReadOnly)),
            ("delete it all", &just_do_it, Some(Bypass::JustDoIt)),
            ("Delete the cache, just do it!", &Facts::default(), Some(Bypass::JustDoIt)),
            ("list what a delete would touch", &Facts::default(), Some(Bypass::ReadOnly)),
            ("rename the type", &Facts::default(), Some(Bypass::LowStakes)),
        ] {
            assert_eq!(of(text, facts).2, expected, "{text}");
        }
    }

    /// Decision 57: whose words they are.
    #[test]
    fn only_the_user_passes_a_debate_over() {
        use RequestVoice::{Agent, Prompt};
        let read_only = Facts { read_only: true, ..Facts::default() };
        let just_do_it = Facts { just_do_it: true, ..Facts::default() };
        let none = Facts::default();
        let why = |texts: &[&str], facts: &Facts, voice| {
            let settings = Settings::default();
            let asked = DebateRequest { texts, facts, voice };
            bypass(asked, at_stake(asked, &settings), &settings)
        };
        for (texts, facts, voice, expected) in [
            (&["delete it all"][..], &read_only, Agent, None),
            (&["delete it all"], &just_do_it, Agent, None),
            (&["delete it all"], &read_only, Prompt, None),
            (&["Delete the cache, just do it!"], &none, Agent, None),
            (&["Delete the cache, just do it!"], &none, Prompt, Some(Bypass::JustDoIt)),
            (&["Delete the cache", "rm -rf, just do it"], &none, Prompt, None),
            (&["list the files, then delete them"], &none, Agent, None),
            (&["list the files"], &none, Agent, Some(Bypass::ReadOnly)),
            (&["explain how the password is kept"], &none, Prompt, Some(Bypass::ReadOnly)),
            (&["show the cache", "rm -rf cache"], &none, Prompt, None),
            (&["rename the type"], &none, Agent, Some(Bypass::LowStakes)),
        ] {
            assert_eq!(why(texts, facts, voice), expected, "{texts:?}");
        }
    }
}
