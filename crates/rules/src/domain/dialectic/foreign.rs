//! What a person asks for in other languages than English: to destroy, to hand over, to touch what protects.
//!
//! By stems of verbs near what they are about, sentence by sentence; a question asks for nothing. Chinese, Japanese, Korean, and the
//! languages of the west whose prompts were seen. Does not know their grammar.

use super::stakes::DebateCategory;
use annals_kernel::pattern::Pattern;

/// So many characters of a text are read: who orders does so at the beginning, and further down stands what was pasted.
const LOOKED_AT: usize = 300;
/// A longer sentence tells, and orders nothing. In characters.
const LONGEST: usize = 60;

/// Where a sentence ends, with its mark.
static ENDS: Pattern = Pattern::new(r"[。！？!?\n]|\.\s");

/// How a question is asked, and how work on code, a report, or a reason is worded.
static ASKS: Pattern = Pattern::new(
    r"[？?]\s*$|吗|怎么|如何|为什么|什么|是否|能不能|脚本|文档|按钮|接口|功能|スクリプト|ボタン|機能|检查|ですか|ますか|だろうか|どう(?:$|[^ぞ])|なぜ|せず|てはいけない|ないよう|別に|하지 ?마|하지 ?말|지 않|先别|请勿|勿|不许|禁止|无需|不用|教えて|しないで|方法|目的|已经?|完毕|时间|地点|状态|情况|详细|要不要|不要|如果|可能|依赖|限制|本地|ローカル|\ben local\b|\blokal\b|\blocalmente\b|문서|스크립트|버튼|기능|인가요|까요",
);

static DESTROYS: Pattern = Pattern::new(
    r"(?:删除|删掉|清空|清除|重置|丢弃)[^，,]{0,8}(?:数据|数据库|数据表|分支|记录|账号|备份|历史)|(?:数据库|分支|数据表|记录|备份|标签)[^，,]{0,6}(?:删除|删掉|清空|重置)|强制推送|回滚[^，,]{0,6}(?:数据|生产|线上)|(?:ブランチ|DB|データベース|データ|テーブル|履歴|タグ|レコード|リポジトリ)[^、,]{0,8}(?:削除|消し|消去|リセット|初期化|アーカイブ)|強制プッシュ|(?:브랜치|데이터베이스|데이터|테이블|기록|태그)[^,]{0,8}(?:삭제|지워|초기화)|강제 ?푸시",
);

static RELEASES: Pattern = Pattern::new(
    r"(?:推送?|push|提交|合并|上传)[^，,]{0,16}(?:main|master|主分支|主干|远程|github|GitHub|线上|生产)|(?:main|master|主分支|github|GitHub)[^，,]{0,8}(?:推送|push|合并)|部署|上线|(?:发布|发版)[^，,]{0,6}(?:版本|新版|到|包|吧|一下|$)|打(?:个|一个)?(?:tag|标签)|(?:main|master|本番|リモート|GitHub|github)[^、,]{0,12}(?:push|プッシュ|マージ|コミット|反映|適用)|(?:デプロイ|リリース|公開|パブリッシュ)(?:して|し直して|お願い|しよう|する。)|(?:main|master|운영|깃허브|원격)[^,]{0,8}(?:푸시|머지|병합|올려|반영)|(?:배포|릴리스|퍼블리시)(?:해|하자|합시다)",
);

static GUARDS: Pattern = Pattern::new(
    r"(?:密码|密钥|口令|令牌|凭证|证书|权限|鉴权|认证)[^，,]{0,8}(?:改|换|设|重置|添加|增加|删除|关闭|开启|放到|写入)|(?:改|换|设置|重置|添加|增加|删除|关闭|开启|生成)[^，,]{0,6}(?:密码|密钥|口令|令牌|凭证|证书|权限|鉴权)|(?:パスワード|鍵|トークン|証明書|認証|権限)[^、,]{0,10}(?:変え|変更|設定|追加|必要に|削除|無効|有効|発行)|(?:비밀번호|토큰|인증서|권한)[^,]{0,8}(?:변경|바꿔|추가|설정|삭제|발급)",
);

/// What stands before a verb in the languages of the west.
const LED: &str = r"(?:^|[,;:(]\s*|(?:^|[\s,;:(])(?:y|e|et|und|luego|ahora|agora|depois|puis|maintenant|jetzt|dann|bitte|por favor|ok|sí|si|sim|oui|ja)\s+)";

static WESTERN_RELEASES: Pattern = Pattern::made(|| {
    let made =
        r"(?:haz|hacé|hace|faça|faz|fais|mach)\s+(?:un |el |o |um |le |einen |den )?(?:deploy|push|release|despliegue)";
    let given = r"(?:despliega|desplegar|despliégalo|deploya|déploie|deploye|veröffentliche|publica|publique|publie|publicar)(?:[\s,.;:!]|$)";
    let to = r"(?:sube|súbelo|subir|suba|envia|mande|pousse|schieb|pushe|pushea|pushear|mergea)\b[^,;]{0,30}(?:main|master|github|producci|produç|prod\b|npm|remoto|store)";
    format!("(?i:{LED}(?:{made}|{given}|{to}))")
});

