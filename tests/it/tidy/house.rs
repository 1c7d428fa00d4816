//! The sources, parsed: their modules, items, enums, and what each name that a `use` brings stands for.
//!
//! Resolves paths as far as arrows need it: through renames, globs, `super` and chains of re-exports. Does not know types.

#![expect(clippy::wildcard_enum_match_arm, reason = "the enums of syn are open")]

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

use super::rooms;

type Path = Vec<String>;

/// A path that stands for more is a circle of globs.
const MOST_STEPS: usize = 64;

/// A file of the program.
pub struct Source {
    /// From the root of the house.
    pub place: String,
    pub text: String,
    pub syntax: Result<syn::File, syn::Error>,
    /// Its path from its crate, the crate's name first.
    pub module: Path,
}

/// What a `use` brings into a module.
struct Import {
    module: Path,
    path: Path,
}

/// One of the paths that a path stands for.
pub struct Step {
    pub path: Path,
    /// The room that it names; other people's crates have none.
    pub room: Option<String>,
}

#[derive(Default)]
pub struct House {
    modules: BTreeSet<Path>,
    /// Those that a `mod` names.
    declared: BTreeSet<Path>,
    tests: BTreeSet<Path>,
    items: BTreeSet<Path>,
    imports: BTreeMap<Path, Vec<Import>>,
    globs: BTreeMap<Path, Vec<Import>>,
    /// The enums, each with its variants.
    pub enums: BTreeMap<String, BTreeSet<String>>,
    /// What paths have been found to stand for: the same ones are asked for again and again.
    known: RefCell<BTreeMap<String, Rc<[Step]>>>,
}

/// The path of a file's module, the crate's name first.
pub fn module_of(place: &str) -> Path {
    let (own, below) = match place.strip_prefix("crates/") {
        Some(rest) => {
            let (name, below) = rest.split_once('/').unwrap_or((rest, ""));
            (format!("annals_{name}"), below.strip_prefix("src/").unwrap_or(below))
        }
        None => ("annals".to_owned(), place.strip_prefix("src/").unwrap_or(place)),
    };
    let own = if place == "src/main.rs" { "main".to_owned() } else { own };
    let parts = below.trim_end_matches(".rs").split('/').filter(|part| !["mod", "lib", "main"].contains(part));
    [own].into_iter().chain(parts.map(str::to_owned)).collect()
}

impl Source {
    pub fn new(place: &str, text: &str) -> Self {
        let (place, text) = (place.to_owned(), text.to_owned());
        Self { syntax: syn::parse_file(&text), module: module_of(&place), place, text }
    }
}

impl House {
    pub fn of(sources: &[Source]) -> Self {
        let mut house = Self::default();
        for source in sources {
            house.modules.extend((1..=source.module.len()).map(|end| source.module[..end].to_vec()));
            if let Ok(file) = &source.syntax {
                Survey { house: &mut house, module: source.module.clone() }.visit_file(file);
            }
        }
        house
    }

    pub fn is_module(&self, path: &[String]) -> bool {
        self.modules.contains(path)
    }

    /// Whether a file is built at all: it begins a crate, or a `mod` names it.
    pub fn is_built(&self, module: &[String]) -> bool {
        module.len() == 1 || self.declared.contains(module)
    }

    /// Whether a module is built for tests alone: it, or one that it stands in, is declared so.
    pub fn is_test(&self, module: &[String]) -> bool {
        (1..=module.len()).any(|end| self.tests.contains(&module[..end]))
    }

    fn is_there(&self, path: &[String]) -> bool {
        self.modules.contains(path) || self.items.contains(path) || self.imports.contains_key(path)
    }

    /// A path as it is said in a module, from the crate on; other people's as it is.
    fn absolute(&self, module: &[String], path: &[String]) -> Path {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let from = |start: &[String]| start.iter().chain(rest).cloned().collect::<Path>();
        let goes_up = rest.first().is_some_and(|next| next == "super");
        let above = &module[..module.len().saturating_sub(1).max(1)];
        match first.as_str() {
            "crate" | "$crate" => from(&module[..1]),
            "self" if goes_up => self.absolute(module, rest),
            "self" => from(module),
            "super" if goes_up => self.absolute(above, rest),
            "super" => from(above),
            _ => {
                let local: Path = module.iter().chain([first]).cloned().collect();
                if self.is_there(&local) { from(&local) } else { path.to_vec() }
            }
        }
    }

    /// Every path that a path stands for, from how it is said to where what it names is at home.
    pub fn steps(&self, module: &[String], path: &[String]) -> Rc<[Step]> {
        let key = format!("{} {}", module.join("::"), path.join("::"));
        if let Some(steps) = self.known.borrow().get(&key) {
            return steps.clone();
        }
        let mut steps = vec![self.absolute(module, path)];
        if steps[0] == path {
            // Nobody declares it here: a glob may bring it.
            steps.extend(self.behind(&[module, path].concat()).into_iter().filter(|full| self.is_there(full)));
        }
        let mut at = 0;
        while at < steps.len() && steps.len() < MOST_STEPS {
            let behind = self.behind(&steps[at]);
            let new: Vec<_> = behind.into_iter().filter(|next| !steps.contains(next)).collect();
            steps.extend(new);
            at += 1;
        }
        let with_room = |path: Path| Step { room: rooms::room(&path, |path| self.is_module(path)), path };
        let steps: Rc<[Step]> = steps.into_iter().map(with_room).collect();
        self.known.borrow_mut().insert(key, steps.clone());
        steps
    }

