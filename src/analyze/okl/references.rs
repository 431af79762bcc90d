//! References, for targets whose language is C: parameters and locals become pointers, references to
//! arrays the pointers that arrays are there anyway.

use super::c_tags;
use super::symbols::Refers;
use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::expr::Scalar;
use crate::module::{ConstructKind, Origin, PointerId, Space};
use crate::source::Span;
use crate::syntax::{
    Declarator, Field, Kind, NodeId, Tree, attributes_of, declarators, function_name, parameters,
    specifiers, type_words_without,
};
use foldhash::{HashMap, HashSet};

/// A parameter that is a reference.
#[derive(Clone, Debug)]
struct Parameter {
    /// The type without `const`.
    words: String,
    scalar: Option<Scalar>,
    constant: bool,
    array: bool,
}

/// The parameters of a function that are references, with their positions.
type Positions = Vec<(usize, Parameter)>;

/// What is known of references before the walk.
#[derive(Debug, Default)]
pub(super) struct References {
    /// By function and number of parameters: the positions of those that are references.
    parameters: HashMap<(String, usize), Positions>,
    /// Functions whose results are references.
    results: HashSet<String>,
    /// Values that are converted to the type of the reference they are bound to.
    converted: HashSet<usize>,
}

/// Finds the functions that take references, and the values that have another type than the reference.
pub(super) fn references(context: &Context<'_>, unit: &mut Unit) {
    let tree = context.tree;
    let Some(root) = tree.root() else { return };
    let any = |n| tree.kind(n) == Kind::ReferenceDeclarator;
    if !tree.descendants(root).any(any) {
        return;
    }
    let types = context.sema;
    let mut found = References::default();
    for node in tree.descendants(root) {
        if !matches!(
            tree.kind(node),
            Kind::FunctionDefinition | Kind::Declaration
        ) {
            continue;
        }
        let (Some((name, _)), Some((list, _))) = (
            function_name(tree, node, context.text),
            parameters(tree, node),
        ) else {
            continue;
        };
        let result = tree.child(node, Field::Declarator);
        if result.is_some_and(|d| tree.kind(d) == Kind::ReferenceDeclarator) {
            found.results.insert(name.to_string());
        }
        let count = list.len();
        let references: Vec<(usize, Parameter)> = list
            .into_iter()
            .enumerate()
            .filter_map(|(at, p)| Some((at, parameter(context, p)?)))
            .collect();
        if !references.is_empty() {
            found
                .parameters
                .insert((name.to_string(), count), references);
        }
    }
    for node in tree.descendants(root) {
        match tree.kind(node) {
            Kind::CallExpression => {
                let Some((given, wanted)) = found.of_call(tree, node, context.text) else {
                    continue;
                };
                let differs = wanted.iter().filter_map(|(position, wanted)| {
                    let argument = *given.get(*position)?;
                    let scalar = types.scalar(argument)?;
                    let other = wanted.scalar.is_some_and(|s| s != scalar);
                    (wanted.constant && other).then_some(argument.index())
                });
                let differs: Vec<usize> = differs.collect();
                found.converted.extend(differs);
            }
            Kind::Declaration => {
                let Some(wanted) = types.described_scalar(node) else {
                    continue;
                };
                for name in declarators(tree, node, context.text) {
                    if let Some(value) = name.value.filter(|_| name.reference)
                        && types.scalar(value).is_some_and(|s| s != wanted)
                    {
                        found.converted.insert(value.index());
                    }
                }
            }
            _ => {}
        }
    }
    unit.references = found;
}

fn parameter(context: &Context<'_>, node: NodeId) -> Option<Parameter> {
    let tree = context.tree;
    let name = declarators(tree, node, context.text).into_iter().next()?;
    if !name.reference {
        return None;
    }
    let words = type_words_without(tree, node, context.text, &["const"]);
    let tag = c_tags::tag_of_type(context, node);
    Some(Parameter {
        scalar: context.sema.described_scalar(node),
        words: format!("{tag}{words}"),
        constant: specifiers(tree, node, context.text).constant,
        array: !name.sizes.is_empty(),
    })
}

