use super::array_pointers::original;
use super::depth::deepest;
use super::marks::Mark;
use super::parse::Names;
use super::{Field, Kind, NodeId, Tree};
use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::source::{Provenance, Span};

/// What the parser numbers an error with.
const ERROR: u16 = u16::MAX;

/// Copies named nodes and operators in one iterative walk, and puts attributes where they belong.
pub(super) fn copy(
    from: &tree_sitter::Tree,
    names: &Names,
    text: &str,
    marks: &mut [Mark],
    provenance: &Provenance,
    sink: &mut Sink,
) -> Tree {
    let mut tree = Tree {
        nodes: Vec::with_capacity(text.len() / 6 + 16),
    };
    let mut cursor = from.walk();
    let most = deepest();
    // For each level of the walk: the copied parent and its last copied child.
    let mut levels: Vec<(Option<NodeId>, Option<NodeId>)> = vec![(None, None)];
    loop {
        let node = cursor.node();
        let field = cursor
            .field_id()
            .and_then(|id| names.fields.get(id.get() as usize).copied())
            .unwrap_or(Field::Other);
        let kind = if node.is_missing() {
            Kind::Missing
        } else {
            // Errors have a number of their own, behind those of all kinds.
            match node.kind_id() {
                ERROR => Kind::Error,
                number => { names.kinds.get(number as usize).copied() }.unwrap_or(Kind::Other),
            }
        };
        // A name that the grammar reads a number for.
        let kind = match kind {
            Kind::NumberLiteral if is_name(text, node.start_byte()) => {
                match text
                    .get(node.byte_range())
                    .is_some_and(|name| name.contains("::"))
                {
                    true => Kind::QualifiedIdentifier,
                    false => Kind::Identifier,
                }
            }
            kind => kind,
        };
        let mut span = Span::from(node.byte_range());
        let kind = match kind {
            Kind::SizedType => match original(text, span) {
                Some(other) => {
                    span = other.1;
                    other.0
                }
                None => kind,
            },
            kind => kind,
        };
        let wanted = matches!(kind, Kind::Missing | Kind::Error)
            || field == Field::Operator
            || (node.is_named() && !node.is_extra());
        if levels.len() > most {
            sink.push(Diagnostic::at(&codes::TOO_DEEP, provenance, span, &[&most]));
            return Tree::default();
        }
        if wanted {
            let (parent, previous) = levels.last().copied().unwrap_or((None, None));
            let mut place = Place {
                tree: &mut tree,
                marks,
                parent,
                previous,
            };
            let ends_here = |child: tree_sitter::Node<'_>| child.end_byte() == span.end as usize;
            let innermost = field == Field::Declarator
                && kind != Kind::InitDeclarator
                && !node
                    .child_by_field_name("declarator")
                    .is_some_and(ends_here);
            let (outer, inner, last) = place.put(span, kind, field, innermost);
            if let Some(level) = levels.last_mut() {
                level.1 = Some(outer);
            }
            // An unnamed node has no children of interest.
            if cursor.goto_first_child() {
                levels.push((Some(inner), last));
                continue;
            }
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return tree;
            }
            levels.pop();
        }
    }
}

fn is_name(text: &str, at: usize) -> bool {
    let first = text.as_bytes().get(at);
    first.is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b':') || !b.is_ascii())
}

/// Where the next node goes, and the attributes that may go with it.
struct Place<'p> {
    tree: &'p mut Tree,
    marks: &'p mut [Mark],
    parent: Option<NodeId>,
    previous: Option<NodeId>,
}

