//! Names of which the grammar cannot know that they are variables, since it knows no declarations: in `(v * (a & b)) - 1`
//! it sees a cast to a type of functions, in `f(a * b)` a list of parameters, in `f(a < b, c > (d))` a template. It reads
//! numbers of the same length instead, which leave no doubt; nobody else sees them.

mod values;

use crate::lex::{Token, lex};
use crate::module::VectorType;
use crate::source::Span;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::borrow::Cow;
use std::cell::OnceCell;

/// What a brace or bracket that is open holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    /// Declarations: those of a file, a namespace or a type; parameters.
    Declarations,
    /// Statements or expressions.
    Code,
}

/// What stands for a name.
const ONES: &str = "11111111111111111111111111111111";

/// The text with such names replaced. `directives` are lines that no grammar sees.
pub(in crate::analyze) fn with_stand_ins<'t>(text: &'t str, directives: &[Span]) -> Cow<'t, str> {
    let mut out = Cow::Borrowed(text);
    let mut tokens = lex(text);
    if !directives.is_empty() {
        tokens.retain(|t| !directives.iter().any(|d| d.contains(t.span)));
    }
    let program = Program::new(&tokens, text);
    let mut open: Vec<Holds> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", |at| program.word(at));
        let code = open.last() == Some(&Holds::Code);
        match token.text(text) {
            "{" => open.push(brace(&tokens, text, index)),
            "(" => {
                let around = open.last().copied().unwrap_or(Holds::Declarations);
                open.push(match before {
                    "]" | "catch" => Holds::Declarations,
                    _ => around,
                });
                if let Some(close) = program.pointer_value(index).filter(|_| code) {
                    for (at, brace) in [(index, "{"), (close, "}")] {
                        let start = tokens.get(at).map_or(token.span, |t| t.span).start as usize;
                        out.to_mut().replace_range(start..start + 1, brace);
                    }
                }
            }
            "[" => open.push(open.last().copied().unwrap_or(Holds::Declarations)),
            "}" | ")" | "]" => {
                open.pop();
            }
            "<" if code && program.compares(index) => {
                let at = token.span.start as usize;
                // As good, and begins no list of a template's arguments.
                out.to_mut().replace_range(at..at + 1, ">");
            }
            word if code && matches!(before, "(" | ",") && !token.spliced => {
                if !token.is_identifier() && word != "::" {
                    continue;
                }
                let last = program.end_of_name(index);
                if program.is_operand(index, last) && !program.is_type(program.word(last)) {
                    let end = tokens.get(last).map_or(token.span.end, |t| t.span.end);
                    let range = token.span.start as usize..end as usize;
                    // Most names are short.
                    let digits: Cow<'_, str> = match ONES.get(..range.len()) {
                        Some(ones) => ones.into(),
                        None => "1".repeat(range.len()).into(),
                    };
                    out.to_mut().replace_range(range, &digits);
                }
            }
            _ => {}
        }
    }
    out
}

/// What the text tells about names, each part once somebody asks.
struct Program<'t> {
    tokens: &'t [Token],
    text: &'t str,
    types: OnceCell<HashSet<&'t str>>,
    templates: OnceCell<HashSet<&'t str>>,
    variables: OnceCell<HashSet<&'t str>>,
    /// Where brackets close.
    closing: OnceCell<HashMap<usize, usize>>,
}

impl<'t> Program<'t> {
    fn new(tokens: &'t [Token], text: &'t str) -> Self {
        Self {
            tokens,
            text,
            types: OnceCell::new(),
            templates: OnceCell::new(),
            variables: OnceCell::new(),
            closing: OnceCell::new(),
        }
    }

