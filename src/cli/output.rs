//! What is printed: data on stdout, talk on stderr; tables on a terminal, plain lines in a pipe.
//!
//! The only way to the screen: every text is made harmless here (`view::escape`), and the only terminal sequences that
//! come out are our own colours. A colour is a part of a `Line` and never of a text, so nothing can be taken for one.

use std::backtrace::Backtrace;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::fd::AsFd;
use std::panic::PanicHookInfo;

use clap::ColorChoice;
use clap::builder::StyledStr;
use serde::Serialize;

use super::answers::Answer;
use super::environment::Environment;
use super::line::{Line, Style};
use super::pager::Paged;
use super::table::{Column, Drawn, draw};
use super::time;
use crate::kernel::time::Timestamp;
use crate::view::escape;
use crate::view::width::padded;

/// Standard output and error.
pub(super) struct Output {
    out: BufWriter<Box<dyn Write>>,
    err: Box<dyn Write>,
    /// Whether a person looks at it.
    pub target: OutputTarget,
    paint: Paint,
    /// The columns of a line of data.
    width: usize,
    /// And of a line of talk.
    talk_width: usize,
    /// The zone of the times that were shown, where any was.
    zone: Option<String>,
    /// Whether an answer was a list of nothing.
    pub is_empty: bool,
}

/// Fewer columns than these no terminal has.
const NARROWEST: usize = 40;
/// A terminal that does not say how wide it is.
const UNKNOWN: usize = 80;

/// Where the data goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputTarget {
    /// A person's terminal.
    Terminal,
    /// A pipe or a file.
    Pipe,
}

/// Whether colours are used: as `--color` says; else on a terminal, unless `NO_COLOR` is set or the terminal is a dumb one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint {
    Colours,
    Plain,
}

impl Output {
    /// That of the process.
    pub(super) fn standard(environment: &Environment, choice: ColorChoice) -> Self {
        let target = if io::stdout().is_terminal() { OutputTarget::Terminal } else { OutputTarget::Pipe };
        let paint = match (choice, target, environment.wants_no_colour) {
            (ColorChoice::Always, ..) | (ColorChoice::Auto, OutputTarget::Terminal, false) => Paint::Colours,
            (ColorChoice::Never | ColorChoice::Auto, ..) => Paint::Plain,
        };
        let columns = environment.columns;
        let width = width_of(io::stdout(), columns);
        let talk_width = width_of(io::stderr(), columns);
        let (out, err) = (BufWriter::new(Box::new(io::stdout()) as Box<dyn Write>), Box::new(io::stderr()));
        Self { out, err, target, paint, width, talk_width, zone: None, is_empty: false }
    }

    /// One that goes nowhere but where it is told: plain, and as wide as it comes.
    pub(super) fn kept(out: Box<dyn Write>, err: Box<dyn Write>) -> Self {
        Self {
            out: BufWriter::new(out),
            err,
            target: OutputTarget::Pipe,
            paint: Paint::Plain,
            width: usize::MAX,
            talk_width: usize::MAX,
            zone: None,
            is_empty: false,
        }
    }

    /// From now on data goes through a pager, where there is more of it than the terminal has rows.
    pub(super) fn page_by(&mut self, paged: Paged) {
        self.out = BufWriter::new(Box::new(paged));
    }

    /// How many columns a line may take: those of the terminal, and no limit in a pipe.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// A line of data.
    pub(super) fn line(&mut self, line: impl Display) -> io::Result<()> {
        match self.target {
            OutputTarget::Pipe => writeln!(self.out, "{}", escape::line(&line.to_string())),
            OutputTarget::Terminal => self.styled(&Line::plain(line)),
        }
    }

    /// A line of data with words in colours, where they are used.
    pub(super) fn styled(&mut self, line: &Line) -> io::Result<()> {
        line.escaped().wrapped(self.width).iter().try_for_each(|line| self.painted(line))
    }

    /// A line of data that goes on nowhere: what does not fit is cut.
    pub(super) fn cut(&mut self, line: &Line) -> io::Result<()> {
        self.painted(&line.escaped().cut(self.width))
    }

