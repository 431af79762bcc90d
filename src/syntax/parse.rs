use super::marks::{Mark, marks};
use super::{Field, Kind, NodeId, Tree};
use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::source::{Provenance, Span};
use std::cell::RefCell;
use std::sync::OnceLock;
use tree_sitter::{Language, Parser, Range};

/// Which grammar reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// Plain C: Brook+ kernels.
    C,
    /// C++: OKL, and the host half of Brook+ programs.
    Cpp,
}

/// Deeper trees are refused: everything after this stage may recurse over the tree.
const DEEPEST: usize = 600;

/// Names of one grammar, by the numbers tree-sitter gives them.
struct Names {
    language: Language,
    kinds: Vec<Kind>,
    fields: Vec<Field>,
}

impl Names {
    fn of(grammar: Grammar) -> &'static Self {
        static C: OnceLock<Names> = OnceLock::new();
        static CPP: OnceLock<Names> = OnceLock::new();
        match grammar {
            Grammar::C => C.get_or_init(|| Self::build(tree_sitter_c::LANGUAGE.into())),
            Grammar::Cpp => CPP.get_or_init(|| Self::build(tree_sitter_cpp::LANGUAGE.into())),
        }
    }

    fn build(language: Language) -> Self {
        let kinds = (0..language.node_kind_count() as u16)
            .map(|id| {
                language
                    .node_kind_for_id(id)
                    .map_or(Kind::Other, Kind::from_name)
            })
            .collect();
        let fields = (0..=language.field_count() as u16)
            .map(|id| {
                language
                    .field_name_for_id(id)
                    .map_or(Field::Other, Field::from_name)
            })
            .collect();
        Self {
            language,
            kinds,
            fields,
        }
    }
}

/// Parses `text`. `blank` are directive lines that no grammar needs to see; `only` restricts the
/// parse to some ranges. Syntax errors go to the sink.
pub fn parse(
    text: &str,
    grammar: Grammar,
    blank: &[Span],
    only: Option<&[Span]>,
    provenance: &Provenance,
    sink: &mut Sink,
) -> Tree {
    thread_local! {
        static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
    }
    let names = Names::of(grammar);
    let mut marks = marks(text);
    let blanked = blanked(text, blank, &marks);
    let input = blanked.as_deref().unwrap_or(text);
    let tree = PARSER.with_borrow_mut(|parser| {
        parser.set_language(&names.language).ok()?;
        let ranges = only.map(|spans| ranges(text, spans)).unwrap_or_default();
        parser.set_included_ranges(&ranges).ok()?;
        parser.parse(input, None)
    });
    let Some(tree) = tree else {
        sink.push(Diagnostic::new(&codes::GRAMMAR_MISSING, None, &[]));
        return Tree::default();
    };
    let result = copy(&tree, names, text, &mut marks, provenance, sink);
    if tree.root_node().has_error() {
        report_errors(&result, text, provenance, sink);
    } else if !result.is_empty() {
        for mark in marks.iter().filter(|m| !m.used) {
            if only.is_none_or(|spans| spans.iter().any(|s| s.contains(mark.span))) {
                let what = mark.span.of(text);
                let name = what
                    .trim_start_matches("[[okl_")
                    .trim_start_matches("[[brook_");
                let name = name.split('(').next().unwrap_or("");
                let code = &codes::ATTRIBUTE_PLACE;
                sink.push(Diagnostic::at(code, provenance, mark.span, &[&name]));
            }
        }
    }
    result
}

/// What the parser is given for `text`: directive lines and attributes are blanks.
pub fn parser_input(text: &str, blank: &[Span]) -> String {
    blanked(text, blank, &marks(text)).unwrap_or_else(|| text.to_string())
}

