//! Whether a folder's templates fit together.

use super::Template;
use std::collections::BTreeSet;

/// What a translation renders itself: the text before a program's own and behind it, and the host's part.
const RENDERED: [&str; 3] = ["prelude.tera", "epilogue.tera", "launcher.tera"];
/// Those of them that every backend has.
const NEEDED: [&str; 1] = ["prelude.tera"];

/// The first thing that is wrong: a template that is missing, or one that nothing asks for.
pub(super) fn check(templates: &[Template]) -> Result<(), String> {
    let text = |name: &str| templates.iter().find(|(n, _)| n == name).map(|(_, t)| t);
    if let Some(name) = NEEDED.iter().find(|name| text(name).is_none()) {
        return Err(format!("there is no template '{name}' beside it"));
    }
    let mut reached: BTreeSet<&str> = BTreeSet::new();
    let mut open: Vec<&str> = RENDERED.into_iter().filter(|n| text(n).is_some()).collect();
    while let Some(name) = open.pop() {
        if !reached.insert(name) {
            continue;
        }
        for included in text(name).into_iter().flat_map(|t| included(t)) {
            match text(included) {
                Some(_) => open.push(included),
                None => {
                    return Err(format!(
                        "the template '{name}' includes '{included}', which is not there"
                    ));
                }
            }
        }
    }
    // What is common to all backends is there whether one includes it or not.
    let own = templates.iter().map(|(name, _)| name.as_ref());
    let mut own = own.filter(|name| !name.contains('/'));
    match own.find(|name| !reached.contains(name)) {
        None => Ok(()),
        Some(name) => Err(format!("no template includes '{name}'")),
    }
}

/// The names behind `include`; where a backend may do without a template, whoever includes it asks before.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split("{% include \"").skip(1);
    behind.filter_map(|rest| rest.split('"').next())
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::backend::Backend;
    use std::borrow::Cow;

    fn of(templates: &[(&'static str, &'static str)]) -> Result<(), String> {
        let all = templates.iter();
        let all: Vec<_> = all
            .map(|(name, text)| (Cow::Borrowed(*name), Cow::Borrowed(*text)))
            .collect();
        check(&all)
    }

    #[test]
    fn what_is_wrong_is_named() {
        let prelude = ("prelude.tera", "{% include \"more.tera\" %}");
        assert_eq!(
            of(&[("epilogue.tera", "")]),
            Err("there is no template 'prelude.tera' beside it".into())
        );
        assert_eq!(
            of(&[prelude]),
            Err("the template 'prelude.tera' includes 'more.tera', which is not there".into())
        );
        assert_eq!(
            of(&[prelude, ("more.tera", ""), ("other.tera", "")]),
            Err("no template includes 'other.tera'".into())
        );
        assert_eq!(
            of(&[prelude, ("more.tera", ""), ("common/a.tera", "")]),
            Ok(())
        );
    }

    #[test]
    fn ours_fit_together() {
        for name in Backend::names() {
            let backend = Backend::built_in(name).unwrap();
            assert_eq!(check(&backend.templates), Ok(()), "{name}");
        }
    }
}
