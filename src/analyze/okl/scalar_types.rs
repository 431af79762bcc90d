//! The types of expressions over scalars and vectors, as far as names alone tell them; of a name that is
//! declared with different types in different places, the nearest declaration counts.

mod vectors;

use super::types::type_word;
use crate::expr::{self, Expr, Scalar};
use crate::module::{CollectiveFunction, VectorType};
use crate::syntax::{
    Field, Kind, NodeId, Tree, declarators, function_name, parameters, type_span, type_words,
    words_of,
};
use std::collections::HashMap;

/// A scalar, or an array of or pointer to one, with that many levels.
type Typed = (Scalar, usize);

/// The same of a vector.
type TypedVector = (VectorType, usize);

/// A declaration that a name or a field means.
struct Declared<'t> {
    /// The words of its type.
    words: &'t str,
    /// Number of `*` and dimensions.
    levels: usize,
    /// What it is initialised with.
    value: Option<NodeId>,
}

/// What is known of the names of a program.
pub(super) struct ScalarTypes<'t> {
    tree: &'t Tree,
    text: &'t str,
    /// `None` for a name with several types, or with one that is no scalar.
    variables: HashMap<&'t str, Option<Typed>>,
    functions: HashMap<&'t str, Option<Typed>>,
    typedefs: HashMap<&'t str, Option<Typed>>,
    /// Types, variables, fields and functions that are vectors, or lead to some.
    vectors: HashMap<&'t str, Option<TypedVector>>,
    /// Fields by the name of their structure, and structures by other names.
    fields: HashMap<(&'t str, &'t str), (&'t str, usize)>,
    records: HashMap<&'t str, &'t str>,
}

/// Functions of floating-point numbers, with as many arguments of one type as they have.
pub(super) const REAL_FUNCTIONS: [&str; 48] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "hypot",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nextafter",
    "pow",
    "remainder",
    "rint",
    "round",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
];

impl<'t> ScalarTypes<'t> {
    pub(super) fn new(tree: &'t Tree, text: &'t str) -> Self {
        let mut this = Self {
            tree,
            text,
            variables: HashMap::new(),
            functions: HashMap::new(),
            typedefs: HashMap::new(),
            vectors: HashMap::new(),
            fields: HashMap::new(),
            records: HashMap::new(),
        };
        for node in tree.root().into_iter().flat_map(|r| tree.descendants(r)) {
            this.declaration(node);
        }
        this
    }

    fn declaration(&mut self, node: NodeId) {
        let (tree, text) = (self.tree, self.text);
        let kind = tree.kind(node);
        match kind {
            Kind::FunctionDefinition => {
                let base = self.named(&type_words(tree, node, text));
                let pointers = declarators(tree, node, text)
                    .first()
                    .map_or(0, |d| d.pointers);
                if let Some((name, _)) = function_name(tree, node, text) {
                    self.note_vector(name, type_span(tree, node).of(text), pointers);
                    let ty = base.map(|(scalar, levels)| (scalar, levels + pointers));
                    note(&mut self.functions, name, ty);
                }
            }
            Kind::Declaration
            | Kind::FieldDeclaration
            | Kind::ParameterDeclaration
            | Kind::TypeDefinition => {
                let base = self.named(&type_words(tree, node, text));
                let words = type_span(tree, node).of(text);
                for name in declarators(tree, node, text) {
                    let levels = name.pointers + name.sizes.len();
                    let declared = name.name_span.of(text);
                    self.note_vector(declared, words, levels);
                    match kind {
                        Kind::FieldDeclaration => {
                            if let Some(record) = self.record_around(node) {
                                self.fields.insert((record, declared), (words, levels));
                            }
                        }
                        Kind::TypeDefinition if levels == 0 => self.name_record(node, declared),
                        _ => {}
                    }
                    let ty = base.map(|(scalar, more)| (scalar, more + levels));
                    let table = match kind {
                        Kind::TypeDefinition => &mut self.typedefs,
                        _ if name.function => &mut self.functions,
                        _ => &mut self.variables,
                    };
                    note(
                        table,
                        name.name_span.of(text),
                        ty.filter(|_| !name.name.is_empty()),
                    );
                }
            }
            Kind::AliasDeclaration => {
                let part = |field| tree.child(node, field).map(|n| tree.text(n, text));
                if let (Some(name), Some(words)) = (part(Field::Name), part(Field::Type)) {
                    let ty = self.named(words);
                    note(&mut self.typedefs, name, ty);
                }
            }
            Kind::ForRangeLoop => {
                for name in declarators(tree, node, text) {
                    note(&mut self.variables, name.name_span.of(text), None);
                }
            }
            _ => {}
        }
    }

