//! Command lines in a message, by what the kernel knows of commands: what stands on a line, in backticks, or behind words.
//!
//! Begins wherever a word is the name of a program that may do something grave. Runs nothing.

use annals_kernel::call::effect::{Effect, effects};

/// Programs that may do what cannot be taken back; where one stands, a command may begin.
const PROGRAMS: &str = "alembic ansible-playbook apt aws az bash brew bun bundle cargo chmod chown crontab curl dd deno \
    diskutil docker dotnet dropdb fdisk find firebase flit flyctl flyway gcloud gem gh git gradle gsutil hatch helm heroku kill killall \
    knex kubectl lerna liquibase mkfs mongo mongosh mv mvn mysql netlify node npm npx nuget parted perl pip pkill pnpm podman poetry \
    poweroff prisma psql pulumi python python3 rails rake reboot redis-cli rm rmdir rsync ruby scp sequelize serverless sh shred \
    shutdown sqlite3 ssh sudo systemctl terraform tofu truncate twine unlink uv vercel wget wipefs wrangler xargs yarn zsh";

/// So many beginnings are tried in a message.
const MOST_TRIED: usize = 64;

/// Whether a command in the message does what is hard to undo.
pub(super) fn has_effect(message: &str) -> bool {
    let mut tried = 0;
    message.lines().any(|line| {
        starts(line).any(|at| {
            tried += 1;
            tried <= MOST_TRIED && is_grave(&line[at..])
        })
    })
}

/// Where a program's name begins.
fn starts(line: &str) -> impl Iterator<Item = usize> {
    let is_edge = |letter: char| letter.is_whitespace() || "`\"'(".contains(letter);
    let mut at = 0;
    line.split(is_edge).filter_map(move |word| {
        let start = at;
        at += word.len() + line[at + word.len()..].chars().next().map_or(0, char::len_utf8);
        let name = word.rsplit('/').next().unwrap_or(word).trim_end_matches([',', ':']);
        let is_program = |program: &str| name.eq_ignore_ascii_case(program) || name.starts_with("mkfs.");
        PROGRAMS.split_whitespace().any(is_program).then_some(start)
    })
}

/// Up to the end of the code or the sentence.
fn is_grave(rest: &str) -> bool {
    let end = ["`", ", ", ". ", "! ", "? "].iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    let command = rest[..end].trim_end_matches(['.', ',', '!', '?']);
    let whole = rest.trim_end_matches(['`', '"', '\'']);
    [command, whole].iter().any(|line| effects(line).iter().any(|found| is_hard_to_undo(found.effect)))
}

/// All of them; what cannot be read is asked about, too.
fn is_hard_to_undo(effect: Effect) -> bool {
    match effect {
        Effect::Rewritten
        | Effect::Discarded
        | Effect::Dropped
        | Effect::Removed
        | Effect::Disk
        | Effect::CloudRemoved
        | Effect::Published
        | Effect::Deployed
        | Effect::Migrated
        | Effect::Opened
        | Effect::Stopped
        | Effect::Unreadable => true,
    }
}
