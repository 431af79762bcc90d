//! What editors ask about a source while it is written: what a name means and where it is used, what may be written,
//! what a loop becomes.
//!
//! Places are in files as they are written, headers and the bodies of macros included. A text that is broken has answers,
//! too: as far as its names can be told.
//!
//! - `names.rs`: every name, where it is written, and which declaration it means; `describe.rs`: declarations in words.
//! - `macros.rs`: macros and includes, which no tree has; `parameters.rs`: what stands for their arguments.
//! - `labels.rs`: what `goto` leads to.
//! - `loops.rs`: what attributed loops become, and where items wait; `trips.rs`: how often other loops run,
//!   and `changes.rs`: what they change.
//! - `complete.rs`: what may be written at a place.
//! - `text.rs`: what folds, and what is coloured.
//! - `rename.rs`: other names; `related.rs`: which declarations have one name among them.

mod changes;
mod complete;
mod describe;
mod labels;
mod loops;
mod macros;
mod names;
mod parameters;
mod related;
mod rename;
#[cfg(test)]
mod tests;
mod text;
mod trips;
#[cfg(test)]
mod trips_tests;
#[cfg(test)]
mod typing_tests;
#[cfg(test)]
mod uses_tests;

pub use complete::{Completion, CompletionKind};
pub use names::NameKind;
pub use text::TokenClass;

use crate::backend::Backend;
use crate::diagnostics::{Report, Severity};
use crate::grammar::Dialect;
use crate::module::Module;
use crate::normalize::attributes;
use crate::options::Options;
use crate::source::{FileId, Files, Loader, Location, Span};
use crate::source_text::Source;
use crate::syntax::remembering;
use crate::{sema, transpile};
use names::{Declared, Names};
use parameters::Parameter;
use std::cell::OnceCell;
use std::rc::Rc;

/// A text about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub at: Location,
    /// In Markdown.
    pub text: String,
}

/// A remark that is shown in a line, but is no part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where; empty.
    pub at: Location,
    /// What is shown.
    pub text: String,
    /// More about it.
    pub why: String,
}

/// Something that a file declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// The declaration in one line.
    pub detail: String,
    /// What it is.
    pub kind: NameKind,
    /// Where the name is.
    pub at: Location,
    /// All of it.
    pub whole: Location,
    /// What it has inside.
    pub inside: Vec<Symbol>,
}

/// One source as it is at one moment.
pub struct Analysis {
    source: Source,
    backend: Backend,
    options: Options,
    loader: Rc<dyn Loader>,
    report: Report,
    /// Made when first asked for, where the messages did not need it.
    module: OnceCell<Option<Module>>,
    /// Nothing is left to be said.
    complete: bool,
    names: OnceCell<Names>,
}

/// What a place of a file is about.
enum Subject {
    Declared(usize),
    Attribute(String),
    Macro(String),
    /// What stands for an argument in a macro's body.
    Parameter(Parameter),
    Include(Location),
    Function(String),
}

impl Analysis {
    /// Goes through a source, as [`transpile`](crate::transpile()) does for that backend. `loader` hands out what it includes.
    pub fn new(source: Source, backend: Backend, options: Options, loader: Rc<dyn Loader>) -> Self {
        let examined = remembering(|| transpile::examined(&source, &backend, &options, &*loader));
        Self {
            source,
            backend,
            options,
            loader,
            report: examined.report,
            module: examined.module,
            complete: false,
            names: OnceCell::new(),
        }
    }

    /// Looks for what only shows when the text of a program without errors is rewritten for the backend, which takes a
    /// while longer; whether there is more to say now.
    pub fn complete(&mut self) -> bool {
        if std::mem::replace(&mut self.complete, true) || self.report.has_errors() {
            return false;
        }
        let (source, backend, options) = (&self.source, &self.backend, &self.options);
        let more = remembering(|| transpile::rewritten(source, backend, options, &*self.loader));
        let any = !more.is_empty();
        self.report.diagnostics.extend(more);
        any
    }

    /// Whether [`complete`](Self::complete) was called.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// What is wrong with it, as far as it was looked for.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// All that [`transpile`](crate::transpile()) was told.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// As much of the program as is understood.
    fn module(&self) -> Option<&Module> {
        let read = || {
            let (source, backend, options) = (&self.source, &self.backend, &self.options);
            remembering(|| transpile::understood(source, backend, options, &*self.loader))
        };
        self.module.get_or_init(read).as_ref()
    }

