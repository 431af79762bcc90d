use super::{Field, Kind, NodeId, Tree, words_of};

/// What stands beside the type of a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Specifiers {
    /// `const` or `constexpr`
    pub constant: bool,
    /// `constexpr`
    pub constexpr: bool,
    /// `volatile`
    pub volatile: bool,
    /// `static`
    pub is_static: bool,
    /// `extern`
    pub external: bool,
    /// `auto` in the type's place.
    pub automatic: bool,
}

/// Reads them where they stand, before the first declarator.
pub fn specifiers(tree: &Tree, declaration: NodeId, text: &str) -> Specifiers {
    let mut out = Specifiers::default();
    let own = tree.children(declaration);
    for child in own.take_while(|&c| tree.field(c) != Field::Declarator) {
        match (tree.kind(child), tree.text(child, text)) {
            (Kind::PlaceholderType, words) => out.automatic = words == "auto",
            (Kind::TypeQualifier | Kind::StorageClass, word) => match word {
                "const" => out.constant = true,
                "constexpr" => (out.constant, out.constexpr) = (true, true),
                "volatile" => out.volatile = true,
                "static" => out.is_static = true,
                "extern" => out.external = true,
                _ => {}
            },
            _ => {}
        }
    }
    out
}

/// The words of a declaration's type in one layout, without some that qualify it.
pub(crate) fn type_words_without(
    tree: &Tree,
    declaration: NodeId,
    text: &str,
    qualifiers: &[&str],
) -> String {
    let said = tree
        .specifiers(declaration)
        .filter(|&c| match tree.kind(c) {
            Kind::AttributeDeclaration => false,
            Kind::TypeQualifier => !qualifiers.contains(&tree.text(c, text)),
            _ => true,
        });
    let words: Vec<_> = said.map(|c| words_of(tree.text(c, text))).collect();
    words.join(" ")
}
