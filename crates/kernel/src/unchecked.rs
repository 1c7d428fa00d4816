//! What an agent says of its own work: that it is not done, or that nothing has shown it to be right.
//!
//! Whoever says so has told the person; nobody has to say it again. Does not ask whether it is true.

use crate::pattern::Pattern;

static UNFINISHED: Pattern = Pattern::new(
    r"(?i)\b(?:WIP|work in progress|unfinished|untested|not (?:yet )?(?:done|finished|passing|complete|tested|verified|built|run)|still (?:failing|broken|to do|left)|(?:haven(?:'t|’t)|has not been|have not been) (?:run|tested|built|verified)|you(?:'ll|’ll| will)? (?:need|want) to (?:test|build|rebuild|run (?:[\w-]+ ){0,3}(?:tests?|checks?|build|linter)))\b",
);

/// "Tests were not run", "I couldn't execute `go test`", "no automated tests run": code may stand between.
static NOT_RUN: Pattern = Pattern::new(
    r"(?i)\b(?:could|did|was|were|can)(?:n['’]?t|\W{1,4}not\W{1,3})(?: able to| be)? ?(?:re-?)?(?:run|ran|execute[d]?|test(?:ed)?|verif(?:y|ied)|build|built|compiled?)\b|\bunable to (?:re-?)?(?:run|execute|test|verify|build|compile)\b|\bno (?:[\w-]+ ){0,3}(?:tests?|checks?|builds?|lint(?:ing)?|verification|`[^`\n]{1,80}`) (?:were |was |have been |has been )?(?:run|executed|performed)\b",
);

/// The same in Chinese, Japanese and Korean, and in the languages of the west whose agents were seen.
static ELSEWHERE: Pattern = Pattern::made(|| {
    let chinese = "(?:没有?|还没|尚未|並未|并未)(?:在[^。\\n]{0,12})?(?:跑|运行|執行|执行|做|进行)[^。，\\n]{0,16}(?:测试|檢查|检查|编译|验证|构建)|未(?:经|經)?(?:过|過)?(?:测试|验证|编译|实际运行)|(?:没法|无法|無法|没能|未能|不能)[^。，\\n]{0,16}(?:运行|测试|验证|编译|检查|构建|跑)|(?:请|需要)(?:你|您|自行|在)[^。，\\n]{0,12}(?:测试|验证|编译|运行(?:测试|检查))";
    let japanese = "(?:テスト|ビルド|検証|動作確認|コンパイル|実行)[^。\\n]{0,12}(?:していません|できません|できていません|行っていません|未実施|まだです|していない|できなかった)|未(?:検証|テスト|確認)";
    let korean = "(?:테스트|빌드|검증|컴파일|실행)[^.\\n]{0,10}(?:하지 못|못했|하지 않|안 했|않았)";
    let romance = "(?i:\\bno (?:he podido|pude|he|se (?:ha|han)|fue posible) [^.\\n]{0,12}(?:ejecut|probad|probar|compil|verific|correr)|\\bnão (?:executei|rodei|testei|compilei|verifiquei|(?:consegui|pude|foi possível) (?:executar|rodar|testar|compilar|verificar))|\\bje n['’]ai pas (?:pu )?(?:exécut|lanc|test|compil|vérifi)|\\bnon ho (?:potuto )?(?:esegui|test|compil|verific))";
    let german = "(?i:\\b(?:nicht|noch nicht) (?:ausgeführt|getestet|gebaut|kompiliert|verifiziert|geprüft)\\b|\\bkonnte[^.\\n]{0,40}nicht (?:ausführen|testen|bauen|kompilieren|prüfen))";
    format!("{chinese}|{japanese}|{korean}|{romance}|{german}")
});

/// Whether an agent says itself that work is not done, or not tried.
pub fn is_said_unfinished(text: &str) -> bool {
    // Few messages in those languages do without their own letters.
    UNFINISHED.is_match(text) || NOT_RUN.is_match(text) || !text.is_ascii() && ELSEWHERE.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_says_that_nothing_was_run_has_told_it() {
        for text in [
            "A first cut, not yet tested.",
            "Tests: Not run (browser only).",
            "No automated tests run; please try it.",
            "I couldn’t run `cargo check`, the sandbox forbids it.",
            "I did **not** run `mix precommit`.",
            "No `mix precommit` run (as you asked).",
            "I was unable to execute the suite.",
            "The tests weren't run.",
            "You'll need to run the tests.",
            "我没有跑 Lua 编译检查，按这个项目说明跳过了。",
            "我这边没法在编辑器运行验证日志输出，只做了 diff 检查。",
            "本机没有 `lua` 命令，所以我没法做语法检查。",
            "テストはまだ実行できていません。",
            "테스트는 실행하지 못했습니다.",
            "No he podido ejecutar las pruebas aquí; están pendientes de revisión.",
            "Não consegui rodar os testes.",
            "Je n’ai pas pu lancer les tests.",
            "Die Tests konnte ich hier nicht ausführen, das müsstest du übernehmen.",
        ] {
            assert!(is_said_unfinished(text), "{text}");
        }
        for text in [
            "All tests pass.",
            "Please run `npm test` to confirm.",
            "No tests need to change.",
            "You’ll need to run `npm install` first.",
            "Fixed what was not right.",
            "测试全部通过，没有错误。",
            "已修复，编译检查没有问题。",
            "テストはすべて成功しました。",
            "Todas las pruebas pasan; no he cambiado nada más.",
            "Alle Tests laufen, es wurde nichts übersprungen.",
        ] {
            assert!(!is_said_unfinished(text), "{text}");
        }
    }
}
