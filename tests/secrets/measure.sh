#!/bin/sh
# Prints the figures of the sanitizer, one a line: name | figure. Bars stand in docs/SANITIZER.md.
# ANNALS_TRANSCRIPTS is a folder of sessions with secrets.tsv; ANNALS_LIBRARY_CODE a folder of other people's code, with
# a folder for each kind, and in that one for each package. Without them, what needs them is left out.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
cargo test --release --lib sanitizer:: -- --nocapture >"$work/tests" 2>"$work/figures" || status=$?
cargo bench --bench sanitizer >"$work/speed" 2>"$work/errors" || status=$?
sed -n -e 's/^| \(.*\) |$/\1/p' -e 's/^\(.*\): *\([0-9].*\) lines altered$/sessions altered, \1 | \2/p' "$work/figures" "$work/speed"
sed -n 's/^test result: \(.*\); finished in.*/tests | \1/p' "$work/tests"
if [ "$status" -ne 0 ]; then tail -n 20 "$work/figures" "$work/errors" >&2; fi
exit "$status"
