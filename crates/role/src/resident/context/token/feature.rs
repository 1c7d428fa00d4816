//! What tokenizers differ by, counted in a text: words, capitals, digits, marks, blanks, and letters by script.
//!
//! Knows no vocabulary. Of languages it knows what vocabularies know apart: English and code, whose words are mostly one
//! token each, from the rest of Latin script; and the letters that Russian and Arabic do not have from those they have.

use super::english::is_foreign;

/// So many things are counted.
pub(super) const FEATURES: usize = 39;

/// A letter of a word beyond this one makes it a long word.
const LONG_WORD: u32 = 8;

/// Most vocabularies take digits by threes.
const DIGIT_GROUP: u32 = 3;

/// What is counted: the place in a row of costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    LatinWord,
    Capital,
    LatinLetter,
    LongLetter,
    Accented,
    ForeignWord,
    ForeignLetter,
    ForeignLongLetter,
    ForeignVowelEnd,
    ForeignRareLetter,
    ForeignAccented,
    DigitGroup,
    Digit,
    MarkRun,
    Mark,
    LineBreak,
    BlankRun,
    GreekWord,
    Greek,
    CyrillicWord,
    Cyrillic,
    UnRussian,
    HebrewWord,
    Hebrew,
    ArabicWord,
    Arabic,
    UnArabic,
    IndicWord,
    Devanagari,
    Indic,
    HangulWord,
    Hangul,
    Thai,
    Kana,
    Han,
    FullWidth,
    Emoji,
    Symbol,
    Other,
}

/// What a letter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Glyph {
    Latin,
    Accented,
    Digit,
    Mark,
    LineBreak,
    Blank,
    /// Of a script whose words are parted by blanks.
    Spaced {
        word: Feature,
        letter: Feature,
    },
    /// Of any other script or sort.
    Single(Feature),
}

/// What stands in a text that is not English moves there.
const FOREIGN: [(Feature, Feature); 4] = [
    (Feature::LatinWord, Feature::ForeignWord),
    (Feature::LatinLetter, Feature::ForeignLetter),
    (Feature::LongLetter, Feature::ForeignLongLetter),
    (Feature::Accented, Feature::ForeignAccented),
];

/// What was counted, and where the pass is.
#[derive(Debug, Clone, Copy)]
pub(super) struct FeatureTally {
    /// By `Feature`.
    pub counts: [u64; FEATURES],
    /// All letters but line breaks and blanks.
    pub seen: u64,
    /// Capitals of Latin words, wherever they stand.
    pub capitals: u64,
    before: Option<Glyph>,
    last: char,
    run: u32,
    word: u32,
}

/// Counts a text.
pub(super) fn features(text: &str) -> [u64; FEATURES] {
    let start = FeatureTally { counts: [0; FEATURES], seen: 0, capitals: 0, before: None, last: ' ', run: 0, word: 0 };
    let mut tally = text.chars().fold(start, FeatureTally::and);
    tally.end_word();
    if is_foreign(text, &tally) {
        for (own, foreign) in FOREIGN {
            tally.counts[foreign as usize] = std::mem::take(&mut tally.counts[own as usize]);
        }
    } else {
        tally.counts[Feature::ForeignVowelEnd as usize] = 0;
        tally.counts[Feature::ForeignRareLetter as usize] = 0;
    }
    tally.counts
}

impl FeatureTally {
    /// So many of a feature.
    pub fn of(&self, feature: Feature) -> u64 {
        self.counts[feature as usize]
    }

    fn and(mut self, letter: char) -> Self {
        let glyph = glyph(letter);
        self.seen += u64::from(!matches!(glyph, Glyph::LineBreak | Glyph::Blank));
        self.run = if self.before.is_some_and(|before| before.is_like(glyph)) { self.run.saturating_add(1) } else { 1 };
        if !matches!(glyph, Glyph::Latin | Glyph::Accented) {
            self.end_word();
        }
        match glyph {
            Glyph::Latin => self.latin(letter),
            Glyph::Accented => self.accented(),
            Glyph::Digit => {
                self.add(Feature::Digit);
                self.add_if_first(Feature::DigitGroup, self.run % DIGIT_GROUP);
            }
            Glyph::Mark => {
                self.add(Feature::Mark);
                self.add_if_first(Feature::MarkRun, self.run);
            }
            Glyph::LineBreak => self.add_if_first(Feature::LineBreak, self.run),
            Glyph::Blank => self.add_if_first(Feature::BlankRun, self.run.saturating_sub(1)),
            Glyph::Spaced { word, letter: of } => {
                self.add(of);
                self.add_if_first(word, self.run);
                self.neighbour(of, letter);
            }
            Glyph::Single(feature) => self.add(feature),
        }
        self.before = Some(glyph);
        self.last = letter;
        self
    }

