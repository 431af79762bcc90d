//! What the functions of a program change, besides that they compute a value: nothing, what their parameters lead to,
//! or memory.

use crate::analyze::okl::types::type_word;
use crate::analyze::okl::unit::Unit;
use crate::expr::{Scalar, is_function};
use crate::module::VectorType;
use crate::sema::REAL_FUNCTIONS;
use crate::source::Span;
use crate::syntax::{
    Field, Kind, NodeId, Tree, attributes_of, declarators, function_name, specifiers, type_words,
};
use foldhash::{HashMap, HashMapExt, HashSet};

/// Functions of the targets that compute a value and nothing else, besides those of numbers.
const PURE: [&str; 50] = [
    "__brev",
    "__clz",
    "__clzll",
    "__cosf",
    "__double_as_longlong",
    "__expf",
    "__fdividef",
    "__ffs",
    "__float_as_int",
    "__float_as_uint",
    "__int_as_float",
    "__logf",
    "__longlong_as_double",
    "__mul24",
    "__mulhi",
    "__popc",
    "__popcll",
    "__powf",
    "__sinf",
    "__uint_as_float",
    "__umulhi",
    "as_double",
    "as_float",
    "as_int",
    "as_long",
    "as_uint",
    "as_ulong",
    "clamp",
    "clz",
    "const_cast",
    "cross",
    "degrees",
    "distance",
    "dot",
    "dynamic_cast",
    "length",
    "llabs",
    "labs",
    "mad",
    "mix",
    "normalize",
    "popcount",
    "radians",
    "reinterpret_cast",
    "rotate",
    "select",
    "sign",
    "smoothstep",
    "static_cast",
    "step",
];

/// What a function, or a part of one, changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reach {
    /// Its own variables.
    Local,
    /// What its parameters, or its object, lead to.
    Parameter,
    /// Anything.
    Memory,
}

/// A variable of a function.
struct Variable {
    /// Where it is seen.
    scope: Span,
    from: u32,
    /// What is changed by an assignment to it.
    itself: Reach,
    /// What is changed by an assignment to what it leads to.
    target: Reach,
    /// What is done by a call of it.
    called: Reach,
}

/// The variables of a function, by name.
type Variables<'t> = HashMap<&'t str, Vec<Variable>>;

/// What a function does.
struct Body {
    reach: Reach,
    /// The functions that it calls, and what they are given.
    calls: Vec<(String, Reach)>,
}

/// The functions and types of a program.
#[derive(Debug, Default)]
pub(in crate::analyze::okl) struct Bodies {
    functions: HashMap<String, Reach>,
    types: HashSet<String>,
    /// Whether fields of that name are arrays, all of them.
    fields: HashMap<String, bool>,
}

impl Bodies {
    pub(super) fn new(tree: &Tree, text: &str, unit: &Unit) -> Self {
        let mut this = Self::default();
        let mut definitions = Vec::new();
        for node in tree.root().into_iter().flat_map(|r| tree.descendants(r)) {
            match tree.kind(node) {
                Kind::FunctionDefinition => {
                    let name = function_name(tree, node, text).map_or("", |(name, _)| name);
                    definitions.push((last_name(name), node));
                }
                Kind::StructSpecifier
                | Kind::ClassSpecifier
                | Kind::UnionSpecifier
                | Kind::EnumSpecifier
                | Kind::AliasDeclaration => {
                    let name = tree.child(node, Field::Name);
                    this.types
                        .extend(name.map(|n| tree.text(n, text).to_string()));
                }
                Kind::TypeDefinition => {
                    let names = declarators(tree, node, text).into_iter();
                    this.types.extend(names.map(|d| d.name.to_string()));
                }
                Kind::FieldDeclaration => {
                    for field in declarators(tree, node, text) {
                        let array = field.pointers == 0 && !field.sizes.is_empty();
                        *this.fields.entry(field.name.to_string()).or_insert(true) &= array;
                    }
                }
                _ => {}
            }
        }
        let bodies: Vec<(&str, Body)> = definitions
            .into_iter()
            .map(|(name, node)| (name, this.body(tree, text, unit, node)))
            .collect();
        let mut callers: HashMap<&str, Vec<(&str, Reach)>> = HashMap::new();
        for (name, body) in &bodies {
            for (callee, given) in &body.calls {
                callers.entry(callee).or_default().push((name, *given));
            }
        }
        for (name, _) in &bodies {
            this.functions.insert(name.to_string(), Reach::Local);
        }
        let own = bodies.iter().map(|(name, body)| (*name, body.reach));
        let mut work: Vec<(&str, Reach)> = own.collect();
        for (callee, all) in &callers {
            if !this.functions.contains_key(*callee) && !this.is_pure(callee) {
                work.extend(all.iter().map(|(name, _)| (*name, Reach::Memory)));
            }
        }
        while let Some((name, reach)) = work.pop() {
            let Some(known) = this.functions.get_mut(name).filter(|known| **known < reach) else {
                continue;
            };
            *known = reach;
            for (caller, given) in callers.get(name).into_iter().flatten() {
                let passed = match reach {
                    Reach::Parameter => *given,
                    other => other,
                };
                work.push((caller, passed));
            }
        }
        this
    }

