//! Every name of a source: where it is written, and which declaration it means.

use super::related::{self, Doubts};
use super::{describe, labels, trips};
use crate::backend::Backend;
use crate::lex::{TokenKind, lex};
use crate::options::Options;
use crate::sema::{DefinitionId, DefinitionKind, Place as Memory, Sema, Type, TypeKind};
use crate::source::{Files, Loader, Location, Provenance, Span};
use crate::source_text::Source;
use crate::syntax::{
    AttributeUse, Field, Kind, NodeId, Tree, attribute, attributes_of, is_name, is_record,
};
use crate::{analyze, transpile};
use std::collections::{BTreeSet, HashMap};

/// Scopes around a name that are looked at.
const DEEPEST: usize = 10_000;

/// What a declared name is to whoever reads the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// A function that is launched.
    Kernel,
    /// Any other function.
    Function,
    /// A parameter of either.
    Parameter,
    /// A variable.
    Variable,
    /// A member of a structure.
    Field,
    /// A structure, class or union.
    Record,
    /// `typedef`, `using`, a template's parameter.
    Type,
    /// An enumeration.
    Enumeration,
    /// One of its constants.
    Enumerator,
    /// A namespace.
    Namespace,
    /// What `goto` leads to.
    Label,
}

/// A declaration.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) kind: NameKind,
    /// Where its name is written; not where it is put together.
    pub(super) at: Option<Location>,
    /// All of the declaration.
    pub(super) whole: Option<Location>,
    /// Where it can be seen, if that is a part of one file.
    pub(super) scope: Option<Location>,
    /// The declaration as written, in one line.
    pub(super) text: String,
    /// Its type, where the declaration does not say it.
    pub(super) ty: Option<String>,
    /// Whose it is.
    pub(super) memory: Option<&'static str>,
    pub(super) constant: bool,
    /// The declarations of its members, or of those of what it is or points to.
    pub(super) members: Vec<usize>,
    /// Other declarations of a function.
    pub(super) again: Vec<usize>,
}

impl Declared {
    /// Whether it can be seen at a place.
    pub(super) fn is_visible(&self, at: Location) -> bool {
        match self.scope {
            None => true,
            Some(scope) => {
                let begun = self.at.is_none_or(|a| a.span.start <= at.span.start);
                scope.file == at.file && scope.span.contains(at.span) && begun
            }
        }
    }
}

/// A name where it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub(super) at: Location,
    /// The declaration that it means; `None` where that is not known.
    pub(super) means: Option<usize>,
}

/// All names of a source and of what it includes.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) files: Files,
    pub(super) declared: Vec<Declared>,
    /// By place, each once.
    pub(super) words: Vec<Word>,
    /// Declarations that are named where nothing is written: put together by `##`.
    pub(super) pasted: BTreeSet<usize>,
    /// What is known of how often loops run, by their `for`.
    pub(super) trips: Vec<(Location, String)>,
    /// Calls of macros.
    pub(super) expanded: Vec<Location>,
}

impl Names {
    /// Reads a source, whatever is wrong with it.
    pub(super) fn read(
        source: &Source,
        backend: &Backend,
        options: &Options,
        loader: &dyn Loader,
    ) -> Self {
        let Some(read) = transpile::preprocessed(source, backend, options, loader) else {
            return Self::default();
        };
        let tree = analyze::whole_tree(&read, source.dialect, options);
        let uncertain = read.conditionals.iter().map(|c| c.span).collect();
        let sema = Sema::new(&tree, &read.text, uncertain);
        let reading = Reading {
            tree: &tree,
            text: &read.text,
            sema: &sema,
            provenance: &read.provenance,
        };
        let (declared, scopes, nodes) = reading.declared();
        let mut names = Self {
            declared,
            ..Self::default()
        };
        reading.words(&nodes, &mut names);
        labels::read(&reading, &mut names);
        reading.in_attributes(&scopes, &mut names);
        names.expanded = reading.expanded();
        names.trips = trips::all(&reading);
        names.words.sort_by_key(|w| (w.at.file.0, w.at.span.start));
        names
            .words
            .dedup_by(|b, a| a.at == b.at && (a.means == b.means || b.means.is_none()));
        names.files = read.provenance.files;
        names
    }

