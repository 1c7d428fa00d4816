//! What a text names or shows of files that hold secrets: the word of a command that names one, and the lines that a search, a
//! difference or a listing with heads shows of one.
//!
//! By names alone. What a program prints of such a file without its name, or an agent says of it, is not known here.

use std::borrow::Cow;

use super::Sanitizer;

/// What stands around the words of a command. Of `HEAD:.env` and `@.env` the name counts.
const AROUND: &[char] =
    &[' ', '\t', '\n', '"', '\'', '`', '=', '<', '>', '|', ';', '&', '(', ')', '{', '}', ',', ':', '@', '$'];

/// Values of code that end like such a file.
const VALUES: [&str; 4] = ["process.env", "import.meta.env", "Deno.env", "Bun.env"];

/// A text without the lines of files that hold secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownText<'t> {
    /// What is left; borrowed where nothing was left out.
    pub text: Cow<'t, str>,
    /// How many lines were left out.
    pub left_out: usize,
}

/// Of which file the lines that follow are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// Of none that holds secrets, or of many.
    Open,
    /// Of one that does, up to the next head.
    Secret,
    /// Of one that does, up to an empty line.
    SecretParagraph,
}

impl Sanitizer {
    /// The first word of a command that names a file that holds secrets.
    pub fn excluded_word<'t>(&self, command: &'t str) -> Option<&'t str> {
        let is_value = |word: &str| {
            let name = word.rsplit('/').next().unwrap_or(word);
            VALUES.iter().any(|value| name.starts_with(value))
        };
        command.split(AROUND).find(|word| self.should_exclude_file(word) && !is_value(word))
    }

    /// The text without what it shows of files that hold secrets.
    pub fn without_excluded<'t>(&self, text: &'t str) -> ShownText<'t> {
        let (mut section, mut kept, mut left_out) = (Section::Open, Vec::new(), 0);
        for line in text.lines() {
            section = self.section(line, section);
            let is_secret = section != Section::Open || self.is_of_excluded(line);
            if is_secret {
                left_out += 1;
            } else {
                kept.push(line);
            }
        }
        let text = if left_out == 0 { Cow::Borrowed(text) } else { Cow::Owned(kept.join("\n")) };
        ShownText { text, left_out }
    }

    fn section(&self, line: &str, before: Section) -> Section {
        let of = |file: &str, secret| if self.should_exclude_file(file) { secret } else { Section::Open };
        if let Some(file) = head(line) {
            return of(file, Section::Secret);
        }
        match before {
            Section::SecretParagraph if line.trim().is_empty() => Section::Open,
            Section::Secret | Section::SecretParagraph => before,
            // `rg --heading`: the name, then lines with their numbers.
            Section::Open if !line.contains(' ') => of(line, Section::SecretParagraph),
            Section::Open => Section::Open,
        }
    }

    /// `FILE:12: text`, `FILE-12-text`, `FILE:text`.
    fn is_of_excluded(&self, line: &str) -> bool {
        let by_colon = line.split_once(':').map(|(file, _)| file);
        let by_dash = line.match_indices('-').map(|(at, _)| at).find(|at| {
            let rest = line[at + 1..].trim_start_matches(|letter: char| letter.is_ascii_digit());
            rest.len() < line.len() - at - 1 && rest.starts_with('-')
        });
        let by_dash = by_dash.map(|at| &line[..at]);
        by_colon.into_iter().chain(by_dash).any(|file| !file.is_empty() && self.should_exclude_file(file))
    }
}

/// The file that a line begins: of a difference, or of `head` and `tail` with several files.
fn head(line: &str) -> Option<&str> {
    if let Some(files) = line.strip_prefix("diff --git ") {
        return files.rsplit(' ').next().map(|file| file.trim_matches('"'));
    }
    line.strip_prefix("==> ")?.strip_suffix(" <==")
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    fn sanitizer() -> Sanitizer {
        let config = Config { excluded_files: vec!["notes/*.txt".to_owned()], ..Config::default() };
        Sanitizer::new(config).expect("the rules are sound")
    }

    #[test]
    fn a_command_names_a_file_that_holds_secrets_however_it_stands_there() {
        for (command, word) in [
            ("cat .env", Some(".env")),
            ("base64 <config/prod.env | head", Some("config/prod.env")),
            ("docker run --env-file=.env.local x", Some(".env.local")),
            ("git show HEAD:.env", Some(".env")),
            ("curl -d @tls/server.key host", Some("tls/server.key")),
            ("sh -c 'source ./.env && env'", Some("./.env")),
            ("cat .env*", Some(".env*")),
            ("cat notes/a.txt", Some("notes/a.txt")),
            ("cp .env.example x", None),
            ("node -e 'console.log(process.env.PORT)'", None),
            ("printenv HOME", None),
            ("cargo test", None),
        ] {
            assert_eq!(sanitizer().excluded_word(command), word, "{command}");
        }
    }

    #[test]
    fn lines_of_such_files_are_left_out_and_counted() {
        let cases = [
            ("src/a.rs:3: token\n.env:1: TOKEN is x\nb/.env-2-plain", "src/a.rs:3: token", 2),
            (".env\n1:plain words\n2:more\n\nsrc/a.rs\n3:token", "\nsrc/a.rs\n3:token", 3),
            (
                "diff --git a/.env b/.env\n+++ b/.env\n+plain\ndiff --git a/a.rs b/a.rs\n+x",
                "diff --git a/a.rs b/a.rs\n+x",
                3,
            ),
            ("==> .env <==\nplain\n==> a.md <==\nfine", "==> a.md <==\nfine", 2),
            ("see https://x.y/a:1 and a-1-b", "see https://x.y/a:1 and a-1-b", 0),
            ("", "", 0),
        ];
        for (text, shown, left_out) in cases {
            assert_eq!(sanitizer().without_excluded(text), ShownText { text: shown.into(), left_out }, "{text}");
        }
    }
}