impl References {
    /// The arguments of a call, and which of the function's parameters are references.
    fn of_call(&self, tree: &Tree, call: NodeId, text: &str) -> Option<(Vec<NodeId>, &Positions)> {
        if self.parameters.is_empty() {
            return None;
        }
        let function = tree.child(call, Field::Function)?;
        let list: Vec<NodeId> = tree.children(tree.child(call, Field::Arguments)?).collect();
        let key = (tree.text(function, text).to_string(), list.len());
        self.parameters.get(&key).map(|p| (list, p))
    }

    /// Whether an argument of a call is bound to a reference.
    pub(super) fn binds(&self, tree: &Tree, call: NodeId, text: &str, argument: NodeId) -> bool {
        let Some((given, wanted)) = self.of_call(tree, call, text) else {
            return false;
        };
        let mut positions = wanted.iter().map(|(at, _)| *at);
        positions.any(|at| given.get(at) == Some(&argument))
    }

    /// Whether an argument of a call has to be the variable itself, and no copy.
    pub(super) fn binds_variable(
        &self,
        tree: &Tree,
        call: NodeId,
        text: &str,
        position: usize,
    ) -> bool {
        let function = tree.child(call, Field::Function);
        let name = function.map_or("", |f| tree.text(f, text));
        let Some((_, wanted)) = self.of_call(tree, call, text) else {
            return false;
        };
        let wanted = wanted.iter().find(|(at, _)| *at == position);
        wanted.is_some_and(|(_, p)| p.array || !p.constant || self.results.contains(name))
    }
}

/// Whether a reference has a form in C: a parameter of a function that is no kernel, or a local with a
/// value, of something that is no pointer.
pub(super) fn has_form(tree: &Tree, node: NodeId, text: &str) -> bool {
    let words = tree.text(node, text);
    let named = tree.child_of_kind(node, Kind::Identifier).is_some();
    if words.starts_with("&&") || !named {
        return false;
    }
    let mut at = tree.parent(node);
    while let Some(around) = at {
        match tree.kind(around) {
            Kind::ParenthesizedDeclarator | Kind::ArrayDeclarator => at = tree.parent(around),
            Kind::InitDeclarator => {
                let value = tree.child(around, Field::Value);
                let initialised = value.is_some_and(|v| {
                    !matches!(tree.kind(v), Kind::InitializerList | Kind::ArgumentList)
                });
                let declaration = tree
                    .parent(around)
                    .filter(|&d| tree.kind(d) == Kind::Declaration);
                return initialised && declaration.is_some_and(|d| is_single_local(tree, d));
            }
            Kind::ParameterDeclaration => return is_of_function(tree, around, text),
            _ => return false,
        }
    }
    false
}

/// Whether a parameter or declaration of one reference has a form in C.
pub(super) fn has_form_of(tree: &Tree, declaration: NodeId, text: &str) -> bool {
    tree.descendants(declaration)
        .find(|&n| tree.kind(n) == Kind::ReferenceDeclarator)
        .is_some_and(|n| has_form(tree, n, text))
}

/// A declaration of one name in a function.
fn is_single_local(tree: &Tree, declaration: NodeId) -> bool {
    let names = tree
        .children(declaration)
        .filter(|&c| tree.field(c) == Field::Declarator);
    let block = tree.parent(declaration).map(|p| tree.kind(p));
    names.count() == 1 && block == Some(Kind::CompoundStatement)
}

