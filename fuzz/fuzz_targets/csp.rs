//! CSP/1: whatever can be read comes back as it was when it is written and read again.
#![no_main]

use annals::domain::dialectic::csp::{parse, write};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(message) = parse(text) {
        assert_eq!(parse(&write(&message)).as_ref(), Ok(&message), "{}", write(&message));
    }
});
