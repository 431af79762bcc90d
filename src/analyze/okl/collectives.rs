//! Functions of a whole group: where they are called, with what, and whether all items get there.

use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::expr::Scalar;
use crate::lex::mentions;
use crate::module::{
    Collective, CollectiveFunction, CollectiveKind, ConstructKind, Declared, Declares, LoopKind,
};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, attributes_of, decorated};
use foldhash::HashMap;

/// What all names of such functions begin with.
const PREFIXES: [&str; 2] = ["work_group_", "okl_shfl_"];

/// Their calls, by node, with the types of the values.
pub(super) type Calls = HashMap<usize, (CollectiveFunction, Option<Scalar>)>;

/// Finds the calls of those that the program does not declare itself.
pub(super) fn collectives(context: &Context<'_>, unit: &mut Unit, declared: &Declared) {
    let (tree, text) = (context.tree, context.text);
    let Some(root) = tree
        .root()
        .filter(|_| PREFIXES.iter().any(|p| text.contains(p)))
    else {
        return;
    };
    for node in tree.descendants(root) {
        let Some(name) = called(tree, node, text) else {
            continue;
        };
        let own = declared
            .get(name)
            .is_some_and(|d| !Declares::leaves_device_code(d));
        let Some(function) = CollectiveFunction::from_name(name).filter(|_| !own) else {
            continue;
        };
        let scalar = match function.is_vote() {
            true => Some(Scalar::Int),
            false => arguments(tree, node)
                .get(usize::from(function.is_shuffle()))
                .and_then(|a| context.sema.scalar(*a))
                .map(Scalar::promoted),
        };
        unit.collectives.insert(node.index(), (function, scalar));
    }
}

/// The name of what a node calls.
fn called<'t>(tree: &Tree, node: NodeId, text: &'t str) -> Option<&'t str> {
    let function = (tree.kind(node) == Kind::CallExpression)
        .then(|| tree.child(node, Field::Function))
        .flatten()?;
    (tree.kind(function) == Kind::Identifier).then(|| tree.text(function, text))
}

fn arguments(tree: &Tree, call: NodeId) -> Vec<NodeId> {
    let list = tree.child(call, Field::Arguments);
    list.map_or(Vec::new(), |l| tree.children(l).collect())
}

impl Walk<'_, '_> {
    /// A call, if it is one of a function of the group.
    pub(super) fn collective(&mut self, call: NodeId) {
        let Some((function, scalar)) = self.unit.collectives.get(&call.index()).copied() else {
            return;
        };
        self.waits += 1;
        let tree = self.context.tree;
        let span = tree.span(call);
        let name = function.name();
        let given = arguments(tree, call);
        let (least, most) = match function.kind {
            CollectiveKind::Broadcast => (2, 4),
            CollectiveKind::Shuffle(_) => (3, 3),
            _ => (1, 1),
        };
        if !(least..=most).contains(&given.len()) {
            let wanted = match most {
                1 => "one argument",
                3 => "a mask, a value and a lane",
                _ => "a value and the place of an item: 2 to 4 arguments",
            };
            self.context
                .error(&codes::COLLECTIVE_ARGUMENTS, span, &[&name, &wanted]);
            return;
        }
        let inside = self
            .current
            .filter(|id| self.unit.loops[id.0 as usize].kind == LoopKind::Inner);
        let scope = self.outermost_inner(call);
        let mut spans: Vec<Span> = given.iter().map(|&a| tree.span(a)).collect();
        let (Some(inside), Some(nest), Some(scope)) = (inside, self.root, scope) else {
            if function.is_shuffle() {
                let arguments = spans.into_iter().map(|a| (a, false)).collect();
                self.unit
                    .push(span, ConstructKind::Intrinsic { name, arguments });
                return;
            }
            self.context.error(&codes::COLLECTIVE_PLACE, span, &[&name]);
            return;
        };
        if function.is_shuffle() {
            spans.rotate_left(1);
        }
        let divided = self.divides_items(call, scope);
        if let Some(why) = divided.as_ref().filter(|_| !function.is_shuffle()) {
            self.context
                .error(&codes::COLLECTIVE_DIVERGES, span, &[&name, &why]);
            return;
        }
        self.not_plain();
        self.unit.push(
            span,
            ConstructKind::Collective(Collective {
                function,
                arguments: spans,
                scalar,
                inside,
                nest,
                cut: None,
                divided,
                repeated: self.is_repeated(call),
            }),
        );
    }