/// A parameter of a function at file scope that is no kernel.
fn is_of_function(tree: &Tree, parameter: NodeId, text: &str) -> bool {
    let mut at = tree.parent(parameter);
    while let Some(around) = at {
        match tree.kind(around) {
            Kind::FunctionDefinition | Kind::Declaration => {
                let kernel = attributes_of(tree, around, text)
                    .iter()
                    .any(|a| a.name == "kernel");
                let scope = tree.parent(around).map(|p| tree.kind(p));
                return !kernel && scope == Some(Kind::TranslationUnit);
            }
            Kind::ParameterList | Kind::FunctionDeclarator | Kind::PointerDeclarator => {
                at = tree.parent(around);
            }
            _ => return false,
        }
    }
    false
}

/// The `&` of a reference, with the brackets around it if it refers to an array: `(&`, `)`.
fn ampersand(tree: &Tree, name: &Declarator) -> Option<(Span, Option<Span>)> {
    let around = |kind| {
        let mut all = std::iter::successors(name.node, |n| tree.parent(*n));
        let found = all.find(|&n| tree.kind(n) == kind)?;
        Some(tree.span(found))
    };
    let start = around(Kind::ReferenceDeclarator)?.start;
    let sign = Span::new(start, start + 1);
    if name.brackets.is_empty() {
        return Some((sign, None));
    }
    let Span { start, end } = around(Kind::ParenthesizedDeclarator)?;
    Some((Span::new(start, sign.end), Some(Span::new(end - 1, end))))
}

impl Walk<'_, '_> {
    /// A parameter that is a reference; what a use of its name refers to, and the pointer it becomes.
    pub(super) fn reference_parameter(
        &mut self,
        name: &Declarator,
        at: u32,
    ) -> Option<(Refers, PointerId)> {
        let (sign, close) = ampersand(self.context.tree, name)?;
        let id = self.pointer(name.span, at, Vec::new());
        match close {
            Some(close) => {
                self.unit.push(sign, ConstructKind::InC(String::new()));
                self.unit.push(close, ConstructKind::InC(String::new()));
                Some((Refers::Array, id))
            }
            None => {
                self.unit.push(sign, ConstructKind::InC("*".to_string()));
                Some((Refers::Pointer(Origin::Pointer(id)), id))
            }
        }
    }

    /// A local that is a reference; what a use of its name refers to, and the pointer it becomes.
    pub(super) fn reference_local(
        &mut self,
        name: &Declarator,
        words: Span,
    ) -> Option<(Refers, Option<PointerId>)> {
        let (sign, close) = ampersand(self.context.tree, name)?;
        let value = name.value?;
        let tree = self.context.tree;
        let mut around = std::iter::successors(name.node, |n| tree.parent(*n));
        let declaration = around.find(|&n| tree.kind(n) == Kind::Declaration)?;
        let automatic = specifiers(tree, declaration, self.context.text).automatic;
        if let Some(close) = close {
            let origins = self.origins(value);
            let id = self.pointer(name.span, words.start, origins);
            let rows = name.brackets.len() > 1;
            let star = if rows { "(*" } else { "*" };
            self.unit.push(sign, ConstructKind::InC(star.to_string()));
            let first = name.brackets.first()?.end;
            let end = if rows { ")" } else { "" };
            self.unit.push(
                Span::new(close.start, first),
                ConstructKind::InC(end.to_string()),
            );
            return Some((Refers::Array, Some(id)));
        }
        if !self.has_address(value) || self.unit.references.converted.contains(&value.index()) {
            // Bound to a value: a variable that has it.
            self.unit.push(sign, ConstructKind::InC(String::new()));
            return None;
        }
        let origins = self.place(value);
        // The space is part of the type that `auto` stands for.
        let (id, star) = match automatic {
            true => (self.unit.pointer(name.span, origins), ""),
            false => (self.pointer(name.span, words.start, origins), "*"),
        };
        self.unit.push(sign, ConstructKind::InC(star.to_string()));
        self.take_address(value);
        Some((Refers::Pointer(Origin::Pointer(id)), None))
    }

