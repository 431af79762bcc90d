use super::atomic;
use super::symbols::Space;
use super::walk::{Exclusive, Walk};
use crate::diagnostics::codes;
use crate::module::{LoopId, LoopKind, What};
use crate::normalize::attributes::Target;
use crate::source::Span;
use crate::syntax::{
    AttributeUse, Declarator, Field, Kind, NodeId, attributes_of, declarators, type_span,
};

impl Walk<'_, '_> {
    pub(super) fn declaration(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        let mut leading = attributes_of(tree, node, text);
        let atomic = leading.iter().position(|a| a.name == "atomic");
        let atomic = atomic.map(|index| leading.remove(index));
        let words = type_span(tree, node);
        self.unit.check_type(self.context, words);
        let type_name = words
            .of(text)
            .split_ascii_whitespace()
            .last()
            .unwrap_or("")
            .to_string();
        let facts = self.unit.types.get(&type_name).cloned().unwrap_or_default();
        let names = declarators(tree, node, text);
        let has = |which: &str| leading.iter().find(|a| a.name == which);
        let shared = has("shared").is_some() || facts.shared;
        let exclusive = has("exclusive").is_some() || facts.exclusive;

        for (index, name) in names.iter().enumerate() {
            // Attributes before the type belong to every name, but are rewritten once.
            let own = if index == 0 { leading.as_slice() } else { &[] };
            let all: Vec<AttributeUse> = own.iter().chain(&name.attributes).cloned().collect();
            self.attributes(&all, Target::Variable, tree.span(node), name);
            let every: Vec<AttributeUse> =
                leading.iter().chain(&name.attributes).cloned().collect();
            let mut symbol = self.symbol(&every, words.of(text));
            for size in name.sizes.iter().flatten() {
                self.visit(*size);
            }
            if let Some(value) = name.value {
                self.visit(value);
            }
            if shared {
                symbol.shared = self.shared(node, name, has("shared"));
                symbol.pointer = Some(Space::Shared);
            } else if exclusive {
                symbol.exclusive = self.exclusive(node, name, words, has("exclusive"));
                symbol.pointer = (!name.sizes.is_empty()).then_some(Space::Private);
            } else if name.pointers > 0 {
                symbol.pointer = name.value.and_then(|v| self.space_of(v));
                if let Some(space @ (Space::Global | Space::Shared)) = symbol.pointer
                    && index == 0
                {
                    let shared = space == Space::Shared;
                    self.unit.push(
                        name.span,
                        What::Pointer {
                            at: words.start,
                            global: !shared,
                            shared,
                            private: false,
                        },
                    );
                }
            } else if !name.sizes.is_empty() {
                symbol.pointer = Some(Space::Private);
            }
            symbol.host = self.in_kernel && self.root.is_none();
            self.unit.scopes.declare(&name.name, symbol);
        }
        if exclusive && let Some(attribute) = has("exclusive") {
            self.unit.push(attribute.span, What::Attribute);
        }
        if let Some(attribute) = atomic
            && self.context.check_attribute(&attribute, Target::Statement)
        {
            atomic::declaration(self.context, self.unit, node, &attribute);
        }
    }

    /// The memory that a pointer expression points into: that of the first name in it that is a
    /// pointer.
    fn space_of(&self, value: NodeId) -> Option<Space> {
        let tree = self.context.tree;
        let names = tree
            .descendants(value)
            .filter(|&n| tree.kind(n) == Kind::Identifier);
        names
            .filter_map(|n| self.unit.scopes.get(tree.text(n, self.context.text)))
            .find_map(|s| s.pointer)
    }

    /// Whether a `@shared` or `@exclusive` variable may be declared here; the nest's root if so.
    fn memory_place(&mut self, span: Span, which: &str) -> Option<LoopId> {
        let kinds = |id: LoopId| self.unit.loops[id.0 as usize].kind;
        let mut at = self.current;
        while let Some(id) = at {
            match kinds(id) {
                LoopKind::Inner => {
                    self.context.error(&codes::MEMORY_IN_INNER, span, &[&which]);
                    return None;
                }
                LoopKind::Outer => break,
                LoopKind::Sequential => at = self.unit.loops[id.0 as usize].parent,
            }
        }
        if at.is_none() && self.unread > 0 {
            return None;
        }
        if at.is_none() {
            self.context.error(&codes::MEMORY_PLACE, span, &[&which]);
            return None;
        }
        if let Some(root) = self.root {
            self.found.with_memory.push(root);
        }
        self.root
    }

    fn shared(
        &mut self,
        node: NodeId,
        name: &Declarator,
        attribute: Option<&AttributeUse>,
    ) -> bool {
        let span = self.context.tree.span(node);
        let Some(nest) = self.memory_place(name.span, "shared") else {
            return false;
        };
        let constant = |size: &Option<NodeId>| {
            let text = size.map(|s| self.context.tree.text(s, self.context.text));
            text.and_then(|t| self.unit.constant(t))
                .is_some_and(|n| n > 0)
        };
        let all = name.sizes.iter().all(constant);
        if !all {
            self.context
                .error(&codes::SHARED_SIZE, name.span, &[&name.name]);
        }
        let attribute = attribute.map_or(Span::at(span.start), |a| a.span);
        // One construct a declaration, however many names it has.
        let already = self
            .unit
            .constructs
            .iter()
            .rev()
            .take(8)
            .any(|c| c.span == span);
        if !already {
            self.unit.push(span, What::Shared { attribute, nest });
        }
        true
    }

