//! Runs git so that nothing of the repository runs with it: no hooks, no monitors, no transports, no questions.
//!
//! Only for commands that a person waits for. Changes nothing in the repository, not even its caches.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use super::{GitError, Repository};

/// More than this is not read of one object.
const MOST_OBJECT_BYTES: u64 = 1 << 30;

/// Settings of a repository that name programs, what may go over a wire, and how git says things: names as they are
/// (`core.quotePath`), and of a merge all parents (`log.diffMerges`).
const SETTINGS: [&str; 8] = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.alternateRefsCommand=true", "protocol.allow=never",
    "gc.auto=0", "core.quotePath=false", "advice.sparseIndexExpanded=false", "log.diffMerges=separate",
];

/// Variables that lead git elsewhere than to the repository it is given, or to other files.
const LEADING_ELSEWHERE: [&str; 12] = [
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX",
    "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
];

/// git for a person's own command, in a folder of the person's: a repository that stands in the files of another is not taken
/// for the one that is meant, because its settings name programs.
pub fn git_in(folder: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(folder).args(["-c", "safe.bareRepository=explicit", "-c", "log.showSignature=false"]);
    git
}

impl Repository {
    /// Whether something is a commit here.
    pub fn has_commit(&self, hash: &str) -> Result<bool, GitError> {
        let mut is_there = false;
        self.objects(Ask::Names, &[format!("{hash}^{{commit}}").into_bytes()], |answer| {
            is_there = answer.kind == "commit";
        })?;
        Ok(is_there)
    }

    /// When a commit was made, as it says: seconds since 1970; none where it is no commit here.
    pub fn commit_time(&self, hash: &str) -> Result<Option<i64>, GitError> {
        let mut time = None;
        self.objects(Ask::Contents, &[format!("{hash}^{{commit}}").into_bytes()], |answer| {
            time = (answer.kind == "commit").then(|| committed_at(answer.content)).flatten();
        })?;
        Ok(time)
    }

    fn git(&self, arguments: &[&str]) -> Command {
        let mut git = git_in(&self.git_dir);
        git.arg("--no-optional-locks").arg("--no-pager").arg("--git-dir").arg(&self.git_dir);
        for setting in SETTINGS {
            git.args(["-c", setting]);
        }
        for name in LEADING_ELSEWHERE {
            git.env_remove(name);
        }
        // No lazy fetch, because a promised object would start a transport; no replaced objects, because they show
        // another content than the tip holds.
        git.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("GIT_NO_LAZY_FETCH", "1");
        git.env("GIT_NO_REPLACE_OBJECTS", "1").env("LC_ALL", "C");
        git.args(arguments).stdin(Stdio::null()).stderr(Stdio::piped());
        git
    }

    /// The lines that a command answers with.
    pub(super) fn lines(&self, command: &'static str, arguments: &[&str]) -> Result<Vec<String>, GitError> {
        Ok(parts(&answered(command, self.git(&[&[command], arguments].concat()))?, b'\n'))
    }

    /// What a command answers that is asked with `-z`: paths as they are, whatever is in them.
    pub(super) fn fields(&self, command: &'static str, arguments: &[&str]) -> Result<Vec<String>, GitError> {
        Ok(parts(&answered(command, self.git(&[&[command, "-z"], arguments].concat()))?, b'\0'))
    }

    /// The same, of a command that reads files of the work tree.
    pub(super) fn fields_of_tree(&self, command: &'static str, arguments: &[&str]) -> Result<Vec<String>, GitError> {
        let mut git = self.git(&[]);
        git.arg("--work-tree").arg(&self.root).args([command, "-z"]).args(arguments).current_dir(&self.root);
        Ok(parts(&answered(command, git)?, b'\0'))
    }

