//! What a stranger may put into a `.context` folder, one attack a function. To add one is to add it to `ATTACKS`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::chance::Chance;

/// The project's `.context`; `../../out` leads from there to the canary.
pub type Attack = fn(&Path, &mut Chance);

/// All of them.
pub const ATTACKS: &[(&str, Attack)] = &[
    ("a link for a folder", link_for_a_folder),
    ("a link for a file", link_for_a_file),
    ("a link to nowhere", link_to_nowhere),
    ("a pipe", pipe),
    ("a folder for a file", folder_for_a_file),
    ("a file for a folder", file_for_a_folder),
    ("names", names),
    ("ids", ids),
    ("canon keys", canon_keys),
    ("blob references", blob_references),
    ("a blob that is a bomb", blob_bomb),
    ("an archive that is a bomb", archive_bomb),
    ("lines", lines),
    ("a configuration", configuration),
    ("a local folder", local_folder),
];

const FOLDERS: &[&str] = &[
    "history", "history/blobs", "history/archive", "history/sessions", "history/summaries", "history/councils",
    "history/.torn", "local", "local/checkpoint", "local/spool", "local/calls", "issues", "canon", "hivemind",
    "memory", "knowledge", "credits",
];

const FILES: &[&str] = &[
    "config.toml",
    ".gitignore",
    ".gitattributes",
    "history/2026-11-20.jsonl",
    "history/2026-11-21.jsonl",
    "history/2099-01-01.jsonl",
    "history/archive/2026-11-20-00.jsonl.zst",
    "local/lock",
    "local/bookmark",
    "local/marks",
    "local/mark",
    "local/seen.json",
    "local/spool.lock",
    "local/checkpoint/manifest",
    "local/spool/0-0.json",
    "local/calls/0-0.json",
    "issues/0001-shed.md",
    "canon/shed.md",
    "hivemind/manifest.json",
    "hivemind/fears.json",
    "hivemind/councils.json",
    "memory/failures.jsonl",
    "memory/potentials.json",
    "history/sessions/s1.json",
    "history/summaries/s1.md",
    "local/views",
    "README.md",
];

/// What an attack wants to be taken for a name.
const NAMES: &[&str] = &[
    "../../../out/secret", "../../out/secret", "/etc/passwd", "..", ".", "-rf", "CON", "a/../../../../out/new", "a\\b",
    "", "\u{202e}txt.exe", "a\u{0}b", "a\nb", "~", "$(touch out)", "..\u{2215}out",
];

fn place(context: &Path, name: &str) -> PathBuf {
    let path = context.join(name);
    if path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
        fs::remove_dir_all(&path).expect("removed");
    } else {
        let _ = fs::remove_file(&path);
    }
    // Where an attack has put a link or a file in the place of its folder, there is no place any more.
    let folder = path.parent().expect("a folder").to_owned();
    let is_plain = folder.ancestors().take_while(|above| above.starts_with(context)).all(|above| !above.is_symlink());
    if is_plain {
        let _ = fs::create_dir_all(&folder);
    }
    if is_plain && folder.is_dir() { path } else { context.join("elsewhere") }
}

fn out(context: &Path, name: &str) -> PathBuf {
    context.parent().and_then(Path::parent).expect("a stage").join("out").join(name)
}

fn link_for_a_folder(context: &Path, chance: &mut Chance) {
    let to = out(context, chance.name(&["", "history", "spool", "empty"]));
    let _ = symlink(to, place(context, chance.name(FOLDERS)));
}

fn link_for_a_file(context: &Path, chance: &mut Chance) {
    let to = out(context, chance.name(&["secret", "secret.md", "history/2026-11-21.jsonl"]));
    let _ = symlink(to, place(context, chance.name(FILES)));
}

fn link_to_nowhere(context: &Path, chance: &mut Chance) {
    let to = out(context, chance.name(&["new", "empty/new", "no/folder"]));
    let _ = symlink(to, place(context, chance.name(FILES)));
}

fn pipe(context: &Path, chance: &mut Chance) {
    let path = place(context, chance.name(FILES));
    let kind = *chance.one_of(&[rustix::fs::FileType::Fifo, rustix::fs::FileType::Socket]);
    let _ = rustix::fs::mknodat(rustix::fs::CWD, path, kind, rustix::fs::Mode::RWXU, 0);
}

fn folder_for_a_file(context: &Path, chance: &mut Chance) {
    let _ = fs::create_dir(place(context, chance.name(FILES)));
}

fn file_for_a_folder(context: &Path, chance: &mut Chance) {
    let _ = fs::write(place(context, chance.name(FOLDERS)), "in the way");
}

fn names(context: &Path, chance: &mut Chance) {
    let long = "x".repeat(240);
    let names =
        ["-rf.jsonl", "..jsonl", ".jsonl", "a\nb.jsonl", "CON.jsonl", "\u{202e}.jsonl", "2026-11-21 .jsonl", &long];
    for folder in ["history", "issues", "canon", "history/blobs/ab", "local/spool", "local/calls"] {
        let _ = fs::write(place(context, &format!("{folder}/{}", chance.name(&names))), "{}\n");
    }
}