static WESTERN_DESTROYS: Pattern = Pattern::made(|| {
    let verbs = "borra|elimina|borrar|eliminar|apague|exclua|apaga|supprime|efface|lösche|entferne";
    let things = "base de dat|base de dad|banco|base de donn|datenbank|tabl|tabel|rama|branch|zweig|registros|usuarios|datos|dados|données|daten";
    format!(r"(?i:{LED}(?:{verbs})\s[^,;]{{0,24}}(?:{things}))")
});

/// What a sentence is looked through for that has none of their letters.
static LETTERS: [(&Pattern, DebateCategory); 2] =
    [(&WESTERN_DESTROYS, DebateCategory::Destructive), (&WESTERN_RELEASES, DebateCategory::Production)];

static ALL: [(&Pattern, DebateCategory); 5] = [
    (&DESTROYS, DebateCategory::Destructive),
    (&RELEASES, DebateCategory::Production),
    (&GUARDS, DebateCategory::Security),
    LETTERS[0],
    LETTERS[1],
];

/// Chinese and Japanese characters, and those of Korean.
fn is_eastern(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Who asks for a review quotes what was changed.
const REVIEWS: [&str; 3] = ["レビュー", "审查", "评审"];

/// Why much is at stake in what is asked for in a person's own words.
pub fn at_stake(own: &str) -> Option<DebateCategory> {
    let own: String = own.chars().take(LOOKED_AT).collect();
    if REVIEWS.iter().any(|review| own.contains(review)) {
        return None;
    }
    let mut from = 0;
    let ends = ENDS.find_iter(&own).map(|end| end.end()).chain([own.len()]);
    let sentences: Vec<&str> = ends.map(|end| own[std::mem::replace(&mut from, end)..end].trim()).collect();
    let category = |sentence: &&str| {
        if sentence.chars().nth(LONGEST).is_some() {
            return None;
        }
        let patterns: &[(&Pattern, DebateCategory)] = if sentence.contains(is_eastern) { &ALL } else { &LETTERS };
        let hit = patterns.iter().find_map(|(pattern, category)| pattern.is_match(sentence).then_some(*category));
        hit.filter(|_| !ASKS.is_match(sentence))
    };
    sentences.iter().find_map(category)
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_kernel::own_words::own_words;

    #[test]
    fn who_orders_an_act_in_another_language_asks_for_it() {
        use DebateCategory::{Destructive, Production, Security};
        for (text, expected) in [
            ("把代码推送到 main 分支", Production),
            ("提交并推送到远程仓库", Production),
            ("好的，部署吧", Production),
            ("删除所有旧分支", Destructive),
            ("清空数据库，然后重新导入", Destructive),
            ("把管理员密码改成新的", Security),
            ("mainにコミットしてpushして", Production),
            ("本番に反映してください", Production),
            ("デプロイしてください", Production),
            ("古いブランチを削除して", Destructive),
            ("パスワードを必要にしたい", Security),
            ("main에 푸시해줘", Production),
            ("데이터베이스 초기화해줘", Destructive),
            ("ahora haz push", Production),
            ("Despliega la web", Production),
            ("por favor borra la base de datos", Destructive),
            ("agora faça o deploy", Production),
            ("Lösche die Datenbank", Destructive),
            ("Bitte lösche die Datenbank", Destructive),
        ] {
            assert_eq!(at_stake(&own_words(text)), Some(expected), "{text}");
        }
    }

    #[test]
    fn who_asks_tells_or_works_on_code_orders_none() {
        for text in [
            "如何部署到服务器？",
            "部署脚本报错了",
            "帮我写一个删除按钮",
            "为什么推送到 main 会失败",
            "デプロイはどうやりますか",
            "登录页面的样式不对",
            "ログインできない",
            "push the button to the left",
            "el despliegue falla con un error",
            "¿puedes explicar cómo se publica?",
            "Fix the login test",
            "elimina el botón de la cabecera",
            "对 main 的 push 做代码审查",
            "➜  pears git:(main) ✗ git push origin main",
            "已经在本地部署完毕",
            "发布时间: 2026-05",
            "main にコミットしないで",
            "maintenant déploie le en local",
            "先别部署",
            "请勿删除数据库",
            "main에 푸시하지 마세요",
            "데이터베이스는 삭제하지 마",
            "データを削除せずに直して",
            "デプロイしてはいけない",
            "提交后重置表单",
            "清空列表",
            "删除标签页",
            "이 패키지를 추가해줘",
            "l'employée supprime les données",
            "Publicação falhou",
            "Eliminação de dados duplicados falha",
            "",
        ] {
            assert_eq!(at_stake(&own_words(text)), None, "{text}");
        }
    }
}
