//! Spellings with places for what is filled in.

/// Replaces `{name}` by value in a spelling; blanks that an empty value leaves double are made one.
pub(crate) fn fill(spelling: &str, values: &[(&str, &str)]) -> String {
    let mut out = spelling.to_string();
    for (name, value) in values {
        if value.is_empty() {
            out = out.replace(&format!(" {{{name}}}"), "");
        }
        out = out.replace(&format!("{{{name}}}"), value);
    }
    out
}
