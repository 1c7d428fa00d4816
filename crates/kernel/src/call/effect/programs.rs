//! The table of programs: `programs.txt` says what stands in its columns.

use std::sync::OnceLock;

use super::Effect;
use crate::call::shell::Act;

/// A line of the table.
struct ProgramRow {
    effect: Effect,
    program: &'static str,
    verbs: Vec<&'static str>,
    with: Vec<&'static str>,
    without: Vec<&'static str>,
}

/// The rows by the first byte of their programs, each byte's read when a command of it is looked up first: each command of
/// the log is, and a hook looks up one or two.
static ROWS: [OnceLock<Vec<ProgramRow>>; 256] = [const { OnceLock::new() }; 256];

fn rows(first: u8) -> &'static [ProgramRow] {
    let is_of =
        |row: &&str| ProgramRow::program_of(row).is_some_and(|program| program.as_bytes().first() == Some(&first));
    let read = || {
        let rows = include_str!("programs.txt").lines().filter(|line| !line.starts_with('#')).filter(is_of);
        rows.map(|row| ProgramRow::of(row).expect("BUG: a row of programs.txt")).collect()
    };
    ROWS[usize::from(first)].get_or_init(read)
}

impl ProgramRow {
    fn program_of(row: &str) -> Option<&str> {
        row.split_once('|')?.1.split_whitespace().next()
    }

    fn of(row: &'static str) -> Option<Self> {
        let [effect, words, with, without] = row.split('|').map(str::trim).collect::<Vec<_>>().try_into().ok()?;
        let mut words = words.split_whitespace();
        let (program, verbs) = (words.next()?, words.collect());
        let all = |text: &'static str| text.split_whitespace().collect();
        Some(Self { effect: effect.parse().ok()?, program, verbs, with: all(with), without: all(without) })
    }

    fn fits(&self, act: &Act<'_>) -> bool {
        let has = |known: &[&str]| act.words().any(|word| known.iter().any(|known| is_option(word, known)));
        fits(self.program, act.program())
            && self.has_verbs(act)
            && (self.with.is_empty() || has(&self.with))
            && !has(&self.without)
    }

    /// The verbs stand in their order; between them only options, and what may be their values.
    fn has_verbs(&self, act: &Act<'_>) -> bool {
        let mut wanted = self.verbs.iter();
        let Some(mut verb) = wanted.next() else { return true };
        let mut may_be_value = false;
        for word in act.words() {
            if word.starts_with(['-', '+']) {
                may_be_value = !word.contains('=');
            } else if fits(verb, word) {
                let Some(next) = wanted.next() else { return true };
                (verb, may_be_value) = (next, false);
            } else if !std::mem::take(&mut may_be_value) {
                return false;
            }
        }
        false
    }
}

fn fits(pattern: &str, word: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(head) => word.starts_with(head),
        None => word == pattern,
    }
}

/// `--force`, `--force=yes`; of short ones also several in one word: `-rf` has `-f`.
fn is_option(word: &str, known: &str) -> bool {
    let is_short = known.len() == 2 && known.starts_with('-') && word.starts_with('-') && !word.starts_with("--");
    let is_among = || word.bytes().skip(1).all(|byte| byte.is_ascii_alphabetic()) && word.contains(&known[1..]);
    word == known || word.strip_prefix(known).is_some_and(|rest| rest.starts_with('=')) || is_short && is_among()
}

/// Whether a program is in the table.
pub(super) fn is_known(program: &str) -> bool {
    let Some(first) = program.bytes().next() else { return false };
    rows(first).iter().any(|row| fits(row.program, program))
}

/// What a program of the table does with these words; the weightiest row is the one that says most.
pub(super) fn effect(act: &Act<'_>) -> Option<Effect> {
    let first = act.program().bytes().next()?;
    let rows = rows(first).iter().filter(|row| row.fits(act));
    rows.max_by_key(|row| (row.verbs.len() + row.with.len().min(1), row.effect == Effect::Dropped))
        .map(|row| row.effect)
}

/// Programs whose next word is a task of the project's own.
const TASKS: [&str; 12] =
    ["bun", "deno", "gmake", "just", "make", "mise", "npm", "nx", "pnpm", "task", "turbo", "yarn"];

