//! A plot drawn with characters: `*` is attention, `o` is decision.

use super::{Plot, Sample, label, marks, step};

const ROWS: usize = 17;
const MARGIN: usize = 8;
const LEAST_COLUMNS: usize = 24;
const MOST_COLUMNS: usize = 100;

/// Draws a plot as lines of at most so many characters.
pub fn lines(plot: &Plot, width: usize) -> Vec<String> {
    let columns = width.saturating_sub(MARGIN).clamp(LEAST_COLUMNS, MOST_COLUMNS);
    let (low, high) = plot.range();
    let row = |value: f64| place((high - value) / (high - low), ROWS);
    let mut cells = vec![vec![' '; columns]; ROWS];
    draw_level(&mut cells, row(0.0), '-');
    for bound in [plot.attention_bound, plot.preference, -plot.preference] {
        draw_level(&mut cells, row(bound), '.');
    }
    let now = place(plot.along(plot.now), columns);
    for line in &mut cells {
        line[now] = '|';
    }
    let samples = (0..columns).filter_map(|column| Some((column, sample_at(plot, column, columns)?)));
    for (column, sample) in samples {
        // Attention last, so that it is seen where both stand at one place: it decides whether the other counts.
        cells[row(sample.decision)][column] = 'o';
        cells[row(sample.attention)][column] = '*';
    }
    let names = names(low, high, row);
    let mut lines = vec![plot.title.clone()];
    let drawn = cells.iter().zip(&names).map(|(cells, name)| format!("{name:>6} {}", cells.iter().collect::<String>()));
    lines.extend(drawn.map(|line| line.trim_end().to_owned()));
    lines.push(foot(plot, now, columns));
    let current = plot.current().map_or((0.0, 0.0), |sample| (sample.attention, sample.decision));
    lines.push(format!("* attention {:.3}   o decision {:.3}   . where the advice changes", current.0, current.1));
    lines
}

/// Which of so many cells a part stands for.
fn place(part: f64, count: usize) -> usize {
    let cells = u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is 0 to the count")]
    let place = (part.clamp(0.0, 1.0) * f64::from(cells)).round() as usize;
    place
}

fn draw_level(cells: &mut [Vec<char>], row: usize, sign: char) {
    let every = if sign == '.' { 3 } else { 1 };
    cells[row].iter_mut().step_by(every).for_each(|cell| *cell = sign);
}

/// The sample that is nearest to a column.
fn sample_at(plot: &Plot, column: usize, columns: usize) -> Option<&Sample> {
    let distance = |sample: &&Sample| place(plot.along(sample.at), columns).abs_diff(column);
    plot.samples.iter().min_by_key(distance)
}

/// What stands before each row.
fn names(low: f64, high: f64, row: impl Fn(f64) -> usize) -> Vec<String> {
    const MARKS: f64 = 6.0;
    let mut names = vec![String::new(); ROWS];
    let step = step(high - low, MARKS);
    for mark in marks(low, high, step) {
        names[row(mark)] = label(mark, step);
    }
    names
}

/// The first day, now, and the last day.
fn foot(plot: &Plot, now: usize, columns: usize) -> String {
    const DAY: usize = 10;
    let (first, last) = plot.span();
    let mut foot = vec![' '; columns.max(DAY)];
    let mut put = |at: usize, text: &str| {
        for (place, letter) in text.chars().enumerate() {
            if let Some(cell) = foot.get_mut(at + place) {
                *cell = letter;
            }
        }
    };
    put(0, &first.day().to_string());
    put(columns.saturating_sub(DAY), &last.day().to_string());
    if now > DAY && now + "now".len() + DAY < columns {
        put(now, "now");
    }
    let foot: String = foot.into_iter().collect();
    format!("{:7}{}", "", foot.trim_end())
}
