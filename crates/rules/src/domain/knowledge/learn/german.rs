//! The same in German: what a sentence must look like so that something may be learnt from it.

use super::sentence::{Sentence, is_in};

/// Whether a sentence is German, by words that no English sentence has.
pub(super) fn is_german(sentence: &Sentence) -> bool {
    const WORDS: &str = "zukunft nur noch jetzt der die das und ist nicht ich wir du ein eine einen kein keine keinen bitte nie niemals immer auf mit \
        für von statt sondern nein ab bei zu den dem wenn dass unser unsere sind wird werden soll sollen muss müssen";
    let count = sentence.words.iter().filter(|word| is_in(WORDS, &word.lower)).count();
    count >= 2 || count == 1 && sentence.words.len() <= 5
}

/// "Warum …", "kannst du …": a question without its mark.
pub(super) fn asks(sentence: &Sentence) -> bool {
    let first = "warum wieso weshalb wie was wer wo wann welche welcher welches kannst könntest können könnten hast habt \
        bist sollen sollten wäre würdest willst weißt wissen erinnerst merkst";
    is_in(first, sentence.at(0))
}

/// "Merk dir: …", "denk daran, dass …", "vergiss nicht, …".
pub(super) fn remember(sentence: &Sentence) -> bool {
    let starts = [
        "merk dir", "merke dir", "bitte merk dir", "denk daran", "denk dran", "denke daran", "vergiss nicht",
        "behalte im kopf", "fürs nächste mal", "beim nächsten mal", "zur erinnerung",
    ];
    holds(sentence, &starts)
}

/// "Ab jetzt …", "in Zukunft …", "jedes Mal, wenn …".
pub(super) fn from_now_on(sentence: &Sentence) -> bool {
    let starts = [
        "ab jetzt", "ab sofort", "von nun an", "von jetzt an", "in zukunft", "künftig", "zukünftig", "jedes mal wenn",
        "immer wenn", "bitte künftig", "bitte in zukunft",
    ];
    let within = ["ab jetzt", "ab sofort", "von nun an", "in zukunft"];
    holds(sentence, &starts) || is_long(sentence) && within.iter().any(|part| sentence.find(part).is_some())
}

/// "Immer die Tests laufen lassen", "wir committen nie auf main", "bitte nie wieder …", "alle … müssen …".
pub(super) fn always_never(sentence: &Sentence) -> bool {
    const WORDS: &str = "immer nie niemals stets grundsätzlich";
    let place = sentence.words.iter().position(|word| is_in(WORDS, &word.lower));
    let is_rule = place.is_some_and(|place| {
        let is_first = place == 0 || place == 1 && is_in("bitte", sentence.at(0));
        // "Es geht immer noch nicht", "das hat nie funktioniert" tell what happened.
        let tells = is_in("noch", sentence.at(place + 1)) || is_in("es das hat war ist hatte", sentence.at(0));
        !tells && (is_first || place <= 4 && is_in("wir du man tests commits alle", sentence.at(0)))
    });
    let all = is_in("alle jeder jede jedes", sentence.at(0))
        && sentence.words.iter().any(|word| is_in("muss müssen soll sollen sollte sollten", &word.lower));
    is_long(sentence) && (is_rule || all || sentence.find("nie wieder").is_some())
}

/// "Ich bevorzuge …", "mir ist … lieber", "ich will kein …".
pub(super) fn prefer(sentence: &Sentence) -> bool {
    let starts = [
        "ich bevorzuge", "ich hätte lieber", "ich möchte lieber", "ich möchte kein", "ich möchte keine",
        "ich möchte nicht", "ich will kein", "ich will keine", "ich will nicht", "ich mag kein", "ich mag keine",
        "ich mag nicht", "mir ist lieber", "lieber", "bitte kein", "bitte keine", "wir bevorzugen",
    ];
    holds(sentence, &starts)
}

/// "Nein, …", "nicht X, sondern Y", "X statt Y", "das stimmt nicht: …", "ich meinte …".
pub(super) fn correct(sentence: &Sentence) -> bool {
    let no =
        is_in("nein falsch ne nee", sentence.at(0)) && sentence.ends_at(0) && !is_in("danke passt", sentence.at(1));
    let starts = ["das stimmt nicht", "das ist falsch", "ich meinte", "ich meine", "so nicht", "nicht so"];
    let contrast = sentence.find("nicht").is_some() && sentence.find("sondern").is_some();
    let instead = ["statt", "anstatt", "anstelle"].iter().any(|word| sentence.find(word).is_some());
    let first = "nimm nutze benutze verwende mach mache schreib schreibe nutz setz setze wir bitte statt anstatt";
    let is_order = is_in(first, sentence.at(0));
    is_long(sentence) && (no || starts.iter().any(|start| sentence.begins(start)) || contrast || instead && is_order)
}

/// "Wir haben uns entschieden …", "wir nehmen …", "wir brauchen kein …", "lass uns bei … bleiben".
pub(super) fn decided(sentence: &Sentence) -> bool {
    let starts = [
        "wir haben entschieden", "wir haben uns entschieden", "wir haben uns für", "wir nehmen", "wir bleiben bei",
        "wir brauchen kein", "wir brauchen keine", "wir brauchen keinen", "wir wollen kein", "wir wollen keine",
        "lass uns bei", "es bleibt bei",
    ];
    holds(sentence, &starts)
}

/// "Wir nutzen …", "unser CI läuft auf …", "das Projekt ist …".
pub(super) fn fact(sentence: &Sentence) -> bool {
    let uses = sentence.at(0) == "wir" && is_in("nutzen benutzen verwenden setzen deployen", sentence.at(1));
    let ours = is_in("unser unsere", sentence.at(0))
        && (1..4).any(|place| is_in("ist sind läuft laufen heißt nutzt verwendet liegt liegen", sentence.at(place)));
    let this = is_in("das dieses", sentence.at(0))
        && is_in("projekt repo repository programm", sentence.at(1))
        && is_in("ist nutzt verwendet hat läuft", sentence.at(2));
    is_long(sentence) && (uses || ours || this)
}

/// "Vor jedem Push die Tests laufen lassen", "bevor du pushst, …", "um zu X, …".
pub(super) fn how_to(sentence: &Sentence) -> bool {
    let starts = ["vor jedem", "nach jedem", "vor dem", "nach dem", "bevor du", "wenn du", "sobald du"];
    starts.iter().any(|start| sentence.begins(start)) && sentence.words.len() >= 5
}

fn is_long(sentence: &Sentence) -> bool {
    sentence.words.len() >= 4
}

fn holds(sentence: &Sentence, starts: &[&str]) -> bool {
    is_long(sentence) && starts.iter().any(|start| sentence.begins(start))
}
