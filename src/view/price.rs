//! What tokens cost: as tools reported it, else by the prices of `usage.prices`, else by the built-in ones, else not known.
//!
//! Never guesses: a model without a price is named, and a built-in price stands for its family only, never for a later
//! version.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use serde::Serialize;

use crate::domain::usage::Tally;
use crate::engine::settings::Price;
use crate::kernel::id::ModelId;

/// Prices by the name of a model, or the beginning of one.
pub type Prices = BTreeMap<String, Price>;

/// What something cost, in millionths of a US dollar.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Cost {
    /// As tools reported it; nothing where none did.
    pub reported_micro_usd: Option<i64>,
    /// By our prices; nothing where no token has one.
    pub priced_micro_usd: Option<i64>,
    /// The month of the built-in prices, where any of it comes from them.
    pub prices_of: Option<&'static str>,
    /// Models that wrote or read tokens and have neither.
    #[always]
    pub unpriced: BTreeSet<ModelId>,
}

impl Cost {
    /// What is known of the cost of tokens, by model; nothing where no token is.
    pub fn of<'t>(tallies: impl IntoIterator<Item = (&'t ModelId, &'t Tally)>, prices: &Prices) -> Option<Self> {
        let mut cost = Self::default();
        for (model, tally) in tallies {
            cost.add(model, tally, prices);
        }
        Some(cost).filter(|cost| *cost != Self::default())
    }

    fn add(&mut self, model: &ModelId, tally: &Tally, prices: &Prices) {
        // What a tool reported is what was paid: a price of ours beside it would count the same tokens twice.
        if tally.usage.cost_micro_usd != 0 {
            *self.reported_micro_usd.get_or_insert_default() += tally.usage.cost_micro_usd;
        } else if tokens(tally) > 0 {
            let own = price_of(model, prices).copied();
            let built_in = || Some((built_in(model.as_str())?, Some(month())));
            match own.map(|price| (price, None)).or_else(built_in) {
                Some((price, month)) => {
                    *self.priced_micro_usd.get_or_insert_default() += priced(tally, &price);
                    self.prices_of = self.prices_of.or(month);
                }
                None => drop(self.unpriced.insert(model.clone())),
            }
        }
    }

    /// For people: `$1.23`, `$1.23 + unknown`, or `unknown`.
    pub fn text(&self) -> String {
        let known =
            [self.reported_micro_usd, self.priced_micro_usd].into_iter().flatten().reduce(|one, other| one + other);
        match (known, self.unpriced.is_empty()) {
            (None, _) => "unknown".to_owned(),
            (Some(known), true) => dollars(known),
            (Some(known), false) => format!("{} + unknown", dollars(known)),
        }
    }
}

fn dollars(micro: i64) -> String {
    let cents = (micro + 5000).div_euclid(10_000);
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// All tokens of a tally.
pub fn tokens(tally: &Tally) -> i64 {
    let usage = &tally.usage;
    let others = i64::try_from(tally.other_tokens).unwrap_or(i64::MAX);
    usage.input + usage.cache_read + usage.cache_write + usage.output + others
}

/// The price of a model's own name, else of the longest name that it begins with: versions carry dates.
fn price_of<'p>(model: &ModelId, prices: &'p Prices) -> Option<&'p Price> {
    let begins = prices.iter().filter(|(name, _)| model.as_str().starts_with(name.as_str()) && !name.is_empty());
    begins.max_by_key(|(name, _)| name.len()).map(|(_, price)| price)
}

/// The prices that come with the program.
// Without them `stats` said "unpriced" of every model, until somebody entered prices by hand.
const BUILT_IN: &str = include_str!("prices.txt");

/// The month in which they were looked up.
fn month() -> &'static str {
    BUILT_IN.lines().next().unwrap_or_default()
}

/// The built-in price of the family of a model: its name with nothing, a date or `latest` behind it.
fn built_in(model: &str) -> Option<Price> {
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase().replace('.', "-");
    // Less than a date is the number of a later version, which may cost anything.
    let is_date = |rest: &str| rest.len() >= 8 && rest.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
    let is_family = |family: &str| {
        let rest = name.strip_prefix(family)?;
        let behind = rest.strip_prefix(['-', '@', ':']);
        (rest.is_empty() || behind.is_some_and(|rest| is_date(rest) || rest == "latest" || rest == "preview"))
            .then_some(())
    };
    BUILT_IN.lines().skip(1).filter(|line| !line.starts_with('#')).find_map(|line| {
        let mut words = line.split(' ');
        is_family(words.next()?)?;
        let mut number = || words.next()?.parse().ok();
        Some(Price { input: number()?, output: number()?, cache_read: number()?, cache_write: number()? })
    })
}

