//! Names that are nearly those of a query: titles of sessions and issues, canon, knowledge, beliefs, tools, files.
//!
//! A name may hold letters that the query has not (`nucleo`), and a word of either may have a slip of the keys. Does not
//! look into entries.

use annals_engine::EngineError;
use annals_engine::query::filter::Filter;
use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;
use annals_rules::world::World;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern as Fuzzy};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::excerpt::Excerpt;
use crate::fold::fold;
use crate::hit::{Hit, HitKind, Source};
use crate::provider::{Provided, Provider, Sought};

/// Of each sort of names the newest so many are looked at.
const MOST_NAMES: usize = 5000;

/// A name is looked at up to so many letters.
const MOST_CHARS: usize = 200;

/// What is less alike than this is not told. A start: only the cases of the test below stand behind it yet.
const LEAST_ALIKE: f64 = 0.72;

/// A word with fewer letters has no slips.
const LEAST_LETTERS: usize = 5;

/// Finds names.
pub(crate) struct Names;

impl Provider for Names {
    fn source(&self) -> Source {
        Source::Fuzzy
    }

    fn find(&self, sought: &Sought<'_>) -> Result<Provided, EngineError> {
        let words: Vec<_> = sought.pattern.words().map(str::to_owned).collect();
        let filter = &sought.filter;
        if words.is_empty() || needs_entries(filter) {
            return Ok(Provided::default());
        }
        let mut names = sought.ask(|world| named(world, filter))?;
        // The index does not know since when a file is named.
        if *sought.filter == Filter::default() {
            names.extend(sought.index.files()?.into_iter().map(|file| Named::of(HitKind::File, file, file)));
        }
        let mut alike = Alike::new(&words);
        let mut hits: Vec<_> = names.into_iter().filter_map(|name| name.hit(&mut alike)).collect();
        hits.sort_by(|left, right| right.score.total_cmp(&left.score));
        hits.truncate(sought.limit.max(10) * 2);
        Ok(Provided { hits, ..Provided::default() })
    }
}

/// Whether a filter asks for what only entries have.
pub(crate) fn needs_entries(filter: &Filter) -> bool {
    let lists = [&filter.kinds, &filter.names, &filter.tags, &filter.files];
    filter.ending.is_some() || lists.iter().any(|list| !list.is_empty())
}

/// Something with a name.
struct Named {
    kind: HitKind,
    id: String,
    name: String,
    at: Option<Timestamp>,
    session: Option<annals_kernel::id::SessionId>,
}

impl Named {
    fn of(kind: HitKind, id: &str, name: &str) -> Self {
        let name = name.chars().take(MOST_CHARS).collect();
        Self { kind, id: id.to_owned(), name, at: None, session: None }
    }

    fn hit(self, alike: &mut Alike) -> Option<Hit> {
        let score = alike.to(&self.name).filter(|score| *score >= LEAST_ALIKE)?;
        let excerpt = Excerpt::plain(self.name.replace(['\n', '\r', '\t'], " "));
        let (at, session) = (self.at, self.session);
        Some(Hit { score, session, at, ..Hit::of(Source::Fuzzy, self.kind, self.id, excerpt) })
    }
}

/// Every name that the filter leaves.
fn named(world: &World, filter: &Filter) -> Vec<Named> {
    let rooms = &world.rooms;
    let is_within = |id: EntryId| filter.since <= id && filter.until.is_none_or(|until| id <= until);
    let mut names = Vec::new();
    for (id, session) in rooms.session.sessions.first_by_rank(MOST_NAMES) {
        let is_of = filter.agents.is_empty()
            || session.agents.iter().any(|agent| filter.agents.iter().any(|name| **name == *agent.as_str()));
        let is_asked = filter.session.as_ref().is_none_or(|wanted| wanted == id) && is_of;
        if let Some(title) = session.title.as_ref().filter(|_| is_asked && is_within(session.last)) {
            let named = Named::of(HitKind::Session, id.as_str(), title.as_str());
            names.push(Named { at: Some(session.updated_at), session: Some(id.clone()), ..named });
        }
    }
    if filter.session.is_some() || !filter.agents.is_empty() || filter.since != EntryId::default() {
        return names;
    }
    let issues = rooms
        .issue
        .issues
        .iter()
        .map(|(_, issue)| Named::of(HitKind::Issue, &format!("#{}", issue.label), &issue.title));
    names.extend(issues.take(MOST_NAMES));
    let canon = rooms.canon.entries.iter().filter_map(|(key, entry)| {
        let title = entry.current().next().map(|version| format!("{key}: {}", version.title))?;
        Some(Named::of(HitKind::Canon, key, &title))
    });
    names.extend(canon.take(MOST_NAMES));
    let knowledge =
        rooms.knowledge.entries.iter().map(|(id, entry)| Named::of(HitKind::Knowledge, id, &entry.said.content));
    names.extend(knowledge.take(MOST_NAMES));
    let beliefs = rooms.hivemind.entries.iter().filter(|(_, entry)| entry.removed.is_none());
    names.extend(beliefs.map(|(key, _)| Named::of(HitKind::Belief, key, key)).take(MOST_NAMES));
    names.extend(rooms.session.totals.by_tool.keys().map(|tool| Named::of(HitKind::Tool, tool, tool)));
    names
}

