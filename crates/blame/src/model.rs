//! One file as the record has it: its lines, and for each the call that brought it, as far as a call did.
//!
//! Where the text is not known, what calls put into it is kept as *islands*, until the text is seen. What differs when it is
//! seen came from nobody that the record knows.

use std::ops::Range;
use std::rc::Rc;

use annals_kernel::id::EntryId;

use super::deed::{Before, Extent, Hunk, LineRange, Places, Replaced, What};
use super::fit::{Trust, align, kept, overlap};
use super::hunk;
use super::island::{land, slide};
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
#[derive(Debug, Clone, Default, PartialEq, Eq)]
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

    /// A file that was just seen: its lines, and how it ends.
    pub(crate) fn seen(lines: Vec<Line>, ending: Ending) -> Self {
        Self { known: Some(lines), ending, islands: Vec::new() }
    }

    /// Whether the text is known.
    pub(crate) fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// Whether what a call says that it found stands there.
    pub(crate) fn admits(&self, what: &What) -> bool {
        let Some(lines) = &self.known else { return false };
        let has_text = |old: &str| joined(lines.iter().map(|line| &*line.text), self.ending).contains(old);
        match what {
            What::Replaced(replaced) => has_text(&replaced.old),
            What::Shown(_, hunks) | What::Hunks(hunks) => {
                hunks.iter().all(|hunk| hunk::place(lines, hunk, 0).is_some())
            }
            What::Seen(_, text, Extent::Part) => has(lines, &text.lines),
            What::Seen(_, text, Extent::All) => self.is(text),
            What::Whole(..)
            | What::Inserted(..)
            | What::Lines(..)
            | What::Appended(_)
            | What::Edited(_)
            | What::Removed
            | What::Moved(_)
            | What::Copied(_)
            | What::Restored
            | What::Opaque => true,
        }
    }

    /// How many lines differ from a text.
    pub(crate) fn distance(&self, text: &Text) -> usize {
        self.known.as_ref().map_or(usize::MAX, |lines| lines.len() + text.lines.len() - 2 * kept(lines, &text.lines))
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
        if self.replaced(replaced, by) == Followed::Yes {
            return;
        }
        let (old, new) = (Text::of(&replaced.old), Text::of(&replaced.new));
        // Its lines stood there, but for the first and the last, of which it may name a part.
        self.conform(&old.lines);
        if self.replaced(replaced, by) == Followed::No {
            self.forget(&old.lines, &new.lines);
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
            if let Some(end) = lines.into_iter().find_map(place) {
                from = end;
            } else {
                self.forget(&old, &hunk.new_lines());
                self.strand(hunk.island(by));
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
        *self = Self::seen(self.settled(text), text.ending);
    }

    /// Lines of it are seen as they are.
    fn conform(&mut self, part: &[Rc<str>]) {
        if part.is_empty() || self.known.iter().chain(&self.islands).any(|lines| has(lines, part)) {
            return;
        }
        if let Some(lines) = &mut self.known {
            shown(lines, part);
            return;
        }
        let seen = self.islands.iter_mut().find_map(|island| shown(island, part));
        if seen.is_none() {
            self.strand(nobodys(part));
        }
    }

    /// Lines that a call took away at a place that is not known: which of those with their text, nobody can say.
    fn forget(&mut self, old: &[Rc<str>], new: &[Rc<str>]) {
        let is_gone = |text: &Rc<str>| is_telling(text) && old.contains(text) && !new.contains(text);
        let lines = self.known.iter_mut().chain(&mut self.islands).flatten();
        lines.filter(|line| is_gone(&line.text)).for_each(|line| line.by = By::Nobody);
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
        let known = lines.clone();
        for island in &self.islands {
            land(island, &mut lines);
        }
        slide(&known, &mut lines);
        lines
    }
}

/// Whether a part of a text stands in it.
fn has(lines: &[Line], part: &[Rc<str>]) -> bool {
    part.is_empty()
        || lines.windows(part.len()).any(|window| window.iter().zip(part).all(|(line, text)| fits(&line.text, text)))
}

/// Puts a part of a text as it is seen into what is known of it. Lines above and below the first and last that both have stay:
/// whether they went, or others came between, is not shown.
fn shown(lines: &mut Vec<Line>, part: &[Rc<str>]) -> Option<()> {
    let place = overlap(lines, part)?;
    let mut new = nobodys(&part[..place.part.start]);
    new.extend(align(&lines[place.whole.clone()], &part[place.part.clone()], By::Nobody, Trust::Seen));
    new.extend(nobodys(&part[place.part.end..]));
    lines.splice(place.whole, new);
    Some(())
}

pub(crate) fn nobodys(texts: &[Rc<str>]) -> Vec<Line> {
    texts.iter().map(|text| Line { text: text.clone(), by: By::Nobody }).collect()
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