impl Place<'_> {
    /// Adds a node with its attributes. Returns the node that stands among its siblings, the node
    /// that its children go into, and that node's last child so far.
    fn put(
        &mut self,
        span: Span,
        kind: Kind,
        field: Field,
        innermost: bool,
    ) -> (NodeId, NodeId, Option<NodeId>) {
        let (parent, previous) = (self.parent, self.previous);
        if is_declaration(kind) {
            let attributes = self.before(span.start);
            let start = attributes.first().map_or(span.start, |a| a.start);
            let end = match kind {
                // Nothing closes a parameter, so attributes after its name are its last words.
                Kind::ParameterDeclaration => self.end_behind(span.end),
                _ => span.end,
            };
            let id = self.add(Span::new(start, end), kind, field, parent, previous);
            let last = self.add_attributes(&attributes, id);
            return (id, id, last);
        }
        let attributes = match (is_statement(kind), innermost) {
            (true, _) => self.before(span.start),
            (_, true) => self.behind(span.end),
            _ => Vec::new(),
        };
        if attributes.is_empty() {
            let id = self.add(span, kind, field, parent, previous);
            return (id, id, None);
        }
        let whole = attributes.iter().fold(span, |s, a| s.to(*a));
        let wrapper = match innermost {
            true => Kind::AttributedDeclarator,
            false => Kind::AttributedStatement,
        };
        let outer = self.add(whole, wrapper, field, parent, previous);
        let last = self.add_attributes(&attributes, outer);
        let inner = self.add(span, kind, Field::Other, Some(outer), last);
        (outer, inner, None)
    }

    fn add(
        &mut self,
        span: Span,
        kind: Kind,
        field: Field,
        parent: Option<NodeId>,
        previous: Option<NodeId>,
    ) -> NodeId {
        let id = self.tree.push(Tree::node(span, kind, field, parent));
        self.tree.link(parent, previous, id);
        id
    }

    fn add_attributes(&mut self, attributes: &[Span], parent: NodeId) -> Option<NodeId> {
        let mut last = None;
        for span in attributes {
            let kind = Kind::AttributeDeclaration;
            last = Some(self.add(*span, kind, Field::Other, Some(parent), last));
        }
        last
    }

    /// Unused attributes whose next word is at `offset`.
    fn before(&mut self, offset: u32) -> Vec<Span> {
        let from = self.marks.partition_point(|m| m.next < offset);
        self.take(from, |m| m.next == offset)
    }

    /// Unused attributes whose previous word ends at `offset`.
    fn behind(&mut self, offset: u32) -> Vec<Span> {
        let from = self.marks.partition_point(|m| m.previous < offset);
        self.take(from, |m| m.previous == offset)
    }

    /// The end of the attributes that follow the word ending at `offset`.
    fn end_behind(&self, offset: u32) -> u32 {
        let from = self.marks.partition_point(|m| m.previous < offset);
        let behind = self
            .marks
            .iter()
            .skip(from)
            .take_while(|m| m.previous == offset);
        behind.last().map_or(offset, |m| m.span.end)
    }

    fn take(&mut self, from: usize, wanted: impl Fn(&Mark) -> bool) -> Vec<Span> {
        let mut spans = Vec::new();
        for mark in self.marks.iter_mut().skip(from).take_while(|m| wanted(m)) {
            if !mark.used {
                mark.used = true;
                spans.push(mark.span);
            }
        }
        spans
    }
}

/// What takes attributes before its first word into itself.
fn is_declaration(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::FunctionDefinition
            | Kind::Declaration
            | Kind::FieldDeclaration
            | Kind::TypeDefinition
            | Kind::AliasDeclaration
            | Kind::ParameterDeclaration
            | Kind::TemplateDeclaration
            | Kind::LinkageSpecification
    )
}

/// What is wrapped together with the attributes before its first word.
fn is_statement(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::CompoundStatement
            | Kind::ExpressionStatement
            | Kind::IfStatement
            | Kind::ForStatement
            | Kind::ForRangeLoop
            | Kind::WhileStatement
            | Kind::DoStatement
            | Kind::SwitchStatement
            | Kind::ReturnStatement
            | Kind::BreakStatement
            | Kind::ContinueStatement
            | Kind::GotoStatement
            | Kind::LabeledStatement
    )
}
