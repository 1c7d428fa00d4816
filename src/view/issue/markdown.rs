//! A whole issue as Markdown: what `annals issue show` prints and what `issues/0042-title.md` holds.
//!
//! Does not know the time: the same log gives the same bytes.

use super::{LinkInfo, RemarkInfo, RevisionInfo, Thread};
use crate::domain::issue::decay::Fading;
use crate::domain::issue::row::RemarkKind;
use crate::kernel::grounding::{Checked, Escape, FileReference, Stance};
use crate::view::escape;

/// The name of its file.
pub fn file_name(thread: &Thread) -> String {
    const CHARS: usize = 48;
    let digits = thread.info.number.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    let twin = &thread.info.number[digits.len()..];
    let plain = |letter: char| if letter.is_alphanumeric() { letter.to_ascii_lowercase() } else { '-' };
    let slug: String = thread.info.title.chars().map(plain).collect();
    let words: Vec<&str> = slug.split('-').filter(|word| !word.is_empty()).collect();
    let slug: String = words.join("-").chars().take(CHARS).collect();
    format!("{digits:0>4}{twin}-{}.md", slug.trim_end_matches('-')).replace("-.md", ".md")
}

/// The whole issue.
pub fn page(thread: &Thread) -> String {
    let marks =
        thread.marks.iter().map(|mark| format!("\nmarked {} by {} ({})\n", mark.usefulness, mark.by, mark.entry));
    let body = Some(thread.body.trim_end()).filter(|body| !body.is_empty());
    let body = body.map(|body| format!("\n{body}\n"));
    let texts = body.into_iter().chain(timeline(thread)).chain(marks);
    std::iter::once(head(thread)).chain(texts).collect()
}

/// What was said, and how title and text changed, as it happened.
fn timeline(thread: &Thread) -> impl Iterator<Item = String> {
    let said = thread.thread.iter().map(|said| (said.id, remark(said)));
    let revised = thread.revisions.iter().map(|revision| (revision.id, revised(revision)));
    let mut all: Vec<_> = said.chain(revised).collect();
    all.sort_by_key(|(id, _)| *id);
    all.into_iter().map(|(_, text)| text)
}

fn revised(revision: &RevisionInfo) -> String {
    let RevisionInfo { at, by, title_was, text_was, .. } = revision;
    let title = title_was.as_ref().map(|was| format!("the title was: {}", escape::line(was)));
    let text = text_was.map(|was| format!("the text was that of {was}"));
    let was: Vec<String> = title.into_iter().chain(text).collect();
    format!("\n## {by} edited it, {at}\n\n{}\n", was.join("\n"))
}

fn head(thread: &Thread) -> String {
    let info = &thread.info;
    let assignee = info.assignee.as_ref().map(|agent| format!("; for {agent}")).unwrap_or_default();
    let mut lines = vec![
        format!("# #{} {}\n", info.number, escape::line(&info.title)),
        format!(
            "{}, {}, priority {}; opened by {} {}{assignee}",
            info.status,
            info.epistemic_status,
            info.priority_now(),
            info.author,
            info.opened_at
        ),
    ];
    if !info.tags.is_empty() {
        lines.push(format!("tags: {}", escape::line(&info.tags.join(" "))));
    }
    lines.extend(info.fading.as_ref().map(fading));
    lines.extend(
        thread.frozen.iter().map(|frozen| format!("frozen until {}: {}", frozen.until, escape::line(&frozen.reason))),
    );
    let link =
        |link: &LinkInfo| format!("{}: #{} {} ({})", link.kind, link.number, escape::line(&link.title), link.status);
    lines.extend(thread.links.iter().map(link));
    lines.join("\n") + "\n"
}

/// What `annals issue list` and `show` say from then on.
fn fading(fading: &Fading) -> String {
    let lower = fading.lower.map(|(lower, from)| format!("{lower} from {from}, ")).unwrap_or_default();
    format!("where nothing real touches it: {lower}archived from {}", fading.archived)
}

fn remark(said: &RemarkInfo) -> String {
    let stance = match said.stance {
        Stance::Support => ", for it",
        Stance::Oppose => ", against it",
        Stance::Neutral => "",
    };
    let kind = match said.kind {
        RemarkKind::Comment => "",
        RemarkKind::Resolution => " resolved it",
        RemarkKind::Guidance => " unfroze it",
        RemarkKind::Opinion => " (before hearing others)",
    };
    let impact = said.impact.map(|impact| format!(", {impact}")).unwrap_or_default();
    let head = format!("\n## {}{kind}, {}{stance}{impact}\n\n{}\n", said.author, said.at, said.body.trim_end());
    let mut checked = said.checked.iter();
    let files = said.evidence.files.iter().map(|file| format!("\n- {}", cited(file, checked.next())));
    let mut cited: Vec<String> = files.collect();
    cited.extend(said.evidence.issues.iter().map(|issue| format!("\n- issue {issue}")));
    cited.extend(said.evidence.canon.iter().map(|canon| format!("\n- canon {canon}")));
    let end = if cited.is_empty() { "" } else { "\n" };
    head + &cited.concat() + end
}

fn cited(file: &FileReference, checked: Option<&Checked>) -> String {
    let lines = file.lines.map(|lines| format!(":{lines}")).unwrap_or_default();
    format!("`{}{lines}` {}", file.path, checked.map_or("not checked".to_owned(), finding))
}

/// What was found of a cited file, in words.
pub fn finding(checked: &Checked) -> String {
    match (checked.escape, checked.exists, checked.lines_valid, checked.similarity) {
        (Some(Escape::Absolute), ..) => "not looked at: the path begins at the root".to_owned(),
        (Some(Escape::Parent), ..) => "not looked at: the path leaves the project".to_owned(),
        (Some(Escape::LinkOut), ..) => "not looked at: a link leads out of the project".to_owned(),
        (Some(Escape::NotAText), ..) => "not looked at: it is no text file".to_owned(),
        (Some(Escape::OwnRecord), ..) => "not looked at: the record of what was said proves nothing".to_owned(),
        (Some(Escape::Malformed), ..) => "not looked at: it cannot be a path".to_owned(),
        (None, false, ..) => "does not exist".to_owned(),
        (None, true, false, _) => "has no such lines".to_owned(),
        (None, true, true, None) if checked.is_blank => "is empty, and shows nothing".to_owned(),
        (None, true, true, None) => "exists".to_owned(),
        (None, true, true, Some(similarity)) => {
            let says = if checked.quote_matches() { "says that" } else { "does not say that" };
            format!("{says} ({}.{} %)", similarity / 10, similarity % 10)
        }
    }
}
