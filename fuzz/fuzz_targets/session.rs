//! A session's entries, a line each: the fold takes them in, and every mode of analysis says something of them.
#![no_main]

use annals::analysis::step::Record;
use annals::analysis::{Mode, analyse};
use annals::kernel::entry::HistoryEntry;
use annals::kernel::envelope::{Envelope, Span};
use annals::kernel::settings::Settings;
use annals::world::World;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (mut world, mut entries) = (World::default(), Vec::new());
    for line in text.lines().take(64) {
        if let Some(span) = Span::scan(line.as_bytes()) {
            world.apply(&Envelope::new(line.as_bytes(), &span));
        }
        entries.extend(HistoryEntry::read(line));
    }
    let session = entries.first().map(|entry| entry.session_id.to_string()).unwrap_or_default();
    let record = Record::of(&session, &entries, Vec::new());
    for mode in Mode::ALL {
        if let Some(analysis) = analyse(*mode, &record, &Settings::default()) {
            let _ = analysis.told();
            serde_json::to_string(&analysis).expect("an analysis can be written");
        }
    }
});
