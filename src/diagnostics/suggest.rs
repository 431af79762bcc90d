//! Misspelled names.

/// The name that another one is a misspelling of, if one of `names` is near: at most a third of its letters differ,
/// where two that change places are one. Of several that are equally near, the first.
pub(crate) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = name.chars().count();
    let most = length / 3;
    let mut best: Option<(usize, &'n str)> = None;
    for known in names {
        // `NELEMENTS` for `nelements`, too.
        let same = length > 1 && known.eq_ignore_ascii_case(name);
        if known == name || (known.chars().count().abs_diff(length) > most && !same) {
            continue;
        }
        let far = match same {
            true => 1,
            false => strsim::osa_distance(known, name),
        };
        if (far <= most || same) && best.is_none_or(|(least, _)| far < least) {
            best = Some((far, known));
        }
    }
    best.map(|(_, known)| known)
}

/// ` (did you mean 'X'?)` for messages about names that are not there, or nothing.
pub fn did_you_mean<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(name, names).map_or(String::new(), |near| format!(" (did you mean '{near}'?)"))
}

/// Whether a name is so near that nothing else can have been meant: one letter of four or more, or two of eight.
pub(crate) fn is_certain(name: &str, near: &str) -> bool {
    let length = name.chars().count().max(near.chars().count());
    let far = strsim::osa_distance(name, near);
    // `add1` and `add2` are two of several.
    let letters = |s: &str| -> String { s.chars().filter(|c| !c.is_ascii_digit()).collect() };
    letters(name) != letters(near) && far <= length / 4 && far <= 2
}

/// Whether another name is as near as the nearest one.
pub(crate) fn is_as_near(name: &str, near: &str, other: &str) -> bool {
    strsim::osa_distance(name, other) <= strsim::osa_distance(name, near)
}

/// Whether a name looks like one of those that builds define.
pub(crate) fn is_macro_like(name: &str) -> bool {
    let mut letters = name.chars();
    let prefixed = name.starts_with("p_") && name.len() > 2;
    let shouted = name.len() > 1
        && letters.next().is_some_and(|c| c.is_ascii_uppercase())
        && letters.all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    prefixed || shouted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_are_wrong() {
        assert_eq!(nearest("alhpa", ["beta", "alpha", "alph"]), Some("alpha"));
        assert_eq!(nearest("sqrft", ["sin", "sqrt"]), Some("sqrt"));
        assert_eq!(nearest("x", ["y", "z"]), None);
        assert_eq!(nearest("NQ", ["Nq"]), Some("Nq"));
        assert_eq!(nearest("width", ["height", "depth"]), None);
        assert!(is_certain("alhpa", "alpha"));
        assert!(!is_certain("abc", "abd"));
        assert!(!is_certain("sum_1", "sum_2"));
    }
}
