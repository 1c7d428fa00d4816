//! What a prompt names: addresses, files, names of code, numbers, quotes. What is named counts once, as the most telling
//! thing that it is; the number in an address is no number.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::text::{base, regex};
use annals_kernel::counted::count;

static ADDRESS: LazyLock<Regex> = LazyLock::new(|| regex(r"https?://[^\s)>\]]+"));
static PATH: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?:~/|\.{1,2}/|/)?(?:[\w@.()\[\]-]+/)+[\w@.\[\]()*-]*|~/[\w.-]+"));
static FILE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"\.?\b[\w-]+(?:\.[\w-]+)*\.(?:rs|py|js|mjs|ts|tsx|jsx|go|rb|java|c|h|cpp|cs|php|mdx?|jsonl?|ya?ml|toml|html|css|sh|sql|txt|lock|svelte|vue|kt|swift|png|csv)\b",
    )
});
static CODE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"`[^`\n]+`|\b[a-z]+(?:_[a-z0-9]+)+\b|\b[a-z]+[a-z0-9]*[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+\(\)|--[a-z][\w-]+|\b\w+::\w+",
    )
});
static NUMBER: LazyLock<Regex> = LazyLock::new(|| regex(r"#\d+|\b\d+(?:\.\d+)*\b"));
static QUOTE: LazyLock<Regex> = LazyLock::new(|| regex("\"[^\"\\n]{2,}\"|“[^”\\n]{2,}”|(?:^|\\s)'[^'\\n]{2,}'"));

/// Names of things that end as files do.
const NO_FILES: [&str; 9] =
    ["node.js", "next.js", "vue.js", "react.js", "three.js", "d3.js", "express.js", "nuxt.js", "nest.js"];

/// Folders that many projects have.
const FOLDERS: [&str; 17] = [
    "src", "tests", "lib", "docs", "apps", "app", "packages", "cmd", "crates", "scripts", "examples", "internal",
    "pkg", "bin", "tools", "include", "public",
];

/// First parts of the names of branches.
const BRANCHES: [&str; 14] = [
    "feat", "feature", "fix", "bugfix", "hotfix", "chore", "refactor", "release", "origin", "upstream", "heads",
    "refs", "wip", "dependabot",
];

/// Whether two or more words with a stroke between them are a path.
fn is_path(found: &str, before: &str) -> bool {
    let path = found.trim_end_matches(['.', ')', ',', '-']);
    let rooted = ["/", "./", "../", "~/"].iter().any(|root| path.starts_with(root));
    let mut parts = path.split('/');
    let first = parts.next().unwrap_or_default();
    let strokes = path.matches('/').count();
    let ending = base(path).rsplit_once('.').map(|(_, ending)| ending);
    let is_file =
        ending.is_some_and(|ending| matches!(ending.len(), 1..=6) && ending.chars().all(char::is_alphanumeric));
    let is_branch = BRANCHES.contains(&first) || before.trim_end().ends_with("branch");
    match strokes {
        0 => false,
        // `feat/x` is a branch, but `fix/main.rs` is a file whatever its folder is called.
        _ if is_branch && !is_file => false,
        // One stroke alone is too little: `and/or`, `owner/name`.
        1 => rooted && path.len() > 2 || is_file || FOLDERS.contains(&first) || path.ends_with('/'),
        _ => true,
    }
}

/// What is named, each kind once for each different thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names {
    files: usize,
    code: usize,
    numbers: usize,
    quotes: usize,
    addresses: usize,
}

impl Names {
    /// In a text.
    pub(super) fn of(text: &str) -> Self {
        let mut taken: Vec<Range<usize>> = Vec::new();
        let mut of = |pattern: &Regex, fits: &dyn Fn(&str, &str) -> bool| {
            let mut different: BTreeSet<&str> = BTreeSet::new();
            let mut own = Vec::new();
            for found in pattern.find_iter(text).take(MOST) {
                let is_free = !taken.iter().any(|range| range.start < found.end() && found.start() < range.end);
                let before = text.get(..found.start()).unwrap_or_default();
                if is_free && fits(found.as_str(), before) {
                    different.insert(found.as_str().trim());
                    own.push(found.range());
                }
            }
            taken.extend(own);
            different.len()
        };
        let any = |_: &str, _: &str| true;
        // The order decides what a thing is that is several at once: an address has a path, and a path has a file and
        // numbers.
        let addresses = of(&ADDRESS, &any);
        let paths = of(&PATH, &is_path);
        let files = of(&FILE, &|name, _| !NO_FILES.contains(&name.to_ascii_lowercase().as_str()));
        let code = of(&CODE, &any);
        let quotes = of(&QUOTE, &any);
        let numbers = of(&NUMBER, &any);
        Self { files: paths + files, code, numbers, quotes, addresses }
    }

    pub(super) fn sum(&self) -> u64 {
        [self.files, self.code, self.numbers, self.quotes, self.addresses].iter().map(|count| *count as u64).sum()
    }

    /// As it reads.
    pub(super) fn told(&self) -> String {
        let all = [
            (self.files, "file", "files"),
            (self.code, "name of code", "names of code"),
            (self.numbers, "number", "numbers"),
            (self.quotes, "quote", "quotes"),
            (self.addresses, "address", "addresses"),
        ];
        let some = all.iter().filter(|(number, ..)| *number > 0).map(|(number, one, many)| count(*number, one, many));
        let some = some.collect::<Vec<_>>().join(", ");
        if some.is_empty() { "nothing".to_owned() } else { some }
    }
}

/// More of one kind than this are not counted.
// Each is compared with all places taken so far: a paste full of names would take time with its square.
const MOST: usize = 100;

/// Whether a text names a file.
pub(super) fn names_files(text: &str) -> bool {
    Names::of(text).files > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        Names::of(text).told()
    }

    #[test]
    fn what_is_named_counts_once_as_the_most_telling_thing() {
        assert_eq!(told("See https://pie.example/pears/issues/386?x=a_b."), "1 address");
        assert_eq!(told("`src/pie.rs` and src/pie.rs, line 12"), "1 file, 1 number");
        assert_eq!(told("\"pear_tree\" twice: pear_tree"), "1 name of code");
    }

    #[test]
    fn words_with_a_stroke_and_branches_are_no_files() {
        for text in [
            "and/or", "a PR/compare page", "(or n/a)", "the doc/ADR).", "a new branch feat/pears", "origin/main",
            "pears/orchard", "Node.js",
        ] {
            assert_eq!(Names::of(text).files, 0, "{text}");
        }
        for text in
            ["src/pie", "a/b/c", "./bake", "pears/list.txt", "/tmp/pie", "~/pie", "docs/", "fix/pie.rs", "a.json"]
        {
            assert_eq!(Names::of(text).files, 1, "{text}");
        }
    }
}
