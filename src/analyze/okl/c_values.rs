//! Values of declarations, and of types, that C writes in another way: `T v(x)`, `T v{x}`, `T(x)`.

use super::c_tags::Tags;
use crate::analyze::Context;
use crate::expr::Scalar;
use crate::module::VectorType;
use crate::sema::TypeKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree};

/// Spans and what they become.
type Edits = Vec<(Span, String)>;

fn insert(at: u32, what: &str) -> (Span, String) {
    (Span::at(at), what.to_string())
}

/// What the variable itself is that a declarator with a value declares; nothing of one that points or refers to such.
fn plain_kind(context: &Context<'_>, node: NodeId) -> Option<TypeKind> {
    let (tree, sema) = (context.tree, context.sema);
    let declaration = tree.parent(node)?;
    let declarator = tree.child(node, Field::Declarator)?;
    let is_name = tree.kind(declarator) == Kind::Identifier;
    is_name.then(|| sema.kind(sema.described(declaration)))
}

/// Whether a declaration constructs something from several values, which C does for vectors only.
pub(super) fn constructs(context: &Context<'_>, node: NodeId) -> bool {
    let tree = context.tree;
    let value = tree.child(node, Field::Value);
    let list = value.filter(|&v| tree.kind(v) == Kind::ArgumentList);
    let vector = matches!(plain_kind(context, node), Some(TypeKind::Vector(_)));
    list.is_some_and(|l| tree.children(l).count() != 1) && !vector
}

