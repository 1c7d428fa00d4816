//! A file of the index: a row for each bit with a bit for each block, so that a question reads a few rows and no block.
//!
//! Each row has a checksum. Does not know which blocks they are; `manifest` does.

use std::io;

use annals_log::disk::ReadAt;

use super::gram::{BITS, Signature};

/// Bytes of the checksum behind each row.
const SUM_BYTES: usize = 4;

/// Which blocks of a layer are left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Left(Vec<u8>);

impl Left {
    /// All of so many.
    pub(crate) fn all(blocks: usize) -> Self {
        Self(vec![u8::MAX; width(blocks)])
    }

    /// Whether a block is left.
    pub(crate) fn has(&self, block: usize) -> bool {
        self.0.get(block / 8).is_some_and(|byte| byte >> (block % 8) & 1 == 1)
    }

    fn and(&mut self, row: &[u8]) {
        self.0.iter_mut().zip(row).for_each(|(left, row)| *left &= row);
    }
}

/// Bytes of a row.
fn width(blocks: usize) -> usize {
    blocks.div_ceil(8)
}

/// How long the file of so many blocks is.
pub(crate) fn file_bytes(blocks: usize) -> u64 {
    (BITS * (width(blocks) + SUM_BYTES)) as u64
}

/// A checksum against torn writes, not against people: whoever can write here can write the log.
fn sum(row: &[u8]) -> [u8; SUM_BYTES] {
    let hash = row.iter().fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    hash.to_le_bytes()
}

/// The file of some blocks.
pub(crate) fn write(blocks: &[Signature]) -> Vec<u8> {
    let (width, mut rows) = (width(blocks.len()), vec![0u8; BITS * width(blocks.len())]);
    for (block, signature) in blocks.iter().enumerate() {
        for bit in signature.bits() {
            rows[bit * width + block / 8] |= 1 << (block % 8);
        }
    }
    rows.chunks_exact(width.max(1)).flat_map(|row| row.iter().copied().chain(sum(row))).collect()
}

/// The blocks of a file that have all of these bits.
pub(crate) fn with_all(file: &dyn ReadAt, blocks: usize, bits: &[usize]) -> io::Result<Left> {
    let (width, mut left) = (width(blocks), Left::all(blocks));
    let mut row = vec![0; width + SUM_BYTES];
    for bit in bits {
        let count = file.read_at(&mut row, (bit * (width + SUM_BYTES)) as u64)?;
        if count < row.len() || sum(&row[..width]) != row[width..] {
            return Err(io::Error::other("a row of the index is not as it was written"));
        }
        left.and(&row[..width]);
    }
    Ok(left)
}

/// All signatures of a file, to be written anew with others.
pub(crate) fn read(bytes: &[u8], blocks: usize) -> Option<Vec<Signature>> {
    let width = width(blocks);
    if bytes.len() as u64 != file_bytes(blocks) {
        return None;
    }
    let mut signatures = vec![Signature::default(); blocks];
    for (bit, row) in bytes.chunks_exact(width + SUM_BYTES).enumerate() {
        if sum(&row[..width]) != row[width..] {
            return None;
        }
        for (at, byte) in row[..width].iter().enumerate().filter(|(_, byte)| **byte != 0) {
            for of_byte in (0..8).filter(|of_byte| byte >> of_byte & 1 == 1) {
                signatures.get_mut(at * 8 + of_byte)?.set(bit);
            }
        }
    }
    Some(signatures)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bytes(Vec<u8>);

    impl ReadAt for Bytes {
        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let from = usize::try_from(offset).map_err(io::Error::other)?.min(self.0.len());
            let count = buffer.len().min(self.0.len() - from);
            buffer[..count].copy_from_slice(&self.0[from..from + count]);
            Ok(count)
        }
    }

    fn blocks() -> Vec<Signature> {
        let texts = (0..19).map(|number| format!("block {} of {}", number % 7, "word".repeat(number)));
        texts
            .map(|text| {
                let mut signature = Signature::default();
                signature.add(&text);
                signature
            })
            .collect()
    }

    #[test]
    fn rows_tell_what_the_blocks_hold_and_are_read_back() {
        let blocks = blocks();
        let file = write(&blocks);
        assert_eq!(file.len() as u64, file_bytes(blocks.len()));
        assert_eq!(read(&file, blocks.len()).as_ref(), Some(&blocks));
        let file = Bytes(file);
        let bits: Vec<_> = blocks[3].bits().collect();
        let left = with_all(&file, blocks.len(), &bits).expect("read");
        for (at, block) in blocks.iter().enumerate() {
            let all: Vec<_> = block.bits().collect();
            assert_eq!(left.has(at), bits.iter().all(|bit| all.contains(bit)), "{at}");
        }
    }

    #[test]
    fn a_changed_or_torn_file_is_none() {
        let blocks = blocks();
        let mut file = write(&blocks);
        file.pop();
        assert_eq!(read(&file, blocks.len()), None);
        let bit = blocks[0].bits().last().expect("a bit");
        let mut file = write(&blocks);
        file[bit * (3 + SUM_BYTES)] ^= 4;
        assert!(with_all(&Bytes(file.clone()), blocks.len(), &[bit]).is_err());
        assert_eq!(read(&file, blocks.len()), None);
    }
}
