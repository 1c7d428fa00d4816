//! `annals help`, and what `--help` shows: the commands in groups, examples of each command, and topics.
//!
//! Examples are data (`examples.txt`) that the tests run. Nothing of this is built unless somebody asks for help.

mod groups;
mod topics;

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::builder::styling::Style;
use clap::error::ErrorKind;

use self::groups::{GROUPS, Group, START};
use self::topics::TOPICS;
use super::registry::Built;
use super::shell::{CommandOutcome, Done, Shell, Usage};

/// Arguments of `annals help`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A command, such as `session show`, or a topic; `commands` lists every command
    #[arg(value_name = "COMMAND|TOPIC")]
    words: Vec<String>,
}

/// Commands with what each is good for.
const EXAMPLES: &str = include_str!("examples.txt");

/// What commands say whose answer is empty.
const EMPTY: &str = include_str!("empty.txt");

/// How many columns a page of help has where it is not wrapped by its printer.
const WIDTH: usize = 80;

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let words: Vec<&str> = arguments.words.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => print(shell, &["--help"]),
        ["commands"] => {
            shell.out.page(&every_command())?;
            Ok(CommandOutcome::Done)
        }
        path if is_command(path) => print(shell, &[path, &["--help"]].concat()),
        path => topic(shell, &path.join(" ")),
    }
}

fn topic(shell: &mut Shell, name: &str) -> Done {
    let Some((_, text)) = TOPICS.iter().find(|(topic, _)| *topic == name) else {
        let unknown = format!("there is no command or topic {name}; topics: commands, {}", topic_names());
        return Err(Usage(unknown).into());
    };
    shell.out.page(text)?;
    Ok(CommandOutcome::Done)
}

fn topic_names() -> String {
    TOPICS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

fn is_command(path: &[&str]) -> bool {
    let all = super::commands();
    path.iter().try_fold(&all, |command, word| command.find_subcommand(word)).is_some()
}

/// What the program says to arguments that ask for help.
fn print(shell: &mut Shell, arguments: &[&str]) -> Done {
    let arguments = std::iter::once("annals").chain(arguments.iter().copied());
    if let Err(error) = dressed().try_get_matches_from(arguments) {
        shell.out.help(&error.render())?;
    }
    Ok(CommandOutcome::Done)
}

/// The same error, from the commands with their groups and examples, where it is one that shows help.
pub(super) fn dress(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let shows_help = [ErrorKind::DisplayHelp, ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand];
    if !shows_help.contains(&error.kind()) {
        return error;
    }
    dressed().try_get_matches_from(arguments).err().unwrap_or(error)
}

/// Every command with its examples, and the first page with groups.
pub(super) fn dressed() -> clap::Command {
    let all = super::commands();
    let page = first_page(&all);
    all.mut_subcommands(|sub| with_examples(sub, &[])).override_help(page)
}

fn with_examples(command: clap::Command, above: &[String]) -> clap::Command {
    let path = [above, &[command.get_name().to_owned()]].concat();
    let examples = StyledStr::from(shown(&path.join(" ")));
    let command = if examples.to_string().is_empty() { command } else { command.after_help(examples) };
    command.mut_subcommands(|sub| with_examples(sub, &path))
}

fn shown(path: &str) -> String {
    let mut text = String::new();
    for (number, example) in examples_of(path).enumerate() {
        let heading = if number == 0 { heading("Examples:\n") } else { String::new() };
        let _ = write!(text, "{heading}{}  {example}", if number == 0 { "" } else { "\n" });
    }
    text
}

/// The examples of a command, a line each.
fn examples_of(path: &str) -> impl Iterator<Item = &'static str> {
    section(EXAMPLES, path)
}

/// What a command says whose answer is empty, and what can be done about it.
pub(super) fn empty(arguments: &[OsString]) -> Option<&'static str> {
    let (mut path, all) = (Vec::new(), super::command(Built::Named(arguments)));
    let mut command = &all;
    for word in arguments.iter().skip(1).filter_map(|word| word.to_str()) {
        if let Some(sub) = command.find_subcommand(word) {
            path.push(word);
            command = sub;
        }
    }
    section(EMPTY, &path.join(" ")).next()
}

