use super::State;
use super::directives::Line;
use super::macros::{BuiltIn, Meaning};
use super::options::VendorConditions;
use super::scan::Frame;
use super::snapshot::Snapshot;
use crate::diagnostics::codes;
use crate::lex::TokenKind;
use crate::source::{FileId, Location};
use std::rc::Rc;

/// Conditionals that may be left open at the end of an included file.
const MOST_UNFINISHED: usize = 4;

/// An `#if` that is open.
#[derive(Debug)]
pub(super) struct Conditional {
    /// `if`, `ifdef` or `ifndef`, and where it stands.
    name: Box<str>,
    location: Location,
    /// One of its groups has been read; of one that is kept: none of the others can be.
    taken: bool,
    /// `#else` has been seen.
    otherwise: bool,
    /// The vendor's compiler decides.
    kept: Option<Kept>,
}

/// A conditional that stays in the text.
#[derive(Debug)]
struct Kept {
    /// What was known before it.
    before: Snapshot,
    /// What was known at the end of each group read so far.
    groups: Vec<Snapshot>,
}

/// What a condition says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Yes,
    No,
    /// Only the vendor's compiler can tell: the condition for it.
    Open(String),
}

impl Verdict {
    pub fn of(value: bool) -> Self {
        if value { Self::Yes } else { Self::No }
    }
}

