//! Estimates beside real counts: paragraphs of ours that nothing was chosen by, counted by the real tokenizers.

use super::super::{ContextRole, FourCharacters, TokenCounter, TokenEstimate, TokenFamily};
use super::*;
use proptest::prelude::*;

/// A text, and what each of `COUNTED` makes of it.
struct CountedText {
    sort: &'static str,
    text: &'static str,
    tokens: [u32; 7],
}

const COUNTED: [TokenFamily; 7] = [
    TokenFamily::Gpt,
    TokenFamily::Claude,
    TokenFamily::ClaudeNew,
    TokenFamily::Qwen,
    TokenFamily::Gemma,
    TokenFamily::Llama,
    TokenFamily::Deepseek,
];

const TEXTS: &[CountedText] = &[
    CountedText {
        sort: "english",
        text: "The reactor report was late again, so we moved the review to Thursday and asked Maria to check the two figures that looked wrong. She found that the second sensor had drifted since March, and that nobody had written it down.",
        tokens: [46, 47, 64, 45, 45, 45, 45],
    },
    CountedText {
        sort: "german",
        text: "Der Bericht über den Reaktor kam wieder zu spät, deshalb haben wir die Besprechung auf Donnerstag verschoben und Maria gebeten, die beiden auffälligen Werte zu prüfen. Der zweite Messfühler weicht offenbar seit März ab.",
        tokens: [48, 70, 100, 61, 48, 62, 61],
    },
    CountedText {
        sort: "french",
        text: "Le rapport est encore arrivé en retard ; nous avons donc déplacé la réunion à jeudi et demandé à Marie de vérifier les deux valeurs douteuses. Le deuxième capteur dérive depuis mars, et personne ne l'avait noté.",
        tokens: [46, 65, 91, 56, 47, 57, 53],
    },
    CountedText {
        sort: "chinese",
        text: "报告又迟到了，所以我们把会议改到星期四，并请玛丽亚检查两个看起来不对的数值。她发现第二个传感器从三月开始就有偏差，但是没有人把它记录下来。请在明天之前修复登录页面，然后重新运行所有测试。",
        tokens: [65, 99, 98, 54, 57, 65, 51],
    },
    CountedText {
        sort: "japanese",
        text: "報告書がまた遅れたので、会議を木曜日に移し、おかしく見える二つの数値をマリアに確認してもらいました。二番目のセンサーは三月からずれていましたが、誰も記録していませんでした。",
        tokens: [63, 78, 77, 58, 46, 59, 58],
    },
    CountedText {
        sort: "korean",
        text: "보고서가 또 늦어서 회의를 목요일로 옮기고 이상해 보이는 두 값을 마리아에게 확인해 달라고 했습니다. 두 번째 센서가 삼월부터 어긋나 있었지만 아무도 기록하지 않았습니다.",
        tokens: [53, 100, 99, 61, 49, 53, 60],
    },
    CountedText {
        sort: "russian",
        text: "Отчёт снова опоздал, поэтому мы перенесли встречу на четверг и попросили Марию проверить две подозрительные цифры. Оказалось, что второй датчик врёт ещё с марта, но никто этого не записал.",
        tokens: [52, 80, 80, 58, 52, 59, 61],
    },
    CountedText {
        sort: "ukrainian",
        text: "Звіт знову запізнився, тому ми перенесли зустріч на четвер і попросили Марію перевірити дві підозрілі цифри. Виявилося, що другий датчик бреше ще з березня, але ніхто цього не записав.",
        tokens: [64, 81, 81, 92, 59, 62, 82],
    },
    CountedText {
        sort: "arabic",
        text: "تأخر التقرير مرة أخرى، لذلك نقلنا الاجتماع إلى يوم الخميس وطلبنا من مريم أن تراجع الرقمين اللذين بدا أنهما غير صحيحين. واكتشفت أن الحساس الثاني ينحرف منذ شهر مارس ولم يسجل أحد ذلك.",
        tokens: [54, 126, 126, 58, 58, 63, 62],
    },
    CountedText {
        sort: "hebrew",
        text: "הדוח שוב איחר, ולכן העברנו את הפגישה ליום חמישי וביקשנו ממרים לבדוק את שני המספרים שנראו שגויים. התברר שהחיישן השני סוטה מאז מרץ ואיש לא רשם זאת.",
        tokens: [60, 98, 98, 58, 70, 137, 70],
    },
    CountedText {
        sort: "hindi",
        text: "रिपोर्ट फिर देर से आई, इसलिए हमने बैठक गुरुवार को रखी और मारिया से उन दो आँकड़ों की जाँच करने को कहा जो ग़लत लग रहे थे। दूसरा सेंसर मार्च से ही ग़लत माप रहा था।",
        tokens: [55, 111, 111, 152, 46, 85, 97],
    },
    CountedText {
        sort: "thai",
        text: "รายงานมาช้าอีกแล้ว เราจึงเลื่อนการประชุมไปวันพฤหัสบดีและขอให้มาเรียตรวจสอบตัวเลขสองตัวที่ดูผิดปกติ เซ็นเซอร์ตัวที่สองคลาดเคลื่อนมาตั้งแต่เดือนมีนาคม",
        tokens: [58, 134, 134, 81, 47, 72, 56],
    },
    CountedText {
        sort: "greek",
        text: "Η αναφορά άργησε ξανά, γι' αυτό μεταφέραμε τη συνάντηση στην Πέμπτη και ζητήσαμε από τη Μαρία να ελέγξει τις δύο τιμές που φαίνονταν λάθος. Ο δεύτερος αισθητήρας αποκλίνει από τον Μάρτιο.",
        tokens: [69, 128, 128, 162, 71, 75, 87],
    },
    CountedText {
        sort: "rust",
        text: "pub fn omega(replans: u32, elapsed_ms: u64, limits: &Limits) -> f64 {\n    let replanned = f64::from(replans) / f64::from(limits.max_replans.max(1));\n    let elapsed = elapsed_ms as f64 / limits.time_budget_ms.max(1) as f64;\n    (limits.w1 * replanned + limits.w2 * elapsed).clamp(0.0, 1.0)\n}\n",
        tokens: [100, 122, 151, 106, 124, 99, 105],
    },
    CountedText {
        sort: "python",
        text: "def read_rows(path, limit=None):\n    with open(path, encoding=\"utf-8\") as handle:\n        for number, line in enumerate(handle):\n            if limit is not None and number >= limit:\n                break\n            yield json.loads(line.strip() or \"{}\")\n",
        tokens: [55, 67, 85, 55, 69, 55, 58],
    },
    CountedText {
        sort: "json",
        text: "{\"tool\": \"search\", \"input\": {\"pattern\": \"fn main\", \"path\": \"src/\"}, \"result\": \"failed\", \"exit\": 2, \"output\": \"src/: No such file or directory\", \"tags\": [\"#io\", \"#retry\"], \"elapsed_ms\": 1834}",
        tokens: [65, 67, 87, 67, 68, 65, 67],
    },
    CountedText {
        sort: "emoji",
        text: "🚀 Release is out! ✅ 214 tests green, ❌ 0 red. 🎉 Thanks to everyone 🙏🔥 — next: 📦 packaging, 🧪 fuzzing, 🐛 the login bug. See you on Monday 👋😀",
        tokens: [53, 79, 93, 58, 49, 61, 56],
    },
    CountedText {
        sort: "log",
        text: "2026-11-21T03:10:00.123Z ERROR worker[4821] request 9f86d081884c7d65 failed after 3 attempts: connection refused (os error 111) at /srv/app/src/net.rs:214:17",
        tokens: [58, 65, 76, 80, 84, 58, 59],
    },
];

