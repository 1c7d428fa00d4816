//! `annals setup agents-md` and `annals setup skill`: what agents without our hooks read of annals: a block in `AGENTS.md`,
//! a skill. Neither says how to commit, push or write.

use std::path::Path;

use anyhow::Context as _;

use super::{Arguments, Scope, SetUp, project, word};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::hook::setup::managed::{ManagedError, block_standing, page_of, page_standing, with_block, without_block};
use crate::hook::setup::{HooksStanding, SettingsFile};

const BLOCK: &str = include_str!("guide/block.md");
const SKILL_HEAD: &str = include_str!("guide/head.txt");
const SKILL: &str = include_str!("guide/skill.md");
/// Where agents look for skills: the place that several of them share, and Claude Code's own.
const SKILL_FOLDERS: [&str; 2] = [".agents/skills/annals", ".claude/skills/annals"];

/// What agents read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guide {
    /// A block in the project's `AGENTS.md`.
    AgentsMd,
    /// A page of its own.
    Skill,
}

impl Guide {
    pub(super) const ALL: [Self; 2] = [Self::AgentsMd, Self::Skill];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::AgentsMd => "agents-md",
            Self::Skill => "skill",
        }
    }

    fn files(self, shell: &Shell, scope: Scope) -> anyhow::Result<Vec<SettingsFile>> {
        match (self, scope) {
            (Self::AgentsMd, Scope::Project) => {
                Ok(vec![SettingsFile::in_project(&project(shell), Path::new("AGENTS.md"))])
            }
            (Self::AgentsMd, Scope::Local | Scope::User) => {
                Err(Usage("AGENTS.md is the project's: it goes without --local and --user".to_owned()).into())
            }
            (Self::Skill, Scope::Project) => {
                let file = |folder| SettingsFile::in_project(&project(shell), &Path::new(folder).join("SKILL.md"));
                Ok(SKILL_FOLDERS.map(file).into())
            }
            (Self::Skill, Scope::User) => {
                let home = shell.environment.home.as_ref();
                let home = home.ok_or_else(|| Usage("--user: $HOME names no home".to_owned()))?;
                Ok(SKILL_FOLDERS.map(|folder| SettingsFile::of_person(home.join(folder).join("SKILL.md"))).into())
            }
            (Self::Skill, Scope::Local) => {
                Err(Usage("a skill is the project's or, with --user, yours for all projects".to_owned()).into())
            }
        }
    }

    fn standing(self, text: Option<&str>) -> Result<HooksStanding, ManagedError> {
        match self {
            Self::AgentsMd => block_standing(text, BLOCK),
            Self::Skill => page_standing(text, &skill()),
        }
    }

    fn with(self, text: Option<&str>) -> Result<String, ManagedError> {
        match self {
            Self::AgentsMd => with_block(text, BLOCK),
            Self::Skill => page_standing(text, &skill()).map(|_| skill()),
        }
    }

    fn without(self, text: &str) -> Result<Option<String>, ManagedError> {
        match self {
            Self::AgentsMd => without_block(text),
            Self::Skill => page_standing(Some(text), &skill()).map(|_| None),
        }
    }
}

fn skill() -> String {
    page_of(SKILL_HEAD, SKILL)
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments, guide: Guide) -> Done {
    let files = guide.files(shell, Scope::of(arguments))?;
    let mut outcome = CommandOutcome::Done;
    for file in files {
        let text = file.text()?;
        let failed = || format!("{} stays as it is", file.path().display());
        if arguments.check {
            let standing = guide.standing(text.as_deref()).with_context(failed)?;
            outcome = if standing == HooksStanding::Installed { outcome } else { CommandOutcome::Refused };
            said(shell, guide, file.path(), word(standing))?;
        } else if arguments.print {
            shell.out.page(&guide.with(text.as_deref()).with_context(failed)?)?;
            break;
        } else if arguments.remove {
            remove(shell, guide, &file, text)?;
        } else {
            let new = guide.with(text.as_deref()).with_context(failed)?;
            let change = if text.as_ref() == Some(&new) { "unchanged" } else { "installed" };
            file.put(Some(&new), text.as_deref())?;
            said(shell, guide, file.path(), change)?;
        }
    }
    advise(shell, arguments, guide)?;
    Ok(outcome)
}

fn remove(shell: &mut Shell, guide: Guide, file: &SettingsFile, text: Option<String>) -> anyhow::Result<()> {
    let Some(text) = text else { return Ok(said(shell, guide, file.path(), "unchanged")?) };
    let rest = guide.without(&text).with_context(|| format!("{} stays as it is", file.path().display()))?;
    let change = if rest.as_ref() == Some(&text) { "unchanged" } else { "removed" };
    file.put(rest.as_deref(), Some(&text))?;
    Ok(said(shell, guide, file.path(), change)?)
}

fn said(shell: &mut Shell, guide: Guide, path: &Path, change: &'static str) -> std::io::Result<()> {
    if shell.wants_json() {
        return shell.out.answer(&SetUp::Changed { agent: guide.name(), file: path, change });
    }
    shell.out.line(format_args!("{change}: {}", path.display()))
}

/// Claude Code reads `AGENTS.md` only where there is no `CLAUDE.md`.
fn advise(shell: &mut Shell, arguments: &Arguments, guide: Guide) -> std::io::Result<()> {
    let is_new = !(arguments.check || arguments.print || arguments.remove);
    if guide == Guide::AgentsMd && is_new && project(shell).join("CLAUDE.md").exists() {
        shell.out.say("Claude Code reads CLAUDE.md in its place; a line `@AGENTS.md` in it brings this one in")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_has_twelve_lines_at_most() {
        let text = with_block(None, BLOCK).expect("no block is there");
        assert!(text.lines().count() <= 12, "{text}");
    }

    /// The limits of the format: a name of 64 letters, a description of 1024.
    #[test]
    fn the_skill_keeps_to_its_format() {
        let text = skill();
        let head: Vec<&str> = text.lines().take_while(|line| *line != "# Annals").collect();
        assert_eq!((head[0], head[1]), ("---", "name: annals"));
        let description = head[2].strip_prefix("description: ").expect("a description");
        assert!(description.len() <= 1024 && !description.contains(": "), "plain YAML: {description}");
    }
}
