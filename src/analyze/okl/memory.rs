use super::atomic;
use super::classes::only_name;
use super::phases::Local;
use super::pointers::{Declared, declared_pointers, pointer_at};
use super::references::has_form_of;
use super::symbols::TypeFacts;
use super::types::type_word;
use super::walk::{ItemVariable, Walk};
use crate::diagnostics::codes;
use crate::grammar::Target;
use crate::module::{
    self, ConstructKind, Lifetime, LoopId, LoopKind, MatrixLayout, Origin, PointerId,
    SharedVariable, Space,
};
use crate::sema::TypeKind;
use crate::source::Span;
use crate::syntax::{
    AttributeUse, Declarator, Field, Kind, NodeId, attributes_of, declarators, is_record,
    type_span, words_of,
};

impl Walk<'_, '_> {
    pub(super) fn declaration(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        let mut leading = attributes_of(tree, node, text);
        let atomic = leading.iter().position(|a| a.name == "atomic");
        let atomic = atomic.map(|index| leading.remove(index));
        let words = type_span(tree, node);
        let type_words = &*words_of(words.of(text));
        let facts = self.unit.facts_of(self.context, node, type_words).cloned();
        let facts = facts.unwrap_or_default();
        let sema = self.context.sema;
        let scalar = self.unit.scalar_of(sema, node);
        let names = declarators(tree, node, text);
        // The variable of a loop is what its body finds out.
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
            self.unit.push(span, ConstructKind::Attribute);
        }

        let only = only_name(tree, node) && !shared && !exclusive;
        let expanded = self.unit.expanded(words.of(text), only);
        let more = usize::from(expanded.is_some());
        if let Some(expanded) = expanded {
            self.unit.push(words, ConstructKind::InC(expanded));
        }
        let of_loops = (shared && self.is_of_loops(node)).then(|| self.plain_type(node, &facts));
        if let Some(None) = of_loops {
            let what = "group memory of this type, which loops declare,";
            self.unit.push(words, ConstructKind::NoC(what));
        }

