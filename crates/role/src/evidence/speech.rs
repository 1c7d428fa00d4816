//! Whether what a command line prints comes of the project, or is only what the line itself says.
//!
//! What reads no file of the project and runs no program of it shows nothing, however it is dressed up. Where something of the
//! project is printed, too, what is told beside it is left out by its words; where its words cannot be told (they are decoded,
//! or put together of parts), nothing counts. Told from the line alone: what a program of the project prints is believed.

use annals_kernel::call::{Act, Joint, acts, operands};

use super::dressing::{decodes, glues, glues_variables, reads_beside, reads_input, runs_code};

/// Programs that print what they are told, or what is of no project.
const PRINTERS: &[&str] = &[
    "", ":", "[", "[[", "{", "}", "alias", "arch", "cal", "case", "cd", "date", "declare", "done", "echo", "env",
    "esac", "exit", "export", "expr", "false", "fi", "for", "function", "hostname", "id", "in", "let", "local",
    "logname", "nproc", "popd", "printenv", "printf", "pushd", "pwd", "read", "readonly", "return", "seq", "set",
    "shift", "sleep", "test", "trap", "true", "tty", "type", "typeset", "uname", "unset", "uptime", "wait", "whoami",
    "yes",
];

/// Programs that print what they are fed, in another form or not; with a file behind them they read it.
const FILTERS: &[&str] = &[
    "awk", "banner", "base32", "base64", "basenc", "bc", "busybox", "bzip2", "cat", "column", "comm", "cowsay", "cpp",
    "cut", "dc", "dd", "dirname", "basename", "egrep", "envsubst", "eval", "expand", "fgrep", "figlet", "fmt", "fold",
    "gawk", "grep", "gunzip", "gzip", "head", "hexdump", "iconv", "join", "jq", "less", "logger", "m4", "mawk", "more",
    "nl", "numfmt", "od", "openssl", "paste", "pr", "rev", "sed", "shuf", "sort", "split", "strings", "tac", "tail",
    "tee", "toilet", "tr", "tsort", "unexpand", "uniq", "uudecode", "wc", "xargs", "xxd", "xz", "zcat",
];

/// Filters whose first word is no file.
const WITH_PROGRAM: &[&str] = &["awk", "egrep", "fgrep", "gawk", "grep", "jq", "mawk", "sed"];
/// Those that take no file.
const WITHOUT_FILE: &[&str] = &[
    "banner", "basename", "bc", "busybox", "cowsay", "dirname", "envsubst", "eval", "figlet", "logger", "numfmt",
    "toilet", "tr", "xargs",
];

/// Programs that run code which stands in the line.
const INTERPRETERS: &[&str] = &[
    "bun", "deno", "guile", "lua", "node", "nodejs", "osascript", "perl", "php", "python", "python2", "python3",
    "Rscript", "ruby", "tclsh",
];

/// Where what a command prints comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    /// Files or programs of the project.
    Project,
    /// The words of the line, as they stand there.
    Words,
    /// Them, in another form.
    Disguise,
}

/// Whether a command line gives anything of the project, and nothing that cannot be told from it.
pub fn tells(command: &str) -> bool {
    let acts = acts(command);
    let voices = voices(command, &acts);
    let is_seen = |(act, voice): (&Act<'_>, &Voice)| *voice == Voice::Disguise && prints(act);
    voices.contains(&Voice::Project) && !glues_variables(command) && !acts.iter().zip(&voices).any(is_seen)
}

/// Whether a command line says anything in another form than it stands there.
pub fn disguises(command: &str) -> bool {
    voices(command, &acts(command)).contains(&Voice::Disguise)
}

fn voices(command: &str, acts: &[Act<'_>]) -> Vec<Voice> {
    let (inputs, functions) = (inputs(command), functions(command));
    // What a command is fed by the one before it.
    let mut before = Voice::Words;
    let mut of = |act: &Act<'_>| {
        if act.joint() != Joint::Pipe {
            before = Voice::Words;
        }
        let is_function = functions.iter().any(|name| name == act.program());
        let voice = if is_function { Voice::Words } else { voice(act, before, &inputs) };
        if voice == Voice::Project {
            before = voice;
        }
        voice
    };
    acts.iter().map(&mut of).collect()
}

/// Whether all that a line of an output says stands in the command line, in whatever order.
pub fn says(command: &str, line: &str) -> bool {
    let (told, said) = (words(command), words(line));
    let squeezed =
        |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase();
    let line = squeezed(line);
    let is_long = said.len() > 1 && line.chars().count() >= LEAST_CHARS;
    is_long && (said.iter().all(|word| told.contains(word)) || squeezed(command).contains(&line))
}

/// Fewer letters are not looked at: short answers are often words of the question.
const LEAST_CHARS: usize = 6;

fn words(text: &str) -> Vec<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-');
    let plain = text.replace("\\n", " ").replace("\\t", " ").to_lowercase();
    let words = plain.split(|letter| !is_part(letter)).map(|word| word.trim_matches(['.', '-']).to_owned());
    words.filter(|word| !word.is_empty()).collect()
}

