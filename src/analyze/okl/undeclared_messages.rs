//! What is said of names that are declared nowhere: the define to pass, or the name that was meant.

use super::told;
use crate::analyze::Context;
use crate::diagnostics::{Diagnostic, Fix, codes, is_as_near, is_certain, is_macro_like, nearest};
use crate::lex::lex;
use crate::library::Role;
use crate::sema::{DefinitionId, DefinitionKind, REAL_FUNCTIONS};
use crate::source::{Location, Span};
use crate::syntax::{Kind, NodeId};
use std::sync::Arc;

/// Names of types that solvers take from their builds.
const BUILD_TYPES: [&str; 10] = [
    "dfloat", "pfloat", "gfloat", "dlong", "hlong", "dint", "real", "real_t", "Real", "scalar_t",
];

/// A name that is declared nowhere, and where it is used.
pub(super) struct Undeclared<'t> {
    pub(super) role: Role,
    /// The first use, in the analysed text; of a name in an attribute's arguments, the attribute.
    pub(super) span: Span,
    pub(super) node: Option<NodeId>,
    /// All places in the user's files.
    pub(super) places: Vec<Location>,
    pub(super) name: &'t str,
}

pub(super) fn message(
    context: &Context<'_>,
    found: &Undeclared<'_>,
    macros: &[Arc<str>],
) -> Diagnostic {
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
    let given = told::but_for_case(context, name).filter(|_| near.is_none());
    match (near.as_ref(), macro_like) {
        _ if given.is_some() => {
            let given = given.unwrap_or_default();
            message = message.help(format!("-D {given} is given: did you mean -D {name}?"));
        }
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
