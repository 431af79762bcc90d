//! Layouts that mean the same.

use crate::properties::random::Random;
use brook::lex::lex;

/// The same tokens with other white space, comments and continued lines between them.
pub fn laid_out(text: &str, random: &mut Random) -> String {
    let tokens = lex(text);
    let mut out = String::with_capacity(text.len() * 2);
    let mut last = 0;
    for token in &tokens {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        let between = &text[last..start];
        // Comments and line ends stay, and so does what keeps words apart.
        out.push_str(between);
        if last > 0 && random.chance(6) {
            out.push_str(random.pick(&[
                " ",
                "\n",
                "\t",
                "/**/",
                "/* ; } */",
                "\\\n",
                " // it's\n",
                "\\\n\\\n",
            ]));
        }
        out.push_str(&text[start..end]);
        last = end;
    }
    out.push_str(&text[last..]);
    out
}
