use super::State;
use super::macros::{Macro, Parameters};
use super::pieces::{Kind, Piece};
use crate::diagnostics::codes;
use crate::lex::TokenKind;

impl State<'_> {
    /// The arguments of the call whose name has just been read, one list for each parameter. `None`
    /// where there is something wrong with them, which is then reported.
    pub(super) fn collect(
        &mut self,
        called: &Macro,
        parameters: &Parameters,
        name: &Piece,
        floor: usize,
        on_file: bool,
    ) -> Option<Vec<Vec<Piece>>> {
        let most = if parameters.variadic {
            parameters.names.len()
        } else {
            usize::MAX
        };
        let mut arguments = self.spare_lists.pop().unwrap_or_default();
        arguments.push(self.spare.pop().unwrap_or_default());
        // Parentheses that are open, and strings of attributes.
        let (mut depth, mut strings) = (0usize, 0usize);
        // A directive is white space.
        let mut space = false;
        loop {
            self.drop_finished(floor);
            if on_file && self.contexts.len() <= floor && self.at_directive() {
                self.directive_in_arguments();
                space = true;
                continue;
            }
            let Some(mut piece) = self.next(floor, on_file) else {
                return self.unterminated(called, name);
            };
            piece.space |= std::mem::take(&mut space);
            match piece.kind {
                Kind::Open => strings += 1,
                // The call does not reach beyond the attribute in which it stands.
                Kind::Close if strings == 0 => return self.unterminated(called, name),
                Kind::Close => strings -= 1,
                Kind::Token(TokenKind::Punctuator) => match self.texts.of(&piece) {
                    "(" => {
                        depth += 1;
                        if depth == 1 {
                            continue;
                        }
                        // Every parenthesis may be a call.
                        if depth > super::DEEPEST_PARENTHESIS {
                            return self.too_deep(name);
                        }
                    }
                    ")" => {
                        depth -= 1;
                        if depth == 0 {
                            break;
                        }
                    }
                    "," if depth == 1 && arguments.len() < most => {
                        arguments.push(Vec::new());
                        continue;
                    }
                    _ => {}
                },
                Kind::Token(_) => {}
            }
            if let Some(argument) = arguments.last_mut() {
                argument.push(piece);
            }
        }
        self.check_count(called, parameters, name, arguments)
    }

    fn check_count(
        &mut self,
        called: &Macro,
        parameters: &Parameters,
        name: &Piece,
        mut arguments: Vec<Vec<Piece>>,
    ) -> Option<Vec<Vec<Piece>>> {
        let takes = parameters.names.len();
        self.spend(arguments.iter().map(Vec::len).sum(), name);
        if takes == 0 && arguments.len() == 1 && arguments.iter().all(Vec::is_empty) {
            return Some(Vec::new());
        }
        // The variable part may be left out, with its comma.
        if parameters.variadic && arguments.len() + 1 == takes {
            arguments.push(Vec::new());
        }
        // Existing OKL tools take one empty argument too many.
        let forgiven = arguments.len() == takes + 1 && arguments.last().is_some_and(Vec::is_empty);
        if forgiven {
            arguments.pop();
            let diagnostic = self.diagnostic(&codes::MACRO_ARGUMENT_EMPTY, name, &[&called.name]);
            self.sink.push(diagnostic);
        }
        if arguments.len() == takes {
            return Some(arguments);
        }
        let plural = |n: usize| if n == 1 { "1 argument" } else { "" };
        let count = |n: usize| match plural(n) {
            "" => format!("{n} arguments"),
            one => one.to_string(),
        };
        let takes = match parameters.variadic {
            true => format!("at least {}", count(takes.saturating_sub(1))),
            false => count(takes),
        };
        let given = arguments.len();
        let mut diagnostic = self.diagnostic(
            &codes::MACRO_ARGUMENTS,
            name,
            &[&called.name, &takes, &given],
        );
        if let Some(place) = called.defined {
            let location = self.written(place, called.name.len() as u32);
            diagnostic = diagnostic.note("defined here", Some(location));
        }
        self.sink.push(diagnostic);
        None
    }

    /// Gives up: with calls in calls the time would grow with the square of the depth.
    pub(super) fn too_deep<T>(&mut self, call: &Piece) -> Option<T> {
        self.fail_at(
            &codes::MACRO_ARGUMENTS_DEPTH,
            call,
            &[&super::DEEPEST_ARGUMENT],
        );
        self.stopped = true;
        None
    }

    fn unterminated<T>(&mut self, called: &Macro, name: &Piece) -> Option<T> {
        if !self.stopped {
            self.fail_at(&codes::MACRO_UNTERMINATED, name, &[&called.name]);
        }
        None
    }

    /// Whether a directive comes next in the innermost file.
    fn at_directive(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|f| f.source.is_directive(f.at))
    }
}
