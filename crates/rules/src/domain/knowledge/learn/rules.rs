//! The rules, each with a name: what a sentence must look like so that something may be learnt from it.

use super::correct::{actually, again, do_not, instead, meant, not_but, only, says_no, wrong};
use super::order::{VERBS, is_negation, is_order};
use super::sentence::{Sentence, is_in};
use super::{LearntLesson, Way};
use super::{german, held};
use crate::domain::knowledge::row::KnowledgeKind;

/// A rule: what it is called, what it finds, and whether a sentence is so.
struct LearnRule {
    name: &'static str,
    kind: KnowledgeKind,
    about: Option<&'static str>,
    fits: fn(&Sentence) -> bool,
}

const fn rule(name: &'static str, kind: KnowledgeKind, fits: fn(&Sentence) -> bool) -> LearnRule {
    LearnRule { name, kind, about: None, fits }
}

const fn of_user(name: &'static str, kind: KnowledgeKind, fits: fn(&Sentence) -> bool) -> LearnRule {
    LearnRule { name, kind, about: Some("user"), fits }
}

/// All rules for English; the first that fits is heard.
const RULES: [LearnRule; 28] = [
    rule("remember", KnowledgeKind::Rule, held::remember),
    rule("always-never", KnowledgeKind::Rule, always_never),
    rule("from-now-on", KnowledgeKind::Rule, from_now_on),
    rule("must", KnowledgeKind::Rule, must),
    rule("all-should", KnowledgeKind::Rule, all_should),
    rule("custom", KnowledgeKind::Rule, held::custom),
    of_user("prefer", KnowledgeKind::Preference, prefer),
    of_user("dislike", KnowledgeKind::Preference, dislike),
    rule("use-over", KnowledgeKind::Preference, use_over),
    rule("no", KnowledgeKind::Correction, says_no),
    rule("not-but", KnowledgeKind::Correction, not_but),
    rule("actually", KnowledgeKind::Correction, actually),
    rule("do-not", KnowledgeKind::Correction, do_not),
    rule("ought", KnowledgeKind::Decision, held::ought),
    rule("decided", KnowledgeKind::Decision, decided),
    rule("chosen", KnowledgeKind::Decision, held::chosen),
    rule("not-needed", KnowledgeKind::Decision, not_needed),
    rule("unwanted", KnowledgeKind::Decision, held::unwanted),
    rule("doubt", KnowledgeKind::Decision, held::doubt),
    rule("should-be", KnowledgeKind::Decision, held::should_be),
    rule("wanted", KnowledgeKind::Decision, held::wanted),
    rule("no-matter", KnowledgeKind::Decision, held::no_matter),
    rule("how-to", KnowledgeKind::Procedure, how_to),
    rule("no-longer", KnowledgeKind::Fact, no_longer),
    rule("we-use", KnowledgeKind::Fact, we_use),
    rule("here", KnowledgeKind::Fact, held::here),
    rule("stressed", KnowledgeKind::Correction, held::stressed),
    rule("only", KnowledgeKind::Correction, only),
];

/// What sets something right and holds no longer than the task: "that's not what I meant".
const OF_THE_TASK: [fn(&Sentence) -> bool; 5] = [meant, wrong, again, instead, held::said_before];

/// Whether a sentence sets something right.
pub(super) fn sets_right(sentence: &Sentence) -> bool {
    let is_german = german::is_german(sentence) && german::correct(sentence);
    let rules: [fn(&Sentence) -> bool; 3] = [says_no, not_but, held::stressed];
    !sentence.is_question && (is_german || OF_THE_TASK.iter().chain(&rules).any(|fits| fits(sentence)))
}

/// The same for German.
const GERMAN: [LearnRule; 8] = [
    rule("remember", KnowledgeKind::Rule, german::remember),
    rule("from-now-on", KnowledgeKind::Rule, german::from_now_on),
    rule("always-never", KnowledgeKind::Rule, german::always_never),
    of_user("prefer", KnowledgeKind::Preference, german::prefer),
    rule("no", KnowledgeKind::Correction, german::correct),
    rule("decided", KnowledgeKind::Decision, german::decided),
    rule("how-to", KnowledgeKind::Procedure, german::how_to),
    rule("we-use", KnowledgeKind::Fact, german::fact),
];

