//! Finds the sessions that agents kept for one project on this machine.
//!
//! Looks where each tool keeps its own, and then into each file: a session counts when it was run inside the project.
//! Does not read sessions to their end.

use std::io::Read;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::Kind;
use super::plain::{Links, open};
use annals_kernel::json::sha256_hex;

/// Where the tools keep their sessions.
#[derive(Debug, Clone, Default)]
pub struct Homes {
    /// `~/.claude`, or `CLAUDE_CONFIG_DIR`.
    pub claude: Option<PathBuf>,
    /// `~/.codex`, or `CODEX_HOME`.
    pub codex: Option<PathBuf>,
    /// `~/.gemini`.
    pub gemini: Option<PathBuf>,
    /// `~/.copilot`.
    pub copilot: Option<PathBuf>,
}

/// So much of a file is looked at to find out where its session was run.
const HEAD_BYTES: usize = 256 << 10;

/// The sessions of a project, by tool and path.
pub fn discover(homes: &Homes, project: &Path) -> Vec<(Kind, PathBuf)> {
    let mut found = Vec::new();
    let mut look = |kind, root: Option<PathBuf>, fits: &dyn Fn(&Path) -> bool| {
        let files = root.into_iter().flat_map(|root| files_below(&root));
        found.extend(files.filter(|path| fits(path)).map(|path| (kind, path)));
    };
    let below = |home: &Option<PathBuf>, folder: &str| home.as_ref().map(|home| home.join(folder));
    let ran_inside = |path: &Path, extension: &str| has_extension(path, extension) && names_project(path, project);
    look(Kind::ClaudeCode, below(&homes.claude, "projects"), &|path| ran_inside(path, "jsonl"));
    look(Kind::Codex, below(&homes.codex, "sessions"), &|path| ran_inside(path, "jsonl"));
    look(Kind::CopilotCli, below(&homes.copilot, "session-state"), &|path| {
        path.ends_with("events.jsonl") && names_project(path, project)
    });
    look(Kind::GeminiCli, below(&homes.gemini, "tmp"), &|path| is_gemini_chat_of(path, project));
    found.sort();
    found
}

/// Folders that cannot be read hold nothing that could be imported.
fn files_below(root: &Path) -> Vec<PathBuf> {
    const DEPTH: usize = 6;
    let entries = WalkDir::new(root).max_depth(DEPTH).sort_by_file_name().into_iter().filter_map(Result::ok);
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Whether the first working directory that a session names is the project, or lies in it.
fn names_project(path: &Path, project: &Path) -> bool {
    let head = head(path);
    let mut rest = head.as_str();
    while let Some((_, behind)) = rest.split_once("\"cwd\":") {
        if let Some(Ok(directory)) = serde_json::Deserializer::from_str(behind).into_iter::<String>().next() {
            return Path::new(&directory).starts_with(project);
        }
        rest = behind;
    }
    false
}

fn head(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = open(path, Links::Followed).and_then(|file| file.take(HEAD_BYTES as u64).read_to_end(&mut bytes));
    if read.is_ok() { String::from_utf8_lossy(&bytes).into_owned() } else { String::new() }
}

/// Gemini keeps chats in a folder named by a hash of the project's path, or by a word for it with the path beside it.
fn is_gemini_chat_of(path: &Path, project: &Path) -> bool {
    let is_chat = has_extension(path, "json") || has_extension(path, "jsonl");
    // Sub-agents have a folder of their own below, named by the session that they belong to.
    let chats = path.ancestors().skip(1).take(2).find(|folder| folder.ends_with("chats"));
    let Some(folder) = chats.and_then(Path::parent).filter(|_| is_chat) else { return false };
    let hash = sha256_hex(project.to_string_lossy().as_bytes());
    let is_named_so = folder.file_name().is_some_and(|name| name.to_string_lossy() == hash);
    let root = std::fs::read_to_string(folder.join(".project_root")).unwrap_or_default();
    is_named_so || Path::new(root.trim()) == project || head(path).contains(&format!("\"projectHash\":\"{hash}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(root: &Path, path: &str, text: &str) -> PathBuf {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, text).expect("written");
        path
    }

    #[test]
    fn only_sessions_of_the_project_are_found() {
        let home = tempfile::tempdir().expect("a folder");
        let root = home.path();
        let project = Path::new("/home/ada/engine");
        let hash = sha256_hex(b"/home/ada/engine");
        let inside = r#"{"type":"user","cwd":"/home/ada/engine/src"}"#;
        let outside = r#"{"type":"user","cwd":"/home/ada/engine-2"}"#;
        let claude = put(root, ".claude/projects/-home-ada-engine/1.jsonl", inside);
        put(root, ".claude/projects/-home-ada-engine-2/2.jsonl", outside);
        put(root, ".claude/projects/-home-ada-engine/notes.txt", inside);
        let codex = put(root, ".codex/sessions/2026/11/21/rollout-1.jsonl", inside);
        put(root, ".codex/sessions/2026/11/21/rollout-2.jsonl", outside);
        let copilot = put(root, ".copilot/session-state/abc/events.jsonl", inside);
        let gemini = put(root, &format!(".gemini/tmp/{hash}/chats/session-1.json"), "{}");
        let newer = put(root, ".gemini/tmp/engine/chats/session-2.jsonl", "{}");
        put(root, ".gemini/tmp/engine/.project_root", "/home/ada/engine\n");
        let below = put(root, ".gemini/tmp/engine/chats/session-2/agent.jsonl", "{}");
        put(root, ".gemini/tmp/other/chats/session-3.json", "{}");
        let homes = Homes {
            claude: Some(root.join(".claude")),
            codex: Some(root.join(".codex")),
            gemini: Some(root.join(".gemini")),
            copilot: Some(root.join(".copilot")),
        };
        let mut expected = [
            (Kind::ClaudeCode, claude),
            (Kind::Codex, codex),
            (Kind::CopilotCli, copilot),
            (Kind::GeminiCli, gemini),
            (Kind::GeminiCli, newer),
            (Kind::GeminiCli, below),
        ];
        expected.sort();
        assert_eq!(discover(&homes, project), expected);
    }
}
