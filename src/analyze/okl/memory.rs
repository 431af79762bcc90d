use super::atomic;
use super::walk::{ItemVariable, Walk};
use crate::diagnostics::codes;
use crate::module::{self, LoopId, LoopKind, Origin, Space, What};
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
        let type_name = words
            .of(text)
            .split_ascii_whitespace()
            .last()
            .unwrap_or("")
            .to_string();
        let facts = self.unit.types.get(&type_name).cloned().unwrap_or_default();
        let names = declarators(tree, node, text);
        let has = |which: &str| leading.iter().find(|a| a.name == which);
        // Behind the name an attribute means the same as before the type.
        let behind = |which: &str| {
            let all = names.iter().flat_map(|n| &n.attributes);
            all.filter(|a| a.name == which)
                .map(|a| a.span)
                .collect::<Vec<Span>>()
        };
        let (shared_behind, exclusive_behind) = (behind("shared"), behind("exclusive"));
        let shared = has("shared").is_some() || facts.shared || !shared_behind.is_empty();
        let exclusive =
            has("exclusive").is_some() || facts.exclusive || !exclusive_behind.is_empty();
        for span in shared_behind.into_iter().chain(exclusive_behind) {
            self.unit.push(span, What::Attribute);
        }

        let mut declared = None;
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
            symbol.rank = name.sizes.len();
            if shared {
                symbol.shared = self.shared(node, name, has("shared"));
                symbol.pointer = Some(Origin::Space(Space::Shared));
            } else if name.pointers > 0 && !name.function {
                let global = every.iter().any(|a| a.name.starts_with("global"));
                let mut origins = match name.value {
                    _ if global => vec![Origin::Space(Space::Global)],
                    Some(value) => self.origins(value),
                    None => Vec::new(),
                };
                if let Some(value) = name
                    .value
                    .filter(|&v| tree.kind(v) == Kind::InitializerList)
                {
                    for part in tree.children(value) {
                        origins.extend(self.origins(part));
                    }
                }
                // The space belongs to the type, which all names of a declaration share.
                let id = match declared {
                    Some(id) => {
                        self.unit.given(id, origins);
                        id
                    }
                    None => self.pointer(name.span, words.start, origins),
                };
                declared = Some(id);
                symbol.pointer = Some(Origin::Pointer(id));
            } else if !name.sizes.is_empty() {
                symbol.pointer = Some(Origin::Space(Space::Private));
            }
            symbol.host = self.in_kernel && self.root.is_none();
            self.unit.scopes.declare(&name.name, symbol);
        }
        if exclusive {
            self.exclusive(node, &names, words, has("exclusive"));
        } else if let Some(&loop_) = self.carried.get(&node.index()) {
            self.item_variables(node, &names, words, Some(loop_));
        }
        if let Some(attribute) = atomic
            && self.context.check_attribute(&attribute, Target::Statement)
        {
            atomic::declaration(self.context, self.unit, node, &attribute);
        }
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
        if let Some(value) = name.value {
            let span = self.context.tree.span(value);
            self.context
                .error(&codes::SHARED_VALUE, span, &[&name.name]);
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
        names: &[Declarator],
        words: Span,
        attribute: Option<&AttributeUse>,
    ) {
        let at = attribute.map_or(words, |a| a.span);
        if let Some(attribute) = attribute {
            self.unit.push(attribute.span, What::Attribute);
        }
        let Some(nest) = self.memory_place(at, "exclusive") else {
            return;
        };
        self.found.with_exclusive.push(nest);
        if let Some(unsized_) = names.iter().find(|n| n.sizes.iter().any(Option::is_none)) {
            self.context
                .error(&codes::EXCLUSIVE_SIZE, unsized_.span, &[&unsized_.name]);
            return;
        }
        self.item_variables(node, names, words, None);
    }

    /// Records a declaration of variables that every item has its own value of.
    fn item_variables(
        &mut self,
        node: NodeId,
        names: &[Declarator],
        words: Span,
        local_to: Option<LoopId>,
    ) {
        let tree = self.context.tree;
        let Some(nest) = self.root else { return };
        let construct = self.unit.constructs.len();
        let mut variables = Vec::new();
        for (which, name) in names.iter().enumerate() {
            let sizes = name.sizes.iter().flatten().map(|&s| tree.span(s));
            variables.push(module::ItemVariable {
                name: name.name.clone(),
                name_span: name.name_span,
                sizes: sizes.collect(),
                value: name.value.map(|v| tree.span(v)),
                by_item: false,
            });
            self.unit.scopes.mark(&name.name, self.item_variables.len());
            self.item_variables.push(ItemVariable {
                rank: name.sizes.len(),
                declaration: (construct, which),
                uses: Vec::new(),
                by_item: false,
                nest,
                local_to,
            });
        }
        self.unit.push(
            tree.span(node),
            What::ItemVariables {
                variables,
                words,
                nest,
                local_to,
            },
        );
    }

    pub(super) fn identifier(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let name = tree.text(node, self.context.text);
        let Some(symbol) = self.unit.scopes.get(name) else {
            return;
        };
        let Some(index) = symbol.item_variable else {
            return;
        };
        let Some(variable) = self.item_variables.get_mut(index) else {
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
        variable.uses.push(self.unit.constructs.len());
        let (nest, local_to) = (variable.nest, variable.local_to);
        self.unit.push(
            tree.span(node),
            What::ItemVariableUse {
                end,
                by_item: false,
                nest,
                local_to,
            },
        );
        let inner = self
            .current
            .filter(|id| self.unit.loops[id.0 as usize].kind != LoopKind::Outer);
        match inner {
            Some(id) => self.unit.loops[id.0 as usize].uses_item_variables = true,
            None => self.outside_uses += 1,
        }
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
