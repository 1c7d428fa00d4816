//! The helper by itself, for the tests: `confine [STAGE]`, as the hidden subcommand of the program does it.

use std::process::ExitCode;

fn main() -> ExitCode {
    annals_workspace::confine::enter(std::env::args_os().nth(1).as_deref())
}