fn append(context: &Path, line: &str) {
    let day = context.join("history/2026-11-20.jsonl");
    let is_plain = !day.is_symlink() && !context.join("history").is_symlink() && (day.is_file() || !day.exists());
    if is_plain {
        let text = fs::read(&day).unwrap_or_default();
        let _ = fs::write(&day, [text.as_slice(), line.as_bytes(), b"\n"].concat());
    }
}

fn entry(id: u32, session: &str, output: &serde_json::Value) -> String {
    let entry = serde_json::json!({
        "id": format!("01KAGX7J00{id:016}"), "timestamp": "2026-11-20T10:00:00.000Z", "session_id": session,
        "operation": {"type": "tool_call", "name": "read", "input": {"file_path": session}, "output": output, "success": true},
        "provenance": {"agent_id": session}, "metadata": {"tags": [session], "files_touched": [session]},
        "extensions": {"annals": {"v": 1}},
    });
    entry.to_string()
}

fn ids(context: &Path, chance: &mut Chance) {
    for number in 0..3 {
        let name = chance.name(NAMES);
        append(context, &entry(number, name, &serde_json::json!(name)));
    }
    append(context, &entry(9, &"y".repeat(70_000), &serde_json::Value::Null));
}

/// Decisions of the golden log whose canon has other keys.
fn canon_keys(context: &Path, chance: &mut Chance) {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/control/history/2026-11-20.jsonl");
    let text = fs::read_to_string(golden).expect("the golden log");
    let key = regex::Regex::new(r#""key":"[^"]*""#).expect("a pattern");
    for line in text.lines().filter(|line| line.contains("canon.entry.established")).take(4) {
        let name = serde_json::to_string(chance.name(NAMES)).expect("a text");
        append(context, &key.replace_all(line, regex::NoExpand(&format!("\"key\":{name}"))));
    }
}

fn blob_references(context: &Path, chance: &mut Chance) {
    let name = chance.name(NAMES);
    let blob = serde_json::json!({ "$blob": { "sha256": name, "bytes": 10, "is": "text", "preview": "x" } });
    append(context, &entry(20, "s1", &serde_json::json!({ "stdout": blob })));
}

fn blob_bomb(context: &Path, chance: &mut Chance) {
    let content = vec![b'a'; 16 << 20];
    let hash = annals::kernel::json::hex(&Sha256::digest(&content));
    let path = place(context, &format!("history/blobs/{}/{hash}.zst", &hash[..2]));
    let _ = fs::write(path, zstd::encode_all(&content[..], 3).expect("packed"));
    let is = chance.name(&["text", "json"]);
    let blob = serde_json::json!({ "$blob": { "sha256": hash, "bytes": 10, "is": is, "preview": "a" } });
    append(context, &entry(21, "s1", &serde_json::json!({ "stdout": blob })));
}

fn archive_bomb(context: &Path, chance: &mut Chance) {
    let byte = *chance.one_of(b"\n{ x");
    let packed = zstd::encode_all(&vec![byte; 80 << 20][..], 1).expect("packed");
    let _ = fs::write(place(context, "history/archive/2026-11-19-0000000000000000.jsonl.zst"), packed);
}

fn lines(context: &Path, chance: &mut Chance) {
    let line = match chance.below(6) {
        0 => "[".repeat(200_000),
        1 => format!("{{\"id\":{}1{}}}", "[".repeat(50_000), "]".repeat(50_000)),
        2 => "\u{0}".repeat(5000),
        3 => format!("{{\"id\":\"{}\"}}", "z".repeat(1 << 20)),
        4 => entry(30, "\u{1b}]0;title\u{7}", &serde_json::json!("\u{9b}2J")),
        _ => "{\"id\":\"7ZZZZZZZZZZZZZZZZZZZZZZZZZ\"}".to_owned(),
    };
    append(context, &line);
}

fn configuration(context: &Path, chance: &mut Chance) {
    let large = format!("# {}\n", "x".repeat(2 << 20));
    let texts = [
        "[views]\nauto = true\n",
        "[history]\nrotation = \"none\"\n",
        "[sanitization]\nenabled = false\n",
        "= broken",
        "[history]\nrotation = \"../../out\"\n",
        "\u{0}\u{0}",
        &large,
        "[hook]\nlock_wait_ms = 1\nfail_closed = true\n",
    ];
    let _ = fs::write(place(context, "config.toml"), chance.name(&texts));
}

fn local_folder(context: &Path, chance: &mut Chance) {
    let files: [(&str, String); 6] = [
        ("local/mark", r#"{"clone":"0","number":1,"born_ns":1}"#.to_owned()),
        ("local/bookmark", r#"{"segment":"/etc/passwd"}"#.to_owned()),
        ("local/checkpoint/manifest", r#"{"layers":[{"file":"../../../../out/secret"}]}"#.to_owned()),
        (
            "local/spool/0000000000001-a.json",
            r#"{"agent":"claude-code","at":"2026-11-20T10:00:00Z","payload":"{}"}"#.to_owned(),
        ),
        ("local/calls/a-b.json", "{}".to_owned()),
        ("local/views", r#"{"../../out/secret":"0"}"#.to_owned()),
    ];
    let (name, text) = chance.one_of(&files);
    let _ = fs::write(place(context, name), text);
}
