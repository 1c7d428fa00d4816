//! What is printed: data on stdout, talk on stderr; tables on a terminal, plain lines in a pipe.

use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};

use serde::Serialize;

/// Standard output and error.
pub struct Output {
    out: BufWriter<Box<dyn Write>>,
    err: Box<dyn Write>,
    /// Whether a person looks at it.
    pub target: Target,
}

/// Where the data goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A person's terminal.
    Terminal,
    /// A pipe or a file.
    Pipe,
}

impl Output {
    /// That of the process.
    pub fn standard() -> Self {
        let target = if io::stdout().is_terminal() { Target::Terminal } else { Target::Pipe };
        Self { out: BufWriter::new(Box::new(io::stdout())), err: Box::new(io::stderr()), target }
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
        for row in all() {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}", width = *width));
            let line = cells.collect::<Vec<_>>().join("  ");
            self.line(line.trim_end())?;
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