/// Names of tasks and scripts that say what they do.
const TASK_NAMES: [(&str, Effect); 7] = [
    ("deploy", Effect::Deployed),
    ("publish", Effect::Published),
    ("migrate", Effect::Migrated),
    ("migration", Effect::Migrated),
    ("rollback", Effect::Deployed),
    ("undeploy", Effect::Deployed),
    ("teardown", Effect::Deployed),
];

/// `npm run deploy:prod`, `make publish`: what a task is called is all that is known of it.
pub(super) fn task(act: &Act<'_>) -> Option<Effect> {
    if !TASKS.contains(&act.program()) {
        return None;
    }
    let mut named = act.verbs().filter(|word| !matches!(*word, "run" | "run-script" | "x" | "exec" | "task"));
    named.next().filter(|name| !name.contains('=')).and_then(by_name)
}

/// `./deploy.sh`, `scripts/publish.py`: of a script of the project its name.
pub(super) fn script(path: &str) -> Option<Effect> {
    let name = path.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_script = matches!(ending, "bash" | "js" | "mjs" | "pl" | "py" | "rb" | "sh" | "ts" | "zsh");
    is_script.then(|| by_name(stem)).flatten()
}

fn by_name(name: &str) -> Option<Effect> {
    let words: Vec<&str> = name.split([':', '-', '_', '.']).collect();
    // A test of it, or a look at it, is none.
    let is_other = |word: &&str| {
        matches!(
            *word,
            "test"
                | "tests"
                | "check"
                | "dry"
                | "dryrun"
                | "status"
                | "build"
                | "generate"
                | "create"
                | "make"
                | "new"
                | "lint"
                | "local"
                | "preview"
                | "docs"
                | "log"
                | "logs"
                | "help"
                | "plan"
                | "diff"
                | "validate"
        )
    };
    if words.iter().any(is_other) {
        return None;
    }
    words.iter().find_map(|word| TASK_NAMES.iter().find(|(known, _)| known == word)).map(|(_, effect)| *effect)
}

/// Whether a program hands on to tasks and programs of a project.
pub(super) fn is_runner(program: &str) -> bool {
    TASKS.contains(&program)
}

/// `yarn prisma migrate deploy`, `python -m alembic upgrade`, `php artisan migrate`: the command behind the one that runs it.
pub(super) fn handed_on(act: &Act<'_>) -> Option<Act<'static>> {
    let words: Vec<&str> = act.words().collect();
    let program = act.program().trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let at = match program {
        "python" | "pypy" => match words.iter().position(|word| *word == "-m") {
            Some(at) => at + 1,
            None => words.iter().position(|word| !word.starts_with('-'))?,
        },
        "php" | "ruby" | "node" | "nodejs" | "tsx" | "ts-node" | "perl" => {
            words.iter().position(|word| !word.starts_with('-'))?
        }
        "yarn" | "pnpm" | "bun" | "npm" => {
            let at = words
                .iter()
                .position(|word| !word.starts_with('-') && !matches!(*word, "run" | "x" | "exec" | "dlx"))?;
            Some(at).filter(|at| is_known(words[*at]) && !is_known_verb(act, words[*at]))?
        }
        _ => return None,
    };
    let rest = words[at + 1..].iter().map(|word| (*word).to_owned()).collect();
    Some(act.with(words.get(at)?, rest))
}

/// Whether a word is a verb of the program itself.
fn is_known_verb(act: &Act<'_>, word: &str) -> bool {
    let Some(first) = act.program().bytes().next() else { return false };
    rows(first).iter().any(|row| row.program == act.program() && row.verbs.first() == Some(&word))
}

#[cfg(test)]
mod tests {
    use super::{ProgramRow, rows};

    #[test]
    fn every_row_can_be_read_and_is_found_by_its_program() {
        let lines = include_str!("programs.txt").lines().filter(|line| !line.starts_with('#')).count();
        let found: usize = (0..=u8::MAX).map(|first| rows(first).len()).sum();
        assert!(lines > 50 && found == lines, "{found} of {lines}");
        assert_eq!(ProgramRow::program_of("published | npm publish | |"), Some("npm"));
    }
}