/// How far an estimate is from the count, in thousandths of it.
fn error(estimate: u64, count: u32) -> i64 {
    let (estimate, count) = (i64::try_from(estimate).expect("small"), i64::from(count));
    (estimate - count) * 1000 / count
}

/// Which counts of which families a counter misses by more than a fifth.
fn missed(counter_of: impl Fn(TokenFamily) -> Box<dyn TokenCounter>) -> Vec<String> {
    let cells = TEXTS.iter().flat_map(|counted| COUNTED.iter().zip(counted.tokens).map(move |cell| (counted, cell)));
    let errors = cells.map(|(counted, (family, tokens))| {
        (counted.sort, *family, error(counter_of(*family).text(counted.text), tokens))
    });
    errors
        .filter(|(.., error)| error.abs() > 200)
        .map(|(sort, family, error)| format!("{sort} {family} {error}"))
        .collect()
}

#[test]
fn nearly_every_estimate_is_within_a_fifth_of_the_count() {
    let far = missed(|family| Box::new(TokenEstimate { family }));
    assert!(far.len() * 20 <= TEXTS.len() * COUNTED.len(), "{far:#?}");
}

/// The source's rule holds for English prose, and not for most else.
#[test]
fn four_characters_miss_most_counts() {
    let far = missed(|_| Box::new(FourCharacters::default()));
    assert!(far.len() * 2 > TEXTS.len() * COUNTED.len(), "{far:#?}");
}

