//! What a shell command is called: its program, and its verb where the program has verbs.
//!
//! Not a shell parser: it looks at the beginning of a command, and is right about the usual ones.

/// Programs whose first argument is a verb.
const WITH_VERBS: [&str; 22] = [
    "annals", "apt", "apt-get", "brew", "bun", "bundle", "cargo", "deno", "docker", "gh", "git", "go", "just",
    "kubectl", "make", "mix", "npm", "pip", "pnpm", "poetry", "uv", "yarn",
];

/// Words before the program that do not say what is run.
const PREFIXES: [&str; 7] = ["sudo", "time", "env", "nohup", "exec", "command", "npx"];

/// The program and its verb: `cargo test`, `rg`. `None` where there is no program.
pub fn command_name(command: &str) -> Option<String> {
    let step = last_step(command).replace("=$(", "= ");
    let mut words = step.split_whitespace().skip_while(|word| is_before_program(word));
    let program = words.next()?;
    let program = program.rsplit('/').next().unwrap_or(program).trim_matches(['"', '\'', '(', ')']);
    if program.is_empty() {
        return None;
    }
    let verb = words.find(|word| !word.starts_with(['-', '+']));
    let verb = verb.filter(|verb| WITH_VERBS.contains(&program) && is_word(verb));
    Some(verb.map_or_else(|| program.to_owned(), |verb| format!("{program} {verb}")))
}

/// Behind `cd somewhere &&`.
fn last_step(command: &str) -> &str {
    let line =
        command.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    let goes_elsewhere = line.starts_with("cd ") || line.starts_with("source ") || line.starts_with("export ");
    match line.split_once("&&").or_else(|| line.split_once(';')) {
        Some((_, rest)) if goes_elsewhere && !rest.trim().is_empty() => last_step(rest),
        Some(_) | None => line,
    }
}

fn is_before_program(word: &str) -> bool {
    let is_assignment = word.split_once('=').is_some_and(|(name, _)| is_word(name));
    is_assignment || PREFIXES.contains(&word)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | ':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_called_by_program_and_verb() {
        let cases = [
            ("cargo test --lib", Some("cargo test")),
            ("cargo +nightly fmt", Some("cargo fmt")),
            ("cd /tmp/x && RUST_LOG=debug cargo run", Some("cargo run")),
            ("cd a; cd b && ls -la", Some("ls")),
            ("/usr/bin/rg pattern src", Some("rg")),
            ("# look\ngit -C . status | head", Some("git")),
            ("sudo apt-get install x", Some("apt-get install")),
            ("git log --oneline && git status", Some("git log")),
            ("BASE=$(git merge-base HEAD main)", Some("git merge-base")),
            ("  ", None),
        ];
        for (command, expected) in cases {
            assert_eq!(command_name(command).as_deref(), expected, "{command}");
        }
    }
}
