use super::Checker;
use super::types::{Ty, loses, same_but_for_sign};
use super::values::{Place, Value};
use crate::diagnostics::codes;
use crate::module::{Base, Type};
use crate::syntax::{Kind, NodeId};

impl Checker<'_, '_> {
    /// The value of a variable that is declared.
    pub(super) fn initializer(&mut self, value: NodeId, wanted: Ty) {
        if self.kind(value) == Kind::InitializerList {
            self.list(value, wanted);
            return;
        }
        let found = self.expression(value);
        let span = self.span(value);
        if found.array.is_some() {
            self.report(&codes::BROOK_ARRAY_RIGHT, span, &[]);
            return;
        }
        let plain = |this: &mut Self| {
            this.following(found.guessed, |this| {
                this.convert(Place::Initialization, value, found.ty, wanted);
            });
        };
        let (Ty::Number(from), Ty::Number(to)) = (found.ty, wanted) else {
            plain(self);
            return;
        };
        if !self.is_number(value) || from == to {
            plain(self);
            return;
        }
        // A lone number has messages of its own.
        self.converts(value, found.ty, to);
        if to.is_vector() {
            self.report(&codes::BROOK_INITIALIZER_LIST, span, &[]);
        } else if !self.checking.relaxed && to.base != Base::Bool {
            let code = &codes::BROOK_CONSTANT_MISMATCH;
            self.report(code, span, &[&from, &to]);
        } else if loses(from.base, to.base) {
            let code = &codes::BROOK_CONSTANT_CONVERTED;
            self.report(code, span, &[&from, &to]);
        }
    }

    /// `{1.0f, 2.0f}`
    fn list(&mut self, list: NodeId, wanted: Ty) {
        let values: Vec<NodeId> = self.context.tree.children(list).collect();
        let mut types = Vec::new();
        for &value in &values {
            types.push(self.expression(value));
        }
        let span = self.span(list);
        let Some(ty) = wanted.arithmetic() else {
            self.report(&codes::BROOK_INITIALIZER_LIST, span, &[]);
            return;
        };
        let width = usize::from(ty.width);
        if values.is_empty() {
            self.refuse(&codes::BROOK_INITIALIZER_EMPTY, span, &[]);
        } else if values.len() < width {
            self.report(&codes::BROOK_INITIALIZERS_FEW, span, &[]);
        } else if values.len() > width {
            self.report(&codes::BROOK_INITIALIZERS_MANY, span, &[]);
        }
        for (index, (&value, found)) in values.iter().zip(types).enumerate() {
            self.element(index, value, &found, ty);
        }
    }

    /// One component of a constructor or a list.
    pub(super) fn element(&mut self, index: usize, node: NodeId, found: &Value, whole: Type) {
        self.following(found.guessed, |this| {
            this.component(index, node, found.ty, whole);
        });
    }

    fn component(&mut self, index: usize, node: NodeId, found: Ty, whole: Type) {
        let wanted = Type::scalar(whole.base);
        let span = self.span(node);
        let Some(from) = found.arithmetic() else {
            let shown = self.show(found);
            let code = &codes::BROOK_ELEMENT_MISMATCH;
            self.refuse(code, span, &[&index, &shown, &wanted]);
            return;
        };
        self.converts(node, found, wanted);
        if from.base == wanted.base || wanted.base == Base::Bool {
            return;
        }
        if !self.checking.relaxed {
            let code = &codes::BROOK_ELEMENT_MISMATCH;
            self.report(code, span, &[&index, &from, &wanted]);
        } else if loses(from.base, wanted.base) {
            let code = &codes::BROOK_ELEMENT_CONVERTED;
            self.report(code, span, &[&index, &from, &wanted]);
        }
    }

    /// A value that is to have another type: under strong type checking it has to have it.
    pub(super) fn convert(&mut self, place: Place, node: NodeId, found: Ty, wanted: Ty) {
        let span = self.span(node);
        let (Some(from), Some(to)) = (found.arithmetic(), wanted.arithmetic()) else {
            if found != wanted {
                let (from, to) = (self.show(found), self.show(wanted));
                self.refuse_in(place.group(), &codes::BROOK_MISMATCH, span, &[&from, &to]);
            }
            return;
        };
        if from == to {
            return;
        }
        self.converts(node, found, to);
        let assigns = place == Place::Assignment;
        let truth =
            from.width == 1 && to.width == 1 && (to.base == Base::Bool || from.base == Base::Bool);
        if truth || (!self.checking.relaxed && assigns && same_but_for_sign(from, to)) {
            return;
        }
        if !self.checking.relaxed {
            self.report_in(place.group(), &codes::BROOK_MISMATCH, span, &[&from, &to]);
            return;
        }
        let code = match (loses(from.base, to.base), from.width.cmp(&to.width)) {
            (true, std::cmp::Ordering::Less) => &codes::BROOK_CONVERTED_DATA_AND_SHORT,
            (true, std::cmp::Ordering::Greater) => &codes::BROOK_CONVERTED_DATA_AND_LONG,
            (true, std::cmp::Ordering::Equal) => &codes::BROOK_CONVERTED_DATA,
            (false, std::cmp::Ordering::Less) => &codes::BROOK_CONVERTED_SHORT,
            (false, std::cmp::Ordering::Greater) => &codes::BROOK_CONVERTED_LONG,
            (false, std::cmp::Ordering::Equal) => return,
        };
        self.report_in(place.group(), code, span, &[&from, &to]);
    }
}
