//! Types of expressions, compared with those that a C++ compiler gives them: in the references of the cases, which are
//! plain C++, every expression whose type is known here is wrapped in an assertion of that type.

use super::{Sema, Type, TypeKind};
use crate::diagnostics::Sink;
use crate::source::{Provenance, Span};
use crate::syntax::{Field, Grammar, Kind, NodeId, Tree, parse_as};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `char` has a sign here, and `long long` is `long`; what a pointer may do with its memory is no part of a type.
const ASSERTION: &str = "#include <type_traits>
template <class T> struct Plain { using type = T; };
template <> struct Plain<signed char> { using type = char; };
template <> struct Plain<long long> { using type = long; };
template <> struct Plain<unsigned long long> { using type = unsigned long; };
template <class T> struct Plain<T *> { using type = typename Plain<std::remove_cv_t<T>>::type *; };
template <class T, class U> constexpr U &&checked_as(U &&value) {
  static_assert(std::is_same_v<typename Plain<std::decay_t<U>>::type, T>);
  return static_cast<U &&>(value);
}
";

/// One program in which expressions are wrapped.
struct Wrapping<'t> {
    sema: Sema<'t>,
    tree: &'t Tree,
    /// What is inserted before and behind, and where; outer ones first.
    before: Vec<(u32, String)>,
    behind: Vec<u32>,
}

impl Wrapping<'_> {
    /// A scalar, or a pointer to one.
    fn name(&self, ty: Type) -> Option<String> {
        match self.sema.kind(ty) {
            TypeKind::Scalar(scalar) => Some(scalar.c_name().to_string()),
            TypeKind::Pointer(to) => Some(self.name(to)? + " *"),
            _ => None,
        }
    }

    /// Whether a node is an expression that may stand in a function's argument.
    fn is_value(&self, node: NodeId) -> bool {
        let tree = self.tree;
        let expression = matches!(
            tree.kind(node),
            Kind::NumberLiteral
                | Kind::CharLiteral
                | Kind::True
                | Kind::False
                | Kind::Identifier
                | Kind::QualifiedIdentifier
                | Kind::BinaryExpression
                | Kind::UnaryExpression
                | Kind::PointerExpression
                | Kind::UpdateExpression
                | Kind::AssignmentExpression
                | Kind::ConditionalExpression
                | Kind::CallExpression
                | Kind::SubscriptExpression
                | Kind::FieldExpression
                | Kind::CastExpression
                | Kind::ParenthesizedExpression
                | Kind::SizeofExpression
                | Kind::CommaExpression
        );
        let role = matches!(
            tree.field(node),
            Field::Declarator | Field::Name | Field::Function | Field::Size | Field::Type
        );
        let place = tree.parent(node).map(|p| tree.kind(p));
        let takes_name = matches!(
            place,
            Some(
                Kind::ParameterList
                    | Kind::StructuredBinding
                    | Kind::QualifiedIdentifier
                    | Kind::FunctionDeclarator
                    | Kind::ParenthesizedDeclarator
                    | Kind::ReferenceDeclarator
                    | Kind::PointerDeclarator
                    | Kind::ArrayDeclarator
                    | Kind::TemplateFunction
                    | Kind::IfStatement
                    | Kind::WhileStatement
                    | Kind::DoStatement
                    | Kind::SwitchStatement
                    | Kind::GotoStatement
                    | Kind::LambdaExpression
                    | Kind::LambdaCaptures
                    | Kind::Other
            )
        );
        // `&x` of what has been through a function is no constant address.
        let addressed = place == Some(Kind::PointerExpression);
        expression && !role && !takes_name && !addressed
    }

    fn walk(&mut self, node: NodeId) {
        let tree = self.tree;
        let kind = tree.kind(node);
        if matches!(
            kind,
            Kind::TemplateDeclaration
                | Kind::TypeDescriptor
                | Kind::EnumSpecifier
                | Kind::StaticAssert
                | Kind::AliasDeclaration
                | Kind::UsingDeclaration
        ) {
            return;
        }
        let known = self
            .is_value(node)
            .then(|| self.name(self.sema.type_of(node)))
            .flatten();
        if let Some(ty) = &known {
            let at = tree.span(node).start;
            self.before.push((at, format!("checked_as<{ty}>((")));
        }
        if kind != Kind::SizeofExpression {
            for child in tree.children(node) {
                let field = tree.field(child);
                let constant = kind == Kind::CaseStatement && field == Field::Value;
                let captures = kind == Kind::LambdaExpression && field != Field::Body;
                if !constant && !captures {
                    self.walk(child);
                }
            }
        }
        if known.is_some() {
            self.behind.push(tree.span(node).end);
        }
    }

    /// The program with its assertions.
    fn text(&self, text: &str) -> String {
        let mut out = ASSERTION.to_string();
        let (mut before, mut behind) =
            (self.before.iter().peekable(), self.behind.iter().peekable());
        let mut from = 0;
        loop {
            let opens = before.peek().map(|(at, _)| *at);
            let closes = behind.peek().map(|at| **at);
            // What ends in a place ends before what begins there.
            let at = match (opens, closes) {
                (None, None) => break,
                (Some(a), None) => a,
                (a, Some(b)) => a.map_or(b, |a| a.min(b)),
            };
            out.push_str(Span::new(from, at).of(text));
            from = at;
            match closes == Some(at) {
                true => {
                    out.push_str("))");
                    behind.next();
                }
                false => {
                    let (_, words) = before.next().expect("it was there");
                    out.push_str(words);
                }
            }
        }
        out + Span::new(from, text.len() as u32).of(text)
    }
}

