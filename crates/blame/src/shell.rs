//! What a command line did to files, as far as the line says it: here-documents, `echo`, `sed -i`, patches, `mv`, `git`.
//!
//! A command that writes a file in a way that the line does not show makes the file opaque. Expands nothing.

use annals_kernel::call::{Act, Joint, RedirectMode, acts, operands};

use super::deed::{Before, Deed, Done, Ended, Extent, What};
use super::output;
use super::patch;
use super::place::within;
use super::script::{Dialect, Script};
use super::text::{Ending, Text};
use super::tool;

/// A longer line is looked at no further, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// What a command line did.
pub(crate) fn deeds(call: &Done<'_>, line: &str) -> Vec<Deed> {
    if let Some(what) = tool::numbered(line) {
        let is_done = call.ended == Ended::Well;
        return tool::path(call).filter(|_| is_done).map(|path| Deed::new(path, what)).into_iter().collect();
    }
    let line = if line.len() > MOST_BYTES { "" } else { line };
    let acts = acts(line);
    let folder = tool::text(call.input, &["workdir", "cwd"]).unwrap_or_default();
    let mut reader = LineReader { folder: super::place::bare(folder), deeds: Vec::new() };
    let done = match call.ended {
        Ended::Well => acts.len(),
        // The last one failed, or the one that the others waited for: what stood before it was done.
        Ended::Badly if line.contains("set -e") => 0,
        Ended::Badly => acts.len().saturating_sub(1),
    };
    for (at, act) in acts.iter().enumerate().take(done) {
        if call.ended == Ended::Badly && act.joint() != Joint::Other && !is_sure(&acts[..at]) {
            break;
        }
        reader.take(act, at.checked_sub(1).map(|before| &acts[before]));
    }
    if let ([act], Ended::Well) = (acts.as_slice(), call.ended) {
        reader.deeds.extend(seen(act, call, &reader.folder));
    }
    reader.deeds
}

