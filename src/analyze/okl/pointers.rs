//! Where the values of pointers come from: the facts from which targets with address spaces infer
//! what each pointer points to.

use super::c_edits::named_cast_of;
use super::c_tags;
use super::symbols::{Refers, Symbol};
use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::lex::lex;
use crate::module::{
    ConstructKind, DeclaredPointer, Lifetime, Origin, Pointer, PointerCall, PointerId, Space,
    TypeAgain,
};
use crate::source::Span;
use crate::syntax::{
    Declarator, Field, Kind, NodeId, Tree, declarators, specifiers, type_span, type_words,
    type_words_without, words_of,
};

impl Walk<'_, '_> {
    /// Adds a pointer whose type begins at `at`.
    pub(super) fn pointer(&mut self, span: Span, at: u32, origins: Vec<Origin>) -> PointerId {
        let id = self.unit.pointer(span, origins);
        self.unit
            .push(span, ConstructKind::Pointer { at, pointer: id });
        id
    }

    /// Where the value of an expression comes from, if it is a pointer.
    pub(super) fn origins(&self, node: NodeId) -> Vec<Origin> {
        let tree = self.context.tree;
        let node = tree.unparenthesized(node);
        match tree.kind(node) {
            Kind::Identifier => {
                let symbol = self.unit.scopes.get(tree.text(node, self.context.text));
                symbol.and_then(|s| s.pointer).into_iter().collect()
            }
            Kind::CastExpression => match tree.child(node, Field::Value) {
                Some(value) => self.origins(value),
                None => Vec::new(),
            },
            Kind::PointerExpression => {
                let operator = tree.child(node, Field::Operator);
                let takes = operator.is_some_and(|o| tree.text(o, self.context.text) == "&");
                match tree.child(node, Field::Argument) {
                    Some(argument) if takes => self.place(argument),
                    _ => Vec::new(),
                }
            }
            Kind::ConditionalExpression => {
                let mut all = Vec::new();
                for field in [Field::Consequence, Field::Alternative] {
                    if let Some(part) = tree.child(node, field) {
                        all.extend(self.origins(part));
                    }
                }
                all
            }
            Kind::BinaryExpression => {
                let operator = tree.child(node, Field::Operator);
                let operator = operator.map_or("", |o| tree.text(o, self.context.text));
                if !matches!(operator, "+" | "-") {
                    return Vec::new();
                }
                let mut all = Vec::new();
                for field in [Field::Left, Field::Right] {
                    if let Some(part) = tree.child(node, field) {
                        all.extend(self.pointer_operand(part));
                    }
                }
                all
            }
            Kind::CommaExpression => match tree.children(node).last() {
                Some(last) => self.origins(last),
                None => Vec::new(),
            },
            Kind::AssignmentExpression => match tree.child(node, Field::Right) {
                Some(right) => self.origins(right),
                None => Vec::new(),
            },
            // A row of an array of arrays. An element that is a number is no pointer, and nothing asks
            // for its origin.
            Kind::SubscriptExpression => self.place(node),
            Kind::FieldExpression => match self.unit.pointer_fields.named(self.context, node) {
                Some((id, _)) => vec![Origin::Pointer(*id)],
                None => self.place(node),
            },
            Kind::StringLiteral | Kind::RawStringLiteral | Kind::ConcatenatedString => {
                vec![Origin::Space(Space::Constant)]
            }
            Kind::CallExpression => match self.calls.get(&node.index()) {
                Some(call) => vec![Origin::Result(*call)],
                None => match named_cast_of(tree, node, self.context.text) {
                    Some((_, value)) => self.origins(value),
                    None => Vec::new(),
                },
            },
            _ => Vec::new(),
        }
    }

    /// An operand of `+` or `-`, unless it is an element: `a[i] + b[j]` adds numbers.
    fn pointer_operand(&self, node: NodeId) -> Vec<Origin> {
        let tree = self.context.tree;
        match tree.kind(tree.unparenthesized(node)) {
            Kind::SubscriptExpression
                if !self.is_row(node) && self.assigned_pointer(node).is_none() =>
            {
                Vec::new()
            }
            _ => self.origins(node),
        }
    }

