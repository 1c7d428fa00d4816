//! Recall and false findings on members that were generated, and on code that the rules were not made after.

use super::generated::{Dice, carriers, names, passwords, placeholders, tokens};
use super::{cleaned, history, sanitizer};

/// How many passwords and placeholders are made.
const MEMBERS: usize = 200;

/// Seeds other than the one that the rules were written with in view.
const SEEDS: [u64; 3] = [2_027, 4_711, 90_210];

/// How many of how many, and the first that failed.
#[derive(Debug, Default)]
struct HeldOutShare {
    hits: usize,
    all: usize,
    missed: Vec<String>,
}

impl HeldOutShare {
    fn add(&mut self, hit: bool, text: impl FnOnce() -> String) {
        self.all += 1;
        self.hits += usize::from(hit);
        if !hit && self.missed.len() < 10 {
            self.missed.push(text());
        }
    }

    #[track_caller]
    #[allow(clippy::cast_precision_loss, reason = "a figure for people")]
    fn check(&self, what: &str, least_percent: usize) {
        super::corpus::note(&format_args!(
            "| {what} | {} of {} = {:.4} |",
            self.hits,
            self.all,
            self.hits as f64 / self.all as f64
        ));
        assert!(self.hits * 100 >= self.all * least_percent, "{} of {}: {:#?}", self.hits, self.all, self.missed);
    }
}

/// Every carrier with each value: its name, the value, the text.
fn in_carriers(make: fn(&mut Dice) -> String, mut see: impl FnMut(&str, &str, &str)) {
    for seed in SEEDS {
        let mut dice = Dice::new(seed);
        for _ in 0..MEMBERS {
            let value = make(&mut dice);
            for carrier in carriers::CARRIERS {
                see(carrier, &value, &carriers::carry(carrier, &value, &mut dice));
            }
        }
    }
}

#[test]
fn weak_passwords_are_taken_out_of_twelve_carriers() {
    let mut share = HeldOutShare::default();
    in_carriers(passwords::password, |carrier, password, text| {
        let left = cleaned(text);
        let written = carriers::written(carrier, password);
        let in_json = serde_json::to_string(&written).expect("a string");
        let is_gone = !left.contains(&written) && !left.contains(in_json.trim_matches('"'));
        share.add(is_gone, || format!("{carrier}: {left}"));
    });
    share.check("weak passwords in twelve carriers, taken out", 98);
}

/// What tools print comes as a string of JSON: there, lines end as `\n`, and quotes are escaped.
#[test]
fn a_text_loses_the_same_as_a_string_of_json() {
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let in_json = |value: &serde_json::Value| read(&sanitizer().sanitize_json(&value.to_string(), &history()).text);
    in_carriers(passwords::password, |carrier, _, text| {
        let json = serde_json::json!({ "content": text });
        let twice = in_json(&serde_json::json!({ "result": json.to_string() }));
        let inner = read(twice["result"].as_str().expect("a text"));
        let expected = serde_json::json!({ "content": cleaned(text) });
        assert_eq!([in_json(&json), inner], [expected.clone(), expected], "{carrier}: {text}");
    });
}

#[test]
fn placeholders_stay_in_all_carriers() {
    let mut share = HeldOutShare::default();
    in_carriers(placeholders::placeholder, |carrier, _, text| {
        share.add(cleaned(text) == text, || format!("{carrier}: {text}"));
    });
    share.check("placeholders in twelve carriers, kept", 100);
}

#[test]
fn tokens_of_known_services_are_found_in_all_places() {
    let mut share = HeldOutShare::default();
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
    share.check("token shapes in fourteen places, found", 99);
}

#[test]
fn names_of_other_languages_are_names_of_passwords() {
    let mut share = HeldOutShare::default();
    for name in names::FOREIGN {
        for text in
            [format!("{name}: sunshine7\n"), format!(r#"{{"{name}":"sunshine7"}}"#), format!("{name} = \"sunshine7\"")]
        {
            share.add(!cleaned(&text).contains("sunshine7"), || text.clone());
        }
    }
    share.check("names of passwords in other languages, known", 95);
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

/// Code of others, where `ANNALS_LIBRARY_CODE` says that it is at hand: one half by a hash of the package's name was
/// looked at while the rules were made, the other was not.
#[test]
#[allow(clippy::disallowed_methods, reason = "a test on data that is not ours to ship is asked for by the environment")]
fn library_code_is_hardly_altered() {
    let Some(folder) = std::env::var_os("ANNALS_LIBRARY_CODE").map(std::path::PathBuf::from) else { return };
    let mut lines = [0usize; 2];
    let mut findings = [0usize; 2];
    for file in super::corpus::files(&folder) {
        let is_code = file.extension().is_some_and(|end| CODE.iter().any(|code| end == *code));
        let Some(text) = is_code.then(|| std::fs::read_to_string(&file).ok()).flatten() else { continue };
        let inner = file.strip_prefix(&folder).expect("a file of the folder");
        let package = inner.components().nth(1).map(|part| part.as_os_str().to_string_lossy().into_owned());
        let digest = annals_kernel::json::sha256_hex(package.unwrap_or_default().as_bytes());
        let half = usize::from(u8::from_str_radix(&digest[7..8], 16).expect("a digit") % 2);
        lines[half] += text.lines().count();
        findings[half] += sanitizer().sanitize_text(&text, &history()).findings.len();
    }
    for (half, what) in ["looked at", "judged"].into_iter().enumerate() {
        let a_million = findings[half] * 1_000_000 / lines[half].max(1);
        super::corpus::note(&format_args!(
            "| library code, the half {what} | {} lines, {a_million} findings in a million |",
            lines[half]
        ));
    }
    assert!(findings[1] * 1_000_000 <= lines[1] * 20, "{findings:?} in {lines:?}");
}

/// Ends of the names of files with code.
const CODE: &[&str] = &["rs", "py", "js", "ts", "go", "c", "h", "cpp", "toml", "md", "java", "rb", "sh", "yml", "yaml"];
