//! `#[sparse]`: fields that are empty are not written, and fields that are not there are empty.
//!
//! Stands before `#[derive(Serialize)]`. It gives serde's own attributes to each `Option`, list, map and set of a struct or
//! of an enum's variants, by the name of the type as it is written, and to each field that bears `#[sparse]` itself, of
//! whatever type. `#[sparse(marked)]` looks at those alone. Does not look behind aliases.

use proc_macro::TokenStream;
use quote::ToTokens as _;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Data, DeriveInput, Field, Fields, Ident, Type, parse_macro_input, parse_quote};

/// Leaves out what is empty. A field with `#[always]` is written nevertheless; one with `#[sparse]` is left out where it equals
/// the default of its type; one whose attributes for serde say themselves when it is left out, or that it has no place of its
/// own, stays as it is.
#[proc_macro_attribute]
pub fn sparse(which: TokenStream, item: TokenStream) -> TokenStream {
    let mut item = parse_macro_input!(item as DeriveInput);
    let which = if which.is_empty() { Which::Empty } else { parse_macro_input!(which as Which) };
    let rule = Rule { which, reads: reads(&item.attrs) };
    match &mut item.data {
        Data::Struct(data) => leave_out(&mut data.fields, rule),
        Data::Enum(data) => data.variants.iter_mut().for_each(|variant| leave_out(&mut variant.fields, rule)),
        Data::Union(_) => {}
    }
    item.into_token_stream().into()
}

/// What is left out of a type, and whether it is read.
#[derive(Clone, Copy)]
struct Rule {
    which: Which,
    reads: Reads,
}

/// Which fields are left out.
#[derive(Clone, Copy, PartialEq)]
enum Which {
    /// Those whose type can be empty, and marked ones.
    Empty,
    /// Marked ones: the type writes most of its lists whether they are empty or not.
    Marked,
}

impl Parse for Which {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let word: Ident = input.parse()?;
        if word == "marked" { Ok(Self::Marked) } else { Err(syn::Error::new(word.span(), "expected `marked`")) }
    }
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

fn leave_out(fields: &mut Fields, rule: Rule) {
    for field in fields.iter_mut().filter(|field| field.ident.is_some()) {
        let is_always = takes_off(field, "always");
        let mark = takes_off(field, "sparse").then(|| emptiness(&field.ty).unwrap_or(IS_DEFAULT));
        let is_empty = mark.or_else(|| emptiness(&field.ty).filter(|_| rule.which == Which::Empty));
        if let Some(is_empty) = is_empty.filter(|_| !is_always && !is_said(field)) {
            field.attrs.push(parse_quote!(#[serde(skip_serializing_if = #is_empty)]));
            if rule.reads == Reads::Yes && !serde(field).any(|attribute| says(attribute, "default")) {
                field.attrs.push(parse_quote!(#[serde(default)]));
            }
        }
    }
}

/// A number or a text has no emptiness of its own: 0 and "" are values in most fields, so only a mark makes them one.
const IS_DEFAULT: &str = "::annals_kernel::json::is_default";

/// Whether a field bears a mark of ours, which is taken off: serde does not know it.
fn takes_off(field: &mut Field, mark: &str) -> bool {
    let before = field.attrs.len();
    field.attrs.retain(|attribute| !attribute.path().is_ident(mark));
    field.attrs.len() < before
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
        "VecDeque" => Some("::std::collections::VecDeque::is_empty"),
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
