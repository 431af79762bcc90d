use std::collections::HashSet;

/// `f<float, 4>`
pub(super) struct Request<'r> {
    pub(super) name: &'r str,
    pub(super) arguments: Vec<&'r str>,
}

impl<'r> Request<'r> {
    pub(super) fn parse(text: &'r str) -> Option<Self> {
        let (name, rest) = text.trim().split_once('<')?;
        let inner = rest.trim_end().strip_suffix('>')?;
        let name = name.trim();
        let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
        let arguments = split(inner);
        let whole = arguments
            .iter()
            .all(|a| !a.is_empty() && !a.contains([';', '{', '}', '"']));
        (is_name && whole).then_some(Self { name, arguments })
    }

    /// A name for the kernel that no other has, from its own and its arguments.
    pub(super) fn identifier(&self, taken: &mut HashSet<String>) -> String {
        let mut base = self.name.to_string();
        for argument in &self.arguments {
            base.push('_');
            base.extend(argument.chars().filter_map(|c| match c {
                c if c.is_ascii_alphanumeric() || c == '_' => Some(c),
                '-' => Some('m'),
                '*' => Some('p'),
                _ => None,
            }));
        }
        let mut name = base.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

/// The parts between top-level commas, trimmed; none of an empty text.
pub(super) fn split(text: &str) -> Vec<&str> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text.get(start..at).unwrap_or("").trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or("").trim());
    parts
}
