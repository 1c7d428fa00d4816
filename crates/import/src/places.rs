//! Absolute paths, shortened: below the project they become relative, and the home of a person becomes `~`.
//!
//! Goes through the texts of an entry as they stand in JSON. Does not look at the disk; whether a path is there makes no
//! difference. Does not touch what names an entry (session, record).

use annals_kernel::record::Event;
use memchr::memmem;

use annals_kernel::entry::HistoryEntry;
use annals_kernel::json::{Json, Members};

/// Where a session was run, and by whom.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    /// Longest first: what they stand for is looked for in this order.
    places: Vec<(Box<str>, Stand)>,
}

/// What stands for a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// Nothing: paths below the project are relative.
    Project,
    /// `~`.
    Home,
    /// `-~`, in names that are made of paths, as `-home-ada-engine`.
    NamedHome,
}

impl Places {
    /// A project at these paths, of a person whose home is there.
    pub fn of<'p>(projects: impl IntoIterator<Item = &'p str>, homes: impl IntoIterator<Item = &'p str>) -> Self {
        let mut places = Self::default();
        projects.into_iter().for_each(|path| places.add(path, Stand::Project));
        homes.into_iter().for_each(|path| places.add_home(path));
        places
    }

    /// The same, for a session that was run elsewhere: its own folder is its project.
    #[must_use]
    pub(crate) fn run_in(mut self, cwd: &str) -> Self {
        if let Some(home) = home_in(cwd) {
            self.add_home(home);
        }
        let is_inside = |(place, stand): &(Box<str>, Stand)| {
            *stand == Stand::Project && (cwd == &**place || below(cwd, place).is_some())
        };
        if !self.places.iter().any(is_inside) {
            self.add(cwd, Stand::Project);
        }
        self
    }

    /// The same, of a person with this home.
    #[must_use]
    pub(crate) fn with_home(mut self, home: &str) -> Self {
        self.add_home(home);
        self
    }

    fn add_home(&mut self, path: &str) {
        self.add(path, Stand::Home);
        self.add(&path.trim_end_matches('/').replace(['/', '.'], "-"), Stand::NamedHome);
    }

    /// A path that JSON would write otherwise is left as it is, and so is the root.
    fn add(&mut self, path: &str, stand: Stand) {
        let path = path.trim_end_matches('/');
        let is_plain = path.len() > 1 && path.starts_with(['/', '-']) && !path.contains(['"', '\\']) && path.is_ascii();
        if is_plain && !self.places.iter().any(|(known, _)| **known == *path) {
            self.places.push((path.into(), stand));
            // A project below the home would else become `~/project/…`, which differs from person to person, and two
            // clones would import two versions of one entry.
            self.places.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        }
    }

    /// An entry with short paths. Where it says that its session begins, it also says where: that stays to be seen.
    #[must_use]
    pub fn shorten(&self, mut entry: HistoryEntry) -> HistoryEntry {
        let operation = &mut entry.operation;
        let json = |json: &mut Json| {
            if let Some(text) = self.shortened(json.text()) {
                *json = Json::from_text(text).expect("BUG: a shorter path is no JSON any more");
            }
        };
        json(&mut operation.input);
        operation.output.iter_mut().for_each(json);
        let files = entry.metadata.files_touched.iter_mut().flatten();
        for text in operation.error.iter_mut().chain(files) {
            if let Some(short) = self.shortened(text) {
                *text = short.into();
            }
        }
        entry
    }

    /// A text with short paths; nothing where it has none to be shortened.
    pub fn shortened(&self, text: &str) -> Option<String> {
        let is_there = |(place, _): &(Box<str>, Stand)| memmem::find(text.as_bytes(), place.as_bytes()).is_some();
        if !self.places.iter().any(is_there) {
            return None;
        }
        let (mut short, mut at) = (String::with_capacity(text.len()), 0);
        while let Some((start, length, stands)) = self.next(text, at) {
            short.push_str(&text[at..start]);
            short.push_str(stands);
            at = start + length;
        }
        short.push_str(&text[at..]);
        (at > 0).then_some(short)
    }

    /// The next place in a text: where it begins, how much of the text goes, and what comes instead.
    fn next(&self, text: &str, from: usize) -> Option<(usize, usize, &'static str)> {
        let found = self.places.iter().filter_map(|(place, stand)| {
            let mut starts = memmem::find_iter(&text.as_bytes()[from..], place.as_bytes()).map(|start| start + from);
            let start = starts.find(|start| is_whole(text, *start, start + place.len()))?;
            Some((start, place.len(), *stand))
        });
        // Of two that begin at one place the longer one, which comes first.
        let (start, length, stand) = found.min_by_key(|(start, ..)| *start)?;
        let rest = &text[start + length..];
        let goes_on = rest.strip_prefix('/').is_some_and(|rest| rest.starts_with(is_of_path));
        Some(match stand {
            Stand::Project if goes_on => (start, length + 1, ""),
            Stand::Project => (start, length, "."),
            Stand::Home => (start, length, "~"),
            Stand::NamedHome => (start, length, "-~"),
        })
    }
}