/// Dollars for a million tokens are millionths of a dollar for one.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
fn priced(tally: &Tally, price: &Price) -> i64 {
    let usage = &tally.usage;
    let parts = [
        (usage.input, price.input),
        (usage.output, price.output),
        (usage.cache_read, price.cache_read),
        (usage.cache_write, price.cache_write),
    ];
    parts.iter().map(|(tokens, dollars)| *tokens as f64 * dollars).sum::<f64>().round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::annals::Usage;

    fn tally(input: i64, output: i64, cost_micro_usd: i64) -> Tally {
        Tally { usage: Usage { input, output, cost_micro_usd, ..Usage::default() }, other_tokens: 0 }
    }

    #[test]
    fn cost_is_reported_or_priced_or_said_to_be_unknown() {
        let price = Price { input: 3.0, output: 15.0, ..Price::default() };
        let prices = Prices::from([("sonnet".to_owned(), price), ("sonnet-mini".to_owned(), Price::default())]);
        let tallies = [
            (ModelId::from("gpt"), tally(10, 10, 2_500_000)),
            (ModelId::from("sonnet-20260101"), tally(1_000_000, 100_000, 0)),
            (ModelId::from("sonnet-mini-1"), tally(1_000_000, 0, 0)),
            (ModelId::from("local"), tally(5, 0, 0)),
            (ModelId::from("silent"), tally(0, 0, 0)),
        ];
        let cost = Cost::of(tallies.iter().map(|(model, tally)| (model, tally)), &prices);
        let expected = Cost {
            reported_micro_usd: Some(2_500_000),
            priced_micro_usd: Some(4_500_000),
            prices_of: None,
            unpriced: BTreeSet::from([ModelId::from("local")]),
        };
        assert_eq!(cost, Some(expected));
        assert_eq!(cost.map(|cost| cost.text()).as_deref(), Some("$7.00 + unknown"));
    }

    /// What is not known is not zero.
    #[test]
    fn what_nobody_knows_has_no_figure() {
        let prices = Prices::from([("free".to_owned(), Price::default())]);
        let of = |model: &str, input| {
            let (model, tally) = (ModelId::from(model), tally(input, 0, 0));
            let cost = Cost::of([(&model, &tally)], &prices);
            cost.map(|cost| (serde_json::to_string(&cost).expect("JSON"), cost.text()))
        };
        assert_eq!(of("local", 0), None, "no token is known");
        let told = |json: &str, text: &str| Some((json.to_owned(), text.to_owned()));
        assert_eq!(of("local", 5), told(r#"{"unpriced":["local"]}"#, "unknown"));
        assert_eq!(of("free", 5), told(r#"{"priced_micro_usd":0,"unpriced":[]}"#, "$0.00"));
    }

    #[test]
    fn a_built_in_price_stands_for_its_family_only() {
        let rows = [
            ("claude-sonnet-4-5-20250929", Some(3.0)),
            ("anthropic/Claude-Sonnet-4.5", Some(3.0)),
            ("claude-opus-4-20250514", Some(15.0)),
            ("claude-opus-4-5", Some(5.0)),
            ("claude-opus-4-9", None),
            ("claude-opus-5-5", None),
            ("gpt-5", Some(1.25)),
            ("gpt-5-2025-08-07", Some(1.25)),
            ("gpt-5.2", Some(1.75)),
            ("gpt-5.5", None),
            ("gpt-5-pro", None),
            ("gemini-2.5-flash-lite", Some(0.1)),
            ("gemini-3-pro-preview", Some(2.0)),
            ("", None),
            ("o3", Some(2.0)),
            ("o34", None),
        ];
        for (model, input) in rows {
            assert_eq!(built_in(model).map(|price| price.input), input, "{model}");
        }
        let priced = BUILT_IN.lines().skip(1).filter(|line| !line.starts_with('#'));
        for line in priced {
            let family = line.split(' ').next().expect("a name");
            assert!(built_in(family).is_some_and(|price| price.output > price.input), "{line}");
        }
    }

    #[test]
    fn a_setting_overrides_a_built_in_price() {
        let (model, used) = (ModelId::from("gpt-5"), tally(1_000_000, 0, 0));
        let cost = |prices: &Prices| Cost::of([(&model, &used)], prices).expect("known");
        let built_in = Cost { priced_micro_usd: Some(1_250_000), prices_of: Some("2026-02"), ..Cost::default() };
        assert_eq!(cost(&Prices::new()), built_in);
        let own = Prices::from([("gpt".to_owned(), Price { input: 2.0, ..Price::default() })]);
        assert_eq!(cost(&own), Cost { priced_micro_usd: Some(2_000_000), ..Cost::default() });
    }
}
