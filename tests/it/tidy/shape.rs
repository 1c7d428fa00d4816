//! How a file is built: its length, that of its functions, their parameters, matches over our enums, panics.
//!
//! Does not ask which room the file is of.

#![expect(clippy::wildcard_enum_match_arm, reason = "the enums of syn are open")]

use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, FnArg, Item, Pat, Signature, Token, Type};

use super::house::{House, Source, attributes, is_for_tests, parts};
use super::{Breach, Rule};

const MOST_LINES: usize = 400;
const MOST_LINES_OF_A_FUNCTION: usize = 70;

/// What every file is held to, tests too.
pub fn of_any_file(place: &str, text: &str, found: &mut Vec<Breach>) {
    let lines = text.lines().count();
    if lines > MOST_LINES {
        found.push(Breach::new(place, lines, Rule::FileLength, format!("{lines} lines, over {MOST_LINES}")));
    }
    if !text.starts_with("//! ") {
        found.push(Breach::new(place, 1, Rule::Silent, "no //! says what the file does".to_owned()));
    }
}

pub fn look(house: &House, source: &Source, found: &mut Vec<Breach>) {
    let file = match &source.syntax {
        Ok(file) => file,
        Err(error) => {
            let line = error.span().start().line;
            return found.push(Breach::new(&source.place, line, Rule::Unparsed, error.to_string()));
        }
    };
    let lines = source.text.lines().collect();
    let is_test = house.is_test(&source.module);
    let mut shape =
        Shape { house, source, lines, is_test, is_of_trait: false, own: None, module: source.module.clone(), found };
    shape.visit_file(file);
}

struct Shape<'h> {
    house: &'h House,
    source: &'h Source,
    lines: Vec<&'h str>,
    is_test: bool,
    /// Whether the block gives a trait of somebody else what it asks for: its signatures are not ours.
    is_of_trait: bool,
    /// What `Self` is.
    own: Option<String>,
    module: Vec<String>,
    found: &'h mut Vec<Breach>,
}

impl Shape<'_> {
    fn say(&mut self, line: usize, rule: Rule, what: String) {
        if !self.is_test {
            self.found.push(Breach::new(&self.source.place, line, rule, what));
        }
    }

    fn signature(&mut self, signature: &Signature) {
        let typed = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        });
        let types: Vec<&Type> = typed.filter(|_| !self.is_of_trait).collect();
        for of in types {
            let line = signature.ident.span().start().line;
            match of {
                Type::Path(path) if path.path.is_ident("bool") => {
                    self.say(line, Rule::BoolParameter, format!("{} takes a bool", signature.ident));
                }
                Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                    self.say(line, Rule::TupleParameter, format!("{} takes a tuple", signature.ident));
                }
                _ => {}
            }
        }
    }

    /// Lines of code between the braces of a function.
    fn body(&mut self, signature: &Signature, block: &syn::Block) {
        let (open, close) = (block.brace_token.span.open().start().line, block.brace_token.span.close().start().line);
        let within = self.lines.get(open..close.saturating_sub(1)).unwrap_or_default();
        let code = within.iter().map(|line| line.trim()).filter(|line| !line.is_empty() && !line.starts_with("//"));
        let count = code.count();
        if count > MOST_LINES_OF_A_FUNCTION {
            let line = signature.ident.span().start().line;
            self.say(line, Rule::FunctionLength, format!("{} has {count} lines", signature.ident));
        }
    }

    /// The enum of ours that a pattern is of.
    fn enum_of(&self, pattern: &Pat) -> Option<String> {
        match pattern {
            Pat::Guard(guard) => self.enum_of(&guard.pat),
            Pat::Ident(ident) => match &ident.subpat {
                Some((_, pattern)) => self.enum_of(pattern),
                None => self.enum_of_path(&[ident.ident.to_string()]),
            },
            Pat::Or(or) => or.cases.iter().find_map(|case| self.enum_of(case)),
            Pat::Paren(paren) => self.enum_of(&paren.pat),
            Pat::Path(path) => self.enum_of_path(&parts(&path.path)),
            Pat::Reference(reference) => self.enum_of(&reference.pat),
            Pat::Struct(of) => self.enum_of_path(&parts(&of.path)),
            Pat::TupleStruct(of) => self.enum_of_path(&parts(&of.path)),
            _ => None,
        }
    }

    fn enum_of_path(&self, path: &[String]) -> Option<String> {
        let mut path = path.to_vec();
        if let (Some(first), Some(own)) = (path.first_mut().filter(|first| *first == "Self"), &self.own) {
            first.clone_from(own);
        }
        self.house.steps(&self.module, &path).iter().find_map(|step| {
            let [.., of, variant] = &step.path[..] else { return None };
            let is_ours = self.house.enums.get(of).is_some_and(|variants| variants.contains(variant));
            is_ours.then(|| of.clone())
        })
    }
}

