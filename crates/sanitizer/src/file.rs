//! Files whose content is secret (AFS 11.1, `shouldExcludeFile` of 11.3).

/// Names, and ends of paths, of such files; in lower case.
#[rustfmt::skip] // A list of words, as text.
const SECRET: &[&str] = &[
    ".env*", "*.env", "*.env.*", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".mylogin.cnf",
    ".htpasswd", ".dockercfg", ".docker/config.json", ".aws/credentials", ".git-credentials", ".kube/config",
    "kubeconfig", ".vault-token", ".terraformrc", "*.tfvars", "*.tfstate", "*.tfstate.backup", "credentials.json",
    "client_secret*.json", "service-account*.json", "service_account*.json", "secrets.yml", "secrets.yaml",
    "secrets.json", "secrets.toml", "master.key", ".secrets", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519",
    "id_ecdsa_sk", "id_ed25519_sk", "*.pem", "*.key", "*.p12", "*.pfx", "*.pkcs12", "*.jks", "*.keystore", "*.kdbx",
    "*.ppk", ".cargo/credentials.toml", ".cargo/credentials", ".gem/credentials", ".config/gh/hosts.yml",
    ".codex/auth.json", ".claude/.credentials.json", ".gemini/oauth_creds.json",
];

/// Files of these names that are made to be shared.
const SHARED: &[&str] = &["*.example", "*.sample", "*.template", "*.dist", "*.env.d.ts", "*.pub", "*.schema.json"];

/// Whether what is in the file is secret, by its path alone.
pub(super) fn is_secret(path: &str, own: &[String]) -> bool {
    let path = path.replace('\\', "/").to_lowercase();
    let fits = |glob: &str| fits(glob, &path);
    let is_shared = SHARED.iter().any(|glob| fits(glob));
    SECRET.iter().any(|glob| fits(glob)) && !is_shared || own.iter().any(|glob| fits(&glob.to_lowercase()))
}

/// A glob without a slash is for the name of the file, one with slashes for the end of the path.
fn fits(glob: &str, path: &str) -> bool {
    let depth = glob.trim_start_matches('/').matches('/').count();
    if glob.contains("**") {
        return matches(glob.as_bytes(), path.as_bytes())
            || matches(glob.as_bytes(), path.trim_start_matches('/').as_bytes());
    }
    let parts: Vec<&str> = path.rsplitn(depth + 2, '/').take(depth + 1).collect();
    let end = parts.into_iter().rev().collect::<Vec<_>>().join("/");
    matches(glob.trim_start_matches('/').as_bytes(), end.as_bytes())
}

/// `*` is anything but a slash, `**` anything, `?` one byte but a slash. Looks back to the last star only.
fn matches(glob: &[u8], text: &[u8]) -> bool {
    let (mut g, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    let mut deep: Option<(usize, usize)> = None;
    loop {
        if g < glob.len() && glob[g] == b'*' {
            let is_deep = glob.get(g + 1) == Some(&b'*');
            g += if is_deep { 2 } else { 1 };
            if is_deep {
                (deep, star) = (Some((g, t)), None);
            } else {
                star = Some((g, t));
            }
        } else if t < text.len() && g < glob.len() && (glob[g] == text[t] || glob[g] == b'?' && text[t] != b'/') {
            (g, t) = (g + 1, t + 1);
        } else if t == text.len() && g == glob.len() {
            return true;
        } else if let Some((after, at)) = star.filter(|(_, at)| *at < text.len() && text[*at] != b'/') {
            (star, g, t) = (Some((after, at + 1)), after, at + 1);
        } else if let Some((after, at)) = deep.filter(|(_, at)| *at < text.len()) {
            (deep, star, g, t) = (Some((after, at + 1)), None, after, at + 1);
        } else {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_with_secrets_are_known_by_their_paths() {
        let secret = [
            ".env", "/home/a/p/.env", ".env.local", "config/prod.env", "C:\\p\\.ENV", "a.env.production",
            "~/.ssh/id_rsa", "tls/server.key", "cert.pem", ".netrc", "/root/.aws/credentials", "p/.npmrc",
            "infra/main.tfvars",
        ];
        for path in secret {
            assert!(is_secret(path, &[]), "{path}");
        }
        let open = [
            "src/env.rs", "environment.ts", ".env.example", "docs/.env.sample", "id_rsa.pub", "credentials.rs",
            "keys.md", "README.md", "", "/", "aws/credentials.md", "vite-env.d.ts",
        ];
        for path in open {
            assert!(!is_secret(path, &[]), "{path}");
        }
    }

    #[test]
    fn globs_are_for_names_or_for_ends_of_paths() {
        let cases = [
            ("*.secret", "a/b.secret", true),
            ("conf/*.yml", "/x/conf/a.yml", true),
            ("conf/*.yml", "/x/conf/b/a.yml", false),
            ("**/private/**", "/x/private/a/b.txt", true),
            ("private/**", "private/a/b.txt", true),
            ("private/**", "/x/public/a.txt", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*a*b*", "xxaxxbxx", true),
            ("", "", true),
        ];
        for (glob, path, expected) in cases {
            assert_eq!(is_secret(path, &[glob.to_owned()]), expected, "{glob} {path}");
        }
    }
}
