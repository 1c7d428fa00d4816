//! What a person's words ask for: clauses that begin with a verb of doing, as orders do.
//!
//! Questions, reports, pasted output and documents ask for nothing: of the prompts that name a danger, most only speak of it.
//! An agent's words are read by `asked`, which takes more for an act, because a plan is easily worded as a question.

use super::asked::{is_about_code, is_release, is_told, unnamed};
use super::identity::canonical;
use super::phrases::PhraseText;
use annals_kernel::own_words::asks;
use annals_kernel::pattern::Pattern;

/// The end of a sentence, and the mark that it ends with.
static ENDS: Pattern = Pattern::new(r"[.!?;:](?:\s+|$)|\n|\s[-–—]\s");

/// Where a clause of a sentence ends.
static PARTS: Pattern = Pattern::new(r",|\b(?i:and|then|but|because|so that|(?:can|could|would) you)\b");

/// What begins an order behind a question, where no mark parts the two.
static ASKED_BEHIND: Pattern = Pattern::new(r"\b(?i:let['’]?s|please|go ahead and)\s");

/// What leads to an order and is none of it.
const LEADS: [&str; 29] = [
    "alright", "also", "and", "cool", "first", "great", "hey", "immediately", "just", "kindly", "nice", "next", "now",
    "ok", "okay", "perfect", "please", "pls", "plz", "right", "so", "sure", "thanks", "then", "well", "yep", "yes",
    "yeah", "finally",
];

/// What makes an order of the verb behind it.
const ASKING: [&str; 34] = [
    "can you", "could you", "would you", "will you", "i want you to", "i need you to", "i want to",
    "i would like you to", "i would like to", "id like you to", "id like to", "you can", "you should", "you must",
    "you need to", "we should", "we must", "we need to", "we have to", "lets", "let us", "go ahead", "help me",
    "i will", "ill", "we will", "going to", "ready to", "time to", "to", "need to", "do", "if not", "if so",
];

/// Acts, beside those that settings name.
const ACTS: [&str; 34] = [
    "apply", "bring", "clean", "clear", "empty", "execute", "force", "git", "kill", "migrate", "overwrite", "perform",
    "promote", "prune", "push", "put", "reset", "restart", "restore", "revert", "rewrite", "roll", "rollback", "run",
    "send", "ship", "shut", "stop", "submit", "switch", "terminate", "trigger", "turn", "upload",
];

/// What is done with credentials, and with what protects.
const GUARDS: [&str; 22] = [
    "allow", "change", "commit", "delete", "disable", "enable", "enforce", "expose", "generate", "give", "grant",
    "limit", "put", "remove", "replace", "reset", "restrict", "revoke", "rotate", "send", "set", "share",
];

/// So near behind its verb stands what it is about.
const NEAR: usize = 6;

/// Names of what is acted on: at the beginning of a clause they order nothing.
const THINGS: [&str; 4] = ["deployment", "prod", "production", "rollout"];

/// What begins a reason, a condition or a contrast, which the rest of a sentence may belong to.
const REASONS: [&str; 6] = ["although", "as", "because", "since", "while", "whenever"];

/// In a longer text a word alone is a heading, or the name of a button.
const LONGEST_BARE: usize = 3;

/// A clause that asks for something, in canonical form, from its verb on; and the same with the rest of its sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Order {
    clause: String,
    onward: String,
}

/// The orders in a person's own words.
pub(super) fn orders(own: &str) -> Vec<Order> {
    let own = unnamed(own);
    let is_short = own.split_whitespace().count() <= LONGEST_BARE;
    let of_sentence = |sentence| if is_question(&sentence) { behind_question(sentence) } else { parts(sentence) };
    let all = sentences(&own).into_iter().flat_map(of_sentence);
    all.filter(|order| is_short || order.clause.contains(' ')).collect()
}

