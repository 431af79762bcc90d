//! What every compiler of C++ would refuse of expressions whose types are known: members that a structure does not have,
//! calls with too few or too many arguments, and assignments to constants and to values.

use crate::analyze::Context;
use crate::diagnostics::{Diagnostic, Fix, codes, is_certain, nearest};
use crate::lex::lex;
use crate::sema::{DefinitionId, DefinitionKind, TypeKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, is_record};

/// Reports them, where nothing else is said of the place. What stands in `uncertain` another compiler may see otherwise.
pub(super) fn malformed(context: &mut Context<'_>, uncertain: &[Span]) {
    let tree = context.tree;
    let mut found = Vec::new();
    let all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    for node in all {
        let check: fn(&Context<'_>, NodeId) -> Option<Diagnostic> = match tree.kind(node) {
            Kind::FieldExpression => member,
            Kind::CallExpression => arguments,
            Kind::AssignmentExpression | Kind::UpdateExpression => assigned,
            Kind::Declaration => product,
            _ => continue,
        };
        if !uncertain.iter().any(|u| u.contains(tree.span(node))) {
            found.extend(check(context, node));
        }
    }
    for message in found {
        let said = message
            .location
            .is_some_and(|at| context.sink.is_said_at(at));
        if !said {
            context.sink.push(message);
        }
    }
}

/// `p.mas` where the structure has no such member.
fn member(context: &Context<'_>, node: NodeId) -> Option<Diagnostic> {
    let (tree, sema) = (context.tree, context.sema);
    let field = tree.child(node, Field::FieldName)?;
    let object = tree.child(node, Field::Argument)?;
    let between = Span::new(tree.span(object).end, tree.span(field).start).of(context.text);
    // `m.*pointer` is none of its members.
    if !matches!(between.trim(), "." | "->") {
        return None;
    }
    let arrow = tree
        .child(node, Field::Operator)
        .map(|o| tree.text(o, context.text))
        == Some("->");
    let of = sema.kind(sema.type_of(object));
    let record = match (of, arrow) {
        (TypeKind::Record(record), false) => record,
        (TypeKind::Pointer(to), true) => match sema.kind(to) {
            TypeKind::Record(record) => record,
            _ => return None,
        },
        _ => return None,
    };
    let name = tree.text(field, context.text);
    let members: Vec<DefinitionId> = sema.members(record).collect();
    let unnamed = members.iter().any(|&m| sema.name(m).is_empty());
    let known = members.iter().any(|&m| sema.name(m) == name);
    if known
        || unnamed
        || members.is_empty()
        || !tree.kind(field).eq(&Kind::FieldIdentifier)
        || inherits(context, record)
    {
        return None;
    }
    let span = tree.span(field);
    let of = sema.name(record);
    let code = &codes::NO_MEMBER;
    let mut message = Diagnostic::at(code, context.provenance, span, &[&of, &name]);
    let at = context.provenance.spelled(sema.name_span(record));
    if !of.is_empty()
        && let Some(at) = at
    {
        message = message.note(format!("'{of}' is declared here"), Some(at));
    }
    let near = nearest(name, members.iter().map(|&m| sema.name(m)));
    if let Some(near) = near {
        message = message.label(format!("did you mean '{near}'?"));
        if let Some(at) = context.provenance.spelled(span) {
            message = message.fix(Fix::rename(&[at], near, is_certain(name, near)));
        }
    }
    Some(message)
}

/// Whether a structure has members that are another one's.
fn inherits(context: &Context<'_>, record: DefinitionId) -> bool {
    let tree = context.tree;
    let name = context.sema.uses(record).iter().copied();
    let mut specifiers = name.filter_map(|n| tree.parent(n));
    // One that is a typedef's, or a template's, is not looked at.
    !specifiers.any(|s| {
        is_record(tree.kind(s))
            && tree.child(s, Field::Body).is_some()
            && !tree.descendants(s).any(|c| {
                matches!(
                    tree.kind(c),
                    Kind::BaseClause | Kind::TemplateDeclaration | Kind::UsingDeclaration
                )
            })
            && !std::iter::successors(Some(s), |n| tree.parent(*n))
                .any(|n| tree.kind(n) == Kind::TemplateDeclaration)
    })
}

/// A call of a function, of which there is one of that name, with another number of arguments than it takes.
fn arguments(context: &Context<'_>, call: NodeId) -> Option<Diagnostic> {
    let (tree, sema) = (context.tree, context.sema);
    let function = tree.child(call, Field::Function)?;
    let list = tree.child(call, Field::Arguments)?;
    let id = sema
        .definition(function)
        .filter(|_| tree.kind(function) == Kind::Identifier)?;
    if sema.defined(id).kind != DefinitionKind::Function {
        return None;
    }
    let given: Vec<NodeId> = tree.children(list).collect();
    let (least, most) = sema.takes(id)?;
    let takes = |given: usize| given >= least && most.is_none_or(|most| given <= most);
    if takes(given.len()) {
        return None;
    }
    let name = sema.name(id);
    let overloaded = sema
        .definitions()
        .any(|other| other != id && sema.name(other) == name);
    let of_template = |node: NodeId| {
        let mut around = std::iter::successors(Some(node), |n| tree.parent(*n));
        around.any(|n| tree.kind(n) == Kind::TemplateDeclaration)
    };
    let declared = sema.uses(id).first().copied();
    if overloaded || of_template(call) || declared.is_none_or(of_template) {
        return None;
    }
    // `f(a < b, c > (d))` the grammar may read as fewer arguments; packs are any number of them.
    let doubtful = |&n: &NodeId| {
        matches!(
            tree.kind(n),
            Kind::Other | Kind::TemplateFunction | Kind::Error
        )
    };
    let mut inside = given.iter().flat_map(|&n| tree.descendants(n));
    if given.iter().any(doubtful) || inside.any(|n| tree.kind(n) == Kind::TemplateFunction) {
        return None;
    }
    // `int f(const char *, ...)`
    let head = declared.and_then(|n| tree.parent(n));
    let is_variadic = |h: NodeId| {
        let words = tree.text(h, context.text);
        lex(words).iter().any(|t| t.is(words, "..."))
    };
    if head.is_some_and(is_variadic) {
        return None;
    }
    let wanted = match most {
        Some(most) if most != least => format!("{least} to {most} arguments"),
        None => format!("at least {least} arguments"),
        _ if least == 1 => "1 argument".to_string(),
        _ => format!("{least} arguments"),
    };
    let given = match given.len() {
        0 => "none".to_string(),
        given => given.to_string(),
    };
    let span = tree.span(call);
    let code = &codes::ARGUMENT_COUNT;
    let message = Diagnostic::at(code, context.provenance, span, &[&name, &wanted, &given]);
    let at = context.provenance.spelled(sema.name_span(id));
    Some(match at {
        Some(at) => message.note("it is declared here", Some(at)),
        None => message,
    })
}

