//! Which process is at work on a task: a lock that a process that dies lets go of, and the word that tells it to stop.
//!
//! The file lies beside the workspaces, in the person's own state directory. Runs and ends no task: who has the lock does.
//!
//! The lock is the process's own (`fcntl`), and not that of its open file (`flock`): a program that it has just started has its
//! files until it is that program, and in a process group of its own no kill of the first one's reaches it. A process that
//! closes the file, however it came to open it, lets go: it is opened once, to be locked.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use rustix::fs::{FlockOperation, fcntl_lock};
use rustix::io::Errno;

use super::place::state;
use crate::act::Stop;
use crate::cli::shell::{Shell, Usage};
use crate::kernel::json::sha256_hex;

/// Between two looks for a word, and between two tries for the lock.
const LOOK: Duration = Duration::from_millis(50);
/// How often the lock is tried for until a process that was told to stop is said not to.
const TRIES: u32 = 1_200;
/// What is written behind the number of the process that has it.
const STOP: &[u8] = b"stop\n";

/// The lock of a task, held while this lives.
pub(in crate::cli) struct TaskLock {
    file: Arc<File>,
    path: PathBuf,
}

/// What a try for a lock came to.
enum Tried {
    Held(TaskLock),
    /// By a process, as it wrote itself down.
    Elsewhere(String),
}

impl TaskLock {
    /// Takes it; another process that is at work on the task is named.
    pub(in crate::cli) fn take(shell: &Shell, task: &str) -> anyhow::Result<Self> {
        match tried(&path(shell, task)?)? {
            Tried::Held(lock) => Ok(lock),
            Tried::Elsewhere(process) => {
                let words = format!("task {task} is at work in process {process}: it goes on there");
                Err(Usage(format!("{words}, and `annals task abort {task}` ends it")).into())
            }
        }
    }

    /// The same of a folder that tasks work in themselves.
    pub(in crate::cli) fn take_folder(shell: &Shell, folder: &Path) -> anyhow::Result<Self> {
        let key = sha256_hex(folder.as_os_str().as_bytes());
        match tried(&path(shell, &format!("folder-{}", &key[..16]))?)? {
            Tried::Held(lock) => Ok(lock),
            Tried::Elsewhere(process) => {
                let words = format!("a task is at work in {} itself, in process {process}", folder.display());
                let why = "what two do there at once could not be told apart, for it is not under git";
                Err(Usage(format!("{words}: {why}; wait until it has ended")).into())
            }
        }
    }

    /// Whether another process is at work on a task. What this one holds of it, it would let go.
    pub(in crate::cli) fn is_held(shell: &Shell, task: &str) -> anyhow::Result<bool> {
        let path = state(shell)?.join(format!("{task}.lock"));
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            opened => opened.with_context(|| format!("cannot read {}", path.display()))?,
        };
        match fcntl_lock(&file, FlockOperation::NonBlockingLockShared) {
            Ok(()) => Ok(false),
            Err(Errno::AGAIN | Errno::ACCESS) => Ok(true),
            Err(error) => Err(io::Error::from(error)).with_context(|| format!("cannot look at {}", path.display())),
        }
    }

    /// Takes it from whom has it: that one is told to stop, and waited for.
    pub(in crate::cli) fn take_over(shell: &mut Shell, task: &str) -> anyhow::Result<Self> {
        let path = path(shell, task)?;
        let process = match tried(&path)? {
            Tried::Held(lock) => return Ok(lock),
            Tried::Elsewhere(process) => process,
        };
        shell.out.say(format_args!("task {task} is at work in process {process}: it is told to stop"))?;
        shell.out.flush()?;
        tell(&path)?;
        for _ in 0..TRIES {
            if let Tried::Held(lock) = tried(&path)? {
                return Ok(lock);
            }
            thread::sleep(LOOK);
        }
        let words = format!("process {process} was told to stop task {task}, and has not within a minute");
        Err(Usage(format!("{words}: end that process, then say it again")).into())
    }

    /// Hands the word on to a run, for as long as this is held.
    pub(super) fn listens(&self, stop: &Arc<Stop>) -> anyhow::Result<()> {
        let (file, stop) = (Arc::downgrade(&self.file), Arc::clone(stop));
        let own = self.file.metadata()?.len();
        thread::spawn(move || {
            while let Some(is_told) = is_told(&file, own) {
                if is_told {
                    return stop.leave();
                }
                thread::sleep(LOOK);
            }
        });
        Ok(())
    }
}

