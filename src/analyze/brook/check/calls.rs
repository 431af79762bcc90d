use super::Checker;
use super::names::Hint;
use super::records;
use super::symbols::{Function, Role, Symbol};
use super::types::{INT, Ty, VOID};
use super::values::Value;
use crate::analyze::brook::functions;
use crate::diagnostics::codes;
use crate::module::{Base, CollectiveFunction, Fixed, Type};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree};

impl Checker<'_, '_> {
    pub(super) fn call(&mut self, node: NodeId) -> Value {
        let tree = self.context.tree;
        let (Some(function), Some(list)) = (
            tree.child(node, Field::Function),
            tree.child(node, Field::Arguments),
        ) else {
            return Value::of(INT);
        };
        let arguments: Vec<NodeId> = tree.children(list).collect();
        let span = tree.span(node);
        if let Some((descriptor, operand)) = cast_in_brackets(tree, function, list)
            && self.names_number(self.word(descriptor))
        {
            return self.cast_to(node, descriptor, operand);
        }
        if let Some(ty) = vector_in_brackets(tree, function, self.word(function))
            && arguments.len() > 1
        {
            return self.cast_of_comma(ty, span, &arguments);
        }
        if !matches!(
            self.kind(function),
            Kind::Identifier | Kind::PrimitiveType | Kind::TypeIdentifier
        ) {
            self.report(&codes::BROOK_INDIRECT_CALL, span, &[]);
            return Value::of(INT);
        }
        let name = self.word(function);
        if let Some(which) = POSITIONS.iter().position(|p| *p == name) {
            return self.position(which, span, &arguments);
        }
        if let Some(Ty::Number(ty)) = records::find(&self.records, name)
            && ty.is_vector()
        {
            return self.constructor(ty, span, &arguments);
        }
        if name == "push" && self.checking.brookgpu {
            return self.push(node, &arguments);
        }
        let mut values = Vec::new();
        for &argument in &arguments {
            values.push(self.expression(argument));
        }
        if self.symbol_of(function).is_some() {
            self.report(&codes::BROOK_CALLEE_VARIABLE, span, &[]);
            return Value::undefined();
        }
        if let Some(callee) = self.functions.iter().find(|f| f.name == name).cloned() {
            return self.sub_kernel(&callee, span, &arguments, &values);
        }
        if self.host_functions.contains(name) {
            let hint = Hint::label(format!("'{name}' is a function of the host"));
            self.report_with(hint, &codes::BROOK_CALL_HOST, span, &[]);
            return Value::undefined();
        }
        match CollectiveFunction::from_name(name).filter(|f| !f.is_shuffle()) {
            Some(function) => self.group_function(function, node, &values),
            None => self.builtin(name, span, &arguments, &values),
        }
    }

    /// `push(o)`
    fn push(&mut self, node: NodeId, arguments: &[NodeId]) -> Value {
        let tree = self.context.tree;
        let span = tree.span(node);
        let role = match arguments {
            [name] => self.role(*name),
            _ => None,
        };
        let statement = tree.parent(node).map(|p| tree.kind(p));
        if role != Some(Role::Vout) {
            self.report(&codes::BROOK_PUSH, span, &[]);
        } else if statement != Some(Kind::ExpressionStatement) {
            self.report(&codes::BROOK_PUSH_FORM, span, &[]);
        }
        Value::of(VOID)
    }

    /// Whether words name a number or a vector.
    fn names_number(&self, words: &str) -> bool {
        matches!(records::find(&self.records, words), Some(Ty::Number(_)))
    }

    /// `(float4)(a, b, c, d)`: C's comma, of which the last part is cast.
    fn cast_of_comma(&mut self, to: Type, span: Span, arguments: &[NodeId]) -> Value {
        for &argument in arguments {
            self.expression(argument);
        }
        let code = match self.checking.relaxed {
            true => &codes::BROOK_CAST_WIDTH_RELAXED,
            false => &codes::BROOK_CAST_WIDTH,
        };
        self.report(code, span, &[]);
        Value::of(Ty::Number(to))
    }

    /// A function of the language.
    fn builtin(&mut self, name: &str, span: Span, arguments: &[NodeId], values: &[Value]) -> Value {
        let Some(row) = functions::find(name, self.checking) else {
            self.unknown_callee(span, name);
            return Value::guess(INT);
        };
        for (&argument, value) in arguments.iter().zip(values) {
            if value.array.is_some() {
                let at = self.span(argument);
                self.report(&codes::BROOK_ARRAY_UNARY, at, &[]);
                return Value::of(value.ty);
            }
        }
        let types: Option<Vec<Type>> = values.iter().map(|v| v.ty.arithmetic()).collect();
        let types = types.map(|types| match self.checking.brookgpu {
            true => self.alike(row, arguments, types),
            false => types,
        });
        match types.and_then(|types| row.result(&types)) {
            Some(ty) => Value::of(Ty::Number(ty)),
            None => {
                let shown: Vec<String> = values.iter().map(|v| self.show(v.ty)).collect();
                let shown = shown.join(", ");
                let guessed = values.iter().any(|v| v.guessed);
                self.following(guessed, |this| {
                    this.report(&codes::BROOK_BUILTIN, span, &[&name, &shown]);
                });
                Value::guess(INT)
            }
        }
    }

