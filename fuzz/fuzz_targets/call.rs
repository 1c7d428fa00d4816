//! Tool calls: a name, a line break, arguments.
#![no_main]

use annals::kernel::call::{Call, is_test, program};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (name, arguments) = text.split_once('\n').unwrap_or(("Bash", text));
    let _ = Call::of(name, arguments, None);
    let _ = (is_test(text), program(text));
});
