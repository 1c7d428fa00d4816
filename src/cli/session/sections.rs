//! Sections of a page within a budget of tokens: a heading stands only above something, and says what is missing below it.
//!
//! Does not know what a section is about.

use super::super::pack::tokens_of;

/// What a line says that stands for others: `- … and 10 more`.
const MORE_BEGINS: &str = "- … and ";
const MORE_ENDS: &str = " more";
/// So many tokens are kept for it.
const MORE_TOKENS: u64 = 10;

/// A heading, and what stands below it.
#[derive(Debug, Default)]
struct PageSection {
    heading: String,
    lines: Vec<String>,
    /// How many more there are that the page never had.
    more: usize,
}

/// A page that fits.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FittedPage {
    pub(super) lines: Vec<String>,
    /// How many lines did not fit.
    pub(super) left_out: usize,
    pub(super) tokens: u64,
}

/// As much of a page as fits, from the first section on.
pub(super) fn fitted(page: &[String], budget: u64) -> FittedPage {
    let mut fitted = FittedPage { lines: Vec::new(), left_out: 0, tokens: 0 };
    for section in sections(page) {
        fitted.take(&section, budget);
    }
    fitted
}

fn sections(page: &[String]) -> Vec<PageSection> {
    let mut sections: Vec<PageSection> = Vec::new();
    for line in page.iter().filter(|line| !line.trim().is_empty()) {
        if line.starts_with('#') || sections.is_empty() {
            sections.push(PageSection::default());
        }
        let section = sections.last_mut().expect("BUG: there is one");
        let more = line.strip_prefix(MORE_BEGINS).and_then(|rest| rest.strip_suffix(MORE_ENDS)?.parse().ok());
        match more {
            Some(more) => section.more = more,
            None if line.starts_with('#') => section.heading.clone_from(line),
            None => section.lines.push(line.clone()),
        }
    }
    sections
}

impl FittedPage {
    fn take(&mut self, section: &PageSection, budget: u64) {
        let is_title = section.lines.is_empty();
        let head = if self.lines.is_empty() { vec![] } else { vec![String::new()] };
        let below = if is_title || section.heading.is_empty() { vec![] } else { vec![String::new()] };
        let heading = Some(section.heading.clone()).filter(|heading| !heading.is_empty());
        let mut lines: Vec<String> = head.into_iter().chain(heading).chain(below).collect();
        let (mut tokens, mut kept) = (cost(&lines), 0);
        for line in &section.lines {
            let is_last = kept + 1 == section.lines.len() && section.more == 0;
            let reserve = if is_last { 0 } else { MORE_TOKENS };
            if self.tokens + tokens + tokens_of(line) + reserve <= budget {
                tokens += tokens_of(line);
                lines.push(line.clone());
                kept += 1;
            }
        }
        self.left_out += section.lines.len() - kept;
        let missing = section.lines.len() - kept + section.more;
        if missing > 0 {
            let more = format!("{MORE_BEGINS}{missing}{MORE_ENDS}");
            tokens += tokens_of(&more);
            lines.push(more);
        }
        let has_something = kept > 0 || is_title;
        if has_something && self.tokens + tokens <= budget {
            self.lines.extend(lines);
            self.tokens += tokens;
        } else if has_something {
            self.left_out += kept;
        }
    }
}

fn cost(lines: &[String]) -> u64 {
    lines.iter().map(|line| tokens_of(line)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Vec<String> {
        let lines = "# Mend the login\n## Asked\n\n- one two three four\n- five six seven\n- eight nine\n- … and 10 more\n\n## \
                     Commands run\n\n- `cargo test`\n";
        lines.lines().map(str::to_owned).collect()
    }

    #[test]
    fn no_heading_stands_above_nothing_and_what_is_missing_is_counted_whole() {
        for budget in 0..200 {
            let FittedPage { lines, left_out, tokens } = fitted(&page(), budget);
            assert!(tokens <= budget, "{tokens} of {budget}");
            let is_heading = |line: &&String| line.starts_with("## ");
            let headings = lines.iter().filter(is_heading).count();
            let ends_bare = lines.last().is_some_and(|line| is_heading(&line) || line.is_empty());
            assert!(!ends_bare && headings <= 2, "{budget}: {lines:?}");
            let shown = lines.iter().filter(|line| line.starts_with("- ") && !line.starts_with(MORE_BEGINS)).count();
            assert_eq!(shown + left_out, 4, "{budget}: {lines:?}");
            let asked = lines.iter().filter(|line| line.starts_with(MORE_BEGINS)).collect::<Vec<_>>();
            if let [more] = asked.as_slice() {
                let of_asked =
                    lines.iter().filter(|line| line.contains("one") || line.contains("five") || line.contains("eight"));
                assert_eq!(**more, format!("- … and {} more", 13 - of_asked.count()), "{budget}");
            }
        }
        let all = fitted(&page(), 500);
        assert_eq!(all.left_out, 0);
        assert!(all.lines.contains(&"- … and 10 more".to_owned()), "{all:?}");
    }
}