/// The value of a declaration.
pub(super) fn declared(context: &Context<'_>, node: NodeId) -> Edits {
    let (tree, text) = (context.tree, context.text);
    let Some(value) = tree.child(node, Field::Value) else {
        return Vec::new();
    };
    let name = tree
        .child(node, Field::Declarator)
        .map_or(tree.span(node).start, |d| tree.span(d).end);
    let span = tree.span(value);
    let assigns = Span::new(name, span.start).of(text).contains('=');
    let equals = if assigns { "" } else { " = " };
    let kind = plain_kind(context, node);
    let vector = match kind {
        Some(TypeKind::Vector(vector)) => Some(vector),
        _ => None,
    };
    match tree.kind(value) {
        Kind::InitializerList => {
            let values: Vec<NodeId> = tree.children(value).collect();
            let number = matches!(
                kind,
                Some(TypeKind::Scalar(_) | TypeKind::Pointer(_) | TypeKind::Enumeration(_))
            );
            // A number has no empty list in C.
            if let (true, Some(zero)) = (values.is_empty(), zero(number, vector)) {
                return vec![(span, format!("{equals}{zero}"))];
            }
            if let ([one], Some(_)) = (values.as_slice(), kind)
                && context.sema.record(*one).is_some()
                && vector.is_none()
            {
                // The whole value, where C would take it for that of the first field.
                return vec![
                    (Span::new(span.start, span.start + 1), format!("{equals}(")),
                    (Span::new(span.end - 1, span.end), ")".to_string()),
                ];
            }
            match assigns {
                true => Vec::new(),
                false => vec![insert(span.start, " = ")],
            }
        }
        Kind::ArgumentList => match (vector, tree.children(value).count()) {
            // `double sum(0);`
            (_, 1) => vec![insert(span.start, " = ")],
            (Some(vector), 2..) => vec![insert(span.start, &format!(" = ({vector})"))],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// What an empty list in braces makes of a number or a vector.
fn zero(number: bool, vector: Option<VectorType>) -> Option<String> {
    match vector {
        Some(vector) => Some(format!("({vector})(0)")),
        None => number.then(|| "0".to_string()),
    }
}

/// `float2(x, y)`, `S(s)`, `T(x)`
pub(super) fn made(context: &Context<'_>, call: NodeId, tags: &Tags<'_>) -> Edits {
    let (tree, text, sema) = (context.tree, context.text, context.sema);
    let (Some(function), Some(list)) = (
        tree.child(call, Field::Function),
        tree.child(call, Field::Arguments),
    ) else {
        return Vec::new();
    };
    let span = tree.span(function);
    let name = tree.text(function, text);
    let tag = tags.keyword(context, function).unwrap_or("");
    let kind = match sema.definition(function) {
        Some(id) if sema.defined(id).is_type() => sema.kind(sema.defined(id).ty),
        Some(_) => return Vec::new(),
        None => match (VectorType::from_name(name), Scalar::from_words([name])) {
            (Some(vector), _) => TypeKind::Vector(vector),
            (None, Some(scalar)) => TypeKind::Scalar(scalar),
            (None, None) => return Vec::new(),
        },
    };
    let arguments: Vec<NodeId> = tree.children(list).collect();
    match (kind, arguments.as_slice()) {
        (
            TypeKind::Scalar(_)
            | TypeKind::Vector(_)
            | TypeKind::Pointer(_)
            | TypeKind::Enumeration(_),
            _,
        ) => cast(tree, call, tag),
        (TypeKind::Record(_), []) => {
            let empty = (tree.span(list), "{}".to_string());
            vec![(span, format!("({tag}{name})")), empty]
        }
        (TypeKind::Record(_), [one]) => {
            let copies = sema.record(*one).is_some()
                || matches!(
                    tree.kind(*one),
                    Kind::CallExpression | Kind::CompoundLiteral
                );
            match copies {
                true => vec![(span, String::new())],
                false => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// `float(x)`, which C writes with the type in parentheses. A keyword may have to stand before that.
pub(super) fn cast(tree: &Tree, call: NodeId, keyword: &str) -> Edits {
    let (Some(function), Some(list)) = (
        tree.child(call, Field::Function),
        tree.child(call, Field::Arguments),
    ) else {
        return Vec::new();
    };
    let (ty, list) = (tree.span(function), tree.span(list));
    let empty = tree
        .child(call, Field::Arguments)
        .is_none_or(|l| tree.children(l).next().is_none());
    let mut edits = vec![
        insert(ty.start, &format!("({keyword}")),
        insert(ty.end, ")"),
    ];
    if empty {
        edits.push((list, "(0)".to_string()));
    }
    within_postfix(tree, call, edits)
}

/// A list in braces behind the name of a type: `T{x}`.
pub(super) fn listed(context: &Context<'_>, node: NodeId) -> Edits {
    let (tree, sema) = (context.tree, context.sema);
    let (Some(ty), Some(list)) = (
        tree.child(node, Field::Type),
        tree.child_of_kind(node, Kind::InitializerList),
    ) else {
        return Vec::new();
    };
    let (ty, list_span) = (tree.span(ty), tree.span(list));
    let mut edits = vec![insert(ty.start, "("), insert(ty.end, ")")];
    let number = matches!(
        sema.kind(sema.type_of(node)),
        TypeKind::Scalar(_) | TypeKind::Pointer(_) | TypeKind::Enumeration(_)
    );
    if number {
        // No variable without a name, but a value, which may be a constant, too.
        match tree.children(list).next() {
            Some(_) => {
                let Span { start, end } = list_span;
                edits.push((Span::new(start, start + 1), "(".to_string()));
                edits.push((Span::new(end - 1, end), ")".to_string()));
            }
            None => edits.push((list_span, "(0)".to_string())),
        }
        return within_postfix(tree, node, edits);
    }
    edits
}

/// Whatever becomes a cast: of that, C would take `.x` and `[i]` to belong to what is cast.
pub(super) fn within_postfix(tree: &Tree, node: NodeId, mut edits: Edits) -> Edits {
    let postfix = tree.field(node) == Field::Argument
        && tree.parent(node).is_some_and(|p| {
            matches!(
                tree.kind(p),
                Kind::FieldExpression | Kind::SubscriptExpression | Kind::UpdateExpression
            )
        });
    if postfix {
        let span = tree.span(node);
        if let Some((first, text)) = edits.first_mut()
            && first.start == span.start
        {
            text.insert(0, '(');
        }
        edits.push(insert(span.end, ")"));
    }
    edits
}
