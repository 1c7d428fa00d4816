//! Which process of this clone has the agent: a lock that a process that dies lets go of.
//!
//! The lease in the log is what other clones go by (decision 69). What stands in the file is for people alone: which process
//! took the lock last.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::Read as _;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};

use anyhow::Context as _;

use crate::cli::shell::Usage;
use crate::engine::Engine;
use crate::kernel::id::AgentId;
use crate::kernel::json::sha256_hex;
use crate::log::clone;

/// The lock, held while this lives.
pub(super) struct ResidentLock {
    _file: File,
    /// This process; what stands before the `/` is its clone.
    pub(super) owner: Box<str>,
}

impl ResidentLock {
    /// Takes it; another process of this clone that has it is named, where it has said its name yet.
    pub(super) fn take(engine: &Engine, agent: &AgentId) -> anyhow::Result<Self> {
        let name = &sha256_hex(agent.as_str().as_bytes())[..16]; // a name may hold what no file's name may
        let local = engine.place().local();
        let path = local.join(format!("resident-{name}.lock"));
        let cannot = || format!("cannot lock {}", path.display());
        engine.disk().create_folder(local).with_context(cannot)?; // a fresh clone has none
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .with_context(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(Usage(held(&mut file, agent)).into()),
            Err(TryLockError::Error(error)) => return Err(error).with_context(cannot),
        }
        let chance = u32::try_from(engine.clock().chance() >> 96).expect("BUG: a quarter of 128 bits are 32");
        let owner = format!("{}/{}-{chance:08x}", this_clone(engine)?, std::process::id());
        // Written over in one piece and cut behind it: who reads it meanwhile finds a name.
        let line = format!("{owner}\n");
        file.write_all_at(line.as_bytes(), 0).with_context(cannot)?;
        let length = u64::try_from(line.len()).expect("BUG: a name is short");
        file.set_len(length).with_context(cannot)?;
        Ok(Self { _file: file, owner: owner.into() })
    }
}

/// What is known of the process that has the lock: it may have been here for so short a time that it has no name yet.
fn held(file: &mut File, agent: &AgentId) -> String {
    let mut said = String::new();
    let name = file.read_to_string(&mut said).ok().and_then(|_| said.lines().next()).unwrap_or_default();
    if name.is_empty() {
        return format!(
            "another process of this clone is just taking {agent}; wait until it is done, or stop it first"
        );
    }
    format!("another process has {agent}: {name}; stop that one first")
}

/// What tells this clone from others, whatever path they lie at: two machines often have a project at the same.
fn this_clone(engine: &Engine) -> anyhow::Result<String> {
    let (disk, place) = (&**engine.disk(), engine.place());
    let cannot = || format!("cannot read whose {} is", place.local().display());
    let mut mark = clone::read(disk, place).with_context(cannot)?;
    if mark.is_none() {
        clone::set(disk, place, engine.clock().chance_beside()).with_context(cannot)?;
        mark = clone::read(disk, place).with_context(cannot)?;
    }
    let words = mark.map_or_else(|| place.local().to_string_lossy().into_owned(), |mark| mark.clone);
    Ok(sha256_hex(words.as_bytes())[..8].to_owned())
}