    fn painted(&mut self, line: &Line) -> io::Result<()> {
        for (style, text) in line.spans() {
            match (self.paint, style) {
                (Paint::Plain, _) | (Paint::Colours, Style::Plain) => write!(self.out, "{text}")?,
                (Paint::Colours, style) => write!(self.out, "\x1b[{}m{text}\x1b[0m", style.code())?,
            }
        }
        writeln!(self.out)
    }

    /// Cells of a line of data: with a tab between in a pipe, below those of other lines on a terminal.
    pub(super) fn row<T: AsRef<str>>(&mut self, cells: &[T]) -> io::Result<()> {
        const NAME: usize = 12;
        if self.target == OutputTarget::Terminal {
            let cell = |cell: &T| padded(&escape::line(cell.as_ref()), NAME);
            return self.line(cells.iter().map(cell).collect::<Vec<_>>().join(" "));
        }
        for (number, cell) in cells.iter().enumerate() {
            let between: &[u8] = if number == 0 { b"" } else { b"\t" };
            self.out.write_all(between)?;
            self.out.write_all(escape::line(cell.as_ref()).as_bytes())?;
        }
        self.out.write_all(b"\n")
    }

    /// A text of many lines, which ends with a newline.
    pub(super) fn page(&mut self, text: &str) -> io::Result<()> {
        write!(self.out, "{}", paragraphs(&escape::page(text), self.width))
    }

    /// A page of help.
    pub(super) fn help(&mut self, page: &StyledStr) -> io::Result<()> {
        let text = match self.paint {
            Paint::Colours => page.ansi().to_string(),
            Paint::Plain => page.to_string(),
        };
        writeln!(self.out, "{}", text.trim_end())
    }

    /// Data as it is: for what was asked for so, and for filters.
    pub(super) fn raw(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    /// One JSON document.
    pub(super) fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        let text = match self.target {
            OutputTarget::Terminal => serde_json::to_string_pretty(value),
            OutputTarget::Pipe => serde_json::to_string(value),
        };
        self.json_text(&text.map_err(io::Error::other)?)
    }

    /// JSON that is a text already.
    pub(super) fn json_text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(escape::json(text).as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// One JSON document that says which schema it has.
    pub(super) fn answer<A: Answer>(&mut self, rest: &A) -> io::Result<()> {
        #[derive(Serialize)]
        struct NamedRows<'r, R> {
            schema: &'static str,
            #[serde(flatten)]
            rest: &'r R,
        }
        self.json(&NamedRows { schema: A::NAME, rest })
    }

