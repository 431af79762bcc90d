use super::State;
use super::macros::{Body, Item, Macro, Meaning};
use super::pieces::Piece;
use crate::source::ExpansionId;

/// The arguments of one call.
struct Call {
    /// As written.
    raw: Vec<Vec<Piece>>,
    /// Expanded, as far as anyone asked.
    expanded: Vec<Option<Vec<Piece>>>,
    expansion: ExpansionId,
    /// The number of the parameter that takes what is left.
    variadic: Option<usize>,
}

/// Where a replacement stands while `##` may still take up its last token.
#[derive(Default)]
struct Tail {
    /// The `##` that waits for its right operand.
    paste: Option<Piece>,
    /// The left operand has tokens.
    filled: bool,
}

impl State<'_> {
    /// The replacement of a call, before it is rescanned.
    pub(super) fn substitute(
        &mut self,
        called: &Macro,
        arguments: Vec<Vec<Piece>>,
        expansion: ExpansionId,
    ) -> Vec<Piece> {
        let mut out = self.spare.pop().unwrap_or_default();
        let (body, variadic) = match &called.meaning {
            Meaning::Object(body) => (body, None),
            Meaning::Function(parameters, body) => (
                body,
                parameters.variadic.then(|| parameters.names.len() - 1),
            ),
            Meaning::BuiltIn(_) | Meaning::Split(_) => return out,
        };
        let expanded = vec![None; arguments.len()];
        let mut call = Call {
            raw: arguments,
            expanded,
            expansion,
            variadic,
        };
        let Body { items } = body;
        self.fill(items, &mut call, &mut out);
        for list in { call.raw.drain(..) }.chain(call.expanded.into_iter().flatten()) {
            self.spare(list);
        }
        // Calls within arguments have lists of their own at the same time.
        if self.spare_lists.len() < 16 {
            self.spare_lists.push(call.raw);
        }
        out
    }

    /// Appends what the items stand for; tells whether the last of them has tokens, which `##` behind
    /// them wants to know.
    fn fill(&mut self, items: &[Item], call: &mut Call, out: &mut Vec<Piece>) -> bool {
        let mut tail = Tail::default();
        let mut index = 0;
        // White space before an operand without tokens stands before what comes next.
        let mut space = false;
        while let Some(item) = items.get(index) {
            index += 1;
            if self.stopped {
                return false;
            }
            let before = out.len();
            match *item {
                Item::Paste(piece) => {
                    tail.paste = Some(Piece {
                        expansion: Some(call.expansion),
                        ..piece
                    });
                    continue;
                }
                Item::Piece(piece) => {
                    let piece = Piece {
                        expansion: Some(call.expansion),
                        ..piece
                    };
                    if let Some(at) = self.comma_before_rest(&piece, items.get(index..), call) {
                        // GNU: `, ## __VA_ARGS__` drops the comma where nothing follows it.
                        index += 2;
                        let rest = call.variadic.unwrap_or(0);
                        if call.raw.get(rest).is_some_and(|raw| !raw.is_empty()) {
                            self.append(&[piece], &mut tail, out);
                            tail = Tail::default();
                            self.append_argument(rest, &at, call, &mut tail, out);
                        }
                    } else {
                        self.append(&[piece], &mut tail, out);
                    }
                }
                Item::Parameter(number, piece) => {
                    let pasted =
                        tail.paste.is_some() || matches!(items.get(index), Some(Item::Paste(_)));
                    if pasted {
                        let mut raw = call.raw.get(number).cloned().unwrap_or_default();
                        if let Some(first) = raw.first_mut() {
                            first.space = piece.space;
                        }
                        self.append(&raw, &mut tail, out);
                    } else {
                        self.append_argument(number, &piece, call, &mut tail, out);
                    }
                }
                Item::Stringize(number, piece) => {
                    let at = Piece {
                        expansion: Some(call.expansion),
                        ..piece
                    };
                    let raw = call.raw.get(number).map_or(&[][..], Vec::as_slice);
                    let made = self.stringize(raw, &at);
                    self.append(&[made], &mut tail, out);
                }
                Item::Optional {
                    items: count,
                    stringize,
                    piece,
                } => {
                    let content = items.get(index..index + count).unwrap_or_default();
                    index += count;
                    let at = Piece {
                        expansion: Some(call.expansion),
                        ..piece
                    };
                    let mut inner = Vec::new();
                    // No deeper than once: __VA_OPT__ does not nest.
                    let mut filled = self.has_rest(call) && self.fill(content, call, &mut inner);
                    if stringize {
                        inner = vec![self.stringize(&inner, &at)];
                        filled = true;
                    }
                    if let Some(first) = inner.first_mut() {
                        first.space = piece.space;
                    }
                    self.append(&inner, &mut tail, out);
                    tail.filled &= filled;
                }
            }
            match out.get_mut(before) {
                Some(first) => first.space |= std::mem::take(&mut space),
                None => space |= item.piece().space,
            }
            // Stops a body that multiplies its arguments before it fills the memory.
            if self.tokens + out.len() > super::MOST_TOKENS
                || self.texts.pool.len() > super::MOST_BYTES
            {
                self.spend(out.len(), item.piece());
            }
        }
        tail.filled
    }

    /// Whether `, ## __VA_ARGS__` begins here; the piece is the parameter's name.
    fn comma_before_rest(
        &self,
        piece: &Piece,
        next: Option<&[Item]>,
        call: &Call,
    ) -> Option<Piece> {
        match next? {
            [Item::Paste(_), Item::Parameter(number, at), ..]
                if Some(*number) == call.variadic && self.texts.is(piece, ",") =>
            {
                Some(*at)
            }
            _ => None,
        }
    }

    /// Whether the variable part has tokens once it is expanded.
    fn has_rest(&mut self, call: &mut Call) -> bool {
        let Some(rest) = call.variadic else {
            return false;
        };
        !self.expanded(rest, call).is_empty()
    }

    fn expanded<'c>(&mut self, number: usize, call: &'c mut Call) -> &'c [Piece] {
        let Call { raw, expanded, .. } = call;
        let (Some(raw), Some(slot)) = (raw.get(number), expanded.get_mut(number)) else {
            return &[];
        };
        slot.get_or_insert_with(|| self.expand_all(raw))
    }

    /// Appends an argument after expansion.
    fn append_argument(
        &mut self,
        number: usize,
        at: &Piece,
        call: &mut Call,
        tail: &mut Tail,
        out: &mut Vec<Piece>,
    ) {
        let pieces = self.expanded(number, call);
        let from = out.len();
        out.extend_from_slice(pieces);
        if let Some(first) = out.get_mut(from) {
            first.space = at.space;
        }
        *tail = Tail {
            paste: None,
            filled: out.len() > from,
        };
    }

    /// Appends an operand, pasted to what stands before it if `##` says so.
    fn append(&mut self, pieces: &[Piece], tail: &mut Tail, out: &mut Vec<Piece>) {
        let Some(paste) = tail.paste.take() else {
            out.extend_from_slice(pieces);
            tail.filled = !pieces.is_empty();
            return;
        };
        let Some((first, rest)) = pieces.split_first() else {
            return;
        };
        // An empty operand leaves the other one as it is.
        match out.pop() {
            Some(left) if tail.filled => match self.paste(&left, first, &paste) {
                Some(made) => out.push(made),
                None => out.extend([left, *first]),
            },
            left => out.extend(left.into_iter().chain([*first])),
        }
        out.extend_from_slice(rest);
        tail.filled = true;
    }
}
