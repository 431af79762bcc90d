//! Text of blocks, line by line.

/// Lines of blocks that are open.
pub(super) struct Lines {
    pub(super) text: String,
    /// What stands before each line.
    pub(super) indent: String,
    /// How many blocks are open.
    pub(super) depth: usize,
    /// How the target is told to unroll a loop.
    pub(super) unroll: String,
}

impl Lines {
    pub(super) fn line(&mut self, line: &str) {
        // Directives stand at the beginning of theirs.
        let indent = match line.starts_with('#') {
            true => String::new(),
            false => self.indent.clone() + &"  ".repeat(self.depth),
        };
        self.text += &format!("\n{indent}{line}");
    }

    pub(super) fn lines(&mut self, lines: &[String]) {
        lines.iter().for_each(|l| self.line(l));
    }

    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// A loop of which no loop is left.
    pub(super) fn unrolled(&mut self, line: &str) {
        if !self.unroll.is_empty() {
            self.line(&format!("#pragma {}", self.unroll));
        }
        self.open(line);
    }

    pub(super) fn close(&mut self, many: usize) {
        for _ in 0..many {
            self.depth -= 1;
            self.line("}");
        }
    }
}
