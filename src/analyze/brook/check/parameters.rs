use super::Checker;
use super::records;
use super::symbols::{Role, Symbol};
use super::types::{INT, Ty, literal};
use crate::diagnostics::{Code, codes};
use crate::grammar::Target;
use crate::module::{Base, Type};
use crate::syntax::{
    AttributeUse, Declarator, Kind, NodeId, attributes_of, declarators, type_span,
};

/// What is wrong with the size of an array.
pub(super) enum Size {
    Given(u64),
    NotPositive,
    NotInteger,
    NotSimple,
}

/// The codes for it.
struct SizeCodes {
    not_positive: &'static Code,
    not_integer: &'static Code,
    not_simple: &'static Code,
}

impl Checker<'_, '_> {
    /// One parameter; `None` if it is `void`, or nothing that the body could use.
    pub(super) fn parameter(&mut self, node: NodeId) -> Option<Symbol> {
        let (tree, text) = (self.context.tree, self.context.text);
        let words = type_span(tree, node);
        let spelled = words.of(text);
        let name = declarators(tree, node, text).into_iter().next();
        let Some(name) = name.filter(|n| !n.name.is_empty()) else {
            if spelled != "void" {
                self.report(&codes::PARAMETER_UNNAMED, tree.span(node), &[]);
            }
            return None;
        };
        let mut attributes = attributes_of(tree, node, text);
        attributes.extend(name.attributes.iter().cloned());
        for attribute in &attributes {
            self.context.check_attribute(attribute, Target::Parameter);
        }
        let symbol = self.symbol(node, &name, &attributes).unwrap_or(Symbol {
            ty: INT,
            role: Role::Refused,
        });
        self.declare(&name, symbol.clone());
        Some(symbol)
    }

    fn symbol(
        &mut self,
        node: NodeId,
        name: &Declarator,
        attributes: &[AttributeUse],
    ) -> Option<Symbol> {
        let words = type_span(self.context.tree, node);
        let has = |which: &str| attributes.iter().any(|a| a.name == which);
        for attribute in attributes {
            match attribute.name.as_str() {
                "vout" if self.checking.brookgpu => {}
                "vout" => self.report(&codes::BROOK_VOUT, attribute.span, &[]),
                "shared" => self.report(&codes::BROOK_GROUP_SHARED_ARRAY, attribute.span, &[]),
                _ => {}
            }
        }
        self.qualifiers(node, true);
        if name.pointers > 0 {
            self.report(&codes::BROOK_POINTER, name.span, &[]);
            return None;
        }
        let (output, stream) = (has("out") || has("vout"), has("stream"));
        let ty = self.named_type(words, stream)?;
        let rank = name.sizes.len();
        if rank > 4 {
            self.report(&codes::BROOK_RANK, name.span, &[&rank]);
        }
        if stream && rank > 0 {
            self.facts.array_elements = Some(name.span);
        }
        let role = match (has("reduce"), output, stream, rank) {
            (true, ..) => Role::Reduce,
            (_, true, true, _) if has("vout") => Role::Vout,
            (_, true, true, _) => Role::StreamOut,
            (_, false, true, _) => Role::StreamIn,
            (_, false, false, 0) => Role::Value,
            (_, true, false, 0) => {
                self.report(&codes::BROOK_OUTPUT_STREAM, name.span, &[]);
                Role::StreamOut
            }
            (_, true, false, rank) => {
                // The old compiler looked at it twice.
                self.scatter_sizes(name);
                self.scatter_sizes(name);
                Role::Scatter { rank }
            }
            (_, false, false, rank) => Role::Gather {
                rank,
                fixed: records::stored(&self.records, words.of(self.context.text)),
                extents: self.gather_sizes(name),
            },
        };
        Some(Symbol { ty, role })
    }

    /// The type of a parameter or variable; reports what it cannot be.
    pub(super) fn named_type(&mut self, words: crate::source::Span, stream: bool) -> Option<Ty> {
        let spelled = words.of(self.context.text);
        let found = records::find(&self.records, spelled);
        let sound = found.filter(|&ty| records::is_element(&self.records, ty));
        let Some(ty) = sound else {
            let digits = spelled.trim_end_matches(|c: char| c.is_ascii_digit());
            let vector = digits.len() < spelled.len() && Type::from_words(digits).is_some();
            if vector {
                self.report(&codes::BROOK_WIDTH, words, &[]);
            } else if stream {
                self.report(&codes::BROOK_ELEMENT_TYPE, words, &[]);
            } else {
                self.unknown_type(words, spelled);
            }
            return None;
        };
        if matches!(ty, Ty::Number(t) if t.base == Base::Double && t.width > 2) {
            self.report(&codes::BROOK_DOUBLE_WIDTH, words, &[]);
        }
        Some(ty)
    }

