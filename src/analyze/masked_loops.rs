//! Masked loops, as `passes/masked_loops/` finds them, in terms of the text: what stands before them and behind becomes
//! functions or loops of its own, as it is written.

use crate::expr::Scalar;
use crate::lex::is_long_double;
use crate::module::MaskedLoopPlan;
use crate::passes::MaskedLoop;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree};

/// The text that such a loop stands in.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) tree: &'t Tree,
    pub(super) text: &'t str,
}

/// Whether there may be such a loop in a block, as far as can be seen without looking at names: most loops read memory.
pub(super) fn may_have(tree: &Tree, block: NodeId) -> bool {
    tree.children(block).any(|s| may_suit(tree, s))
}

/// Whether numbers of more bits than lanes have are anywhere in the text.
pub(super) fn has_long_doubles(tree: &Tree, text: &str) -> bool {
    let mut all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
    all.any(|n| match tree.kind(n) {
        Kind::SizedType => {
            let words = tree.text(n, text);
            words.split_ascii_whitespace().any(|w| w == "double")
        }
        Kind::NumberLiteral => is_long_double(tree.text(n, text)),
        _ => false,
    })
}

/// Whether a statement may be one.
pub(super) fn may_suit(tree: &Tree, node: NodeId) -> bool {
    let is_loop = |kind| {
        matches!(
            kind,
            Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement | Kind::ForRangeLoop
        )
    };
    let kind = tree.kind(node);
    let suits = |n: NodeId| {
        let kind = tree.kind(n);
        let other = matches!(
            kind,
            Kind::SubscriptExpression
                | Kind::PointerExpression
                | Kind::FieldExpression
                | Kind::SwitchStatement
                | Kind::AttributedStatement
                | Kind::LambdaExpression
                | Kind::UsingDeclaration
                | Kind::NamespaceAlias
        );
        n == node || !(other || is_loop(kind))
    };
    kind != Kind::ForRangeLoop && is_loop(kind) && tree.descendants(node).all(suits)
}

impl Text<'_> {
    /// The loop of a function with that body; `result` is the number that the function gives back.
    pub(super) fn of_function(
        self,
        body: NodeId,
        found: MaskedLoop,
        result: Option<Scalar>,
    ) -> Option<MaskedLoopPlan> {
        let tree = self.tree;
        let statements: Vec<NodeId> = tree.children(body).collect();
        let at = statements
            .iter()
            .position(|&s| tree.span(s) == found.span)?;
        let (before, rest) = (statements.get(..at)?, statements.get(at + 1..)?);
        let parts = before.iter().all(|&s| self.can_be_parted(s));
        if !parts || !rest.iter().all(|&s| self.can_stand_apart(s)) {
            return None;
        }
        // A name may stand for itself in sizes of arrays only where it is a constant.
        let mut declares = before.iter();
        let declares = declares.any(|&s| tree.kind(s) == Kind::Declaration);
        if declares && rest.iter().any(|&s| self.wants_constants(s)) {
            return None;
        }
        let early = before.iter().flat_map(|&s| tree.descendants(s));
        let early = early.filter(|&n| tree.kind(n) == Kind::ReturnStatement);
        let early: Vec<(Span, Option<Span>)> = early
            .map(|n| (tree.span(n), tree.children(n).next().map(|v| tree.span(v))))
            .collect();
        let mut plan = self.of_loop(found, result)?;
        plan.body = tree.span(body);
        plan.returns |= !early.is_empty();
        plan.early = early;
        Some(plan)
    }

    /// A loop by itself.
    pub(super) fn of_loop(
        self,
        found: MaskedLoop,
        result: Option<Scalar>,
    ) -> Option<MaskedLoopPlan> {
        let tree = self.tree;
        let node = tree.within(found.span).find(|&n| {
            let known = matches!(
                tree.kind(n),
                Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement
            );
            known && tree.span(n) == found.span
        })?;
        let initial = tree.child(node, Field::Initializer).map(|i| {
            // A declaration has its semicolon, an expression has not.
            let span = tree.span(i);
            let rest = self.text.get(span.end as usize..).unwrap_or_default();
            let closed = span.of(self.text).ends_with(';');
            let gap = rest.find(';').filter(|_| !closed);
            Span::new(span.start, span.end + gap.map_or(0, |at| at as u32 + 1))
        });
        Some(MaskedLoopPlan {
            body: found.span,
            parameters: Span::at(found.span.start),
            early: Vec::new(),
            span: found.span,
            initial,
            condition: found.condition,
            runs_once: found.runs_once,
            statements: found.statements,
            update: found.update,
            variables: found.variables.into_iter().map(|(_, v)| v).collect(),
            mixes: found.mixes,
            continues: found.continues,
            returns: found.returns,
            result,
            exits: found.exits,
        })
    }

    /// Whether what follows a statement can stand in another function than it: nothing of what it declares is needed there but
    /// its variables.
    pub(super) fn can_be_parted(self, statement: NodeId) -> bool {
        let tree = self.tree;
        tree.descendants(statement).all(|n| {
            !matches!(
                tree.kind(n),
                Kind::GotoStatement
                    | Kind::LabeledStatement
                    | Kind::AttributedStatement
                    | Kind::LambdaExpression
                    | Kind::StructSpecifier
                    | Kind::ClassSpecifier
                    | Kind::UnionSpecifier
                    | Kind::EnumSpecifier
                    | Kind::TypeDefinition
                    | Kind::AliasDeclaration
                    | Kind::UsingDeclaration
                    | Kind::NamespaceAlias
            )
        })
    }

    /// Whether a statement can stand in another function than what is before it.
    pub(super) fn can_stand_apart(self, statement: NodeId) -> bool {
        let tree = self.tree;
        tree.descendants(statement).all(|n| {
            !matches!(
                tree.kind(n),
                Kind::GotoStatement | Kind::LabeledStatement | Kind::AttributedStatement
            )
        })
    }

    /// Whether a statement may need the value of a constant at compile time.
    pub(super) fn wants_constants(self, statement: NodeId) -> bool {
        let tree = self.tree;
        tree.descendants(statement).any(|n| {
            matches!(
                tree.kind(n),
                Kind::ArrayDeclarator
                    | Kind::TemplateType
                    | Kind::TemplateFunction
                    | Kind::CaseStatement
                    | Kind::StaticAssert
                    | Kind::LambdaExpression
                    | Kind::InitializerList
                    | Kind::Decltype
            )
        })
    }
}