    /// What a call of a function changes.
    pub(super) fn function(&self, name: &str) -> Reach {
        let name = last_name(name);
        match self.functions.get(name) {
            Some(reach) => *reach,
            None if self.is_pure(name) => Reach::Local,
            None => Reach::Memory,
        }
    }

    /// Whether no function of that name is seen.
    pub(super) fn is_unseen(&self, name: &str) -> bool {
        !self.functions.contains_key(last_name(name))
    }

    /// Whether a function that is not seen computes a value and nothing else, or is a type.
    fn is_pure(&self, name: &str) -> bool {
        let single = name.strip_suffix('f').unwrap_or(name);
        let vector = name.strip_prefix("make_").unwrap_or(name);
        is_function(name)
            || REAL_FUNCTIONS.contains(&name)
            || REAL_FUNCTIONS.contains(&single)
            || PURE.contains(&name)
            || VectorType::from_name(vector).is_some()
            || Scalar::from_words([name]).is_some()
            || self.types.contains(name)
            || name.starts_with('~')
    }

    /// What a lambda changes.
    pub(super) fn lambda(&self, tree: &Tree, text: &str, unit: &Unit, lambda: NodeId) -> Reach {
        let body = self.body(tree, text, unit, lambda);
        let calls = body.calls.iter();
        let called = calls.map(|(name, given)| match self.function(name) {
            Reach::Parameter => *given,
            other => other,
        });
        called.fold(body.reach, Reach::max)
    }

    fn body(&self, tree: &Tree, text: &str, unit: &Unit, function: NodeId) -> Body {
        let scan = Scan {
            bodies: self,
            tree,
            text,
            unit,
            variables: variables(tree, text, unit, function),
        };
        let mut body = Body {
            reach: Reach::Local,
            calls: Vec::new(),
        };
        for node in tree.descendants(function) {
            let reach = match tree.kind(node) {
                Kind::AssignmentExpression => {
                    let left = tree.child(node, Field::Left);
                    left.map_or(Reach::Memory, |l| scan.place(l))
                }
                Kind::UpdateExpression => {
                    let argument = tree.child(node, Field::Argument);
                    argument.map_or(Reach::Memory, |a| scan.place(a))
                }
                Kind::NewExpression | Kind::DeleteExpression => Reach::Memory,
                Kind::AttributedStatement if has(tree, node, text, "barrier") => Reach::Memory,
                Kind::CallExpression => match scan.call(node) {
                    Ok(reach) => reach,
                    Err(call) => {
                        body.calls.push(call);
                        Reach::Local
                    }
                },
                Kind::Declaration => {
                    let words = type_words(tree, node, text);
                    let class = type_word(&words);
                    if self.types.contains(class) {
                        let given = scan.given(node);
                        body.calls.push((class.to_string(), given));
                        body.calls.push((format!("~{class}"), given));
                    }
                    Reach::Local
                }
                _ => Reach::Local,
            };
            body.reach = body.reach.max(reach);
        }
        body
    }
}