    /// A subscript with fewer indices than its array has dimensions.
    fn is_row(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = tree.unparenthesized(node);
        let mut indices = 0;
        while tree.kind(at) == Kind::SubscriptExpression {
            indices += 1;
            match tree.child(at, Field::Argument) {
                Some(inner) => at = tree.unparenthesized(inner),
                None => return false,
            }
        }
        let symbol = self.unit.scopes.get(tree.text(at, self.context.text));
        symbol.is_some_and(|s| s.rank > indices)
    }

    /// Where the memory lies that an expression names.
    pub(super) fn place(&self, node: NodeId) -> Vec<Origin> {
        let tree = self.context.tree;
        let node = tree.unparenthesized(node);
        match tree.kind(node) {
            Kind::Identifier => {
                let name = tree.text(node, self.context.text);
                match self.unit.scopes.get(name) {
                    Some(symbol) if symbol.shared => vec![Origin::Space(Space::Shared)],
                    Some(Symbol {
                        refers: Some(Refers::Pointer(origin)),
                        ..
                    }) => vec![*origin],
                    // The address of a pointer leads, in the end, to what the pointer points to.
                    Some(symbol) if symbol.pointer.is_some() => {
                        symbol.pointer.into_iter().collect()
                    }
                    Some(symbol) if symbol.constant => vec![Origin::Space(Space::Constant)],
                    _ => vec![Origin::Space(Space::Private)],
                }
            }
            Kind::SubscriptExpression => match tree.child(node, Field::Argument) {
                Some(argument) => self.origins(argument),
                None => Vec::new(),
            },
            Kind::FieldExpression => {
                let operator = tree.child(node, Field::Operator);
                let arrow = operator.is_some_and(|o| tree.text(o, self.context.text) == "->");
                match tree.child(node, Field::Argument) {
                    Some(argument) if arrow => self.origins(argument),
                    Some(argument) => self.place(argument),
                    None => Vec::new(),
                }
            }
            Kind::PointerExpression => match tree.child(node, Field::Argument) {
                Some(argument) => self.origins(argument),
                None => Vec::new(),
            },
            // `m(i, j)` with dimensions.
            Kind::CallExpression => match tree.child(node, Field::Function) {
                Some(function) => self.origins(function),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// `p = value` for a pointer or a field that is one.
    pub(super) fn pointer_assigned(&mut self, node: NodeId) {
        let tree = self.context.tree;
        if tree.kind(node) != Kind::AssignmentExpression {
            return;
        }
        let (Some(left), Some(right)) = (
            tree.child(node, Field::Left),
            tree.child(node, Field::Right),
        ) else {
            return;
        };
        let operator = tree.child(node, Field::Operator);
        if operator.is_none_or(|o| tree.text(o, self.context.text) != "=") {
            return;
        }
        if let Some(target) = self.assigned_pointer(left) {
            let origins = self.origins(right);
            self.unit.given(target, origins);
        }
    }

    /// The pointer that an assignment to a place changes: a variable, a field, or an element of an array
    /// of pointers.
    fn assigned_pointer(&self, place: NodeId) -> Option<PointerId> {
        let tree = self.context.tree;
        let mut at = tree.unparenthesized(place);
        let mut through = 0;
        let id = loop {
            let words = tree.text(at, self.context.text);
            match tree.kind(at) {
                Kind::Identifier => {
                    let symbol = self.unit.scopes.get(words)?;
                    match symbol.pointer? {
                        Origin::Pointer(id) => break id,
                        _ => return None,
                    }
                }
                Kind::FieldExpression => {
                    break self.unit.pointer_fields.named(self.context, at)?.0;
                }
                Kind::SubscriptExpression => {}
                Kind::PointerExpression if words.starts_with('*') => {}
                _ => return None,
            }
            through += 1;
            at = tree.unparenthesized(tree.child(at, Field::Argument)?);
        };
        let sema = self.context.sema;
        (through == 0 || sema.is_pointer(place) == Some(true)).then_some(id)
    }

    /// `(T *)value`: the type in the cast needs the space of what it casts.
    pub(super) fn pointer_cast(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let parts = match tree.kind(node) {
            Kind::CallExpression => named_cast_of(tree, node, self.context.text),
            _ => tree
                .child(node, Field::Type)
                .zip(tree.child(node, Field::Value)),
        };
        let Some((ty, value)) = parts else {
            return;
        };
        let span = tree.span(ty);
        if names_pointer(tree, ty) {
            let origins = self.origins(value);
            self.pointer(span, span.start, origins);
            return;
        }
        // The name of a pointer type stands for one kind of memory, and what is cast may be of another.
        let words = tree.text(ty, self.context.text);
        let named = self.unit.facts_of(self.context, ty, words);
        let Some(named) = named.and_then(|facts| facts.pointer) else {
            return;
        };
        let origins = self.origins(value);
        if origins.is_empty() {
            return;
        }
        match self.unit.expanded(words, true) {
            Some(expanded) => {
                self.unit.push(span, ConstructKind::InC(expanded));
                self.pointer(span, span.start, origins);
            }
            None => self.unit.given(named, origins),
        }
    }

    /// Notes a call and what pointers it is given.
    pub(super) fn passed_pointers(&mut self, call: NodeId) {
        let tree = self.context.tree;
        let function = tree.child(call, Field::Function);
        let Some(function) = function.filter(|&f| tree.kind(f) == Kind::Identifier) else {
            return;
        };
        let name = tree.text(function, self.context.text).to_string();
        let list = tree.child(call, Field::Arguments);
        let list: Vec<NodeId> = list.into_iter().flat_map(|l| tree.children(l)).collect();
        let mut arguments = self.bind_references(call);
        for (position, argument) in list.into_iter().enumerate() {
            if arguments.iter().any(|(bound, _)| *bound == position) {
                continue;
            }
            let origins = self.origins(argument);
            if !origins.is_empty() {
                if let Some(named) = self.named_pointer_of(call, position) {
                    self.unit.given(named, origins.clone());
                }
                arguments.push((position, origins));
            } else if let Some(ty) = self.null_of(call, position, argument) {
                let function = name.clone();
                let null = ConstructKind::NullPointer { function, ty };
                self.unit.push(tree.span(argument), null);
            }
        }
        self.calls.insert(call.index(), self.unit.calls.len());
        self.unit.calls.push(PointerCall {
            function: name,
            caller: self.function,
            arguments,
        });
    }
}

impl Walk<'_, '_> {
    /// The pointer that names the type of a call's parameter, if it is the name that says which memory it points to.
    fn named_pointer_of(&self, call: NodeId, position: usize) -> Option<PointerId> {
        let (tree, text, sema) = (self.context.tree, self.context.text, self.context.sema);
        let parameter = sema.parameters_for(call, position).into_iter().next()?;
        let words = type_words(tree, parameter, text);
        let facts = self.unit.facts_of(self.context, parameter, &words)?;
        facts.pointer.filter(|_| facts.expanded.is_none())
    }

    /// The type of the parameter that a call gives a null pointer.
    fn null_of(&self, call: NodeId, position: usize, argument: NodeId) -> Option<String> {
        let (tree, text, sema) = (self.context.tree, self.context.text, self.context.sema);
        let value = tree.unparenthesized(argument);
        let is_zero = tree.kind(value) == Kind::NumberLiteral && tree.text(value, text) == "0";
        if !is_zero && tree.kind(value) != Kind::Null {
            return None;
        }
        let parameter = sema.parameters_for(call, position).into_iter().next()?;
        let name = declarators(tree, parameter, text).into_iter().next()?;
        let stars = match (name.pointers, name.sizes.len()) {
            (0, 1) => 1,
            (stars, 0) if stars > 0 => stars,
            _ => return None,
        };
        let tag = c_tags::tag_of_type(self.context, parameter);
        let words = type_words_without(tree, parameter, text, &["const"]);
        let constant = specifiers(tree, parameter, text).constant;
        let constant = if constant { "const " } else { "" };
        Some(format!("{constant}{tag}{words} {}", "*".repeat(stars)))
    }
}

/// Whether a type that stands by itself is a pointer: `float *`, `float (*)[16]`; of a function nobody asks.
fn names_pointer(tree: &Tree, ty: NodeId) -> bool {
    tree.children(ty).any(|part| match tree.kind(part) {
        Kind::PointerDeclarator => true,
        Kind::ArrayDeclarator | Kind::ParenthesizedDeclarator => names_pointer(tree, part),
        _ => false,
    })
}

/// The pointers among a declaration's names, by place.
pub(super) type Declared = Vec<(usize, PointerId)>;

/// The pointer that a name is.
pub(super) fn pointer_at(pointers: &[(usize, PointerId)], index: usize) -> Option<PointerId> {
    let found = pointers.iter().find(|(at, _)| *at == index);
    found.map(|(_, id)| *id)
}

/// Notes the names of a declaration with pointers among them, each of which may point to other memory.
pub(super) fn declared_pointers(
    context: &Context<'_>,
    unit: &mut Unit,
    node: NodeId,
    (names, pointers): (&[Declarator], &[(usize, PointerId)]),
    lifetime: Lifetime,
) {
    if pointers.is_empty() {
        return;
    }
    let (tree, text) = (context.tree, context.text);
    let mut declared = Vec::with_capacity(names.len());
    let mut before = None;
    for (index, name) in names.iter().enumerate() {
        let comma = before.and_then(|end| {
            let between = Span::new(end, name.span.start);
            let tokens = lex(between.of(text));
            let mut last_first = tokens.iter().rev();
            let comma = last_first.find(|t| t.text(between.of(text)) == ",")?;
            Some(Span::new(end + comma.span.start, end + comma.span.end))
        });
        before = Some(name.name_span.end);
        declared.push(DeclaredPointer {
            at: name.span.start,
            comma: comma.unwrap_or(Span::at(name.span.start)),
            pointer: pointer_at(pointers, index),
        });
    }
    let in_loop_head = tree.field(node) == Field::Initializer;
    let again = match in_loop_head {
        true => None,
        false => words_again(context, node, names),
    };
    unit.push(
        tree.span(node),
        ConstructKind::Pointers {
            at: type_span(tree, node).start,
            names: declared,
            again,
            lifetime,
        },
    );
}

/// What says the type of a declaration once more: text, words of the source, and text again. A structure's body is
/// not said twice.
fn words_again(context: &Context<'_>, node: NodeId, names: &[Declarator]) -> Option<TypeAgain> {
    let tree = context.tree;
    let kind = match tree.kind(node) {
        Kind::TypeDefinition => "typedef ",
        _ => "",
    };
    let words = type_span(tree, node);
    let record = tree.child(node, Field::Type);
    let Some(body) = record.and_then(|r| tree.child(r, Field::Body)) else {
        return Some((kind, words, String::new()));
    };
    let record = tree.span(record?);
    let before = Span::new(words.start, record.start);
    if let Some(tag) = tree.child(tree.parent(body)?, Field::Name) {
        let head = Span::new(record.start, tree.span(tag).end);
        let head = words_of(head.of(context.text)).into_owned();
        return Some((kind, before, head));
    }
    // A structure without a name has one from the first name of its typedef on.
    let named = |n: &&Declarator| !kind.is_empty() && n.pointers == 0 && n.sizes.is_empty();
    let first = names.first().filter(named)?;
    Some((kind, before, first.name.to_string()))
}

impl Unit {
    /// Adds a pointer.
    pub(super) fn pointer(&mut self, span: Span, origins: Vec<Origin>) -> PointerId {
        self.pointers.push(Pointer { span, origins });
        PointerId(self.pointers.len() as u32 - 1)
    }

    /// Typedefs of pointers whose variables are given nothing else point to global memory.
    pub(super) fn settle_typedefs(&mut self) {
        for id in self.typedef_pointers.clone() {
            let origins = self.pointers.get(id.index()).map(|p| p.origins.clone());
            let known = |o: &Origin| self.space(*o).is_some();
            if !origins.unwrap_or_default().iter().any(known) {
                self.given(id, vec![Origin::Space(Space::Global)]);
            }
        }
    }

    /// What a pointer points to, as far as it is known by now.
    pub(super) fn space(&self, origin: Origin) -> Option<Space> {
        let mut origin = origin;
        for _ in 0..16 {
            match origin {
                Origin::Space(space) => return Some(space),
                Origin::Pointer(id) => origin = *self.pointers.get(id.index())?.origins.first()?,
                Origin::Result(_) => return None,
            }
        }
        None
    }

    /// A pointer is given values.
    pub(super) fn given(&mut self, pointer: PointerId, origins: Vec<Origin>) {
        if let Some(pointer) = self.pointers.get_mut(pointer.index()) {
            for origin in origins {
                if !pointer.origins.contains(&origin) {
                    pointer.origins.push(origin);
                }
            }
        }
    }
}