    /// Whether an expression names memory.
    fn has_address(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let node = tree.unparenthesized(node);
        let words = tree.text(node, self.context.text);
        match tree.kind(node) {
            // Integer constants of the file are none in C.
            Kind::Identifier => {
                let constant = self.unit.scopes.get(words).is_none_or(|s| s.constant);
                !(constant && self.unit.values.get(words).is_some())
            }
            Kind::SubscriptExpression => true,
            // That of a value has none.
            Kind::FieldExpression => {
                let of = tree.child(node, Field::Argument);
                let operator = tree.child(node, Field::Operator);
                let arrow = operator.is_some_and(|o| tree.text(o, self.context.text) == "->");
                let is_value = |of: NodeId| {
                    let of = tree.unparenthesized(of);
                    let kind = tree.kind(of);
                    kind == Kind::BinaryExpression
                        || kind == Kind::CallExpression && self.dimensions_of_call(of).is_none()
                };
                arrow || !of.is_some_and(is_value)
            }
            Kind::PointerExpression => words.starts_with('*'),
            // `m(i, j)`
            Kind::CallExpression => self.dimensions_of_call(node).is_some(),
            _ => false,
        }
    }

    /// Writes the address of an expression in its place.
    fn take_address(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let plain = tree.unparenthesized(node);
        if let Some(component) = self.component(plain) {
            self.unit.push(tree.span(node), component);
            return;
        }
        let symbol = self.unit.scopes.get(tree.text(plain, self.context.text));
        let refers = symbol.and_then(|s| s.refers.as_ref());
        if tree.kind(plain) == Kind::Identifier && matches!(refers, Some(Refers::Pointer(_))) {
            // The pointer itself.
            let span = tree.span(plain);
            let made = self
                .unit
                .constructs
                .iter_mut()
                .rev()
                .find(|c| c.span == span);
            if let Some(made) = made {
                made.kind = ConstructKind::InC(span.of(self.context.text).to_string());
            }
            return;
        }
        self.unit.push(tree.span(node), ConstructKind::Address);
    }

    /// The arguments of a call that references are bound to, with where they lie.
    pub(super) fn bind_references(&mut self, call: NodeId) -> Vec<(usize, Vec<Origin>)> {
        let tree = self.context.tree;
        let Some((given, wanted)) = self
            .unit
            .references
            .of_call(tree, call, self.context.text)
            .map(|(given, wanted)| (given, wanted.clone()))
        else {
            return Vec::new();
        };
        let mut bound = Vec::new();
        for (position, wanted) in wanted {
            let Some(&argument) = given.get(position) else {
                continue;
            };
            if wanted.array {
                bound.push((position, self.origins(argument)));
                continue;
            }
            let converted = self.unit.references.converted.contains(&argument.index());
            if self.has_address(argument) && !converted {
                bound.push((position, self.place(argument)));
                self.take_address(argument);
                continue;
            }
            bound.push((position, vec![Origin::Space(Space::Private)]));
            let span = tree.span(argument);
            self.unit.push(span, ConstructKind::Temporary(wanted.words));
        }
        bound
    }

    /// A use of a name that is a reference.
    pub(super) fn reference_use(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let name = tree.text(node, self.context.text);
        let refers = self.unit.scopes.get(name).and_then(|s| s.refers.as_ref());
        match refers {
            Some(Refers::Pointer(_)) => {
                let what = ConstructKind::InC(format!("(*{name})"));
                self.unit.push(tree.span(node), what);
            }
            Some(Refers::Array) => {
                let mut at = tree.parent(node);
                while let Some(around) =
                    at.filter(|&a| tree.kind(a) == Kind::ParenthesizedExpression)
                {
                    at = tree.parent(around);
                }
                if at.is_some_and(|a| tree.kind(a) == Kind::SizeofExpression) {
                    let what = ConstructKind::NoC("the size of a reference to an array");
                    self.unit.push(tree.span(node), what);
                }
            }
            None => {}
        }
    }
}