/// Whether commands hardly fail: what waits for them was done.
fn is_sure(acts: &[Act<'_>]) -> bool {
    acts.iter()
        .all(|act| matches!(act.program(), "cd" | "mkdir" | "cat" | "echo" | "printf" | "tee" | "export" | "true"))
}

struct LineReader {
    folder: String,
    deeds: Vec<Deed>,
}

impl LineReader {
    fn take(&mut self, act: &Act<'_>, before: Option<&Act<'_>>) {
        let first = self.deeds.len();
        match act.program() {
            "cd" | "pushd" => self.folder = within(&self.folder, act.words().next().unwrap_or("~")),
            "sed" | "perl" if act.is_in_place() => self.in_place(act),
            "apply_patch" => self.patched(act),
            "patch" => self.diffed(act, strip_of(act)),
            "git" => self.git(act),
            "mv" => self.placed(act, |to| What::Moved(to.to_owned())),
            "cp" => self.placed(act, |to| What::Copied(to.to_owned())),
            "rm" => self.removed(operands(act.words())),
            _ => {}
        }
        self.printed(act, before);
        if act.joint() == Joint::Or {
            // Whether it was done at all, the record does not say.
            self.deeds[first..].iter_mut().for_each(|deed| deed.what = What::Opaque);
        }
    }

    fn add(&mut self, path: &str, what: What) {
        self.deeds.push(Deed::new(&within(&self.folder, path), what));
    }

    /// What it prints into files.
    fn printed(&mut self, act: &Act<'_>, before: Option<&Act<'_>>) {
        let text = printed(act).or_else(|| {
            let fed = before.filter(|_| act.joint() == Joint::Pipe && matches!(act.program(), "cat" | "tee"));
            fed.and_then(printed)
        });
        let what = |mode, text: &Option<String>| match (text, mode) {
            (Some(text), RedirectMode::Truncate) => What::Whole(Text::of(text), Before::Unsaid),
            (Some(text), RedirectMode::Append) => What::Appended(text.clone()),
            (None, _) => What::Opaque,
        };
        if act.program() == "tee" {
            let mode = if act.has(&["-a", "--append"]) { RedirectMode::Append } else { RedirectMode::Truncate };
            operands(act.words()).for_each(|file| self.add(file, what(mode, &text)));
        }
        if let Some((file, mode)) = act.printed_into().filter(|(file, _)| !file.starts_with("/dev/")) {
            self.add(file, what(mode, &text));
        }
    }

    fn in_place(&mut self, act: &Act<'_>) {
        let (script, files) = script_of(act);
        for file in files {
            self.add(file, script.clone().map_or(What::Opaque, What::Edited));
        }
    }

    fn patched(&mut self, act: &Act<'_>) {
        let texts: Vec<String> = act.documents().chain(act.words()).map(str::to_owned).collect();
        for text in texts {
            self.deeds.extend(patch::of_patch(&text, &self.folder));
        }
    }

    fn diffed(&mut self, act: &Act<'_>, left_out: usize) {
        let texts: Vec<String> = act.documents().map(str::to_owned).collect();
        for text in texts {
            self.deeds.extend(patch::of_diff(&text, &self.folder, left_out));
        }
    }

    fn git(&mut self, act: &Act<'_>) {
        let words: Vec<&str> = act.words().collect();
        let Some((verb, rest)) = words.split_first() else { return };
        match *verb {
            "mv" => self.pairs(&operands(rest.iter().copied()).collect::<Vec<_>>(), |to| What::Moved(to.to_owned())),
            "rm" if !rest.contains(&"--cached") => self.removed(operands(rest.iter().copied())),
            "apply" => self.diffed(act, 1),
            "checkout" | "restore" => {
                let is_plain = rest
                    .iter()
                    .all(|word| matches!(*word, "--" | "HEAD" | "--worktree" | "-W") || !word.starts_with('-'));
                let names: Vec<&str> = match rest.iter().position(|word| *word == "--") {
                    Some(at) => rest[at + 1..].to_vec(),
                    None => operands(rest.iter().copied()).filter(|word| *word != "HEAD").collect(),
                };
                let is_of_head = rest
                    .iter()
                    .position(|word| *word == "--")
                    .is_none_or(|at| rest[..at].iter().all(|word| *word == "HEAD"));
                for name in names {
                    self.add(name, if is_plain && is_of_head { What::Restored } else { What::Opaque });
                }
            }
            "stash" if !matches!(rest.first(), Some(&("list" | "show" | "drop" | "clear"))) => {
                self.add("", What::Opaque);
            }
            "reset" if rest.contains(&"--hard") => {
                let is_of_head = rest.iter().all(|word| matches!(*word, "--hard" | "HEAD" | "-q"));
                self.add("", if is_of_head { What::Restored } else { What::Opaque });
            }
            _ => {}
        }
    }

    fn placed(&mut self, act: &Act<'_>, what: fn(&str) -> What) {
        let named: Vec<&str> = operands(act.words()).collect();
        self.pairs(&named, what);
    }

    fn pairs(&mut self, named: &[&str], what: fn(&str) -> What) {
        let Some((to, from)) = named.split_last() else { return };
        for file in from {
            // Several files go into a folder, and so does one where the last name says so.
            let name = file.trim_end_matches('/').rsplit('/').next().unwrap_or(file);
            let into = if from.len() > 1 || to.ends_with('/') || *to == "." {
                format!("{to}/{name}")
            } else {
                (*to).to_owned()
            };
            let into = within(&self.folder, &into);
            self.add(file, what(&into));
        }
    }

    fn removed<'w>(&mut self, files: impl Iterator<Item = &'w str>) {
        files.for_each(|file| self.add(file, What::Removed));
    }
}