    /// `const`, `volatile`, `static` and their like in front of a parameter or variable; `true` if it is
    /// constant.
    pub(super) fn qualifiers(&mut self, node: NodeId, parameter: bool) -> bool {
        let tree = self.context.tree;
        let mut constant = false;
        for child in tree.children(node) {
            let (span, word) = (tree.span(child), self.word(child));
            match (tree.kind(child), word) {
                (Kind::TypeQualifier, "const") if parameter => {
                    self.report(&codes::BROOK_CONST_PARAMETER, span, &[]);
                }
                (Kind::TypeQualifier, "const") => constant = true,
                (Kind::TypeQualifier, _) => self.report(&codes::BROOK_QUALIFIER, span, &[]),
                (Kind::StorageClass, "static" | "extern") => {
                    self.report(&codes::BROOK_STORAGE, span, &[]);
                }
                (Kind::StorageClass, "auto" | "register") if parameter => {
                    self.report(&codes::BROOK_PARAMETER_STORAGE, span, &[]);
                }
                // On variables `auto` and `register` have no effect.
                _ => {}
            }
        }
        constant
    }

    /// The size of one dimension: nothing but a number will do.
    pub(super) fn size(&self, node: NodeId) -> Size {
        if self.kind(node) != Kind::NumberLiteral || self.word(node).starts_with('-') {
            return Size::NotSimple;
        }
        let word = self.word(node);
        if !literal(word).base.is_integer() {
            return Size::NotInteger;
        }
        let value = crate::expr::parse(word).ok();
        match value.as_ref().and_then(crate::expr::constant) {
            Some(n) if n > 0 => Size::Given(n.unsigned_abs()),
            _ => Size::NotPositive,
        }
    }

    /// The sizes of a gather array: all of them or none. Without constant arrays they mean nothing.
    fn gather_sizes(&mut self, name: &Declarator) -> Vec<u64> {
        let legacy = self.checking.no_constant_arrays;
        let codes = SizeCodes {
            not_positive: &codes::BROOK_ARRAY_SIZE,
            not_integer: &codes::BROOK_ARRAY_CONSTANT,
            not_simple: match legacy {
                true => &codes::BROOK_ARRAY_SIMPLE_LEGACY,
                false => &codes::BROOK_ARRAY_SIMPLE,
            },
        };
        let mut extents = Vec::new();
        for &size in name.sizes.iter().flatten() {
            // To BrookGPU sizes are hints, and any expression will do.
            if self.checking.brookgpu && matches!(self.size(size), Size::NotSimple) {
                return Vec::new();
            }
            match self.checked_size(size, &codes) {
                Size::Given(n) => extents.push(n),
                _ => return Vec::new(),
            }
        }
        let given = name.sizes.iter().flatten().count();
        if given > 0 && given < name.sizes.len() {
            let code = match legacy {
                true => &codes::BROOK_PARTIAL_SIZES_LEGACY,
                false => &codes::BROOK_PARTIAL_SIZES,
            };
            self.report(code, name.span, &[]);
            return Vec::new();
        }
        match legacy {
            true => Vec::new(),
            false => extents,
        }
    }

    fn scatter_sizes(&mut self, name: &Declarator) {
        let legacy = self.checking.no_constant_arrays;
        let codes = SizeCodes {
            not_positive: &codes::BROOK_SCATTER_SIZE,
            not_integer: &codes::BROOK_SCATTER_CONSTANT,
            not_simple: match legacy {
                true => &codes::BROOK_SCATTER_SIMPLE_LEGACY,
                false => &codes::BROOK_SCATTER_SIMPLE,
            },
        };
        for &size in name.sizes.iter().flatten() {
            let span = self.span(size);
            match self.checked_size(size, &codes) {
                Size::NotSimple => {}
                _ if legacy => self.report(&codes::BROOK_SCATTER_SIZES_LEGACY, span, &[]),
                _ => self.report(&codes::BROOK_SCATTER_SIZES, span, &[]),
            }
        }
    }

    fn checked_size(&mut self, node: NodeId, codes: &SizeCodes) -> Size {
        let size = self.size(node);
        let span = self.span(node);
        match size {
            Size::Given(_) => {}
            Size::NotPositive => self.report(codes.not_positive, span, &[]),
            Size::NotInteger => self.report(codes.not_integer, span, &[]),
            Size::NotSimple => self.report(codes.not_simple, span, &[]),
        }
        size
    }
}
