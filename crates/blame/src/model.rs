//! One file as the record has it: its lines, and for each the call that brought it, as far as a call did.
//!
//! Where the text is not known, what calls put into it is kept as *islands*, until the text is seen. What differs when it is
//! seen came from nobody that the record knows.

use std::ops::Range;
use std::rc::Rc;

use annals_kernel::id::EntryId;

use super::deed::{Before, Extent, Hunk, LineRange, Places, Replaced, What};
use super::fit::{Trust, align, overlap};
use super::hunk;
use super::text::{Ending, Text, fits, is_telling, joined};

/// Whose a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// Of nobody that the record knows.
    Nobody,
    /// Of a call, as a version before says.
    Old(EntryId),
    /// Of a call since that version.
    Fresh(EntryId),
    /// It stood there, whoever wrote it.
    Standing,
}

/// A line with its author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub text: Rc<str>,
    pub by: By,
}

/// Whether a deed could be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Followed {
    /// It could.
    Yes,
    /// Its effect is not known.
    No,
}

/// A file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    /// Its lines, where the text is known.
    known: Option<Vec<Line>>,
    ending: Ending,
    islands: Vec<Vec<Line>>,
}

/// More islands than this are not kept of a file.
const MOST_ISLANDS: usize = 200;

impl Model {
    /// A file with these lines.
    pub(crate) fn of(lines: Vec<Line>) -> Self {
        Self { known: Some(lines), ..Self::default() }
    }

    /// Whether the text is known to be just this one.
    pub(crate) fn is(&self, text: &Text) -> bool {
        self.known.as_ref().is_some_and(|lines| lines.iter().map(|line| &line.text).eq(&text.lines))
    }

    /// Follows what a call did.
    pub(crate) fn take(&mut self, what: &What, call: EntryId) -> Followed {
        let by = By::Fresh(call);
        match what {
            What::Whole(text, before) => self.write(text, *before, by),
            What::Replaced(replaced) => self.replace(replaced, by),
            What::Hunks(hunks) => self.patch(hunks, by),
            What::Shown(replaced, hunks) => {
                if self.replaced(replaced, by) == Followed::No {
                    self.patch(hunks, by);
                }
            }
            What::Inserted(after, text) => self.splice(*after..*after, text, by),
            What::Lines(LineRange { first, last }, text) => self.splice(first.saturating_sub(1)..*last, text, by),
            What::Appended(text) => self.append(text, by),
            What::Edited(script) => return self.edit(script, by),
            What::Removed => *self = Self::of(Vec::new()),
            What::Seen(_, text, Extent::All) => self.see(text),
            What::Seen(_, text, Extent::Part) => self.conform(&text.lines),
            What::Opaque | What::Moved(_) | What::Copied(_) | What::Restored => return Followed::No,
        }
        Followed::Yes
    }

    fn write(&mut self, text: &Text, before: Before, by: By) {
        let nobody = Vec::new();
        let (old, by) = match (&self.known, before) {
            (Some(lines), _) => (lines, by),
            // What stood there is not known, so that any line may have.
            (None, Before::There) => (&nobody, By::Nobody),
            (None, Before::Absent | Before::Unsaid) => (&nobody, by),
        };
        self.known = Some(align(old, &text.lines, by, Trust::Said));
        self.ending = text.ending;
        self.islands.clear();
    }

    fn replace(&mut self, replaced: &Replaced, by: By) {
        if self.replaced(replaced, by) == Followed::No {
            let (old, new) = (Text::of(&replaced.old), Text::of(&replaced.new));
            self.strand(align(&nobodys(&old.lines), &new.lines, by, Trust::Said));
        }
    }

    /// Replaces where the text is known to be.
    fn replaced(&mut self, replaced: &Replaced, by: By) -> Followed {
        let (old, new) = (replaced.old.replace("\r\n", "\n"), replaced.new.replace("\r\n", "\n"));
        let is_found = self
            .known
            .as_mut()
            .is_some_and(|lines| exchange(lines, &mut self.ending, &old, &new, replaced.places, by) == Followed::Yes);
        let is_found = is_found
            || self.islands.iter_mut().any(|island| {
                exchange(island, &mut Ending::default(), &old, &new, replaced.places, by) == Followed::Yes
            });
        if is_found { Followed::Yes } else { Followed::No }
    }

