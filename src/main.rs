//! The program: parse, run, exit code.

use std::process::ExitCode;

/// What a decoder thread allocates, the thread that folds frees: most allocators are slow at that, this one is not.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    annals::cli::main()
}
