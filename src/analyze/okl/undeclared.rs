//! Names that are declared nowhere; `undeclared_messages.rs` says what is said of them.
//!
//! What a compiler of C++ alone could find is left alone: names that depend on a template's parameters, members of what a
//! class inherits, and everything where a header is included that was not read.

use super::undeclared_messages::{Undeclared, message};
use crate::analyze::Context;
use crate::diagnostics::{Code, Diagnostic, codes};
use crate::expr::Scalar;
use crate::intrinsics::Intrinsics;
use crate::lex::{Lexed, Token, TokenKind, lex};
use crate::library::{Role, is_c_header, is_known};
use crate::module::{CollectiveFunction, Declared, VectorType};
use crate::sema::{DefinitionKind, REAL_FUNCTIONS};
use crate::source::{Location, Span};
use crate::syntax::{AttributeUse, Field, Kind, NodeId, attribute, function_declarator, is_record};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::sync::Arc;

/// Uses of one name that are changed together.
const MOST_EDITS: usize = 100;

/// Whether a message says something that names do not change.
pub(super) fn is_independent(code: &Code) -> bool {
    code.is_any(&[
        &codes::UNDECLARED_NAME,
        &codes::UNDECLARED_TYPE,
        &codes::UNDECLARED_FUNCTION,
        &codes::NO_MEMBER,
        &codes::ARGUMENT_COUNT,
        &codes::CONSTANT_ASSIGNED,
        &codes::VALUE_ASSIGNED,
        &codes::UNKNOWN_ATTRIBUTE,
        &codes::UNKNOWN_ATTRIBUTE_NEAR,
        &codes::ATTRIBUTE_TARGET,
    ])
}

/// The names that there are.
pub(super) struct Known<'k> {
    /// Those of the program.
    pub(super) declared: &'k Declared,
    /// Those that backends spell in their own way.
    pub(super) table: &'k Intrinsics,
    /// Those of macros that are defined.
    pub(super) macros: &'k [Arc<str>],
}

/// Reports names that are declared nowhere, each once; whether there are any. `includes` are the directives of headers
/// that were not read.
pub(super) fn undeclared<'t>(
    context: &mut Context<'t>,
    known: &Known<'_>,
    uncertain: &[Span],
    mut includes: impl Iterator<Item = &'t str>,
) -> bool {
    if includes.any(|line| !is_c_header(line)) {
        return false;
    }
    let search = Search {
        context,
        known,
        uncertain,
    };
    let mut found = search.all();
    // Few sources have any: the rest is for them.
    if found.is_empty() || imports_unknown(context) {
        return false;
    }
    let (imported, unread) = (imported(context), unread(context.text));
    found.retain(|u| !imported.contains(u.name) && !unread.contains(u.name));
    let any = !found.is_empty();
    let messages: Vec<Diagnostic> = found
        .iter()
        .map(|u| message(context, u, known.macros))
        .collect();
    for message in messages {
        context.sink.push(message);
    }
    any
}

/// Whether the program says `using namespace` of one that it does not declare.
fn imports_unknown(context: &Context<'_>) -> bool {
    let tree = context.tree;
    let all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    let mut using = all.filter(|&n| tree.kind(n) == Kind::UsingDeclaration);
    using.any(|n| {
        let words = tree.text(n, context.text);
        let known = || {
            let name = tree.children(n).last();
            name.is_some_and(|name| context.sema.definition(name).is_some())
        };
        words.split_ascii_whitespace().nth(1) == Some("namespace") && !known()
    })
}

/// Names that `using a::b;` makes known.
fn imported<'t>(context: &Context<'t>) -> HashSet<&'t str> {
    let tree = context.tree;
    let all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    let using = all.filter(|&n| tree.kind(n) == Kind::UsingDeclaration);
    let last = |n| {
        let words = tree.text(n, context.text);
        words
            .rsplit("::")
            .next()
            .map(|w| w.trim_end_matches(';').trim())
    };
    using.filter_map(last).collect()
}

/// Names that are declared in forms of which the grammar makes something else: packs, `T... rest`, and references in
/// brackets, `int (&same) = x`.
fn unread(text: &str) -> HashSet<&str> {
    let lexed = Lexed::new(text);
    let is_name = |at: usize| lexed.tokens.get(at).is_some_and(Token::is_identifier);
    let mut names = HashSet::new();
    for at in 0..lexed.tokens.len() {
        let reference = lexed.word(at) == "("
            && lexed.word(at + 1) == "&"
            && lexed.word(at + 3) == ")"
            && matches!(lexed.word(at + 4), "=" | "[" | ";" | "{");
        match lexed.word(at) {
            "..." if is_name(at + 1) => names.insert(lexed.word(at + 1)),
            _ if reference && is_name(at + 2) => names.insert(lexed.word(at + 2)),
            _ => false,
        };
    }
    names
}