/// What may be learnt from a sentence, and how many of those after it belong to it.
pub(super) fn lesson(sentence: &Sentence, next: Option<&Sentence>, way: Way) -> Option<(LearntLesson, usize)> {
    let asks = sentence.is_question || sentence.find("can you").is_some();
    if asks || is_about_this_talk(sentence) {
        return None;
    }
    let is_german = german::is_german(sentence);
    if is_german && german::asks(sentence) {
        return None;
    }
    let in_german = || GERMAN.iter().filter(|_| is_german).find(|rule| (rule.fits)(sentence));
    let found = RULES.iter().find(|rule| (rule.fits)(sentence)).or_else(in_german);
    let said_no = || (way == Way::Rejection && is_a_reason(sentence)).then_some(&REJECTION);
    let rule = found.or_else(said_no)?;
    let next = next.filter(|next| is_half(sentence) && is_order(next) && !next.is_question);
    let content = match next {
        Some(next) => format!("{} {}", sentence.text, next.text),
        None => sentence.text.clone(),
    };
    Some((LearntLesson { kind: rule.kind, content, about: rule.about, rule: rule.name }, usize::from(next.is_some())))
}

const REJECTION: LearnRule = rule("rejection", KnowledgeKind::Correction, |_| true);

/// A reason in words, not a program's notice.
fn is_a_reason(sentence: &Sentence) -> bool {
    let notices = ["rejected by user", "doesn't want to", "does not want to", "user rejected", "the user"];
    sentence.words.len() >= 4 && !notices.iter().any(|notice| sentence.find(notice).is_some())
}

/// What says what not to do, and leaves open what to do: "don't mock completion."
fn is_half(sentence: &Sentence) -> bool {
    let skip = usize::from(is_in("no nope", sentence.at(0)));
    is_negation(sentence, skip).is_some() && sentence.words.len() <= 12
}

/// What is said of the talk itself, and holds no longer than it.
fn is_about_this_talk(sentence: &Sentence) -> bool {
    const TALK: [&str; 12] = [
        "never mind", "nevermind", "don't worry", "do not worry", "don't forget", "i don't know", "don't know",
        "don't do anything", "no problem", "no worries", "no thanks", "no need",
    ];
    let is_passing = ["for now", "yet", "right now"].iter().any(|end| sentence.ends(end));
    is_passing || TALK.iter().any(|start| sentence.begins(start))
}

/// "Always run the tests", "we never push to main".
fn always_never(sentence: &Sentence) -> bool {
    let place = |word: &str| sentence.find(word).filter(|place| *place <= 3);
    let Some(place) = place("always").or_else(|| place("never")) else { return false };
    let before = || sentence.at(place - 1);
    let is_first = place == 0;
    let of_us = !is_first && is_in("we you should must shall to sure agents commits tests", before());
    let is_order = is_first && is_in(&format!("{VERBS} ever be do ask assume"), sentence.at(place + 1));
    is_order || of_us && !is_in("can could would had have has", sentence.at(place + 1))
}

/// "From now on …", "in the future …", "every time you …".
fn from_now_on(sentence: &Sentence) -> bool {
    let starts = ["from now on", "going forward", "in future", "in the future", "every time you", "whenever you"];
    starts.iter().any(|start| sentence.begins(start)) || sentence.find("from now on").is_some()
}

/// "You must …", "all commits must …", "it is forbidden to …".
fn must(sentence: &Sentence) -> bool {
    let Some(place) = sentence.find("must").filter(|place| (1..=5).contains(place)) else { return false };
    !is_in("have be", sentence.at(place + 1)) || sentence.holds_at(place + 1, "be") && !sentence.begins("there")
}

/// "I prefer …", "I'd rather …".
fn prefer(sentence: &Sentence) -> bool {
    let starts = [
        "i prefer", "i'd prefer", "i would prefer", "i'd rather", "i would rather", "i like it when", "we prefer",
        "my preference",
    ];
    starts.iter().any(|start| sentence.begins(start)) || sentence.at(0) == "prefer"
}

/// "I hate …", "I don't like …", "I don't want …".
fn dislike(sentence: &Sentence) -> bool {
    let starts = [
        "i hate", "i don't like", "i dont like", "i do not like", "i dislike", "i don't want", "i dont want",
        "i do not want",
    ];
    let found = starts.iter().any(|start| sentence.begins(start));
    found && held::is_named(sentence) && !sentence.begins("i don't want to") && !sentence.begins("i dont want to")
}

