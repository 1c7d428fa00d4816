//! Which commands build, lint or check types, and which run what a project is.
//!
//! Told by the program where it does nothing else, and else by the word that says what it is to do: `astro build`,
//! `nix flake check`, `./scripts/lint.sh`. A program of a project's own that says neither is a command like any other.

use super::act::Act;
use super::runner::{is_task_runner, last_part, module};
use super::weight::works_by_name;

/// Programs that do nothing else.
const ONLY_CHECKS: [&str; 74] = [
    "actionlint", "ansible-lint", "basedpyright", "biome", "black", "c++", "cc", "clang", "clang++", "clang-tidy",
    "cppcheck", "darwin-rebuild", "deadnix", "detekt", "dialyzer", "esbuild", "eslint", "flake8", "g++", "gcc", "ghc",
    "gmake", "gofmt", "golangci-lint", "hadolint", "home-manager", "hugo", "javac", "kotlinc", "ktlint", "latexmk",
    "luacheck", "make", "markdownlint", "msbuild", "mypy", "nasm", "ninja", "nix-build", "nix-instantiate",
    "nixos-rebuild", "oxlint", "phpstan", "pre-commit", "prettier", "psalm", "pyflakes", "pylint", "pyright", "rollup",
    "rubocop", "ruff", "rustc", "selene", "shellcheck", "sphinx-build", "standardrb", "staticcheck", "statix",
    "stylelint", "svelte-check", "swiftc", "swiftlint", "tflint", "tsc", "tsgo", "tsup", "ty", "typos", "vue-tsc",
    "webpack", "xcodebuild", "yamllint", "zizmor",
];

/// What a program is asked to do.
const CHECKING: [&str; 18] = [
    "analyze", "assemble", "build", "check", "clippy", "compile", "eslint", "eval", "fmt", "format", "lint",
    "precommit", "prettier", "tsc", "typecheck", "validate", "verify", "vet",
];

/// Words behind which stands what is to be done.
const LEADING: [&str; 17] = [
    "-r", "astro", "compose", "dlx", "exec", "expo", "flake", "next", "ng", "nuxt", "nx", "run", "run-script", "tauri",
    "turbo", "vite", "wrangler",
];

/// Programs that do all that they are asked to one after the other.
const OF_SEVERAL: [&str; 10] = ["gradle", "gradlew", "just", "mage", "mise", "mvn", "mvnw", "rake", "sbt", "task"];

/// Programs whose words name files, servers and packages alone.
const NEVER: [&str; 15] = [
    "code", "gh", "git", "glab", "gzip", "kubectl", "man", "nano", "rsync", "scp", "ssh", "tar", "unzip", "vim", "zip",
];

/// Modules of Python that check.
const MODULES: [&str; 7] = ["build", "compileall", "flake8", "mypy", "py_compile", "pylint", "ruff"];

/// Options with which an interpreter only reads a file.
const READS: [(&str, &str); 7] =
    [("bash", "-n"), ("dash", "-n"), ("node", "--check"), ("perl", "-c"), ("php", "-l"), ("ruby", "-c"), ("sh", "-n")];

/// Whether a command builds, lints or checks types; formatters, too.
pub(super) fn builds(act: &Act<'_>) -> bool {
    let program = act.program();
    if ONLY_CHECKS.contains(&program) || READS.iter().any(|(name, option)| *name == program && act.has(&[option])) {
        return true;
    }
    // It evaluates what it shows.
    if program == "nix" && act.has(&["flake"]) && act.has(&["show"]) {
        return true;
    }
    if program.starts_with("python") {
        return module(act).is_some_and(|module| MODULES.contains(&module));
    }
    if is_script(program) {
        return checks(program);
    }
    if matches!(program, "sh" | "bash" | "zsh") {
        return act.verb().is_some_and(|script| script.contains(['/', '.']) && checks(script));
    }
    !NEVER.contains(&program) && works_by_name(act) && is_asked_to(act)
}

/// The first word says it, or the one behind words that lead to it; of a task runner the name of a task.
fn is_asked_to(act: &Act<'_>) -> bool {
    let program = act.program();
    let is_led = act.verb().is_some_and(|first| LEADING.contains(&first));
    let is_task = is_led || is_task_runner(program);
    let tells = |word: &str| if is_task { checks(word) } else { CHECKING.contains(&word) };
    let most = if OF_SEVERAL.contains(&program) { 3 } else { 1 };
    let is_packed = || matches!(program, "mvn" | "mvnw") && act.has(&["package", "install"]);
    act.verbs().skip_while(|word| LEADING.contains(word)).take(most).any(tells) || is_packed()
}

/// `lint:web`, `build-all`, `.#check`, `assembleDebug`; what only asks whether the tools are there checks no work.
fn checks(word: &str) -> bool {
    if word.contains("prereq") {
        return false;
    }
    let begins = |part: &str| CHECKING.iter().any(|known| part.strip_prefix(known).is_some_and(begins_a_word));
    last_part(word).split(|letter: char| !letter.is_ascii_alphanumeric()).any(begins)
}

/// Nothing, or another word of `camelCase`.
fn begins_a_word(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(|letter: char| letter.is_ascii_uppercase())
}

/// Whether a program is a script, by its name.
fn is_script(program: &str) -> bool {
    let ending = program.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(ending, "sh" | "bash" | "zsh" | "py" | "rb" | "js" | "mjs" | "ts" | "pl" | "ps1")
}

/// Whether a command runs what a project is, or a part of it: what was changed shows itself.
pub(super) fn runs(act: &Act<'_>) -> bool {
    let (program, verb) = (act.program(), act.verb().unwrap_or_default());
    match program {
        "bun" | "deno" | "hyperfine" | "java" | "node" | "odoo" | "odoo-bin" | "perl" | "php" | "ruby" | "ts-node"
        | "tsx" | "curl" => true,
        "cargo" | "dart" | "dotnet" | "flutter" | "go" | "nix" | "swift" | "zig" => verb == "run",
        "docker" | "docker-compose" | "podman" => {
            matches!(verb, "compose" | "exec" | "restart" | "run" | "start" | "up")
        }
        "pm2" | "service" | "supervisorctl" | "systemctl" => act.has(&["reload", "restart", "start"]),
        "bash" | "sh" | "zsh" => verb.contains(['/', '.']),
        "npm" | "pnpm" | "yarn" => act.verbs().find(|word| !LEADING.contains(word)).is_some_and(is_to_run),
        "astro" | "next" | "nuxt" | "tauri" | "vite" | "wrangler" => verb.is_empty() || is_to_run(verb),
        _ => program.starts_with("python") || is_script(program),
    }
}

/// `dev`, `start:web`.
fn is_to_run(task: &str) -> bool {
    const RUNNING: [&str; 5] = ["dev", "preview", "serve", "start", "storybook"];
    task.split([':', '-']).next().is_some_and(|first| RUNNING.contains(&first))
}
