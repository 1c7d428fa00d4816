//! Whether a folder can be written, whose `local/` is, and who else may read what is in it.
//!
//! To know whether a file can be written, one is written, and removed.

use std::io;
use std::path::Path;

use super::Check;
use crate::own::Tracked;
use crate::{Engine, EngineError};
use annals_log::LogError;
use annals_log::clone::set_aside_before;
use annals_log::disk::Safety;

/// A real write, for a look at modes does not tell what a full disk or a read-only one refuses.
pub(super) fn examine(engine: &Engine) -> Check {
    const ABOUT: &str = "disk";
    for folder in [engine.place().history(), engine.place().local()] {
        if let Err(error) = probe(engine, folder) {
            let owner = engine.disk().facts(folder).ok().flatten().map(|facts| facts.owner);
            let (why, advice) = reason(&error, owner);
            return Check::bad(ABOUT, format_args!("no file can be written in {}: {why}", folder.display()), advice);
        }
    }
    Check::good(ABOUT, "files can be written in history/ and local/")
}

fn probe(engine: &Engine, folder: &Path) -> io::Result<()> {
    let (disk, path) = (engine.disk(), folder.join(".doctor"));
    disk.create_folder(folder)?;
    let written = disk.replace(&path, b"annals doctor was here\n", Safety::Synced);
    let removed = disk.remove(&path);
    written.and(removed)
}

fn reason(error: &io::Error, owner: Option<u32>) -> (String, &'static str) {
    let kind = error.kind();
    if kind == io::ErrorKind::ReadOnlyFilesystem {
        return ("the file system is read-only".to_owned(), "reading works; to record, mount it for writing");
    }
    if matches!(kind, io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
        return ("the disk is full".to_owned(), "nothing recorded is lost; make room, then go on");
    }
    if kind == io::ErrorKind::PermissionDenied {
        let owner = owner.map(|owner| format!("; it belongs to user {owner}")).unwrap_or_default();
        return (format!("permission denied{owner}"), "`chown -R` gives the folder to whoever records");
    }
    (error.to_string(), "nothing can be recorded until it is right")
}

/// What of `local/` is no clone's own.
pub(super) fn examine_local(engine: &Engine) -> Result<Vec<Check>, EngineError> {
    const ABOUT: &str = "local";
    let mut checks = Vec::new();
    match Tracked::local(engine.place().context()) {
        Tracked::No => {}
        Tracked::Yes => checks.push(Check::bad(
            ABOUT,
            "git tracks files of local/: other clones set them aside",
            "`git rm -r --cached .context/local`, then commit",
        )),
        Tracked::Unknown => checks.push(Check::note(
            ABOUT,
            "git's index does not tell whether it has files of local/: it cannot be read, or a sparse checkout leaves the folder out",
            "`git ls-files .context/local` says whether it has",
        )),
    }
    let local = engine.place().local();
    let aside = set_aside_before(&**engine.disk(), local).map_err(LogError::at("list", local))?;
    if let [first, ..] = aside.as_slice() {
        checks.push(Check::note(
            ABOUT,
            format_args!("not this clone's, and set aside: {}; the first: local/{first}", aside.len()),
            "nothing in there is read; look into its spool/ for what waited, then delete it",
        ));
    }
    Ok(checks)
}

/// Who else may read what was recorded. Git checks every file out as 0644, whatever it was.
pub(super) fn examine_modes(engine: &Engine) -> Result<Vec<Check>, EngineError> {
    const OTHERS: u32 = 0o077;
    let (disk, context) = (engine.disk(), engine.place().context());
    let is_closed = |path: &Path| {
        let facts = disk.facts(path).map_err(LogError::at("look at", path))?;
        Ok::<_, EngineError>(facts.is_none_or(|facts| facts.mode & OTHERS == 0))
    };
    // Whoever cannot enter the folder reads nothing below it, whatever the modes there say.
    if is_closed(context)? {
        return Ok(Vec::new());
    }
    let (mut open, mut first) = (0, None);
    for folder in ["", "history", "history/archive", "local"] {
        let folder = context.join(folder);
        for file in disk.list(&folder).map_err(LogError::at("list", &folder))? {
            let path = folder.join(&file.name);
            if !is_closed(&path)? {
                open += 1;
                first.get_or_insert(path);
            }
        }
    }
    let Some(first) = first else { return Ok(Vec::new()) };
    let first = first.strip_prefix(context).unwrap_or(&first).display().to_string();
    let says = format!("files that other users of this machine may read: {open}; the first: {first}");
    Ok(vec![Check::note("modes", says, "git checks files out so; `chmod -R go= .context` closes them")])
}
