//! Puts our status line among the settings of Claude Code, and takes it out again. Another's stays.

use serde_json::{Value, json};

use super::json;
use super::plan::{ELSE, LOOK, quoted};
use super::{HooksStanding, Readers, Settings, SetupError, position_of, unless_spent};

const KEY: &str = "statusLine";
/// What the program is called with.
const ARGUMENTS: &str = " status --line";

/// What stands there; where a team reads it, a line that is silent where the program is missing.
fn value_of(program: &str, readers: Readers) -> Value {
    let program = quoted(program);
    let own = format!("{program}{ARGUMENTS}");
    let command = match readers {
        Readers::Person => own,
        Readers::Team => format!("{LOOK}{program}{ELSE}{own}"),
    };
    json!({ "type": "command", "command": command })
}

fn is_ours(value: &Value) -> bool {
    let command = value.get("command").and_then(Value::as_str).unwrap_or_default();
    let own = command.split_once(ELSE).filter(|_| command.starts_with(LOOK)).map_or(command, |(_, own)| own);
    let program = own.strip_suffix(ARGUMENTS).map(|program| program.trim_matches('\''));
    program.and_then(|program| program.rsplit('/').next()).is_some_and(|file| matches!(file, "annals" | "annals.exe"))
}

impl Settings {
    /// How our status line stands.
    ///
    /// # Errors
    /// The file is not as the agent has it, or has another's status line.
    pub fn status_line(&self, program: &str, readers: Readers) -> Result<HooksStanding, SetupError> {
        let text = self.text().unwrap_or("{}");
        let root = self.root(text)?;
        match root.get(KEY).map(|node| node.value(text)) {
            None => Ok(HooksStanding::Missing),
            Some(value) if value == value_of(program, readers) => Ok(HooksStanding::Installed),
            Some(value) if is_ours(&value) => Ok(HooksStanding::Differs),
            Some(_) => Err(SetupError::Taken { path: self.file.path().to_owned(), key: KEY }),
        }
    }

    /// The text with our status line in it.
    ///
    /// # Errors
    /// As [`Settings::status_line`].
    pub fn with_status_line(&self, program: &str, readers: Readers) -> Result<String, SetupError> {
        let standing = self.status_line(program, readers)?;
        let text = self.text().unwrap_or("{}\n");
        let (root, value) = (self.root(text)?, value_of(program, readers));
        Ok(match (standing, root.get(KEY)) {
            (HooksStanding::Differs, Some(node)) => json::replace(text, node, &value),
            (HooksStanding::Installed, _) => text.to_owned(),
            (_, _) => json::add(text, &root, Some(KEY), &value),
        })
    }

    /// The text without our status line; none where nothing is left. Another's stays.
    ///
    /// # Errors
    /// The file is not as the agent has it.
    pub fn without_status_line(&self) -> Result<Option<String>, SetupError> {
        let Some(text) = self.text() else { return Ok(None) };
        let root = self.root(text)?;
        if !root.get(KEY).is_some_and(|node| is_ours(&node.value(text))) {
            return Ok(Some(text.to_owned()));
        }
        let rest = json::remove(text, &root, position_of(&root, KEY));
        let left = self.root(&rest)?;
        Ok(unless_spent(rest, &left, |_| false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::setup::SettingsFile;

    fn settings(text: &str) -> Settings {
        Settings { file: SettingsFile::of_person("settings.json".into()), text: Some(text.to_owned()) }
    }

    #[test]
    fn what_was_put_in_is_taken_out_and_anothers_stays() {
        for text in ["{\n  \"theirs\": 1\n}\n", "{ \"theirs\": 1 } // kept\n", "{\n    // kept\n}\n"] {
            for (program, readers) in [("annals", Readers::Team), ("/a b/annals", Readers::Person)] {
                let with = settings(text).with_status_line(program, readers).expect("free");
                let there = settings(&with);
                assert_eq!(there.status_line(program, readers).ok(), Some(HooksStanding::Installed), "{with}");
                assert_eq!(there.with_status_line(program, readers).ok().as_ref(), Some(&with));
                assert_eq!(there.status_line("annals2/annals", readers).ok(), Some(HooksStanding::Differs));
                assert_eq!(there.without_status_line().ok().flatten().as_deref(), Some(text));
            }
        }
        let theirs = settings("{ \"statusLine\": { \"command\": \"mine.sh | annals status --line\" } }");
        assert!(matches!(theirs.with_status_line("annals", Readers::Team), Err(SetupError::Taken { .. })));
        assert_eq!(theirs.without_status_line().ok().flatten().as_deref(), theirs.text());
    }

    #[test]
    fn a_file_of_ours_alone_is_gone_again() {
        let with = Settings { text: None, ..settings("") }.with_status_line("annals", Readers::Person).expect("free");
        assert_eq!(settings(&with).without_status_line().ok(), Some(None));
    }
}
