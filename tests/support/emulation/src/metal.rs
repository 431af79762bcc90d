//! Metal source for clang's C++ for OpenCL, which has Metal's address spaces (see `metal_shim/metal_stdlib`).

/// The source with what launches its kernels.
///
/// # Errors
/// A pointer that does not say what memory it leads to.
pub(crate) fn prepared(source: &str) -> Result<String, String> {
    check_pointers(source)?;
    let mut launchers = String::new();
    let mut rest = source;
    while let Some((at, head)) = next_head(rest) {
        let from = &rest[at..];
        let (name, parameters) = (head.name, head.parameters);
        let count = parameters.matches("[[buffer(").count();
        rest = &from[head.open + parameters.len()..];
        let arguments: String = (0..count)
            .map(|i| format!("brook_metal_argument{{given[{i}]}}, "))
            .collect();
        let simd = match parameters.contains("[[thread_index_in_simdgroup]]") {
            true => ", item / groups, item % groups, groups",
            false => "",
        };
        launchers += &format!(
            "extern \"C\" void brook_metal_call_{name}(ulong arguments, const uint *at) {{\n  \
             const __global ulong *given = (const __global ulong *)arguments;\n  \
             const uint item = brook_fibers_item(), groups = brook_simd_groups_of(brook_fibers_items());\n  \
             {name}({arguments}uint3(at[0], at[1], at[2]), uint3(at[3], at[4], at[5]), uint3(at[6], at[7], at[8]){simd});\n}}\n\
             extern \"C\" int brook_simt_launch_{name}(const ulong *grid, const uint *group, ulong arguments, int order, uint seed, ulong message) {{\n  \
             return brook_fibers_launch(brook_metal_call_{name}, grid, group, arguments, order, seed, message);\n}}\n"
        );
    }
    let source = uniforms(source);
    Ok(format!("#line 1 \"kernel\"\n{source}\n{launchers}"))
}

/// Parameters by reference in constant memory, under a name of their own: structures can be copied from there.
fn uniforms(source: &str) -> String {
    let mut pieces = source.split("constant ");
    let mut out = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        let parameter = piece.split([',', ')', ';', '{']).next().unwrap_or_default();
        let reference = parameter.contains('&') && parameter.contains("[[buffer(");
        out += if reference {
            "brook_uniform "
        } else {
            "constant "
        };
        out += piece;
    }
    out
}

/// A kernel's name and parameters; the latter begin at `open`, from where `kernel` stands.
struct Head<'s> {
    name: &'s str,
    parameters: &'s str,
    open: usize,
}

/// The next kernel that is defined: `kernel … void NAME(…) {` at the beginning of a line.
fn next_head(text: &str) -> Option<(usize, Head<'_>)> {
    let mut from = 0;
    loop {
        let at = from + text[from..].find("kernel ")?;
        from = at + 1;
        let begins = text[..at]
            .rsplit('\n')
            .next()
            .is_some_and(|l| l.trim().is_empty() || l.trim().ends_with("]]"));
        let head = &text[at..];
        let Some(open) = head
            .find("void ")
            .and_then(|v| Some(v + head[v..].find('(')? + 1))
        else {
            continue;
        };
        let end = head[open..].find(") {")?;
        let name = head[..open - 1].rsplit(' ').next().unwrap_or_default();
        let parameters = &head[open..open + end];
        if begins && !name.is_empty() && parameters.contains("[[") {
            let head = Head {
                name,
                parameters,
                open,
            };
            return Some((at, head));
        }
    }
}

/// Types that pointers of generated sources lead to, besides those that programs declare.
const TYPES: [&str; 12] = [
    "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "half", "void",
    "bool",
];
/// Words that say what memory a pointer leads to; macros have `S`.
const SPACES: [&str; 5] = ["device", "threadgroup", "thread", "constant", "S"];

/// Metal has no pointers without an address space; the language that stands in for it has.
fn check_pointers(source: &str) -> Result<(), String> {
    let text = super::kernels::without_comments(source);
    let words: Vec<&str> = words(&text).collect();
    for (at, star) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|i| words.get(i));
        let is_type = |w: &&&str| TYPES.contains(&w.trim_end_matches(['2', '3', '4']));
        if !matches!(*star, "*" | "&") || before.filter(is_type).is_none() {
            continue;
        }
        let qualifiers = words[..at].iter().rev().skip(1);
        let mut qualifiers = qualifiers.take_while(|w| w.starts_with(|c: char| c.is_alphabetic()));
        if !qualifiers.any(|w| SPACES.contains(w)) {
            let around = words[at.saturating_sub(6)..(at + 4).min(words.len())].join(" ");
            return Err(format!("a pointer without an address space: {around}"));
        }
    }
    Ok(())
}

/// Identifiers, and single characters.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match word(first) {
            true => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (head, tail) = rest.split_at(length);
        rest = tail;
        Some(head)
    })
}

#[cfg(test)]
mod tests {
    use super::prepared;

    #[test]
    fn kernels_get_launchers() {
        let source = "kernel void f(device float *x [[buffer(0)]], constant int &brook_given_n [[buffer(1)]], \
                      uint3 a [[threadgroup_position_in_grid]]) {\n}\n";
        let made = prepared(source).unwrap();
        assert!(made.contains("brook_simt_launch_f("), "{made}");
        assert!(made.contains("given[1]"), "{made}");
    }

    #[test]
    fn every_pointer_says_what_memory_it_leads_to() {
        assert!(prepared("void f(const float *x) {}").is_err());
        assert!(
            prepared(
                "void f(const device float4 *x, thread int &y) { float a = (float)2 * x[0].x; }"
            )
            .is_ok()
        );
    }
}