    /// Arguments of one type: the one that all of them meet in.
    fn alike(
        &mut self,
        row: &functions::Function,
        arguments: &[NodeId],
        types: Vec<Type>,
    ) -> Vec<Type> {
        let mut all = types.iter().copied();
        let Some(first) = all.next() else {
            return types;
        };
        let mut wanted = all.fold(first, |a, b| self.meet(a, b));
        if row.is_for_floats() && wanted.base.is_integer() {
            wanted.base = Base::Float;
        }
        for (&argument, ty) in arguments.iter().zip(&types) {
            self.converts(argument, Ty::Number(*ty), wanted);
        }
        vec![wanted; types.len()]
    }

    /// `indexof(s)`, `instance()`, `instanceInGroup()`, `syncGroup()`. Where they cannot be used is said
    /// at the end of the kernel.
    fn position(&mut self, which: usize, span: Span, arguments: &[NodeId]) -> Value {
        self.here.positions[which].get_or_insert(span);
        let wanted = usize::from(which == 0);
        if arguments.len() != wanted {
            let code = &codes::BROOK_ARGUMENT_COUNT;
            self.report(code, span, &[&wanted, &arguments.len()]);
        } else if let [argument] = arguments {
            match self.role(*argument) {
                Some(Role::Scatter { .. }) => {
                    self.report(&codes::BROOK_SCATTER_INDEXOF, span, &[]);
                }
                Some(Role::StreamIn | Role::StreamOut | Role::Reduce | Role::Refused) => {}
                Some(Role::Gather { .. } | Role::Shared(_) | Role::LocalArray | Role::Field(_)) => {
                    self.report(&codes::BROOK_INDEXOF_GATHER, span, &[]);
                }
                Some(_) => self.report(&codes::BROOK_INDEXOF_STREAM, span, &[]),
                None => self.undefined(*argument),
            }
        }
        Value::of(match which {
            0 => Ty::Number(Type::vector(Base::Float, 4)),
            3 => VOID,
            _ => Ty::Number(Type::vector(Base::Int, 4)),
        })
    }

    /// `float4(a, b, c, d)`: as many components as there are arguments, whatever the name says.
    fn constructor(&mut self, named: Type, span: Span, arguments: &[NodeId]) -> Value {
        let count = arguments.len();
        if named.base == Base::Double && named.width > 2 {
            self.report(&codes::BROOK_DOUBLE_WIDTH, span, &[]);
        }
        let most = if named.base == Base::Double { 2 } else { 4 };
        if !(2..=most).contains(&count) {
            let code = &codes::BROOK_CONSTRUCTOR_COUNT;
            self.report(code, span, &[&named, &named.width, &count]);
        }
        let ty = Type::vector(named.base, count.clamp(2, most) as u8);
        for (index, &argument) in arguments.iter().enumerate() {
            let value = self.expression(argument);
            if value.array.is_some() {
                let at = self.span(argument);
                self.report(&codes::BROOK_ARRAY_UNARY, at, &[]);
                continue;
            }
            self.element(index, argument, &value, ty);
        }
        Value::of(Ty::Number(ty))
    }

    /// A call of another kernel.
    fn sub_kernel(
        &mut self,
        callee: &Function,
        span: Span,
        arguments: &[NodeId],
        values: &[Value],
    ) -> Value {
        let result = Value::of(callee.result);
        // A prototype will do if the body follows.
        if !callee.defined && !self.defined.contains(&callee.name) {
            self.report(&codes::BROOK_CALL_EARLY, span, &[]);
            return result;
        }
        // Relaxed checking takes reductions for what they are: functions of two values.
        if callee.reduces && !self.checking.relaxed && !self.here.fused {
            self.report(&codes::BROOK_CALL_REDUCTION, span, &[]);
            return result;
        }
        let scatters = |p: &Symbol| matches!(p.role, Role::Scatter { .. });
        if callee.parameters.iter().any(scatters) {
            self.report(&codes::BROOK_CALL_SCATTER, span, &[]);
            return result;
        }
        if callee.parameters.iter().any(|p| p.role == Role::Vout) {
            self.report(&codes::BROOK_VOUT_CALL, span, &[]);
            return result;
        }
        if arguments.len() != callee.parameters.len() {
            let (expected, actual) = (callee.parameters.len(), arguments.len());
            let code = &codes::BROOK_ARGUMENT_COUNT;
            self.report(code, span, &[&expected, &actual]);
            return result;
        }
        let pairs = arguments.iter().zip(values).zip(&callee.parameters);
        for (index, ((&argument, value), parameter)) in pairs.enumerate() {
            self.argument(index, argument, value, parameter);
        }
        result
    }