    /// The name that is written at, or ends at, a place.
    pub(super) fn word(&self, at: Location) -> Option<&Word> {
        let place = at.span.start;
        let key = (at.file.0, place);
        let behind = self
            .words
            .partition_point(|w| (w.at.file.0, w.at.span.start) <= key);
        let before = self.words.get(..behind)?.iter().rev().take(2);
        let mut here = before.filter(|w| w.at.file == at.file && place <= w.at.span.end);
        let first = here.next();
        let known = first.filter(|w| w.means.is_some());
        known.or_else(|| here.find(|w| w.means.is_some())).or(first)
    }

    /// A declaration and those that go by its name: a function's others, a class's constructors.
    pub(super) fn same(&self, which: usize) -> Vec<usize> {
        let mut all = vec![which];
        let mut at = 0;
        while let Some(&next) = all.get(at) {
            for &other in &self.declared[next].again {
                if !all.contains(&other) {
                    all.push(other);
                }
            }
            at += 1;
        }
        all
    }

    /// Where a declaration, or another of the same function, is named.
    pub(super) fn uses(&self, which: usize) -> Vec<Location> {
        let all = self.same(which);
        let words = self.words.iter();
        let words = words.filter(|w| w.means.is_some_and(|m| all.contains(&m)));
        let mut found: Vec<Location> = words.map(|w| w.at).collect();
        found.dedup();
        found
    }
}

/// Where a word stands again, up to the bracket that closes those which are open, and one more.
fn repeated(text: &str, word: &str, open: usize) -> Vec<Span> {
    let end = text.find('\n').unwrap_or(text.len());
    let text = &text[..end];
    let mut depth = open;
    let mut found = Vec::new();
    let mut before = TokenKind::Punctuator;
    for token in lex(text) {
        let after = std::mem::replace(&mut before, token.kind);
        match token.text(text) {
            _ if after == TokenKind::At => {}
            "(" => depth += 1,
            ")" => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => break,
            },
            name if name == word => found.push(token.span),
            _ => {}
        }
    }
    found
}

/// The identifier that is written at, or ends at, a place of a text.
pub(super) fn identifier_at(text: &str, at: u32) -> Option<Span> {
    let (start, line) = line_at(text, at);
    let tokens = lex(line).into_iter();
    let here = |t: &Span| t.start + start <= at && at <= t.end + start;
    let mut found = tokens
        .filter(|t| t.kind == TokenKind::Identifier)
        .map(|t| t.span)
        .filter(here);
    let first = found.next()?;
    let span = found.next_back().unwrap_or(first);
    Some(Span::new(span.start + start, span.end + start))
}

/// The line around a byte, and where it begins.
pub(super) fn line_at(text: &str, at: u32) -> (u32, &str) {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    (start as u32, &text[start..end])
}

/// A tree and what its names mean.
pub(super) struct Reading<'a> {
    pub(super) tree: &'a Tree,
    pub(super) text: &'a str,
    pub(super) sema: &'a Sema<'a>,
    pub(super) provenance: &'a Provenance,
}

