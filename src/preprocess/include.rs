use super::State;
use super::directives::Line;
use super::macros::Meaning;
use super::pieces::{Kind, Once, Piece, Source};
use crate::diagnostics::{Diagnostic, Fix, codes, is_certain, nearest};
use crate::lex::{Token, TokenKind, lex, spliced_words};
use crate::library;
use crate::source::{FileId, Location, MARK, Place, SourceFile, Span};
use std::cell::Cell;
use std::io;
use std::rc::Rc;

/// What stands in an include.
pub(super) struct Header {
    name: String,
    /// `<…>` rather than `"…"`.
    angle: bool,
}

/// A place to look: the path, and the include directory it is in.
type Candidate = (String, Option<usize>);

/// A file could not be read; that is reported.
struct Unreadable;

impl State<'_> {
    /// `#include` and `#include_next`.
    pub(super) fn include(&mut self, line: &Line) {
        let location = line.location(self);
        let Some(header) = self.header(line) else {
            // A quote that is not closed is reported already.
            if line.is_unterminated() {
                return;
            }
            return self.fail(&codes::INCLUDE_MALFORMED, location, &[&line.name()]);
        };
        let candidates = self.candidates(&header, line.name() == "include_next");
        match self.find(&candidates, Some(location)) {
            Err(Unreadable) => {}
            Ok(Some(id)) => {
                let here = Place {
                    file: location.file,
                    offset: location.span.start,
                };
                if self
                    .files
                    .get(id)
                    .is_some_and(|f| f.included_from != Some(here))
                {
                    self.files.include_again(here, id);
                }
                self.enter_file(id, location, Self::place(&line.source, line.hash));
            }
            Ok(None) if self.is_for_vendor(&header) => self.keep_include(line, &header),
            Ok(None) => {
                let mut places: Vec<String> = candidates
                    .iter()
                    .map(|(path, _)| format!("'{}'", directory(path)))
                    .collect();
                places.dedup();
                let places = if places.is_empty() {
                    "nowhere".into()
                } else {
                    places.join(", ")
                };
                self.include_not_found(location, &header, &candidates, &places);
            }
        }
    }

    /// Reports a header that is not there, with one of nearly that name which is.
    fn include_not_found(
        &mut self,
        directive: Location,
        header: &Header,
        candidates: &[Candidate],
        places: &str,
    ) {
        let code = &codes::INCLUDE_NOT_FOUND;
        let text = self.files.get(directive.file).map_or("", |f| &f.text);
        let written = directive.span.of(text).find(&header.name);
        let at = written.map(|at| {
            let start = directive.span.start + at as u32;
            Location {
                span: Span::new(start, start + header.name.len() as u32),
                ..directive
            }
        });
        let mut message = Diagnostic::new(code, at.or(Some(directive)), &[&header.name, &places]);
        let (folder, name) = header
            .name
            .rsplit_once('/')
            .map_or(("", header.name.as_str()), |(f, n)| (f, n));
        for (path, _) in candidates {
            let there = self.loader.beside(directory(path));
            let Some(near) = nearest(name, there.iter().map(String::as_str)) else {
                continue;
            };
            let near = match folder {
                "" => near.to_string(),
                folder => format!("{folder}/{near}"),
            };
            message = message.label(format!("did you mean '{near}'?"));
            if let Some(at) = at {
                let certain = is_certain(&header.name, &near);
                message = message.fix(Fix::rename(&[at], &near, certain));
            }
            break;
        }
        self.sink.push(message);
    }

    /// `--include FILE`.
    /// A word of the command line as a file.
    fn argument(&mut self, flag: &str, value: &str) -> Location {
        let (file, span) = SourceFile::argument(flag, value);
        let file = self.add_file(file.name, file.text, None, None);
        Location { file, span }
    }

    /// Says which directories are not there that are to be searched.
    pub(super) fn check_directories(&mut self) {
        let options = self.options;
        for directory in &options.include_directories {
            if self.loader.has_directory(directory) == Some(false) {
                let at = self.argument("-I", directory);
                let code = &codes::INCLUDE_DIRECTORY_MISSING;
                self.sink
                    .push(Diagnostic::new(code, Some(at), &[directory]));
            }
        }
    }

    pub(super) fn force_include(&mut self, path: &str) {
        let directories = self.options.include_directories.iter().enumerate();
        let mut candidates: Vec<Candidate> = vec![(path.to_string(), None)];
        candidates.extend(directories.map(|(i, d)| (join(d, path), Some(i))));
        match self.find(&candidates, None) {
            Err(Unreadable) => {}
            Ok(Some(id)) => {
                let frame = self.frame(id);
                self.frames.push(frame);
            }
            Ok(None) => {
                let places: Vec<String> = candidates
                    .iter()
                    .map(|(path, _)| format!("'{}'", directory(path)))
                    .collect();
                let places = places.join(", ");
                let code = &codes::INCLUDE_NOT_FOUND;
                let at = self.argument("--include", path);
                self.sink
                    .push(Diagnostic::new(code, Some(at), &[&path, &places]));
            }
        }
    }

    /// Whether there is such a file, for `__has_include`.
    pub(super) fn exists(&mut self, header: &Header, next: bool) -> bool {
        for (path, _) in self.candidates(header, next) {
            if self.by_path.contains_key(&normalized(&path)) {
                return true;
            }
            if self.loader.load(&path).is_ok() {
                self.depend_on(path);
                return true;
            }
        }
        false
    }

    fn depend_on(&mut self, path: String) {
        if !self.dependencies.contains(&path) {
            self.dependencies.push(path);
        }
    }

    /// Whether a header that is not found is one for the vendor's compiler: the standard's and the language's own may
    /// stand in quotes, too.
    fn is_for_vendor(&self, header: &Header) -> bool {
        header.angle
            || self.options.quoted_not_found == super::Missing::Keep
            || library::is_standard_header(&header.name)
    }

    /// The header that an include names.
    fn header(&mut self, line: &Line) -> Option<Header> {
        let first = *line
            .source
            .tokens
            .get(line.rest().start)
            .filter(|_| !line.rest().is_empty())?;
        let last = line.source.tokens.get(line.end - 1)?;
        let text = &line.source.text[first.span.start as usize..];
        // As it stands: what is between `<` and `>` are not tokens.
        if let Some(rest) = text.strip_prefix('<') {
            let length = rest.lines().next().and_then(|l| l.find('>'))?;
            return Some(Header {
                name: rest[..length].to_string(),
                angle: true,
            });
        }
        if first.kind == TokenKind::String {
            let name = unquoted(first.text(&line.source.text))?;
            return Some(Header { name, angle: false });
        }
        if !self.are_tokens(&line.source, line.rest()) || last.span.start < first.span.start {
            return None;
        }
        let pieces = self.texts.pieces(&line.source, line.rest());
        let expanded = self.expand_all(&pieces);
        self.header_of(&expanded)
    }

    /// The header that these tokens spell.
    pub(super) fn header_of(&self, pieces: &[Piece]) -> Option<Header> {
        match pieces {
            [one, ..] if one.kind == Kind::Token(TokenKind::String) => Some(Header {
                name: unquoted(self.texts.of(one))?,
                angle: false,
            }),
            [open, middle @ .., close] if self.texts.is(open, "<") && self.texts.is(close, ">") => {
                Some(Header {
                    name: self.texts.join(middle),
                    angle: true,
                })
            }
            _ => None,
        }
    }

    /// Where to look for a header, in order.
    fn candidates(&self, header: &Header, next: bool) -> Vec<Candidate> {
        let name = header.name.as_str();
        if name.starts_with('/') {
            return vec![(name.to_string(), None)];
        }
        let here = self.frames.last().map(|f| &f.source);
        // `_next` looks after the directory in which this file was found.
        let after = here
            .filter(|_| next)
            .and_then(|s| s.directory)
            .map_or(0, |i| i + 1);
        let mut candidates: Vec<Candidate> = Vec::new();
        if !header.angle && !next {
            candidates.extend(here.map(|s| (join(directory(&s.path), name), s.directory)));
        }
        if !header.angle || self.options.search_angle {
            let directories = self.options.include_directories.iter().enumerate();
            candidates.extend(
                directories
                    .skip(after)
                    .map(|(i, d)| (join(d, name), Some(i))),
            );
        }
        candidates
    }

    /// Reads the first of these files that exists, unless it has been read already.
    fn find(
        &mut self,
        candidates: &[Candidate],
        from: Option<Location>,
    ) -> Result<Option<FileId>, Unreadable> {
        for (path, directory) in candidates {
            let plain = normalized(path);
            if let Some(id) = self.by_path.get(&plain) {
                return Ok(Some(*id));
            }
            let mut loaded = self.loader.load(path);
            // `..` after a symbolic link is the loader's business first.
            if plain != *path && loaded.as_ref().is_err_and(is_missing) {
                loaded = self.loader.load(&plain);
            }
            let bytes = match loaded {
                Ok(bytes) => bytes,
                Err(error) if is_missing(&error) => continue,
                Err(error) => {
                    let code = &codes::CANNOT_READ;
                    self.sink.push(Diagnostic::new(code, from, &[path, &error]));
                    return Err(Unreadable);
                }
            };
            if bytes.len() as u64 >= crate::source::MOST_BYTES {
                self.sink
                    .push(Diagnostic::new(&codes::FILE_TOO_LARGE, from, &[path]));
                return Err(Unreadable);
            }
            let text = match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => {
                    let offset = error.utf8_error().valid_up_to();
                    self.sink
                        .push(Diagnostic::new(&codes::NOT_UTF8, from, &[path, &offset]));
                    return Err(Unreadable);
                }
            };
            let place = from.map(|l| Place {
                file: l.file,
                offset: l.span.start,
            });
            let id = self.add_file(path.clone(), text, *directory, place);
            self.by_path.insert(plain, id);
            self.depend_on(path.clone());
            return Ok(Some(id));
        }
        Ok(None)
    }

    /// Normalises and lexes a file.
    pub(super) fn add_file(
        &mut self,
        path: String,
        mut raw: String,
        directory: Option<usize>,
        included_from: Option<Place>,
    ) -> FileId {
        let marked = raw.starts_with(MARK);
        if marked {
            raw.drain(..MARK.len_utf8());
        }
        let (text, map) = (self.normalize)(&raw);
        let tokens = lex(&text);
        let id = self.files.add(SourceFile {
            name: path.clone(),
            text: raw,
            marked,
            normalized: text.clone(),
            map,
            included_from,
            lines: std::sync::OnceLock::new(),
        });
        let guard = guard(&text, &tokens).map(Into::into);
        let once = Cell::default();
        self.texts.sources.push(Rc::new(Source {
            id,
            path,
            directory,
            spliced: spliced_words(&text, &tokens),
            text,
            tokens,
            once,
            guard,
        }));
        id
    }

    /// Whether a file has been read and must not be read again.
    pub(super) fn is_read(&self, source: &Source) -> bool {
        let guard = source.guard.as_ref().and_then(|name| self.macros.get(name));
        source.once.get() != Once::Again || guard.is_some()
    }

    /// Whether a file was read where the vendor's compiler may not see it.
    fn is_read_in_part(&self, source: &Source) -> bool {
        let guard = source.guard.as_ref().and_then(|name| self.macros.get(name));
        source.once.get() == Once::InSomeGroup
            || guard.is_some_and(|g| matches!(g.meaning, Meaning::Split(_)))
    }

    /// Goes on with an included file, unless it must not be read again.
    fn enter_file(&mut self, id: FileId, from: Location, place: Place) {
        let frame = self.frame(id);
        let source = &frame.source;
        if self.is_read_in_part(source) {
            let path = source.path.clone();
            return self.fail(&codes::INCLUDE_SPLIT, from, &[&path]);
        }
        if self.is_read(source) {
            return;
        }
        self.inclusions += 1;
        if self.frames.len() >= super::DEEPEST_INCLUDE {
            let path = source.path.clone();
            self.fail(
                &codes::INCLUDE_DEPTH,
                from,
                &[&super::DEEPEST_INCLUDE, &path],
            );
            self.stopped = true;
        } else if self.inclusions > super::MOST_INCLUDES
            || self.output.text.len() > self.bytes_allowed
        {
            let limit = match self.inclusions > super::MOST_INCLUDES {
                true => format!("{} included files", super::MOST_INCLUDES),
                false => format!("{} MiB of text", super::MOST_BYTES >> 20),
            };
            self.fail(&codes::MACRO_RUNAWAY, from, &[&limit]);
            self.stopped = true;
        } else {
            self.output.break_line(place);
            self.frames.push(frame);
        }
    }
}