    /// The calls in the body of an inner loop that belong to it.
    pub(super) fn collectives_of(&self, body: NodeId) -> Vec<NodeId> {
        if self.unit.collectives.is_empty() {
            return Vec::new();
        }
        let all = self.context.tree.descendants(body);
        all.filter(|n| self.unit.collectives.contains_key(&n.index()) && self.belongs(*n, body))
            .collect()
    }

    /// The outermost inner loop around a node.
    fn outermost_inner(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let mut found = None;
        let mut at = tree.parent(node);
        while let Some(around) = at {
            match tree.kind(around) {
                Kind::AttributedStatement
                    if tree.kind(decorated(tree, around)) == Kind::ForStatement =>
                {
                    let inner = attributes_of(tree, around, self.context.text)
                        .iter()
                        .any(|a| {
                            a.name == "inner"
                                || a.name == "tile" && mentions(&a.arguments, &["inner"])
                        });
                    if inner {
                        found = Some(around);
                    }
                }
                // What a function of its own does happens whenever that is called.
                Kind::LambdaExpression => return None,
                _ => {}
            }
            at = tree.parent(around);
        }
        found
    }

    /// Whether an ordinary loop repeats the call within its group.
    fn is_repeated(&self, call: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = self.current;
        while let Some(id) = at {
            let this = &self.unit.loops[id.0 as usize];
            if this.kind == LoopKind::Sequential {
                return true;
            }
            at = this.parent;
        }
        let mut at = tree.parent(call);
        while let Some(around) = at {
            let attributed = tree
                .parent(around)
                .is_some_and(|p| tree.kind(p) == Kind::AttributedStatement);
            match tree.kind(around) {
                Kind::ForStatement if attributed => {}
                Kind::ForStatement
                | Kind::ForRangeLoop
                | Kind::WhileStatement
                | Kind::DoStatement
                | Kind::LabeledStatement => return true,
                _ => {}
            }
            at = tree.parent(around);
        }
        mentions(self.context.text, &["goto"])
    }
}

/// The statement in front of which a call can be made that its value calls, in the text.
pub(super) fn cut_of(tree: &Tree, call: NodeId, body: NodeId) -> Option<NodeId> {
    let mut at = call;
    loop {
        let around = tree.parent(at)?;
        match tree.kind(around) {
            Kind::ExpressionStatement => {
                at = around;
                break;
            }
            Kind::Declaration => {
                // What stands before it in the declaration comes first.
                let mut parts = tree.children(around);
                let first = parts.find(|&c| matches!(tree.field(c), Field::Declarator));
                if first != Some(at) {
                    return None;
                }
                at = around;
                break;
            }
            Kind::IfStatement | Kind::SwitchStatement => {
                let clause = tree.field(at) == Field::Condition;
                let plain = !tree
                    .descendants(at)
                    .any(|n| matches!(tree.kind(n), Kind::Declaration | Kind::InitStatement));
                if !clause || !plain {
                    return None;
                }
                at = around;
                break;
            }
            Kind::CompoundStatement
            | Kind::ForStatement
            | Kind::ForRangeLoop
            | Kind::WhileStatement
            | Kind::DoStatement
            | Kind::ReturnStatement
            | Kind::CaseStatement
            | Kind::LambdaExpression => return None,
            _ => at = around,
        }
    }
    // `@atomic` and its like stand around what they decorate.
    while let Some(around) = tree.parent(at)
        && at != body
        && tree.kind(around) == Kind::AttributedStatement
    {
        at = around;
    }
    let in_block = |n: NodeId| {
        tree.parent(n)
            .is_some_and(|p| tree.kind(p) == Kind::CompoundStatement)
    };
    (at == body || in_block(at)).then_some(at)
}