/// What is asked for behind a question within its sentence: "is anything left, if not lets delete the branch".
fn behind_question(sentence: &str) -> Vec<Order> {
    let (asked, rest) = ASKED_BEHIND.find(sentence).map_or(("", ""), |lead| sentence.split_at(lead.start()));
    let is_if = ["if i", "if we", "if you"].iter().any(|words| asked.trim_end().to_lowercase().ends_with(words));
    if is_if || rest.is_empty() || rest.ends_with('?') { Vec::new() } else { parts(rest) }
}

/// The sentences of a text, each with the mark at its end.
fn sentences(text: &str) -> Vec<&str> {
    let mut from = 0;
    let ends = ENDS.find_iter(text).map(|end| end.end()).chain([text.len()]);
    let cut = ends.map(|end| {
        let sentence = text[from..end].trim();
        from = end;
        sentence
    });
    cut.filter(|sentence| !sentence.is_empty()).collect()
}

fn parts(sentence: &str) -> Vec<Order> {
    if words(sentence).first().is_some_and(|word| REASONS.contains(&word.as_str())) {
        return Vec::new();
    }
    let mut from = 0;
    let ends = PARTS.find_iter(sentence).map(|end| (end.start(), end.end())).chain([(sentence.len(), sentence.len())]);
    let orders = ends.filter_map(|(end, next)| {
        let found = order(&sentence[from..end], &sentence[from..]);
        from = next;
        found
    });
    orders.collect()
}

/// In lower case, without what stands around words; `--force` is one.
fn words(text: &str) -> Vec<String> {
    let bare = |word: &str| {
        let word = word.trim_start_matches(|letter: char| !letter.is_alphanumeric() && letter != '-');
        let word = word.trim_end_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
        word.replace(['\'', '’'], "")
    };
    text.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect()
}

/// How many words lead to a verb.
fn led(words: &[String]) -> usize {
    let mut at = 0;
    loop {
        let rest = &words[at..];
        let starts =
            |phrase: &&&str| phrase.split(' ').enumerate().all(|(n, word)| rest.get(n).is_some_and(|w| w == word));
        if rest.first().is_some_and(|word| LEADS.contains(&word.as_str())) {
            at += 1;
        } else if let Some(asking) = ASKING.iter().find(starts) {
            at += asking.split(' ').count();
        } else {
            return at;
        }
    }
}

/// A question, unless it is one for politeness: "can you delete it?"
fn is_question(sentence: &&str) -> bool {
    let words = words(sentence);
    let leads = words.iter().take_while(|word| LEADS.contains(&word.as_str())).count();
    let at = |place: usize| words.get(leads + place).map_or("", String::as_str);
    let is_polite = ["can", "could", "would", "will"].contains(&at(0)) && at(1) == "you"
        || words[..leads].iter().any(|word| word == "please");
    !is_polite && (sentence.ends_with('?') || asks(at(0), at(1)))
}

/// A clause as an order; none where no verb begins it.
fn order(clause: &str, onward: &str) -> Option<Order> {
    const NOUNS: [&str; 7] = ["the", "a", "an", "this", "that", "my", "our"];
    let said = words(clause);
    let rest = &said[led(&said)..];
    let is_verb = rest.first().is_some_and(|word| !NOUNS.contains(&word.as_str()) && !THINGS.contains(&word.as_str()));
    let onward = || words(onward).split_off(said.len() - rest.len()).join(" ");
    is_verb.then(|| Order { clause: canonical(&rest.join(" ")), onward: canonical(&onward()) })
}

impl Order {
    fn head(&self) -> &str {
        self.clause.split_whitespace().next().unwrap_or_default()
    }

    /// Whether it asks for an act that one of these words or phrases names; work on code is none.
    pub(super) fn does(&self, phrases: &[String]) -> bool {
        let said = PhraseText::of(&self.clause);
        let is_act = || ACTS.contains(&self.head()) || phrases.iter().any(|phrase| said.begins(phrase));
        !is_about_code(&self.clause)
            && !self.is_of_nothing_named()
            && !is_told(&self.clause)
            && said.first(phrases).is_some()
            && is_act()
    }

