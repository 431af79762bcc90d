use super::{AttributeUse, Field, Kind, NodeId, Tree, attributes_of, is_declarator, is_name};
use crate::lex::{mentions, one_layout};
use crate::source::Span;
use std::borrow::Cow;

/// One name that a declaration or parameter declares.
#[derive(Clone, Debug)]
pub struct Declarator<'t> {
    /// The name; empty for an unnamed parameter.
    pub name: &'t str,
    /// Where the name stands.
    pub name_span: Span,
    /// The name; `None` for an unnamed parameter.
    pub node: Option<NodeId>,
    /// The whole declarator without its initialiser: `*a[3]`.
    pub span: Span,
    /// Number of `*`.
    pub pointers: usize,
    /// Declared with `&`.
    pub reference: bool,
    /// Array sizes from left to right; `None` for `[]`.
    pub sizes: Vec<Option<NodeId>>,
    /// Spans of `[size]` from left to right, brackets included.
    pub brackets: Vec<Span>,
    /// The initialiser, if there is one.
    pub value: Option<NodeId>,
    /// It declares a function, not a variable.
    pub function: bool,
    /// Attributes that stand after it.
    pub attributes: Vec<AttributeUse>,
}

impl Declarator<'_> {
    /// One that stands there, and adds nothing to its type.
    pub(crate) fn unnamed(span: Span) -> Self {
        Self {
            name: "",
            name_span: Span::at(span.start),
            node: None,
            span,
            pointers: 0,
            reference: false,
            sizes: Vec::new(),
            brackets: Vec::new(),
            value: None,
            function: false,
            attributes: Vec::new(),
        }
    }
}

/// Everything a declaration (or parameter, field, typedef) declares.
pub fn declarators<'t>(tree: &Tree, declaration: NodeId, text: &'t str) -> Vec<Declarator<'t>> {
    let nodes = tree
        .children(declaration)
        .filter(|&c| tree.field(c) == Field::Declarator);
    let mut all: Vec<Declarator<'t>> = nodes.map(|n| declarator(tree, n, text)).collect();
    // `if (int n = f())`: the value belongs to the declaration.
    if let [only] = all.as_mut_slice() {
        only.value = only.value.or_else(|| tree.child(declaration, Field::Value));
    }
    all
}

/// What is declared by one declarator, as far as it takes no memory to say it.
pub struct Outline {
    /// Where the name stands.
    pub name: Span,
    /// Number of `*`.
    pub pointers: usize,
    /// It is an array.
    pub array: bool,
    /// Declared with `&`.
    pub reference: bool,
    /// The initialiser, if there is one.
    pub value: Option<NodeId>,
}

/// The outlines of [`declarators`].
pub fn outlines(tree: &Tree, declaration: NodeId) -> impl Iterator<Item = Outline> {
    let nodes = tree
        .children(declaration)
        .filter(|&c| tree.field(c) == Field::Declarator);
    // `if (int n = f())`: the value belongs to the declaration.
    let value = tree.child(declaration, Field::Value);
    nodes.map(move |node| {
        let mut out = Outline {
            name: Span::at(tree.span(node).start),
            pointers: 0,
            array: false,
            reference: false,
            value,
        };
        each_part(tree, node, |node, _| match tree.kind(node) {
            Kind::InitDeclarator => out.value = tree.child(node, Field::Value).or(out.value),
            Kind::PointerDeclarator => out.pointers += 1,
            Kind::ArrayDeclarator => out.array = true,
            Kind::ReferenceDeclarator => out.reference = true,
            kind if is_name(kind) => out.name = tree.span(node),
            _ => {}
        });
        out
    })
}

/// Visits a declarator and those inside of it: each with the next one, if that has a field's name.
fn each_part(tree: &Tree, node: NodeId, mut visit: impl FnMut(NodeId, Option<NodeId>)) {
    let mut at = Some(node);
    while let Some(node) = at {
        at = tree.child(node, Field::Declarator);
        visit(node, at);
        if at.is_none() {
            // Parentheses, attributes and references hold their declarator without a field name.
            at = tree.children(node).find(|&c| is_declarator(tree.kind(c)));
        }
    }
}

