//! Git's hook before a commit: ours signs and adds the history; one that was there before is kept beside it and runs first.
//!
//! A folder of hooks in the work tree may have come with the repository: no link on the way to it is followed. Does not
//! know which folder git looks for hooks in; `cli::setup` asks it.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{HooksStanding, SetupError};
use crate::log::disk::{Disk, RealDisk, Shut};

const NAME: &str = "pre-commit";
const KEPT: &str = "pre-commit.before-annals";
/// A hook that is longer is none of ours.
const MOST_BYTES: u64 = 1 << 20;
/// Stands in our hook and in no other.
const MARK: &str = "# annals: signs and adds the history before each commit";

/// What becomes of a commit where the head cannot be signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnTrouble {
    /// It goes on.
    Commit,
    /// It fails.
    Fail,
}

/// How our hook is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookScript {
    /// The program to start.
    pub program: String,
    /// `.context`, below the top of the work tree.
    pub context: String,
    /// Whether a commit may fail because of it.
    pub on_trouble: OnTrouble,
}

/// Before each folder's part of the hook, with the folder behind it.
const PART: &str = "# annals in ";

impl HookScript {
    /// What stands in the file where it is the hook of this folder alone.
    pub(crate) fn text(&self) -> String {
        whole(&[self.part()])
    }

    /// What is done for this folder. Where the program or the folder is missing, nothing happens and nothing is said.
    fn part(&self) -> String {
        let (program, context) = (quoted(&self.program), quoted(&self.context));
        let (missing, failed) = match self.on_trouble {
            OnTrouble::Commit => ("false".to_owned(), "true"),
            OnTrouble::Fail => (
                format!(
                    "{{ echo \"pre-commit: \"{program}\" is missing, and this commit must be signed\" >&2; exit 1; }}"
                ),
                "exit 1",
            ),
        };
        format!(
            "{}if [ -d {context} ] && {{ command -v {program} >/dev/null 2>&1 || {missing}; }}; then\n\
             \x20 {program} --context {context} seal --stage >/dev/null || {failed}\n\
             fi\n",
            self.heading()
        )
    }

    fn heading(&self) -> String {
        format!("{PART}{}\n", quoted(&self.context))
    }
}

/// The hook of one or more folders.
fn whole(parts: &[String]) -> String {
    format!(
        "#!/bin/sh\n{MARK}\n\
         # `annals setup git --remove` takes a folder's part out, and with the last one puts back what was here before.\n\
         before=$(dirname -- \"$0\")/{KEPT}\n\
         if [ -x \"$before\" ]; then \"$before\" \"$@\" || exit $?; fi\n{}",
        parts.concat()
    )
}

/// The parts of a hook of ours, each with its heading.
fn parts(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.starts_with(PART) {
            parts.push(line.to_owned());
        } else if let Some(part) = parts.last_mut() {
            part.push_str(line);
        }
    }
    parts
}

/// A word that the shell takes as it is.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// The hook of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PreCommit {
    folder: PathBuf,
    /// Below it no link is followed.
    guarded: PathBuf,
}

/// What was done about a hook that was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// There was none.
    None,
    /// It runs before ours, or is back in its place.
    Kept,
    /// Other folders have their parts in it still.
    Folders,
}

