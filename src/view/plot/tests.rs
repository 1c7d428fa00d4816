//! What is drawn is the same in every run, whatever is drawn.

use super::{Plot, Sample, label, lines, marks, step, svg};
use crate::kernel::fade::DAY_MS;
use crate::kernel::time::Timestamp;

fn day(number: i64) -> Timestamp {
    Timestamp::from_millis(1_763_700_000_000 + number * DAY_MS)
}

fn plot(values: &[(i64, f64, f64)]) -> Plot {
    let sample = |(at, attention, decision): &(i64, f64, f64)| Sample {
        at: day(*at),
        attention: *attention,
        decision: *decision,
    };
    Plot {
        title: "tool:a <b> & \"c\"\u{1b}  path:x".into(),
        samples: values.iter().map(sample).collect(),
        now: day(3),
        attention_bound: 0.5,
        preference: 0.2,
    }
}

#[test]
fn marks_are_ones_twos_and_fives() {
    let steps = [0.9, 3.0, 7.0, 70.0, 200.0].map(|span| label(step(span, 7.0), 0.1));
    assert_eq!(steps, ["0.2", "0.5", "1.0", "10.0", "50.0"]);
    let texts: Vec<_> = marks(-0.41, 0.5, 0.2).into_iter().map(|mark| label(mark, 0.2)).collect();
    assert_eq!(texts, ["-0.4", "-0.2", "0.0", "0.2", "0.4"]);
}

#[test]
fn nothing_in_a_title_is_markup_or_moves_a_cursor() {
    let drawn = svg(&plot(&[(0, 0.9, -0.9), (9, 0.1, -0.1)]));
    assert!(drawn.contains(r"tool:a &lt;b&gt; &amp; &quot;c&quot;\u{1b}  path:x"), "{drawn}");
    assert!(!drawn.contains('\u{1b}'));
}

#[test]
fn anything_can_be_drawn() {
    for values in [&[][..], &[(3, 0.0, 0.0)], &[(3, 1e6, -1e6), (4, 1e6, -1e6)], &[(0, 0.0, 0.0), (900, 0.0, 0.0)]] {
        let plot = plot(values);
        let drawn = svg(&plot);
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        for width in [0, 40, 80, usize::MAX] {
            assert!(lines(&plot, width).iter().all(|line| line.chars().count() <= 110));
        }
        assert_eq!(drawn, svg(&plot));
    }
}
