//! A plot as SVG, without scripts, fonts or links: any browser and any page of documentation shows it.

use std::fmt::Write as _;

use super::{Plot, Sample, label, marks, step};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 736.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 348.0;

const ATTENTION: &str = "#1f6feb";
const DECISION: &str = "#bc4c00";
const GRID: &str = "#d8dee4";
const INK: &str = "#24292f";
const PALE: &str = "#6e7781";

/// Where things are.
struct Frame<'p> {
    plot: &'p Plot,
    low: f64,
    high: f64,
}

impl Frame<'_> {
    fn x(&self, sample: &Sample) -> f64 {
        LEFT + self.plot.along(sample.at) * (RIGHT - LEFT)
    }

    fn y(&self, value: f64) -> f64 {
        BOTTOM - (value - self.low) / (self.high - self.low) * (BOTTOM - TOP)
    }
}

/// Draws a plot.
pub fn svg(plot: &Plot) -> String {
    let (low, high) = plot.range();
    let frame = Frame { plot, low, high };
    let mut drawn = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\" role=\"img\">\n\
         <title>{}</title>\n<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n",
        escaped(&plot.title)
    );
    head(&mut drawn, plot);
    values(&mut drawn, &frame);
    days(&mut drawn, &frame);
    bounds(&mut drawn, &frame);
    now(&mut drawn, &frame);
    curve(&mut drawn, &frame, DECISION, |sample| sample.decision);
    curve(&mut drawn, &frame, ATTENTION, |sample| sample.attention);
    drawn + "</svg>\n"
}

/// The title, and what the colours mean, with the values that they have now.
fn head(drawn: &mut String, plot: &Plot) {
    const MOST: usize = 90;
    let title = escaped(&crate::view::gist::cut(&plot.title, MOST));
    text(drawn, Point(LEFT, 22.0), &format!("font-size=\"14\" font-weight=\"bold\" fill=\"{INK}\""), &title);
    let current = plot.current().copied().unwrap_or(Sample { at: plot.now, attention: 0.0, decision: 0.0 });
    let entries = [("attention", ATTENTION, current.attention), ("decision", DECISION, current.decision)];
    for ((name, colour, value), x) in entries.into_iter().zip([LEFT, LEFT + 150.0]) {
        line(drawn, Point(x, 40.0), Point(x + 18.0, 40.0), &format!("stroke=\"{colour}\" stroke-width=\"2.5\""));
        text(drawn, Point(x + 24.0, 44.0), &format!("fill=\"{INK}\""), &format!("{name} {value:.3}"));
    }
    let bounds = [
        (format!("ignored below {}", plot.attention_bound), ATTENTION, LEFT + 330.0),
        (format!("advice beyond \u{b1}{}", plot.preference), DECISION, LEFT + 490.0),
    ];
    for (name, colour, x) in bounds {
        let style = format!("stroke=\"{colour}\" stroke-dasharray=\"3 4\"");
        line(drawn, Point(x, 40.0), Point(x + 18.0, 40.0), &style);
        text(drawn, Point(x + 24.0, 44.0), &format!("fill=\"{PALE}\""), &name);
    }
}

/// The axis of values.
fn values(drawn: &mut String, frame: &Frame<'_>) {
    const MARKS: f64 = 7.0;
    let step = step(frame.high - frame.low, MARKS);
    for mark in marks(frame.low, frame.high, step) {
        let y = frame.y(mark);
        let is_zero = mark.abs() < step / 2.0;
        let colour = if is_zero { PALE } else { GRID };
        line(drawn, Point(LEFT, y), Point(RIGHT, y), &format!("stroke=\"{colour}\""));
        let style = format!("fill=\"{PALE}\" text-anchor=\"end\"");
        text(drawn, Point(LEFT - 8.0, y + 4.0), &style, &label(mark, step));
    }
}

/// The axis of time, in days from now.
fn days(drawn: &mut String, frame: &Frame<'_>) {
    const MARKS: f64 = 10.0;
    let (first, last) = frame.plot.span();
    let past = crate::kernel::fade::days_between(first, frame.plot.now);
    let coming = crate::kernel::fade::days_between(frame.plot.now, last);
    let step = step(past + coming, MARKS).max(1.0);
    for mark in marks(-past, coming, step) {
        let x = LEFT + (mark + past) / (past + coming).max(f64::MIN_POSITIVE) * (RIGHT - LEFT);
        line(drawn, Point(x, BOTTOM), Point(x, BOTTOM + 5.0), &format!("stroke=\"{PALE}\""));
        let name = if mark.abs() < step / 2.0 { "now".to_owned() } else { label(mark, step) };
        text(drawn, Point(x, BOTTOM + 19.0), &format!("fill=\"{PALE}\" text-anchor=\"middle\""), &name);
    }
    line(drawn, Point(LEFT, BOTTOM), Point(RIGHT, BOTTOM), &format!("stroke=\"{PALE}\""));
    let style = format!("fill=\"{PALE}\" text-anchor=\"middle\"");
    let caption = format!("days from {}", frame.plot.now);
    text(drawn, Point(f64::midpoint(LEFT, RIGHT), BOTTOM + 40.0), &style, &caption);
}

/// Where the advice changes.
fn bounds(drawn: &mut String, frame: &Frame<'_>) {
    let (attention, preference) = (frame.plot.attention_bound, frame.plot.preference);
    for (value, colour) in [(attention, ATTENTION), (preference, DECISION), (-preference, DECISION)] {
        let y = frame.y(value);
        let style = format!("stroke=\"{colour}\" stroke-dasharray=\"3 4\" stroke-opacity=\"0.6\"");
        line(drawn, Point(LEFT, y), Point(RIGHT, y), &style);
    }
}

/// What has been, and what will be if nothing happens.
fn now(drawn: &mut String, frame: &Frame<'_>) {
    let x = LEFT + frame.plot.along(frame.plot.now) * (RIGHT - LEFT);
    line(drawn, Point(x, TOP), Point(x, BOTTOM), &format!("stroke=\"{PALE}\" stroke-dasharray=\"1 3\""));
}

fn curve(drawn: &mut String, frame: &Frame<'_>, colour: &str, value: impl Fn(&Sample) -> f64) {
    let points =
        frame.plot.samples.iter().map(|sample| format!("{:.2},{:.2}", frame.x(sample), frame.y(value(sample))));
    let points = points.collect::<Vec<_>>().join(" ");
    let _ = writeln!(
        drawn,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>"
    );
}

/// Right and down, in pixels.
#[derive(Clone, Copy)]
struct Point(f64, f64);

fn line(drawn: &mut String, from: Point, to: Point, style: &str) {
    let _ = writeln!(
        drawn,
        "<line x1=\"{:.2}\" y1=\"{:.2}\" x2=\"{:.2}\" y2=\"{:.2}\" {style}/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(drawn: &mut String, at: Point, style: &str, text: &str) {
    let _ = writeln!(drawn, "<text x=\"{:.2}\" y=\"{:.2}\" {style}>{text}</text>", at.0, at.1);
}

/// A text that cannot be taken for markup.
fn escaped(text: &str) -> String {
    let visible = crate::view::escape::line(text);
    visible.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
