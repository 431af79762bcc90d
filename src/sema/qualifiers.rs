use crate::syntax::{AttributeUse, Kind, NodeId, Tree, attributes_of};

/// What `const` and its like say of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Qualifiers {
    /// `const`, `constexpr`
    pub(crate) constant: bool,
    pub(crate) volatile: bool,
    /// `restrict` in all its spellings, `@restrict` included.
    pub(crate) restrict: bool,
}

/// Whether that is one of the compilers' words for it.
pub(crate) fn is_restrict(word: &str) -> bool {
    matches!(word, "restrict" | "__restrict" | "__restrict__")
}

impl Qualifiers {
    fn with(self, other: Self) -> Self {
        Self {
            constant: self.constant || other.constant,
            volatile: self.volatile || other.volatile,
            restrict: self.restrict || other.restrict,
        }
    }

    /// What the children of a declaration or of a declarator say.
    pub(super) fn read(tree: &Tree, node: NodeId, text: &str) -> Self {
        let mut out = Self::default();
        for child in tree.specifiers(node) {
            // Compilers' own words for it come in a node of another kind.
            if matches!(tree.kind(child), Kind::TypeQualifier | Kind::Other) {
                match tree.text(child, text) {
                    "const" | "constexpr" => out.constant = true,
                    "volatile" => out.volatile = true,
                    word => out.restrict |= is_restrict(word),
                }
            }
        }
        out
    }
}

/// What is said of a variable or of a type, and of what lies behind its pointer or reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Qualified {
    pub(crate) own: Qualifiers,
    /// Of what it points or refers to; of an array's elements it is `own`.
    pub(crate) pointed: Qualifiers,
}

impl Qualified {
    /// The same with more of itself.
    pub(super) fn with(self, own: Qualifiers) -> Self {
        Self {
            own: self.own.with(own),
            ..self
        }
    }

    /// What a pointer or reference to it is.
    pub(super) fn behind(self, own: Qualifiers) -> Self {
        Self {
            own,
            pointed: self.own,
        }
    }

    /// `@restrict` belongs to the pointer of that level, `*` for `*`, or to the outermost one.
    pub(super) fn promise(&mut self, attribute: &AttributeUse, pointers: usize) {
        let level = attribute.arguments.trim().parse::<usize>().unwrap_or(0);
        match level == 0 || level >= pointers {
            true => self.own.restrict = true,
            false if level + 1 == pointers => self.pointed.restrict = true,
            false => {}
        }
    }
}

/// Where the language puts a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Place {
    /// Where C puts it.
    #[default]
    Ordinary,
    /// `@shared`
    Shared,
    /// `@exclusive`
    Exclusive,
}

/// What attributes and storage classes of a declaration say of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Storage {
    pub(crate) place: Place,
    /// `static`, `extern` or `thread_local`: it lives longer than its scope.
    pub(crate) lasting: bool,
}

impl Storage {
    pub(super) fn read(tree: &Tree, declaration: NodeId, text: &str) -> Self {
        let words = tree
            .specifiers(declaration)
            .filter(|&c| tree.kind(c) == Kind::StorageClass)
            .map(|c| tree.text(c, text));
        let mut out = Self::default();
        for word in words {
            out.lasting |= matches!(word, "static" | "extern" | "thread_local");
        }
        for attribute in attributes_of(tree, declaration, text) {
            out.attribute(&attribute);
        }
        out
    }

    pub(super) fn attribute(&mut self, attribute: &AttributeUse) {
        match attribute.name.as_str() {
            "shared" => self.place = Place::Shared,
            "exclusive" => self.place = Place::Exclusive,
            _ => {}
        }
    }
}
