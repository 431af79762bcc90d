//! A backend is a folder: from a directory with its `backend.toml` and templates, as anybody's is read, each of ours gives the same
//! text as from the library.

use crate::support::Trial;
use crate::support::cases;
use crate::support::translate::{texts, translate_for};
use brook::backend::Backend;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let names = Backend::names().into_iter();
    let one = |name: &'static str| Trial::test(name, move || Ok(same(name)?));
    names.map(one).collect()
}

fn same(name: &str) -> Result<(), String> {
    let root = cases::root();
    let folder = root.join("templates").join(name);
    let folder = Backend::from_directory(&folder).map_err(|e| e.to_string())?;
    let own = Backend::built_in(name).map_err(|e| e.to_string())?;
    let every_eighth = cases::all().into_iter().step_by(8);
    for case in cases::examples().into_iter().chain(every_eighth) {
        let (ours, theirs) = (translate_for(&case, &own), translate_for(&case, &folder));
        let same = match (&ours, &theirs) {
            (Ok(ours), Ok(theirs)) => texts(ours, &own) == texts(theirs, &folder),
            (Err(ours), Err(theirs)) => ours == theirs,
            _ => false,
        };
        if !same {
            return Err(format!(
                "{} is translated otherwise by the folder",
                case.relative
            ));
        }
    }
    Ok(())
}
