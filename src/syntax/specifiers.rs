use super::{Field, Kind, NodeId, Tree};

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