/// "Use X rather than Y", "use X over Y".
fn use_over(sentence: &Sentence) -> bool {
    let is_use = is_in("use prefer stick keep", sentence.at(0));
    is_use && (sentence.find("rather than").is_some() || sentence.find("over").is_some_and(|place| place >= 2))
}

/// "All events should …", "every test must …".
fn all_should(sentence: &Sentence) -> bool {
    let place = sentence.find("should").filter(|place| (2..=6).contains(place));
    is_in("all every each any", sentence.at(0)) && place.is_some_and(|place| sentence.at(place + 1) != "have")
}

/// "X no longer takes a Y".
fn no_longer(sentence: &Sentence) -> bool {
    let place = sentence.find("no longer").filter(|place| (1..=6).contains(place));
    let deprecated = sentence.find("we deprecated").is_some();
    (place.is_some() || deprecated)
        && !is_order(sentence)
        && !is_in("if i it when", sentence.at(0))
        && sentence.words.len() >= 4
}

/// "Let's go with …", "we decided …", "we'll use …".
fn decided(sentence: &Sentence) -> bool {
    let starts = [
        "let's go with", "lets go with", "let's stick", "lets stick", "let's use", "lets use", "let's keep",
        "lets keep", "we decided", "we have decided", "we've decided", "i decided", "i've decided", "we agreed",
        "we'll use", "we will use", "we'll go with", "we are going with", "we're going with", "go with",
        "i'm going with", "let's not", "lets not", "we settled",
    ];
    starts.iter().any(|start| sentence.begins(start)) && sentence.words.len() >= 4
}

/// "We don't need X", "X is no longer needed".
fn not_needed(sentence: &Sentence) -> bool {
    let starts = [
        "we don't need", "we dont need", "we do not need", "we no longer", "we don't want", "we don't support",
        "there's no need",
    ];
    let gone = [
        "no longer needed", "no longer need", "no longer supported", "no longer used", "is deprecated",
        "are deprecated",
    ];
    let found =
        starts.iter().any(|start| sentence.begins(start)) || gone.iter().any(|part| sentence.find(part).is_some());
    found && !is_order(sentence) && held::is_named(sentence)
}

/// "To release, run …", "run X before Y".
fn how_to(sentence: &Sentence) -> bool {
    let runs = |from: usize| {
        (from..sentence.words.len()).find(|place| is_in("run use call execute invoke type first", sentence.at(*place)))
    };
    let aim = sentence.at(0) == "to"
        && (1..sentence.words.len().min(12)).any(|place| sentence.ends_at(place) && runs(place + 1) == Some(place + 1));
    let order = is_in("before after when once", sentence.at(0))
        && (2..sentence.words.len().min(14))
            .any(|place| sentence.ends_at(place) && is_in(VERBS, sentence.at(place + 1)));
    let way = ["the way to", "the steps are", "the process is", "steps to"].iter().any(|start| sentence.begins(start));
    let before = sentence.at(0) == "run"
        && ["before", "after each", "after every"].iter().any(|word| sentence.find(word).is_some());
    sentence.words.len() >= 5 && (aim || order || way || before)
}

/// "We use X for Y", "this project is written in …", "our CI runs on …".
fn we_use(sentence: &Sentence) -> bool {
    let subject = is_in("we", sentence.at(0))
        && is_in("use run deploy store support target ship host develop", sentence.at(1))
        && sentence.at(2) != "to";
    let ours = is_in("our", sentence.at(0))
        && (1..4).any(|place| is_in("is are uses runs lives use run", sentence.at(place)))
        && !is_in("broken failing slow not down", sentence.words.last().map_or("", |word| &word.lower));
    let this = is_in("this the", sentence.at(0))
        && is_in("project repo repository app codebase application service library cli team company", sentence.at(1))
        && is_in("is uses runs has supports targets lives", sentence.at(2));
    let me = sentence.begins("my name is")
        || sentence.begins("i work")
        || sentence.begins("i am a")
        || sentence.begins("i'm a");
    let public = sentence.begins("this is a public") || sentence.begins("this is a private");
    sentence.words.len() >= 5 && (subject || ours || this || me || public)
}