/// Compares names with the words of a query.
struct Alike {
    words: Vec<Word>,
    matcher: Matcher,
    buffer: Vec<char>,
}

struct Word {
    letters: Vec<char>,
    fuzzy: Fuzzy,
    most: f64,
}

impl Alike {
    fn new(words: &[String]) -> Self {
        let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
        let mut buffer = Vec::new();
        let mut word = |text: &String| {
            let fuzzy = Fuzzy::new(text, CaseMatching::Smart, Normalization::Smart, AtomKind::Fuzzy);
            let most = fuzzy.score(Utf32Str::new(text, &mut buffer), &mut matcher).unwrap_or(1).max(1);
            Word { letters: fold(text).chars().collect(), fuzzy, most: f64::from(most) }
        };
        let words = words.iter().map(&mut word).collect();
        Self { words, matcher, buffer }
    }

    /// How alike a name is, 0 to 1; `None` where a word is not in it.
    fn to(&mut self, name: &str) -> Option<f64> {
        let Self { words, matcher, buffer } = self;
        let folded = fold(name);
        let parts: Vec<Vec<char>> = folded
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .map(|part| part.chars().collect())
            .collect();
        let mut sum = 0.0;
        for word in words.iter() {
            let fuzzy =
                word.fuzzy.score(Utf32Str::new(name, buffer), matcher).map(|score| f64::from(score) / word.most);
            let slip = parts.iter().filter_map(|part| slipped(&word.letters, part)).max_by(f64::total_cmp);
            sum += fuzzy.into_iter().chain(slip).max_by(f64::total_cmp)?.min(1.0);
        }
        #[expect(clippy::cast_precision_loss, reason = "few words")]
        let mean = sum / words.len() as f64;
        Some(mean)
    }
}

/// How alike two words are that differ by a slip or two.
fn slipped(word: &[char], part: &[char]) -> Option<f64> {
    if word.len() < LEAST_LETTERS || word.len().abs_diff(part.len()) > 2 {
        return None;
    }
    let allowed = if word.len() >= 8 { 2 } else { 1 };
    let slips = slips(word, part);
    #[expect(clippy::cast_precision_loss, reason = "letters of a word")]
    let alike = 1.0 - slips as f64 / word.len() as f64;
    (slips <= allowed).then_some(alike)
}

/// Letters added, left out, changed, or exchanged with their neighbour.
fn slips(word: &[char], part: &[char]) -> usize {
    let width = part.len() + 1;
    let mut rows = vec![0; (word.len() + 1) * width];
    for (at, cell) in rows.iter_mut().enumerate().take(width) {
        *cell = at;
    }
    for row in 1..=word.len() {
        rows[row * width] = row;
        for column in 1..width {
            let changed = usize::from(word[row - 1] != part[column - 1]);
            let at = |row: usize, column: usize| rows[row * width + column];
            let mut best =
                (at(row - 1, column) + 1).min(at(row, column - 1) + 1).min(at(row - 1, column - 1) + changed);
            let is_exchanged =
                row > 1 && column > 1 && word[row - 1] == part[column - 2] && word[row - 2] == part[column - 1];
            if is_exchanged {
                best = best.min(at(row - 2, column - 2) + 1);
            }
            rows[row * width + column] = best;
        }
    }
    rows[rows.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(query: &str, name: &str) -> f64 {
        let words: Vec<_> = query.split(' ').map(str::to_owned).collect();
        Alike::new(&words).to(name).unwrap_or(0.0)
    }

    #[test]
    fn a_slip_of_the_keys_is_forgiven_and_another_word_is_not() {
        for (query, name) in [
            ("conection", "connection refused"),
            ("fingrepirnt", "crates/kernel/src/fingerprint.rs"),
            ("flaky login", "Fix the flaky login test"),
            ("fpr", "fpr.rs"),
            ("Parser", "Make the Parser faster"),
        ] {
            assert!(alike(query, name) >= LEAST_ALIKE, "{query} {name} {}", alike(query, name));
        }
        for (query, name) in [
            ("flaky login", "Fix the flaky test"),
            ("parser", "Sing a song"),
            ("test", "a tree is seen at noon, still"),
        ] {
            assert!(alike(query, name) < LEAST_ALIKE, "{query} {name} {}", alike(query, name));
        }
    }

    #[test]
    fn slips_are_counted() {
        let of = |left: &str, right: &str| slips(&left.chars().collect::<Vec<_>>(), &right.chars().collect::<Vec<_>>());
        assert_eq!([of("abc", "abc"), of("abc", "acb"), of("abc", "abcd"), of("", "xy")], [0, 1, 1, 2]);
    }
}