impl Drop for TaskLock {
    fn drop(&mut self) {
        // It is held still, so nobody else has this file; one that stays is taken again.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Whether more stands in the file than its holder wrote; none where it is not held any more.
fn is_told(file: &Weak<File>, own: u64) -> Option<bool> {
    Some(file.upgrade()?.metadata().is_ok_and(|about| about.len() > own))
}

fn path(shell: &Shell, task: &str) -> anyhow::Result<PathBuf> {
    let folder = state(shell)?;
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder.join(format!("{task}.lock")))
}

/// Who held the lock before removed its file: then the lock of that file is none, and the next one counts.
fn tried(path: &Path) -> anyhow::Result<Tried> {
    let cannot = || format!("cannot lock {}", path.display());
    loop {
        let file = opened(path).with_context(cannot)?;
        match fcntl_lock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) if is_at(&file, path) => return held(file, path).with_context(cannot).map(Tried::Held),
            Ok(()) => {}
            Err(Errno::AGAIN | Errno::ACCESS) => return Ok(Tried::Elsewhere(process(path))),
            Err(error) => return Err(io::Error::from(error)).with_context(cannot),
        }
    }
}

fn opened(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

fn is_at(file: &File, path: &Path) -> bool {
    let node = |about: &std::fs::Metadata| (about.dev(), about.ino());
    matches!((file.metadata(), path.metadata()), (Ok(own), Ok(there)) if node(&own) == node(&there))
}

fn held(mut file: File, path: &Path) -> io::Result<TaskLock> {
    file.set_len(0)?;
    writeln!(file, "{}", std::process::id())?;
    Ok(TaskLock { file: Arc::new(file), path: path.to_owned() })
}

fn process(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_owned()
}

/// A file that is not there any more is one whose holder has ended: nobody is told.
fn tell(path: &Path) -> anyhow::Result<()> {
    match OpenOptions::new().append(true).open(path).and_then(|mut file| file.write_all(STOP)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot write {}", path.display()))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn lock(path: &Path) -> TaskLock {
        let Tried::Held(lock) = tried(path).expect("tried") else { panic!("it is free") };
        lock
    }

    #[test]
    fn a_lock_is_written_down_and_its_file_goes_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.lock");
        let first = lock(&path);
        assert_eq!(process(&path), std::process::id().to_string());
        drop(first);
        assert!(!path.exists());
        drop(lock(&path));
    }

    /// The adversary of a lock that goes with its process: a program it began, which has the open file still.
    #[test]
    fn a_program_that_was_begun_keeps_no_lock() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.lock");
        let held = lock(&path);
        let inherited = held.file.try_clone().expect("the same open file");
        let mut begun = Command::new("cat").stdin(Stdio::piped()).stdout(inherited).spawn().expect("begun");
        // A kill closes the files of a process, and removes none.
        let stays = folder.path().join("stays");
        std::fs::hard_link(&path, &stays).expect("linked");
        drop(held);
        std::fs::rename(&stays, &path).expect("as it was");
        drop(lock(&path));
        drop(begun.stdin.take());
        assert!(begun.wait().expect("ended").success());
    }

    #[test]
    fn the_word_reaches_whom_has_it_and_is_gone_for_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.lock");
        std::fs::write(&path, "7\nstop\n").expect("written");
        let held = lock(&path);
        let (file, own) = (Arc::downgrade(&held.file), held.file.metadata().expect("read").len());
        assert_eq!(is_told(&file, own), Some(false));
        tell(&path).expect("told");
        assert_eq!(is_told(&file, own), Some(true));
        drop(held);
        assert_eq!(is_told(&file, own), None);
        tell(&path).expect("nobody is told");
        assert!(!path.exists());
    }
}
