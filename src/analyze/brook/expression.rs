use super::body::{Body, Meaning, ReduceUse};
use super::check::literal;
use crate::expr;
use crate::module::{Base, ConstructKind, Conversion, ParameterKind, Type};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Body<'_, '_> {
    pub(super) fn word(&self, node: NodeId) -> &str {
        self.context.tree.text(node, self.context.text)
    }

    pub(super) fn span(&self, node: NodeId) -> Span {
        self.context.tree.span(node)
    }

    pub(super) fn part(&self, node: NodeId, field: Field) -> Option<NodeId> {
        self.context.tree.child(node, field)
    }

    /// The operator of an expression, as one of the language's own.
    pub(super) fn operator(&self, node: NodeId) -> &'static str {
        const ALL: &[&str] = &[
            "+", "-", "*", "/", "%", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "|", "^",
            "&&", "||", "!", "~", "++", "--", "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=",
            "&=", "|=", "^=",
        ];
        let text = self
            .part(node, Field::Operator)
            .map_or("", |o| self.word(o));
        ALL.iter().find(|o| **o == text).copied().unwrap_or("")
    }

    /// The constructs of an expression. Returns the type it has where it stands: what it is converted to,
    /// if it is; `None` for what is worth nothing.
    pub(super) fn expression(&mut self, node: NodeId) -> Option<Type> {
        let tree = self.context.tree;
        match tree.kind(node) {
            Kind::Identifier => self.name(node),
            Kind::BinaryExpression => self.binary(node),
            Kind::UnaryExpression => self.unary(node),
            Kind::AssignmentExpression => self.assignment(node),
            Kind::CastExpression => self.cast(node),
            Kind::CallExpression => self.call(node),
            Kind::SubscriptExpression => self.gather(node),
            Kind::FieldExpression => self.swizzle(node),
            Kind::UpdateExpression => self.update(node),
            Kind::ConditionalExpression => self.conditional(node),
            Kind::NumberLiteral if self.number(node) => {
                self.value(node);
                return self.facts.conversion(node);
            }
            // Parentheses and commas: nothing but their parts.
            _ => {
                for child in tree.children(node) {
                    self.expression(child);
                }
            }
        }
        self.truth(node);
        self.value(node);
        let from = self.facts.number(node)?;
        let Some(to) = self.facts.conversion(node) else {
            return Some(from);
        };
        let span = self.span(node);
        let conversion = Conversion { from, to };
        let value = span;
        self.unit
            .push(span, ConstructKind::Cast { value, conversion });
        Some(to)
    }

    /// A number as it is written; `true` if it needs no conversion, having the wanted type already.
    fn number(&mut self, node: NodeId) -> bool {
        let word = self.word(node).to_string();
        let plain = literal(&word);
        if self.facts.conversion(node) == Some(plain) {
            return true;
        }
        self.large(node, plain);
        let float = self.facts.number(node) == Some(Type::scalar(Base::Float));
        if float && plain.base != Base::Float {
            let text = match plain.base {
                Base::Double => format!("{word}f"),
                _ => expr::parse(&word)
                    .ok()
                    .and_then(|value| expr::constant(&value))
                    .map_or(word.clone(), |n| format!("{n}.0f")),
            };
            let span = self.span(node);
            self.unit.push(span, ConstructKind::Written(text));
        }
        false
    }

    /// An integer as it is written that C has a wider type for, or one without a sign.
    fn large(&mut self, node: NodeId, plain: Type) {
        if plain.base != Base::Int || self.facts.number(node) != Some(plain) {
            return;
        }
        let value = expr::parse(self.word(node)).ok();
        let value = value.and_then(|v| expr::constant(&v));
        let plain = |v: &i64| i32::try_from(*v).is_ok_and(|v| v != i32::MIN);
        if let Some(value) = value.filter(|v| !plain(v)) {
            let span = self.span(node);
            let text = format!("(int){}u", value as u32);
            self.unit.push(span, ConstructKind::Written(text));
        }
    }

    fn conditional(&mut self, node: NodeId) {
        let Some(condition) = self.part(node, Field::Condition) else {
            return;
        };
        let ty = self.expression(condition);
        if let Some(picks) = ty.filter(|t| t.is_vector()) {
            self.select(node, (condition, picks));
            return;
        }
        if ty.is_some_and(|t| matches!(t.base, Base::Float | Base::Double)) {
            let span = self.span(condition);
            self.unit.push(span, ConstructKind::FloatCondition);
        }
        for field in [Field::Consequence, Field::Alternative] {
            if let Some(arm) = self.part(node, field) {
                self.expression(arm);
            }
        }
    }

    fn select(&mut self, node: NodeId, (condition, picks): (NodeId, Type)) {
        let (Some(yes), Some(no), Some(ty)) = (
            self.part(node, Field::Consequence),
            self.part(node, Field::Alternative),
            self.facts.number(node),
        ) else {
            return;
        };
        self.expression(yes);
        self.expression(no);
        let what = ConstructKind::Select {
            condition: self.span(condition),
            picks,
            yes: self.span(yes),
            no: self.span(no),
            ty,
        };
        let span = self.span(node);
        self.unit.push(span, what);
    }

    fn name(&mut self, node: NodeId) {
        let span = self.span(node);
        self.unit.push(span, ConstructKind::Name);
        let kind = match self.lookup(node) {
            // Arrays are passed by address in C, too.
            Some(Meaning::Parameter(p)) if p.element_sizes.is_empty() => p.kind.clone(),
            _ => return,
        };
        match kind {
            ParameterKind::StreamOut { .. } | ParameterKind::Vout | ParameterKind::Out => {
                self.unit.push(span, ConstructKind::OutputName);
            }
            ParameterKind::Reduce => {
                self.unit.push(span, ConstructKind::OutputName);
                self.reduce = ReduceUse::Otherwise;
            }
            _ => {}
        }
    }

    fn binary(&mut self, node: NodeId) {
        let (Some(left), Some(right)) =
            (self.part(node, Field::Left), self.part(node, Field::Right))
        else {
            return;
        };
        let operator = self.operator(node);
        let (a, b) = (self.expression(left), self.expression(right));
        if let (Some(a), Some(_)) = (a, b) {
            self.combine(node, operator, (left, a), right, false);
            self.contract(node, operator, (left, right), a, false);
        }
    }

    /// The construct that `left OP right` needs, if it needs one.
    fn combine(
        &mut self,
        node: NodeId,
        operator: &'static str,
        (left, operand): (NodeId, Type),
        right: NodeId,
        assigns: bool,
    ) {
        let relational = matches!(
            operator,
            "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||"
        );
        let divides = matches!(operator, "/" | "%") && operand.base.is_integer();
        let shifts = matches!(operator, "<<" | ">>");
        // Sums, differences and products of values are found by what they can be.
        let sums = matches!(operator, "+" | "-" | "*");
        let wraps = operand.base.is_small() && !relational && (assigns || !sums);
        let overflows = assigns && self.overflows(node, operator, operand);
        if overflows {
            self.join(right, operand);
        }
        if divides || shifts || wraps || overflows || (relational && operand.is_vector()) {
            let span = self.span(node);
            let what = ConstructKind::Operator {
                operator,
                left: self.span(left),
                right: self.span(right),
                operand,
                assigns,
            };
            self.unit.push(span, what);
        }
    }

    fn unary(&mut self, node: NodeId) {
        let Some(argument) = self.part(node, Field::Argument) else {
            return;
        };
        let Some(ty) = self.expression(argument) else {
            return;
        };
        let operator = self.operator(node);
        let wraps = ty.base.is_small() && matches!(operator, "+" | "~");
        let literal = self.context.tree.kind(argument) == Kind::NumberLiteral;
        let negates = self.context.contract && operator == "-" && !ty.base.is_integer() && !literal;
        if wraps || negates || (operator == "!" && ty.is_vector()) {
            let at = self.span(argument);
            let what = ConstructKind::Operator {
                operator,
                left: Span::at(at.start),
                right: at,
                operand: ty,
                assigns: false,
            };
            let span = self.span(node);
            self.unit.push(span, what);
        }
    }

    fn cast(&mut self, node: NodeId) {
        if let Some(operand) = self.part(node, Field::Value) {
            self.cast_of(node, operand);
        }
    }

    pub(super) fn cast_of(&mut self, node: NodeId, operand: NodeId) {
        let from = self.expression(operand);
        let (Some(from), Some(to)) = (from, self.facts.number(node)) else {
            return;
        };
        let span = self.span(node);
        let value = self.span(operand);
        let conversion = Conversion { from, to };
        self.unit
            .push(span, ConstructKind::Cast { value, conversion });
    }

    fn assignment(&mut self, node: NodeId) {
        let (Some(left), Some(right)) =
            (self.part(node, Field::Left), self.part(node, Field::Right))
        else {
            return;
        };
        let operator = self.operator(node);
        let plain = operator.strip_suffix('=').unwrap_or("");
        let tree = self.context.tree;
        let left = tree.unparenthesized(left);
        if let Some(element) = self.scattered(left) {
            self.scatter(node, (left, element), plain, right);
            return;
        }
        if tree.kind(left) == Kind::FieldExpression
            && self.swizzle_assignment(node, left, plain, right)
        {
            return;
        }
        let before = self.reduce;
        let direct = tree.kind(left) == Kind::Identifier && self.is_reduction(left);
        let wanted = self.expression(left);
        if direct {
            // This mention of the variable is the assignment itself.
            let combines = matches!(plain, "+" | "*" | "|" | "^" | "&");
            self.reduce = match before {
                ReduceUse::Unused if combines => ReduceUse::Operator(plain),
                ReduceUse::Operator(other) if other == plain => before,
                _ => ReduceUse::Otherwise,
            };
        }
        self.expression(right);
        if let (Some(operand), Some(ty)) = (self.facts.operand(node), wanted) {
            let what = ConstructKind::Compound {
                operator: plain,
                left: self.span(left),
                ty,
                value: self.span(right),
                operand,
            };
            let span = self.span(node);
            self.unit.push(span, what);
        } else if let (false, Some(wanted)) = (plain.is_empty(), wanted) {
            self.combine(node, plain, (left, wanted), right, true);
            self.contract(node, plain, (left, right), wanted, true);
        }
    }

    fn is_reduction(&self, name: NodeId) -> bool {
        let meaning = self.lookup(name);
        matches!(meaning, Some(Meaning::Parameter(p)) if p.kind == ParameterKind::Reduce)
    }
}
