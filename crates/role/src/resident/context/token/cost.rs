//! What each thing that is counted costs, in thousandths of a token, by family.
//!
//! Figures only, found by a fit to what the real tokenizers make of one half of some 13,000 texts: 33 languages, code,
//! JSON, figures, emoji, records of agents. `tests/estimate.rs` has texts that nothing was fitted to.

use super::family::TokenFamily;
use super::feature::FEATURES;

/// A row of costs, in the order of `Feature`.
pub(super) type Costs = [u16; FEATURES];

pub(super) fn costs(family: TokenFamily) -> &'static Costs {
    match family {
        TokenFamily::Gpt => &GPT,
        TokenFamily::Claude => &CLAUDE,
        TokenFamily::ClaudeNew => &CLAUDE_NEW,
        TokenFamily::Qwen => &QWEN,
        TokenFamily::Gemma => &GEMMA,
        TokenFamily::Llama => &LLAMA,
        TokenFamily::Deepseek => &DEEPSEEK,
        TokenFamily::Unknown => &UNKNOWN,
    }
}

/// `o200k`, measured with it.
const GPT: Costs = [
    953, 293, 0, 261, 675, 114, 187, 38, 353, 577, 526, 1532, 0, 673, 179, 46, 743, 384, 346, 1003, 153, 534, 381, 384,
    594, 233, 85, 97, 379, 371, 255, 730, 461, 728, 784, 1211, 1886, 927, 2466,
];

/// Claude 3 to 4.6, measured with a reconstruction of its vocabulary.
const CLAUDE: Costs = [
    995, 762, 0, 68, 1569, 96, 267, 33, 248, 172, 1292, 1524, 0, 905, 204, 670, 981, 634, 660, 689, 314, 724, 693, 678,
    367, 691, 423, 358, 777, 927, 580, 1193, 982, 811, 1124, 1517, 3908, 675, 0,
];

/// Claude from 4.7 on, likewise.
const CLAUDE_NEW: Costs = [
    521, 1548, 181, 148, 1547, 214, 348, 93, 261, 431, 1060, 1530, 0, 820, 472, 493, 904, 608, 663, 668, 314, 713, 650,
    681, 318, 697, 438, 372, 771, 922, 501, 1205, 976, 812, 1112, 1505, 4127, 925, 0,
];

/// Qwen 3; 2.5 has the same vocabulary.
const QWEN: Costs = [
    961, 266, 3, 264, 491, 0, 266, 86, 270, 684, 419, 1518, 556, 623, 162, 69, 774, 139, 988, 885, 262, 2038, 186, 431,
    1572, 119, 892, 601, 1005, 1159, 257, 840, 621, 578, 597, 1357, 2095, 1203, 2346,
];

/// Gemma 3.
const GEMMA: Costs = [
    993, 118, 0, 76, 391, 170, 189, 87, 140, 467, 404, 1114, 727, 1063, 56, 631, 925, 368, 360, 826, 151, 991, 220,
    490, 231, 324, 0, 265, 263, 234, 239, 676, 388, 414, 640, 1536, 1513, 719, 1185,
];

/// Llama 3.
const LLAMA: Costs = [
    961, 337, 0, 283, 395, 92, 245, 110, 305, 633, 313, 1522, 0, 692, 128, 82, 761, 511, 355, 986, 191, 662, 644, 1042,
    0, 429, 75, 39, 646, 1475, 355, 727, 499, 617, 821, 1231, 2510, 359, 2625,
];

/// `DeepSeek` V3.
const DEEPSEEK: Costs = [
    971, 355, 0, 176, 1381, 93, 220, 129, 287, 362, 1110, 1532, 0, 706, 222, 193, 703, 417, 460, 719, 241, 1534, 582,
    429, 150, 393, 435, 0, 715, 526, 156, 894, 447, 665, 549, 1359, 2111, 737, 2240,
];

/// The middle of those whose vocabulary is open.
const UNKNOWN: Costs = [
    945, 249, 7, 198, 766, 0, 243, 48, 266, 542, 585, 1955, 0, 729, 160, 171, 793, 417, 461, 842, 205, 1258, 401, 517,
    288, 342, 400, 137, 561, 625, 240, 776, 477, 595, 675, 1355, 2007, 687, 2106,
];