    /// The declaration that a name means, of several in the program.
    fn nearest(&self, name: NodeId) -> Option<Declared<'t>> {
        let (tree, text) = (self.tree, self.text);
        let wanted = tree.text(name, text);
        let mut at = name;
        while let Some(around) = tree.parent(at) {
            let parameters = match tree.kind(around) {
                Kind::FunctionDefinition => parameters(tree, around).map_or(Vec::new(), |p| p.0),
                _ => Vec::new(),
            };
            let before = tree.children(around).take_while(|&c| c != at);
            let declarations: Vec<NodeId> = before
                .filter(|&c| tree.kind(c) == Kind::Declaration)
                .chain(parameters)
                .collect();
            for declaration in declarations.into_iter().rev() {
                let mut names = declarators(tree, declaration, text).into_iter();
                if let Some(found) = names.find(|d| d.name == wanted && !d.function) {
                    return Some(Declared {
                        words: type_span(tree, declaration).of(text),
                        levels: found.pointers + found.sizes.len(),
                        value: found.value,
                    });
                }
            }
            at = around;
        }
        None
    }

    /// The scalar that words name.
    pub(super) fn named_scalar(&self, words: &str) -> Option<Scalar> {
        self.named(words)
            .filter(|(_, levels)| *levels == 0)
            .map(|(scalar, _)| scalar)
    }

    /// The type that words name.
    fn named(&self, words: &str) -> Option<Typed> {
        if let Some(scalar) = Scalar::from_words(words.split_ascii_whitespace()) {
            return Some((scalar, 0));
        }
        let mut names = words
            .split_ascii_whitespace()
            .filter(|w| !matches!(*w, "const" | "volatile" | "static" | "inline" | "constexpr"));
        let name = names.next()?;
        *self.typedefs.get(name).filter(|_| names.next().is_none())?
    }

    /// The scalar type of an expression; `None` where it has none or it is not known.
    pub(super) fn scalar(&self, node: NodeId) -> Option<Scalar> {
        self.typed(node)
            .filter(|(_, levels)| *levels == 0)
            .map(|(scalar, _)| scalar)
    }

    /// How many `*` and dimensions what an expression names has, if that is known.
    pub(super) fn levels(&self, node: NodeId) -> Option<usize> {
        let tree = self.tree;
        let variable = tree.kind(node) == Kind::Identifier;
        let nearest = || Some(self.nearest(node).filter(|_| variable)?.levels);
        self.typed(node).map(|(_, levels)| levels).or_else(nearest)
    }

    fn typed(&self, node: NodeId) -> Option<Typed> {
        let tree = self.tree;
        let child = |field| tree.child(node, field);
        let words = tree.text(node, self.text);
        let plain = |scalar: Scalar| Some((scalar, 0));
        match tree.kind(node) {
            Kind::NumberLiteral | Kind::CharLiteral | Kind::True | Kind::False => {
                // The parser takes a sign into the number.
                match expr::parse(words.trim_start_matches(['-', '+'])).ok()? {
                    Expr::Literal(value) => plain(value.scalar()),
                    _ => None,
                }
            }
            Kind::Identifier => match *self.variables.get(words)? {
                None => {
                    let declared = self.nearest(node)?;
                    if is_auto(declared.words) {
                        return self.typed(declared.value?);
                    }
                    let (scalar, more) = self.named(&words_of(declared.words))?;
                    Some((scalar, declared.levels + more))
                }
                known => known,
            },
            Kind::ParenthesizedExpression | Kind::ConditionClause => {
                self.typed(tree.children(node).next()?)
            }
            Kind::FieldExpression => {
                if let Some(component) = self.component(node) {
                    return plain(component);
                }
                if let Some((words, levels)) = self.field(node) {
                    let (scalar, more) = self.named(&words_of(words))?;
                    return Some((scalar, levels + more));
                }
                let field = child(Field::FieldName)?;
                *self.variables.get(tree.text(field, self.text))?
            }
            Kind::SubscriptExpression => {
                let (scalar, levels) = self.typed(child(Field::Argument)?)?;
                Some((scalar, levels.checked_sub(1)?))
            }
            Kind::PointerExpression if words.starts_with('*') => {
                let (scalar, levels) = self.typed(child(Field::Argument)?)?;
                Some((scalar, levels.checked_sub(1)?))
            }
            Kind::PointerExpression => {
                let (scalar, levels) = self.typed(child(Field::Argument)?)?;
                Some((scalar, levels + 1))
            }
            Kind::UnaryExpression if words.starts_with('!') => plain(Scalar::Int),
            Kind::UnaryExpression => plain(self.scalar(child(Field::Argument)?)?.promoted()),
            Kind::UpdateExpression => self.typed(child(Field::Argument)?),
            Kind::AssignmentExpression => self.typed(child(Field::Left)?),
            Kind::BinaryExpression => {
                let operator = tree.text(child(Field::Operator)?, self.text);
                if matches!(
                    operator,
                    "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||"
                ) {
                    return plain(Scalar::Int);
                }
                let typed = |field| self.typed(child(field)?);
                let sides = (typed(Field::Left), typed(Field::Right));
                let pointers = [sides.0, sides.1].into_iter().flatten();
                let mut pointers = pointers.filter(|(_, levels)| *levels > 0);
                if let Some(pointer) = pointers.next() {
                    // How far it is from one to the other.
                    let apart = pointers.next().is_some();
                    return Some(if apart { (Scalar::Long, 0) } else { pointer });
                }
                let left = sides.0?.0;
                match operator {
                    "<<" | ">>" => plain(left.promoted()),
                    _ => plain(left.common(sides.1?.0)),
                }
            }
            Kind::ConditionalExpression => {
                let then = self.scalar(child(Field::Consequence)?)?;
                plain(then.common(self.scalar(child(Field::Alternative)?)?))
            }
            Kind::CastExpression => {
                let ty = tree.text(child(Field::Type)?, self.text);
                let words = ty.trim_end_matches(['*', ' ']);
                let (scalar, levels) = self.named(words)?;
                Some((scalar, levels + ty.matches('*').count()))
            }
            Kind::SizeofExpression => plain(Scalar::ULong),
            Kind::CallExpression => self.call(node),
            _ => None,
        }
    }

    fn call(&self, node: NodeId) -> Option<Typed> {
        let tree = self.tree;
        let function = tree.child(node, Field::Function)?;
        let name = tree.text(function, self.text);
        let name = name.strip_prefix("std::").unwrap_or(name);
        if let Some(known) = self.functions.get(name) {
            return *known;
        }
        // `m(i, j)` of a variable with `@dim` is an element.
        if let Some(known) = self.variables.get(name) {
            return known.and_then(|(scalar, levels)| Some((scalar, levels.checked_sub(1)?)));
        }
        if let Some(scalar) = Scalar::from_words([name]) {
            return Some((scalar, 0));
        }
        let arguments = self.arguments(node)?;
        if let Some(function) = CollectiveFunction::from_name(name) {
            let value = arguments
                .get(usize::from(function.is_shuffle()))
                .filter(|_| !function.is_vote());
            return Some((value.map_or(Scalar::Int, |v| v.promoted()), 0));
        }
        let all = arguments.iter().copied().reduce(Scalar::common)?;
        match name {
            "isfinite" | "isinf" | "isnan" | "isnormal" => Some((Scalar::Int, 0)),
            "abs" => Some((all.promoted(), 0)),
            // Nothing is converted where all are of one type, small ones included.
            "max" | "min" => match arguments.as_slice() {
                [first, rest @ ..] if rest.iter().all(|r| r == first) => Some((*first, 0)),
                _ => Some((all, 0)),
            },
            _ if REAL_FUNCTIONS.contains(&name) => Some((real(&arguments), 0)),
            _ => None,
        }
    }

    /// The types of a call's arguments, if all are known.
    pub(super) fn arguments(&self, call: NodeId) -> Option<Vec<Scalar>> {
        let list = self.tree.child(call, Field::Arguments)?;
        self.tree.children(list).map(|a| self.scalar(a)).collect()
    }
}

/// The type in which C++ computes a function of floating-point numbers: an integer counts as a double.
pub(super) fn real(arguments: &[Scalar]) -> Scalar {
    match arguments.iter().all(|a| *a == Scalar::Float) {
        true => Scalar::Float,
        false => Scalar::Double,
    }
}

/// `const auto`
fn is_auto(words: &str) -> bool {
    type_word(&words_of(words)) == "auto"
}

/// Notes a declaration; another one of the name with another type makes it unknown.
fn note<'t>(table: &mut HashMap<&'t str, Option<Typed>>, name: &'t str, ty: Option<Typed>) {
    table
        .entry(name)
        .and_modify(|known| *known = known.filter(|k| Some(*k) == ty))
        .or_insert(ty);
}
