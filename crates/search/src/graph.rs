//! What a query names, the sessions whose entries name it, and what else these sessions name: a file leads to sessions, those
//! to the errors they met, an error to what ended it.
//!
//! Reads edges that the index keeps; does not look into texts.

use std::collections::{BTreeMap, BTreeSet};

use annals_engine::EngineError;
use annals_engine::query::filter::{Filter, matches};
use annals_kernel::fingerprint;
use annals_kernel::id::{EntryId, SessionId};
use annals_rules::domain::issue::number::Label;
use annals_rules::domain::session::Session;
use annals_rules::world::World;

use crate::ended;
use crate::excerpt::Excerpt;
use crate::fold::fold;
use crate::hit::{Hit, HitKind, Source};
use crate::index::{Edge, EdgeKey, Edges, Entity};
use crate::names::needs_entries;
use crate::provider::{Provided, Provider, Sought};

/// So many of the entities that a query names are followed.
const MOST_NAMED: usize = 6;

/// So many sessions, and so many other entities, are told of each.
const MOST_JOINED: usize = 4;

/// Of an entity's sessions the newest so many are followed further.
const MOST_SESSIONS: usize = 50;

/// A word with fewer letters names no entity.
const LEAST_LETTERS: usize = 3;

/// Of so many errors it is looked up what ended them.
const MOST_ENDED: usize = 2;

/// Finds what is joined.
pub(crate) struct Graph;

impl Provider for Graph {
    fn source(&self) -> Source {
        Source::Graph
    }

    fn find(&self, sought: &Sought<'_>) -> Result<Provided, EngineError> {
        let words: Vec<_> = sought.pattern.words().map(|word| fold(word).into_owned()).collect();
        if words.is_empty() || needs_entries(sought.filter) {
            return Ok(Provided::default());
        }
        let layers = sought.index.edges()?;
        let named = named(layers, &Words::of(&words));
        let mut hits = Vec::new();
        let mut looked_up = 0;
        for (entity, score) in named {
            let sessions = sessions_of(sought, layers, &entity)?;
            if sessions.is_empty() {
                continue;
            }
            let ended = if entity.kind == HitKind::Error && looked_up < MOST_ENDED {
                looked_up += 1;
                ended_by(sought, &sessions)?
            } else {
                None
            };
            hits.push(itself(&entity, &sessions, Found { score, ended }));
            hits.extend(
                sessions
                    .iter()
                    .take(MOST_JOINED)
                    .enumerate()
                    .map(|(at, joined)| session(&entity, joined, score * step(at))),
            );
            hits.extend(others(sought, &entity, &sessions, score)?);
        }
        let hits = sought.ask(|world| hits.iter().map(|hit| labelled(world, hit.clone())).collect())?;
        Ok(Provided { hits, ..Provided::default() })
    }
}

/// What comes later in a list counts less.
fn step(at: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a short list")]
    let at = at as f64;
    0.8 / (1.0 + at * 0.25)
}

/// The words of a query, in small letters.
struct Words<'w> {
    each: &'w [String],
    /// The fingerprint of all of them as an error.
    fingerprint: Box<str>,
}

impl<'w> Words<'w> {
    fn of(each: &'w [String]) -> Self {
        Self { each, fingerprint: fingerprint::of(&each.join(" ")) }
    }

    /// How well they name an entity; `None` where they do not.
    fn name(&self, entity: &Entity) -> Option<f64> {
        let name = fold(&entity.name);
        let by_word = |word: &String| {
            if *name == **word {
                return Some(1.0);
            }
            match entity.kind {
                HitKind::File => file_named(&name, word),
                HitKind::Symbol => name.rsplit("::").next().filter(|last| last == word).map(|_| 0.9),
                HitKind::Issue => {
                    name.strip_prefix('#').filter(|number| number == word && self.each.len() == 2).map(|_| 0.9)
                }
                HitKind::Error
                | HitKind::Tool
                | HitKind::Agent
                | HitKind::Entry
                | HitKind::Session
                | HitKind::Canon
                | HitKind::Knowledge
                | HitKind::Belief
                | HitKind::Memory => None,
            }
        };
        if entity.kind == HitKind::Error {
            return self.error(&name);
        }
        let long = self.each.iter().filter(|word| is_telling(word));
        let best = long.filter_map(by_word).max_by(f64::total_cmp)?;
        // One word of many names it less than the only one.
        #[expect(clippy::cast_precision_loss, reason = "few words")]
        let share = 0.7 + 0.3 / self.each.len() as f64;
        Some(best * share)
    }