impl PreCommit {
    /// That of the folder in which git looks for hooks.
    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), guarded: folder.to_owned() }
    }

    /// The same where the folder lies in a work tree: a repository may have put links on the way to it.
    pub(crate) fn in_work_tree(top: &Path, folder: &Path) -> Self {
        Self { folder: folder.to_owned(), guarded: top.to_owned() }
    }

    fn disk(&self) -> Arc<dyn Disk> {
        Arc::new(RealDisk).below(&self.guarded)
    }

    /// The file.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(NAME)
    }

    fn kept(&self) -> PathBuf {
        self.folder.join(KEPT)
    }

    pub(crate) fn standing(&self, script: &HookScript) -> Result<HooksStanding, SetupError> {
        Ok(match self.ours()? {
            None => HooksStanding::Missing,
            Some(text) => {
                let parts = parts(&text);
                let own = parts.iter().find(|part| part.starts_with(&script.heading()));
                match own {
                    Some(own) if *own == script.part() && text == whole(&parts) => HooksStanding::Installed,
                    None if !parts.is_empty() => HooksStanding::Missing,
                    Some(_) | None => HooksStanding::Differs,
                }
            }
        })
    }

    /// The text of the hook, where it is ours. A link in its place is somebody else's hook, and kept as it is.
    fn ours(&self) -> Result<Option<String>, SetupError> {
        let path = self.path();
        match self.disk().read_at_most(&path, MOST_BYTES) {
            Ok(bytes) => Ok(bytes
                .and_then(|bytes| String::from_utf8(bytes).ok())
                .filter(|text| text.lines().any(|line| line == MARK))),
            Err(error) if is_about(&error, &path) => Ok(None),
            Err(problem) => Err(SetupError::Io { doing: "read", path, problem }),
        }
    }

    /// Puts ours in place, beside what other folders of the repository have in it. One of somebody else's is kept; where
    /// one is kept already, nothing is changed.
    pub(crate) fn install(&self, script: &HookScript) -> Result<Other, SetupError> {
        let (path, kept) = (self.path(), self.kept());
        self.disk().create_folder(&self.folder).map_err(failed("make", &self.folder))?;
        let ours = self.ours()?;
        if ours.is_none() && fs::symlink_metadata(&path).is_ok() {
            // A second name, so that there is a hook at every moment; it fails where that name is taken.
            fs::hard_link(&path, &kept).map_err(failed("keep the hook that is there as", &kept))?;
        }
        let mut parts = parts(&ours.unwrap_or_default());
        match parts.iter_mut().find(|part| part.starts_with(&script.heading())) {
            Some(part) => *part = script.part(),
            None => parts.push(script.part()),
        }
        self.put(&parts)?;
        Ok(self.other())
    }

    fn put(&self, parts: &[String]) -> Result<(), SetupError> {
        let path = self.path();
        let temporary = self.folder.join(format!(".{NAME}.{}.tmp", std::process::id()));
        // One of this name was left behind by a process of this number; of a link the link goes.
        self.disk().remove(&temporary).map_err(failed("remove", &temporary))?;
        write(&temporary, &whole(parts)).map_err(failed("write", &temporary))?;
        fs::rename(&temporary, &path).map_err(failed("replace", &path))
    }

    /// Takes a folder's part out, and with the last one puts back what was there before; `None` where no part is its.
    pub(crate) fn remove(&self, script: &HookScript) -> Result<Option<Other>, SetupError> {
        let Some(text) = self.ours()? else { return Ok(None) };
        let parts = parts(&text);
        let others: Vec<_> = parts.iter().filter(|part| !part.starts_with(&script.heading())).cloned().collect();
        if !others.is_empty() {
            return if others.len() == parts.len() {
                Ok(None)
            } else {
                self.put(&others).map(|()| Some(Other::Folders))
            };
        }
        let (path, other) = (self.path(), self.other());
        let done = match other {
            Other::Kept => fs::rename(self.kept(), &path),
            Other::None | Other::Folders => fs::remove_file(&path),
        };
        done.map_err(|problem| SetupError::Io { doing: "remove", path, problem })?;
        Ok(Some(other))
    }

    fn other(&self) -> Other {
        if fs::symlink_metadata(self.kept()).is_ok() { Other::Kept } else { Other::None }
    }
}

/// What could not be done, and to which file.
fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> SetupError {
    let path = path.to_owned();
    move |problem| SetupError::Io { doing, path, problem }
}

/// Whether what is not opened is the file itself: a link, a pipe or a file too large in its place.
fn is_about(error: &io::Error, path: &Path) -> bool {
    Shut::of(error).is_some_and(|shut| shut.path() == path)
}

