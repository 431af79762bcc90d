//! Names that are declared nowhere.
//!
//! What a compiler of C++ alone could find is left alone: names that depend on a template's parameters, members of what a
//! class inherits, and everything where a header is included that was not read.

use crate::analyze::Context;
use crate::diagnostics::{
    Code, Diagnostic, Fix, codes, is_as_near, is_certain, is_macro_like, nearest,
};
use crate::expr::Scalar;
use crate::intrinsics::Intrinsics;
use crate::lex::{Lexed, Token, TokenKind, lex};
use crate::library::{Role, is_c_header, is_known};
use crate::module::{CollectiveFunction, Declared, VectorType};
use crate::sema::{DefinitionId, DefinitionKind, REAL_FUNCTIONS};
use crate::source::{Location, Span};
use crate::syntax::{
    AttributeUse, Field, Kind, NodeId, attributes_of, function_declarator, is_record,
};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Names of types that solvers take from their builds.
const BUILD_TYPES: [&str; 10] = [
    "dfloat", "pfloat", "gfloat", "dlong", "hlong", "dint", "real", "real_t", "Real", "scalar_t",
];

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

/// A name that is declared nowhere, and where it is used.
struct Undeclared<'t> {
    role: Role,
    /// The first use, in the analysed text; of a name in an attribute's arguments, the attribute.
    span: Span,
    node: Option<NodeId>,
    /// All places in the user's files.
    places: Vec<Location>,
    name: &'t str,
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
    fn undeclared_arguments(&self, attribute: NodeId) -> Vec<&'t str> {
        let (tree, text) = (self.context.tree, self.context.text);
        let span = tree.span(attribute);
        let Some(parent) = tree.parent(attribute).filter(|_| !self.is_uncertain(span)) else {
            return Vec::new();
        };
        let all = attributes_of(tree, parent, text);
        let takes_values = |a: &&AttributeUse| {
            a.span == span
                && matches!(
                    a.name.as_str(),
                    "tile" | "outer" | "inner" | "dim" | "max_inner_dims" | "simd_length"
                )
        };
        let Some(this) = all.iter().find(takes_values) else {
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

fn message(context: &Context<'_>, found: &Undeclared<'_>, macros: &[Arc<str>]) -> Diagnostic {
    let Undeclared {
        role, span, name, ..
    } = *found;
    let code = match role {
        Role::Value => &codes::UNDECLARED_NAME,
        Role::Type => &codes::UNDECLARED_TYPE,
        Role::Function => &codes::UNDECLARED_FUNCTION,
    };
    let origin = context.provenance.origin(span);
    // Where it is spelled, be it in a macro's body: there it is to be mended.
    let place = found.places.first().copied();
    let place = place.or(origin.as_ref().map(|o| o.spelled.unwrap_or(o.location)));
    let mut message = Diagnostic::new(code, place, &[&name]);
    for (number, (expanded, call)) in origin.into_iter().flat_map(|o| o.expansions).enumerate() {
        let inside = place.is_some_and(|p| {
            p.file == call.file
                && p.span.start >= call.span.start
                && number == 0
                && in_call(context, call, p)
        });
        if number < 3 && !inside {
            message = message.note(format!("in this expansion of '{expanded}'"), Some(call));
        }
    }
    let elsewhere = declared_elsewhere(context, name);
    let of_builds = BUILD_TYPES.contains(&name);
    if let Some(elsewhere) = elsewhere {
        let at = context.provenance.spelled(elsewhere);
        message = message.note("declared here, in a scope that ends before", at);
    }
    let near = match elsewhere {
        Some(_) => None,
        None if of_builds => None,
        None => proposal(context, found, macros),
    };
    let macro_like = is_macro_like(name) || role == Role::Type && of_builds;
    let define = match role {
        Role::Type if name.contains("long") || name.contains("int") => format!("-D {name}=int"),
        Role::Type => format!("-D {name}=float"),
        _ => format!("-D {name}=…"),
    };
    match (near.as_ref(), macro_like) {
        (_, true) => message = message.help(format!("if builds are to define it, pass {define}")),
        // Sizes of blocks are what builds choose.
        (None, false) if found.node.is_none() => {
            message = message.help(format!("if builds are to define it, pass {define}"));
        }
        (None, false) if role == Role::Function => {
            message = message.help(format!(
                "declare it, or include what defines it; '{name}' may be a macro of another file"
            ));
        }
        (None, false) if role == Role::Type => {
            message = message.help(format!("declare it, or pass {define} where it is a macro"));
        }
        _ => {}
    }
    if let Some((near, only)) = near {
        message = message.label(format!("did you mean '{near}'?"));
        let certain = !macro_like && only && is_certain(name, &near);
        message = message.fix(Fix::rename(&found.places, &near, certain));
    } else {
        message = message.label(match role {
            Role::Value => "not declared here",
            Role::Type => "no type of that name",
            Role::Function => "no function of that name",
        });
    }
    message
}

/// Whether a place is among the arguments of a macro's call.
fn in_call(context: &Context<'_>, call: Location, place: Location) -> bool {
    let Some(file) = context.provenance.files.get(call.file) else {
        return false;
    };
    let text = Span::new(call.span.end, place.span.start.max(call.span.end)).of(&file.text);
    let mut depth = 0i32;
    let mut opened = false;
    for token in lex(text) {
        match token.text(text) {
            "(" => (depth, opened) = (depth + 1, true),
            ")" => depth -= 1,
            _ => {}
        }
        if opened && depth <= 0 {
            return false;
        }
    }
    opened
}

/// Where a variable of that name is declared that cannot be seen.
fn declared_elsewhere(context: &Context<'_>, name: &str) -> Option<Span> {
    let sema = context.sema;
    let mut all = sema.definitions().filter(|&id| sema.name(id) == name);
    let id = all.find(|&id| sema.defined(id).kind == DefinitionKind::Variable)?;
    Some(sema.name_span(id))
}

/// The name that was meant, as far as can be told.
fn proposal(
    context: &Context<'_>,
    found: &Undeclared<'_>,
    macros: &[Arc<str>],
) -> Option<(String, bool)> {
    let sema = context.sema;
    let fits = |id: &DefinitionId| {
        let definition = sema.defined(*id);
        let kind = match found.role {
            Role::Type => definition.is_type(),
            Role::Function => definition.kind == DefinitionKind::Function,
            Role::Value => matches!(
                definition.kind,
                DefinitionKind::Variable | DefinitionKind::Enumerator
            ),
        };
        kind && !sema.name(*id).starts_with("__") && is_visible(context, *id, found)
    };
    let declared = sema.definitions().filter(fits).map(|id| sema.name(id));
    let language: &[&str] = match found.role {
        Role::Type => &[
            "float", "double", "int", "long", "char", "short", "unsigned", "bool", "size_t", "void",
        ],
        Role::Function => &REAL_FUNCTIONS,
        Role::Value => &[],
    };
    let macros = macros.iter().map(|m| &**m);
    let all = declared.chain(macros).chain(language.iter().copied());
    let all: Vec<&str> = all.collect();
    let near = nearest(found.name, all.iter().copied())?;
    // Of several that are as near, nobody knows.
    let others = all.iter().copied().filter(|n| *n != near);
    let second = nearest(found.name, others);
    let only = second.is_none_or(|second| !is_as_near(found.name, near, second));
    Some((near.to_string(), only))
}

/// Whether a name can be seen where another one is used.
fn is_visible(context: &Context<'_>, id: DefinitionId, found: &Undeclared<'_>) -> bool {
    let (tree, sema) = (context.tree, context.sema);
    let Some((&name, user)) = sema.uses(id).first().zip(found.node) else {
        return true;
    };
    let mut around = std::iter::successors(tree.parent(name), |n| tree.parent(*n));
    let scope = around.find(|&n| {
        matches!(
            tree.kind(n),
            Kind::CompoundStatement
                | Kind::ForStatement
                | Kind::FunctionDefinition
                | Kind::LambdaExpression
                | Kind::FieldDeclarationList
        ) && !(tree.kind(n) == Kind::FunctionDefinition
            && sema.defined(id).kind == DefinitionKind::Function)
    });
    let before = sema.name_span(id).start < tree.span(user).start;
    scope.is_none_or(|scope| tree.span(scope).contains(tree.span(user)) && before)
}
