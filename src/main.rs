//! The program: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    annals::cli::main()
}