    fn exclusive(
        &mut self,
        node: NodeId,
        name: &Declarator,
        words: Span,
        attribute: Option<&AttributeUse>,
    ) -> Option<usize> {
        let tree = self.context.tree;
        let at = attribute.map_or(name.span, |a| a.span);
        let nest = self.memory_place(at, "exclusive")?;
        self.found.with_exclusive.push(nest);
        let index = self.exclusives.len();
        let brackets = match (name.brackets.first(), name.brackets.last()) {
            (Some(first), Some(last)) => Span::new(first.start, last.end),
            _ => Span::at(name.name_span.end),
        };
        let value = name.value.map(|v| (tree.span(v), name.span.end));
        self.exclusives.push(Exclusive {
            rank: name.sizes.len(),
            constructs: vec![self.unit.constructs.len()],
            by_item: false,
        });
        self.unit.push(
            name.span,
            What::Exclusive {
                name: name.name.clone(),
                name_span: name.name_span,
                brackets,
                value,
                type_name: words.of(self.context.text).to_string(),
                rank: name.sizes.len(),
                nest,
                end: tree.span(node).end,
                by_item: false,
            },
        );
        Some(index)
    }

    pub(super) fn identifier(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let name = tree.text(node, self.context.text);
        let Some(index) = self.unit.scopes.get(name).and_then(|s| s.exclusive) else {
            return;
        };
        let Some(variable) = self.exclusives.get_mut(index) else {
            return;
        };
        let mut end = tree.span(node).end;
        let mut at = node;
        let mut subscripts = 0;
        while subscripts < variable.rank
            && let Some(parent) = tree.parent(at)
            && tree.kind(parent) == Kind::SubscriptExpression
            && tree.child(parent, Field::Argument) == Some(at)
        {
            subscripts += 1;
            end = tree.span(parent).end;
            at = parent;
        }
        if subscripts < variable.rank {
            variable.by_item = true;
        }
        variable.constructs.push(self.unit.constructs.len());
        self.unit.push(
            tree.span(node),
            What::ExclusiveUse {
                end,
                by_item: false,
            },
        );
    }

    /// Reports an assignment inside a nest to what belongs to the host, or to a loop's own variable.
    pub(super) fn assigned(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let target = tree
            .child(node, Field::Left)
            .or_else(|| tree.child(node, Field::Argument));
        let target = target.map(|t| tree.unparenthesized(t));
        let Some(target) = target.filter(|&t| tree.kind(t) == Kind::Identifier) else {
            return;
        };
        if self.root.is_none() {
            return;
        }
        let name = tree.text(target, self.context.text);
        let symbol = self.unit.scopes.get(name);
        let code = match symbol {
            Some(symbol) if symbol.host => &codes::HOST_VARIABLE_WRITTEN,
            Some(symbol) if symbol.loop_variable.is_some() => &codes::LOOP_VARIABLE_WRITTEN,
            _ => return,
        };
        self.context.error(code, tree.span(node), &[&name]);
    }

    /// Notes what memory a function is given pointers to.
    pub(super) fn passed_pointers(&mut self, call: NodeId) {
        let tree = self.context.tree;
        let function = tree.child(call, Field::Function);
        let Some(function) = function.filter(|&f| tree.kind(f) == Kind::Identifier) else {
            return;
        };
        let name = tree.text(function, self.context.text).to_string();
        let list = tree.child(call, Field::Arguments);
        let arguments = list.into_iter().flat_map(|l| tree.children(l));
        for (position, argument) in arguments.enumerate() {
            if let Some(space) = self.space_of(argument) {
                self.unit
                    .passed
                    .push((name.clone(), position, space, tree.span(argument)));
            }
        }
    }

    /// `m(i, j)` on a variable or field with dimensions.
    pub(super) fn dimension_access(&mut self, call: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        let Some(function) = tree.child(call, Field::Function) else {
            return;
        };
        let dimensions = match tree.kind(function) {
            Kind::Identifier => {
                let symbol = self.unit.scopes.get(tree.text(function, text));
                symbol.and_then(|s| s.dimensions.clone())
            }
            Kind::FieldExpression => tree
                .child(function, Field::FieldName)
                .and_then(|f| self.unit.fields.get(tree.text(f, text)).cloned()),
            _ => None,
        };
        let Some(dimensions) = dimensions else { return };
        if let Some(hidden) = self.unit.scopes.hidden_extent(tree.text(function, text)) {
            self.context
                .error(&codes::DIM_HIDDEN, tree.span(call), &[&hidden]);
        }
        let Some(list) = tree.child(call, Field::Arguments) else {
            return;
        };
        let indices: Vec<Span> = tree.children(list).map(|a| tree.span(a)).collect();
        let (wanted, given) = (dimensions.extents.len(), indices.len());
        if wanted != given {
            let which = if given < wanted {
                "Missing"
            } else {
                "Too many"
            };
            self.context
                .error(&codes::DIM_COUNT, tree.span(call), &[&which, &wanted]);
            return;
        }
        let base = tree.span(function);
        self.unit.push(
            tree.span(call),
            What::Dim {
                base,
                indices,
                dimensions,
            },
        );
    }
}
