//! How much of every writer's chain is folded, and how much a decision had seen.
//!
//! Does not fold; it counts.

use std::collections::{BTreeMap, BTreeSet};

use annals_kernel::annals::Link;
use annals_log::batch::Placed;

/// How many lines of each writer belong to a past.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct VectorClock(BTreeMap<String, u64>);

impl VectorClock {
    /// What a writer had seen when it wrote a line, given what it had told before.
    pub(super) fn before(link: &Link, folded: &FoldProgress) -> Self {
        let mut clock = Self::default();
        let told = folded.0.get(link.writer.as_str()).map(|progress| &progress.told);
        clock.see(told.into_iter().flatten().map(|(writer, count)| (writer.as_str(), *count)));
        clock.see(link.seen.iter().map(|(writer, head)| (writer.as_str(), head.count)));
        clock.set(link.writer.as_str(), link.count.saturating_sub(1));
        clock
    }

    pub(super) fn see<'c>(&mut self, counts: impl Iterator<Item = (&'c str, u64)>) {
        for (writer, count) in counts {
            let known = self.0.entry(writer.to_owned()).or_default();
            *known = count.max(*known);
        }
    }

    pub(super) fn set(&mut self, writer: &str, count: u64) {
        self.0.insert(writer.to_owned(), count);
    }

    pub(super) fn has(&self, writer: &str, count: u64) -> bool {
        self.0.get(writer).is_some_and(|seen| count <= *seen)
    }
}

/// What is folded, in the order of ids.
#[derive(Debug, Clone, Default)]
pub(super) struct FoldProgress(BTreeMap<String, Progress>);

#[derive(Debug, Clone, Default)]
struct Progress {
    /// All counts up to here are folded.
    upto: u64,
    /// Counts beyond that are folded already.
    ahead: BTreeSet<u64>,
    /// What the writer's lines so far say of other writers.
    told: BTreeMap<String, u64>,
}

impl FoldProgress {
    /// Counts an entry, and every line for which it stands.
    pub(super) fn fold(&mut self, placed: &Placed<'_>) {
        if placed.copies.is_empty()
            && let Some((writer, count)) = placed.envelope.writer()
        {
            self.writer(&writer).add(count);
            if placed.envelope.has_seen() {
                self.tell(placed.envelope.link().as_ref());
            }
        }
        for link in placed.copies {
            self.writer(link.writer.as_str()).add(link.count);
            self.tell(Some(link));
        }
    }

    fn writer(&mut self, name: &str) -> &mut Progress {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), Progress::default());
        }
        self.0.get_mut(name).expect("BUG: the writer was just added")
    }

    fn tell(&mut self, link: Option<&Link>) {
        let Some(link) = link else { return };
        let told = &mut self.writer(link.writer.as_str()).told;
        for (writer, head) in &link.seen {
            let known = told.entry(writer.as_str().to_owned()).or_default();
            *known = head.count.max(*known);
        }
    }

    /// Whether exactly that is folded which a clock says.
    pub(super) fn is_just(&self, clock: &VectorClock) -> bool {
        let count = |writer: &String| clock.0.get(writer).copied().unwrap_or(0);
        let folded = self.0.iter().all(|(writer, progress)| progress.is_just(count(writer)));
        folded && clock.0.iter().all(|(writer, count)| *count == 0 || self.0.contains_key(writer))
    }
}

impl Progress {
    fn add(&mut self, count: u64) {
        if count == self.upto + 1 {
            self.upto = count;
        } else if count > self.upto {
            self.ahead.insert(count);
        }
        while self.ahead.remove(&(self.upto + 1)) {
            self.upto += 1;
        }
    }

    fn is_just(&self, count: u64) -> bool {
        self.ahead.is_empty() && self.upto == count
    }
}