/// Whether a pattern takes whatever is left.
fn takes_the_rest(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        // A guarded one leaves the rest to other arms.
        Pat::Paren(paren) => takes_the_rest(&paren.pat),
        Pat::Reference(reference) => takes_the_rest(&reference.pat),
        Pat::Ident(ident) => {
            ident.subpat.is_none() && ident.ident.to_string().starts_with(|letter: char| !letter.is_uppercase())
        }
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Shape<'_> {
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

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let own = match &*item.self_ty {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
            _ => None,
        };
        let outer = (std::mem::replace(&mut self.own, own), self.is_of_trait);
        self.is_of_trait = item.trait_.is_some();
        visit::visit_item_impl(self, item);
        (self.own, self.is_of_trait) = outer;
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        let outer = std::mem::replace(&mut self.is_of_trait, false);
        self.signature(&item.sig);
        self.body(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
        self.is_of_trait = outer;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let outer = self.is_test;
        self.is_test |= is_for_tests(&item.attrs);
        self.signature(&item.sig);
        self.body(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
        self.is_test = outer;
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.signature(&item.sig);
        item.default.iter().for_each(|block| self.body(&item.sig, block));
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_expr_match(&mut self, expression: &'ast syn::ExprMatch) {
        let of = expression.arms.iter().find_map(|arm| self.enum_of(&arm.pat));
        if let Some(of) = of {
            for arm in expression.arms.iter().filter(|arm| takes_the_rest(&arm.pat)) {
                let line = arm.fat_arrow_token.spans[0].start().line;
                self.say(line, Rule::OwnEnum, format!("a match over {of} takes the rest with `_`"));
            }
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let line = call.method.span().start().line;
        if ["unwrap", "unwrap_err", "unwrap_unchecked"].iter().any(|name| call.method == name) {
            self.say(line, Rule::Unwrap, format!(".{}()", call.method));
        }
        if let (true, Some(Expr::Lit(text))) = (call.method == "expect", call.args.first())
            && let syn::Lit::Str(text) = &text.lit
            && !text.value().starts_with("BUG: ")
        {
            self.say(line, Rule::Unwrap, format!(".expect({:?}) does not begin with BUG:", text.value()));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let last = path.path.segments.last().filter(|_| path.path.segments.len() > 1);
        if let Some(last) = last.filter(|last| last.ident == "unwrap" || last.ident == "unwrap_err") {
            self.say(last.ident.span().start().line, Rule::Unwrap, "unwrap as a function".to_owned());
        }
        visit::visit_expr_path(self, path);
    }

    /// What a macro is given is mostly expressions, statements or items.
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if ["todo", "unimplemented", "dbg"].iter().any(|name| call.path.is_ident(name)) {
            let line = call.path.segments[0].ident.span().start().line;
            self.say(line, Rule::Unwrap, "what is not done yet".to_owned());
        }
        if let Ok(list) = call.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated) {
            for expression in &list {
                self.visit_expr(expression);
            }
        } else if let Ok(block) = call.parse_body_with(syn::Block::parse_within) {
            for statement in &block {
                self.visit_stmt(statement);
            }
        } else if let Ok(file) = call.parse_body::<syn::File>() {
            self.visit_file(&file);
        }
    }
}
