//! What is printed: data on stdout, talk on stderr; tables on a terminal, plain lines in a pipe.
//!
//! The only way to the screen: every text is made harmless here (`view::escape`), and the only terminal sequences that
//! come out are our own colours. A colour is a part of a `Line` and never of a text, so nothing can be taken for one.

use std::backtrace::Backtrace;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::panic::PanicHookInfo;

use serde::Serialize;

use super::environment::Environment;
use super::line::{Line, Style};
use crate::view::escape;
use crate::view::gist::cut;

/// Standard output and error.
pub struct Output {
    out: BufWriter<Box<dyn Write>>,
    err: Box<dyn Write>,
    /// Whether a person looks at it.
    pub target: Target,
    paint: Paint,
}

/// Where the data goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A person's terminal.
    Terminal,
    /// A pipe or a file.
    Pipe,
}

/// Whether colours are used: on a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint {
    Colours,
    Plain,
}

impl Output {
    /// That of the process.
    pub fn standard(environment: &Environment) -> Self {
        let target = if io::stdout().is_terminal() { Target::Terminal } else { Target::Pipe };
        let paint = match (target, environment.wants_no_colour) {
            (Target::Terminal, false) => Paint::Colours,
            (Target::Terminal, true) | (Target::Pipe, _) => Paint::Plain,
        };
        Self { out: BufWriter::new(Box::new(io::stdout())), err: Box::new(io::stderr()), target, paint }
    }

    /// How many characters a line may have: what the terminal has, and no limit in a pipe.
    pub fn width(&self) -> usize {
        match self.target {
            Target::Terminal => terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0).max(40)),
            Target::Pipe => usize::MAX,
        }
    }

    /// A line of data.
    pub fn line(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.out, "{}", escape::line(&line.to_string()))
    }

    /// A line of data with words in colours, where they are used.
    pub fn styled(&mut self, line: &Line) -> io::Result<()> {
        for (style, text) in line.spans() {
            match (self.paint, style) {
                (Paint::Plain, _) | (Paint::Colours, Style::Plain) => write!(self.out, "{}", escape::line(text))?,
                (Paint::Colours, style) => write!(self.out, "\x1b[{}m{}\x1b[0m", style.code(), escape::line(text))?,
            }
        }
        writeln!(self.out)
    }

    /// Cells of a line of data, with a tab between.
    pub fn row<T: AsRef<str>>(&mut self, cells: &[T]) -> io::Result<()> {
        for (number, cell) in cells.iter().enumerate() {
            let between: &[u8] = if number == 0 { b"" } else { b"\t" };
            self.out.write_all(between)?;
            self.out.write_all(escape::line(cell.as_ref()).as_bytes())?;
        }
        self.out.write_all(b"\n")
    }

    /// A text of many lines, which ends with a newline.
    pub fn page(&mut self, text: &str) -> io::Result<()> {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        write!(self.out, "{}{end}", escape::page(text))
    }

    /// Data as it is: for what was asked for so, and for filters.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// One JSON document.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = match self.target {
            Target::Terminal => serde_json::to_string_pretty(value),
            Target::Pipe => serde_json::to_string(value),
        };
        self.json_text(&text.map_err(io::Error::other)?)
    }

    /// JSON that is a text already.
    pub fn json_text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(escape::json(text).as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// One JSON document that says which schema it has.
    pub fn answer(&mut self, schema: &'static str, rest: &impl Serialize) -> io::Result<()> {
        #[derive(Serialize)]
        struct Answer<'r, R> {
            schema: &'static str,
            #[serde(flatten)]
            rest: &'r R,
        }
        self.json(&Answer { schema, rest })
    }

    /// Rows in columns: aligned on a terminal, with a tab between in a pipe.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
        match self.target {
            Target::Pipe => rows.iter().try_for_each(|row| self.row(row)),
            Target::Terminal => self.aligned(header, rows),
        }
    }

    fn aligned(&mut self, header: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
        let header: Vec<String> = header.iter().map(|title| title.to_uppercase()).collect();
        // They are as wide as they are shown.
        let shown = |row: &Vec<String>| row.iter().map(|cell| escape::line(cell).into_owned()).collect::<Vec<_>>();
        let all: Vec<_> = std::iter::once(header).chain(rows.iter().map(shown)).collect();
        let width = |column: usize| all.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..all[0].len()).map(|column| width(column).unwrap_or(0)).collect();
        let most = self.width();
        for (number, row) in all.iter().enumerate() {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}", width = *width));
            let line = cells.collect::<Vec<_>>().join("  ");
            let style = if number == 0 { Style::Dim } else { Style::Plain };
            self.styled(&Line::of(style, cut(line.trim_end(), most)))?;
        }
        Ok(())
    }

    /// A line of talk. Where an error has several lines, those behind the first are indented, so that none of them can be
    /// taken for another message.
    pub fn say(&mut self, line: impl Display) -> io::Result<()> {
        self.out.flush()?;
        writeln!(self.err, "{}", spoken(&line.to_string()))
    }

    /// Sends what waits.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether what is said reaches a terminal.
pub fn is_read_by_person() -> bool {
    io::stderr().is_terminal()
}

/// Says something where no output is at hand: in the middle of a write, or when the program breaks.
pub fn say_anyway(line: impl Display) {
    // When stderr is gone there is nobody left to tell.
    let _ = writeln!(io::stderr(), "{}", spoken(&line.to_string()));
}

/// Says what was wrong with the arguments, or prints help. An argument may come from the log, too.
pub fn say_usage(error: &clap::Error, arguments: &[OsString]) {
    let is_harmless = |argument: &OsString| argument.to_str().is_some_and(|text| escape::line(text) == text);
    // When nobody listens there is nobody left to tell.
    let _ = if arguments.iter().all(is_harmless) {
        error.print()
    } else {
        write!(io::stderr(), "{}", escape::page(&error.render().to_string()))
    };
}

/// Says that the program broke, and where.
pub fn say_bug(bug: &PanicHookInfo<'_>) {
    say_anyway(format_args!("annals: a bug: {bug}\n{}", Backtrace::capture()));
}

fn spoken(text: &str) -> String {
    escape::page(text).trim_end().replace('\n', "\n  ")
}
