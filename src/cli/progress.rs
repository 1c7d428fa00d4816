//! A bar on stderr, for work that takes long. Nothing where nobody looks.

use std::io::{IsTerminal, Read};

use indicatif::{ProgressBar, ProgressStyle};

use crate::view::escape;

/// How far the reading of files is.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Of so many bytes.
    pub(super) fn of_bytes(bytes: u64) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden() };
        }
        let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {eta} {wide_msg}");
        let bar = ProgressBar::new(bytes).with_style(style.expect("BUG: the template of the progress bar"));
        Self { bar }
    }

    /// Of so many things, each of which is done by others.
    pub(super) fn of_items(items: u64) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden() };
        }
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {eta}");
        Self { bar: ProgressBar::new(items).with_style(style.expect("BUG: the template of the progress bar")) }
    }

    /// So many more are done.
    pub(super) fn step(&self, items: u64) {
        self.bar.inc(items);
    }

    /// What is read now.
    pub(super) fn say(&self, what: &str) {
        self.bar.set_message(escape::line(what).into_owned());
    }

    /// A reader whose bytes count.
    pub(super) fn counting<R: Read>(&self, reader: R) -> impl Read + use<R> {
        self.bar.wrap_read(reader)
    }

    /// All is read: it goes away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
