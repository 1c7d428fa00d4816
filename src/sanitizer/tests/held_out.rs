//! Recall and false findings on members that were generated, and on code that the rules were not made after.

use super::generated::{Dice, carriers, names, passwords, placeholders, tokens};
use super::{cleaned, history, sanitizer};

/// How many passwords and placeholders are made.
const MEMBERS: usize = 200;

/// Seeds other than the one that the rules were written with in view.
const SEEDS: [u64; 3] = [2_027, 4_711, 90_210];

/// How many of how many, and the first that failed.
#[derive(Debug, Default)]
struct Share {
    hits: usize,
    all: usize,
    missed: Vec<String>,
}

impl Share {
    fn add(&mut self, hit: bool, text: impl FnOnce() -> String) {
        self.all += 1;
        self.hits += usize::from(hit);
        if !hit && self.missed.len() < 10 {
            self.missed.push(text());
        }
    }

    #[track_caller]
    fn check(&self, least_percent: usize) {
        super::corpus::note(&format_args!("{} of {} = {:.4}", self.hits, self.all, self.hits as f64 / self.all as f64));
        assert!(self.hits * 100 >= self.all * least_percent, "{} of {}: {:#?}", self.hits, self.all, self.missed);
    }
}

#[test]
fn weak_passwords_are_taken_out_of_twelve_carriers() {
    let mut share = Share::default();
    for seed in SEEDS {
        let mut dice = Dice::new(seed);
        for _ in 0..MEMBERS {
            let password = passwords::password(&mut dice);
            for carrier in carriers::CARRIERS {
                let text = carriers::carry(carrier, &password, &mut dice);
                let left = cleaned(&text);
                let written = carriers::written(carrier, &password);
                let in_json = serde_json::to_string(&written).expect("a string");
                let is_gone = !left.contains(&written) && !left.contains(in_json.trim_matches('"'));
                share.add(is_gone, || format!("{carrier}: {left}"));
            }
        }
    }
    share.check(98);
}

#[test]
fn placeholders_stay_in_all_carriers() {
    let mut share = Share::default();
    for seed in SEEDS {
        let mut dice = Dice::new(seed);
        for _ in 0..MEMBERS {
            let value = placeholders::placeholder(&mut dice);
            for carrier in carriers::CARRIERS {
                let text = carriers::carry(carrier, &value, &mut dice);
                share.add(cleaned(&text) == text, || format!("{carrier}: {text}"));
            }
        }
    }
    share.check(100);
}

#[test]
fn tokens_of_known_services_are_found_in_all_places() {
    let mut share = Share::default();
    for seed in SEEDS {
        let mut dice = Dice::new(seed);
        for (service, form) in tokens::SHAPES {
            for context in tokens::CONTEXTS {
                let token = tokens::token(form, &mut dice);
                let text = context.replace('@', &token).replace('␛', "\u{1b}");
                let left = cleaned(&text);
                let last = token.rsplit('/').next().expect("a part");
                share.add(!left.contains(last), || format!("{service}: {left}"));
            }
        }
    }
    share.check(99);
}

#[test]
fn names_of_other_languages_are_names_of_passwords() {
    let mut share = Share::default();
    for name in names::FOREIGN {
        for text in
            [format!("{name}: sunshine7\n"), format!(r#"{{"{name}":"sunshine7"}}"#), format!("{name} = \"sunshine7\"")]
        {
            share.add(!cleaned(&text).contains("sunshine7"), || text.clone());
        }
    }
    share.check(95);
}

#[test]
fn what_is_cut_leaves_all_else_byte_for_byte() {
    let mut dice = Dice::new(7);
    for _ in 0..MEMBERS {
        let password = passwords::password(&mut dice);
        for carrier in carriers::CARRIERS {
            let text = carriers::carry(carrier, &password, &mut dice);
            let once = sanitizer().sanitize_text(&text, &history()).text.into_owned();
            let (before, behind) = once.split_once("[REDACTED_PASSWORD]").unwrap_or((&text, ""));
            assert!(text.starts_with(before) && text.ends_with(behind), "{text}\n{once}");
            assert_eq!(cleaned(&once), once);
        }
    }
}