impl Reading<'_> {
    /// All declarations, the scope of each in the text that is parsed, `None` for what the whole file sees, and the node of
    /// its name.
    fn declared(&self) -> (Vec<Declared>, Vec<Option<Span>>, Vec<Option<NodeId>>) {
        let (mut scopes, mut nodes) = (Vec::new(), Vec::new());
        let mut all = Vec::new();
        for id in self.sema.definitions() {
            // A member may be used before it is declared.
            let name = self.sema.name_span(id);
            let mut named = self.tree.within(name);
            let node = named.find(|&n| self.tree.span(n) == name && !name.is_empty());
            let node = node.or_else(|| self.sema.uses(id).first().copied());
            let scope = node.and_then(|n| self.scope(n));
            all.push(self.one(id, node, scope));
            scopes.push(scope);
            nodes.push(node);
        }
        related::connect(self, &nodes, &mut all);
        (all, scopes, nodes)
    }

    fn one(&self, id: DefinitionId, node: Option<NodeId>, scope: Option<Span>) -> Declared {
        let definition = self.sema.defined(id);
        let around = node.map(|n| self.declaration(n));
        let kernel = || {
            let attributes = around.map(|n| attributes_of(self.tree, n, self.text));
            let is_kernel = |a: &AttributeUse| a.name == "kernel" || a.name == "reduce";
            attributes.is_some_and(|all| all.iter().any(is_kernel))
        };
        let parameter = || around.is_some_and(|n| self.tree.kind(n) == Kind::ParameterDeclaration);
        let kind = match definition.kind {
            DefinitionKind::Function if kernel() => NameKind::Kernel,
            DefinitionKind::Function => NameKind::Function,
            DefinitionKind::Variable if parameter() => NameKind::Parameter,
            DefinitionKind::Variable => NameKind::Variable,
            DefinitionKind::Field => NameKind::Field,
            DefinitionKind::Typedef => NameKind::Type,
            DefinitionKind::Record => NameKind::Record,
            DefinitionKind::Enumeration => NameKind::Enumeration,
            DefinitionKind::Enumerator => NameKind::Enumerator,
            DefinitionKind::Namespace => NameKind::Namespace,
        };
        let record = match definition.kind {
            DefinitionKind::Record | DefinitionKind::Namespace | DefinitionKind::Enumeration => {
                Some(id)
            }
            _ => self.record_behind(id),
        };
        let members = record.map_or(Vec::new(), |r| {
            self.sema.members(r).map(DefinitionId::index).collect()
        });
        let written = around.and_then(|n| describe::written(self, n));
        let storage = definition.storage;
        let memory = match (kind, storage.place) {
            (_, Memory::Shared) => Some("shared: one for all items of a group"),
            (_, Memory::Exclusive) => {
                Some("exclusive: one for each item, kept between @inner loops")
            }
            (NameKind::Variable | NameKind::Parameter, Memory::Ordinary) => {
                node.and_then(|n| describe::memory(self, n, id))
            }
            _ => None,
        };
        Declared {
            name: self.sema.name(id).to_string(),
            kind,
            at: self.provenance.spelled(self.sema.name_span(id)),
            whole: around.and_then(|n| describe::location(self.provenance, self.tree.span(n))),
            scope: scope.and_then(|s| describe::location(self.provenance, s)),
            text: written.unwrap_or_else(|| self.sema.name(id).to_string()),
            ty: describe::deduced(self, id, around),
            memory,
            constant: definition.qualified.own.constant || kind == NameKind::Enumerator,
            members,
            again: Vec::new(),
        }
    }

    /// The structure that a variable is, has, or points to.
    fn record_behind(&self, id: DefinitionId) -> Option<DefinitionId> {
        self.record_of(self.sema.defined(id).ty)
    }

    fn record_of(&self, mut ty: Type) -> Option<DefinitionId> {
        for _ in 0..DEEPEST {
            ty = match self.sema.kind(ty) {
                TypeKind::Record(record) => return Some(record),
                TypeKind::Pointer(of)
                | TypeKind::Reference(of)
                | TypeKind::Array(of)
                | TypeKind::Function(of) => of,
                _ => return None,
            };
        }
        None
    }

    /// The declaration around a name.
    pub(super) fn declaration(&self, name: NodeId) -> NodeId {
        let mut around = std::iter::successors(Some(name), |n| self.tree.parent(*n)).take(DEEPEST);
        let found = around.find(|&n| {
            let kind = self.tree.kind(n);
            is_record(kind)
                || matches!(
                    kind,
                    Kind::FunctionDefinition
                        | Kind::Declaration
                        | Kind::FieldDeclaration
                        | Kind::ParameterDeclaration
                        | Kind::TypeDefinition
                        | Kind::AliasDeclaration
                        | Kind::EnumSpecifier
                        | Kind::Enumerator
                        | Kind::NamespaceDefinition
                        | Kind::NamespaceAlias
                        | Kind::TypeParameter
                )
        });
        found.unwrap_or(name)
    }

    /// Where a name can be seen that is declared at a node: the block, loop, function or class around it.
    fn scope(&self, name: NodeId) -> Option<Span> {
        let mut declared = self.declaration(name);
        if self.tree.kind(declared) == Kind::FunctionDefinition {
            declared = self.tree.parent(declared)?;
        } else if self.tree.kind(declared) == Kind::ParameterDeclaration {
            // Of a prototype, nobody sees it.
            let mut around = std::iter::successors(Some(declared), |n| self.tree.parent(*n));
            let function = around.find(|&n| {
                let kind = self.tree.kind(n);
                matches!(
                    kind,
                    Kind::FunctionDefinition | Kind::LambdaExpression | Kind::Declaration
                )
            });
            return function.map(|f| self.tree.span(f));
        }
        let mut around = std::iter::successors(Some(declared), |n| self.tree.parent(*n));
        let found = around.find(|&n| {
            let kind = self.tree.kind(n);
            matches!(
                kind,
                Kind::CompoundStatement
                    | Kind::ForStatement
                    | Kind::ForRangeLoop
                    | Kind::FieldDeclarationList
                    | Kind::TemplateDeclaration
            )
        })?;
        Some(self.tree.span(found))
    }

    /// All names in the tree that are written somewhere.
    fn words(&self, nodes: &[Option<NodeId>], names: &mut Names) {
        let doubts = Doubts::new(self, nodes);
        for node in (0..self.tree.len()).map(NodeId::at) {
            let kind = self.tree.kind(node);
            let means = match kind {
                // Of a path, each name by itself.
                Kind::QualifiedIdentifier => None,
                _ => self.sema.meaning(node).or_else(|| self.member(node)),
            };
            // The grammar has no kind for namespaces' names.
            if !is_name(kind) && (means.is_none() || kind != Kind::Other) {
                continue;
            }
            let means = means.filter(|&id| !doubts.about(self, node, id));
            let means = means.map(DefinitionId::index);
            match (self.provenance.spelled(self.tree.span(node)), means) {
                (Some(at), _) => names.words.push(Word { at, means }),
                (None, Some(means)) => {
                    names.pasted.insert(means);
                }
                (None, None) => {}
            }
        }
    }

    /// The field that a name behind `.` or `->` is.
    fn member(&self, name: NodeId) -> Option<DefinitionId> {
        let around = self.tree.parent(name)?;
        if self.tree.kind(name) != Kind::FieldIdentifier
            || self.tree.kind(around) != Kind::FieldExpression
        {
            return None;
        }
        let object = self.tree.child(around, Field::Argument)?;
        let record = self.record_of(self.sema.type_of(object))?;
        let word = self.tree.text(name, self.text);
        // What a class declares hides what its bases have, which come first.
        let members = self.sema.members(record);
        members.filter(|&m| self.sema.name(m) == word).last()
    }

    /// Names in the arguments of attributes, which no tree has.
    fn in_attributes(&self, scopes: &[Option<Span>], names: &mut Names) {
        let mut by_name: HashMap<&str, Vec<DefinitionId>> = HashMap::new();
        for id in self.sema.definitions() {
            by_name.entry(self.sema.name(id)).or_default().push(id);
        }
        for node in (0..self.tree.len()).map(NodeId::at) {
            if self.tree.kind(node) != Kind::AttributeDeclaration {
                continue;
            }
            let span = self.tree.span(node);
            let Some(attribute) = attribute(self.tree, node, self.text) else {
                continue;
            };
            let arguments = attribute.arguments.as_str();
            let tokens = lex(arguments);
            for (index, token) in tokens.iter().enumerate() {
                let before = index.checked_sub(1).and_then(|i| tokens.get(i));
                // An attribute in an attribute's arguments.
                if !token.is_identifier() || before.is_some_and(|t| t.kind == TokenKind::At) {
                    continue;
                }
                let word = token.text(arguments);
                let visible = by_name.get(word).into_iter().flatten().copied();
                let visible = visible.filter_map(|id| {
                    let scope = scopes.get(id.index()).copied().flatten();
                    let wide = Span::new(0, self.text.len() as u32);
                    let scope = scope.unwrap_or(wide);
                    scope.contains(span).then_some((scope.len(), id))
                });
                // The innermost one.
                let Some((_, id)) = visible.min_by_key(|(length, _)| *length) else {
                    continue;
                };
                let Some(at) = self.provenance.word_from(span, word) else {
                    continue;
                };
                let before = arguments.get(..token.span.start as usize).unwrap_or("");
                let count = |bracket: char| before.matches(bracket).count();
                let depth = count('(').saturating_sub(count(')'));
                let file = self.provenance.files.get(at.file);
                let rest = file.and_then(|f| f.text.get(at.span.end as usize..));
                let again = rest.map_or(Vec::new(), |rest| repeated(rest, word, depth));
                let again = again.into_iter().map(|s| Location {
                    span: Span::new(s.start + at.span.end, s.end + at.span.end),
                    ..at
                });
                let means = Some(id.index());
                names.words.extend(
                    std::iter::once(at)
                        .chain(again)
                        .map(|at| Word { at, means }),
                );
            }
        }
    }

    /// Where macros are called in files.
    fn expanded(&self) -> Vec<Location> {
        let outermost = self.provenance.expansions.iter();
        let places = outermost.map(|e| {
            let at = self.provenance.files.as_written(e.call);
            Location {
                file: at.file,
                span: Span::new(at.offset, at.offset + e.length),
            }
        });
        let mut places: Vec<Location> = places.collect();
        places.sort_by_key(|l| (l.file.0, l.span.start));
        places.dedup();
        places
    }
}