fn blanked(text: &str, directives: &[Span], marks: &[Mark]) -> Option<String> {
    if directives.is_empty() && marks.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for span in directives
        .iter()
        .copied()
        .chain(marks.iter().map(|m| m.span))
    {
        for byte in bytes.get_mut(span.range()).into_iter().flatten() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    // Whole tokens were replaced by ASCII, so this is still UTF-8.
    String::from_utf8(bytes).ok()
}

fn ranges(text: &str, spans: &[Span]) -> Vec<Range> {
    // Rows and columns are of no use to us; bytes count.
    let point = |at: u32| tree_sitter::Point::new(0, at as usize);
    spans
        .iter()
        .filter(|s| s.end as usize <= text.len() && !s.is_empty())
        .map(|s| Range {
            start_byte: s.start as usize,
            end_byte: s.end as usize,
            start_point: point(s.start),
            end_point: point(s.end),
        })
        .collect()
}

/// Copies named nodes and operators in one iterative walk, and puts attributes where they belong.
fn copy(
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
        } else if node.is_error() {
            Kind::Error
        } else {
            names
                .kinds
                .get(node.kind_id() as usize)
                .copied()
                .unwrap_or(Kind::Other)
        };
        let wanted = (node.is_named() && !node.is_extra())
            || matches!(kind, Kind::Missing | Kind::Error)
            || field == Field::Operator;
        if levels.len() > DEEPEST {
            let at = Span::from(node.byte_range());
            sink.push(Diagnostic::at(
                &codes::TOO_DEEP,
                provenance,
                at,
                &[&DEEPEST],
            ));
            return Tree::default();
        }
        if wanted {
            let span = Span::from(node.byte_range());
            let (parent, previous) = levels.last().copied().unwrap_or((None, None));
            let mut place = Place {
                tree: &mut tree,
                marks,
                parent,
                previous,
            };
            let ends_here = |child: tree_sitter::Node<'_>| child.end_byte() == span.end as usize;
            let innermost = field == Field::Declarator
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

/// Every place the grammar could not read is a diagnostic; the first few name the cause best.
fn report_errors(tree: &Tree, text: &str, provenance: &Provenance, sink: &mut Sink) {
    let mut reported = 0;
    let Some(root) = tree.root() else { return };
    let mut skip_until = 0;
    for id in tree.descendants(root) {
        let span = tree.span(id);
        if span.start < skip_until || reported >= 20 {
            continue;
        }
        match tree.kind(id) {
            Kind::Missing => {
                let what = what_is_missing(tree, id, text);
                sink.push(Diagnostic::at(
                    &codes::SYNTAX_MISSING,
                    provenance,
                    span,
                    &[&what],
                ));
            }
            Kind::Error => {
                let (span, what) = describe(span, text);
                if what == "@" {
                    sink.push(Diagnostic::at(&codes::STRAY_AT, provenance, span, &[]));
                } else {
                    sink.push(Diagnostic::at(
                        &codes::SYNTAX_ERROR,
                        provenance,
                        span,
                        &[&what],
                    ));
                }
                // What is wrong inside an unreadable piece follows from it.
                skip_until = tree.span(id).end;
            }
            _ => continue,
        }
        reported += 1;
    }
}

fn what_is_missing(tree: &Tree, id: NodeId, text: &str) -> &'static str {
    match tree.parent(id).map(|p| tree.kind(p)) {
        Some(Kind::CompoundStatement | Kind::FieldDeclarationList | Kind::DeclarationList) => "}",
        Some(Kind::ParenthesizedExpression | Kind::ArgumentList | Kind::ParameterList) => ")",
        Some(Kind::SubscriptExpression | Kind::SubscriptArguments | Kind::ArrayDeclarator) => "]",
        _ if tree.span(id).start as usize >= text.trim_end().len() => "}",
        _ => ";",
    }
}

/// The first word of an unreadable piece stands for it: pieces can be long.
fn describe(span: Span, text: &str) -> (Span, String) {
    let piece = span.of(text);
    let trimmed = piece.trim_start();
    let start = span.start + (piece.len() - trimmed.len()) as u32;
    let length = trimmed
        .char_indices()
        .find(|(i, c)| *i > 0 && !(c.is_alphanumeric() || *c == '_'))
        .map_or(trimmed.len(), |(i, _)| i);
    let word = trimmed.get(..length).unwrap_or("").to_string();
    (Span::new(start, start + length as u32), word)
}