    fn patch(&mut self, hunks: &[Hunk], by: By) {
        let (mut from, mut drift) = (0, 0_isize);
        for hunk in hunks {
            let shifted = hunk.first.map(|first| first.saturating_add_signed(drift));
            let hunk = Hunk { first: shifted, ..hunk.clone() };
            let old = hunk.old();
            if let Some(lines) = &mut self.known
                && hunk::place(lines, &hunk, from).is_none()
            {
                self.conform(&old);
            }
            let lines = self.known.iter_mut().chain(&mut self.islands);
            let place = |lines: &mut Vec<Line>| {
                let at = hunk::place(lines, &hunk, from)?;
                let new = hunk.replaced(&lines[at..at + old.len()], by);
                let end = at + new.len();
                drift += new.len().cast_signed() - old.len().cast_signed();
                lines.splice(at..at + old.len(), new);
                Some(end)
            };
            match lines.into_iter().find_map(place) {
                Some(end) => from = end,
                None => self.strand(hunk.island(by)),
            }
        }
    }

    fn splice(&mut self, range: Range<usize>, text: &Text, by: By) {
        match &mut self.known {
            Some(lines) => {
                let range = range.start.min(lines.len())..range.end.min(lines.len()).max(range.start.min(lines.len()));
                let new = align(&lines[range.clone()], &text.lines, by, Trust::Said);
                lines.splice(range, new);
            }
            None => self.strand(text.lines.iter().map(|text| Line { text: text.clone(), by }).collect()),
        }
    }

    fn append(&mut self, text: &str, by: By) {
        let Some(lines) = &mut self.known else {
            return self.strand(Text::of(text).lines.into_iter().map(|text| Line { text, by }).collect());
        };
        let open = if self.ending == Ending::Nothing { lines.pop() } else { None };
        let before = open.as_ref().map_or("", |line| &*line.text);
        let more = Text::of(&format!("{before}{}", text.replace("\r\n", "\n")));
        let old: Vec<Line> = open.into_iter().collect();
        lines.extend(align(&old, &more.lines, by, Trust::Said));
        self.ending = more.ending;
    }

    fn edit(&mut self, script: &super::script::Script, by: By) -> Followed {
        let Some(lines) = &mut self.known else { return Followed::No };
        let old = lines.iter().map(|line| line.text.clone()).collect::<Vec<_>>();
        *lines = script
            .run(&old)
            .into_iter()
            .map(|(text, origin)| match origin {
                Some(at) if lines[at].text == text => lines[at].clone(),
                Some(_) | None => Line { text, by },
            })
            .collect();
        Followed::Yes
    }

    /// It is seen as it is.
    fn see(&mut self, text: &Text) {
        self.known = Some(self.settled(text));
        self.ending = text.ending;
        self.islands.clear();
    }

    /// Lines of it are seen as they are.
    fn conform(&mut self, part: &[Rc<str>]) {
        if part.is_empty() || self.known.iter().chain(&self.islands).any(|lines| has(lines, part)) {
            return;
        }
        if let Some(lines) = &mut self.known {
            if let Some(place) = overlap(lines, part) {
                let new = align(&lines[place.start..place.end], part, By::Nobody, Trust::Seen);
                lines.splice(place.start..place.end, new);
            }
            return;
        }
        let seen = self.islands.iter_mut().find_map(|island| {
            let place = overlap(island, part)?;
            let new = align(&island[place.start..place.end], part, By::Nobody, Trust::Seen);
            island.splice(place.start..place.end, new);
            Some(())
        });
        if seen.is_none() {
            self.strand(nobodys(part));
        }
    }

    fn strand(&mut self, island: Vec<Line>) {
        if self.islands.len() < MOST_ISLANDS && !island.is_empty() {
            self.islands.push(island);
        }
    }

    /// The lines of a text that the file has now, each with its author.
    pub(crate) fn settled(&self, text: &Text) -> Vec<Line> {
        let mut lines = match &self.known {
            Some(known) => align(known, &text.lines, By::Nobody, Trust::Seen),
            None => nobodys(&text.lines),
        };
        for island in &self.islands {
            land(island, &mut lines);
        }
        slide(&mut lines);
        lines
    }
}