impl State<'_> {
    /// A directive of a conditional, in text that is read.
    pub(super) fn conditional(&mut self, line: &Line) {
        match line.name() {
            "if" | "ifdef" | "ifndef" => {
                let verdict = self.condition(line);
                let location = line.location(self);
                let open = Conditional {
                    name: line.name().into(),
                    location,
                    taken: verdict == Verdict::Yes,
                    otherwise: false,
                    kept: None,
                };
                if let Some(frame) = self.frames.last_mut() {
                    frame.conditionals.push(open);
                }
                match verdict {
                    Verdict::Yes => {}
                    Verdict::No => self.skip(),
                    Verdict::Open(condition) => self.keep_group(line, &condition),
                }
            }
            "endif" => {
                self.end_group();
                let open = self.frames.last_mut().and_then(|f| f.conditionals.pop());
                match open {
                    Some(open) => self.end_conditional(open, line),
                    None => self.stray(line),
                }
            }
            _ => match self.frames.last().and_then(|f| f.conditionals.last()) {
                None => self.stray(line),
                // The group that was read ends here; others are only if this one is kept.
                Some(_) => {
                    self.end_group();
                    if !self.alternative(line) {
                        self.skip();
                    }
                }
            },
        }
    }

    /// The innermost conditional.
    fn innermost(&mut self) -> Option<&mut Conditional> {
        self.frames.last_mut()?.conditionals.last_mut()
    }

    /// Whether text is read that the vendor's compiler may not see.
    pub(super) fn in_kept_group(&self) -> bool {
        let mut all = self.frames.iter().flat_map(|f| &f.conditionals);
        all.any(|c| c.kept.is_some())
    }

    /// Begins a group of the innermost conditional that stays in the text.
    fn keep_group(&mut self, line: &Line, condition: &str) {
        let is_first = self.innermost().is_some_and(|c| c.kept.is_none());
        if is_first {
            let before = self.snapshot();
            if let Some(open) = self.innermost() {
                let groups = Vec::new();
                open.kept = Some(Kept { before, groups });
            }
        }
        let directive = match (is_first, condition) {
            (true, condition) => format!("#if {condition}"),
            (false, "") => "#else".to_string(),
            (false, condition) => format!("#elif {condition}"),
        };
        self.keep_as(line, &directive);
    }

    /// The end of a group that was read, in a conditional that is kept: the next one begins with what
    /// was known before all of them.
    fn end_group(&mut self) {
        if self.innermost().is_none_or(|c| c.kept.is_none()) {
            return;
        }
        let now = self.snapshot();
        let kept = self.innermost().and_then(|c| c.kept.as_mut());
        let before = kept.map(|kept| {
            kept.groups.push(now);
            kept.before.clone()
        });
        if let Some(before) = before {
            self.restore(&before);
        }
    }

    fn end_conditional(&mut self, open: Conditional, line: &Line) {
        let Some(mut kept) = open.kept else { return };
        if !open.taken {
            kept.groups.push(kept.before);
        }
        self.merge(&kept.groups, open.location);
        self.keep_as(line, "#endif");
    }

    fn stray(&mut self, line: &Line) {
        let location = line.location(self);
        self.fail(&codes::CONDITION_STRAY, location, &[&line.name()]);
    }

    /// Skips groups up to the one to read, or to the end of the conditional.
    fn skip(&mut self) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let source = Rc::clone(&frame.source);
        let mut at = frame.at;
        let mut nested = 0usize;
        while let Some(token) = source.tokens.get(at) {
            if token.kind == TokenKind::UnterminatedComment {
                self.lexical_error(&source, *token);
            }
            if !token.line_start || !source.is_directive(at) {
                at += 1;
                continue;
            }
            let end = source.line_end(at);
            let line = Line {
                source: Rc::clone(&source),
                hash: at,
                end,
            };
            at = end;
            match line.name() {
                "if" | "ifdef" | "ifndef" => nested += 1,
                "endif" if nested > 0 => nested -= 1,
                "endif" => {
                    let mut open = None;
                    if let Some(frame) = self.frames.last_mut() {
                        open = frame.conditionals.pop();
                        frame.at = end;
                    }
                    if let Some(open) = open {
                        self.end_conditional(open, &line);
                    }
                    return;
                }
                "else" | "elif" | "elifdef" | "elifndef" if nested == 0 => {
                    if let Some(frame) = self.frames.last_mut() {
                        (frame.at, frame.began) = (end, line.hash);
                    }
                    if self.alternative(&line) || self.stopped {
                        return;
                    }
                }
                _ => {}
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.at = at;
            frame.copied = source.text.len() as u32;
        }
    }

    /// `#else` or `#elif` of the innermost conditional: whether its group is to be read.
    fn alternative(&mut self, line: &Line) -> bool {
        let is_else = line.name() == "else";
        let Some(open) = self
            .frames
            .last_mut()
            .and_then(|f| f.conditionals.last_mut())
        else {
            return false;
        };
        let (after_else, was_taken, begin) = (open.otherwise, open.taken, open.location);
        open.otherwise |= is_else;
        if after_else {
            let location = line.location(self);
            let diagnostic = crate::diagnostics::Diagnostic::new(
                &codes::CONDITION_AFTER_ELSE,
                Some(location),
                &[&line.name()],
            );
            self.sink
                .push(diagnostic.note("the conditional begins here", Some(begin)));
            return false;
        }
        let is_kept = open.kept.is_some();
        let verdict = match (was_taken, is_else) {
            (true, _) => return false,
            (false, true) => Verdict::Yes,
            (false, false) => self.condition(line),
        };
        if let Some(open) = self.innermost() {
            open.taken |= verdict == Verdict::Yes;
        }
        match verdict {
            Verdict::No => return false,
            Verdict::Yes if is_kept => self.keep_group(line, ""),
            Verdict::Yes => {}
            Verdict::Open(condition) => self.keep_group(line, &condition),
        }
        true
    }

    /// What `#if`, `#ifdef` and their like say.
    fn condition(&mut self, line: &Line) -> Verdict {
        let verdict = self.verdict(line);
        match (&verdict, self.options.vendor_conditions) {
            (Verdict::Open(condition), _) if self.in_arguments => {
                let location = line.location(self);
                self.fail(&codes::CONDITION_VENDOR, location, &[condition]);
                Verdict::No
            }
            (Verdict::Open(condition), VendorConditions::HostOnly) => {
                if holds_kernel(line) {
                    let location = line.location(self);
                    self.fail(&codes::CONDITION_VENDOR, location, &[condition]);
                }
                // Where none of the macros is defined, `!defined(X)` is true.
                Verdict::of(self.value_without_vendor(line))
            }
            _ => verdict,
        }
    }

    fn verdict(&mut self, line: &Line) -> Verdict {
        let wanted = match line.name() {
            "ifdef" | "elifdef" => true,
            "ifndef" | "elifndef" => false,
            _ => return self.evaluate(line),
        };
        let name = line.source.tokens.get(line.rest().start);
        let Some(name) = name.filter(|t| !line.rest().is_empty() && t.is_identifier()) else {
            let location = line.location(self);
            let what = "expected the name of a macro";
            self.fail(
                &codes::CONDITION_MALFORMED,
                location,
                &[&line.name(), &what],
            );
            return Verdict::No;
        };
        let spelling = line.source.spelling(*name);
        let location = self.at_token(&line.source, *name);
        match self.is_defined(&spelling, location) {
            Some(defined) => Verdict::of(defined == wanted),
            None if wanted => Verdict::Open(format!("defined({spelling})")),
            None => Verdict::Open(format!("!defined({spelling})")),
        }
    }

    /// Whether a macro of that name is defined; `None` if only the vendor's compiler knows.
    pub(super) fn is_defined(&mut self, name: &str, used: Location) -> Option<bool> {
        match self.macros.get(name).map(|m| &m.meaning) {
            Some(Meaning::Split(begins)) => {
                let begins = *begins;
                self.split_macro(name, begins, used);
                Some(false)
            }
            Some(Meaning::BuiltIn(BuiltIn::Pragma)) => Some(false),
            Some(_) => Some(true),
            None if self.is_vendor(name) => None,
            None => Some(false),
        }
    }

    /// Whether a name is one that the vendor's compiler may define.
    pub(super) fn is_vendor(&self, name: &str) -> bool {
        let mut patterns = self.options.vendor_macros.iter();
        !self.without_vendor
            && patterns.any(|pattern| match pattern.strip_suffix('*') {
                Some(beginning) => name.starts_with(beginning),
                None => name == pattern,
            })
    }

    /// What a condition says where none of the vendor's macros is defined.
    fn value_without_vendor(&mut self, line: &Line) -> bool {
        self.without_vendor = true;
        let verdict = self.verdict(line);
        self.without_vendor = false;
        verdict == Verdict::Yes
    }

    /// Reports conditionals that a file leaves open.
    pub(super) fn report_open(&mut self, frame: &Frame) {
        if self.stopped {
            return;
        }
        // A few in a header are an oversight that other tools pass over. The file that is translated can be mended.
        let main = frame.source.id == FileId::MAIN;
        let few = !main && frame.conditionals.len() <= MOST_UNFINISHED;
        for open in &frame.conditionals {
            // What the vendor's compiler decides has to be whole.
            let code = match open.kept {
                None if few => &codes::CONDITION_UNFINISHED,
                _ => &codes::CONDITION_OPEN,
            };
            self.fail(code, open.location, &[&open.name]);
        }
    }
}

/// Whether a Brook+ kernel stands in the conditional that begins with this line.
fn holds_kernel(line: &Line) -> bool {
    let source = &line.source;
    let mut depth = 0usize;
    for at in line.hash..source.tokens.len() {
        if source.is_directive(at) {
            match source.word(at + 1) {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" => depth = depth.saturating_sub(1),
                _ => {}
            }
            // An `#elif` begins within.
            if depth == 0 && source.word(at + 1) == "endif" {
                return false;
            }
        } else if matches!(source.word(at), "brook_kernel" | "brook_reduce") {
            return true;
        }
    }
    false
}
