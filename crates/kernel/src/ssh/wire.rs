//! The strings of which OpenSSH makes its blobs: a length of four bytes, then so many bytes.

/// Adds a string to a blob.
pub fn put(blob: &mut Vec<u8>, bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).expect("BUG: nothing of ours has four gigabytes");
    blob.extend(length.to_be_bytes());
    blob.extend(bytes);
}

/// What is left of a blob.
pub struct Strings<'b>(&'b [u8]);

impl<'b> Strings<'b> {
    /// Begins at the first byte.
    pub fn of(blob: &'b [u8]) -> Self {
        Self(blob)
    }

    /// Takes what a blob must begin with.
    pub fn skip(&mut self, prefix: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(prefix)?;
        Some(())
    }

    /// The next number.
    pub fn number(&mut self) -> Option<u32> {
        let (bytes, rest) = self.0.split_first_chunk::<4>()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*bytes))
    }

    /// The next string.
    pub fn string(&mut self) -> Option<&'b [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (string, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(string)
    }

    /// What was not taken yet.
    pub fn rest(&self) -> &'b [u8] {
        self.0
    }

    /// Whether nothing is left.
    pub fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }
}