struct Search<'c, 't> {
    context: &'c Context<'t>,
    known: &'c Known<'c>,
    uncertain: &'c [Span],
}

impl<'t> Search<'_, 't> {
    /// Each name once, in the order of their first uses.
    fn all(&self) -> Vec<Undeclared<'t>> {
        let (tree, text) = (self.context.tree, self.context.text);
        let provenance = self.context.provenance;
        let mut found: Vec<Undeclared<'t>> = Vec::new();
        let mut by_name: HashMap<&str, usize> = HashMap::new();
        let mut note = |name: &'t str, role, span, node, place: Option<Location>| {
            let index = *by_name.entry(name).or_insert_with(|| {
                found.push(Undeclared {
                    role,
                    span,
                    node,
                    places: Vec::new(),
                    name,
                });
                found.len() - 1
            });
            if let Some(place) = place
                && !found[index].places.contains(&place)
                && found[index].places.len() < MOST_EDITS
            {
                found[index].places.push(place);
            }
        };
        let all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
        for node in all {
            match tree.kind(node) {
                Kind::Identifier | Kind::TypeIdentifier => {
                    if let Some(role) = self.undeclared(node) {
                        let span = tree.span(node);
                        let name = span.of(text);
                        let place = provenance.spelled(span);
                        note(name, role, span, Some(node), place);
                    }
                }
                Kind::AttributeDeclaration => {
                    let span = tree.span(node);
                    for name in self.undeclared_arguments(node) {
                        let place = provenance.word_from(span, name);
                        note(name, Role::Value, span, None, place);
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn is_uncertain(&self, span: Span) -> bool {
        self.uncertain.iter().any(|u| u.contains(span))
    }

    /// What a name is used for, if nothing declares it.
    fn undeclared(&self, node: NodeId) -> Option<Role> {
        let (tree, text) = (self.context.tree, self.context.text);
        let sema = self.context.sema;
        let parent = tree.parent(node)?;
        if sema.definition(node).is_some() || self.is_uncertain(tree.span(node)) {
            return None;
        }
        let role = match tree.kind(node) {
            Kind::TypeIdentifier => Role::Type,
            _ => role(self.context, node, parent)?,
        };
        let name = tree.text(node, text);
        // A macro that stands for itself is the target's compiler's.
        let macros = self.known.macros;
        let ours = macros.binary_search_by(|m| (**m).cmp(name)).is_ok()
            || ["okl_", "OKL_", "brook_", "BROOK_"]
                .iter()
                .any(|p| name.starts_with(p));
        let known = ours
            || is_known(name, role)
            || VectorType::from_name(name).is_some()
            || Scalar::from_words([name]).is_some()
            || match role {
                Role::Function => self.is_function(name),
                // A type's name may be called, and a function's name passed on.
                Role::Value => self.is_function(name),
                Role::Type => false,
            };
        let declared = || self.is_declared_elsewhere(name);
        (!known && !declared() && !self.is_left_alone(node, parent, role)).then_some(role)
    }

    /// Whether the program declares a name in some scope that may be seen here by ways of C++ that `sema` does not follow:
    /// unnamed and inline namespaces, `using namespace` in blocks, types of arguments, unnamed unions. Only a function's own
    /// variables are seen nowhere else.
    fn is_declared_elsewhere(&self, name: &str) -> bool {
        let sema = self.context.sema;
        let mut all = sema
            .definitions()
            .filter(|&id| sema.name(id) == name)
            .peekable();
        if all.peek().is_none() {
            return self.known.declared.get(name).is_some();
        }
        all.any(|id| sema.defined(id).kind != DefinitionKind::Variable || !sema.is_local(id))
    }

    fn is_function(&self, name: &str) -> bool {
        self.known.table.get(name).is_some()
            || CollectiveFunction::from_name(name).is_some()
            || REAL_FUNCTIONS.contains(&name)
            || is_known(name, Role::Type)
            || name
                .strip_prefix("make_")
                .and_then(VectorType::from_name)
                .is_some()
    }

    /// Whether it takes a compiler of C++ to find a name.
    fn is_left_alone(&self, node: NodeId, parent: NodeId, role: Role) -> bool {
        let tree = self.context.tree;
        let words_of_its_own = match tree.kind(parent) {
            Kind::StructSpecifier
            | Kind::ClassSpecifier
            | Kind::UnionSpecifier
            | Kind::EnumSpecifier => true,
            Kind::GotoStatement | Kind::LabeledStatement | Kind::UsingDeclaration => true,
            Kind::NamespaceDefinition | Kind::NamespaceAlias | Kind::FriendDeclaration => true,
            Kind::TypeParameter | Kind::OperatorName => true,
            // A kind without interest, such as a label's or an attribute's.
            Kind::Other => !matches!(tree.field(node), Field::Argument | Field::Value),
            _ => false,
        };
        let mut around = std::iter::successors(Some(parent), |n| tree.parent(*n));
        words_of_its_own
            || around.any(|n| match tree.kind(n) {
                Kind::QualifiedIdentifier
                | Kind::VendorAttributes
                | Kind::AttributeDeclaration
                | Kind::AlignAs
                | Kind::Decltype
                | Kind::BaseClause
                | Kind::Error => true,
                // Found by the types of arguments, when it is instantiated.
                Kind::TemplateDeclaration => role == Role::Function,
                // What stands outside of its class sees the members of that.
                Kind::FunctionDefinition => {
                    let declarator = function_declarator(tree, n);
                    let name = declarator.and_then(|d| tree.child(d, Field::Declarator));
                    name.is_some_and(|name| tree.kind(name) == Kind::QualifiedIdentifier)
                }
                kind if is_record(kind) => {
                    let mut parts = tree.children(n);
                    parts.any(|c| tree.kind(c) == Kind::BaseClause)
                }
                _ => false,
            })
    }

    /// Names in the arguments of an attribute that the program declares nowhere.
    fn undeclared_arguments(&self, node: NodeId) -> Vec<&'t str> {
        let (tree, text) = (self.context.tree, self.context.text);
        let span = tree.span(node);
        let takes_values = |a: &AttributeUse| {
            matches!(
                a.name.as_str(),
                "tile" | "outer" | "inner" | "dim" | "max_inner_dims" | "simd_length"
            )
        };
        let this = attribute(tree, node, text).filter(takes_values);
        let Some(this) = this.filter(|_| !self.is_uncertain(span)) else {
            return Vec::new();
        };
        let tokens = lex(&this.arguments);
        let mut names = Vec::new();
        for (index, token) in tokens.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|at| tokens.get(at));
            let behind = tokens
                .get(index + 1)
                .map_or("", |t| t.text(&this.arguments));
            let attribute = before.is_some_and(|t| t.kind == TokenKind::At);
            let qualified =
                before.is_some_and(|t| matches!(t.text(&this.arguments), "::" | "." | "->" | "="));
            let name = token.text(&this.arguments);
            if token.kind != TokenKind::Identifier
                || attribute
                || qualified
                || matches!(behind, "=" | "::" | "(")
                || self.known.declared.get(name).is_some()
                || matches!(
                    name,
                    "sizeof" | "auto" | "int" | "long" | "unsigned" | "short" | "char"
                )
                || [Role::Value, Role::Type].iter().any(|r| is_known(name, *r))
                || Scalar::from_words([name]).is_some()
                || VectorType::from_name(name).is_some()
            {
                continue;
            }
            // The same letters stand in the text.
            if let Some(at) = span.of(text).find(name) {
                let start = span.start + at as u32;
                names.push(Span::new(start, start + name.len() as u32).of(text));
            }
        }
        names
    }
}

/// What an identifier is used for; `None` where it only declares something.
fn role(context: &Context<'_>, node: NodeId, parent: NodeId) -> Option<Role> {
    let tree = context.tree;
    Some(match (tree.kind(parent), tree.field(node)) {
        (Kind::CallExpression, Field::Function) => Role::Function,
        (Kind::TemplateFunction, Field::Name) => Role::Function,
        (
            Kind::FunctionDeclarator | Kind::PointerDeclarator | Kind::ArrayDeclarator,
            Field::Declarator,
        ) => {
            return None;
        }
        (
            Kind::Declaration | Kind::ParameterDeclaration | Kind::InitDeclarator,
            Field::Declarator,
        ) => {
            return None;
        }
        (Kind::ReferenceDeclarator | Kind::StructuredBinding | Kind::Enumerator, field)
            if field != Field::Value =>
        {
            return None;
        }
        _ => Role::Value,
    })
}
