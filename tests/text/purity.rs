//! `transpile` is a pure function: the same input gives the same bytes, in any thread, after any other
//! work; and what it has no reason to touch survives.

use crate::support::Trial;
use crate::support::cases::{self, Case};
use crate::support::in_this_run;
use crate::support::translate::{BACKENDS, first_translation, texts, translate_for};
use brook::backend::Backend;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (number, case) in cases::all().into_iter().enumerate() {
        if BACKENDS.iter().any(|b| in_this_run(number, b)) {
            trials.push(Trial::test(format!("twice::{}", case.name), move || {
                Ok(twice(&case, number)?)
            }));
        }
    }
    // Comments of directives and of branches that are not taken go with them, so only the examples,
    // which have none, are looked at.
    for case in cases::examples() {
        trials.push(Trial::test(format!("comments::{}", case.name), move || {
            Ok(comments(&case)?)
        }));
    }
    trials.push(Trial::test("threads", || Ok(threads()?)));
    trials
}

fn everything(case: &Case) -> Result<Vec<(String, String)>, String> {
    let mut all = Vec::new();
    for name in BACKENDS.into_iter().filter(|b| !case.rejected_by(b)) {
        let backend = Backend::built_in(name).map_err(|e| e.to_string())?;
        all.extend(texts(&translate_for(case, &backend)?, &backend));
    }
    Ok(all)
}

/// A translation of now, and the one that all tests of this process share.
fn twice(case: &Case, number: usize) -> Result<(), String> {
    let chosen = BACKENDS.into_iter().filter(|b| in_this_run(number, b));
    for name in chosen.filter(|b| !case.rejected_by(b)) {
        let backend = Backend::built_in(name).map_err(|e| e.to_string())?;
        let first = first_translation(case, name);
        let first = texts(first.as_ref().as_ref()?, &backend);
        if first != texts(&translate_for(case, &backend)?, &backend) {
            return Err(format!("two translations of one source for {name} differ"));
        }
    }
    Ok(())
}

/// Eight threads translate everything, each in another order, so that whatever a thread keeps from
/// one translation to the next would show.
fn threads() -> Result<(), String> {
    let cases = cases::examples();
    let expected: Vec<_> = cases.iter().map(everything).collect::<Result<_, _>>()?;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|first| {
                let (cases, expected) = (&cases, &expected);
                scope.spawn(move || {
                    let order = (0..cases.len()).map(|i| (i * 5 + first) % cases.len());
                    order
                        .filter(|i| everything(&cases[*i]).as_ref() != Ok(&expected[*i]))
                        .count()
                })
            })
            .collect();
        let wrong: usize = threads.into_iter().map(|t| t.join().unwrap_or(1)).sum();
        if wrong == 0 {
            Ok(())
        } else {
            Err(format!("{wrong} translations differ"))
        }
    })
}

/// Every comment of the source is in the OpenMP output: in the host half where the source has one.
fn comments(case: &Case) -> Result<(), String> {
    let backend = Backend::built_in("openmp").map_err(|e| e.to_string())?;
    let translation = translate_for(case, &backend)?;
    let source = String::from_utf8(case.source().text).map_err(|e| e.to_string())?;
    let host = translation.host.unwrap_or_default();
    let lines = source
        .lines()
        .filter_map(|line| line.find("//").map(|at| line[at..].trim_end()));
    let lost: Vec<&str> = lines
        .filter(|c| !translation.device.contains(c) && !host.contains(c))
        .collect();
    if lost.is_empty() {
        return Ok(());
    }
    Err(format!("lost: {}", lost.join("\n      ")))
}
