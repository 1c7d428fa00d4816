//! The bytes of a tree object.
//!
//! Reads one; does not know what its entries hold.

use super::BlobId;

/// A name in a folder of a commit.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TreeEntry<'t> {
    pub name: &'t [u8],
    pub id: BlobId,
    pub kind: TreeKind,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TreeKind {
    Folder,
    File,
    /// A link, or another repository.
    Other,
}

/// The entries of a tree; what follows a malformed one is left out, which git does not write.
pub(super) fn entries(mut bytes: &[u8], id_len: usize) -> impl Iterator<Item = TreeEntry<'_>> {
    std::iter::from_fn(move || {
        let space = bytes.iter().position(|byte| *byte == b' ')?;
        let end = space + bytes[space..].iter().position(|byte| *byte == 0)?;
        let id = bytes.get(end + 1..end + 1 + id_len)?;
        let kind = match &bytes[..space] {
            b"40000" => TreeKind::Folder,
            b"100644" | b"100755" | b"100664" => TreeKind::File,
            _ => TreeKind::Other,
        };
        let entry = TreeEntry { name: &bytes[space + 1..end], id: BlobId::of(id), kind };
        bytes = &bytes[end + 1 + id_len..];
        Some(entry)
    })
}
