//! A secret in every place that can hold a text, taken out by its value: no byte of it is left, nor what was made of it.

use std::fs;
use std::path::Path;

use annals::domain::dialectic::identity;
use annals::kernel::fingerprint;
use annals::kernel::json::sha256_hex;

use crate::program::{Project, Run, run};

/// It needs an escape in JSON, in addresses and in names of files, and it has capitals.
const SECRET: &str = "Zebra quagga/0451\"\u{3b1}";

/// The same as other programs write it.
const ESCAPED: &str = r#"\u005a\u0065bra quagga\/0451\"\u03B1"#;
const IN_ADDRESS: &str = "Zebra%20quagga%2F0451%22%CE%B1";
const IN_BASE64: &str = "eCBaZWJyYSBxdWFnZ2EvMDQ1MSLOsSB4";

struct Story {
    project: Project,
    minute: std::cell::Cell<u32>,
}

impl Story {
    fn new() -> Self {
        Self { project: Project::given("2026-11-02T08:00:00Z"), minute: std::cell::Cell::new(0) }
    }

    /// A command that must not fail; what it printed.
    fn did(&self, arguments: &[&str]) -> String {
        let run = self.tried(arguments, "");
        assert_eq!(run.code, Some(0), "{arguments:?}: {}{}", run.stdout, run.stderr);
        run.stdout.lines().next().unwrap_or_default().to_owned()
    }

    /// Each command is a minute after the one before.
    fn tried(&self, arguments: &[&str], stdin: &str) -> Run {
        let minute = self.minute.get() + 1;
        self.minute.set(minute);
        let mut command = self.project.command(arguments);
        let now = format!("2026-11-02T{:02}:{:02}:00Z", 8 + minute / 60, minute % 60);
        command.env("ANNALS_NOW", now).env("ANNALS_SEED", minute.to_string()).env("USER", "ann");
        run(command, stdin)
    }

    fn local(&self, name: &str, text: &str) {
        self.project.write(&format!(".context/{name}"), text);
    }
}

/// Everything that a command can record of it.
fn told(story: &Story) {
    let did = |arguments: &[&str]| story.did(arguments);
    let with = |text: &str| text.replace("SECRET", SECRET);
    did(&["agent", "add", "mo", "--role", "moderator"]);
    did(&["agent", "add", "zoe", "--role", "critic", "--devils-advocate"]);
    for agent in ["anna", "bert", "carl"] {
        did(&["agent", "add", agent, "--role", "writer"]);
    }
    let session = did(&["session", "start", &with("Deploy with SECRET")]);
    did(&["issue", "new", &with("Who knows SECRET?")]);
    did(&["issue", "new", "A quiet one"]);
    did(&["issue", "comment", "1", &with("I have seen that SECRET is what opens the door to the database of tests.")]);
    did(&["canon", "state", "door", &with("The door is SECRET.")]);
    did(&["hivemind", "add", "decision", "door", &with("Open it with SECRET"), "--as", "anna"]);
    let other = with("Not SECRET any more");
    story.tried(
        &["hivemind", "contest", "door", "--because", &with("SECRET leaked"), "--alternative", &other, "--as", "bert"],
        "",
    );
    let proposed = with("SECRET");
    story.tried(&["council", "open", "door", "--proposed", &proposed, "--because", &proposed, "--as", "carl"], "");
    did(&["debate", "fail", &with("log in with SECRET"), &with("the door said no to Zebra SECRET again")]);
    did(&["debate", "fail", &with("log in with SECRET"), &with("the door said no to Zebra SECRET again")]);
    did(&["debate", "request", &with("Delete what SECRET opens")]);
    let text = with("SECRET opens it");
    did(&[
        "memory",
        "write",
        "--intent",
        &with("SECRET find all"),
        "--state",
        "accept",
        "--text",
        &text,
        "--as",
        "ggs",
    ]);
    did(&["knowledge", "add", "fact", &with("The door listens to SECRET")]);
    did(&["blind", "open", "2", "--agent", "anna", "--agent", "bert"]);
    did(&["config", "set", "sanity.min_comment_length", "0"]);
    did(&["config", "set", "sanity.min_unique_words", "0"]);
    did(&["blind", "submit", "2", &with("I would not write SECRET down."), "--as", "anna"]);
    did(&["session", "complete", &session]);
}

