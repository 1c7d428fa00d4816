//! The files in `docs/schema/answers` say what the types say that are serialized. Does not ask commands; `tests/it/answers` does.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::json;

use super::{ALL, Answer};

/// The schema of an answer, made of its type.
pub(super) fn derived<T: Answer + JsonSchema>() -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    let members = schema.as_object_mut().expect("the schema of an object");
    members.insert("title".to_owned(), T::NAME.into());
    members.insert("$id".to_owned(), format!("urn:{}", T::NAME.replace(['.', '/'], ":")).into());
    members.insert("type".to_owned(), "object".into());
    let properties = members.entry("properties").or_insert_with(|| json!({}));
    properties["schema"] = json!({ "const": T::NAME });
    let required = members.entry("required").or_insert_with(|| json!([]));
    required.as_array_mut().expect("a list").insert(0, "schema".into());
    serde_json::to_string_pretty(&schema).expect("JSON") + "\n"
}

fn published() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema/answers")
}

fn write(own: &BTreeMap<String, String>) {
    let _ = fs::remove_dir_all(published());
    fs::create_dir_all(published()).expect("made");
    for (file, text) in own {
        fs::write(published().join(file), text).expect("written");
    }
}

#[test]
fn the_published_schemas_of_answers_are_up_to_date() {
    let own: BTreeMap<_, _> =
        ALL.iter().map(|one| (format!("{}.json", one.name.replace('/', ".")), (one.schema)())).collect();
    #[expect(clippy::disallowed_methods, reason = "the golden logs are written anew by a variable, too")]
    let wanted = std::env::var_os("ANNALS_SCHEMAS");
    if wanted.is_some_and(|value| value == "write") {
        write(&own);
    }
    let files = fs::read_dir(published()).into_iter().flatten().map(|entry| entry.expect("read").path());
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    let there: BTreeMap<_, _> = files.map(|path| (name(&path), fs::read_to_string(&path).expect("read"))).collect();
    let differs: Vec<_> = own.keys().chain(there.keys()).filter(|file| own.get(*file) != there.get(*file)).collect();
    assert!(
        differs.is_empty(),
        "docs/schema/answers: {differs:?}. Where members only came: ANNALS_SCHEMAS=write cargo test --lib -- answers. \
         Where one went, or means something else: the answer needs a new name in src/cli/answers.rs"
    );
}
