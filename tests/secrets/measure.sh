#!/bin/sh
# Prints the figures of the sanitizer, a row of a table each: what, figure. Bars stand in docs/SANITIZER.md.
# ANNALS_TRANSCRIPTS is a folder of sessions with secrets.tsv, ANNALS_LIBRARY_CODE a folder of other people's code.
set -eu
cargo test --release --lib sanitizer::tests -- --nocapture 2>&1 | grep -E '^\||altered$|^test result'
cargo bench --bench sanitizer 2>/dev/null
