//! What a file names: other rooms, the machine, functions whose last bits differ between platforms.
//!
//! Sees paths wherever they stand: in `use`, expressions, types, the tokens of macros and attributes, strings of attributes.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item};

use super::house::{House, Source, attributes, is_for_tests, leaves, parts};
use super::{Breach, Rule, rooms};

/// Modules of `std` that ask the machine.
const MACHINE: &[&str] = &["env", "fs", "io", "net", "os", "process", "thread", "time"];
/// What of the standard library is not the same in two runs, or on two machines.
const UNSTABLE: &[&str] = &["DefaultHasher", "HashMap", "HashSet", "RandomState", "hash_map", "hash_set"];
const BYTES: &[&str] = &["from_ne_bytes", "to_ne_bytes"];
/// Float functions whose last bits the platform decides; those of `libm` are the same everywhere.
const FLOATS: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "exp2", "exp_m1",
    "hypot", "ln", "ln_1p", "log10", "log2", "powf", "powi", "sin", "sin_cos", "sinh", "tan", "tanh",
];
/// Macros that ask what the program is built with, or print.
const MACROS: &[&str] = &["dbg", "env", "eprint", "eprintln", "option_env", "print", "println"];

/// Adds what breaks a rule to `found`, and gives the arrows: which room names which.
pub fn look(house: &House, source: &Source, found: &mut Vec<Breach>) -> BTreeSet<(String, String)> {
    let room = rooms::room(&source.module, |path| house.is_module(path));
    let room = room.unwrap_or_default();
    let mut say = |line: usize, rule, what: String| found.push(Breach::new(&source.place, line, rule, what));
    if !rooms::is_known(&room) {
        say(1, Rule::UnknownRoom, format!("the room {room} is not in the list of rooms"));
    }
    let Ok(file) = &source.syntax else { return BTreeSet::new() };
    let is_pure = rooms::is_pure(&room);
    let module = source.module.clone();
    let is_test = house.is_test(&module);
    let mut look = Look { house, place: &source.place, room, is_pure, module, is_test, named: BTreeMap::new(), found };
    look.visit_file(file);
    let (room, named) = (look.room, look.named);
    named.into_keys().map(|to| (room.clone(), to)).collect()
}

struct Look<'h> {
    house: &'h House,
    place: &'h str,
    room: String,
    is_pure: bool,
    module: Vec<String>,
    is_test: bool,
    /// The rooms that it names, and whether it may.
    named: BTreeMap<String, bool>,
    found: &'h mut Vec<Breach>,
}

impl Look<'_> {
    fn say(&mut self, line: usize, rule: Rule, what: String) {
        self.found.push(Breach::new(self.place, line, rule, what));
    }

    fn is_held_pure(&self) -> bool {
        self.is_pure && !self.is_test
    }

    /// A path as it is said.
    fn path(&mut self, path: &[String], line: usize) {
        for step in self.house.steps(&self.module, path).iter() {
            if let Some(to) = &step.room {
                if !self.named.contains_key(to) {
                    self.named.insert(to.clone(), rooms::may_name(&self.room, to));
                }
                if !self.named[to] {
                    self.say(line, Rule::Arrow, format!("{} names {to}: {}", self.room, step.path.join("::")));
                }
            }
            if self.is_held_pure() {
                self.pure_path(&step.path, line);
            }
        }
    }

    fn pure_path(&mut self, path: &[String], line: usize) {
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let said = parts.join("::");
        match parts.as_slice() {
            ["std" | "core" | "alloc"] => self.say(line, Rule::Machine, format!("{said} under a name of its own")),
            ["std" | "core" | "alloc", module, ..] if MACHINE.contains(module) => self.say(line, Rule::Machine, said),
            ["libm" | "std" | "core", .., last] if !UNSTABLE.contains(last) => {}
            [_, .., last] if FLOATS.contains(last) => self.say(line, Rule::Float, said),
            [_, .., "now" | "now_utc"] => self.say(line, Rule::Machine, said),
            [_, .., last] if UNSTABLE.contains(last) || BYTES.contains(last) => self.say(line, Rule::Platform, said),
            _ => {}
        }
    }

    /// The crate of what a `use` brings, where it is nobody's of the house.
    fn crate_named(&mut self, path: &[String], line: usize) {
        let Some(first) = self.house.steps(&self.module, path).last().map(|step| step.path[0].clone()) else { return };
        let is_known = ["std", "core", "alloc"].contains(&first.as_str()) || first.starts_with("annals");
        let is_local = path.len() == 1 || first.starts_with(char::is_uppercase);
        if self.is_held_pure() && !is_known && !is_local && rooms::PURE_CRATES.split(' ').all(|name| name != first) {
            self.say(line, Rule::Machine, format!("{first} is no crate of the pure rooms"));
        }
    }

    fn method(&mut self, name: &str, line: usize) {
        if self.is_held_pure() && FLOATS.contains(&name) {
            self.say(line, Rule::Float, format!(".{name}()"));
        }
        if self.is_held_pure() && BYTES.contains(&name) {
            self.say(line, Rule::Platform, format!(".{name}()"));
        }
    }

    /// Paths and calls among tokens that are no syntax yet.
    fn tokens(&mut self, tokens: TokenStream, before: &[String]) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut path: Vec<String> = before.to_vec();
        let mut at = 0;
        while at < trees.len() {
            match &trees[at] {
                TokenTree::Ident(name) => {
                    path.push(name.to_string());
                    let line = name.span().start().line;
                    let is_called = matches!(trees.get(at + 1), Some(TokenTree::Group(_)));
                    if is_called && at > 0 && is_punct(&trees[at - 1], '.') {
                        self.method(&name.to_string(), line);
                    }
                    if is_joint(&trees, at + 1) {
                        at += 2;
                    } else {
                        self.said(&path, line);
                        path = before.to_vec();
                    }
                }
                TokenTree::Group(group) => {
                    let goes_on = group.delimiter() == Delimiter::Brace && at > 1 && is_joint(&trees, at - 2);
                    self.tokens(group.stream(), if goes_on { &path } else { &[] });
                    path = before.to_vec();
                }
                TokenTree::Punct(mark) if mark.as_char() == '*' && path.len() > before.len() => {
                    self.said(&path, mark.span().start().line);
                    path = before.to_vec();
                }
                TokenTree::Punct(mark) if mark.as_char() == ',' => path = before.to_vec(),
                TokenTree::Literal(_) | TokenTree::Punct(_) => {}
            }
            at += 1;
        }
    }

    fn said(&mut self, path: &[String], line: usize) {
        if path.len() > 1 {
            self.path(path, line);
        }
    }

    fn platform(&mut self, tokens: &TokenStream, line: usize) {
        let said = tokens.to_string();
        let is_named = |word: &str| word == "unix" || word == "windows" || word.starts_with("target_");
        let asks = said.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(is_named);
        if self.is_held_pure() && asks {
            self.say(line, Rule::Platform, format!("cfg({said})"));
        }
    }
}

