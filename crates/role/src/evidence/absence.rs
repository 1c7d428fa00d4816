//! Whether a search that found nothing shows what a criterion says (artoo R4a: absence is a valid answer).
//!
//! It does where the criterion asks to find, or says that something is not there, and names what was searched for and
//! nothing else. Compares words, and understands none.

/// What stands before an empty search where it is kept as evidence.
const NOTHING: &str = "nothing found: ";

/// What a model may write where a search found nothing, and what our own searches say.
const SAYS_NOTHING: &[&str] = &[
    "", "nothing found", "no file", "no files found", "no line", "no match", "no matches", "no output", "(no output)",
    "no results", "nothing",
];

/// Words of a criterion that asks to look for things, or says that there are none.
const ASKING: &[&str] = &[
    "absent", "deleted", "find", "finds", "found", "free", "gone", "kein", "keine", "list", "listed", "lists",
    "locate", "located", "look", "missing", "never", "nicht", "no", "none", "not", "nothing", "nowhere", "ohne",
    "removed", "search", "searched", "unused", "without", "zero",
];

/// Words that name nothing that could be searched for.
const COMMON: &[&str] = &[
    "a", "all", "an", "any", "anymore", "anywhere", "are", "as", "at", "be", "been", "by", "code", "codebase",
    "comment", "comments", "does", "every", "each", "ever", "for", "from", "has", "have", "in", "is", "it", "its",
    "left", "line", "lines", "longer", "match", "matches", "more", "occurrence", "occurrences", "of", "old", "on",
    "or", "place", "places", "project", "remain", "remaining", "remains", "repository", "s", "that", "the", "there",
    "these", "this", "to", "tree", "use", "used", "uses", "was", "were", "where", "which", "with", "workspace",
];

/// Words of one that speaks of what stands in files.
const SPEAKING: &[&str] = &[
    "call", "calls", "contain", "contains", "import", "imports", "mention", "mentioned", "mentions", "occurrence",
    "occurrences", "occurs", "refer", "reference", "references", "refers", "use", "used", "uses",
];

/// Words of one that speaks of files.
const OF_FILES: &[&str] = &[
    "called", "directories", "directory", "exist", "exists", "file", "files", "folder", "folders", "name", "named",
    "names",
];

/// Words of a request that name nothing.
const OF_TOOLS: &[&str] = &[
    "ack", "ag", "command", "dev/null", "egrep", "fd", "fgrep", "find", "git", "glob", "grep", "ls", "name", "path",
    "pattern", "rg", "search", "shell",
];

/// What a search looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Names,
    Contents,
}

/// Of an empty search that is kept as evidence, its request.
pub fn request_of(evidence: &str) -> Option<&str> {
    evidence.strip_prefix(NOTHING)
}

/// Whether a text says no more than that nothing was found.
pub fn says_nothing(said: &str) -> bool {
    SAYS_NOTHING.contains(&said.trim().trim_end_matches('.').to_lowercase().as_str())
}

/// Whether a request that found nothing shows what a criterion says.
pub fn shows(criterion: &str, request: &str) -> bool {
    let request = request.split(" → ").next().unwrap_or_default();
    let (said, asked) = (words(criterion), words(&without_options(request)));
    let is_name = |word: &&String| ![ASKING, COMMON, SPEAKING, OF_FILES].iter().any(|known| known.contains(&&***word));
    let named: Vec<_> = said.iter().filter(is_name).collect();
    let sought: Vec<_> = asked.iter().filter(|word| !OF_TOOLS.contains(&word.as_str())).collect();
    let has = |known: &[&str]| said.iter().any(|word| known.contains(&word.as_str()));
    let covers = |name: &&&String| sought.iter().any(|word| is_it(name, word));
    let covered: Vec<_> = named.iter().filter(covers).collect();
    let is_narrowed = sought.iter().any(|word| is_place(word));
    let is_covered = named.iter().all(|name| covers(&name) || !is_narrowed && is_place(name));
    let names_all = sought.iter().all(|word| named.iter().any(|name| is_it(name, word)));
    let is_of_scope = match scope(&asked) {
        Scope::Names => has(OF_FILES) || covered.iter().all(|name| is_place(name)),
        Scope::Contents => has(SPEAKING) || covered.iter().any(|name| !is_place(name)),
    };
    has(ASKING) && !covered.is_empty() && is_covered && names_all && is_of_scope
}

fn scope(asked: &[String]) -> Scope {
    let is_of = |known: &[&str]| asked.iter().any(|word| known.contains(&word.as_str()));
    let is_by_tool = asked.first().is_some_and(|tool| matches!(tool.as_str(), "find" | "glob"));
    let reads =
        asked.first().is_some_and(|tool| tool == "search") || is_of(&["ack", "ag", "egrep", "fgrep", "grep", "rg"]);
    if reads && !is_by_tool { Scope::Contents } else { Scope::Names }
}

/// The same word, or a path and its last part.
fn is_it(name: &str, word: &str) -> bool {
    name == word || name.strip_suffix(word).is_some_and(|folder| folder.ends_with('/'))
}

fn is_place(word: &str) -> bool {
    word.contains(['.', '/'])
}

fn words(text: &str) -> Vec<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '/' | '_' | '-');
    let tidy = |word: &str| word.trim_start_matches("./").trim_matches(['.', '/', '-']).to_lowercase();
    text.split(|letter| !is_part(letter)).map(tidy).filter(|word| !word.is_empty()).collect()
}

/// Without the options of a command line, and what an expression says with a letter behind a backslash.
fn without_options(request: &str) -> String {
    let plain =
        ["\\\\b", "\\\\s", "\\\\w", "\\\\d"].iter().fold(request.to_owned(), |text, mark| text.replace(mark, " "));
    let is_told = |word: &&str| !word.starts_with('-') || word.contains('=');
    plain.split(' ').filter(is_told).map(|word| word.trim_start_matches("--include")).collect::<Vec<_>>().join(" ")
}
