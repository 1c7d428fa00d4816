//! The beginning and the end of what a command writes, however much it is.
//!
//! Holds no more than it keeps. Does not know lines while it takes bytes.

use std::collections::VecDeque;

/// Bytes of which the middle is left out.
#[derive(Debug, Clone)]
pub(crate) struct HeadTail {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// The most of each.
    most: usize,
    left_out: u64,
}

impl HeadTail {
    /// Keeps this many bytes of the beginning, and as many of the end.
    pub(crate) fn new(most: usize) -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), most, left_out: 0 }
    }

    /// Takes more.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        let room = self.most - self.head.len();
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend(head);
        let kept = &rest[rest.len().saturating_sub(self.most)..];
        let over = (self.tail.len() + kept.len()).saturating_sub(self.most);
        self.tail.drain(..over);
        self.tail.extend(kept);
        self.left_out += (over + rest.len() - kept.len()) as u64;
    }

    /// As a text, with a line in the place of what was left out. What is no UTF-8 is shown as such.
    pub(crate) fn text(&self) -> String {
        let (mut bytes, tail) = (self.head.clone(), self.tail.iter().copied().collect::<Vec<_>>());
        if self.left_out == 0 {
            bytes.extend(tail);
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        let tail = String::from_utf8_lossy(&tail);
        format!("{}\n[… {} bytes left out …]\n{tail}", String::from_utf8_lossy(&bytes), self.left_out)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_middle_is_left_out_and_counted() {
        for (most, parts, expected) in [
            (4, vec!["abc"], "abc"),
            (4, vec!["abcd", "efgh"], "abcdefgh"),
            (2, vec!["abcdef"], "ab\n[… 2 bytes left out …]\nef"),
            (2, vec!["a", "b", "c", "d", "e", "f"], "ab\n[… 2 bytes left out …]\nef"),
        ] {
            let mut kept = HeadTail::new(most);
            for part in &parts {
                kept.take(part.as_bytes());
            }
            assert_eq!(kept.text(), expected, "{parts:?}");
        }
    }

    proptest! {
        #[test]
        fn it_never_holds_more_than_it_keeps(parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..20)) {
            let mut kept = HeadTail::new(16);
            for part in &parts {
                kept.take(part);
            }
            let all: Vec<u8> = parts.concat();
            let held: Vec<u8> = kept.head.iter().chain(&kept.tail).copied().collect();
            prop_assert_eq!(held.len() as u64 + kept.left_out, all.len() as u64);
            prop_assert_eq!(&all[..kept.head.len()], &kept.head[..]);
            prop_assert!(all.ends_with(&kept.tail.iter().copied().collect::<Vec<_>>()));
        }
    }
}
