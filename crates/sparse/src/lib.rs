//! `#[sparse]`: fields that are empty are not written, and fields that are not there are empty.
//!
//! Stands before `#[derive(Serialize)]`. It gives serde's own attributes to each `Option`, `Vec`, `BTreeMap` and `BTreeSet`
//! of a struct or of an enum's variants, by the name of the type as it is written. Does not look behind aliases.

use proc_macro::TokenStream;
use quote::ToTokens as _;
use syn::{Attribute, Data, DeriveInput, Field, Fields, Type, parse_macro_input, parse_quote};

/// Leaves out what is empty. A field with `#[always]` is written nevertheless; one whose attributes for serde say themselves
/// when it is left out, or that it has no place of its own, stays as it is.
#[proc_macro_attribute]
pub fn sparse(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = parse_macro_input!(item as DeriveInput);
    let reads = reads(&item.attrs);
    match &mut item.data {
        Data::Struct(data) => leave_out(&mut data.fields, reads),
        Data::Enum(data) => data.variants.iter_mut().for_each(|variant| leave_out(&mut variant.fields, reads)),
        Data::Union(_) => {}
    }
    item.into_token_stream().into()
}

/// Whether the type is read, too: only then is there anything to say of fields that are not there.
#[derive(Clone, Copy, PartialEq)]
enum Reads {
    Yes,
    No,
}

fn reads(attributes: &[Attribute]) -> Reads {
    let derives = |attribute: &Attribute| attribute.path().is_ident("derive") && says(attribute, "Deserialize");
    if attributes.iter().any(derives) { Reads::Yes } else { Reads::No }
}

fn leave_out(fields: &mut Fields, reads: Reads) {
    for field in fields.iter_mut().filter(|field| field.ident.is_some()) {
        let before = field.attrs.len();
        field.attrs.retain(|attribute| !attribute.path().is_ident("always"));
        let is_always = field.attrs.len() < before;
        if let Some(is_empty) = emptiness(&field.ty).filter(|_| !is_always && !is_said(field)) {
            field.attrs.push(parse_quote!(#[serde(skip_serializing_if = #is_empty)]));
            if reads == Reads::Yes && !serde(field).any(|attribute| says(attribute, "default")) {
                field.attrs.push(parse_quote!(#[serde(default)]));
            }
        }
    }
}

/// The function that says whether a value of a type is empty.
fn emptiness(kind: &Type) -> Option<&'static str> {
    // A type that a macro handed on is in a group of its own.
    if let Type::Group(group) = kind {
        return emptiness(&group.elem);
    }
    let Type::Path(path) = kind else { return None };
    let name = path.path.segments.last()?.ident.to_string();
    match name.as_str() {
        "Option" => Some("Option::is_none"),
        "Vec" => Some("Vec::is_empty"),
        "BTreeMap" => Some("::std::collections::BTreeMap::is_empty"),
        "BTreeSet" => Some("::std::collections::BTreeSet::is_empty"),
        _ => None,
    }
}

/// Whether serde has been told already.
fn is_said(field: &Field) -> bool {
    serde(field).any(|attribute| ["skip", "skip_serializing_if", "flatten"].iter().any(|word| says(attribute, word)))
}

fn serde(field: &Field) -> impl Iterator<Item = &Attribute> {
    field.attrs.iter().filter(|attribute| attribute.path().is_ident("serde"))
}

/// Whether a word stands in an attribute, as a word of its own.
fn says(attribute: &Attribute, word: &str) -> bool {
    let text = attribute.to_token_stream().to_string();
    text.split(|one: char| !one.is_alphanumeric() && one != '_').any(|part| part == word)
}
