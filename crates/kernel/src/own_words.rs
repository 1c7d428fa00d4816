//! What of a prompt its author wrote: not code, quotes, output, tags, or a document that was pasted; and whether words ask.
//!
//! Line by line and by form; in doubt a line is left out. Does not understand a text.

/// A prompt that begins so was made by a program.
const MADE: [&str; 9] = [
    "you are ", "# ", "[[ ##", "<", "implement the following plan", "we're currently solving",
    "this session is being continued", "caveat:", "[request interrupted",
];
/// After a line that ends so, somebody else speaks.
const INTRODUCTIONS: [&str; 9] = [
    "following plan:", "here's the issue text:", "this is the relevant css:", "message from another agent",
    "here is the output:", "here's the output:", "error message:", "the description is:", "here is the error:",
];

/// A line that begins so was copied from a terminal, and what follows it, too.
const PROMPTS: [&str; 6] = ["➜", "❯", "$ ", "Traceback (most recent", "error: ", "fatal: "];

/// A point of a list that is longer was not typed.
const REPORT_CHARS: usize = 140;

/// What an editor puts before a person's words, behind the files that they name.
const REQUEST: &str = "## My request for Codex:";

/// The lines that a person wrote.
pub fn own_words(text: &str) -> String {
    let text = text.rsplit_once(REQUEST).map_or(text, |(_, request)| request);
    let trimmed = text.trim_start();
    let head: String = trimmed.chars().take(60).collect::<String>().to_lowercase();
    if MADE.iter().any(|made| head.starts_with(made)) || trimmed.contains("[[ ##") || trimmed.contains("@[System]") {
        return String::new();
    }
    let mut own = String::new();
    let mut fence: Option<&str> = None;
    let mut tag: Option<String> = None;
    for line in text.lines() {
        let bare = line.trim();
        if let Some(mark) = fence {
            fence = Some(mark).filter(|mark| !bare.starts_with(mark));
            continue;
        }
        if let Some(name) = &tag {
            tag = tag.clone().filter(|_| !bare.contains(&format!("</{name}>")));
            continue;
        }
        fence = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        tag = opened(bare);
        if bare.starts_with("# ") || bare.starts_with("## ") {
            break;
        }
        if PROMPTS.iter().any(|prompt| bare.starts_with(prompt)) {
            break;
        }
        if fence.is_none() && tag.is_none() {
            own.push_str(if is_pasted(line) { "" } else { line });
            own.push('\n');
        }
        if INTRODUCTIONS.iter().any(|end| bare.to_lowercase().ends_with(end)) {
            break;
        }
    }
    own
}

/// The name of a tag that a line opens and does not close.
fn opened(line: &str) -> Option<String> {
    let rest = line.strip_prefix('<')?;
    let name: String = rest.chars().take_while(|letter| letter.is_alphanumeric() || "_-".contains(*letter)).collect();
    let is_open = !name.is_empty() && !line.contains(&format!("</{name}>")) && !line.ends_with("/>");
    is_open.then_some(name)
}

/// Quotes, prompts of a shell, lines of code and of logs.
fn is_pasted(line: &str) -> bool {
    let bare = line.trim();
    let is_indented = line.starts_with("    ") || line.starts_with('\t');
    let is_shell = ["> ", ">", "% ", "| ", "+ ", "at ", "File \"", "hint: ", "warning: ", "E  "];
    let is_code_end = bare.ends_with(['{', '}', ';', '\\']) && !bare.ends_with("&quot;");
    let is_log = bare.len() > 10 && bare.as_bytes()[..4].iter().all(u8::is_ascii_digit) && bare.as_bytes()[4] == b'-';
    // A list of long points is a report that was handed on.
    let is_report = bare.starts_with(['-', '*', '•']) && bare.chars().nth(REPORT_CHARS).is_some();
    is_report
        || is_indented && looks_like_code(bare)
        || is_shell.iter().any(|start| bare.starts_with(start))
        || is_code_end
        || is_log
}

/// Whether signs stand where words would.
pub fn looks_like_code(text: &str) -> bool {
    let calls = text.replace("()", "");
    let mut is_quoted = false;
    let mut signs = 0_usize;
    let mut all = 0_usize;
    for letter in calls.chars() {
        is_quoted ^= letter == '`';
        if !is_quoted {
            all += 1;
            signs += usize::from("{}()[];=<>|\\$&*#@".contains(letter));
        }
    }
    signs * 10 > all
}

/// Whether words ask, though no mark says so: "can you …", "is it …"; in lower case, with
/// apostrophes or without.
pub fn asks(first: &str, second: &str) -> bool {
    const WONDERS: [&str; 7] = ["why", "what", "how", "who", "whose", "which", "where"];
    const FIRST: &str = "can could would will should shall may is are was were do does did has have am why what how when where who whom \
        whose which isnt arent dont doesnt wont wouldnt shouldnt couldnt cant didnt";
    const SECOND: &str = "i you we he she it they there this that these those the a an my our your anyone any";
    let is_in = |list: &str, word: &str| list.split_whitespace().any(|known| known == word);
    WONDERS.contains(&first) || is_in(FIRST, &first.replace(['\'', '’'], "")) && is_in(SECOND, second)
}
