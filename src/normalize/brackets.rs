use crate::lex::{Token, TokenKind};

/// Which bracket belongs to which, by token index.
///
/// Directive lines are matched on their own, so that a macro body with an open brace does not upset
/// the code around it. A bracket without a partner has none; nothing fails.
pub(super) struct Brackets {
    partner: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Brackets {
    pub(super) fn of(text: &str, tokens: &[Token]) -> Self {
        let mut partner = vec![NONE; tokens.len()];
        let (mut code, mut directive): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new());
        let mut in_directive = false;
        for (index, token) in tokens.iter().enumerate() {
            if token.line_start {
                in_directive = token.is(text, "#");
                directive.clear();
            }
            if token.kind != TokenKind::Punctuator || token.span.len() != 1 {
                continue;
            }
            let stack = if in_directive {
                &mut directive
            } else {
                &mut code
            };
            let open = match token.text(text) {
                "(" | "[" | "{" => {
                    stack.push(index as u32);
                    continue;
                }
                ")" => "(",
                "]" => "[",
                "}" => "{",
                _ => continue,
            };
            // A closing bracket that does not fit closes what it can find a little further out:
            // branches of a conditional directive often open or close twice.
            let found = stack
                .iter()
                .rev()
                .take(8)
                .position(|&o| tokens.get(o as usize).is_some_and(|t| t.is(text, open)));
            if let Some(back) = found {
                let at = stack.len() - 1 - back;
                let opener = stack[at];
                stack.truncate(at);
                partner[opener as usize] = index as u32;
                partner[index] = opener;
            }
        }
        Self { partner }
    }

    pub(super) fn partner(&self, index: usize) -> Option<usize> {
        self.partner
            .get(index)
            .filter(|&&p| p != NONE)
            .map(|&p| p as usize)
    }
}
