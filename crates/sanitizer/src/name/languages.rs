//! What people of other languages call a password, a secret, a token, a key. From general knowledge, not from data.
//!
//! Letters outside of ASCII stand here in each case that is met, because names are compared byte by byte.

use super::Kind::{self, ApiKey, Password, Secret, Token};

/// Beginnings of words: whatever is before them, and up to four letters behind them, as cases and plurals need.
#[rustfmt::skip] // A list of words, as text.
pub(super) const STEMS: &[(&str, Kind)] = &[
    // Germanic.
    ("passwort", Password), ("kennwort", Password), ("losungswort", Password), ("wachtwoord", Password),
    ("lösenord", Password), ("lÖsenord", Password), ("losenord", Password), ("passord", Password),
    ("adgangskode", Password), ("kodeord", Password), ("lykilorð", Password), ("lykilord", Password), ("wagwoord", Password),
    ("geheimnis", Secret), ("geheimwort", Password), ("zugangscode", Password), ("hemlighet", Secret),
    ("geheimschlüssel", Secret), ("geheimschluessel", Secret), ("schlüssel", ApiKey), ("schluessel", ApiKey),
    // Romance.
    ("contraseña", Password), ("contraseÑa", Password), ("contrasena", Password), ("contrasenia", Password), ("contrasenya", Password),
    ("palavrapasse", Password), ("motdepasse", Password), ("parolachiave", Password), ("parolă", Password),
    ("parola", Password), ("contrasinal", Password), ("codigosecreto", Secret), ("clésecrète", Secret), ("clesecrete", Secret),
    ("cléapi", ApiKey), ("cleapi", ApiKey), ("claveapi", ApiKey), ("chaveapi", ApiKey), ("chiaveapi", ApiKey),
    ("clavesecreta", Secret), ("chavesecreta", Secret), ("segredo", Secret), ("phrasesecrète", Password),
    // Slavic.
    ("парол", Password), ("Парол", Password), ("ПАРОЛ", Password), ("лозинк", Password), ("Лозинк", Password),
    ("секрет", Secret), ("Секрет", Secret), ("СЕКРЕТ", Secret), ("токен", Token), ("Токен", Token), ("ТОКЕН", Token),
    ("hasło", Password), ("hasŁo", Password), ("haslo", Password), ("hasla", Password), ("heslo", Password), ("hesla", Password), ("lozink", Password),
    ("zaporka", Password), ("geslo", Password), ("tajemství", Secret), ("tajnyklic", Secret), ("kluczapi", ApiKey),
    // Baltic, Uralic, Turkic, Greek and others of Europe.
    ("slaptažod", Password), ("slaptazod", Password), ("salasana", Password), ("salasõna", Password),
    ("salasona", Password), ("jelszó", Password), ("jelszo", Password), ("jelszava", Password), ("pasahitz", Password),
    ("fjalëkalim", Password), ("fjalekalim", Password), ("şifre", Password), ("Şifre", Password), ("ŞİFRE", Password),
    ("sifre", Password), ("gizlianahtar", Secret), ("құпиясөз", Password), ("κωδικό", Password), ("Κωδικό", Password),
    ("ΚΩΔΙΚΌ", Password), ("focalfaire", Password), ("cyfrinair", Password),
    // Of Asia and Africa.
    ("密码", Password), ("密碼", Password), ("口令", Password), ("密钥", ApiKey), ("密鑰", ApiKey), ("令牌", Token), ("秘钥", ApiKey),
    ("パスワード", Password), ("暗証番号", Password), ("パスフレーズ", Password), ("トークン", Token), ("シークレット", Secret),
    ("비밀번호", Password), ("패스워드", Password), ("암호", Password), ("토큰", Token), ("비밀키", Secret),
    ("كلمةالمرور", Password), ("كلمةالسر", Password), ("كلمةمرور", Password), ("رمزعبور", Password), ("گذرواژه", Password), ("סיסמ", Password), ("पासवर्ड", Password),
    ("कूटशब्द", Password), ("পাসওয়ার্ড", Password), ("கடவுச்சொல்", Password), ("รหัสผ่าน", Password),
    ("mậtkhẩu", Password), ("matkhau", Password), ("katasandi", Password), ("katalaluan", Password), ("nenosiri", Password), ("პაროლ", Password), ("գաղտնաբառ", Password),
];

/// Words that mean it only when they stand alone.
#[rustfmt::skip] // A list of words, as text.
pub(super) const WORDS: &[(&str, Kind)] = &[
    ("senha", Password), ("clave", Password), ("mdp", Password), ("sandi", Password), ("geheim", Secret), ("jeton", Token),
    ("segreto", Secret), ("secreto", Secret), ("parole", Password), ("parol", Password), ("parool", Password), ("lozinka", Password),
];

/// What the prefilter looks for, where the words above have blanks between them.
#[rustfmt::skip] // A list of words, as text.
pub(super) const SPACED: &[&str] = &[
    "mot de passe", "mot_de_passe", "mot-de-passe", "palavra-passe", "palavra_passe", "parola chiave", "kata sandi", "kata_sandi",
    "mật khẩu", "mật_khẩu", "mat_khau", "clé_api", "cle_api", "clave_api", "chave_api", "clave_secreta", "chave_secreta",
    "clé_secrète", "cle_secrete", "كلمة المرور", "كلمة السر", "كلمة_المرور", "رمز عبور", "құпия сөз", "klucz_api", "neno_siri", "kata_laluan",
];
