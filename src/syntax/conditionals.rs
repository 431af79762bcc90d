//! `c ? a : b = d` means `c ? a : (b = d)` in C++. The grammar reads `(c ? a : b) = d`, as C has it.

use super::tree::NONE;
use super::{Field, Kind, Tree};
use crate::source::Span;

/// Puts assignments that a conditional stands on the left of into that, as its last operand.
pub(super) fn assignments_in_conditionals(tree: &mut Tree) {
    for at in 0..tree.nodes.len() {
        // An assignment that goes down one conditional may stand before another one there, and is met again.
        move_down(tree, at);
    }
}

/// In pre-order, the assignment goes behind all that the conditional has before its last operand.
fn move_down(tree: &mut Tree, at: usize) -> Option<()> {
    let assignment = *tree.nodes.get(at)?;
    let conditional = *tree.nodes.get(at + 1)?;
    let is_one = assignment.kind == Kind::AssignmentExpression
        && conditional.kind == Kind::ConditionalExpression
        && conditional.field == Field::Left;
    if !is_one {
        return None;
    }
    let mut last = conditional.first_child as usize;
    let mut before_last = None;
    while tree.nodes.get(last)?.next_sibling != NONE {
        before_last = Some(last);
        last = tree.nodes.get(last)?.next_sibling as usize;
    }
    let (before_last, to) = (before_last?, last - 1);
    if tree.nodes.get(last)?.field != Field::Alternative {
        return None;
    }
    let start = tree.nodes.get(last)?.span.start;
    tree.nodes.get_mut(at..last)?.rotate_left(1);
    // What stood between the two is one place further ahead; the conditional is where the assignment was.
    let moved = |index: u32| match index as usize {
        i if i > at && i < last => index - 1,
        _ => index,
    };
    for node in tree.nodes.get_mut(at..to)? {
        node.parent = moved(node.parent);
        node.first_child = moved(node.first_child);
        node.next_sibling = moved(node.next_sibling);
    }
    let outer = tree.nodes.get_mut(at)?;
    outer.span = assignment.span;
    (outer.field, outer.parent) = (assignment.field, assignment.parent);
    (outer.first_child, outer.next_sibling) = (at as u32 + 1, assignment.next_sibling);
    tree.nodes.get_mut(before_last - 1)?.next_sibling = to as u32;
    let inner = tree.nodes.get_mut(to)?;
    inner.span = Span::new(start, assignment.span.end);
    (inner.field, inner.parent) = (Field::Alternative, at as u32);
    (inner.first_child, inner.next_sibling) = (last as u32, NONE);
    let left = tree.nodes.get_mut(last)?;
    (left.field, left.next_sibling) = (Field::Left, conditional.next_sibling);
    let mut operand = last;
    while operand != NONE as usize {
        let node = tree.nodes.get_mut(operand)?;
        node.parent = to as u32;
        operand = node.next_sibling as usize;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use crate::diagnostics::Sink;
    use crate::source::Provenance;
    use crate::syntax::{Grammar, Kind, NodeId, Tree, parse_as};

    /// The tree's text, with brackets around what an assignment or a conditional is made of.
    fn printed(tree: &Tree, node: NodeId, text: &str) -> String {
        let all: Vec<String> = tree
            .children(node)
            .map(|c| printed(tree, c, text))
            .collect();
        match tree.kind(node) {
            Kind::AssignmentExpression | Kind::ConditionalExpression => {
                format!("[{}]", all.join(" "))
            }
            _ if all.is_empty() => tree.text(node, text).to_string(),
            _ => all.join(" "),
        }
    }

    fn check(expression: &str, expected: &str) {
        let text = format!("void f() {{ {expression}; }}");
        let mut sink = Sink::default();
        let provenance = Provenance::default();
        let tree = parse_as(
            (&text, &text),
            Grammar::Cpp,
            &[],
            None,
            &provenance,
            &mut sink,
        );
        let root = tree.root().expect("a tree");
        let statements = tree.descendants(root);
        let mut statements = statements.filter(|&n| tree.kind(n) == Kind::ExpressionStatement);
        let statement = statements.next().expect("a statement");
        assert_eq!(printed(&tree, statement, &text), expected, "{expression}");
        for node in tree.descendants(root).skip(1) {
            let parent = tree.parent(node).expect("all but the root are somewhere");
            assert!(tree.children(parent).any(|c| c == node), "{expression}");
            assert!(tree.span(parent).contains(tree.span(node)), "{expression}");
            assert!(tree.end_of(node) <= tree.end_of(parent), "{expression}");
        }
    }

    #[test]
    fn assignments_belong_to_the_last_operand() {
        check("c ? a : b = d", "[c a [b = d]]");
        check("c ? a = 1 : b[i] += d(2, 3)", "[c [a = 1] [b i += d 2 3]]");
        check("x = c ? a : b = d", "[x = [c a [b = d]]]");
        check("c ? a : b = d = e", "[c a [b = [d = e]]]");
        check("c ? a : d ? e : b = 1", "[c a [d e [b = 1]]]");
        check("c ? a : b = d ? e : g = 2", "[c a [b = [d e [g = 2]]]]");
        check("c ? i ? a : b = 1 : d = 2", "[c [i a [b = 1]] [d = 2]]");
        check("f(c ? a : b = d, 2)", "f [c a [b = d]] 2");
    }

    #[test]
    fn what_stands_in_parentheses_stays() {
        check("(c ? a : b) = d", "[[c a b] = d]");
        check("c ? a : (b = d)", "[c a [b = d]]");
        check("a = c ? b : d", "[a = [c b d]]");
    }
}