fn voice(act: &Act<'_>, before: Voice, inputs: &[FedFile<'_>]) -> Voice {
    let program = act.program();
    let is_fed = (before == Voice::Project || inputs.iter().any(|input| input.is_for(program)))
        && act.documents().next().is_none();
    if PRINTERS.contains(&program) {
        return if glues(act) { Voice::Disguise } else { Voice::Words };
    }
    if program == "cat" && act.documents().next().is_some() && files(act).next().is_none() {
        return Voice::Words;
    }
    if let Some(code) = INTERPRETERS.contains(&program).then(|| runs_code(act)).flatten() {
        let reads = reads_beside(&code) || is_fed && reads_input(&code);
        return if reads && !decodes(&code) { Voice::Project } else { Voice::Disguise };
    }
    let is_disguise = decodes_words(act);
    let is_bare = INTERPRETERS.contains(&program) && act.words().all(|word| word == "-");
    let is_filter = FILTERS.contains(&program) || is_bare;
    let reads = !is_filter || is_fed || searches_folder(act) || files(act).next().is_some();
    if reads && !is_disguise { Voice::Project } else { Voice::Disguise }
}

/// What a program that reads may still be told to say in another form.
fn decodes_words(act: &Act<'_>) -> bool {
    let text = act.text();
    let prints_coded = ["%x", "\\x", "\\0", "\\1", "%c"].iter().any(|mark| text.contains(mark));
    match act.program() {
        "git" | "find" | "stat" => {
            prints_coded && text.contains("form") | text.contains("print") | text.contains("pretty")
        }
        "awk" | "gawk" | "mawk" => {
            prints_coded
                || text.contains("BEGIN") && ["printf", "sub(", "substr"].iter().any(|mark| text.contains(mark))
        }
        _ => false,
    }
}

fn searches_folder(act: &Act<'_>) -> bool {
    let is_recursive = |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R']);
    act.program().ends_with("grep") && act.words().any(|word| is_recursive(word) || word.starts_with("--recursive"))
}

/// The files that a filter or an interpreter reads.
fn files<'a>(act: &'a Act<'_>) -> impl Iterator<Item = &'a str> {
    let program = act.program();
    let has_script = act.words().any(|word| matches!(word, "-e" | "-f" | "--expression" | "--file"));
    let before = usize::from(WITH_PROGRAM.contains(&program) && !has_script);
    let takes = !WITHOUT_FILE.contains(&program);
    let is_file =
        |word: &&str| word.chars().any(char::is_alphabetic) && !word.starts_with("/dev/") || word.contains('$');
    operands(act.words()).skip(before).filter(is_file).filter(move |_| takes)
}

/// Whether what it prints is seen.
fn prints(act: &Act<'_>) -> bool {
    let is_seen =
        |file: &str| ["/dev/std", "/dev/tty", "/dev/fd", "/proc/", "&"].iter().any(|place| file.starts_with(place));
    act.program() == "tee" || act.printed_into().is_none_or(|(file, _)| is_seen(file))
}

/// A file that is fed into a command by `<`, and the command line up to there.
struct FedFile<'c> {
    before: &'c str,
}

impl FedFile<'_> {
    fn is_for(&self, program: &str) -> bool {
        self.before.split_whitespace().any(|word| word == program)
    }
}

fn inputs(command: &str) -> Vec<FedFile<'_>> {
    let is_fed = |at: &usize| {
        let (before, behind) = (&command[..*at], command[at + 1..].trim_start());
        !before.ends_with('<') && !command[at + 1..].starts_with(['<', '(', '&', '=']) && !behind.starts_with("/dev/")
    };
    let before = |at: usize| FedFile {
        before: command[..at].rsplit(['|', ';', '&', '\n', '(', '`']).next().unwrap_or_default(),
    };
    command.match_indices('<').map(|(at, _)| at).filter(is_fed).map(before).collect()
}

/// The names of the functions that a line defines: who calls one says what stands in it.
fn functions(command: &str) -> Vec<String> {
    let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let named =
        |before: &str| before.trim_end().rsplit(|letter| !is_name(letter)).next().unwrap_or_default().to_owned();
    let keyword = command.split("function ").skip(1).filter_map(|rest| rest.split(|letter| !is_name(letter)).next());
    let mut names: Vec<_> = command.match_indices("()").map(|(at, _)| named(&command[..at])).collect();
    names.extend(keyword.map(str::to_owned));
    names
}