/// A function that is looked at.
struct Scan<'s, 't> {
    bodies: &'s Bodies,
    tree: &'s Tree,
    text: &'t str,
    unit: &'s Unit,
    variables: Variables<'t>,
}

impl Scan<'_, '_> {
    fn variable(&self, node: NodeId) -> Option<&Variable> {
        let span = self.tree.span(node);
        let all = self.variables.get(span.of(self.text))?;
        let mut seen = all.iter().rev();
        seen.find(|v| v.scope.contains(span) && v.from <= span.start)
    }

    /// What an assignment to an expression changes.
    fn place(&self, node: NodeId) -> Reach {
        let tree = self.tree;
        let mut at = tree.unparenthesized(node);
        // Whether it is what a variable leads to, not a variable.
        let mut through = false;
        loop {
            let next = match tree.kind(at) {
                Kind::Identifier => {
                    return match self.variable(at) {
                        Some(variable) if through => variable.target,
                        Some(variable) => variable.itself,
                        // A member of the object.
                        None if !through
                            && self.bodies.fields.contains_key(tree.text(at, self.text)) =>
                        {
                            Reach::Parameter
                        }
                        None if self.is_array_field(at) => Reach::Parameter,
                        None => Reach::Memory,
                    };
                }
                Kind::This => return Reach::Parameter,
                Kind::SubscriptExpression => {
                    let argument = tree.child(at, Field::Argument);
                    let argument = argument.map(|a| tree.unparenthesized(a));
                    match argument.map(|a| (a, tree.kind(a))) {
                        Some((a, Kind::FieldExpression)) => {
                            let name = tree.child(a, Field::FieldName);
                            if through || !name.is_some_and(|n| self.is_array_field(n)) {
                                return Reach::Memory;
                            }
                        }
                        Some((_, Kind::SubscriptExpression)) => {}
                        _ if through => return Reach::Memory,
                        _ => through = true,
                    }
                    argument
                }
                Kind::PointerExpression if !through => {
                    through = true;
                    tree.child(at, Field::Argument)
                }
                Kind::FieldExpression => {
                    let operator = tree.child(at, Field::Operator);
                    let arrow = operator.is_some_and(|o| tree.text(o, self.text) == "->");
                    if through {
                        return Reach::Memory;
                    }
                    through = arrow;
                    tree.child(at, Field::Argument)
                }
                _ => return Reach::Memory,
            };
            match next {
                Some(next) => at = tree.unparenthesized(next),
                None => return Reach::Memory,
            }
        }
    }

    fn is_array_field(&self, name: NodeId) -> bool {
        let known = self.bodies.fields.get(self.tree.text(name, self.text));
        known.is_some_and(|array| *array)
    }

    /// What a call changes, or the function that says so.
    fn call(&self, node: NodeId) -> Result<Reach, (String, Reach)> {
        let tree = self.tree;
        let Some(function) = tree.child(node, Field::Function) else {
            return Ok(Reach::Memory);
        };
        let given = |n: Option<NodeId>| n.map_or(Reach::Local, |n| self.given(n));
        let arguments = given(tree.child(node, Field::Arguments));
        match tree.kind(function) {
            Kind::FieldExpression => {
                let name = tree.child(function, Field::FieldName);
                let name = name.map_or("", |n| tree.text(n, self.text));
                if self.unit.fields.has(name) {
                    return Ok(Reach::Local);
                }
                let object = given(tree.child(function, Field::Argument));
                Err((plain_name(name).to_string(), object.max(arguments)))
            }
            Kind::Identifier if self.variable(function).is_some() => {
                Ok(self.variable(function).map_or(Reach::Memory, |v| v.called))
            }
            Kind::LambdaExpression => Ok(Reach::Local),
            _ => {
                let name = last_name(tree.text(function, self.text));
                // A member's own call changes its object.
                let own = match self.bodies.fields.contains_key(name) {
                    true => Reach::Parameter,
                    false => Reach::Local,
                };
                Err((name.to_string(), arguments.max(own)))
            }
        }
    }

