//! Hits of several providers as one list: each weighed, near copies folded into one, those of one session not in a row.
//!
//! Does not find anything and keeps no weights.

use std::collections::BTreeMap;

use crate::hit::{Hit, HitKind};
use crate::weight::Weights;

/// How much of a score is the time: what is older by the half-life counts half of this less.
const TIME_SHARE: f64 = 0.2;

/// Days in which the share of the time is halved.
const HALF_LIFE_DAYS: f64 = 30.0;

/// What is left of a score for each better hit of the same session.
const NEXT_OF_SESSION: f64 = 0.9;

const DAY_MS: f64 = 86_400_000.0;

/// Weighs, folds and orders.
pub(crate) fn merge(hits: Vec<Hit>, weights: &Weights) -> Vec<Hit> {
    let newest = hits.iter().filter_map(|hit| hit.at).max();
    let weigh = |mut hit: Hit| {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of 285,000 years fit")]
        let days = newest.zip(hit.at).map_or(0.0, |(newest, at)| newest.since(at) as f64 / DAY_MS);
        let fresh = libm::exp2(-days / HALF_LIFE_DAYS);
        hit.score = (hit.score * (1.0 - TIME_SHARE + TIME_SHARE * fresh)).clamp(0.0, 1.0);
        hit.weighted_score = hit.score * weights.of(hit.source);
        hit
    };
    let folded = fold_copies(sorted(hits.into_iter().map(weigh).collect()));
    let spread = sorted(spread(folded));
    let most = spread.first().map_or(1.0, |best| best.weighted_score).max(1.0);
    // A weight above 1 must not carry a score out of its range.
    let within =
        |hit: Hit| Hit { weighted_score: rounded(hit.weighted_score / most), score: rounded(hit.score), ..hit };
    spread.into_iter().map(within).collect()
}

fn rounded(score: f64) -> f64 {
    (score * 10_000.0).round() / 10_000.0
}

/// The best first; of equals the latest, then by id, so that an answer is the same each time.
fn sorted(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by(|left, right| {
        let by_score = right.weighted_score.total_cmp(&left.weighted_score);
        by_score.then_with(|| right.at.cmp(&left.at)).then_with(|| (right.kind, &right.id).cmp(&(left.kind, &left.id)))
    });
    hits
}

/// Of one thing, and of texts that read alike but for numbers and blanks, the best stands for all.
fn fold_copies(hits: Vec<Hit>) -> Vec<Hit> {
    let mut kept: Vec<Hit> = Vec::new();
    let (mut by_id, mut by_text) = (BTreeMap::new(), BTreeMap::new());
    for hit in hits {
        let id = (hit.kind, hit.id.clone());
        let text = Some(gist(&hit)).filter(|text| !text.is_empty());
        let same: Option<usize> = by_id.get(&id).or_else(|| text.as_ref().and_then(|text| by_text.get(text))).copied();
        match same {
            // Two providers that find one thing are no copies.
            Some(at) if by_id.contains_key(&id) => join(&mut kept[at], hit),
            Some(at) => kept[at].copies += 1 + hit.copies,
            None => {
                let at = kept.len();
                by_id.insert(id, at);
                by_text.extend(text.map(|text| (text, at)));
                kept.push(hit);
            }
        }
    }
    kept
}

/// What another provider knows of the same thing.
fn join(kept: &mut Hit, other: Hit) {
    kept.because = kept.because.take().or(other.because);
    kept.at = kept.at.or(other.at);
    kept.session = kept.session.take().or(other.session);
    kept.weighted_score += other.weighted_score * 0.25;
}

/// What two copies have alike.
fn gist(hit: &Hit) -> String {
    if hit.kind != HitKind::Entry {
        return String::new();
    }
    let letters = hit.excerpt.text.chars().filter(|letter| letter.is_alphabetic());
    letters.flat_map(char::to_lowercase).collect()
}

/// A session with many hits leaves room for others.
fn spread(hits: Vec<Hit>) -> Vec<Hit> {
    let mut of_session: BTreeMap<_, i32> = BTreeMap::new();
    let next = |mut hit: Hit| {
        if let Some(session) = hit.session.clone().filter(|_| hit.kind == HitKind::Entry) {
            let before = of_session.entry(session).or_default();
            hit.weighted_score *= NEXT_OF_SESSION.powi((*before).min(20));
            *before += 1;
        }
        hit
    };
    hits.into_iter().map(next).collect()
}

