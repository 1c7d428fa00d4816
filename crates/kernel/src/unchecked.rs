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

/// The same in Chinese, Japanese and Korean.
static EASTERN: Pattern = Pattern::made(|| {
    let chinese = "(?:没有?|还没|尚未|並未|并未)(?:在[^。\\n]{0,12})?(?:跑|运行|執行|执行|做|进行)[^。，\\n]{0,16}(?:测试|檢查|检查|编译|验证|构建)|未(?:经|經)?(?:过|過)?(?:测试|验证|编译|实际运行)|(?:没法|无法|無法|没能|未能)[^。，\\n]{0,16}(?:运行|测试|验证|编译|检查|构建|跑)|(?:请|(?:^|[^不无無])需要)(?:你|您|自行)[^。，\\n]{0,12}(?:测试|验证|编译|运行(?:测试|检查))";
    let japanese = "(?:テスト|ビルド|検証|動作確認|コンパイル|実行)[はをもが]?(?:まだ)?(?:実行|実施|確認)?(?:していません|できません|できていません|行っていません|行えません|できなかった|していない|未実施)|未(?:検証|テスト)";
    let korean =
        "(?:테스트|빌드|검증|컴파일|실행)[은는을를도]?[ ]?(?:아직 )?(?:실행)?(?:하지 못|못 ?했|하지 않|안 했|할 수 없)";
    format!("{chinese}|{japanese}|{korean}")
});

/// The same in Spanish, Portuguese, French, Italian and German.
static WESTERN: Pattern = Pattern::made(|| {
    let romance = "\\bno (?:he podido|pude|he|se (?:ha|han)|fue posible) [^.\\n]{0,12}(?:ejecut|probad|probar|compil|verific|correr)|\\bn[ãa]o (?:executei|rodei|testei|compilei|verifiquei|(?:consegui|pude|foi possível) (?:executar|rodar|testar|compilar|verificar))|\\bje n['’]ai pas (?:pu )?(?:exécut|lanc|test|compil|vérifi)|\\bnon ho (?:potuto )?(?:esegui|test|compil|verific)";
    let german = "\\b(?:nicht|noch nicht) (?:ausgeführt|getestet|gebaut|kompiliert|verifiziert|geprüft)(?:[^a-z]|$)|\\bkonnte[^.\\n]{0,40}nicht (?:ausführen|testen|bauen|kompilieren|prüfen)";
    format!("(?i:{romance}|{german})")
});

/// Whether an agent says itself that work is not done, or not tried.
pub fn is_said_unfinished(text: &str) -> bool {
    UNFINISHED.is_match(text)
        || NOT_RUN.is_match(text)
        || WESTERN.is_match(text)
        || !text.is_ascii() && EASTERN.is_match(text)
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
            "No he podido ejecutar las pruebas.",
            "Non ho eseguito i test.",
            "Die Tests wurden nicht gebaut.",
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
            "用户名不能为空的检查已加上。测试全部通过。",
            "不需要你再测试，我已全部跑过。",
            "ビルドエラーは発生していません。テストもすべて成功しました。",
            "테스트는 실패하지 않았습니다.",
            "已修复，编译检查没有问题。",
            "テストはすべて成功しました。",
            "Todas las pruebas pasan; no he cambiado nada más.",
            "Alle Tests laufen, es wurde nichts übersprungen.",
        ] {
            assert!(!is_said_unfinished(text), "{text}");
        }
    }
}
