use super::{Kind, NodeId, Tree};
use crate::grammar::Dialect;
use crate::source::Span;

/// One attribute where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeUse {
    /// The language it belongs to.
    pub dialect: Dialect,
    /// Its name without prefix.
    pub name: String,
    /// Its arguments as text, without the brackets around them.
    pub arguments: String,
    /// Arguments were given, possibly none between the brackets.
    pub has_arguments: bool,
    /// `[[…]]`.
    pub span: Span,
}

impl AttributeUse {
    /// The arguments, split at top-level commas and trimmed.
    pub fn split(&self) -> Vec<&str> {
        let text = self.arguments.as_str();
        if text.trim().is_empty() {
            return Vec::new();
        }
        let mut parts = Vec::new();
        let (mut depth, mut start) = (0, 0);
        for (at, c) in text.char_indices() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(text[start..at].trim());
                    start = at + 1;
                }
                _ => {}
            }
        }
        parts.push(text[start..].trim());
        parts
    }
}

/// The attributes that stand directly on a node: on a statement, a declaration, a function, a
/// parameter, or after a declarator. Attributes of other vendors are not ours to read.
pub fn attributes_of(tree: &Tree, node: NodeId, text: &str) -> Vec<AttributeUse> {
    let declarations = tree
        .children(node)
        .filter(|&c| tree.kind(c) == Kind::AttributeDeclaration);
    declarations
        .filter_map(|d| attribute(tree, d, text))
        .collect()
}

/// Whether attributes in brackets are one of the two languages', and no vendor's or standard's.
pub(crate) fn is_of_the_language(tree: &Tree, declaration: NodeId, text: &str) -> bool {
    attribute(tree, declaration, text).is_some()
}

/// What is written in one pair of brackets.
pub(crate) fn attribute(tree: &Tree, declaration: NodeId, text: &str) -> Option<AttributeUse> {
    let (name, rest) = tree
        .text(declaration, text)
        .strip_prefix("[[")?
        .split_once('(')?;
    let (dialect, name) = match (name.strip_prefix("okl_"), name.strip_prefix("brook_")) {
        (Some(name), _) => (Dialect::Okl, name),
        (_, Some(name)) => (Dialect::Brook, name),
        _ => return None,
    };
    let name = name.trim();
    let raw = rest
        .split_once('"')
        .and_then(|(_, rest)| rest.rsplit_once('"'));
    let raw = raw.map_or("", |(raw, _)| raw);
    let unescaped = unescape(raw);
    let inner = match dialect {
        Dialect::Okl => unescaped
            .strip_prefix('(')
            .and_then(|s| s.strip_suffix(')')),
        Dialect::Brook => unescaped
            .strip_prefix('<')
            .and_then(|s| s.strip_suffix('>')),
    };
    Some(AttributeUse {
        dialect,
        name: name.to_string(),
        has_arguments: !unescaped.is_empty(),
        arguments: inner.unwrap_or(&unescaped).to_string(),
        span: tree.span(declaration),
    })
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => out.extend(characters.next()),
            _ => out.push(c),
        }
    }
    out
}

/// The statement inside an attributed statement; the node itself otherwise.
pub fn decorated(tree: &Tree, node: NodeId) -> NodeId {
    if tree.kind(node) != Kind::AttributedStatement {
        return node;
    }
    let inner = tree
        .children(node)
        .find(|&c| tree.kind(c) != Kind::AttributeDeclaration);
    inner.map_or(node, |n| decorated(tree, n))
}