/// The lines below a title, `[session list]`.
fn section(text: &'static str, path: &str) -> impl Iterator<Item = &'static str> {
    let mut is_meant = false;
    let title = format!("[{path}]");
    text.lines().filter(move |line| {
        let is_title = line.starts_with('[');
        if is_title {
            is_meant = *line == title;
        }
        is_meant && !is_title && !line.is_empty()
    })
}

/// Bold and underlined, as clap shows its own.
fn heading(text: &str) -> String {
    let body = text.trim_end();
    let style = Style::new().bold().underline();
    format!("{style}{body}{style:#}{}", &text[body.len()..])
}

fn about(all: &clap::Command, name: &str) -> String {
    let command = all.find_subcommand(name).expect("BUG: a group names a command");
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

/// What a stranger sees first, on one screen of 24 lines.
fn first_page(all: &clap::Command) -> StyledStr {
    let mut text = format!(
        "Records what AI agents do in a project, and shows it.\n\n{} annals [OPTIONS] COMMAND\n{}\n",
        heading("Usage:"),
        heading("Start here:")
    );
    let bold = Style::new().bold();
    for name in START.commands {
        let _ = writeln!(text, "  {bold}{name:<9}{bold:#} {}", about(all, name));
    }
    text.push('\n');
    for Group { title, commands } in &GROUPS {
        let mut line = format!("{title}:");
        let mut shown = heading(&line);
        for name in *commands {
            if line.len() + 1 + name.len() > WIDTH {
                line.clear();
                line.push_str("     ");
                shown.push_str("\n     ");
            }
            let _ = write!(line, " {name}");
            let _ = write!(shown, " {name}");
        }
        let _ = writeln!(text, "{shown}");
    }
    let _ = write!(
        text,
        "\n{} --context DIR, --as ACTOR, --at TIME, --json, --color WHEN\n\
         `annals help COMMAND` shows options and examples, `annals help commands` every\n\
         command in a line; topics: {}.",
        heading("Global options:"),
        topic_names()
    );
    StyledStr::from(text)
}

/// A line for each command, in groups.
fn every_command() -> String {
    let all = super::commands();
    let mut text = String::new();
    for Group { title, commands } in std::iter::once(&START).chain(&GROUPS) {
        let _ = writeln!(text, "{title}:");
        for name in *commands {
            let command = all.find_subcommand(name).expect("BUG: a group names a command");
            lines_of(command, name, &mut text);
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text
}

fn lines_of(command: &clap::Command, path: &str, text: &mut String) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    if !command.is_subcommand_required_set() {
        let _ = writeln!(text, "  {path:<22} {}", crate::view::gist::cut(&about, WIDTH - 25));
    }
    for sub in command.get_subcommands() {
        lines_of(sub, &format!("{path} {}", sub.get_name()), text);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_command_stands_in_one_group() {
        let mut count: BTreeMap<String, usize> =
            super::super::commands().get_subcommands().map(|command| (command.get_name().to_owned(), 0)).collect();
        for name in std::iter::once(&START).chain(&GROUPS).flat_map(|group| group.commands) {
            *count.get_mut(*name).unwrap_or_else(|| panic!("{name} is no command")) += 1;
        }
        let wrong: Vec<_> = count.iter().filter(|(_, count)| **count != 1).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }

    #[test]
    fn the_first_page_is_one_screen() {
        let page = first_page(&super::super::commands()).to_string();
        assert!(page.lines().count() <= 24, "{} lines:\n{page}", page.lines().count());
        let wide: Vec<_> = page.lines().filter(|line| line.chars().count() > WIDTH).collect();
        assert!(wide.is_empty(), "{wide:?}");
    }

    /// docs/WRITING.md: a noun where there is one.
    #[test]
    fn help_names_its_subjects() {
        const RIDDLES: [&str; 6] = ["somebody", "whoever", "so many", "what is known", "what there is", "something"];
        fn texts(command: &clap::Command, found: &mut Vec<String>) {
            let helps = command.get_arguments().filter_map(|argument| argument.get_help().map(ToString::to_string));
            found.extend(helps.chain(command.get_about().map(ToString::to_string)));
            command.get_subcommands().for_each(|sub| texts(sub, found));
        }
        let mut found = Vec::new();
        texts(&super::super::commands(), &mut found);
        let is_riddle = |text: &String| RIDDLES.iter().any(|riddle| text.to_lowercase().contains(riddle));
        let riddles: Vec<_> = found.into_iter().filter(is_riddle).collect();
        assert!(riddles.is_empty(), "{riddles:#?}");
    }

    #[test]
    fn what_an_empty_answer_says_is_of_a_command() {
        for path in EMPTY.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']')) {
            assert!(is_command(&path.split(' ').collect::<Vec<_>>()), "{path}");
            let arguments = ["annals"].into_iter().chain(path.split(' ')).map(OsString::from);
            assert!(empty(&arguments.collect::<Vec<_>>()).is_some(), "{path}");
        }
        let with_options = ["annals", "--context", "log", "session", "list", "-n", "3"].map(OsString::from);
        assert!(empty(&with_options[3..]).is_none_or(|says| !says.is_empty()));
    }

    #[test]
    fn a_line_of_help_says_its_command_in_80_columns() {
        let wide: Vec<_> =
            every_command().lines().filter(|line| line.chars().count() > WIDTH).map(str::to_owned).collect();
        assert!(wide.is_empty(), "{wide:?}");
    }
}