    fn word(&self, at: usize) -> &'t str {
        self.tokens.get(at).map_or("", |t| t.text(self.text))
    }

    fn is_identifier(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::is_identifier)
    }

    fn is_type(&self, name: &str) -> bool {
        let types = || declared_types(self.tokens, self.text);
        is_type(name, self.types.get_or_init(types))
    }

    fn is_template(&self, name: &str) -> bool {
        let templates = || declared_templates(self.tokens, self.text);
        self.templates.get_or_init(templates).contains(name)
    }

    fn is_variable(&self, name: &str) -> bool {
        let variables = || declared_variables(self.tokens, self.text);
        self.variables.get_or_init(variables).contains(name)
    }

    /// The last word of a name with namespaces or classes in front.
    fn end_of_name(&self, index: usize) -> usize {
        let mut last = match self.word(index) {
            "::" => index + 1,
            _ => index,
        };
        while self.word(last + 1) == "::" && self.is_identifier(last + 2) {
            last += 2;
        }
        last
    }

    /// Where the bracket closes that opens there.
    fn close(&self, at: usize) -> Option<usize> {
        let closing = || closing_brackets(self.tokens, self.text);
        self.closing.get_or_init(closing).get(&at).copied()
    }

    /// Behind the brackets that follow there, if there are any: those of elements and of calls.
    fn behind_brackets(&self, mut at: usize) -> Option<usize> {
        while matches!(self.word(at), "(" | "[") {
            at = self.close(at)? + 1;
        }
        Some(at)
    }

    /// Whether a `<` compares a variable.
    fn compares(&self, index: usize) -> bool {
        let Some(at) = index.checked_sub(1).filter(|&at| self.is_identifier(at)) else {
            return false;
        };
        let name = self.word(at);
        if self.is_type(name) || self.is_template(name) {
            return false;
        }
        let first = at
            .checked_sub(1)
            .is_some_and(|b| matches!(self.word(b), "(" | ","));
        let listed = self.is_identifier(index + 1)
            && self.word(index + 2) == ","
            && !self.is_type(self.word(index + 1));
        first && listed || self.is_variable(name)
    }

    /// Whether a name that is the first word of a list or a bracket stands for a value there.
    fn is_operand(&self, index: usize, last: usize) -> bool {
        self.is_factor(last) || self.is_alone(index, last) || self.begins_value(index, last)
    }

    /// Whether a name, with the brackets behind it, is followed by `*` or `&` and an operand, and this declares nothing.
    fn is_factor(&self, last: usize) -> bool {
        let Some(behind) = self.behind_brackets(last + 1) else {
            return false;
        };
        let mut at = behind;
        while matches!(self.word(at), "*" | "&" | "&&") {
            at += 1;
        }
        if at == behind {
            return false;
        }
        match self.word(at) {
            // `(T *(*)(int))` is a type.
            "(" => !matches!((self.word(at + 1), self.word(at + 2)), ("*" | "&", ")")),
            word if self.is_identifier(at) => {
                // `for (T *p = …`, `for (T &v : …`
                !matches!(word, "const" | "volatile" | "restrict" | "__restrict__")
                    && !matches!(self.word(at + 1), "=" | ":" | "{")
            }
            _ => false,
        }
    }

    /// Whether a name stands alone between parentheses where the grammar could take it for a type: `(a) - (b) * c`,
    /// `(int)(a) - b`, `(t[i]) & b`, `(f(a)) * b`, `int c(a);`.
    fn is_alone(&self, index: usize, last: usize) -> bool {
        let token = |back: usize| index.checked_sub(back).and_then(|at| self.tokens.get(at));
        let (Some(open), Some(before)) = (token(1), token(2)) else {
            return false;
        };
        let Some(end) = self.behind_brackets(last + 1) else {
            return false;
        };
        if !open.is(self.text, "(") || self.word(end) != ")" {
            return false;
        }
        let behind = self.word(end + 1);
        let before_text = before.text(self.text);
        let expects = matches!(before_text, "return" | "case" | "else" | "do" | "throw");
        if (!before.is_identifier() || expects) && before_text != "]" {
            return matches!(behind, "-" | "+" | "*" | "&" | "&&");
        }
        let declared =
            token(3).is_some_and(|t| t.is_identifier() || matches!(t.text(self.text), "," | "*"));
        let asks = matches!(before_text, "sizeof" | "alignof" | "decltype");
        end == last + 1
            && declared
            && before.is_identifier()
            && !asks
            && matches!(behind, "," | ";")
    }
}

/// Where brackets that are open there close.
fn closing_brackets(tokens: &[Token], text: &str) -> HashMap<usize, usize> {
    let mut open = Vec::new();
    let mut pairs = HashMap::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.text(text) {
            "(" | "[" => open.push(index),
            ")" | "]" => pairs.extend(open.pop().map(|at| (at, index))),
            _ => {}
        }
    }
    pairs
}