/// Makes a file that is not there: whatever has its name, a link among them, is refused.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o755).open(path)?;
    file.write_all(text.as_bytes())?;
    // What the umask takes away, git needs.
    file.set_permissions(fs::Permissions::from_mode(0o755))?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script() -> HookScript {
        HookScript { program: "annals".to_owned(), context: ".context".to_owned(), on_trouble: OnTrouble::Commit }
    }

    fn hook() -> (tempfile::TempDir, PreCommit) {
        let folder = tempfile::tempdir().expect("a folder");
        let hook = PreCommit::in_folder(&folder.path().join("hooks"));
        (folder, hook)
    }

    #[test]
    fn a_hook_that_was_there_is_kept_and_comes_back() {
        let (_folder, hook) = hook();
        fs::create_dir(&hook.folder).expect("made");
        let own = "#!/bin/sh\nexit 7\n";
        write(&hook.path(), own).expect("written");
        assert_eq!(hook.install(&script()).expect("installed"), Other::Kept);
        assert_eq!(hook.standing(&script()).expect("read"), HooksStanding::Installed);
        assert_eq!(fs::read_to_string(hook.kept()).expect("kept"), own);
        assert_eq!(hook.install(&script()).expect("again"), Other::Kept);
        assert_eq!(hook.remove(&script()).expect("removed"), Some(Other::Kept));
        assert_eq!(fs::read_to_string(hook.path()).expect("back"), own);
        assert_eq!((hook.remove(&script()).expect("nothing"), hook.other()), (None, Other::None));
    }

    #[test]
    fn where_one_is_kept_already_nothing_is_changed() {
        let (_folder, hook) = hook();
        hook.install(&script()).expect("installed");
        for (path, text) in [(hook.kept(), "first"), (hook.path(), "second")] {
            fs::remove_file(&path).ok();
            fs::write(&path, text).expect("written");
        }
        hook.install(&script()).expect_err("two hooks");
        let texts = [hook.kept(), hook.path()].map(|path| fs::read_to_string(path).expect("there"));
        assert_eq!(texts, ["first", "second"]);
    }

    #[test]
    fn a_link_in_its_place_is_kept_and_runs_first() {
        let (folder, hook) = hook();
        let script_of_theirs = folder.path().join("theirs.sh");
        fs::create_dir(&hook.folder).expect("made");
        // Whatever it leads to is not read: not even a hook of ours in another project.
        fs::write(&script_of_theirs, script().text()).expect("written");
        std::os::unix::fs::symlink(&script_of_theirs, hook.path()).expect("linked");
        assert_eq!(hook.install(&script()).expect("installed"), Other::Kept);
        assert!(fs::symlink_metadata(hook.kept()).expect("kept").is_symlink());
        assert_eq!(hook.remove(&script()).expect("removed"), Some(Other::Kept));
        assert_eq!(fs::read_link(hook.path()).expect("a link again"), script_of_theirs);
    }

    #[test]
    fn in_a_work_tree_no_link_on_the_way_is_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (top, out) = (folder.path().join("p"), folder.path().join("out"));
        fs::create_dir(&top).expect("made");
        fs::create_dir(&out).expect("made");
        std::os::unix::fs::symlink("../out", top.join(".githooks")).expect("linked");
        for way in [".githooks", ".githooks/deeper"] {
            let hook = PreCommit::in_work_tree(&top, &top.join(way));
            let named = format!("{} is a symbolic link", top.join(".githooks").display());
            let errors = [
                hook.install(&script()).map(drop),
                hook.remove(&script()).map(drop),
                hook.standing(&script()).map(drop),
            ];
            for error in errors.map(|result| result.expect_err("refused").to_string()) {
                assert!(error.contains(&named), "{error}");
            }
        }
        assert_eq!(fs::read_dir(&out).expect("a folder").count(), 0);
    }

    #[test]
    fn it_is_installed_once_and_removed_without_a_trace() {
        let (_folder, hook) = hook();
        assert_eq!(hook.standing(&script()).expect("read"), HooksStanding::Missing);
        assert_eq!(hook.install(&script()).expect("installed"), Other::None);
        let other = HookScript { on_trouble: OnTrouble::Fail, ..script() };
        assert_eq!(hook.standing(&other).expect("read"), HooksStanding::Differs);
        assert_eq!(hook.install(&other).expect("changed"), Other::None);
        assert_eq!(hook.remove(&script()).expect("removed"), Some(Other::None));
        assert_eq!(fs::read_dir(&hook.folder).expect("a folder").count(), 0);
    }

    /// Two folders of one repository have one hook.
    #[test]
    fn each_folder_has_its_part_and_takes_out_no_other() {
        let (_folder, hook) = hook();
        let strict = HookScript { context: "a b/.context".to_owned(), on_trouble: OnTrouble::Fail, ..script() };
        for one in [&strict, &script()] {
            assert_eq!(hook.standing(one).expect("read"), HooksStanding::Missing);
            assert_eq!(hook.install(one).expect("installed"), Other::None);
        }
        assert_eq!([&strict, &script()].map(|one| hook.standing(one).expect("read")), [HooksStanding::Installed; 2]);
        let both = fs::read_to_string(hook.path()).expect("there");
        assert_eq!(both, whole(&[strict.part(), script().part()]));
        assert_eq!(hook.remove(&script()).expect("removed"), Some(Other::Folders));
        assert_eq!(hook.remove(&script()).expect("nothing"), None);
        assert_eq!(fs::read_to_string(hook.path()).expect("there"), strict.text());
        assert_eq!(hook.remove(&strict).expect("removed"), Some(Other::None));
    }

    /// As an earlier version wrote it: without parts.
    #[test]
    fn a_hook_of_an_earlier_version_is_written_anew() {
        let (_folder, hook) = hook();
        fs::create_dir(&hook.folder).expect("made");
        let old = format!("#!/bin/sh\n{MARK}\n'annals' --context '.context' seal --stage >/dev/null || exit 0\n");
        write(&hook.path(), &old).expect("written");
        assert_eq!(hook.standing(&script()).expect("read"), HooksStanding::Differs);
        assert_eq!(hook.install(&script()).expect("installed"), Other::None);
        assert_eq!(fs::read_to_string(hook.path()).expect("there"), script().text());
    }

    #[test]
    fn a_folder_is_one_word_to_the_shell() {
        let context = "it's $(here)/.context".to_owned();
        let text = HookScript { context, ..script() }.text();
        assert!(text.contains(r"--context 'it'\''s $(here)/.context' seal"), "{text}");
    }
}
