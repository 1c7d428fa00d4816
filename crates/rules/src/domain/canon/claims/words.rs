//! The words that the rules know.

use super::sentence::PhraseWord;

/// What an adjective says something about, beside what it stands with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AdjectiveKind {
    Colour,
    Size,
    Age,
    Material,
    Shape,
    Shade,
    Number,
}

impl AdjectiveKind {
    /// Which side of a thing it is: "red hair" and "long hair" can both hold.
    pub(super) fn side(self, noun: &str) -> String {
        match self {
            Self::Colour | Self::Shade => noun.to_owned(),
            Self::Size => format!("{noun} size"),
            Self::Age => format!("{noun} age"),
            Self::Material => format!("{noun} material"),
            Self::Shape => format!("{noun} shape"),
            Self::Number => format!("number of {noun}"),
        }
    }
}

const COLOURS: &str = "amber auburn azure beige black blond blonde blue bronze brown chestnut copper crimson ebony emerald \
    ginger gold golden gray green grey hazel indigo ivory jade lavender maroon olive orange pink purple raven red \
    russet sapphire scarlet silver tawny teal turquoise umber violet white yellow";
const SIZES: &str = "big enormous giant great huge large little long narrow short small tall thick thin tiny vast wide";
const AGES: &str = "ancient elder new old young younger older";
const MATERIALS: &str =
    "brass brick clay glass granite iron leather linen marble oak obsidian silk steel stone wooden woolen";
const SHAPES: &str = "broad crooked curly flat hooked oval pointed round square straight wavy";
const SHADES: &str = "bright dark deep light pale";

/// What stands only for a moment.
const PASSING: &str = "afraid alone angry awake bare calm clean clear closed cold dirty dry empty fine free full good gone \
    happy hard heavy here home hot hungry late left likely loud lost numb open quiet ready right sad safe shut sick silent \
    slow soft still strong sure tense there tired warm weak wet wide wrong bad better worse best enough same different";
const DOUBTS: &str = "if would could might may should perhaps maybe seems seem seemed probably possibly whether unless \
    imagine imagined imagines pretend pretended pretends dream dreamed dreamt wish wished wishes suppose supposed claim \
    claimed claims rumour rumours rumored lied thought believed believes will shall";
const STOPS: &str = "and or but nor so yet that which who whom whose when where while because since though although as \
    than then until before after with without of in on at from for to by into onto over under through between against \
    around behind beside near like about above below during is are was were be been has have had does did do not";
const PRONOUNS: &str = "he she it they we you i him her them us me this that these those there here who what which someone \
    somebody everyone everybody nobody one each every some any all none both either neither another other his hers its \
    their our my your theirs mine yours nothing something everything anything";
const ADVERBS: &str = "always also still just only now very really quite rather deeply truly once already both actually \
    clearly certainly indeed even ever often usually famously naturally unusually exactly roughly about approximately";
const MANY: &str = "ally aunt brother child cousin daughter enemy friend niece nephew part sister son student uncle member \
    allies children";
const VAGUE: &str =
    "same other many few several some more most such much own enough another less little every each various";
const PARTICIPLES: &str = "been seen gone done had made taken given come become known found left lost won said told heard \
    felt kept begun broken brought built bought caught chosen drawn driven fallen fought forgotten grown held hidden led \
    met paid read run sent set shown slept spoken spent stood stolen sworn taught thought thrown understood worn written to \
    never just yet";

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// What an adjective is about; nothing for a word that is none we know.
pub(super) fn kind(word: &str) -> Option<AdjectiveKind> {
    let lists = [
        (COLOURS, AdjectiveKind::Colour),
        (SIZES, AdjectiveKind::Size),
        (AGES, AdjectiveKind::Age),
        (MATERIALS, AdjectiveKind::Material),
        (SHAPES, AdjectiveKind::Shape),
        (SHADES, AdjectiveKind::Shade),
    ];
    let known = lists.into_iter().find(|(list, _)| is_in(list, word)).map(|(_, kind)| kind);
    known.or_else(|| is_number(word).then_some(AdjectiveKind::Number))
}

/// Figures, or a number word.
pub(super) fn is_number(word: &str) -> bool {
    let normal = crate::domain::canon::claim::normal(word);
    normal.starts_with(|letter: char| letter.is_ascii_digit())
}