/// An assignment to what is constant, or to what is no variable.
fn assigned(context: &Context<'_>, node: NodeId) -> Option<Diagnostic> {
    let (tree, sema) = (context.tree, context.sema);
    let left = match tree.kind(node) {
        Kind::AssignmentExpression => tree.child(node, Field::Left)?,
        _ => tree.child(node, Field::Argument)?,
    };
    let target = tree.unparenthesized(left);
    match tree.kind(target) {
        Kind::BinaryExpression | Kind::NumberLiteral => {
            let scalar = sema.scalar(target).is_some();
            let operands = [Field::Left, Field::Right].map(|f| tree.child(target, f));
            let known = operands.iter().flatten().all(|&o| sema.scalar(o).is_some());
            if !scalar
                || !known
                || tree.kind(target) == Kind::NumberLiteral && !is_number(context, target)
            {
                return None;
            }
            let span = tree.span(target);
            let words = span.of(context.text);
            let code = &codes::VALUE_ASSIGNED;
            Some(
                Diagnostic::at(code, context.provenance, span, &[&words])
                    .label("this is a value, no variable"),
            )
        }
        Kind::Identifier => {
            let id = variable(context, target)?;
            let said = sema.qualified(id)?;
            let constant = match sema.kind(sema.defined(id).ty) {
                TypeKind::Scalar(_) | TypeKind::Vector(_) | TypeKind::Pointer(_) => {
                    said.own.constant
                }
                // A parameter that is an array is a pointer, and classes have operators of their own.
                _ => false,
            };
            constant.then(|| constant_assigned(context, target, id, false))
        }
        Kind::SubscriptExpression | Kind::PointerExpression => {
            let base = tree.child(target, Field::Argument)?;
            let id = variable(context, tree.unparenthesized(base))?;
            let said = sema.qualified(id)?;
            let address = tree
                .child(target, Field::Operator)
                .map(|o| tree.text(o, context.text))
                == Some("&");
            let constant = match sema.kind(sema.defined(id).ty) {
                TypeKind::Pointer(_) => said.pointed.constant,
                TypeKind::Array(_) => said.own.constant,
                _ => false,
            };
            (constant && !address).then(|| constant_assigned(context, target, id, true))
        }
        _ => None,
    }
}

/// `scale * in[i] = out[i];`, which the grammar takes for a declaration.
fn product(context: &Context<'_>, declaration: NodeId) -> Option<Diagnostic> {
    let (tree, sema) = (context.tree, context.sema);
    let ty = tree.child(declaration, Field::Type)?;
    let id = sema
        .definition(ty)
        .filter(|_| tree.kind(ty) == Kind::TypeIdentifier)?;
    let declarator = tree.child(declaration, Field::Declarator)?;
    if sema.defined(id).kind != DefinitionKind::Variable
        || tree.kind(declarator) != Kind::InitDeclarator
    {
        return None;
    }
    let end = tree.span(tree.child(declarator, Field::Declarator)?).end;
    let span = Span::new(tree.span(ty).start, end);
    let words = span.of(context.text);
    let code = &codes::VALUE_ASSIGNED;
    let message = Diagnostic::at(code, context.provenance, span, &[&words]);
    Some(message.label("this is a value, no variable"))
}

/// Whether a number is one in the text, too, and no stand-in for a name.
fn is_number(context: &Context<'_>, node: NodeId) -> bool {
    let words = context.tree.text(node, context.text);
    words.starts_with(|c: char| c.is_ascii_digit())
}

fn variable(context: &Context<'_>, node: NodeId) -> Option<DefinitionId> {
    let id = context
        .sema
        .definition(node)
        .filter(|_| context.tree.kind(node) == Kind::Identifier)?;
    (context.sema.defined(id).kind == DefinitionKind::Variable).then_some(id)
}

fn constant_assigned(
    context: &Context<'_>,
    target: NodeId,
    id: DefinitionId,
    elements: bool,
) -> Diagnostic {
    let (tree, sema) = (context.tree, context.sema);
    let name = sema.name(id);
    let what = if elements { "elements of " } else { "" };
    let code = &codes::CONSTANT_ASSIGNED;
    let span = tree.span(target);
    let message = Diagnostic::at(code, context.provenance, span, &[&what, &name]);
    match context.provenance.spelled(sema.name_span(id)) {
        Some(at) => message.note("declared const here", Some(at)),
        None => message,
    }
}