    fn argument(&mut self, index: usize, node: NodeId, value: &Value, parameter: &Symbol) {
        let span = self.span(node);
        if value.undefined {
            return;
        }
        if let Role::Gather {
            rank,
            extents,
            fixed,
        } = &parameter.role
        {
            let element = (parameter.ty, *fixed);
            self.array_argument(index, node, value, (*rank, extents, element));
            return;
        }
        match (&value.array, &parameter.role) {
            (None, _) => {}
            (Some(Role::Shared(_) | Role::LocalArray | Role::Field(_)), _) => {
                self.report(&codes::BROOK_ARGUMENT_LOCAL, span, &[&index]);
                return;
            }
            (Some(_), Role::Value) => {
                self.report(&codes::BROOK_ARGUMENT_VALUE, span, &[&index]);
                return;
            }
            (Some(_), _) => {
                self.report(&codes::BROOK_ARGUMENT_STREAM, span, &[&index]);
                return;
            }
        }
        let writes = matches!(parameter.role, Role::StreamOut | Role::Reduce);
        if writes && !self.is_target(node) {
            self.report(&codes::BROOK_ARGUMENT_LVALUE, span, &[&index]);
            return;
        }
        let target = self.context.tree.unparenthesized(node);
        if writes && self.kind(target) == Kind::FieldExpression {
            self.written_field(target);
        }
        let (given, taken) = (value.ty.arithmetic(), parameter.ty.arithmetic());
        if let (true, false, Some(_), Some(to)) = (self.checking.brookgpu, writes, given, taken) {
            self.converts(node, value.ty, to);
        } else if value.ty != parameter.ty {
            let (found, wanted) = (self.show(value.ty), self.show(parameter.ty));
            let code = &codes::BROOK_ARGUMENT_MISMATCH;
            self.following(value.guessed, |this| {
                this.report(code, span, &[&index, &found, &wanted]);
            });
        }
    }

    fn array_argument(
        &mut self,
        index: usize,
        node: NodeId,
        value: &Value,
        (rank, extents, element): (usize, &[u64], (Ty, Option<Fixed>)),
    ) {
        let span = self.span(node);
        let (given, sizes, stored) = match &value.array {
            Some(Role::Gather {
                rank,
                extents,
                fixed,
            }) => (*rank, extents, *fixed),
            Some(Role::Shared(_) | Role::LocalArray | Role::Field(_)) => {
                self.report(&codes::BROOK_ARGUMENT_LOCAL, span, &[&index]);
                return;
            }
            _ => {
                self.report(&codes::BROOK_ARGUMENT_GATHER, span, &[&index]);
                return;
            }
        };
        if given != rank {
            self.report(&codes::BROOK_ARGUMENT_DIMENSIONS, span, &[&index]);
        } else if sizes.is_empty() != extents.is_empty() {
            self.report(&codes::BROOK_ARGUMENT_RESOURCE, span, &[&index]);
        } else if sizes.as_slice() != extents {
            self.report(&codes::BROOK_ARGUMENT_EXTENTS, span, &[&index]);
        } else if (value.ty, stored) != element {
            let name = |(ty, fixed): (Ty, Option<Fixed>)| match fixed {
                Some(fixed) => fixed.to_string(),
                None => self.show(ty),
            };
            let (found, wanted) = (name((value.ty, stored)), name(element));
            let code = &codes::BROOK_ARGUMENT_MISMATCH;
            self.report(code, span, &[&index, &found, &wanted]);
        }
    }

    /// Whether an expression can be an `out` argument.
    fn is_target(&self, node: NodeId) -> bool {
        let node = self.context.tree.unparenthesized(node);
        let root = self.root(node);
        let role = self.role(root);
        matches!(
            role,
            Some(Role::Local { constant: false } | Role::StreamOut | Role::Vout | Role::Reduce)
        ) && matches!(self.kind(node), Kind::Identifier | Kind::FieldExpression)
    }
}

/// `(float4)(a + b)`, which the grammar takes for a call: the type and the operand.
pub(in crate::analyze::brook) fn cast_in_brackets(
    tree: &Tree,
    function: NodeId,
    list: NodeId,
) -> Option<(NodeId, NodeId)> {
    let name = tree.unparenthesized(function);
    let mut arguments = tree.children(list);
    let (operand, rest) = (arguments.next()?, arguments.next());
    let brackets = tree.kind(function) == Kind::ParenthesizedExpression;
    let named = matches!(tree.kind(name), Kind::Identifier | Kind::TypeIdentifier);
    (brackets && named && rest.is_none()).then_some((name, operand))
}

/// The vector type that stands in brackets before other brackets.
fn vector_in_brackets(tree: &Tree, function: NodeId, words: &str) -> Option<Type> {
    let name = words.trim_matches(['(', ')', ' ']);
    let brackets = tree.kind(function) == Kind::ParenthesizedExpression;
    Type::from_words(name).filter(|t| brackets && t.is_vector())
}

/// The functions that ask where the kernel is, and the one that waits for its group.
pub(super) const POSITIONS: [&str; 4] = ["indexof", "instance", "instanceInGroup", "syncGroup"];