/// Whether a sentence does not stand for what it says.
pub(super) fn is_doubtful(words: &[PhraseWord]) -> bool {
    let pairs = [("used", "to"), ("no", "longer"), ("as", "though"), ("not", "yet")];
    // "May" and "Will" are names, unless they are written small; other words may begin a sentence.
    let is_name = |word: &PhraseWord| word.is_name() && matches!(word.lower.as_str(), "may" | "will");
    words.iter().any(|word| is_in(DOUBTS, &word.lower) && !is_name(word))
        || words.windows(2).any(|pair| pairs.contains(&(pair[0].lower.as_str(), pair[1].lower.as_str())))
}

/// Whether a phrase ends before a word.
pub(super) fn is_stop(word: &str) -> bool {
    is_in(STOPS, word) || word == "—"
}

/// Whether a word stands for something that only the text before tells.
pub(super) fn is_pronoun(word: &str) -> bool {
    is_in(PRONOUNS, word)
}

/// Whether a word may be passed over.
pub(super) fn is_adverb(word: &str) -> bool {
    is_in(ADVERBS, word)
}

/// Whether somebody can have several of a kind, so that one more contradicts nothing.
pub(super) fn is_one_of_many(noun: &str) -> bool {
    is_in(MANY, noun) || noun.strip_suffix('s').is_some_and(|noun| is_in(MANY, noun))
}

/// Whether a value says nothing that could be compared.
pub(super) fn is_vague(word: &str) -> bool {
    is_in(VAGUE, word) || is_pronoun(word)
}

/// Whether "has" only helps the word behind it: "has gone".
pub(super) fn is_participle(word: &str) -> bool {
    is_in(PARTICIPLES, word) || word.len() > 4 && word.ends_with("ed")
}

/// Whether a single word describes a moment or a feeling rather than something that holds.
pub(super) fn is_passing(word: &str) -> bool {
    const ENDS: [&str; 15] =
        ["ing", "ed", "ful", "ous", "ive", "less", "able", "ible", "ant", "ent", "ly", "ish", "some", "ier", "iest"];
    is_in(PASSING, word)
        || kind(word).is_none() && ENDS.iter().any(|end| word.len() > end.len() + 1 && word.ends_with(end))
}

pub(super) fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

/// "is", and what it was.
pub(super) fn is_copula(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were")
}

/// "has", and what it was.
pub(super) fn is_having(word: &str) -> bool {
    matches!(word, "has" | "have" | "had")
}

/// What of a day an event is: "arrives on Day 47".
pub(super) fn event(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "arrives" | "arrived" | "arrive" => "arrival",
        "leaves" | "departs" | "departed" | "leave" => "departure",
        "begins" | "began" | "starts" | "started" | "begin" | "start" => "start",
        "ends" | "ended" | "end" => "end",
        "dies" | "died" => "death",
        "happens" | "happened" | "occurs" | "occurred" => "time",
        "returns" | "returned" => "return",
        "opens" | "opened" => "opening",
        "falls" | "fell" => "fall",
        "born" => "birth",
        "founded" => "founding",
        "built" => "building",
        "crowned" => "crowning",
        "expires" | "expired" => "expiry",
        _ => return None,
    })
}

/// What is measured: "lasts twelve days".
pub(super) fn measure(verb: &str) -> Option<&'static str> {
    Some(match verb {
        "lasts" | "lasted" | "takes" | "took" => "duration",
        "costs" | "cost" => "cost",
        "weighs" | "weighed" => "weight",
        "measures" | "measured" => "size",
        _ => return None,
    })
}

/// What a measured adjective is about: "nine feet tall", "nine years old".
pub(super) fn dimension(word: &str) -> Option<&'static str> {
    Some(match word {
        "old" => "age",
        "tall" | "high" => "height",
        "long" => "length",
        "wide" | "broad" => "width",
        "deep" => "depth",
        "heavy" => "weight",
        "thick" => "thickness",
        _ => return None,
    })
}

/// What an adjective says of somebody as a whole.
pub(super) fn state(word: &str) -> Option<&'static str> {
    Some(match word {
        "alive" | "dead" => "life",
        "left-handed" | "right-handed" => "handedness",
        "married" | "unmarried" | "widowed" => "marriage",
        "mortal" | "immortal" => "mortality",
        _ if kind(word) == Some(AdjectiveKind::Colour) => "colour",
        _ => return None,
    })
}

/// What "green-eyed" says: a value, and of what.
pub(super) fn compound(word: &str) -> Option<(&str, &'static str)> {
    let (value, part) = word.rsplit_once('-')?;
    let part = match part {
        "eyed" => "eyes",
        "haired" => "hair",
        "skinned" => "skin",
        "bearded" => "beard",
        _ => return None,
    };
    (kind(value) == Some(AdjectiveKind::Colour)).then_some((value, part))
}
