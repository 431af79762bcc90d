//! Kernels in a text, and those of them that are templates: what is known of them without a tree.

use crate::lex::{Token, TokenKind, one_layout};
use crate::module::{KernelTemplate, Tells, TemplateParameter, TemplatedParameter};
use crate::source::Span;

/// A template of a kernel; tokens by index.
pub(super) struct Template {
    pub(super) known: KernelTemplate,
    /// The token of its name.
    pub(super) name_at: usize,
    /// The whole declaration, attributes before `template` included.
    pub(super) first: usize,
    /// The word `template`.
    pub(super) keyword: usize,
    /// What is copied besides such attributes: from the return type or an attribute to the last brace.
    pub(super) function: usize,
    pub(super) end: usize,
}

/// A kernel with a body that is no template; tokens by index.
pub(super) struct Plain {
    /// The token of its name.
    pub(super) name_at: usize,
    pub(super) first: usize,
    pub(super) end: usize,
}

pub(super) struct Text<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
}

/// A function: the bracket of its parameters, the brace of its body, and what is behind that.
struct Function {
    open: usize,
    end: usize,
    /// One of its attributes says that it is a kernel.
    is_kernel: bool,
}

impl<'t> Text<'t> {
    pub(super) fn word(&self, index: usize) -> &'t str {
        self.tokens.get(index).map_or("", |t| t.text(self.text))
    }

    pub(super) fn span(&self, first: usize, end: usize) -> Span {
        match (self.tokens.get(first), self.tokens.get(end.wrapping_sub(1))) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::at(0),
        }
    }

    /// The index after what closes the bracket at `open`.
    fn after(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in open..self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The index after the `>` that closes the `<` at `open`.
    fn after_angle(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut at = open;
        while at < self.tokens.len() {
            match self.word(at) {
                "<" => depth += 1,
                ">" => depth = depth.checked_sub(1)?,
                ">>" => depth = depth.checked_sub(2)?,
                "(" | "[" => {
                    at = self.after(at)?;
                    continue;
                }
                ";" | "{" | "}" => return None,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
        None
    }

    /// Every template of a kernel that has a body.
    pub(super) fn templates(&self) -> Vec<Template> {
        (0..self.tokens.len())
            .filter(|&at| self.word(at) == "template" && self.word(at + 1) == "<")
            .filter_map(|at| self.template(at))
            .collect()
    }

    /// The template that begins at a token, if it is one of a kernel and has a body.
    fn template(&self, keyword: usize) -> Option<Template> {
        let function = self.after_angle(keyword + 1)?;
        let list = self.list(keyword + 2, function - 1);
        let parameters = list
            .into_iter()
            .map(|(from, to)| self.template_parameter(from, to));
        let parameters: Vec<TemplateParameter> = parameters.collect::<Option<_>>()?;
        // Attributes may stand before the keyword as well.
        let mut first = keyword;
        while first >= 8 && self.is_attribute(first - 8) {
            first -= 8;
        }
        let before = (first..keyword).any(|at| self.word(at) == "okl_kernel");
        let found = self.function(function)?;
        // A specialisation, `f<int>(…)`, is none.
        let is_named = self.tokens[found.open - 1].is_identifier();
        if !is_named || parameters.is_empty() || !before && !found.is_kernel {
            return None;
        }
        let close = self.after(found.open)? - 1;
        let arguments = self.list(found.open + 1, close).into_iter();
        let arguments = arguments.filter_map(|(from, to)| self.argument(from, to, &parameters));
        Some(Template {
            known: KernelTemplate {
                name: self.word(found.open - 1).to_string(),
                arguments: arguments.collect(),
                parameters,
                instances: Vec::new(),
            },
            name_at: found.open - 1,
            first,
            keyword,
            function,
            end: found.end,
        })
    }

    /// The function with a body whose declaration goes on at a token.
    fn function(&self, mut at: usize) -> Option<Function> {
        let mut is_kernel = false;
        let open = loop {
            match self.word(at) {
                "[" => {
                    is_kernel |= self.word(at + 2) == "okl_kernel";
                    at = self.after(at)?;
                }
                "(" => break at,
                ";" | "{" | "}" | "=" | "" => return None,
                _ => at += 1,
            }
        };
        let mut body = self.after(open)?;
        while self.word(body) == "[" {
            is_kernel |= self.word(body + 2) == "okl_kernel";
            body = self.after(body)?;
        }
        let end = match self.word(body) {
            "{" => self.after(body)?,
            _ => return None,
        };
        (open > 0).then_some(Function {
            open,
            end,
            is_kernel,
        })
    }

    /// Every kernel with a body that is none of these templates.
    pub(super) fn plain(&self, templates: &[Template]) -> Vec<Plain> {
        let mut in_directive = false;
        // Where the declaration begins that a token belongs to.
        let mut first = 0;
        let mut found: Vec<Plain> = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            if token.line_start {
                let was = in_directive;
                in_directive = token.is(self.text, "#");
                if was || in_directive {
                    first = at;
                }
            }
            if matches!(self.word(at), ";" | "{" | "}") {
                first = at + 1;
            }
            let known = found.last().is_some_and(|last| at < last.end);
            let within = |t: &Template| (t.first..t.end).contains(&at);
            if in_directive
                || known
                || self.word(at) != "okl_kernel"
                || templates.iter().any(within)
            {
                continue;
            }
            let function = self.function(first).filter(|f| f.is_kernel);
            found.extend(function.map(|f| Plain {
                name_at: f.open - 1,
                first,
                end: f.end,
            }));
        }
        found
    }

    /// `[` `[` okl_name `(` "…" `)` `]` `]` at a token.
    fn is_attribute(&self, at: usize) -> bool {
        self.word(at) == "["
            && self.word(at + 1) == "["
            && self.word(at + 2).starts_with("okl_")
            && self.after(at) == Some(at + 8)
    }

    /// What stands between the commas of a list, angle brackets counted; nothing of an empty one.
    fn list(&self, from: usize, to: usize) -> Vec<(usize, usize)> {
        let (mut parts, mut start, mut depth) = (Vec::new(), from, 0usize);
        let mut at = from;
        while at < to {
            match self.word(at) {
                "(" | "[" | "{" => {
                    at = self.after(at).unwrap_or(to);
                    continue;
                }
                "<" => depth += 1,
                ">" => depth = depth.saturating_sub(1),
                ">>" => depth = depth.saturating_sub(2),
                "," if depth == 0 => {
                    parts.push((start, at));
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        if start < to {
            parts.push((start, to));
        }
        parts
    }

    /// Where a word stands outside of brackets.
    fn find(&self, from: usize, to: usize, word: &str) -> Option<usize> {
        let mut at = from;
        while at < to {
            match self.word(at) {
                found if found == word => return Some(at),
                "(" | "[" | "{" => at = self.after(at)?,
                _ => at += 1,
            }
        }
        None
    }

    /// `typename T`, `int N = 4`. None of what is known: packs, templates, what has no name.
    fn template_parameter(&self, from: usize, to: usize) -> Option<TemplateParameter> {
        let equals = self.find(from, to, "=");
        let end = equals.unwrap_or(to);
        let name = end.checked_sub(1).filter(|last| *last > from)?;
        let type_name = match self.word(from) {
            "typename" | "class" if name == from + 1 => None,
            "typename" | "class" | "template" => return None,
            _ => {
                let words = from..name;
                let plain = |at: usize| self.tokens[at].is_identifier() || self.word(at) == "::";
                let mut words = words.filter(|&at| self.word(at) != "const");
                if !words.all(plain) {
                    return None;
                }
                Some(one_layout(self.span(from, name).of(self.text)))
            }
        };
        let default = equals.map(|at| self.span(at + 1, to).of(self.text));
        self.tokens[name]
            .is_identifier()
            .then(|| TemplateParameter {
                name: self.word(name).to_string(),
                type_name,
                default: default.map(one_layout),
            })
    }

    /// A parameter of a kernel. None of `void`.
    fn argument(
        &self,
        from: usize,
        to: usize,
        parameters: &[TemplateParameter],
    ) -> Option<TemplatedParameter> {
        let end = self.find(from, to, "=").unwrap_or(to);
        let mut words: Vec<usize> = Vec::new();
        let (mut stars, mut odd, mut at) = (0, false, from);
        while at < end {
            match self.word(at) {
                "[" if self.word(at + 1) == "[" => at = self.after(at)?,
                "[" => {
                    stars += 1;
                    at = self.after(at)?;
                }
                "(" => {
                    odd = true;
                    words.extend(at..self.after(at)?);
                    at = self.after(at)?;
                }
                _ => {
                    words.push(at);
                    at += 1;
                }
            }
        }
        let name = words
            .iter()
            .rposition(|&at| self.tokens[at].kind == TokenKind::Identifier)?;
        let name = words.remove(name);
        if words.is_empty() {
            return None;
        }
        let star = words.iter().position(|&at| self.word(at) == "*");
        let pointee = &words[..star.unwrap_or(words.len())];
        let constant = pointee.iter().any(|&at| self.word(at) == "const");
        stars += words.iter().filter(|&&at| self.word(at) == "*").count();
        let own = |at: usize| {
            let word = self.word(at);
            parameters.iter().position(|p| p.name == word)
        };
        let base: Vec<usize> = pointee
            .iter()
            .copied()
            .filter(|&at| !is_qualifier(self.word(at)))
            .collect();
        let mentioned = words.iter().any(|&at| own(at).is_some());
        let tells = match base.as_slice() {
            _ if !mentioned => Tells::Nothing,
            [one] if stars < 2 && !odd => own(*one).map_or(Tells::Hidden, Tells::Type),
            _ => Tells::Hidden,
        };
        let type_name = base.iter().map(|&at| self.word(at));
        let mut type_name = one_layout(&type_name.collect::<Vec<_>>().join(" "));
        for _ in 1..stars {
            type_name.push_str(" *");
        }
        Some(TemplatedParameter {
            name: self.word(name).to_string(),
            type_name,
            pointer: stars > 0,
            constant,
            tells,
        })
    }
}

/// A word that is no part of what a type is.
fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "volatile"
            | "restrict"
            | "__restrict"
            | "__restrict__"
            | "register"
            | "struct"
            | "class"
            | "enum"
            | "union"
            | "typename"
    )
}