    /// Asks `git cat-file` for many objects at once, and hands over each that is there: its id, kind and content.
    pub(super) fn objects(
        &self,
        ask: Ask,
        requests: &[Vec<u8>],
        mut each: impl FnMut(Answer<'_>),
    ) -> Result<(), GitError> {
        if requests.is_empty() {
            return Ok(());
        }
        let mut git = self.git(&["cat-file", ask.option(), "--buffer"]);
        let mut child = git.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(not_started(CAT_FILE))?;
        let mut stdin = child.stdin.take().expect("BUG: it was piped");
        let stdout = child.stdout.take().expect("BUG: it was piped");
        let answered = std::thread::scope(|scope| {
            // In a thread of its own, so that neither side waits for the other with a full pipe.
            scope.spawn(move || stdin.write_all(&[&requests.join(&b'\n')[..], b"\n"].concat()));
            answers(ask, requests.len(), stdout, &mut each)
        });
        finished(child, answered)
    }
}

/// The time in the header of a commit: the last but one word of the line that names who committed it.
fn committed_at(commit: &[u8]) -> Option<i64> {
    let header = commit.split(|byte| *byte == b'\n').take_while(|line| !line.is_empty());
    let line = header.into_iter().find_map(|line| line.strip_prefix(b"committer "))?;
    String::from_utf8_lossy(line).rsplit(' ').nth(1)?.parse().ok()
}

const CAT_FILE: &str = "cat-file";

/// What `git cat-file` is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ask {
    /// Ids and kinds.
    Names,
    /// The contents, too.
    Contents,
}

impl Ask {
    fn option(self) -> &'static str {
        match self {
            Self::Names => "--batch-check",
            Self::Contents => "--batch",
        }
    }
}

/// An object that is there.
pub(super) struct Answer<'a> {
    /// Which of the requests it answers, from 0.
    pub request: usize,
    /// Its id.
    pub id: &'a str,
    /// `commit`, `tree`, `blob` or `tag`.
    pub kind: &'a str,
    /// Its bytes, where they were asked for.
    pub content: &'a [u8],
}

/// git answers in the order of the requests, with a line each.
fn answers(ask: Ask, count: usize, stdout: ChildStdout, each: &mut dyn FnMut(Answer<'_>)) -> io::Result<()> {
    let mut stdout = BufReader::new(stdout);
    let (mut line, mut content) = (String::new(), Vec::new());
    for request in 0..count {
        line.clear();
        if stdout.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut words = line.trim_end_matches('\n').rsplitn(3, ' ');
        let (Some(size), Some(kind), Some(id)) = (words.next(), words.next(), words.next()) else { continue };
        // Every other answer says that there is none: `missing`, `ambiguous`.
        let Some(size) = size.parse::<u64>().ok().filter(|_| super::BlobId::parse(id).is_some()) else { continue };
        content.clear();
        if ask == Ask::Contents {
            if size > MOST_OBJECT_BYTES {
                return Err(io::Error::other(format!("{id} has {size} bytes, more than is read")));
            }
            (&mut stdout).take(size).read_to_end(&mut content)?;
            stdout.read_exact(&mut [0])?;
        }
        each(Answer { request, id, kind, content: &content });
    }
    Ok(())
}

fn answered(command: &'static str, mut git: Command) -> Result<Vec<u8>, GitError> {
    let output = git.output().map_err(not_started(command))?;
    if !output.status.success() {
        return Err(failed(command, &output.stderr));
    }
    Ok(output.stdout)
}

/// What stands before each end.
fn parts(answer: &[u8], end: u8) -> Vec<String> {
    let answer = answer.strip_suffix(&[end]).unwrap_or(answer);
    if answer.is_empty() {
        return Vec::new();
    }
    answer.split(|byte| *byte == end).map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}

fn finished(child: Child, answered: io::Result<()>) -> Result<(), GitError> {
    let output = child.wait_with_output().map_err(not_started(CAT_FILE))?;
    match answered {
        Ok(()) if output.status.success() => Ok(()),
        Ok(()) => Err(failed(CAT_FILE, &output.stderr)),
        Err(_) if !output.stderr.is_empty() => Err(failed(CAT_FILE, &output.stderr)),
        Err(error) => Err(GitError::Failed { command: CAT_FILE, says: error.to_string() }),
    }
}

fn failed(command: &'static str, says: &[u8]) -> GitError {
    GitError::Failed { command, says: String::from_utf8_lossy(says).trim().to_owned() }
}

fn not_started(command: &'static str) -> impl FnOnce(io::Error) -> GitError {
    move |error| {
        if error.kind() == io::ErrorKind::NotFound {
            GitError::NoProgram
        } else {
            GitError::Failed { command, says: error.to_string() }
        }
    }
}