/// What a brace opens.
fn brace(tokens: &[Token], text: &str, index: usize) -> Holds {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    let mut before = index;
    // Back to the beginning of what it belongs to.
    while let Some(at) = before.checked_sub(1) {
        match word(at) {
            ")" if at + 1 == index => return Holds::Code,
            ";" | "{" | "}" | "(" | "=" => return Holds::Code,
            "struct" | "class" | "union" | "enum" | "namespace" | "extern" => {
                return Holds::Declarations;
            }
            _ => before = at,
        }
    }
    Holds::Code
}

/// Whether a word can be a type, as far as the text tells.
fn is_type(word: &str, declared: &HashSet<&str>) -> bool {
    declared.contains(word)
        || word.ends_with("_t")
        || VectorType::from_name(word).is_some()
        || matches!(
            word,
            "auto"
                | "bool"
                | "char"
                | "class"
                | "const"
                | "constexpr"
                | "decltype"
                | "double"
                | "enum"
                | "float"
                | "half"
                | "int"
                | "long"
                | "new"
                | "nullptr"
                | "register"
                | "return"
                | "short"
                | "signed"
                | "sizeof"
                | "static"
                | "struct"
                | "this"
                | "true"
                | "false"
                | "typename"
                | "uchar"
                | "uint"
                | "ulong"
                | "union"
                | "unsigned"
                | "ushort"
                | "void"
                | "volatile"
                | "FILE"
                | "_Bool"
        )
}

/// Names that the program declares as types, or declares something with.
fn declared_types<'t>(tokens: &[Token], text: &'t str) -> HashSet<&'t str> {
    let mut names = HashSet::new();
    let word = |at: usize| tokens.get(at).map(|t| t.text(text));
    // Depth of brackets within a `typedef`.
    let mut typedef = None;
    for (index, token) in tokens.iter().enumerate() {
        // `real x`, where a header that is not there says what `real` is.
        if token.is_identifier() && tokens.get(index + 1).is_some_and(Token::is_identifier) {
            names.insert(token.text(text));
        }
        match (token.text(text), &mut typedef) {
            ("struct" | "union" | "enum" | "class" | "typename" | "using", _) => {
                names.extend(word(index + 1));
            }
            ("typedef", _) => typedef = Some(0usize),
            ("{" | "(", Some(depth)) => *depth += 1,
            ("}" | ")", Some(depth)) => *depth = depth.saturating_sub(1),
            ("," | ";" | "[", Some(0)) => {
                names.extend(index.checked_sub(1).and_then(word));
                if token.is(text, ";") {
                    typedef = None;
                }
            }
            _ => {}
        }
    }
    names.retain(|name| {
        name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$' || !c.is_ascii())
    });
    names
}

/// Names that are declared with a type in front of them, or assigned to.
fn declared_variables<'t>(tokens: &[Token], text: &'t str) -> HashSet<&'t str> {
    // Words in front of something else.
    let no_type = |word: &str| {
        matches!(
            word,
            "return"
                | "case"
                | "class"
                | "const"
                | "constexpr"
                | "delete"
                | "do"
                | "else"
                | "enum"
                | "extern"
                | "friend"
                | "goto"
                | "inline"
                | "mutable"
                | "namespace"
                | "new"
                | "operator"
                | "register"
                | "sizeof"
                | "static"
                | "struct"
                | "template"
                | "throw"
                | "typedef"
                | "typename"
                | "union"
                | "using"
                | "volatile"
        )
    };
    let mut names = HashSet::new();
    for pair in tokens.windows(2) {
        let [first, second] = pair else { continue };
        let (before, name) = (first.text(text), second.text(text));
        if !first.is_identifier() {
            continue;
        }
        if second.is_identifier() && !no_type(before) && !no_type(name) && !name.ends_with("_cast")
        {
            names.insert(name);
        } else if name == "=" {
            names.insert(before);
        }
    }
    names
}

/// Names of functions and types that stand behind `template <…>`: all that are followed by `(` or `{` there.
fn declared_templates<'t>(tokens: &[Token], text: &'t str) -> HashSet<&'t str> {
    let mut names = HashSet::new();
    let word = |at: usize| tokens.get(at).map_or("", |t| t.text(text));
    for (index, token) in tokens.iter().enumerate() {
        if !token.is(text, "template") {
            continue;
        }
        let mut at = index + 1;
        while !matches!(word(at), "" | "{" | ";" | "(") {
            at += 1;
        }
        names.insert(word(at - 1));
    }
    names
}