    /// A capital behind a small letter begins a word: `camelCase`.
    fn latin(&mut self, letter: char) {
        let is_capital = letter.is_ascii_uppercase();
        let is_hump = is_capital && !self.last.is_ascii_uppercase();
        if !self.is_in_word() || is_hump {
            self.begin_word();
        }
        self.word = self.word.saturating_add(1);
        self.add(Feature::LatinLetter);
        if self.word > LONG_WORD {
            self.add(Feature::LongLetter);
        }
        if is_capital {
            self.capitals += 1;
            self.add_if_first(Feature::Capital, self.word);
        }
        if matches!(letter, 'j' | 'k' | 'w' | 'y' | 'z') {
            self.add(Feature::ForeignRareLetter);
        }
    }

    fn accented(&mut self) {
        if !self.is_in_word() {
            self.begin_word();
        }
        self.word = self.word.saturating_add(1);
        self.add(Feature::Accented);
    }

    /// Words of the languages that are not English end in a vowel far more often.
    fn end_word(&mut self) {
        let is_vowel = self.before == Some(Glyph::Latin) && matches!(self.last, 'a' | 'i' | 'o' | 'u');
        if is_vowel && self.word > 1 {
            self.add(Feature::ForeignVowelEnd);
        }
    }

    fn neighbour(&mut self, script: Feature, letter: char) {
        if script == Feature::Cyrillic && !matches!(letter, 'а'..='я' | 'А'..='Я' | 'ё' | 'Ё') {
            self.add(Feature::UnRussian);
        }
        let is_arabic =
            matches!(letter, '\u{60c}' | '\u{61b}' | '\u{61f}' | '\u{621}'..='\u{652}' | '\u{660}'..='\u{669}');
        if script == Feature::Arabic && !is_arabic {
            self.add(Feature::UnArabic);
        }
    }

    fn is_in_word(&self) -> bool {
        matches!(self.before, Some(Glyph::Latin | Glyph::Accented))
    }

    fn begin_word(&mut self) {
        self.add(Feature::LatinWord);
        self.word = 0;
    }

    fn add_if_first(&mut self, feature: Feature, place: u32) {
        if place == 1 {
            self.add(feature);
        }
    }

    fn add(&mut self, feature: Feature) {
        self.counts[feature as usize] += 1;
    }
}

impl Glyph {
    /// Whether both go on in one run: scripts that share their words, too.
    fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Spaced { word, .. }, Self::Spaced { word: of, .. }) => word == of,
            (one, other) => one == other,
        }
    }
}

fn glyph(letter: char) -> Glyph {
    match letter {
        'a'..='z' | 'A'..='Z' => Glyph::Latin,
        '0'..='9' => Glyph::Digit,
        '\n' | '\r' => Glyph::LineBreak,
        ' ' | '\t' => Glyph::Blank,
        '\0'..='\u{7f}' => Glyph::Mark,
        '\u{c0}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}' => Glyph::Accented,
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => spaced(Feature::GreekWord, Feature::Greek),
        '\u{400}'..='\u{52f}' => spaced(Feature::CyrillicWord, Feature::Cyrillic),
        '\u{590}'..='\u{5ff}' => spaced(Feature::HebrewWord, Feature::Hebrew),
        '\u{600}'..='\u{6ff}'
        | '\u{750}'..='\u{77f}'
        | '\u{8a0}'..='\u{8ff}'
        | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefe}' => spaced(Feature::ArabicWord, Feature::Arabic),
        '\u{900}'..='\u{97f}' => spaced(Feature::IndicWord, Feature::Devanagari),
        '\u{980}'..='\u{dff}' => spaced(Feature::IndicWord, Feature::Indic),
        '\u{1100}'..='\u{11ff}' | '\u{3130}'..='\u{318f}' | '\u{ac00}'..='\u{d7af}' => {
            spaced(Feature::HangulWord, Feature::Hangul)
        }
        other => Glyph::Single(single(other)),
    }
}

fn single(letter: char) -> Feature {
    match letter {
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => Feature::Thai,
        '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Feature::Kana,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => {
            Feature::Han
        }
        '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' => Feature::FullWidth,
        '\u{200d}' | '\u{2600}'..='\u{27bf}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f000}'..='\u{1faff}' => Feature::Emoji,
        '\u{a0}'..='\u{bf}' | '\u{2000}'..='\u{25ff}' | '\u{2b00}'..='\u{2bff}' => Feature::Symbol,
        _ => Feature::Other,
    }
}

fn spaced(word: Feature, letter: Feature) -> Glyph {
    Glyph::Spaced { word, letter }
}