    /// "Delete it", "yes, delete them": of 4 that were read, none meant what version control does not bring back.
    fn is_of_nothing_named(&self) -> bool {
        const POINTS: [&str; 9] = ["delete", "drop", "remove", "it", "them", "that", "these", "this", "those"];
        const FILLS: [&str; 4] = ["for", "now", "please", "then"];
        let mut words = self.clause.split_whitespace();
        words.all(|word| POINTS.contains(&word) || FILLS.contains(&word))
    }

    /// Whether it gives something to others.
    pub(super) fn releases(&self) -> bool {
        is_release(&self.clause) || is_release(&self.onward)
    }

    /// Whether it changes what one of these words names, or whom it lets in.
    pub(super) fn guards(&self, phrases: &[String]) -> bool {
        let near: Vec<&str> = self.clause.split_whitespace().take(NEAR).collect();
        let is_named = PhraseText::of(&near.join(" ")).first(phrases).is_some();
        ["rotate", "revoke"].contains(&self.head()) || GUARDS.contains(&self.head()) && is_named
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::dialectic::limits::{DESTRUCTIVE, PRODUCTION, SECURITY};
    use annals_kernel::own_words::own_words;
    use annals_kernel::settings::Settings;

    fn is_high(text: &str) -> bool {
        let settings = Settings::default();
        let is_order = |order: &Order| {
            order.does(&settings.get(&DESTRUCTIVE))
                || order.does(&settings.get(&PRODUCTION))
                || order.releases()
                || order.guards(&settings.get(&SECURITY))
        };
        orders(&own_words(text)).iter().any(is_order)
    }

    #[test]
    fn who_orders_an_act_asks_for_it() {
        for text in [
            "Delete the old cache",
            "please switch to main and delete the stale branches",
            "can you wipe the database?",
            "ok, let's drop all rows of last year",
            "yes force push",
            "commit this and deploy to the cloud",
            "I'd like to now create a release.",
            "Push everything to github. Then send it to the store",
            "Push commit and tag to origin",
            "okay I just added the variables, can you please run deploy with them",
            "please delete stale branches like fix/some-name",
            "rotate the exposed key pair immediately",
            "change the password of the admin",
            "restart prod",
            "git push --force origin main",
            "run an irreversible migration",
            "is anything left in this branch, if not lets delete the branch and checkout main",
            "plz push directly to main",
            "Please merge it.",
            "Push the error handling to main",
            "Delete work branches",
            "Approve and merge this pull request into mainline",
            "lets go ahead and push this up to our repo",
            "push all this up and lets get it merged",
        ] {
            assert!(is_high(text), "{text}");
        }
    }

    #[test]
    fn who_speaks_of_one_does_not() {
        for text in [
            "can we drop the table, or does anything read it?",
            "should we keep it or should i please delete the table?",
            "what happens if i go ahead and delete the branch",
            "commit the merge conflict fix",
            "don't you delete the old rows when they are read",
            "any idea why it asks for my password again?",
            "is there any reason why we need a separate release and publish",
            "I just deployed the latest code to staging, it works well",
            "the tag release is meant to publish a package",
            "publish previously worked fine",
            "release-plz was failing in the last commits",
            "$ git push --force\nUsername for 'https://a.b': x\nPassword for 'https://x@a.b':",
            "Implement the following plan:\n\n# Plan\nDelete the database and deploy to production",
            "You are a reviewer. Check the security of all changes; never push to production.",
            "Review this from a security point of view",
            "I need to understand how passwords are kept",
            "delete the plan document when finished",
            "merge main into this branch",
            "Merge: quartz-1767083470444",
            "Production impact. The redirect is followed.",
            "Hold off testing and deployment until I tell you",
            "release - marks requests that are to be merged",
            "Caches\nDeploys\nDocs\nSettings\nPublic Key",
            "Since this is a deep change, if we build this now, and release together with the rest, would it be better",
            "if i do drag and drop and get a url it would be better",
            "Create npm package structure",
            "add a setting that restarts without wiping the data",
            "When we deploy this app in the end, the server should run",
            "delete it",
            "yes, delete them",
            "OK. Deploy works now!!",
            "Open five requests and deploy the review agent on each one",
        ] {
            assert!(!is_high(text), "{text}");
        }
    }
}
