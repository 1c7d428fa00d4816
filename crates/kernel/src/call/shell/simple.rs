//! A command line with its quotes resolved: simple commands with their words, and the files that their output goes to.
//!
//! For those who must know every word: guards, and names of commands. Expands nothing, runs nothing; what stands in `$(…)`,
//! back quotes and subshells counts as commands, too. The fold reads `line` instead: slices without resolving, because it
//! reads the command line of every call, and what it once made of a line is recorded. One table of tests holds both.

use std::iter::Peekable;
use std::str::Chars;

use super::step::Step;

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Simple {
    /// Its words, without quotes.
    words: Vec<String>,
    /// Files that it writes by redirection.
    pub writes: Vec<String>,
}

impl Simple {
    /// Its words, one blank between them.
    pub fn text(&self) -> String {
        self.words.join(" ")
    }

    /// The program, without what only says how it is run (`sudo`, `A=1`, `timeout 60`, `uv run`), and its arguments.
    pub fn program(&self) -> Option<(&str, Vec<&str>)> {
        let words = self.words.iter().map(String::as_str).skip_while(|word| *word == "builtin");
        let step = Step::of_words(words.collect())?;
        Some((step.program, step.words))
    }
}

/// Deeper than this nobody looks.
const DEPTH: u32 = 8;

/// Takes a text apart. What comes first in the text comes first here.
pub fn commands(text: &str) -> Vec<Simple> {
    let mut reader = Reader::new(text, 0);
    reader.read();
    reader.done
}

/// What the next word is.
#[derive(Default)]
enum Next {
    #[default]
    Word,
    Write,
    Input,
    Heredoc,
}

