//! What tests read in pages of Markdown: their blocks of code.

use std::ops::Range;

/// A block of code between two lines of three backticks.
#[derive(Clone, Debug)]
pub struct Block {
    /// The line behind the opening fence, counted from 1.
    pub line: usize,
    /// What stands behind the backticks: the language, and words that renderers leave alone.
    pub info: String,
    /// The bytes of the page that are the block's lines.
    pub place: Range<usize>,
    /// The paragraph before it.
    pub before: String,
}

impl Block {
    /// Whether a word stands behind the language.
    pub fn says(&self, word: &str) -> bool {
        self.info.split_whitespace().skip(1).any(|w| w == word)
    }

    /// What a word of the form `KEY=VALUE` says.
    pub fn value(&self, key: &str) -> Option<&str> {
        let words = self.info.split_whitespace().skip(1);
        words
            .filter_map(|word| word.split_once('='))
            .find(|(k, _)| *k == key)
            .map(|(_, value)| value)
    }
}

/// All blocks of a page. One that is not closed is an error.
pub fn blocks(page: &str) -> Result<Vec<Block>, String> {
    let mut blocks: Vec<Block> = Vec::new();
    let (mut open, mut at, mut before) = (false, 0, String::new());
    for (number, line) in page.split_inclusive('\n').enumerate() {
        let end = at + line.len();
        if let Some(info) = line.strip_prefix("```") {
            if !open {
                blocks.push(Block {
                    line: number + 2,
                    info: info.trim().to_string(),
                    place: end..end,
                    before: std::mem::take(&mut before),
                });
            }
            open = !open;
        } else if let (true, Some(block)) = (open, blocks.last_mut()) {
            block.place.end = end;
        } else if !line.trim().is_empty() {
            // Blank lines part paragraphs; the one before a block may be followed by one.
            let after_blank = page[..at].ends_with("\n\n");
            if after_blank {
                before.clear();
            }
            before.push_str(line);
        }
        at = end;
    }
    match open {
        true => Err("a block of code has no end".to_string()),
        false => Ok(blocks),
    }
}