/// The program with directives as blanks; `None` if it has macros, which nobody expands here.
fn without_directives(text: &str) -> Option<String> {
    let blank = |line: &str| -> String {
        let blanks = line.chars().map(|c| if c == '\n' { c } else { ' ' });
        blanks.collect()
    };
    let lines = text.split_inclusive('\n').map(|line| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        match directive {
            None => Some(line.to_string()),
            Some(words) if words.starts_with("include") => Some(blank(line)),
            Some(_) => None,
        }
    });
    lines.collect()
}

/// Files of programs with their assertions, and how many of these there are.
fn programs(folder: &Path) -> (Vec<PathBuf>, usize) {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/okl");
    let mut assertions = 0;
    let mut files = Vec::new();
    for entry in std::fs::read_dir(cases).expect("the cases").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(case) = name.strip_suffix(".reference.cpp") else {
            continue;
        };
        // It is about casts that only who knows the names can tell from sums; OKL has stand-ins for that.
        let misread = case == "operands_like_types";
        // Macros of the command line; nobody expands any here.
        let told = std::fs::read_to_string(entry.path().with_file_name(format!("{case}.toml")));
        let macros = told.is_ok_and(|t| t.lines().any(|l| l.starts_with("defines")));
        if misread || macros {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).expect("a reference");
        let Some(plain) = without_directives(&text) else {
            continue;
        };
        let provenance = Provenance::default();
        let mut sink = Sink::default();
        let tree = parse_as(
            (&plain, &plain),
            Grammar::Cpp,
            &[],
            None,
            &provenance,
            &mut sink,
        );
        let mut wrapping = Wrapping {
            sema: Sema::new(&tree, &plain, Vec::new()),
            tree: &tree,
            before: Vec::new(),
            behind: Vec::new(),
        };
        wrapping.walk(tree.root().expect("a tree"));
        wrapping.behind.sort_unstable();
        assertions += wrapping.before.len();
        let file = folder.join(name);
        std::fs::write(&file, wrapping.text(&text)).expect("a file");
        files.push(file);
    }
    (files, assertions)
}

#[test]
fn types_are_those_of_a_compiler() {
    let folder = brook_driver::ScratchDirectory::new().expect("a folder");
    let (files, assertions) = programs(folder.path());
    assert!(assertions > 25_000, "{assertions} expressions have types");
    let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/emulation/include");
    let run = |files: &[PathBuf]| {
        let mut command = Command::new("c++");
        command
            .args(["-std=c++17", "-fsyntax-only", "-w", "-fmax-errors=3", "-I"])
            .arg(&support)
            .args(files);
        command.output().expect("a C++ compiler")
    };
    let (first, second) = files.split_at(files.len() / 2);
    let mut errors = String::new();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| run(first));
        for output in [run(second), other.join().expect("a compiler's end")] {
            if !output.status.success() {
                let _ = write!(errors, "{}", String::from_utf8_lossy(&output.stderr));
            }
        }
    });
    assert!(errors.is_empty(), "{errors}");
}