fn is_punct(tree: &TokenTree, mark: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == mark)
}

/// Whether `::` stands there.
fn is_joint(trees: &[TokenTree], at: usize) -> bool {
    let is_first = matches!(trees.get(at), Some(TokenTree::Punct(mark)) if mark.spacing() == Spacing::Joint);
    is_first && is_punct(&trees[at], ':') && trees.get(at + 1).is_some_and(|next| is_punct(next, ':'))
}

impl<'ast> Visit<'ast> for Look<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let outer = self.is_test;
        self.is_test |= is_for_tests(attributes(item));
        visit::visit_item(self, item);
        self.is_test = outer;
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for leaf in leaves(&item.tree) {
            self.path(&leaf.path, leaf.line);
            self.crate_named(&leaf.path, leaf.line);
        }
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        if item.ident != "self" {
            let (path, line) = (vec![item.ident.to_string()], item.ident.span().start().line);
            self.path(&path, line);
            self.crate_named(&[path, vec!["self".to_owned()]].concat(), line);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let line = path.segments.first().map_or(1, |first| first.ident.span().start().line);
        self.said(&parts(path), line);
        visit::visit_path(self, path);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let (Some(_), Some(last)) = (&path.qself, path.path.segments.last()) {
            self.method(&last.ident.to_string(), last.ident.span().start().line);
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.method(&call.method.to_string(), call.method.span().start().line);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let names = parts(&call.path);
        let line = call.path.segments[0].ident.span().start().line;
        let last = names.last().map(String::as_str).unwrap_or_default();
        if self.is_held_pure() && MACROS.contains(&last) {
            self.say(line, Rule::Machine, format!("{last}!"));
        }
        if last == "cfg" {
            self.platform(&call.tokens, line);
        }
        if last == "include" {
            self.say(line, Rule::Hidden, "include! brings code from elsewhere".to_owned());
        }
        self.tokens(call.tokens.clone(), &[]);
        visit::visit_macro(self, call);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        let line = attribute.pound_token.spans[0].start().line;
        let name = attribute.path();
        if let syn::Meta::List(list) = &attribute.meta {
            if name.is_ident("cfg") || name.is_ident("cfg_attr") {
                self.platform(&list.tokens, line);
            }
            self.tokens(list.tokens.clone(), &[]);
            // `#[serde(with = "crate::…")]`
            for text in list.tokens.to_string().split('"').skip(1).step_by(2).filter(|text| text.contains("::")) {
                if let Ok(path) = syn::parse_str::<syn::Path>(text) {
                    self.said(&parts(&path), line);
                }
            }
        }
        if name.is_ident("path") {
            self.say(line, Rule::Hidden, "#[path] makes a module of a file that stands elsewhere".to_owned());
        }
    }
}
