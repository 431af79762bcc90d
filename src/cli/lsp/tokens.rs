//! Colours by meaning, and what has changed of them since they were last asked for.

use lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensEdit,
    SemanticTokensFullDeltaResult, Uri,
};
use std::collections::HashMap;

/// What every client of a text was told last.
#[derive(Default)]
pub(super) struct Told {
    all: HashMap<String, (String, Vec<SemanticToken>)>,
    count: u64,
}

impl Told {
    /// All tokens of a text.
    pub(super) fn all(&mut self, uri: &Uri, data: Vec<SemanticToken>) -> SemanticTokens {
        self.count += 1;
        let id = self.count.to_string();
        let told = (id.clone(), data.clone());
        self.all.insert(uri.as_str().to_string(), told);
        SemanticTokens {
            result_id: Some(id),
            data,
        }
    }

    /// The same as a change of what was told before under a name; all of them if that is not known any more.
    pub(super) fn since(
        &mut self,
        uri: &Uri,
        before: &str,
        data: Vec<SemanticToken>,
    ) -> SemanticTokensFullDeltaResult {
        let old = self.all.remove(uri.as_str());
        let new = self.all(uri, data);
        match old.filter(|(id, _)| id == before) {
            None => new.into(),
            Some((_, old)) => SemanticTokensDelta {
                edits: edits(&old, &new.data),
                result_id: new.result_id,
            }
            .into(),
        }
    }

    /// Nobody asks for what is closed.
    pub(super) fn forget(&mut self, uri: &Uri) {
        self.all.remove(uri.as_str());
    }
}

/// What makes the new tokens of the old ones: one piece in the middle, if anything. A text is changed in one place at a time, and
/// tokens tell their place by the one before.
fn edits(old: &[SemanticToken], new: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let same = |(a, b): &(&SemanticToken, &SemanticToken)| a == b;
    let begin = old.iter().zip(new).take_while(same).count();
    let (old, new) = (&old[begin..], &new[begin..]);
    let end = old.iter().rev().zip(new.iter().rev());
    let end = end.take_while(same).count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    if old.is_empty() && new.is_empty() {
        return Vec::new();
    }
    // Numbers are counted, of which a token has five.
    vec![SemanticTokensEdit {
        start: 5 * begin as u32,
        delete_count: 5 * old.len() as u32,
        data: Some(new.to_vec()),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(lengths: &[u32]) -> Vec<SemanticToken> {
        let tokens = lengths.iter().map(|&length| SemanticToken {
            delta_line: 1,
            delta_start: 0,
            length,
            token_type: 0,
            token_modifiers_bitset: 0,
        });
        tokens.collect()
    }

    /// What a client makes of edits, by numbers.
    fn applied(old: &[u32], new: &[u32]) -> Vec<u32> {
        let numbers = |lengths: &[u32]| {
            let each = lengths.iter().map(|&length| [1, 0, length, 0, 0]);
            each.collect::<Vec<_>>().concat()
        };
        let mut all = numbers(old);
        for edit in edits(&tokens(old), &tokens(new)) {
            let tokens = edit.data.unwrap_or_default();
            let lengths: Vec<u32> = tokens.iter().map(|token| token.length).collect();
            let (start, count) = (edit.start as usize, edit.delete_count as usize);
            all.splice(start..start + count, numbers(&lengths));
        }
        assert_eq!(all, numbers(new), "{old:?} {new:?}");
        all
    }

    #[test]
    fn edits_make_the_new_of_the_old() {
        for old in [&[][..], &[1], &[1, 1], &[1, 2, 3], &[2, 1, 2, 1]] {
            for new in [
                &[][..],
                &[1],
                &[1, 1, 1],
                &[1, 3],
                &[2, 1, 1],
                &[4, 1, 2, 3],
            ] {
                applied(old, new);
            }
            assert!(edits(&tokens(old), &tokens(old)).is_empty());
        }
        let [edit] = &edits(&tokens(&[1, 2, 3, 4]), &tokens(&[1, 5, 3, 4]))[..] else {
            unreachable!("one token has changed");
        };
        assert_eq!((edit.start, edit.delete_count), (5, 5));
    }
}