    /// Rows in columns: as the terminal has room for them, and whole with a tab between in a pipe.
    pub(super) fn table(&mut self, columns: &[Column], rows: &[Vec<String>]) -> io::Result<()> {
        if rows.is_empty() {
            // `Shell::finish` says so, by the command.
            self.is_empty = true;
            return Ok(());
        }
        if self.target == OutputTarget::Pipe {
            let is_piped = |(column, _): &(&Column, &String)| !matches!(column, Column::Seen(_));
            for row in rows {
                let cells = columns.iter().zip(row).filter(is_piped).map(|(_, cell)| cell);
                self.row(&cells.collect::<Vec<_>>())?;
            }
            return Ok(());
        }
        // They are as wide as they are shown.
        let shown: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(|cell| self.cell(cell)).collect()).collect();
        let Drawn { header, rows, hidden } = draw(columns, &shown, self.width);
        self.painted(&Line::of(Style::Dim, header))?;
        rows.iter().try_for_each(|row| self.painted(&Line::plain(row)))?;
        if hidden.is_empty() {
            return Ok(());
        }
        let hidden = format!("not in {} columns: {}; --json has all", self.width, hidden.join(", "));
        self.styled(&Line::of(Style::Dim, hidden))
    }

    /// A moment: in the zone of the machine on a terminal, which is said once at the end; as JSON has it in a pipe.
    pub(super) fn time(&mut self, at: Timestamp) -> String {
        self.moment(at, time::shown)
    }

    fn moment(&mut self, at: Timestamp, shown: fn(Timestamp) -> String) -> String {
        if self.target == OutputTarget::Pipe {
            return at.to_string();
        }
        self.zone = Some(time::zone_at(at));
        shown(at)
    }

    /// Day and time of day of a moment, likewise.
    pub(super) fn day_and_clock(&mut self, at: Timestamp) -> (String, String) {
        let text = self.moment(at, time::shown_with_seconds);
        (text[..10].to_owned(), text[11..19].to_owned())
    }

    /// A cell of a table as a terminal shows it; a moment in the zone of the machine.
    fn cell(&mut self, text: &str) -> String {
        match Timestamp::parse_canonical(text.as_bytes()) {
            Some(at) => self.time(at),
            None => escape::line(text).into_owned(),
        }
    }

    /// A line of talk. Where an error has several lines, those behind the first are indented, so that none of them can be
    /// taken for another message.
    pub(super) fn say(&mut self, line: impl Display) -> io::Result<()> {
        // Data first, so that a terminal shows both in the order in which they came.
        self.out.flush()?;
        write!(self.err, "{}", paragraphs(&spoken(&line.to_string()), self.talk_width))
    }

    /// Ends the output: says the zone of the times in it, and sends what waits.
    pub(super) fn end(&mut self) -> io::Result<()> {
        if let Some(zone) = self.zone.take() {
            self.painted(&Line::of(Style::Dim, format_args!("times are {zone}")))?;
        }
        self.flush()
    }

    /// Sends what waits.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Whether what is said reaches a terminal.
pub(super) fn is_read_by_person() -> bool {
    io::stderr().is_terminal()
}

/// Says something where no output is at hand: in the middle of a write, or when the program breaks.
pub(super) fn say_anyway(line: impl Display) {
    // When stderr is gone there is nobody left to tell.
    let _ = write!(io::stderr(), "{}", paragraphs(&spoken(&line.to_string()), width_of(io::stderr(), None)));
}

/// Says what was wrong with the arguments, or prints help. An argument may come from the log, too.
pub(super) fn say_usage(error: &clap::Error, arguments: &[OsString]) {
    // Only these go clap's own way: it prints in colours, which would be written out here.
    let is_harmless = |argument: &OsString| argument.to_str().is_some_and(|text| escape::line(text) == text);
    // When nobody listens there is nobody left to tell.
    let _ = if arguments.iter().all(is_harmless) {
        error.print()
    } else {
        write!(io::stderr(), "{}", escape::page(&error.render().to_string()))
    };
}

/// Says that the program broke, and where.
pub(super) fn say_bug(bug: &PanicHookInfo<'_>) {
    say_anyway(format_args!("annals: a bug: {bug}\n{}", Backtrace::capture()));
}

fn spoken(text: &str) -> String {
    escape::page(text).trim_end().replace('\n', "\n  ")
}

/// The columns of what a stream leads to: those that were given or that the terminal says; no limit in a pipe.
fn width_of(stream: impl IsTerminal + AsFd, given: Option<usize>) -> usize {
    if !stream.is_terminal() {
        return usize::MAX;
    }
    let own = || terminal_size::terminal_size_of(stream).map(|(width, _)| usize::from(width.0));
    // COLUMNS wins over what the terminal says.
    given.or_else(own).filter(|columns| *columns > 0).unwrap_or(UNKNOWN).max(NARROWEST)
}

/// Lines in at most so many columns, each with its end. They are harmless already.
fn paragraphs(text: &str, columns: usize) -> String {
    let text = text.strip_suffix('\n').unwrap_or(text);
    if columns == usize::MAX {
        return format!("{text}\n");
    }
    // A terminal makes of a tab what it likes.
    let wrapped = text.split('\n').flat_map(|line| Line::plain(line.replace('\t', "    ")).wrapped(columns));
    wrapped.map(|line| line.spans().map(|(_, text)| text).chain(["\n"]).collect::<String>()).collect()
}
