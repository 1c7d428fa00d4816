//! Which process of this clone has the agent: a lock that a process that dies lets go of.
//!
//! The lease in the log is what other clones go by (decision 69). The file says who had it last, so that a lease whose
//! process is gone need not run out first.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;

use anyhow::Context as _;

use crate::cli::shell::Usage;
use crate::engine::Engine;
use crate::kernel::id::AgentId;
use crate::kernel::json::sha256_hex;

/// The lock, held while this lives.
pub(super) struct ResidentLock {
    _file: File,
    /// This process.
    pub(super) owner: Box<str>,
    /// The process that had it before, and is gone.
    pub(super) gone: Option<Box<str>>,
}

impl ResidentLock {
    /// Takes it; another process of this clone that has it is named.
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
        let mut before = String::new();
        let locked = file.try_lock();
        file.read_to_string(&mut before).with_context(cannot)?;
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let words = format!("another process has {agent}: {}; stop that one first", before.trim());
                return Err(Usage(words).into());
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(cannot),
        }
        let clone = &sha256_hex(local.to_string_lossy().as_bytes())[..8];
        let chance = u32::try_from(engine.clock().chance() >> 96).expect("BUG: a quarter of 128 bits are 32");
        let owner = format!("{clone}/{}-{chance:08x}", std::process::id());
        file.set_len(0).with_context(cannot)?;
        file.seek(SeekFrom::Start(0)).with_context(cannot)?;
        writeln!(file, "{owner}").with_context(cannot)?;
        let gone = Some(before.trim()).filter(|before| !before.is_empty()).map(Box::from);
        Ok(Self { _file: file, owner: owner.into(), gone })
    }
}
