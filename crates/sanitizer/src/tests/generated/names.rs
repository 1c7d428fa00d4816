//! Names of secrets in other languages, as people write them in settings; inflected and joined as the tables have not.

/// Names of which each must be seen as that of a password.
#[rustfmt::skip] // A list of words, as text.
pub(crate) const FOREIGN: &[&str] = &[
    "contraseña", "contraseñas_db", "DB_CONTRASEÑA", "mi_contrasena", "clave", "clave_db", "senha", "SENHA_BANCO", "senhaAdmin",
    "palavra_passe", "mot_de_passe", "motDePasse", "MOT_DE_PASSE", "mdp", "mdp_admin", "Passwort", "dbPasswort", "passwörter",
    "kennwort", "Kennwort_neu", "wachtwoord", "wachtwoorden", "lösenord", "losenordet", "passord", "passordet", "adgangskode",
    "adgangskoden", "kodeord", "salasana", "salasanan", "hasło", "hasla_db", "HASLO", "heslo", "hesla", "heslo_db", "jelszó", "jelszo", "jelszavak",
    "parola", "parole", "parolă", "parool", "пароль", "пароля", "ПАРОЛЬ_БД", "парола", "лозинка", "slaptažodis", "şifre", "sifresi", "κωδικός",
    "密码", "数据库密码", "密碼", "口令", "パスワード", "管理者パスワード", "비밀번호", "암호", "كلمة_المرور", "סיסמה", "पासवर्ड", "รหัสผ่าน",
    "mật_khẩu", "mat_khau", "kata_sandi", "katasandi", "nenosiri", "pasahitza", "lykilorð", "geslo", "lozinka", "zaporka", "salasõna",
];
