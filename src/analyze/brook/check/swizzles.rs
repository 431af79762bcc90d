use super::Checker;
use super::symbols::Role;
use super::types::{INT, Ty};
use super::values::Value;
use crate::diagnostics::codes;
use crate::module::Type;
use crate::syntax::{Field, NodeId};

impl Checker<'_, '_> {
    /// `v.x`, `v.wzyx`, and fields of structs.
    pub(super) fn field(&mut self, node: NodeId) -> Value {
        let tree = self.context.tree;
        let (Some(base), Some(field)) = (
            tree.child(node, Field::Argument),
            tree.child(node, Field::FieldName),
        ) else {
            return Value::of(INT);
        };
        let value = self.expression(base);
        let span = tree.span(node);
        if value.undefined {
            return value;
        }
        if self.operator_of(node) == "->" {
            self.report(&codes::BROOK_ARROW, span, &[]);
            return Value::guess(value.ty);
        }
        if value.array.is_some() {
            self.report(&codes::BROOK_ARRAY_LEFT, span, &[]);
            return Value::guess(value.ty);
        }
        let name = self.word(field);
        let at = tree.span(field);
        match value.ty {
            Ty::Record(record) => {
                let fields = &self.records[record].fields;
                match fields.iter().find(|f| f.name == name) {
                    Some(field) => Value {
                        array: (!field.sizes.is_empty()).then_some(Role::Field(field.sizes.len())),
                        ..Value::of(field.ty)
                    },
                    None => {
                        self.report(&codes::BROOK_SWIZZLE, at, &[&name]);
                        Value::guess(INT)
                    }
                }
            }
            Ty::Number(ty) if self.checking.brookgpu && !ty.is_vector() => {
                let known = plain_swizzle(name, true).is_some_and(|n| is_swizzle(&n, ty));
                if !known {
                    self.report(&codes::BROOK_SWIZZLE, at, &[&name]);
                }
                let width = name.len().clamp(1, 4) as u8;
                Value::of(Ty::Number(Type::vector(ty.base, width))).guessed_if(!known)
            }
            Ty::Number(ty) if !ty.is_vector() => {
                let follows = value.guessed;
                self.following(follows, |this| {
                    this.report(&codes::BROOK_SWIZZLE_SCALAR, at, &[]);
                });
                Value::guess(value.ty)
            }
            Ty::Number(ty) => {
                let known = self.is_part(name, ty);
                if !known {
                    self.following(value.guessed, |this| {
                        this.report(&codes::BROOK_SWIZZLE, at, &[&name]);
                    });
                }
                let width = name.len().clamp(1, 4) as u8;
                let guessed = value.guessed || !known;
                Value::of(Ty::Number(Type::vector(ty.base, width))).guessed_if(guessed)
            }
        }
    }

    /// The same where it is assigned to: no component twice. The old compiler looked at the rest again.
    pub(super) fn written_field(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let (Some(base), Some(field)) = (
            tree.child(node, Field::Argument),
            tree.child(node, Field::FieldName),
        ) else {
            return;
        };
        let root = self.root(node);
        let refused = self.role(root) == Some(Role::Refused);
        let Some(ty) = self.facts.number(base).filter(|_| !refused) else {
            return;
        };
        let (name, at, span) = (self.word(field), tree.span(field), tree.span(node));
        if !ty.is_vector() {
            // Said before, or there is no such variable.
            self.following(true, |this| {
                this.report(&codes::BROOK_SWIZZLE_SCALAR, at, &[]);
            });
            return;
        }
        let whole = self.word(node);
        if !self.is_part(name, ty) {
            self.following(true, |this| {
                this.report(&codes::BROOK_SWIZZLE, span, &[&whole]);
            });
            return;
        }
        let repeated = name.char_indices().find(|(i, c)| name[..*i].contains(*c));
        if let Some((_, component)) = repeated {
            let code = &codes::BROOK_SWIZZLE_REPEATED;
            self.report(code, span, &[&component, &whole]);
        }
    }
}

impl Checker<'_, '_> {
    /// Whether a name is that of components of a type.
    fn is_part(&self, name: &str, ty: Type) -> bool {
        plain_swizzle(name, self.checking.brookgpu).is_some_and(|n| is_swizzle(&n, ty))
    }
}

/// Components by their names of `xyzw`; BrookGPU calls them `rgba`, too. `None` where they are mixed.
pub(in crate::analyze::brook) fn plain_swizzle(name: &str, colours: bool) -> Option<String> {
    let places = |names: &str| -> Option<String> {
        let place = |c| names.find(c).map(|i| ["x", "y", "z", "w"][i]);
        name.chars().map(place).collect()
    };
    let colours = if colours { places("rgba") } else { None };
    places("xyzw").or(colours)
}

fn is_swizzle(name: &str, ty: Type) -> bool {
    let allowed = "xyzw".get(..usize::from(ty.width)).unwrap_or("");
    (1..=4).contains(&name.len()) && name.chars().all(|c| allowed.contains(c))
}
