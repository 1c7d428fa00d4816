//! The walls that a machine has, and what is missing where one of them is not there.
//!
//! Pure. Does not build them.

use std::collections::BTreeSet;

use annals_kernel::grounding::words;
use serde::{Deserialize, Serialize};

words! {
    /// A wall beside Landlock.
    pub enum Wall {
        /// A tree of processes of its own, which ends as a whole.
        Processes = "processes",
        /// A network of its own, in which nothing is but itself.
        Network = "network",
        /// A view of the disk in which only what may be reached exists.
        View = "view",
        /// A limit on the number of processes.
        Count = "count",
    }
}

/// What stands around a command.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Walls {
    /// Landlock's version; 0: there is none.
    pub landlock: u8,
    /// The others.
    pub others: BTreeSet<Wall>,
}

words! {
    /// What a command could do, because this machine does not keep it from that.
    pub enum Lack {
        /// Read and write any file of the person's.
        Files = "files",
        /// Cut off files that it may not write.
        Truncation = "truncation",
        /// Change the modes and times of files that it may not write.
        Modes = "modes",
        /// Connect over TCP.
        Tcp = "tcp",
        /// Send datagrams.
        Datagrams = "datagrams",
        /// Ask other programs over their sockets, such as one that starts containers.
        Sockets = "sockets",
        /// The same over sockets without a file.
        AbstractSockets = "abstract-sockets",
        /// Send signals to the person's processes.
        Signals = "signals",
        /// Leave processes behind that nobody ends.
        Leftovers = "leftovers",
        /// Start processes without end.
        ProcessCount = "process-count",
        /// Reach the record, where it lies in the folder that is worked in.
        Record = "record",
    }
}

/// How well commands are kept in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfinementStatus {
    /// Nothing is missing.
    Full,
    /// Files are kept from it; this is missing.
    Partial {
        /// What it could do.
        lacks: Vec<Lack>,
    },
    /// Nothing keeps files from it.
    None {
        /// Why.
        why: String,
    },
}

impl ConfinementStatus {
    /// Whether nothing is missing.
    pub fn is_full(&self) -> bool {
        *self == Self::Full
    }

    /// Whether a command may do this.
    pub fn lacks(&self, lack: Lack) -> bool {
        match self {
            Self::Full => false,
            Self::Partial { lacks } => lacks.contains(&lack),
            Self::None { .. } => true,
        }
    }
}

impl Walls {
    /// Whether all of those stand that stood before.
    pub(crate) fn hold(&self, required: &Self) -> bool {
        self.landlock >= required.landlock && self.others.is_superset(&required.others)
    }

    /// What is missing. The versions are those in which Landlock learned to keep a thing from a command.
    fn lacks(&self) -> Vec<Lack> {
        let has = |wall| self.others.contains(&wall);
        let from = |version| self.landlock >= version;
        let kept = |lack: &Lack| match lack {
            Lack::Files => from(1),
            Lack::Truncation => from(3) || has(Wall::View),
            Lack::Tcp => from(4) || has(Wall::Network),
            Lack::Datagrams => from(10) || has(Wall::Network),
            Lack::Sockets => from(9) || has(Wall::View),
            Lack::AbstractSockets => from(6) || has(Wall::Network),
            Lack::Signals => from(6) || has(Wall::Processes),
            Lack::Leftovers => has(Wall::Processes),
            Lack::ProcessCount => has(Wall::Count),
            Lack::Modes | Lack::Record => has(Wall::View),
        };
        Lack::ALL.iter().copied().filter(|lack| !kept(lack)).collect()
    }

    /// How well they keep a command in.
    pub(crate) fn status(&self) -> ConfinementStatus {
        let lacks = self.lacks();
        if lacks.contains(&Lack::Files) {
            ConfinementStatus::None { why: "the kernel has no Landlock, or it is switched off".to_owned() }
        } else if lacks.is_empty() {
            ConfinementStatus::Full
        } else {
            ConfinementStatus::Partial { lacks }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_follows_from_what_stands() {
        use Lack::{
            AbstractSockets, Datagrams, Leftovers, Modes, ProcessCount, Record, Signals, Sockets, Tcp, Truncation,
        };
        let namespaces = [Wall::Processes, Wall::Network];
        for (landlock, others, expected) in [
            (7, Wall::ALL, vec![]),
            (1, Wall::ALL, vec![]),
            (7, &namespaces, vec![Modes, Sockets, ProcessCount, Record]),
            (7, &[], vec![Modes, Datagrams, Sockets, Leftovers, ProcessCount, Record]),
            (10, &[], vec![Modes, Leftovers, ProcessCount, Record]),
            (
                1,
                &[],
                vec![
                    Truncation, Modes, Tcp, Datagrams, Sockets, AbstractSockets, Signals, Leftovers, ProcessCount,
                    Record,
                ],
            ),
        ] {
            let walls = Walls { landlock, others: others.iter().copied().collect() };
            assert_eq!(walls.lacks(), expected, "{walls:?}");
        }
        let none = Walls { landlock: 0, others: Wall::ALL.iter().copied().collect() };
        assert!(matches!(none.status(), ConfinementStatus::None { .. }));
    }

    #[test]
    fn a_wall_that_fell_is_seen() {
        let walls = |landlock, others: &[Wall]| Walls { landlock, others: others.iter().copied().collect() };
        let required = walls(7, &[Wall::View]);
        assert!(walls(7, Wall::ALL).hold(&required));
        assert!(!walls(7, &[Wall::Network]).hold(&required));
        assert!(!walls(6, Wall::ALL).hold(&required));
    }
}
