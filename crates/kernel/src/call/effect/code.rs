//! Code on a command line: what the interpreter that gets it is told to remove, to run, to drop.
//!
//! Not a parser of any language: calls by their names, and the texts between their brackets. What is put together from
//! variables is not read, and is said to be unreadable only where it is decoded or run.

use super::files::Places;
use super::place::Place;
use super::{Effect, sql};

/// What code does.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CodeReading {
    pub(super) effects: Vec<Effect>,
    /// Command lines that it runs.
    pub(super) lines: Vec<String>,
}

/// Calls that remove folders.
const REMOVES: [&str; 10] = [
    "rmtree(", "rm_rf(", "rm_r(", "remove_tree(", "remove_dir_all(", "removeSync(", "rimraf(", "rimraf.sync(",
    "emptyDirSync(", "remove_entry_secure(",
];
/// Calls that remove folders where they are told so.
const REMOVES_DEEP: [&str; 5] = ["rmSync(", "rmdirSync(", "fs.rm(", "fsp.rm(", "promises.rm("];
/// Calls that run a command.
const RUNS: [&str; 20] = [
    "os.system(", "os.popen(", "subprocess.run(", "subprocess.call(", "subprocess.check_call(",
    "subprocess.check_output(", "subprocess.Popen(", "getoutput(", "execSync(", "spawnSync(", "execFileSync(",
    "spawn(", "execFile(", "child_process.exec(", "shell_exec(", "passthru(", "proc_open(", "system(", "Popen(",
    "exec(",
];
/// What takes apart what was hidden.
const DECODES: [&str; 9] = [
    "b64decode", "base64.decode", "decode64", "fromhex", "atob(", "'base64')", "\"base64\")", "unpack(",
    "codecs.decode",
];

/// Reads code.
pub(super) fn read(code: &str, place: &Places<'_>) -> CodeReading {
    let mut found = CodeReading::default();
    let is_temporary = ["mkdtemp", "TemporaryDirectory", "mktmpdir", "tmp_path", "gettempdir", "os.tmpdir"]
        .iter()
        .any(|word| code.contains(word));
    let unnamed = if is_temporary { Place::Scratch } else { Place::Kept };
    for name in REMOVES {
        for inside in calls(code, name) {
            note(&mut found, inside, unnamed, place);
        }
    }
    for name in REMOVES_DEEP {
        for inside in calls(code, name).filter(|inside| inside.contains("recursive")) {
            note(&mut found, inside, unnamed, place);
        }
    }
    run(code, &mut found);
    let executes = ["execute(", "executescript(", "query(", "exec(", "raw(", "executemany(", ".run("];
    let says_sql = |name: &&str| calls(code, name).any(|inside| texts(inside).iter().any(|text| sql::drops(text)));
    if !code.contains(":memory:") && executes.iter().any(says_sql) {
        found.effects.push(Effect::Dropped);
    }
    found
}

/// A folder that is removed.
fn note(found: &mut CodeReading, inside: &str, unnamed: Place, place: &Places<'_>) {
    let first = inside.split([',', ')']).next().unwrap_or_default();
    let is_scratch = match texts(first).first() {
        Some(path) => place(path) == Place::Scratch,
        None => {
            unnamed == Place::Scratch
                || ["tmp", "temp", "build", "dist", "cache"].iter().any(|word| first.to_lowercase().contains(word))
        }
    };
    if !is_scratch {
        found.effects.push(Effect::Removed);
    }
}

