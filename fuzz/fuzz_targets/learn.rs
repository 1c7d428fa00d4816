//! Prompts, for what may be learnt of them.
#![no_main]

use annals::domain::knowledge::learn::{Way, learn};

libfuzzer_sys::fuzz_target!(|text: &str| {
    for way in [Way::Prompt, Way::Rejection] {
        assert!(learn(text, way).iter().all(|lesson| !lesson.content.trim().is_empty()));
    }
});
