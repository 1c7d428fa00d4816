//! What is printed: data on stdout, talk on stderr; tables on a terminal, plain lines in a pipe.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};

use serde::Serialize;

use super::environment::Environment;
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

/// How a word looks on a terminal. What a colour says is also said in words or signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As everything else.
    Plain,
    /// A heading, a person.
    Bold,
    /// What the eye may pass over.
    Dim,
    /// A failure.
    Red,
    /// An agent.
    Green,
    /// Somebody said no.
    Yellow,
    /// A tool.
    Cyan,
}

impl Style {
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "0",
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Red => "31",
            Self::Green => "32",
            Self::Yellow => "33",
            Self::Cyan => "36",
        }
    }
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

    /// A text in a style, where colours are used.
    pub fn paint(&self, style: Style, text: impl Display) -> String {
        match (self.paint, style) {
            (Paint::Plain, _) | (Paint::Colours, Style::Plain) => text.to_string(),
            (Paint::Colours, style) => format!("\x1b[{}m{text}\x1b[0m", style.code()),
        }
    }

    /// A line of data.
    pub fn line(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.out, "{line}")
    }

    /// Data as it is, without a newline.
    pub fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// One JSON document.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = match self.target {
            Target::Terminal => serde_json::to_string_pretty(value),
            Target::Pipe => serde_json::to_string(value),
        };
        self.line(text.map_err(io::Error::other)?)
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
            Target::Pipe => rows.iter().try_for_each(|row| self.line(row.join("\t"))),
            Target::Terminal => self.aligned(header, rows),
        }
    }

    fn aligned(&mut self, header: &[&str], rows: &[Vec<String>]) -> io::Result<()> {
        let header: Vec<String> = header.iter().map(|title| title.to_uppercase()).collect();
        let all = || std::iter::once(&header).chain(rows);
        let width = |column: usize| all().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        let widths: Vec<usize> = (0..header.len()).map(|column| width(column).unwrap_or(0)).collect();
        let most = self.width();
        for (number, row) in all().enumerate() {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}", width = *width));
            let line = cells.collect::<Vec<_>>().join("  ");
            let style = if number == 0 { Style::Dim } else { Style::Plain };
            let line = self.paint(style, cut(line.trim_end(), most));
            self.line(line)?;
        }
        Ok(())
    }

    /// A line of talk.
    pub fn say(&mut self, line: impl Display) -> io::Result<()> {
        self.out.flush()?;
        writeln!(self.err, "{line}")
    }

    /// Sends what waits.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