    fn error(&self, name: &str) -> Option<f64> {
        if *name == *self.fingerprint {
            return Some(1.0);
        }
        let long: Vec<_> = self.each.iter().filter(|word| word.chars().count() >= LEAST_LETTERS).collect();
        (!long.is_empty() && long.iter().all(|word| name.contains(word.as_str()))).then_some(0.7)
    }
}

/// Whether a word is long enough to name something, or a number of an issue.
fn is_telling(word: &str) -> bool {
    word.chars().count() >= LEAST_LETTERS || word.trim_start_matches('#').bytes().all(|byte| byte.is_ascii_digit())
}

/// By the end of its path, or its name without the ending.
fn file_named(path: &str, word: &str) -> Option<f64> {
    let end = path.strip_suffix(word);
    if end.is_some_and(|rest| rest.ends_with('/')) {
        return Some(0.9);
    }
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    (stem == word).then_some(0.75)
}

/// The entities that a query names, the best first.
fn named(layers: &[Edges], words: &Words<'_>) -> Vec<(Entity, f64)> {
    let mut named: BTreeMap<&Entity, f64> = BTreeMap::new();
    for entity in layers.iter().flat_map(|edges| edges.entities.keys()) {
        if let Some(score) = words.name(entity) {
            named.insert(entity, score);
        }
    }
    let mut named: Vec<_> = named.into_iter().map(|(entity, score)| (entity.clone(), score)).collect();
    named.sort_by(|left, right| right.1.total_cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    named.truncate(MOST_NAMED);
    named
}

/// A session that names an entity.
struct Joined {
    id: SessionId,
    edge: Edge,
}

/// The sessions whose entries name an entity, those that the filter leaves, the newest first.
fn sessions_of(sought: &Sought<'_>, layers: &[Edges], entity: &Entity) -> Result<Vec<Joined>, EngineError> {
    let mut all: BTreeMap<&str, Edge> = BTreeMap::new();
    for edges in layers {
        let Some(number) = edges.entities.get(entity) else { continue };
        let names: BTreeMap<u32, &str> = edges.sessions.iter().map(|(name, at)| (*at, &**name)).collect();
        let of = |session| EdgeKey { entity: *number, session };
        for (EdgeKey { session, .. }, edge) in edges.edges.range(of(0)..=of(u32::MAX)) {
            let Some(name) = names.get(session) else { continue };
            let sum = all.entry(name).or_insert(Edge { count: 0, failed: 0, last: edge.last });
            sum.count = sum.count.saturating_add(edge.count);
            sum.failed = sum.failed.saturating_add(edge.failed);
            sum.last = sum.last.max(edge.last);
        }
    }
    let filter = sought.filter;
    all.retain(|name, edge| {
        is_within(filter, edge) && filter.session.as_ref().is_none_or(|session| session.as_str() == *name)
    });
    let is_of = |session: &Session| {
        let is_named = |pattern: &String| session.agents.iter().any(|agent| matches(pattern, agent.as_str()));
        filter.agents.is_empty() || filter.agents.iter().any(is_named)
    };
    let mut joined: Vec<_> = all.into_iter().map(|(name, edge)| Joined { id: SessionId::from(name), edge }).collect();
    joined.sort_by_key(|one| std::cmp::Reverse(one.edge.last));
    joined.truncate(MOST_SESSIONS);
    // One of another branch may be in the index and not in the log.
    let there: BTreeSet<SessionId> = sought.ask(|world| {
        let sessions = &world.rooms.session;
        joined
            .iter()
            .filter(|joined| sessions.session(&joined.id).is_some_and(is_of))
            .map(|joined| joined.id.clone())
            .collect()
    })?;
    joined.retain(|joined| there.contains(&joined.id));
    Ok(joined)
}

/// Whether the last entry that an edge counts is of the time that is asked for.
fn is_within(filter: &Filter, edge: &Edge) -> bool {
    filter.since <= edge.last && filter.until.is_none_or(|until| edge.last <= until)
}

/// How well an entity is named, and what ended it.
struct Found {
    score: f64,
    ended: Option<EntryId>,
}

#[expect(clippy::needless_pass_by_value, reason = "what was found becomes the hit")]
fn itself(entity: &Entity, sessions: &[Joined], found: Found) -> Hit {
    let count: u64 = sessions.iter().map(|joined| u64::from(joined.edge.count)).sum();
    let failed: u64 = sessions.iter().map(|joined| u64::from(joined.edge.failed)).sum();
    let mut because =
        format!("{} in {}", counted(count, "entry", "entries"), counted(sessions.len() as u64, "session", "sessions"));
    if failed > 0 && entity.kind != HitKind::Error {
        because = format!("{because}, {failed} failed");
    }
    let newest = sessions.first();
    let excerpt = Excerpt::plain(&*entity.name);
    Hit {
        score: found.score,
        at: newest.map(|joined| joined.edge.last.time()),
        session: newest.map(|joined| joined.id.clone()),
        ended_by: found.ended,
        because: Some(because),
        ..Hit::of(Source::Graph, entity.kind, &*entity.name, excerpt)
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn session(entity: &Entity, joined: &Joined, score: f64) -> Hit {
    let times = counted(u64::from(joined.edge.count), "time", "times");
    let failed = if joined.edge.failed > 0 { format!(", {} failed", joined.edge.failed) } else { String::new() };
    Hit {
        score,
        at: Some(joined.edge.last.time()),
        session: Some(joined.id.clone()),
        because: Some(format!("names {} {} {times}{failed}", entity.kind.as_str(), entity.name)),
        ..Hit::of(Source::Graph, HitKind::Session, joined.id.as_str(), Excerpt::default())
    }
}

/// Entities that the same sessions name, and few others.
fn others(sought: &Sought<'_>, entity: &Entity, sessions: &[Joined], score: f64) -> Result<Vec<Hit>, EngineError> {
    let layers = sought.index.edges()?;
    let wanted: BTreeSet<&str> = sessions.iter().map(|joined| joined.id.as_str()).collect();
    let mut shared: BTreeMap<&Entity, [u32; 2]> = BTreeMap::new();
    for edges in layers {
        let numbers: BTreeMap<u32, &Entity> = edges.entities.iter().map(|(entity, at)| (*at, entity)).collect();
        let here: BTreeSet<u32> =
            edges.sessions.iter().filter(|(name, _)| wanted.contains(&***name)).map(|(_, at)| *at).collect();
        for (EdgeKey { entity: number, session }, edge) in &edges.edges {
            if !is_within(sought.filter, edge) {
                continue;
            }
            let Some(other) = numbers.get(number).filter(|other| tells(other.kind)) else { continue };
            let counts = shared.entry(other).or_default();
            counts[0] += u32::from(here.contains(session));
            counts[1] += 1;
        }
    }
    let lift = |[both, all]: [u32; 2]| f64::from(both) * f64::from(both) / f64::from(all.max(1));
    let mut others: Vec<_> = shared.into_iter().filter(|(other, counts)| counts[0] > 0 && *other != entity).collect();
    others.sort_by(|left, right| lift(right.1).total_cmp(&lift(left.1)).then_with(|| left.0.cmp(right.0)));
    others.truncate(MOST_JOINED);
    let hit = |(at, (other, counts)): (usize, (&Entity, [u32; 2]))| Hit {
        score: score * step(at) * 0.7,
        because: Some(format!(
            "with {} {} in {}",
            entity.kind.as_str(),
            entity.name,
            counted(u64::from(counts[0]), "session", "sessions")
        )),
        ..Hit::of(Source::Graph, other.kind, &*other.name, Excerpt::plain(&*other.name))
    };
    Ok(others.into_iter().enumerate().map(hit).collect())
}

/// Whether being joined with it tells anything: a tool and an agent are in nearly every session.
fn tells(kind: HitKind) -> bool {
    match kind {
        HitKind::File | HitKind::Error | HitKind::Issue | HitKind::Symbol => true,
        HitKind::Tool
        | HitKind::Agent
        | HitKind::Entry
        | HitKind::Session
        | HitKind::Canon
        | HitKind::Knowledge
        | HitKind::Belief
        | HitKind::Memory => false,
    }
}

/// What ended an error where it was met last.
fn ended_by(sought: &Sought<'_>, sessions: &[Joined]) -> Result<Option<EntryId>, EngineError> {
    let Some(joined) = sessions.first() else { return Ok(None) };
    let ended = ended::in_session(sought.engine, &joined.id, joined.edge.last)?;
    Ok(ended.filter(|id| sought.filter.until.is_none_or(|until| *id <= until)))
}

/// With the title of a session or issue, which the edges do not know.
fn labelled(world: &World, mut hit: Hit) -> Hit {
    if hit.kind == HitKind::Session {
        let session = world.rooms.session.session(&SessionId::from(hit.id.as_str()));
        let title = session.and_then(|session| session.title.as_ref());
        hit.excerpt = Excerpt::plain(title.map_or("", |title| title.as_str()));
    }
    if hit.kind == HitKind::Issue {
        let issues = &world.rooms.issue;
        // A prompt names an issue by its number, a decision by its id.
        let by_label = || Label::read(&hit.id).and_then(|label| issues.issue(issues.by_label(label)?));
        if let Some(issue) = issues.issues.get(hit.id.as_str()).or_else(by_label) {
            hit.excerpt = Excerpt::plain(format!("#{} {}", issue.label, issue.title));
            hit.id = format!("#{}", issue.label);
        }
    }
    hit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(query: &str, kind: HitKind, name: &str) -> Option<f64> {
        let words: Vec<_> = query.split(' ').map(str::to_owned).collect();
        Words::of(&words).name(&Entity { kind, name: name.into() })
    }

    #[test]
    fn a_query_names_files_by_their_ends_and_errors_by_their_fingerprints() {
        for (query, kind, name) in [
            ("src/log/read.rs", HitKind::File, "src/log/read.rs"),
            ("log/read.rs", HitKind::File, "src/log/read.rs"),
            ("read.rs", HitKind::File, "src/log/read.rs"),
            ("read", HitKind::File, "src/log/read.rs"),
            ("find_line", HitKind::Symbol, "log::find_line"),
            ("bash", HitKind::Tool, "Bash"),
            ("#42", HitKind::Issue, "#42"),
            ("issue 42", HitKind::Issue, "#42"),
            ("enoent: no such file or directory, open '/a/b'", HitKind::Error, "enoent no such file or directory open"),
            ("no such file", HitKind::Error, "enoent no such file or directory open"),
        ] {
            assert!(score(query, kind, name).is_some(), "{query} {name}");
        }
        for (query, kind, name) in [
            ("ad.rs", HitKind::File, "src/log/read.rs"),
            ("log", HitKind::File, "src/log/read.rs"),
            ("42", HitKind::Issue, "#42"),
            ("ba", HitKind::Tool, "Bash"),
            ("no such permission", HitKind::Error, "enoent no such file or directory open"),
        ] {
            assert_eq!(score(query, kind, name), None, "{query} {name}");
        }
    }
}