fn strip_of(act: &Act<'_>) -> usize {
    let given = act.words().find_map(|word| word.strip_prefix("-p").or_else(|| word.strip_prefix("--strip=")));
    given.and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The script of `sed -i` or `perl -pi`, where its effect is plain, and its files.
fn script_of<'a>(act: &'a Act<'_>) -> (Option<Script>, Vec<&'a str>) {
    let (mut scripts, mut files, mut words) = (Vec::new(), Vec::new(), act.words());
    let is_sed = act.program() == "sed";
    let mut dialect = if is_sed { Dialect::Basic } else { Dialect::Perl };
    let mut is_plain = true;
    while let Some(word) = words.next() {
        let letters = word.strip_prefix('-').filter(|letters| !letters.is_empty());
        match (word, letters) {
            ("-E" | "-r" | "--regexp-extended", _) if is_sed => dialect = Dialect::Extended,
            ("--expression" | "-e", _) => scripts.extend(words.next()),
            (_, Some(letters)) if !is_sed && letters.ends_with('e') => scripts.extend(words.next()),
            ("-i" | "--in-place" | "-p" | "-pi", _) => {}
            (_, Some(letters)) if letters.starts_with('i') => {
                if letters.contains('E') {
                    is_plain = false;
                }
            }
            ("-Ei" | "-ri", _) if is_sed => dialect = Dialect::Extended,
            // macOS: `-i ''`.
            ("", _) => {}
            (_, Some(_)) => is_plain = false,
            (word, None) if scripts.is_empty() => scripts.push(word),
            (word, None) => files.push(word),
        }
    }
    let is_expanded = |script: &&str| {
        script.match_indices('$').any(|(at, _)| {
            script[at + 1..].starts_with(|next: char| {
                next.is_ascii_alphabetic() && next != 'd' && next != 'a' && next != 'i' || next == '{' || next == '('
            })
        })
    };
    let is_plain = is_plain && !scripts.iter().any(is_expanded);
    let read = scripts.iter().map(|script| Script::read(script, dialect)).collect::<Option<Vec<_>>>();
    let script = read.filter(|_| is_plain).and_then(|scripts| scripts.into_iter().reduce(Script::and));
    (script, files)
}

/// What a command prints, where its line says so.
fn printed(act: &Act<'_>) -> Option<String> {
    let words: Vec<&str> = act.words().collect();
    match (act.program(), words.as_slice()) {
        ("cat" | "tee", words)
            if act.documents().next().is_some() && (words.is_empty() || words == ["-"] || act.program() == "tee") =>
        {
            Some(act.documents().collect())
        }
        ("echo", ["-e" | "-n" | "-en" | "-ne", ..]) => None,
        ("echo", words) => Some(format!("{}\n", words.join(" "))),
        ("printf", [format]) if !format.contains('%') => unescaped(format),
        ("printf", ["%s\\n", words @ ..]) if !words.is_empty() => {
            Some(words.iter().flat_map(|word| [*word, "\n"]).collect())
        }
        ("printf", ["%s", word]) => Some((*word).to_owned()),
        (_, _) => None,
    }
}

/// A format of `printf` without its escapes.
fn unescaped(format: &str) -> Option<String> {
    let (mut text, mut letters) = (String::new(), format.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.push(match letters.next()? {
                'n' => '\n',
                't' => '\t',
                '\\' => '\\',
                '"' => '"',
                '\'' => '\'',
                _ => return None,
            }),
            letter => text.push(letter),
        }
    }
    Some(text)
}

/// What a command that prints a file saw of it.
fn seen(act: &Act<'_>, call: &Done<'_>, folder: &str) -> Option<Deed> {
    if act.printed_into().is_some() {
        return None;
    }
    let words: Vec<&str> = act.words().collect();
    let text = output::printed(call.output)?;
    let (path, first, text, extent) = match (act.program(), words.as_slice()) {
        // Whether the last line ends is not shown.
        ("cat", [file]) => (file, 1, Text { ending: Ending::Newline, ..Text::of(text) }, Extent::All),
        ("cat", ["-n", file]) | ("nl", ["-ba", file]) => {
            let (first, text) = output::numbered(text)?;
            (file, first, text, Extent::All)
        }
        ("sed", ["-n", range, file]) => {
            let (first, _) = range.strip_suffix('p')?.split_once(',')?;
            (file, first.parse().ok()?, Text::of(text), Extent::Part)
        }
        (_, _) => return None,
    };
    Some(Deed::new(&within(folder, path), What::Seen(first, text, extent)))
}

/// A program without its folder.
pub(crate) fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}
