//! Entities and the sessions whose entries name them: the edges of the graph, counted.
//!
//! Written as a file beside a layer, with a checksum. Does not say what is joined; `graph` does.

use std::collections::BTreeMap;

use annals_kernel::envelope::{Ending, Envelope};
use annals_kernel::id::EntryId;

use crate::entity;
use crate::hit::HitKind;

/// Something that entries name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entity {
    pub kind: HitKind,
    pub name: Box<str>,
}

/// How often the entries of a session name an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Edge {
    pub count: u32,
    /// How many of them are calls that failed.
    pub failed: u32,
    /// The last one of all.
    pub last: EntryId,
}

/// The numbers of an entity and a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EdgeKey {
    pub entity: u32,
    pub session: u32,
}

/// All edges, by the numbers of entity and session.
#[derive(Debug, Clone, Default, PartialEq)]
#[expect(clippy::struct_field_names, reason = "entities, sessions and the edges between them")]
pub(crate) struct Edges {
    pub entities: BTreeMap<Entity, u32>,
    pub sessions: BTreeMap<Box<str>, u32>,
    pub edges: BTreeMap<EdgeKey, Edge>,
}

/// Which version of the format, and that it is one.
const MAGIC: &[u8; 8] = b"edges/1\n";

/// Bytes of one edge in a file: entity, session, count, failed, and the last entry.
const EDGE_BYTES: usize = 32;

impl Edges {
    /// Takes in an entry.
    pub(crate) fn see(&mut self, entry: &Envelope<'_>) {
        let session = number(&mut self.sessions, &entry.session());
        let failed = u32::from(entry.ending() == Ending::Failed);
        let id = entry.id();
        let (entities, edges) = (&mut self.entities, &mut self.edges);
        entity::each(entry, &mut |kind, name| {
            let entity = Entity { kind, name: name.into() };
            let next = u32::try_from(entities.len()).unwrap_or(u32::MAX);
            let entity = *entities.entry(entity).or_insert(next);
            add(edges, EdgeKey { entity, session }, Edge { count: 1, failed, last: id });
        });
    }

    /// Takes in others.
    pub(crate) fn join(&mut self, other: &Self) {
        let entities: BTreeMap<u32, u32> = other
            .entities
            .iter()
            .map(|(entity, from)| {
                let next = u32::try_from(self.entities.len()).unwrap_or(u32::MAX);
                (*from, *self.entities.entry(entity.clone()).or_insert(next))
            })
            .collect();
        let sessions: BTreeMap<u32, u32> =
            other.sessions.iter().map(|(name, from)| (*from, number(&mut self.sessions, name))).collect();
        for (EdgeKey { entity, session }, edge) in &other.edges {
            let at = EdgeKey { entity: entities[entity], session: sessions[session] };
            add(&mut self.edges, at, *edge);
        }
    }

    /// As a file.
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut put = |number: usize| bytes.extend_from_slice(&(number as u64).to_le_bytes());
        let names = by_number(
            self.entities.iter().map(|(entity, at)| (format!("{}\t{}", entity.kind.as_str(), entity.name), *at)),
        );
        let sessions = by_number(self.sessions.iter().map(|(name, at)| (name.to_string(), *at)));
        [names.len(), sessions.len(), self.edges.len()].into_iter().for_each(&mut put);
        for text in [names, sessions] {
            bytes.extend_from_slice(text.as_bytes());
        }
        for (EdgeKey { entity, session }, edge) in &self.edges {
            for number in [*entity, *session, edge.count, edge.failed] {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
            bytes.extend_from_slice(&edge.last.to_bytes());
        }
        let sum = sum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// From a file; `None` where it is not as it was written.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (body, end) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
        if sum(body).to_le_bytes() != *end {
            return None;
        }
        let mut rest = body.strip_prefix(MAGIC)?;
        let mut length = || {
            let (number, behind) = rest.split_first_chunk::<8>()?;
            rest = behind;
            usize::try_from(u64::from_le_bytes(*number)).ok()
        };
        let (names, sessions, edges) = (length()?, length()?, length()?);
        let (names, rest) = rest.split_at_checked(names)?;
        let (sessions, rest) = rest.split_at_checked(sessions)?;
        let mut all = Self::default();
        for (at, line) in (0..).zip(std::str::from_utf8(names).ok()?.lines()) {
            let (kind, name) = line.split_once('\t')?;
            all.entities.insert(Entity { kind: kind_named(kind)?, name: name.into() }, at);
        }
        all.sessions.extend(std::str::from_utf8(sessions).ok()?.lines().map(Box::from).zip(0..));
        if rest.len() != edges.checked_mul(EDGE_BYTES)? {
            return None;
        }
        let u32_at = |edge: &[u8], at: usize| edge.get(at..at + 4)?.first_chunk().map(|four| u32::from_le_bytes(*four));
        let edge = |edge: &[u8]| {
            let last = EntryId::from_bytes(*edge.get(16..)?.first_chunk()?);
            let value = Edge { count: u32_at(edge, 8)?, failed: u32_at(edge, 12)?, last };
            Some((EdgeKey { entity: u32_at(edge, 0)?, session: u32_at(edge, 4)? }, value))
        };
        // In their order, so that the map is built at once.
        all.edges = rest.chunks_exact(EDGE_BYTES).map(edge).collect::<Option<Vec<_>>>()?.into_iter().collect();
        Some(all)
    }
}