fn run(code: &str, found: &mut CodeReading) {
    let imports = code.contains("subprocess");
    let by_name = RUNS.iter().flat_map(|name| calls(code, name).map(move |inside| (*name, inside)));
    // `import subprocess as s; s.run([…])`
    let under_another = [".run(", ".call(", ".check_call(", ".check_output("].into_iter().filter(|_| imports);
    let under_another = under_another.flat_map(|name| calls(code, name).map(move |inside| (name, inside)));
    for (name, inside) in by_name.chain(under_another) {
        let said = texts(inside);
        if said.is_empty() {
            // A language's own `exec` runs code, and a name that is handed on may be anything.
            let is_decoded = DECODES.iter().any(|word| code.contains(word)) || code.contains("chr(");
            let is_run = matches!(name, "os.system(" | "os.popen(" | "execSync(" | "shell_exec(" | "passthru(");
            if (is_decoded || is_run) && !inside.trim().is_empty() {
                found.effects.push(Effect::Unreadable);
            }
            continue;
        }
        let is_list = inside.trim_start().starts_with('[')
            || matches!(name, "spawn(" | "spawnSync(" | "execFile(" | "execFileSync(" | "system(" if said.len() > 1);
        let line = if is_list {
            let list = inside.find(']').map_or(inside, |end| &inside[..end]);
            texts(list).iter().map(|word| super::expand::quoted(word)).collect::<Vec<_>>().join(" ")
        } else {
            said[0].clone()
        };
        // `os.system(` is `system(`, too.
        if !found.lines.contains(&line) {
            found.lines.push(line);
        }
    }
    for line in between(code, '`').filter(|_| !code.contains("=>") && !code.contains("require(")) {
        found.lines.push(line.to_owned());
    }
    for quote in ["%x(", "qx(", "%x{", "qx{"] {
        let close = if quote.ends_with('(') { ')' } else { '}' };
        let inside = code.split(quote).skip(1).filter_map(|rest| rest.split(close).next());
        found.lines.extend(inside.map(str::to_owned));
    }
}

/// What stands between two marks.
fn between(code: &str, mark: char) -> impl Iterator<Item = &str> {
    code.split(mark).skip(1).step_by(2)
}

/// What stands between the brackets of each call of a name.
fn calls<'c>(code: &'c str, name: &str) -> impl Iterator<Item = &'c str> {
    let mut at = 0;
    let name = name.to_owned();
    std::iter::from_fn(move || {
        loop {
            let found = code[at..].find(&name)? + at;
            at = found + name.len();
            let before = code[..found].chars().next_back();
            // `my_system(` is another one; a method is the same.
            let is_other = name.starts_with(|letter: char| letter.is_alphanumeric())
                && before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
            if !is_other {
                return Some(inside(&code[at..]));
            }
        }
    })
}

/// Up to the bracket that closes.
fn inside(rest: &str) -> &str {
    let (mut depth, mut quote) = (0_u32, None);
    for (at, letter) in rest.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"' | '`') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return &rest[..at],
            (None, ')') => depth -= 1,
            (Some(_) | None, _) => {}
        }
    }
    rest
}

/// The texts in a piece of code.
fn texts(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut letters = code.chars().peekable();
    while let Some(letter) = letters.next() {
        if !matches!(letter, '\'' | '"' | '`') {
            continue;
        }
        let mut text = String::new();
        while let Some(inside) = letters.next().filter(|inside| *inside != letter) {
            text.push(if inside == '\\' { letters.next().unwrap_or('\\') } else { inside });
        }
        // `"""…"""` begins with an empty text.
        if !text.is_empty() {
            found.push(text);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_read_by_its_calls() {
        let place = |path: &str| super::super::place::place("", path);
        let effects = |code: &str| read(code, &place).effects;
        assert_eq!(effects("shutil.rmtree('src')"), [Effect::Removed]);
        assert_eq!(effects("shutil.rmtree('build')"), []);
        assert_eq!(effects("fs.rmSync('src', {recursive: true})"), [Effect::Removed]);
        assert_eq!(effects("cur.execute(\"DROP TABLE a\")"), [Effect::Dropped]);
        assert_eq!(effects("print('rm -rf /')"), []);
        let lines = |code: &str| read(code, &place).lines;
        assert_eq!(lines("os.system('rm -rf src')"), ["rm -rf src"]);
        assert_eq!(lines("subprocess.run(['rm', '-rf', 'src'], check=True)"), ["'rm' '-rf' 'src'"]);
        assert_eq!(lines("cp.spawnSync('rm', ['-rf', 'src'])"), ["'rm' '-rf' 'src'"]);
    }
}