fn declarator<'t>(tree: &Tree, node: NodeId, text: &'t str) -> Declarator<'t> {
    let mut out = Declarator::unnamed(tree.span(node));
    each_part(tree, node, |node, at| {
        match tree.kind(node) {
            Kind::InitDeclarator => {
                out.value = tree.child(node, Field::Value);
                if let Some(inner) = at {
                    out.span = tree.span(inner);
                }
            }
            Kind::PointerDeclarator => out.pointers += 1,
            Kind::ReferenceDeclarator => out.reference = true,
            Kind::ArrayDeclarator => {
                out.sizes.push(tree.child(node, Field::Size));
                let from = at.map_or(tree.span(node).start, |inner| tree.span(inner).end);
                out.brackets.push(Span::new(from, tree.span(node).end));
            }
            Kind::FunctionDeclarator => out.function = true,
            Kind::AttributedDeclarator => out.attributes.extend(attributes_of(tree, node, text)),
            _ => {}
        }
        if is_name(tree.kind(node)) {
            out.name = tree.text(node, text);
            out.name_span = tree.span(node);
            out.node = Some(node);
        }
    });
    // The walk met the last bracket first.
    out.sizes.reverse();
    out.brackets.reverse();
    out
}

/// The words of a declaration's type, without attributes: from the first specifier to the last one
/// before the declarator.
pub fn type_span(tree: &Tree, declaration: NodeId) -> Span {
    let mut span: Option<Span> = None;
    for child in tree.children(declaration) {
        if tree.field(child) == Field::Declarator {
            break;
        }
        if tree.kind(child) != Kind::AttributeDeclaration {
            span = Some(span.map_or(tree.span(child), |s| s.to(tree.span(child))));
        }
    }
    span.unwrap_or(Span::at(tree.span(declaration).start))
}

/// The words of [`type_span`] in one layout.
pub fn type_words<'a>(tree: &Tree, declaration: NodeId, text: &'a str) -> Cow<'a, str> {
    words_of(type_span(tree, declaration).of(text))
}

/// The words of a type in one layout.
pub fn words_of(text: &str) -> Cow<'_, str> {
    let mut words = text.split(' ');
    let plain =
        |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match words.all(plain) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(one_layout(text)),
    }
}

/// The function declarator of a definition or declaration: through `*` and `&` of its return type.
pub(crate) fn function_declarator(tree: &Tree, function: NodeId) -> Option<NodeId> {
    let mut at = tree.child(function, Field::Declarator)?;
    while tree.kind(at) != Kind::FunctionDeclarator {
        at = tree
            .child(at, Field::Declarator)
            .or_else(|| tree.children(at).find(|&c| is_declarator(tree.kind(c))))?;
    }
    Some(at)
}

/// A function's name and where it stands.
pub fn function_name<'a>(tree: &Tree, function: NodeId, text: &'a str) -> Option<(&'a str, Span)> {
    let name = tree.child(function_declarator(tree, function)?, Field::Declarator)?;
    Some((tree.text(name, text), tree.span(name)))
}

/// A function's parameters, and the span of their list, brackets included.
pub fn parameters(tree: &Tree, function: NodeId) -> Option<(Vec<NodeId>, Span)> {
    let list = tree.child(function_declarator(tree, function)?, Field::Parameters)?;
    let parameters = tree
        .children(list)
        .filter(|&c| tree.kind(c) == Kind::ParameterDeclaration);
    Some((parameters.collect(), tree.span(list)))
}

/// Whether the names of an enumeration's values are known behind its own name only: `enum class`.
pub fn has_scoped_enumerators(tree: &Tree, specifier: NodeId, text: &str) -> bool {
    let from = tree.span(specifier).start;
    let first = tree.children(specifier).next();
    let to = first.map_or(from, |n| tree.span(n).start);
    mentions(Span::new(from, to).of(text), &["class", "struct"])
}
