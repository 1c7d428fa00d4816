//! How a script is written, as far as a rule by words must know it. No table of every script.

/// Whether a letter is of a script written without spaces between words: Han, kana, Thai, Lao, Khmer, Burmese.
#[must_use]
pub fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Whether two texts are compared letter by letter: without spaces, or in Hangul, which writes a word's part in the sentence
/// onto its end.
#[must_use]
pub fn is_by_letter(letter: char) -> bool {
    is_unspaced(letter) || matches!(letter, '\u{ac00}'..='\u{d7af}')
}

/// Whether a letter or a figure is of a word that spaces part from others.
#[must_use]
pub fn is_spaced(letter: char) -> bool {
    letter.is_alphanumeric() && !is_by_letter(letter)
}

#[cfg(test)]
mod tests {
    use super::{is_by_letter, is_spaced, is_unspaced};

    #[test]
    fn a_script_without_spaces_is_told_from_one_with_them() {
        for text in ["菜单", "ひらがな", "カタカナ", "ราคา", "ລາຄາ", "តម្លៃ", "စျေး", "豈", "𠀀"]
        {
            assert!(text.chars().all(is_unspaced), "{text}");
        }
        for text in ["Läden", "меню", "메뉴", "قائمة", "मेनू", "a1_ ."] {
            assert!(!text.chars().any(is_unspaced), "{text}");
        }
        assert!("메뉴".chars().all(is_by_letter) && !"меню".chars().any(is_by_letter));
        assert!("меню1".chars().all(is_spaced) && !"菜메_ .".chars().any(is_spaced));
    }
}