#[test]
fn a_mixture_of_all_texts_is_within_a_twelfth() {
    let all: Vec<_> = TEXTS.iter().map(|counted| counted.text).collect();
    for (at, family) in COUNTED.iter().enumerate() {
        let tokens = TEXTS.iter().map(|counted| counted.tokens[at]).sum();
        let error = error(TokenEstimate { family: *family }.text(&all.join("\n")), tokens);
        assert!(error.abs() <= 83, "{family}: {error} thousandths");
    }
}

#[test]
fn an_unknown_tokenizer_is_taken_for_the_middle_of_the_known() {
    for counted in TEXTS {
        let open = [0, 3, 4, 5, 6].map(|at| counted.tokens[at]);
        let estimate = TokenEstimate { family: TokenFamily::Unknown }.text(counted.text);
        let (least, most) = (open.iter().min().expect("five"), open.iter().max().expect("five"));
        let is_between = error(estimate, *least) > -150 && error(estimate, *most) < 150;
        assert!(is_between, "{}: {estimate} beside {open:?}", counted.sort);
    }
}

#[test]
fn a_model_has_the_tokens_of_its_family() {
    use TokenFamily::{Claude, ClaudeNew, Deepseek, Gemma, Gpt, Llama, Qwen, Unknown};
    let cases = [
        ("gpt-5.5", Gpt),
        ("gpt-oss:latest", Gpt),
        ("openai/o4-mini", Gpt),
        ("codex-mini-latest", Gpt),
        ("claude-3-5-sonnet-20241022", Claude),
        ("claude-sonnet-4-20250514", Claude),
        ("claude-opus-4-6", Claude),
        ("claude-opus-4-7", ClaudeNew),
        ("claude-opus-4.8", ClaudeNew),
        ("claude-opus-4-10", ClaudeNew),
        ("sonnet", ClaudeNew),
        ("qwen2.5-coder:1.5b", Qwen),
        ("deepseek-r1-distill-qwen-7b", Qwen),
        ("deepseek-r1-distill-llama-8b", Llama),
        ("DeepSeek-V3", Deepseek),
        ("gemini-2.5-flash", Gemma),
        ("gemma3:12b", Gemma),
        ("llama3.3", Llama),
        ("glm-4.7-flash:latest", Unknown),
        ("olmo-2", Unknown),
        ("", Unknown),
    ];
    for (name, expected) in cases {
        assert_eq!(TokenFamily::of_model(name), expected, "{name}");
    }
}

#[test]
fn what_goes_around_a_message_is_counted_and_more_around_a_call() {
    let estimate = TokenEstimate::of_model("claude-opus-4-6");
    let plain = ContextMessage::new(ContextRole::User, "hello there");
    let text = estimate.text("hello there");
    assert_eq!(estimate.message(&plain), text + 10);
    assert_eq!(estimate.message(&calling("hello there", &["1", "2"])), text + 10 + 2 * 34);
    assert_eq!(estimate.message(&answering("hello there", "1")), text + 10 + 34);
    assert_eq!(FourCharacters::default().message(&calling("hello there", &["1"])), 3);
}

#[test]
fn words_of_another_language_cost_more_than_english_ones() {
    let estimate = TokenEstimate { family: TokenFamily::Claude };
    let per_word =
        |text: &str| estimate.text(text) * 1000 / u64::try_from(text.split_whitespace().count()).expect("small");
    let english = per_word("she said that the report about the old tower was not on the table in the hall");
    let finnish = per_word("talossa asuneet vanhukset kertoivat tarinoita menneiden vuosien talvista ja kesista");
    let code = per_word("let value = reader.next() ; if value == None { return } ; sum = sum + value");
    assert!(english < 1_100 && code < 1_900 && finnish > 2_000, "{english} {code} {finnish}");
}

proptest! {
    /// No text has more tokens than six a character, and none has many more than its parts.
    #[test]
    fn counts_are_bounded_and_add_up(left in ".{0,60}", right in ".{0,60}") {
        for family in TokenFamily::ALL {
            let counter = TokenEstimate { family: *family };
            let (one, other, both) = (counter.text(&left), counter.text(&right), counter.text(&format!("{left}{right}")));
            let characters = u64::try_from(left.chars().count()).unwrap();
            prop_assert!(one <= characters * 6 + 1);
            prop_assert!(both <= 3 * (one + other) + 2, "{} and {} are {}", one, other, both);
            prop_assert_eq!(counter.text(""), 0);
        }
    }
}
