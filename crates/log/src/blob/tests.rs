//! What becomes of large values.

use super::*;
use crate::disk::RealDisk;

fn long(letter: &str) -> String {
    letter.repeat(5000)
}

#[test]
fn a_large_text_goes_and_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = serde_json::json!({ "stdout": long("a"), "small": "b", "list": [long("a"), 1] });
    let line = shrink(&RealDisk, folder.path(), Json::of(&whole), 4000).expect("stored");
    assert!(line.text().len() < 1000, "{line:?}");
    let mut value = line.value();
    expand(&RealDisk, folder.path(), &mut value).expect("read");
    assert_eq!(value, whole);
    let files = walk(folder.path());
    assert_eq!(files.len(), 1, "the same text is stored once: {files:?}");
}

fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn many_small_values_go_as_a_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = serde_json::json!((0..5000).collect::<Vec<_>>());
    let line = shrink(&RealDisk, folder.path(), Json::of(&whole), 4000).expect("stored");
    let mut value = line.value();
    assert!(BlobRef::of(&value).is_some());
    expand(&RealDisk, folder.path(), &mut value).expect("read");
    assert_eq!(value, whole);
}

#[test]
fn a_changed_blob_is_not_taken() {
    let folder = tempfile::tempdir().expect("a folder");
    shrink(&RealDisk, folder.path(), Json::of(&long("a")), 4000).expect("stored");
    let path = walk(folder.path()).pop().expect("one blob");
    std::fs::write(&path, zstd::encode_all(&b"other"[..], 0).expect("packed")).expect("written");
    let error = load(&RealDisk, folder.path(), &sha256_hex(long("a").as_bytes())).expect_err("it was changed");
    let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
    assert!(cause.contains("does not have the hash"), "{error}: {cause}");
}

fn stored(folder: &Path, sha256: &str, content: &[u8]) {
    let path = BlobRef::path(folder, sha256);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(&path, zstd::encode_all(content, 19).expect("packed")).expect("written");
}

fn cause(error: &LogError) -> String {
    std::error::Error::source(error).map(ToString::to_string).unwrap_or_default()
}

#[test]
fn a_blob_is_not_unpacked_beyond_what_its_line_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let large = vec![b'a'; 64 << 20];
    let reference = BlobRef { bytes: 10, ..BlobRef::to(std::str::from_utf8(&large).expect("a text"), BlobKind::Text) };
    stored(folder.path(), &reference.sha256, &large);
    let error = load_of(&RealDisk, folder.path(), &reference).expect_err("it is longer");
    assert!(cause(&error).contains("more than 10 bytes"), "{error}: {}", cause(&error));
    let mut value = reference.clone().into_value();
    assert!(expand(&RealDisk, folder.path(), &mut value).is_err());
    let checked = check(&RealDisk, folder.path(), &reference.sha256).expect("its hash is right");
    assert_eq!(checked, CheckedBlob { bytes: 64 << 20, text: None });
}

#[test]
fn what_is_no_hash_is_made_no_path_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = folder.path().join("blobs");
    let upper = "AB".repeat(32);
    for name in ["", "..", "/etc/passwd", "../../../etc/passwd", "a\0b", &upper, &"a".repeat(5000), "é", "-rf"] {
        assert_eq!(BlobRef::path(&blobs, name), blobs.join("no/none.zst"), "{name}");
        assert!(load(&RealDisk, &blobs, name).is_err());
    }
}

#[test]
fn blobs_that_refer_to_blobs_many_times_each_come_to_an_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut inner = BlobRef::to(&"x".repeat(1000), BlobKind::Text);
    stored(folder.path(), &inner.sha256, "x".repeat(1000).as_bytes());
    for _ in 0..12 {
        let text = serde_json::json!(vec![inner.clone().into_value(); 10]).to_string();
        inner = BlobRef::to(&text, BlobKind::Json);
        stored(folder.path(), &inner.sha256, text.as_bytes());
    }
    let mut left = 1 << 20;
    let done = expand_within(&RealDisk, folder.path(), &mut inner.into_value(), &mut left);
    assert!(done.is_err());
}

#[test]
fn a_cut_text_says_how_much_is_gone() {
    let cut = truncate(Json::of(&"ü".repeat(10)), 7);
    assert_eq!(cut.value(), Value::String("üüü… [14 bytes cut]".to_owned()));
}