    /// What a path stands for by the `use` that brings its first name that is no module.
    fn behind(&self, path: &[String]) -> Vec<Path> {
        let modules = (1..=path.len()).take_while(|end| self.is_module(&path[..*end])).count();
        if modules == 0 || modules == path.len() {
            return Vec::new();
        }
        let (named, rest) = path.split_at(modules + 1);
        // A macro that a `use` gives a path stands there itself.
        if self.items.contains(named) {
            return Vec::new();
        }
        let of_import = |import: &Import| {
            // `use libm;` brings a crate under its own name.
            let is_crate = import.path[..] == named[modules..];
            let target = if is_crate { import.path.clone() } else { self.absolute(&import.module, &import.path) };
            [&target, rest].concat()
        };
        if let Some(imports) = self.imports.get(named) {
            return imports.iter().map(of_import).collect();
        }
        let of_glob = |glob: &Import| {
            let target = self.absolute(&glob.module, &glob.path);
            let full = [&target, &path[modules..]].concat();
            self.is_there(&full[..=target.len()]).then_some(full)
        };
        self.globs.get(&path[..modules]).into_iter().flatten().filter_map(of_glob).collect()
    }
}

/// Gathers what a file declares.
struct Survey<'h> {
    house: &'h mut House,
    module: Path,
}

impl Survey<'_> {
    fn path(&self, name: &syn::Ident) -> Path {
        self.module.iter().cloned().chain([name.to_string()]).collect()
    }
}

impl<'ast> Visit<'ast> for Survey<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if let Some(name) = name(item) {
            let path = self.path(name);
            self.house.items.insert(path);
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let path = self.path(&item.ident);
        self.house.modules.insert(path.clone());
        self.house.declared.insert(path.clone());
        if is_for_tests(&item.attrs) {
            self.house.tests.insert(path.clone());
        }
        let outer = std::mem::replace(&mut self.module, path);
        visit::visit_item_mod(self, item);
        self.module = outer;
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        let at = self.path(&item.ident);
        let variants = item.variants.iter().map(|variant| variant.ident.to_string());
        self.house.items.extend(variants.clone().map(|variant| [&at[..], &[variant]].concat()));
        self.house.enums.entry(item.ident.to_string()).or_default().extend(variants);
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        let own = item.ident == "self";
        let path = if own { vec!["crate".to_owned()] } else { vec![item.ident.to_string()] };
        if let Some((_, name)) = &item.rename {
            let import = Import { module: self.module.clone(), path };
            let at = self.path(name);
            self.house.imports.entry(at).or_default().push(import);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        for leaf in leaves(&item.tree) {
            let import = Import { module: self.module.clone(), path: leaf.path.clone() };
            match leaf.name {
                Some(name) => {
                    let at = self.module.iter().cloned().chain([name]).collect();
                    self.house.imports.entry(at).or_default().push(import);
                }
                None => self.house.globs.entry(self.module.clone()).or_default().push(import),
            }
        }
    }
}

/// One name of a `use`; a glob has none.
pub struct Leaf {
    pub path: Path,
    pub name: Option<String>,
    pub line: usize,
}

/// The names that a `use` brings, those of groups one by one.
pub fn leaves(tree: &UseTree) -> Vec<Leaf> {
    fn walk(tree: &UseTree, before: &[String], found: &mut Vec<Leaf>) {
        let with = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect::<Path>();
        let of = |ident: &syn::Ident, name: &syn::Ident| {
            let itself = ident == "self" && !before.is_empty();
            let path = if itself { before.to_vec() } else { with(ident) };
            let name = if name == "self" { path.last().cloned().unwrap_or_default() } else { name.to_string() };
            Leaf { path, name: Some(name), line: ident.span().start().line }
        };
        match tree {
            UseTree::Path(path) => walk(&path.tree, &with(&path.ident), found),
            UseTree::Name(leaf) => found.push(of(&leaf.ident, &leaf.ident)),
            UseTree::Rename(leaf) => found.push(of(&leaf.ident, &leaf.rename)),
            UseTree::Glob(glob) => {
                found.push(Leaf { path: before.to_vec(), name: None, line: glob.star_token.spans[0].start().line });
            }
            UseTree::Group(group) => group.items.iter().for_each(|item| walk(item, before, found)),
        }
    }
    let mut found = Vec::new();
    walk(tree, &[], &mut found);
    found
}

/// Whether `#[cfg(test)]` or `#[test]` stands there.
pub fn is_for_tests(attributes: &[Attribute]) -> bool {
    let says = |attribute: &Attribute| {
        let is_test = |attribute: &Attribute| attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test");
        attribute.path().is_ident("test") || attribute.path().is_ident("cfg") && is_test(attribute)
    };
    attributes.iter().any(says)
}

/// The names of a path.
pub fn parts(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

fn name(item: &Item) -> Option<&syn::Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::ExternCrate(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
