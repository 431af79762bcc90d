//! The types of expressions over scalars and vectors, as far as names alone tell them; of a name that is
//! declared with different types in different places, the nearest declaration counts.

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

/// What is known of the names of a program.
pub(super) struct ScalarTypes<'t> {
    tree: &'t Tree,
    text: &'t str,
    /// `None` for a name with several types, or with one that is no scalar.
    variables: HashMap<&'t str, Option<Typed>>,
    functions: HashMap<&'t str, Option<Typed>>,
    typedefs: HashMap<&'t str, Option<Typed>>,
    /// Variables, fields and functions that are vectors, or lead to some.
    vectors: HashMap<&'t str, Option<VectorType>>,
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
                    self.note_vector(name, type_span(tree, node).of(text));
                    let ty = base.map(|(scalar, levels)| (scalar, levels + pointers));
                    note(&mut self.functions, name, ty);
                }
            }
            Kind::Declaration
            | Kind::FieldDeclaration
            | Kind::ParameterDeclaration
            | Kind::TypeDefinition => {
                let base = self.named(&type_words(tree, node, text));
                for name in declarators(tree, node, text) {
                    self.note_vector(name.name_span.of(text), type_span(tree, node).of(text));
                    let levels = name.pointers + name.sizes.len();
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

    fn note_vector(&mut self, name: &'t str, words: &'t str) {
        let vector = self.named_vector(words);
        self.vectors
            .entry(name)
            .and_modify(|known| *known = known.filter(|k| Some(*k) == vector))
            .or_insert(vector);
    }

    fn named_vector(&self, words: &str) -> Option<VectorType> {
        let words = words_of(words);
        let word = type_word(&words);
        VectorType::from_name(word).or_else(|| self.vectors.get(word).copied().flatten())
    }

    /// The declaration that a name means, of several in the program: the words of its type, and its
    /// levels.
    fn nearest(&self, name: NodeId) -> Option<(&'t str, usize)> {
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
                    let words = type_span(tree, declaration).of(text);
                    return Some((words, found.pointers + found.sizes.len()));
                }
            }
            at = around;
        }
        None
    }

    /// The type of an expression that is a vector.
    pub(super) fn vector(&self, node: NodeId) -> Option<VectorType> {
        let tree = self.tree;
        let part = |field| tree.child(node, field).and_then(|n| self.vector(n));
        let words = tree.text(node, self.text);
        match tree.kind(node) {
            Kind::Identifier => match *self.vectors.get(words)? {
                None => self.named_vector(self.nearest(node)?.0),
                known => known,
            },
            Kind::FieldIdentifier => self.vectors.get(words).copied().flatten(),
            Kind::ParenthesizedExpression | Kind::ConditionClause => {
                self.vector(tree.children(node).next()?)
            }
            Kind::FieldExpression => {
                let field = tree.child(node, Field::FieldName)?;
                self.vector(field)
            }
            Kind::SubscriptExpression | Kind::UnaryExpression | Kind::UpdateExpression => {
                part(Field::Argument)
            }
            Kind::PointerExpression if words.starts_with('*') => part(Field::Argument),
            Kind::AssignmentExpression => part(Field::Left),
            Kind::BinaryExpression => part(Field::Left).or_else(|| part(Field::Right)),
            Kind::ConditionalExpression => part(Field::Consequence),
            Kind::CallExpression => {
                let function = tree.child(node, Field::Function)?;
                let name = tree.text(function, self.text);
                match name.strip_prefix("make_") {
                    Some(made) => VectorType::from_name(made),
                    None => self.vector(function),
                }
            }
            _ => None,
        }
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
        let nearest = || Some(self.nearest(node).filter(|_| variable)?.1);
        self.typed(node).map(|(_, levels)| levels).or_else(nearest)
    }

    fn typed(&self, node: NodeId) -> Option<Typed> {
        let tree = self.tree;
        let child = |field| tree.child(node, field);
        let words = tree.text(node, self.text);
        let plain = |scalar: Scalar| Some((scalar, 0));
        match tree.kind(node) {
            Kind::NumberLiteral | Kind::CharLiteral | Kind::True | Kind::False => {
                match expr::parse(words).ok()? {
                    Expr::Literal(value) => plain(value.scalar()),
                    _ => None,
                }
            }
            Kind::Identifier => match *self.variables.get(words)? {
                None => self.nearest(node).and_then(|(words, levels)| {
                    let (scalar, more) = self.named(words)?;
                    Some((scalar, levels + more))
                }),
                known => known,
            },
            Kind::ParenthesizedExpression | Kind::ConditionClause => {
                self.typed(tree.children(node).next()?)
            }
            Kind::FieldExpression => {
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
                let left = self.scalar(child(Field::Left)?)?;
                match operator {
                    "<<" | ">>" => plain(left.promoted()),
                    _ => plain(left.common(self.scalar(child(Field::Right)?)?)),
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
            "max" | "min" => Some((all, 0)),
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

/// Notes a declaration; another one of the name with another type makes it unknown.
fn note<'t>(table: &mut HashMap<&'t str, Option<Typed>>, name: &'t str, ty: Option<Typed>) {
    table
        .entry(name)
        .and_modify(|known| *known = known.filter(|k| Some(*k) == ty))
        .or_insert(ty);
}