        let leaf = self.locals_of.get(&node.index()).copied();
        let leaf = leaf.filter(|_| !shared && !exclusive);
        let assignable = leaf.is_some() && self.is_assignable(node, &names);
        let mut pointers = Declared::new();
        let mut kept = Vec::new();
        for (index, name) in names.iter().enumerate() {
            // Attributes before the type belong to every name, but are rewritten once.
            let own = if index == 0 { leading.as_slice() } else { &[] };
            let all: Vec<AttributeUse> = own.iter().chain(&name.attributes).cloned().collect();
            self.attributes(&all, Target::Variable, tree.span(node), name);
            let every: Vec<AttributeUse> =
                leading.iter().chain(&name.attributes).cloned().collect();
            let mut symbol = self.symbol(&every, type_words);
            for size in name.sizes.iter().flatten() {
                self.visit(*size);
            }
            if let Some(value) = name.value {
                self.visit(value);
            }
            symbol.rank = name.sizes.len();
            let refers = name.reference && name.pointers == 0;
            if refers && has_form_of(tree, node, text) {
                if let Some((refers, id)) = self.reference_local(name, words) {
                    symbol.refers = Some(refers);
                    symbol.pointer = id.map(Origin::Pointer);
                }
            } else if shared {
                symbol.shared = self.root.is_some();
                symbol.pointer = Some(Origin::Space(Space::Shared));
            } else if (name.pointers > 0 || more > 0) && !name.function {
                let global = every.iter().any(|a| a.name.starts_with("global"));
                let origins = match name.value {
                    _ if global => vec![Origin::Space(Space::Global)],
                    Some(value) => self.origins_of_parts(value),
                    None => Vec::new(),
                };
                let id = self.unit.pointer(name.span, origins);
                pointers.push((index, id));
                symbol.pointer = Some(Origin::Pointer(id));
            } else if let Some(id) = self.pointer_type(words).filter(|_| !name.function) {
                if let Some(value) = name.value {
                    let origins = self.origins_of_parts(value);
                    self.unit.given(id, origins);
                }
                symbol.pointer = Some(Origin::Pointer(id));
            } else if !name.sizes.is_empty() || self.unit.is_array(type_words) {
                symbol.pointer = Some(Origin::Space(Space::Private));
            } else if let Some(value) = name.value.filter(|_| type_word(type_words) == "auto") {
                // Compilers find out what it points to; what is made of it has to say so.
                let pointer = name.node.and_then(|n| sema.is_pointer(n)) == Some(true);
                let origins = self.origins_of_parts(value);
                symbol.pointer = origins.first().copied().filter(|_| pointer);
            }
            let known = self.unit.host.locals.contains(&tree.span(node));
            symbol.host = self.in_kernel && self.root.is_none() && !known;
            symbol.constant |= known;
            if let Some(value) = name.value.filter(|_| name.pointers == 0) {
                self.initialised(value, words.of(text), name.sizes.len());
            }
            let plain = name.pointers == 0 && name.sizes.is_empty() && !name.reference;
            let id = name.node.and_then(|n| sema.definition(n));
            let constant = id.is_some_and(|id| sema.defined(id).qualified.own.constant);
            if constant
                && plain
                && !exclusive
                && let Some(value) = name.value
                && let Some(scalar) = scalar.filter(|s| !s.is_float())
                && (self.root.is_some() || !self.in_kernel)
            {
                symbol.definition = self.unit.definition(tree.text(value, text), scalar);
            }
            let (dimensions, text) = self.keep_extents(name.name, symbol.dimensions.take());
            symbol.dimensions = dimensions;
            kept.extend(text);
            self.unit.scopes.declare(name.name, symbol);
            // Values of names behind it may read it.
            let local = leaf.map(|leaf| Local {
                leaf,
                declaration: node,
                definition: id,
                name: name.name_span,
                assignable,
                uses: Vec::new(),
            });
            if exclusive && !shared || local.is_some() {
                self.item_variable(name, index, local);
            }
        }
        if shared {
            self.shared(node, &names, (words, of_loops.flatten()), has("shared"));
        } else if exclusive {
            self.exclusive(node, (&names, &pointers), words, has("exclusive"));
        } else if leaf.is_some() {
            self.item_variables(node, (&names, &pointers), words, Lifetime::Block);
        }
        let lifetime = match exclusive {
            true => Lifetime::Group,
            false => Lifetime::Block,
        };
        let declared = (names.as_slice(), pointers.as_slice());
        declared_pointers(self.context, self.unit, node, declared, lifetime);
        if !shared && !exclusive {
            self.group_declaration(node, &names, words, atomic.is_some());
        }
        let end = Span::at(tree.span(node).end);
        for text in kept {
            self.unit.push(end, ConstructKind::Constant(text));
        }
        if let Some(attribute) = atomic
            && self.context.check_attribute(&attribute, Target::Statement)
        {
            atomic::declaration(self.context, self.unit, node, &attribute);
        }
    }

    /// Where the type of a declaration is declared.
    fn type_declared_at(&self, node: NodeId) -> Option<Span> {
        let tree = self.context.tree;
        let named = tree.child(node, Field::Type)?;
        let named = match is_record(tree.kind(named)) {
            true => tree.child(named, Field::Name)?,
            false => named,
        };
        let id = self.context.sema.definition(named)?;
        Some(self.context.sema.declared_at(id))
    }

    /// Whether the type of a declaration is declared within the nest: where group memory is declared ahead of that, its name means
    /// nothing, or something else.
    fn is_of_loops(&self, node: NodeId) -> bool {
        let root = self.root.and_then(|r| self.unit.loops.get(r.0 as usize));
        let at = self.type_declared_at(node);
        root.zip(at)
            .is_some_and(|(root, at)| root.span.contains(at))
    }

    /// Whether the type of a declaration is declared within a kernel.
    fn is_of_kernel(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let kernel = std::iter::successors(Some(node), |&n| tree.parent(n));
        let mut kernel = kernel.filter(|&n| tree.kind(n) == Kind::FunctionDefinition);
        let at = self.type_declared_at(node);
        let around = kernel.next().map(|n| tree.span(n));
        around
            .zip(at)
            .is_some_and(|(around, at)| around.contains(at))
    }

    /// What the type of a declaration stands for, if that is a number, a vector, or an array of those: its words, and the sizes
    /// behind a name.
    fn plain_type(&self, node: NodeId, facts: &TypeFacts) -> Option<(String, String)> {
        let sema = self.context.sema;
        match sema.kind(sema.described(node)) {
            TypeKind::Scalar(scalar) => Some((scalar.c_name().to_string(), String::new())),
            TypeKind::Vector(vector) => Some((vector.to_string(), String::new())),
            TypeKind::Array(_) => {
                let elements = facts.elements.as_ref()?;
                Some((elements.words.clone(), elements.sizes.clone()))
            }
            _ => None,
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

    /// A `@shared` declaration.
    fn shared(
        &mut self,
        node: NodeId,
        names: &[Declarator],
        (words, ahead): (Span, Option<(String, String)>),
        attribute: Option<&AttributeUse>,
    ) {
        let tree = self.context.tree;
        let first = names.first().map_or(words, |n| n.span);
        let Some(nest) = self.memory_place(first, "shared") else {
            return;
        };
        let sema = self.context.sema;
        let mut of_type = 0;
        let mut ty = sema.described(node);
        while let TypeKind::Array(of) = sema.kind(ty) {
            (of_type, ty) = (of_type + 1, of);
        }
        let mut variables = Vec::new();
        for name in names {
            let size = |size: &Option<NodeId>| {
                let node = (*size)?;
                let text = tree.text(node, self.context.text);
                match self.unit.constant(text) {
                    Some(n) => {
                        let n = u64::try_from(n).ok().filter(|n| *n > 0)?;
                        Some((tree.span(node), Some(n)))
                    }
                    None => {
                        let mut parts = tree.descendants(node);
                        let cpp = parts.any(|n| {
                            let kind = tree.kind(n);
                            kind == Kind::CallExpression || kind == Kind::QualifiedIdentifier
                        });
                        cpp.then(|| (tree.span(node), None))
                    }
                }
            };
            let sizes: Option<Vec<(Span, Option<u64>)>> = name.sizes.iter().map(size).collect();
            let Some(sizes) = sizes else {
                self.context
                    .error(&codes::SHARED_SIZE, name.span, &[&name.name]);
                continue;
            };
            if let Some(value) = name.value {
                self.context
                    .error(&codes::SHARED_VALUE, tree.span(value), &[&name.name]);
            }
            variables.push(SharedVariable {
                name: name.name.to_string(),
                name_span: name.name_span,
                stars: Span::new(name.span.start, name.name_span.start),
                sizes,
                layout: MatrixLayout::default(),
                pointers: name.pointers,
                rank: name.sizes.len() + of_type,
                whole: false,
                leaves_rows: false,
                defines_type: self.defines_type(node),
            });
        }
        let pointers = names.iter().any(|n| n.pointers > 0);
        let element = match sema.kind(sema.described(node)) {
            _ if pointers => None,
            TypeKind::Scalar(scalar) => Some(scalar.size() as u64),
            TypeKind::Vector(vector) => Some(vector.size() as u64),
            _ => None,
        };
        let span = tree.span(node);
        let declaration = self.unit.constructs.len();
        for (which, variable) in variables.iter().enumerate() {
            if let Some(symbol) = self.unit.scopes.get_mut(&variable.name)
                && variable.rank > 1
            {
                symbol.shared_at = Some((declaration, which));
            }
        }
        self.unit.push(
            span,
            ConstructKind::Shared {
                attribute: attribute.map_or(Span::at(span.start), |a| a.span),
                words,
                variables,
                element,
                of_kernel: self.is_of_kernel(node),
                ahead,
                nest,
            },
        );
    }

    fn exclusive(
        &mut self,
        node: NodeId,
        (names, pointers): (&[Declarator], &[(usize, PointerId)]),
        words: Span,
        attribute: Option<&AttributeUse>,
    ) {
        let at = attribute.map_or(words, |a| a.span);
        if let Some(attribute) = attribute {
            self.unit.push(attribute.span, ConstructKind::Attribute);
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
        self.item_variables(node, (names, pointers), words, Lifetime::Group);
    }

    /// Notes that every item has its own value of a variable.
    fn item_variable(&mut self, name: &Declarator, which: usize, local: Option<Local>) {
        let Some(nest) = self.root else { return };
        self.unit.scopes.mark(name.name, self.item_variables.len());
        self.item_variables.push(ItemVariable {
            rank: name.sizes.len(),
            declaration: (None, which),
            uses: Vec::new(),
            by_item: false,
            nest,
            local,
        });
    }

    /// Records a declaration of variables that every item has its own value of.
    fn item_variables(
        &mut self,
        node: NodeId,
        (names, pointers): (&[Declarator], &[(usize, PointerId)]),
        words: Span,
        lifetime: Lifetime,
    ) {
        let tree = self.context.tree;
        let Some(nest) = self.root else { return };
        let construct = self.unit.constructs.len();
        let mut variables = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let sizes = name.sizes.iter().flatten().map(|&s| tree.span(s));
            variables.push(module::ItemVariable {
                name: name.name.to_string(),
                name_span: name.name_span,
                stars: Span::new(name.span.start, name.name_span.start),
                pointers: name.pointers,
                sizes: sizes.collect(),
                value: name.value.map(|v| tree.span(v)),
                by_item: false,
                pointer: pointer_at(pointers, index),
            });
            let symbol = self.unit.scopes.get(name.name);
            if let Some(index) = symbol.and_then(|s| s.item_variable)
                && let Some(variable) = self.item_variables.get_mut(index)
            {
                variable.declaration.0 = Some(construct);
            }
        }
        self.unit.push(
            tree.span(node),
            ConstructKind::ItemVariables {
                variables,
                words,
                nest,
                lifetime,
            },
        );
    }

    pub(super) fn identifier(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let name = tree.text(node, self.context.text);
        let Some(symbol) = self.unit.scopes.get(name) else {
            return;
        };
        if symbol.shared
            && let Some(root) = self.root
            && !self.inside_inner()
        {
            self.found.read_outside.push(root);
        }
        if let Some(variable) = symbol.shared_at {
            self.shared_use(node, variable);
        }
        let Some(index) = self.unit.scopes.get(name).and_then(|s| s.item_variable) else {
            return;
        };
        let rank = self.item_variables.get(index).map_or(0, |v| v.rank);
        let is_pointed_to = rank > 0 && self.is_pointed_to(node);
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
        if subscripts < variable.rank || variable.rank > 0 && is_pointed_to {
            variable.by_item = true;
        }
        variable.uses.push(self.unit.constructs.len());
        let (nest, is_local) = (variable.nest, variable.local.is_some());
        self.unit.push(
            tree.span(node),
            ConstructKind::ItemVariableUse {
                end,
                by_item: false,
                nest,
                lifetime: match is_local {
                    true => Lifetime::Block,
                    false => Lifetime::Group,
                },
            },
        );
        if is_local {
            return;
        }
        let inner = self
            .current
            .filter(|id| self.unit.loops[id.0 as usize].kind != LoopKind::Outer);
        match inner {
            Some(id) => {
                let this = &mut self.unit.loops[id.0 as usize];
                this.uses_item_variables = true;
                // The second half of a tile belongs to the item that runs through it.
                let item = this.parent.filter(|_| this.kind == LoopKind::Sequential);
                if let Some(item) = item {
                    self.unit.loops[item.0 as usize].uses_item_variables = true;
                }
            }
            None => self.outside_uses += 1,
        }
    }

    /// Whether something may point to an element of the array that a name is, and go on from there to the next.
    fn is_pointed_to(&self, name: NodeId) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let mut at = name;
        while let Some(around) = tree.parent(at) {
            match tree.kind(around) {
                Kind::ParenthesizedExpression => {}
                Kind::SubscriptExpression if tree.field(at) == Field::Argument => {}
                Kind::ConditionalExpression if tree.field(at) != Field::Condition => {}
                Kind::PointerExpression => return tree.text(around, text).starts_with('&'),
                Kind::InitDeclarator => {
                    let declarator = tree.child(around, Field::Declarator);
                    return declarator.is_some_and(|d| tree.kind(d) == Kind::ReferenceDeclarator);
                }
                Kind::ArgumentList => {
                    let call = tree.parent(around);
                    return call
                        .is_some_and(|call| self.unit.references.binds(tree, call, text, at));
                }
                _ => return false,
            }
            at = around;
        }
        false
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
        let span = tree.span(node);
        let declared = self.context.sema.definition(target);
        match declared.filter(|_| symbol.is_some_and(|s| s.host)) {
            Some(id) => {
                let note = ("it is declared here", self.context.sema.name_span(id));
                self.context.error_with(code, span, &[&name], note);
            }
            None => self.context.error(code, span, &[&name]),
        }
    }
}