#[cfg(test)]
mod tests {
    use annals_kernel::id::SessionId;
    use annals_kernel::time::Timestamp;

    use super::*;
    use crate::excerpt::Excerpt;
    use crate::hit::Source;

    fn hit(id: &str, text: &str, score: f64) -> Hit {
        Hit { score, ..Hit::of(Source::Text, HitKind::Entry, id, Excerpt::plain(text)) }
    }

    fn ids(hits: &[Hit]) -> Vec<(&str, u64)> {
        hits.iter().map(|hit| (hit.id.as_str(), hit.copies)).collect()
    }

    #[test]
    fn near_copies_are_one_and_counted() {
        let hits = vec![hit("a", "test 12 failed", 0.5), hit("b", "Test  7 failed", 0.9), hit("c", "other", 0.7)];
        assert_eq!(ids(&merge(hits, &Weights::default())), [("b", 1), ("c", 0)]);
    }

    #[test]
    fn what_two_providers_find_stands_higher_and_is_no_copy() {
        let fuzzy = Hit { source: Source::Fuzzy, because: Some("named".to_owned()), ..hit("a", "x", 0.5) };
        let merged = merge(vec![hit("a", "one", 0.5), hit("b", "two", 0.55), fuzzy], &Weights::default());
        assert_eq!(ids(&merged), [("a", 0), ("b", 0)]);
        assert_eq!(merged[0].because.as_deref(), Some("named"));
    }

    /// A meaning stands among words by its cosine; what both find is one hit that stands higher; equals have one order.
    #[test]
    fn what_is_found_by_meaning_is_merged_like_the_rest() {
        let of = |source, kind, id: &str, score| Hit { score, ..Hit::of(source, kind, id, Excerpt::plain(id)) };
        let text = |id, score| of(Source::Text, HitKind::Entry, id, score);
        let fuzzy = |id, score| of(Source::Fuzzy, HitKind::Belief, id, score);
        let near = |id, score| of(Source::Semantic, HitKind::Belief, id, score);
        let cases = [
            (vec![text("t", 0.6), near("s", 0.7)], vec!["s", "t"]),
            (vec![text("t", 0.8), near("s", 0.7)], vec!["t", "s"]),
            (vec![fuzzy("one", 0.9), near("one", 0.6), near("two", 0.65)], vec!["one", "two"]),
            (vec![near("a", 0.5), near("c", 0.5), near("b", 0.5)], vec!["c", "b", "a"]),
            (vec![near("c", 0.5), near("b", 0.5), near("a", 0.5)], vec!["c", "b", "a"]),
            (vec![near("s", 0.0), text("t", 0.1)], vec!["t", "s"]),
        ];
        for (hits, expected) in cases {
            let told = format!("{hits:?}");
            let merged = merge(hits, &Weights::default());
            assert_eq!(merged.iter().map(|hit| hit.id.as_str()).collect::<Vec<_>>(), expected, "{told}");
        }
        let none = merge(vec![text("t", 0.1), near("s", 0.9)], &Weights::default().with(Source::Semantic, 0.0));
        assert_eq!(ids(&none), [("t", 0), ("s", 0)], "a weight of nothing");
    }

    #[test]
    fn newer_comes_first_and_one_session_leaves_room() {
        let at = |day: i64| Some(Timestamp::from_millis(day * 86_400_000));
        let of = |id: &str, text: &str, session: &str, day| Hit {
            at: at(day),
            session: Some(SessionId::from(session)),
            ..hit(id, text, 0.8)
        };
        let hits =
            vec![of("old", "a", "s", 1), of("new", "b", "t", 90), of("next", "c", "t", 90), of("third", "d", "u", 89)];
        let merged = merge(hits, &Weights::default());
        assert_eq!(ids(&merged), [("next", 0), ("third", 0), ("new", 0), ("old", 0)]);
        assert!(merged.iter().all(|hit| (0.0..=1.0).contains(&hit.weighted_score)));
    }
}
