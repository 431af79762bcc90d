//! How the groups of a nest are shared out among threads.

use super::Pass;
use crate::lex::lex;
use crate::module::Nest;
use std::collections::HashSet;

impl Pass<'_> {
    /// Whether groups may take very different times: there are loops that end when a condition says so, or whose
    /// bounds are read from memory.
    pub(super) fn is_uneven(&self, nest: &Nest) -> bool {
        let mut seen = HashSet::new();
        let mut left = vec![nest.span];
        while let Some(span) = left.pop() {
            let text = span.of(self.text);
            let tokens = lex(text);
            let word = |i: usize| tokens.get(i).map_or("", |t| t.text(text));
            for index in 0..tokens.len() {
                match word(index) {
                    "while" | "do" | "goto" | "break" => return true,
                    "for" => {
                        let mut depth = 0;
                        for at in index + 1..tokens.len() {
                            match word(at) {
                                "(" => depth += 1,
                                ")" => depth -= 1,
                                // Attributes are in brackets, too, and hold strings only.
                                "[" if word(at + 1) != "[" && word(at - 1) != "[" => return true,
                                _ => {}
                            }
                            if depth == 0 {
                                break;
                            }
                        }
                    }
                    name if word(index + 1) == "(" => {
                        let called = self.module.functions.iter().filter(|f| f.name == name);
                        left.extend(called.map(|f| f.span).filter(|s| seen.insert(s.start)));
                    }
                    _ => {}
                }
            }
        }
        false
    }
}
