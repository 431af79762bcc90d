//! The same tokens in another layout.

use brook::lex::{Token, TokenKind, lex};

/// What may stand between any two tokens of code. Comments hold what a careless reader would take for code.
pub const IN_CODE: &[&str] = &[
    " ",
    "\n",
    "\t",
    "/* restrict auto volatile const goto [2] } */",
    "/**/",
    "// @outer, do; ) = { \"\n",
    "\\\n",
    " \\\n ",
    "/* a\n\n   b */",
    "\n// x\n\t/*]*/\n",
    "\r\n",
];

/// What may stand between two tokens of a directive.
pub const IN_DIRECTIVES: &[&str] = &[
    " ",
    "\t",
    "/* const ; } */",
    "\\\n",
    " \\\n ",
    "/* a\n b */",
];

/// A source as tokens with gaps between them.
pub struct Parts<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    /// The number of a line must stay what it is: a macro asks for it.
    lines: bool,
    /// For each gap that may grow, the token behind it, whether it is in a directive, and whether something goes
    /// to its beginning, before what stands there.
    pub places: Vec<Place>,
}

#[derive(Clone, Copy)]
pub struct Place {
    /// The byte of the source before which something is put.
    at: usize,
    directive: bool,
    /// A token that ends with `/` stands directly before.
    slash: bool,
}

/// What is put where: indices into [`Parts::places`], ascending, and fillers.
pub type Layout = Vec<(usize, &'static str)>;

impl<'t> Parts<'t> {
    pub fn of(text: &'t str) -> Self {
        let tokens = lex(text);
        let lines = tokens.iter().any(|t| t.is(text, "__LINE__"));
        let mut parts = Self {
            text,
            tokens,
            lines,
            places: Vec::new(),
        };
        let mut line = 0;
        for index in 1..parts.tokens.len() {
            if parts.tokens[index].line_start {
                line = index;
            }
            parts.add(index, line);
        }
        parts
    }

    fn word(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |t| t.text(self.text))
    }

    /// Adds the places before token `index` of a line that begins with token `line`.
    fn add(&mut self, index: usize, line: usize) {
        let (token, before) = (self.tokens[index], self.tokens[index - 1]);
        let (from, to) = (before.span.end as usize, token.span.start as usize);
        // Text that is never read may have apostrophes, whose tokens end with the line.
        if before.kind == TokenKind::UnterminatedCharacter {
            return;
        }
        // A stray one continues the line if that ends there.
        if before.text(self.text) == "\\" {
            return;
        }
        // Suffixes of the user's own belong to their literals.
        let suffix = from == to && matches!(before.kind, TokenKind::String | TokenKind::Character);
        if suffix && token.is_identifier() {
            return;
        }
        let directive = index != line && self.word(line) == "#";
        if directive {
            let name = self.word(line + 1);
            let header = matches!(name, "include" | "include_next") && self.word(line + 2) == "<";
            let text = matches!(name, "pragma" | "error" | "warning");
            if (header || text) && index > line + 2 {
                return;
            }
            // `F(` and `F (` are different macros.
            if name == "define" && index == line + 3 && from == to {
                return;
            }
        }
        let slash = self.word(index - 1).ends_with('/');
        let place = |at, slash| Place {
            at,
            directive,
            slash,
        };
        if from != to && !(index == line && self.text[from..to].starts_with('\\')) {
            // The line before this one may be a directive, which has to end where it ends.
            let ends_line = index == line;
            self.places.push(Place {
                directive: directive || ends_line,
                ..place(from, slash)
            });
        }
        self.places.push(place(to, slash && from == to));
    }

    /// What may be put at a place.
    pub fn fillers(&self, place: usize) -> Vec<&'static str> {
        let all = match self.places[place].directive {
            true => IN_DIRECTIVES,
            false => IN_CODE,
        };
        let fits = |f: &&&str| self.fits(place, f);
        all.iter().filter(fits).copied().collect()
    }

    pub fn fits(&self, place: usize, filler: &str) -> bool {
        let known = !self.places[place].directive || IN_DIRECTIVES.contains(&filler);
        known && !(self.lines && filler.contains('\n'))
    }

    pub fn with(&self, layout: &Layout) -> String {
        let mut out = String::with_capacity(self.text.len() + layout.len() * 8);
        let mut done = 0;
        for (place, filler) in layout {
            let place = self.places[*place];
            out.push_str(&self.text[done..place.at]);
            if place.slash && filler.starts_with('/') {
                out.push(' ');
            }
            out.push_str(filler);
            done = place.at;
        }
        out.push_str(&self.text[done..]);
        out
    }
}