    /// Read when first asked for: messages do not need it.
    fn names(&self) -> &Names {
        let read = || {
            remembering(|| Names::read(&self.source, &self.backend, &self.options, &*self.loader))
        };
        self.names.get_or_init(read)
    }

    /// The files that places are in; numbers are the same as in the report.
    pub fn files(&self) -> &Files {
        &self.names().files
    }

    /// The file of that name, as it was included or given.
    pub fn file(&self, name: &str) -> Option<FileId> {
        let mut files = self.files().iter();
        files.find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// The word at a place.
    fn word(&self, at: Location) -> Option<Location> {
        let file = self.files().get(at.file)?;
        let span = names::identifier_at(&file.text, at.span.start)?;
        Some(Location { span, ..at })
    }

    /// Of the `@` of an attribute, its name.
    fn behind_sign(&self, at: Location) -> Location {
        let text = self.files().get(at.file).map_or("", |f| f.text.as_str());
        let rest = text.get(at.span.start as usize..).unwrap_or("");
        match rest.starts_with('@') {
            true => Location {
                span: Span::at(at.span.start + 1),
                ..at
            },
            false => at,
        }
    }

    fn text_of(&self, at: Location) -> &str {
        let file = self.files().get(at.file);
        file.map_or("", |f| at.span.of(&f.text))
    }

    fn subject(&self, at: Location) -> Option<(Subject, Location)> {
        let names = self.names();
        let at = self.behind_sign(at);
        if let Some(target) = macros::included(&names.files, at) {
            return Some((Subject::Include(target), at));
        }
        let place = self.word(at)?;
        let word = self.text_of(place).to_string();
        let text = names.files.get(at.file).map_or("", |f| f.text.as_str());
        let before = text.get(..place.span.start as usize).unwrap_or("");
        if before.ends_with('@') && attributes::find(self.source.dialect, &word).is_some() {
            return Some((Subject::Attribute(word), place));
        }
        if let Some(parameter) = Parameter::at(names, place) {
            return Some((Subject::Parameter(parameter), place));
        }
        let inside = Location {
            span: Span::at(place.span.start),
            ..place
        };
        let means = names.word(inside).filter(|w| w.at == place);
        if let Some(means) = means.and_then(|w| w.means) {
            return Some((Subject::Declared(means), place));
        }
        if !macros::definitions(&names.files, &word).is_empty() {
            return Some((Subject::Macro(word), place));
        }
        // Where it cannot be told, what is the only thing of that name.
        let mut same = names.declared.iter().enumerate();
        let mut found = same
            .by_ref()
            .filter(|(_, d)| d.name == word && d.is_visible(place));
        if let (Some((which, _)), None) = (found.next(), found.next()) {
            return Some((Subject::Declared(which), place));
        }
        let known = self.options.intrinsics.get(&word).is_some() || is_library_function(&word);
        known.then_some((Subject::Function(word), place))
    }

    /// What is to be said about what is at a place: the declaration of a name, its type, whose memory it is; the loop that
    /// begins there; the meaning of an attribute, or a macro.
    pub fn hover(&self, at: Location) -> Option<Hover> {
        let word = self.word(at);
        if let Some(word) = word.filter(|w| self.text_of(*w) == "for") {
            let module = self.module();
            let distributed = module.and_then(|m| loops::hover(m, at, word));
            let mut ordinary = self.names().trips.iter();
            return distributed.or_else(|| {
                let (at, text) = ordinary.find(|(at, _)| *at == word)?;
                let (at, text) = (*at, text.clone());
                Some(Hover { at, text })
            });
        }
        let (subject, at) = self.subject(at)?;
        let text = match subject {
            Subject::Declared(which) => self.describe(self.names().declared.get(which)?),
            Subject::Attribute(name) => {
                let row = attributes::find(self.source.dialect, &name)?;
                let mut text = format!("**@{name}**\n\n{}", row.summary);
                if let Some(module) = self.module()
                    && let Some(hover) = loops::hover(module, at, at)
                {
                    text = format!("{text}\n\n---\n\n{}", hover.text);
                }
                text
            }
            Subject::Macro(name) => {
                let all = macros::definitions(&self.names().files, &name);
                let all: Vec<String> = all.into_iter().map(|d| d.text).collect();
                format!("```c\n{}\n```", all.join("\n"))
            }
            Subject::Parameter(parameter) => {
                format!("a macro's parameter\n\n```c\n{}\n```", parameter.text())
            }
            Subject::Include(target) => {
                let file = self.files().get(target.file)?;
                format!("`{}`", file.name)
            }
            Subject::Function(name) => match self.options.intrinsics.get(&name) {
                Some(row) => {
                    let spelled = Backend::names().into_iter().filter_map(|backend| {
                        let call = row.call(backend)?;
                        Some(format!("| {backend} | `{}` |", call.replace('|', "\\|")))
                    });
                    let spelled: Vec<String> = spelled.collect();
                    format!(
                        "**{name}**, of {} arguments\n\n| backend | is |\n|---|---|\n{}",
                        row.arguments,
                        spelled.join("\n")
                    )
                }
                None => format!("**{name}**, of the C library"),
            },
        };
        Some(Hover { at, text })
    }

    fn describe(&self, declared: &Declared) -> String {
        let language = match self.source.dialect {
            Dialect::Okl => "cpp",
            Dialect::Brook => "c",
        };
        let mut text = format!("```{language}\n{}\n```", declared.text);
        for more in [
            declared.ty.as_ref().map(|ty| format!("`{ty}`")),
            declared.memory.map(str::to_string),
        ] {
            text.extend(more.map(|m| format!("\n\n{m}")));
        }
        text
    }

    /// Where what is at a place is declared: several places of a function with prototypes, or of a macro.
    pub fn definition(&self, at: Location) -> Vec<Location> {
        let names = self.names();
        match self.subject(at).map(|(subject, _)| subject) {
            Some(Subject::Declared(which)) => {
                let all = names.same(which).into_iter();
                let mut places: Vec<Location> =
                    all.filter_map(|w| names.declared.get(w)?.at).collect();
                places.sort_by_key(|l| (l.file.0, l.span.start));
                places.dedup();
                places
            }
            Some(Subject::Macro(name)) => {
                let all = macros::definitions(&names.files, &name).into_iter();
                all.map(|d| d.at).collect()
            }
            Some(Subject::Include(target)) => vec![target],
            Some(Subject::Parameter(parameter)) => parameter.uses().into_iter().take(1).collect(),
            _ => Vec::new(),
        }
    }

    /// Where what is at a place is named, its declaration included.
    pub fn references(&self, at: Location) -> Vec<Location> {
        let names = self.names();
        match self.subject(at).map(|(subject, _)| subject) {
            Some(Subject::Declared(which)) => names.uses(which),
            Some(Subject::Macro(name)) => rename::macro_uses(names, &name),
            Some(Subject::Parameter(parameter)) => parameter.uses(),
            _ => Vec::new(),
        }
    }

    /// The name at a place, if it can get another one.
    ///
    /// # Errors
    /// Why it cannot.
    pub fn renamable(&self, at: Location) -> Result<Location, String> {
        match self.subject(at) {
            Some((Subject::Declared(_) | Subject::Macro(_) | Subject::Parameter(_), place)) => {
                Ok(place)
            }
            Some((Subject::Function(name), _)) => {
                Err(format!("'{name}' is not declared in this program"))
            }
            Some((Subject::Attribute(_), _)) => Err("an attribute is the language's".to_string()),
            _ => Err("there is no name here".to_string()),
        }
    }

    /// The places to write `new` at, so that what is at a place is called so. The program means the same afterwards: it is
    /// gone through once more.
    ///
    /// # Errors
    /// Why it cannot be: the name is none or is taken, or not all uses can be told.
    pub fn rename(&self, at: Location, new: &str) -> Result<Vec<Location>, String> {
        self.renamable(at)?;
        let names = self.names();
        let places = match self.subject(at).map(|(subject, _)| subject) {
            Some(Subject::Declared(which)) => rename::declared(names, which, new)?,
            Some(Subject::Macro(name)) => rename::of_macro(names, &name, new)?,
            Some(Subject::Parameter(parameter)) => parameter.renamed(names, new)?,
            _ => return Err("there is no name here".to_string()),
        };
        let mut texts = rename::changed(&names.files, &places, new)?;
        let text = texts.remove(&self.source.name);
        let source = Source {
            text: text.map_or_else(|| self.source.text.clone(), String::into_bytes),
            ..self.source.clone()
        };
        let loader = Rc::new(rename::Changed {
            texts,
            rest: Rc::clone(&self.loader),
        });
        let (backend, options) = (self.backend.clone(), self.options.clone());
        let after = Self::new(source, backend, options, loader);
        let errors = |of: &Self| {
            let all = of.report.diagnostics.iter();
            all.filter(|d| d.severity == Severity::Error).count()
        };
        match errors(&after) <= errors(self) && rename::means_the_same(names, after.names()) {
            true => Ok(places),
            false => Err(format!(
                "the program would mean something else with '{new}'"
            )),
        }
    }

    /// What may be written at a place.
    pub fn completions(&self, at: Location) -> Vec<Completion> {
        complete::at(
            self.names(),
            self.source.dialect,
            &self.options.intrinsics,
            at,
        )
    }

    /// The pieces of a file whose meaning letters do not tell, in order.
    pub fn classes(&self, file: FileId) -> Vec<(Span, TokenClass)> {
        text::classes(self.names(), file, self.source.dialect)
    }

    /// What the language adds to a file, where it stands.
    pub fn hints(&self, file: FileId) -> Vec<Hint> {
        let sound = Some(self)
            .filter(|s| !s.report.has_errors())
            .and_then(Self::module);
        sound.map_or(Vec::new(), |m| loops::hints(m, file))
    }

    /// What a file declares, in order.
    pub fn symbols(&self, file: FileId) -> Vec<Symbol> {
        let names = self.names();
        let is_member: Vec<usize> = { names.declared.iter() }
            .filter(|d| {
                matches!(
                    d.kind,
                    NameKind::Record | NameKind::Namespace | NameKind::Enumeration
                )
            })
            .flat_map(|d| {
                // Of what is declared in several pieces, the first has its own.
                let all = d.members.iter().copied();
                all.filter(|&m| names.declared.get(m).is_none_or(|m| lies_in(m, d)))
            })
            .collect();
        let all = names.declared.iter().enumerate();
        let outermost = all.filter(|(which, d)| {
            !d.name.is_empty()
                && d.scope.is_none()
                && d.kind != NameKind::Parameter
                && !is_member.contains(which)
        });
        let mut symbols: Vec<Symbol> = outermost
            .filter_map(|(_, d)| symbol(names, d, file, 0))
            .collect();
        symbols.sort_by_key(|s| s.at.span.start);
        symbols
    }

    /// The kernels of a file: their names, and where these are.
    pub fn kernels(&self, file: FileId) -> Vec<(String, Location)> {
        let kernels = self.names().declared.iter();
        let kernels = kernels.filter(|d| d.kind == NameKind::Kernel);
        kernels
            .filter_map(|d| Some((d.name.clone(), d.at.filter(|at| at.file == file)?)))
            .collect()
    }
}

/// Whether a declaration is written within another.
fn lies_in(inner: &Declared, outer: &Declared) -> bool {
    let (Some(inner), Some(outer)) = (inner.at, outer.whole) else {
        return true;
    };
    inner.file == outer.file && outer.span.contains(inner.span)
}

/// Symbols within symbols.
const DEEPEST: usize = 20;

fn symbol(names: &Names, declared: &Declared, file: FileId, depth: usize) -> Option<Symbol> {
    let at = declared.at.filter(|at| at.file == file)?;
    let has_inside = matches!(
        declared.kind,
        NameKind::Record | NameKind::Namespace | NameKind::Enumeration
    ) && depth < DEEPEST;
    let members = declared.members.iter().filter(|_| has_inside);
    let members = members.filter(|&&m| names.declared.get(m).is_some_and(|d| !d.name.is_empty()));
    let members = members.filter_map(|&m| symbol(names, names.declared.get(m)?, file, depth + 1));
    let whole = declared
        .whole
        .filter(|w| w.file == file && w.span.contains(at.span));
    let whole = whole.unwrap_or(at);
    // What another name of a namespace stands for is elsewhere, and so is what a later part of it has.
    let members = members.filter(|m| whole.span.contains(m.whole.span));
    Some(Symbol {
        name: declared.name.clone(),
        detail: declared.text.clone(),
        kind: declared.kind,
        at,
        whole,
        inside: members.collect(),
    })
}

/// The pieces of a text that can be folded, and whether each is a comment.
pub fn folds(text: &str) -> Vec<(Span, bool)> {
    text::folds(text)
}

fn is_library_function(name: &str) -> bool {
    sema::REAL_FUNCTIONS.contains(&name) || crate::library::is_c_function(name)
}
