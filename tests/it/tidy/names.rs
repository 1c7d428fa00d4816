//! Whether a type's name stands for one type within its crate.
//!
//! Names of a shape that many modules share are let through (`SHAPE`). Types within a function, and those of tests, do not count.

#![expect(clippy::wildcard_enum_match_arm, reason = "the enums of syn are open")]

use std::collections::BTreeMap;

use syn::visit::{self, Visit};
use syn::{Ident, Item};

use super::house::{House, Source, attributes, is_for_tests};
use super::{Breach, Rule};

/// What every room, and every command of the command line, calls alike: by its name a reader knows its part in the shape.
const SHAPE: [&str; 12] = [
    "State", "Event", "Command", "Refusal", "Observed", "Totals", "Decided", "Why", "Arguments", "ListArguments",
    "ShowArguments", "ResolveArguments",
];

/// The types that are declared, by crate and name: in which files and lines.
#[derive(Default)]
pub struct Names(BTreeMap<(String, String), Vec<(String, usize)>>);

impl Names {
    pub fn look(&mut self, house: &House, source: &Source) {
        if let Ok(file) = &source.syntax
            && !house.is_test(&source.module)
        {
            Survey { names: self, source }.visit_file(file);
        }
    }

    /// Each place of a name but its first.
    pub fn breaches(self) -> impl Iterator<Item = Breach> {
        self.0.into_iter().flat_map(|((_, name), places)| {
            let first = places.first().map(|(place, line)| format!("{place}:{line}")).unwrap_or_default();
            let second = move |(place, line): &(String, usize)| {
                Breach::new(place, *line, Rule::SharedName, format!("{name} is a type in {first} already"))
            };
            places.iter().skip(1).map(second).collect::<Vec<_>>()
        })
    }
}

struct Survey<'n> {
    names: &'n mut Names,
    source: &'n Source,
}

impl Survey<'_> {
    fn declared(&mut self, name: &Ident) {
        if SHAPE.iter().any(|shared| name == shared) {
            return;
        }
        let key = (self.source.module[0].clone(), name.to_string());
        self.names.0.entry(key).or_default().push((self.source.place.clone(), name.span().start().line));
    }
}

impl<'ast> Visit<'ast> for Survey<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_for_tests(attributes(item)) {
            return;
        }
        match item {
            Item::Enum(item) => self.declared(&item.ident),
            Item::Struct(item) => self.declared(&item.ident),
            Item::Trait(item) => self.declared(&item.ident),
            Item::Type(item) => self.declared(&item.ident),
            Item::Macro(item) => self.visit_macro(&item.mac),
            _ => visit::visit_item(self, item),
        }
    }

    /// What a function declares is seen by nobody else.
    fn visit_block(&mut self, _: &'ast syn::Block) {}

    /// Macros that are given items declare them.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Ok(file) = call.parse_body::<syn::File>() {
            visit::visit_file(self, &file);
        }
    }
}