/// Where the session of an entry was run, if that is what it says.
pub(crate) fn cwd_of(entry: &HistoryEntry) -> Option<String> {
    let starts = entry.record() == Event::SessionStart.into();
    let input: Members = starts.then(|| entry.operation.input.read().ok()).flatten()?;
    input.get("cwd")?.read().ok()
}

/// The home in a path: what is known of a person on another machine.
fn home_in(path: &str) -> Option<&str> {
    let root = ["/home/", "/Users/"].into_iter().find(|root| path.starts_with(root))?;
    let name = path[root.len()..].split('/').next().filter(|name| !name.is_empty())?;
    Some(&path[..root.len() + name.len()])
}

fn below<'p>(path: &'p str, place: &str) -> Option<&'p str> {
    path.strip_prefix(place)?.strip_prefix('/')
}

/// Whether a place in a text is that place, and not a part of another path.
fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let before = &text[..start];
    let is_name = text.as_bytes()[start] == b'-';
    let is_apart = is_name || !before.ends_with('/') || before.ends_with("://");
    let begins = is_apart && !before.ends_with(is_of_path);
    let mut after = text[end..].chars();
    let ends = match after.next() {
        None | Some('/') => true,
        // The end of a sentence.
        Some('.') => !after.next().is_some_and(is_of_path),
        Some('-') => is_name,
        Some(letter) => !is_of_path(letter),
    };
    // Behind a backslash a letter is an escape, and no part of a name.
    let mut back = before.chars().rev();
    let is_escaped = back.next().is_some_and(|letter| "nrtbf".contains(letter)) && back.next() == Some('\\');
    (begins || is_escaped) && ends
}

fn is_of_path(letter: char) -> bool {
    letter.is_alphanumeric() || "._-~+@%".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(text: &str) -> String {
        let places = Places::of(["/home/ada/engine"], ["/home/ada"]);
        places.shortened(text).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn paths_below_the_project_are_relative_and_the_home_is_a_tilde() {
        for (path, expected) in [
            ("/home/ada/engine/src/a.rs", "src/a.rs"),
            ("/home/ada/engine", "."),
            ("/home/ada/engine/", "./"),
            ("/home/ada/notes.md", "~/notes.md"),
            ("/home/ada", "~"),
            ("cd /home/ada/engine && cat /home/ada/.bashrc", "cd . && cat ~/.bashrc"),
            (r#"{"a":"x\n/home/ada/engine/b","c":"/home/ada/engine"}"#, r#"{"a":"x\nb","c":"."}"#),
            ("It is in /home/ada/engine.", "It is in .."),
            ("file:///home/ada/x", "file://~/x"),
            ("~/.claude/projects/-home-ada-engine/a", "~/.claude/projects/-~-engine/a"),
            ("A=/home/ada/engine:/home/ada/bin", "A=.:~/bin"),
        ] {
            assert_eq!(short(path), expected, "{path}");
        }
    }

    #[test]
    fn what_only_looks_like_it_stays() {
        for path in
            ["/home/adam/x", "/home/ada2", "/mnt/home/ada/x", "/home/ada.old/x", "src/home/ada", "/home", "nothing"]
        {
            assert_eq!(short(path), path);
        }
        assert_eq!(short("/home/ada/engine-2/x"), "~/engine-2/x");
    }

    #[test]
    fn a_session_from_elsewhere_brings_its_own_project_and_home() {
        let places = Places::of(["/home/ada/engine"], ["/home/ada"]).run_in("/Users/bo/work/tool");
        assert_eq!(places.shortened("/Users/bo/work/tool/a.py /Users/bo/.zshrc").as_deref(), Some("a.py ~/.zshrc"));
        let inside = Places::of(["/home/ada/engine"], ["/home/ada"]).run_in("/home/ada/engine/src");
        assert_eq!(inside.shortened("/home/ada/engine/src/a.rs").as_deref(), Some("src/a.rs"));
    }

    #[test]
    fn neither_a_root_nor_a_relative_path_is_a_place() {
        let places = Places::of(["/", "", "engine"], ["/"]);
        assert_eq!(places.shortened("/ engine /x"), None);
    }
}