/// What hooks, imports and crashes leave.
fn left_behind(story: &Story) {
    let record = |kind: &str, input: &str, more: &[&str]| {
        let call = ["record", "--type", kind, "--name", "Bash", "--session", "s1", "--input", input];
        story.did(&[&call, more].concat())
    };
    let json = |text: &str| serde_json::to_string(text).expect("JSON");
    let nested = json(&format!("{{\"list\":[{}]}}", json(&format!("\n{SECRET}"))));
    let call = format!(r#"{{"a":"x {ESCAPED} y","b":"https://x/?q={IN_ADDRESS}","c":"{IN_BASE64}","d":{nested}}}"#);
    record("user_input", &format!(r#"{{"text":{}}}"#, json(&format!("use {SECRET}, please"))), &[]);
    let failed = format!("ENOENT: no such door: {SECRET} is not there");
    record("tool_call", &call, &["--failed", "--error", &failed, "--tag", SECRET, "--file", SECRET, "--agent", SECRET]);
    story.project.write("big", &format!("{}{SECRET}{}", "x ".repeat(95), "y ".repeat(30_000)));
    record("tool_call", r#"{"command":"cat big"}"#, &["--output", "@big"]);
    record(
        "tool_call",
        &format!(r#"{{"cut":"it was Zebra quagga/0…","deep":{}1{}}}"#, "[".repeat(100), "]".repeat(100)),
        &[],
    );
    story.did(&["render"]);
    story.did(&["archive", "--before", "2026-11-03"]);
    let day = ".context/history/2026-11-03.jsonl";
    // Another program's line, one that is deeper than any tree, and a torn one.
    let deep = |levels: usize| format!("{}{}{}", "[".repeat(levels), json(SECRET), "]".repeat(levels));
    let entry = |id: &str, input: &str| {
        format!(
            r#"{{"id":"{id}","timestamp":"2026-11-03T00:00:00Z","session_id":"s2","operation":{{"type":"tool_call","name":"x","input":{{"d":{input}}},"success":true}},"provenance":{{}},"metadata":{{}}}}"#
        )
    };
    let lines = [
        format!(r#"{{"no":"entry","text":"{ESCAPED}"}}"#),
        format!("no JSON but {SECRET}"),
        entry("01M8C000000000000000000001", &deep(10_000)),
    ];
    story.project.write(day, &(lines.join("\n") + "\n"));
    story.local("history/.torn/2026-11-02.jsonl.1", &format!("{{\"id\":\"torn {SECRET}"));
    story.local("local/calls/a-b.json", &format!(r#"{{"entry":{{"input":"{ESCAPED}"}}}}"#));
    story.local("local/hook.log", &format!("a socket said {SECRET}\n"));
    story.local("local/.marks.77-1.tmp", &format!("half {SECRET}"));
    story.local("issues/.kept/0001-old.md", &format!("# an older view of {SECRET}\n"));
    story.local("scratchpad/notes.md", &format!("{SECRET}\n"));
}

/// Every file below a folder, unpacked where it is packed.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let walk = walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let paths = walk.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let read = |path: std::path::PathBuf| {
        let bytes = fs::read(&path).expect("read");
        let is_packed = path.extension().is_some_and(|ending| ending == "zst");
        let bytes = if is_packed { zstd::decode_all(bytes.as_slice()).expect("unpacked") } else { bytes };
        (path.strip_prefix(folder).expect("below").to_string_lossy().into_owned(), bytes)
    };
    paths.map(read).collect()
}

/// A text without its escapes, as often as it has any.
fn unescaped(text: &str) -> String {
    let mut text = text.to_owned();
    for (escape, letter) in [("\\\\", "\\"), ("\\\\", "\\"), ("\\/", "/"), ("\\\"", "\""), ("\\n", "\n")] {
        text = text.replace(escape, letter);
    }
    let code = regex::Regex::new(r"\\u([0-9a-fA-F]{4})").expect("a pattern");
    let letter = |found: &regex::Captures<'_>| {
        u32::from_str_radix(&found[1], 16).ok().and_then(char::from_u32).map(String::from).unwrap_or_default()
    };
    code.replace_all(&text, letter).into_owned()
}

/// Where anything of it is, and what.
fn traces(folder: &Path) -> Vec<String> {
    let mut hashes = vec![sha256_hex(SECRET.as_bytes()), sha256_hex(format!("{SECRET}\n").as_bytes())];
    for text in
        ["log in with SECRET", "Delete what SECRET opens", "SECRET", "Open it with SECRET", "The door is SECRET."]
    {
        let text = text.replace("SECRET", SECRET);
        hashes.extend(identity::task_id(&text).map(String::from));
        hashes.push(sha256_hex(text.as_bytes()));
    }
    let made = fingerprint::of(&format!("the door said no to Zebra {SECRET} again"));
    let mut signs: Vec<String> = hashes.into_iter().map(|hash| hash[..16].to_owned()).collect();
    signs.extend([
        SECRET.to_lowercase(),
        IN_ADDRESS.to_lowercase(),
        made.to_string(),
        "zebra quagga".to_owned(),
        "zebra-quagga".to_owned(),
        "zebra_quagga".to_owned(),
    ]);
    let mut found = Vec::new();
    for (name, bytes) in files(folder) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let in_base64 = text.contains(&IN_BASE64[4..24]).then(|| format!("{name}: base64"));
        let texts = [text.to_lowercase(), unescaped(&text).to_lowercase(), name.to_lowercase()];
        let own = signs.iter().filter(|sign| texts.iter().any(|text| text.contains(sign.as_str())));
        found.extend(own.map(|sign| format!("{name}: {sign}")).chain(in_base64));
    }
    found
}

#[test]
fn a_scrub_by_value_leaves_nothing() {
    let story = Story::new();
    told(&story);
    left_behind(&story);
    let context = story.project.context();
    let state = story.project.path().join("home");
    assert!(traces(&context).len() > 20, "{:#?}", traces(&context));
    assert!(!traces(&state).is_empty(), "the sealed opinion");
    let run = story.tried(&["scrub", "--value", "-", "--yes"], &format!("{SECRET}\n"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!((traces(&context), traces(&state)), (Vec::new(), Vec::new()), "{}{}", run.stdout, run.stderr);
    assert!(!run.stderr.contains("still there"), "{}", run.stderr);
    let verified = story.tried(&["verify", "--blobs", "--allow-foreign"], "");
    assert!(!verified.stdout.contains("scrub unproved") && !verified.stdout.contains("changed"), "{}", verified.stdout);
    let replayed = story.tried(&["replay", "--all"], "");
    assert_eq!(replayed.code, Some(0), "{}", replayed.stdout);
    assert!(replayed.stdout.contains("scrubbed"), "{}", replayed.stdout);
    let hash = |more: &[&str]| story.tried(&[&["state", "--hash"], more].concat(), "").stdout;
    assert_eq!(hash(&[]), hash(&["--fresh"]));
    let again = story.tried(&["scrub", "--value", "-", "--yes"], &format!("{SECRET}\n"));
    assert_eq!((again.code, again.stderr.as_str()), (Some(1), "nothing here holds the value\n"), "{}", again.stdout);
}

#[test]
fn a_scrub_keeps_the_modes_of_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let story = Story::new();
    left_behind(&story);
    let context = story.project.context();
    let names = ["history/2026-11-03.jsonl", "local/calls/a-b.json", "scratchpad/notes.md"];
    for name in names {
        fs::set_permissions(context.join(name), fs::Permissions::from_mode(0o600)).expect("set");
    }
    story.did(&["scrub", "--value", SECRET, "--yes"]);
    for name in names {
        let mode = fs::metadata(context.join(name)).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{name}");
    }
}

#[test]
fn an_entry_is_named_by_either_end_of_its_id() {
    let story = Story::new();
    let call = |text: &str| {
        let input = format!(r#"{{"text":"{text}"}}"#);
        story.did(&["record", "--type", "tool_call", "--name", "Bash", "--session", "s1", "--input", &input])
    };
    let (first, second) = (call("leaked one"), call("leaked two"));
    story.did(&["scrub", &first[18..], "operation.input.text", "--yes"]);
    story.did(&["scrub", &second[..18], "operation.input.text", "--yes"]);
    let texts: Vec<_> = story.project.entries()[1..3].iter().map(|entry| entry.operation.input.value()).collect();
    assert_eq!(texts, [serde_json::json!({"text": "[SCRUBBED]"}), serde_json::json!({"text": "[SCRUBBED]"})]);
}

#[test]
fn what_a_crash_left_of_a_scrub_is_done_by_the_next() {
    let story = Story::new();
    left_behind(&story);
    let blobs = story.project.context().join("history/blobs");
    let (name, bytes) = files(&blobs).pop().expect("a blob");
    let packed = fs::read(blobs.join(&name)).expect("read");
    assert!(String::from_utf8_lossy(&bytes).contains(SECRET));
    story.did(&["scrub", "--value", SECRET, "--yes"]);
    // As if it had ended behind the lines: the blob is still there, and so is the note of what is to be done.
    fs::write(blobs.join(&name), packed).expect("written");
    let hash = name[3..].trim_end_matches(".zst");
    story.local("local/scrub", hash);
    let run = story.tried(&["scrub", "--value", "another value", "--yes"], "");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    story.tried(&["scrub", "nothing-there", "operation.input", "--yes"], "");
    let call = story
        .did(&["record", "--type", "tool_call", "--name", "Bash", "--session", "s1", "--input", r#"{"text":"other"}"#]);
    story.did(&["scrub", &call, "operation.input.text", "--yes"]);
    assert!(!blobs.join(&name).exists() && !story.project.context().join("local/scrub").exists());
}

/// A repository around the project; what it does must succeed.
fn git(story: &Story, arguments: &[&str]) {
    let mut git = std::process::Command::new("git");
    git.args(["-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "init.defaultBranch=main"]);
    git.args(arguments).current_dir(story.project.path()).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = git.output().expect("git");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn second_names_hold_nothing_either() {
    let story = Story::new();
    let call = |text: &str| {
        let input = serde_json::json!({ "text": text }).to_string();
        story.did(&["record", "--type", "tool_call", "--name", "Bash", "--session", "s1", "--input", &input]);
    };
    git(&story, &["init", "--quiet"]);
    call("the first");
    git(&story, &["add", "-A"]);
    git(&story, &["commit", "--quiet", "-m", "one"]);
    git(&story, &["switch", "--quiet", "-c", "other"]);
    call(&format!("elsewhere: {SECRET}"));
    git(&story, &["add", "-A"]);
    git(&story, &["commit", "--quiet", "-m", "two"]);
    git(&story, &["switch", "--quiet", "main"]);
    call(&format!("here: {SECRET}"));
    let seconds = story.project.path().join(".git/annals");
    assert!(!traces(&seconds).is_empty(), "second names of both branches");
    let run = story.tried(&["scrub", "--value", "-", "--yes"], SECRET);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!((traces(&seconds), traces(&story.project.context())), (Vec::new(), Vec::new()), "{}", run.stdout);
    let verified = story.tried(&["verify"], "");
    assert!(!verified.stdout.contains("scrub unproved"), "{}", verified.stdout);
}