fn is_missing(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
    matches!(error.kind(), NotFound | IsADirectory | NotADirectory)
}

fn unquoted(literal: &str) -> Option<String> {
    Some(literal.strip_prefix('"')?.strip_suffix('"')?.to_string())
}

/// The directory part of a path; `.` if there is none.
fn directory(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) => "/",
        Some(at) => &path[..at],
        None => ".",
    }
}

fn join(directory: &str, name: &str) -> String {
    match directory {
        _ if name.starts_with('/') => name.to_string(),
        "" | "." => name.to_string(),
        _ => format!("{}/{name}", directory.trim_end_matches('/')),
    }
}

/// A path without `.` and `..` as far as that can be said from its text.
fn normalized(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!(
        "{}{}",
        if path.starts_with('/') { "/" } else { "" },
        parts.join("/")
    )
}

/// The macro of an include guard: `#ifndef NAME` first, its `#endif` last, no `#else` between.
fn guard<'t>(text: &'t str, tokens: &[Token]) -> Option<&'t str> {
    let word = |index: usize| tokens.get(index).map_or("", |t| t.text(text));
    let starts = |index: usize| tokens.get(index).is_none_or(|t| t.line_start);
    let name = *tokens.get(2)?;
    if word(0) != "#" || word(1) != "ifndef" || !name.is_identifier() || name.spliced || !starts(3)
    {
        return None;
    }
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        if !token.line_start || word(index) != "#" || starts(index + 1) {
            continue;
        }
        match word(index + 1) {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "else" | "elif" | "elifdef" | "elifndef" if depth == 1 => return None,
            "endif" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    // The last line of the file.
                    let after = tokens.get(index + 1..)?.iter().find(|t| t.line_start);
                    return after.is_none().then(|| name.text(text));
                }
            }
            _ => {}
        }
    }
    None
}

impl std::fmt::Display for Header {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (open, close) = if self.angle { ('<', '>') } else { ('"', '"') };
        write!(f, "{open}{}{close}", self.name)
    }
}
