//! A shell command, taken apart as far as a look at its text allows: simple commands with their words, and the files
//! that their output goes to.
//!
//! Pure. Expands nothing, runs nothing; what stands in `$(…)`, back quotes and subshells counts as commands, too.

use std::iter::Peekable;
use std::str::Chars;

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Simple {
    /// Its words, without quotes.
    pub(super) words: Vec<String>,
    /// Files that it writes by redirection.
    pub(super) writes: Vec<String>,
}

/// Deeper than this nobody looks.
const DEPTH: u32 = 8;

/// Takes a text apart. What comes first in the text comes first here.
pub(super) fn commands(text: &str) -> Vec<Simple> {
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