fn number(names: &mut BTreeMap<Box<str>, u32>, name: &str) -> u32 {
    if let Some(number) = names.get(name) {
        return *number;
    }
    let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
    // A session whose name has a newline would end its line in the file.
    names.insert(name.into(), next);
    next
}

fn add(edges: &mut BTreeMap<EdgeKey, Edge>, at: EdgeKey, more: Edge) {
    let edge = edges.entry(at).or_insert(Edge { count: 0, failed: 0, last: more.last });
    edge.count = edge.count.saturating_add(more.count);
    edge.failed = edge.failed.saturating_add(more.failed);
    edge.last = edge.last.max(more.last);
}

/// Lines in the order of their numbers.
fn by_number(lines: impl Iterator<Item = (String, u32)>) -> String {
    let mut lines: Vec<_> = lines.map(|(line, at)| (at, line.replace('\n', " "))).collect();
    lines.sort_unstable();
    lines.into_iter().flat_map(|(_, line)| [line, "\n".to_owned()]).collect()
}

fn kind_named(name: &str) -> Option<HitKind> {
    let kinds = [HitKind::File, HitKind::Error, HitKind::Tool, HitKind::Agent, HitKind::Symbol, HitKind::Issue];
    kinds.into_iter().find(|kind| kind.as_str() == name)
}

/// A checksum against torn writes, eight bytes at a time.
fn sum(bytes: &[u8]) -> u64 {
    let step = |hash: u64, part: &[u8]| {
        let number = part.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
        (hash ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
    };
    bytes.chunks(8).fold(bytes.len() as u64, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges() -> Edges {
        let mut edges = Edges::default();
        let mut put = |kind, name: &str, session: &str| {
            let next = u32::try_from(edges.entities.len()).expect("few");
            let entity = *edges.entities.entry(Entity { kind, name: name.into() }).or_insert(next);
            let session = number(&mut edges.sessions, session);
            add(&mut edges.edges, EdgeKey { entity, session }, Edge { count: 1, failed: 1, last: EntryId::MIN });
        };
        put(HitKind::File, "src/z.rs", "one");
        put(HitKind::File, "src/a.rs", "one");
        put(HitKind::Error, "enoent no such file", "two");
        put(HitKind::File, "src/z.rs", "two");
        put(HitKind::File, "src/z.rs", "two");
        edges
    }

    #[test]
    fn edges_are_read_as_they_were_written_and_never_otherwise() {
        let file = edges().write();
        assert_eq!(Edges::read(&file), Some(edges()));
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 1;
            assert_eq!(Edges::read(&changed), None, "{at}");
            assert_eq!(Edges::read(&file[..at]), None, "{at}");
        }
    }

    #[test]
    fn joined_edges_are_counted_together() {
        let mut twice = edges();
        twice.join(&edges());
        let counts: Vec<_> = twice.edges.values().map(|edge| (edge.count, edge.failed)).collect();
        assert_eq!((twice.entities, twice.sessions), (edges().entities, edges().sessions));
        assert_eq!(counts, [(2, 2), (4, 4), (2, 2), (2, 2)]);
    }
}