struct Reader<'t> {
    rest: Peekable<Chars<'t>>,
    done: Vec<Simple>,
    now: Simple,
    word: Option<String>,
    next: Next,
    heredocs: Vec<String>,
    depth: u32,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, depth: u32) -> Self {
        let rest = text.chars().peekable();
        Self { rest, done: vec![], now: Simple::default(), word: None, next: Next::Word, heredocs: vec![], depth }
    }

    fn read(&mut self) {
        while let Some(letter) = self.rest.next() {
            match letter {
                '\'' => self.single_quoted(),
                '"' => self.double_quoted(),
                '\\' => self.escaped(),
                '$' => self.dollar(),
                '`' => self.nested('`'),
                '#' if self.word.is_none() => self.skip_line(),
                '\n' => {
                    self.end_command();
                    self.skip_heredocs();
                }
                '&' if self.rest.peek() == Some(&'>') => {}
                ';' | '|' | '&' | '(' | ')' => self.end_command(),
                '>' => self.output(),
                '<' => self.input(),
                letter if letter.is_whitespace() => self.end_word(),
                letter => self.push(letter),
            }
        }
        self.end_command();
    }

    fn push(&mut self, letter: char) {
        self.word.get_or_insert_default().push(letter);
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        match std::mem::take(&mut self.next) {
            Next::Word => self.now.words.push(word),
            Next::Write => self.now.writes.push(word),
            Next::Input => {}
            Next::Heredoc => self.heredocs.push(word),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        self.next = Next::Word;
        let command = std::mem::take(&mut self.now);
        if command != Simple::default() {
            self.done.push(command);
        }
    }

    fn single_quoted(&mut self) {
        let word = self.word.get_or_insert_default();
        word.extend(self.rest.by_ref().take_while(|letter| *letter != '\''));
    }

    fn double_quoted(&mut self) {
        self.word.get_or_insert_default();
        while let Some(letter) = self.rest.next() {
            match letter {
                '"' => return,
                '\\' => self.escaped(),
                '$' => self.dollar(),
                '`' => self.nested('`'),
                letter => self.push(letter),
            }
        }
    }

    fn escaped(&mut self) {
        match self.rest.next() {
            Some('\n') | None => {}
            Some(letter) => self.push(letter),
        }
    }

    /// `$name` stays as it is written; `$(…)` is a command.
    fn dollar(&mut self) {
        self.push('$');
        if self.rest.peek() == Some(&'(') {
            self.rest.next();
            self.nested(')');
        }
    }

    /// Commands inside a word: they are read on their own, and the word keeps a mark that something is missing.
    fn nested(&mut self, close: char) {
        let mut inside = String::new();
        let mut open = 1;
        for letter in self.rest.by_ref() {
            match letter {
                _ if letter == close => open -= 1,
                '(' if close == ')' => open += 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
            inside.push(letter);
        }
        self.push('$');
        if self.depth < DEPTH {
            let mut reader = Reader::new(&inside, self.depth + 1);
            reader.read();
            self.done.append(&mut reader.done);
        }
    }

    fn skip_line(&mut self) {
        while self.rest.peek().is_some_and(|letter| *letter != '\n') {
            self.rest.next();
        }
    }

    /// `>`, `>>`, `>|`, `2>`, `&>`; of `2>&1` nothing is a file.
    fn output(&mut self) {
        self.end_number();
        while self.rest.peek().is_some_and(|letter| matches!(letter, '>' | '|')) {
            self.rest.next();
        }
        if self.rest.peek() == Some(&'&') {
            self.rest.next();
            while self.rest.peek().is_some_and(|letter| letter.is_ascii_digit() || *letter == '-') {
                self.rest.next();
            }
        }
        if self.rest.peek() == Some(&'(') {
            return;
        }
        self.next = Next::Write;
    }

    /// `<`, `<<`, `<<<`; `<>` writes, too.
    fn input(&mut self) {
        self.end_number();
        self.next = Next::Input;
        match self.rest.peek() {
            Some('>') => {
                self.rest.next();
                self.next = Next::Write;
            }
            Some('<') => {
                self.rest.next();
                self.next = Next::Heredoc;
                if self.rest.peek() == Some(&'<') {
                    self.rest.next();
                    self.next = Next::Input;
                } else if self.rest.peek() == Some(&'-') {
                    self.rest.next();
                }
            }
            Some('(') => self.next = Next::Word,
            Some(_) | None => {}
        }
    }

    /// The digit before a redirection is no word.
    fn end_number(&mut self) {
        if self.word.as_ref().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word();
    }

    /// What stands between `<<END` and `END` is data.
    fn skip_heredocs(&mut self) {
        for end in std::mem::take(&mut self.heredocs) {
            loop {
                let mut line = String::new();
                let mut is_last = true;
                for letter in self.rest.by_ref() {
                    if letter == '\n' {
                        is_last = false;
                        break;
                    }
                    line.push(letter);
                }
                if is_last || line.trim_start_matches('\t') == end {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(text: &str) -> Vec<String> {
        let show = |command: &Simple| {
            let writes = command.writes.iter().flat_map(|path| [" >", path]).collect::<String>();
            format!("{}{writes}", command.words.join("·"))
        };
        commands(text).iter().map(show).collect()
    }

    /// A line, the simple commands that guards see, and the program by which the call is known.
    #[test]
    fn guards_and_calls_see_the_same_commands() {
        let cases: [(&str, &[&str], &str); 26] = [
            ("rm 'a b' \"c d\" e\\ f", &["rm·a b·c d·e f"], "rm"),
            ("echo 'a; rm b' \"&& rm c\"", &["echo·a; rm b·&& rm c"], "echo"),
            ("echo a\\;b", &["echo·a;b"], "echo"),
            ("echo \"it's\"; make", &["echo·it's", "make"], "make"),
            ("cd x && make", &["cd·x", "make"], "make"),
            ("make || rm -rf b", &["make", "rm·-rf·b"], "make"),
            ("ls; make; ls", &["ls", "make", "ls"], "make"),
            ("make | tee log", &["make", "tee·log"], "make"),
            ("make & wait", &["make", "wait"], "make"),
            ("(cd x; make)", &["cd·x", "make"], "make"),
            ("{ make; }", &["{·make", "}"], "make"),
            ("if true; then make; fi", &["if·true", "then·make", "fi"], "make"),
            ("! make", &["!·make"], "make"),
            ("cat > a <<'E'\nrm b; \"\nE\nmake", &["cat >a", "make"], "cat"),
            ("make <<< 'rm a'", &["make"], "make"),
            ("A=1 B='x y' make", &["A=1·B=x y·make"], "make"),
            ("sudo -n make", &["sudo·-n·make"], "make"),
            ("timeout 60 env -i A=1 make", &["timeout·60·env·-i·A=1·make"], "make"),
            ("bash -lc 'cd x && make'", &["bash·-lc·cd x && make"], "make"),
            ("ls | xargs -n 1 make", &["ls", "xargs·-n·1·make"], "ls"),
            ("make \\\n  -j4", &["make·-j4"], "make"),
            ("# rm a\nmake # rm b", &["make"], "make"),
            ("make a#b", &["make·a#b"], "make"),
            ("X=$(make)", &["make", "X=$$"], "make"),
            ("/usr/bin/make 2>&1 >log", &["/usr/bin/make >log"], "make"),
            ("make\nls", &["make", "ls"], "make"),
        ];
        for (line, seen, called) in cases {
            assert_eq!(apart(line), seen, "{line}");
            assert_eq!(super::super::program(line).as_deref(), Some(called), "{line}");
        }
    }

    #[test]
    fn what_says_how_a_program_is_run_is_no_program() {
        for (line, program, arguments) in [
            ("FOO=1 sudo -n /bin/rm a", "rm", &["a"][..]),
            ("timeout 5 rm a", "rm", &["a"]),
            ("uv run rm a", "rm", &["a"]),
            ("docker exec -it box rm a", "rm", &["a"]),
            ("xargs -n 1 rm a", "rm", &["a"]),
            ("time nice -n 5 rm a", "rm", &["a"]),
        ] {
            let simple = &commands(line)[0];
            assert_eq!(simple.program(), Some((program, arguments.to_vec())), "{line}");
        }
    }

    #[test]
    fn quotes_and_separators() {
        assert_eq!(
            apart("rm -f 'a b' \"c d\" e\\ f; ls | wc -l && true &"),
            ["rm·-f·a b·c d·e f", "ls", "wc·-l", "true"]
        );
        assert_eq!(apart("echo a#b # c; rm d\nls"), ["echo·a#b", "ls"]);
        assert_eq!(apart("(cd x && rm y)"), ["cd·x", "rm·y"]);
        assert_eq!(apart("echo 'unfinished"), ["echo·unfinished"]);
    }

    #[test]
    fn redirections_write() {
        assert_eq!(apart("echo a >b 2>>c 2>&1 <d &>e >|f"), ["echo·a >b >c >e >f"]);
        assert_eq!(apart("cat>b"), ["cat >b"]);
        assert_eq!(apart("x 3<> b <<< c"), ["x >b"]);
    }

    #[test]
    fn a_heredoc_is_data() {
        assert_eq!(apart("cat > a <<'END' && ls\nrm b; \"\nEND\nrm c"), ["cat >a", "ls", "rm·c"]);
        assert_eq!(apart("cat <<-A <<B\n\tx\n\tA\ny\nB\nrm c"), ["cat", "rm·c"]);
        assert_eq!(apart("cat <<END\nnever ends"), ["cat"]);
    }

    #[test]
    fn commands_inside_words_count() {
        assert_eq!(apart("echo \"$(rm a $(rm b))\" `rm c` $HOME"), ["rm·b", "rm·a·$$", "rm·c", "echo·$$·$·$HOME"]);
        assert_eq!(apart("diff <(rm a) b"), ["diff", "rm·a", "b"]);
    }
}
