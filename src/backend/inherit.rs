//! Tables that several backends have in common: `inherits = ["c++"]` names files of `grammar/targets/`.
//!
//! A backend's lists of words go on where the inherited ones end; whatever else it says stands in the place of what it
//! inherits. Of several tables later ones go before earlier ones. `build.rs` reads this file, too.

use toml::{Table, Value};

/// How many tables may inherit from each other.
const DEPTH: usize = 8;

/// A backend's data with all that it inherits; `find` knows the tables by name.
///
/// # Errors
/// What it inherits is no list of names, or is not there, or inherits itself.
pub(crate) fn inherited(
    own: Table,
    find: &dyn Fn(&str) -> Option<Result<Table, String>>,
) -> Result<Table, String> {
    complete(own, find, 0)
}

fn complete(
    mut own: Table,
    find: &dyn Fn(&str) -> Option<Result<Table, String>>,
    depth: usize,
) -> Result<Table, String> {
    let names = match own.remove("inherits") {
        None => return Ok(own),
        Some(Value::Array(names)) => names,
        Some(_) => return Err("'inherits' is a list of names".to_string()),
    };
    if depth == DEPTH {
        return Err("'inherits' leads around, or too far".to_string());
    }
    let mut whole = Table::new();
    for name in &names {
        let name = name.as_str().ok_or("'inherits' is a list of names")?;
        let table = find(name).ok_or_else(|| format!("there is no table '{name}' to inherit"))?;
        merge(&mut whole, complete(table?, find, depth + 1)?, true);
    }
    merge(&mut whole, own, true);
    Ok(whole)
}

/// Puts one table over another. `words`: lists are sets of words, which grow.
fn merge(under: &mut Table, over: Table, words: bool) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            // Spellings are positions: groups and items along x, y, z.
            (Some(Value::Table(under)), Value::Table(over)) => {
                merge(under, over, words && key != "spelling");
            }
            (Some(Value::Array(under)), Value::Array(over))
                if words && over.iter().all(Value::is_str) =>
            {
                for word in over {
                    if !under.contains(&word) {
                        under.push(word);
                    }
                }
            }
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    fn check(own: &str) -> Result<String, String> {
        let tables = [
            (
                "a",
                "words = [\"x\"]\n[spelling]\nitem = [\"1\", \"2\"]\nbarrier = \"b\"\n[t]\nk = [\"y\"]",
            ),
            (
                "b",
                "inherits = [\"a\"]\nwords = [\"x\", \"z\"]\nn = [1, 2]",
            ),
            ("around", "inherits = [\"around\"]"),
        ];
        let find = |name: &str| {
            let (_, text) = tables.iter().find(|(known, _)| *known == name)?;
            Some(text.parse().map_err(|e: toml::de::Error| e.to_string()))
        };
        inherited(own.parse().unwrap(), &find).map(|t| serde_json::to_string(&t).unwrap())
    }

    #[test]
    fn words_are_added_and_all_else_is_replaced() {
        let own = "inherits = [\"b\"]\nwords = [\"w\"]\nn = [3]\n[spelling]\nitem = [\"3\"]\n[t]\nk = [\"v\"]";
        let expected = r#"{"n":[3],"spelling":{"barrier":"b","item":["3"]},"t":{"k":["y","v"]},"words":["x","z","w"]}"#;
        assert_eq!(check(own).unwrap(), expected);
        assert_eq!(check("n = 1").unwrap(), r#"{"n":1}"#);
    }

    #[test]
    fn what_cannot_be_inherited_is_an_error() {
        assert!(
            check("inherits = [\"around\"]")
                .unwrap_err()
                .contains("leads around")
        );
        assert!(
            check("inherits = [\"c\"]")
                .unwrap_err()
                .contains("no table 'c'")
        );
        assert!(
            check("inherits = \"a\"")
                .unwrap_err()
                .contains("a list of names")
        );
    }
}