/// Whether a part of a text stands in it.
fn has(lines: &[Line], part: &[Rc<str>]) -> bool {
    lines.windows(part.len()).any(|window| window.iter().zip(part).all(|(line, text)| fits(&line.text, text)))
}

pub(crate) fn nobodys(texts: &[Rc<str>]) -> Vec<Line> {
    texts.iter().map(|text| Line { text: text.clone(), by: By::Nobody }).collect()
}

/// Of two equal lines, one below the other, nobody can say which came first.
fn slide(lines: &mut [Line]) {
    let is_mixed = |pair: &[Line]| pair[0].text == pair[1].text && pair[0].by != pair[1].by;
    let mixed: Vec<usize> = (1..lines.len()).filter(|at| is_mixed(&lines[at - 1..=*at])).collect();
    for at in mixed.into_iter().flat_map(|at| [at - 1, at]) {
        if matches!(lines[at].by, By::Fresh(_)) {
            lines[at].by = By::Nobody;
        }
    }
}

/// Gives the lines of an island their authors where it stands in the text, and nowhere else.
fn land(island: &[Line], lines: &mut [Line]) {
    let is_own = |line: &Line| line.by != By::Nobody;
    if !island.iter().any(|line| is_own(line) && is_telling(&line.text)) || island.len() > lines.len() {
        return;
    }
    let is_at = |at: &usize| island.iter().zip(&lines[*at..]).all(|(own, line)| fits(&own.text, &line.text));
    let mut places = (0..=lines.len() - island.len()).filter(is_at);
    let (Some(at), None) = (places.next(), places.next()) else { return };
    for (line, own) in lines[at..].iter_mut().zip(island) {
        if line.by == By::Nobody {
            line.by = own.by;
        }
    }
}

/// Puts a text in the place of another, where that is found as often as is said.
fn exchange(lines: &mut Vec<Line>, ending: &mut Ending, old: &str, new: &str, places: Places, by: By) -> Followed {
    let text = joined(lines.iter().map(|line| &*line.text), *ending);
    let mut found = occurrences(&text, old);
    match places {
        Places::Only if found.len() != 1 => return Followed::No,
        Places::Only | Places::All | Places::First if found.is_empty() => return Followed::No,
        Places::First => found.truncate(1),
        Places::Only | Places::All => {}
    }
    for place in found.into_iter().rev() {
        exchange_at(lines, &text, place, new, by);
    }
    // What ends the text may have been exchanged, too.
    if text.ends_with(old) && !old.is_empty() && !new.is_empty() {
        *ending = if new.ends_with('\n') {
            Ending::Newline
        } else if old.ends_with('\n') {
            Ending::Nothing
        } else {
            *ending
        };
    }
    Followed::Yes
}

/// Where a text stands in another; a recorded one may have marks in the place of secrets.
fn occurrences(text: &str, old: &str) -> Vec<Range<usize>> {
    let exact: Vec<_> = text.match_indices(old).map(|(at, _)| at..at + old.len()).collect();
    if !exact.is_empty() || !super::text::is_marked(old) {
        return exact;
    }
    let pattern = super::text::around_marks(old).into_iter().map(regex::escape).collect::<Vec<_>>().join("[^\\n]+?");
    let Ok(pattern) = regex::Regex::new(&pattern) else { return Vec::new() };
    pattern.find_iter(text).map(|found| found.range()).collect()
}

fn exchange_at(lines: &mut Vec<Line>, text: &str, place: Range<usize>, new: &str, by: By) {
    let start = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = |from: usize| text[from..].find('\n').map_or(text.len(), |at| from + at + 1);
    let is_at_end = |at: usize| at > start && text[..at].ends_with('\n');
    let head = &text[start..place.start];
    let mut end = if is_at_end(place.end) { place.end } else { line_end(place.end) };
    // What no longer ends goes on in the next line.
    let goes_on = end == place.end && !(head.is_empty() && new.is_empty()) && !new.ends_with('\n');
    if goes_on {
        end = line_end(end);
    }
    let region = format!("{head}{new}{}", &text[place.end..end]);
    let first = text[..start].matches('\n').count();
    let count = Text::of(&text[start..end]).lines.len();
    let old = &lines[first..(first + count).min(lines.len())];
    let replaced = align(old, &Text::of(&region).lines, by, Trust::Said);
    lines.splice(first..(first + count).min(lines.len()), replaced);
}