    /// What may be changed through values that are given away.
    fn given(&self, node: NodeId) -> Reach {
        let tree = self.tree;
        let reaches = tree.descendants(node).map(|n| match tree.kind(n) {
            Kind::Identifier if tree.field(n) == Field::Function => Reach::Local,
            Kind::Identifier => match self.variable(n) {
                Some(variable) => variable.itself.max(variable.target),
                None => Reach::Memory,
            },
            Kind::FieldIdentifier
                if tree
                    .parent(n)
                    .is_some_and(|p| tree.field(p) == Field::Function) =>
            {
                Reach::Local
            }
            Kind::FieldIdentifier if self.unit.pointer_fields.has(tree.text(n, self.text)) => {
                Reach::Memory
            }
            Kind::This => Reach::Parameter,
            _ => Reach::Local,
        });
        reaches.fold(Reach::Local, Reach::max)
    }
}

/// Whether an attribute of that name stands on a statement or declaration.
fn has(tree: &Tree, node: NodeId, text: &str, attribute: &str) -> bool {
    let all = attributes_of(tree, node, text);
    all.iter().any(|a| a.name == attribute)
}

/// The variables that a function or lambda declares.
fn variables<'t>(tree: &Tree, text: &'t str, unit: &Unit, function: NodeId) -> Variables<'t> {
    let mut found = Variables::new();
    for node in tree.descendants(function) {
        let kind = tree.kind(node);
        if !matches!(kind, Kind::Declaration | Kind::ParameterDeclaration) {
            continue;
        }
        let parameter = kind == Kind::ParameterDeclaration;
        let around = match parameter {
            true => owner(tree, node),
            false => tree.parent(node),
        };
        let Some(around) = around else { continue };
        let own = parameter && around == function;
        let words = type_words(tree, node, text);
        let facts = unit.types.get(type_word(&words));
        let said = specifiers(tree, node, text);
        let shared = has(tree, node, text, "shared") || facts.is_some_and(|f| f.shared);
        let lasts = said.is_static || said.external || shared;
        let calls = tree
            .descendants(node)
            .any(|n| tree.kind(n) == Kind::FunctionDeclarator);
        for name in declarators(tree, node, text) {
            let far = if own { Reach::Parameter } else { Reach::Memory };
            let points = name.pointers > 0 || facts.is_some_and(|f| f.pointers > 0);
            let array = !name.sizes.is_empty() || facts.is_some_and(|f| f.array);
            let elements = match parameter || points {
                true => far,
                false => Reach::Local,
            };
            let is_lambda =
                |v: NodeId| tree.kind(tree.unparenthesized(v)) == Kind::LambdaExpression;
            let dimensions = facts.is_some_and(|f| f.dimensions.is_some());
            let accessor = (points || dimensions) && !calls;
            let variable = Variable {
                scope: tree.span(around),
                from: name.name_span.start,
                itself: match (lasts, name.reference) {
                    (true, _) => Reach::Memory,
                    (_, true) => far,
                    _ => Reach::Local,
                },
                target: match (lasts, points || array || name.reference) {
                    (true, _) => Reach::Memory,
                    (_, true) if name.reference => far,
                    (_, true) => elements,
                    _ => Reach::Local,
                },
                called: match name.value.is_some_and(is_lambda) || accessor {
                    // What a lambda does is in the function, too.
                    true => Reach::Local,
                    false => Reach::Memory,
                },
            };
            let all = found.entry(name.name_span.of(text)).or_default();
            all.push(variable);
        }
    }
    found
}

/// The function or lambda that a parameter belongs to.
fn owner(tree: &Tree, parameter: NodeId) -> Option<NodeId> {
    let mut at = tree.parent(parameter)?;
    while !matches!(
        tree.kind(at),
        Kind::FunctionDefinition | Kind::LambdaExpression
    ) {
        at = tree.parent(at)?;
    }
    Some(at)
}

/// `f` of `space::f<float>`.
fn last_name(name: &str) -> &str {
    let name = plain_name(name);
    name.rsplit("::").next().unwrap_or(name).trim()
}

/// A name without the arguments of a template.
fn plain_name(name: &str) -> &str {
    match name.starts_with("operator") {
        true => name,
        false => name.split('<').next().unwrap_or(name).trim(),
    }
}
