//! Meaning is decided on trees and by `sema`, not on letters of the program. Who adds a search in text fails here; the
//! list only gets shorter.

use std::fs;
use std::path::Path;

/// Folders and files whose work is text: before there is a tree, behind it, or of no program.
const TEXT: [&str; 20] = [
    "compat",
    "backend",
    "bin",
    "capi",
    "cli",
    "diagnostics",
    "expr",
    // What is shown of a text, and written into it.
    "ide",
    "lex",
    "normalize",
    "preprocess",
    "render",
    "repair",
    "runtime",
    "source",
    "source_text.rs",
    "library.rs",
    "syntax/array_pointers.rs",
    "syntax/marks.rs",
    "syntax/stand_ins.rs",
];

/// Words are looked for in what is no part of a tree: attributes' arguments, directives, names with a path.
const NO_TREE: &str = "no part of the tree";
/// The spelling is the question: where a bracket stands, how a number is written, what a backend's C wants.
const SPELLING: &str = "spelling";
/// A unit of a launch, of options or of templates, which comes as words.
const WORDS: &str = "given as words";
/// A type's words, as expressions of the host, casts and typedefs have them: what is known of types is kept by name. What a
/// name means that means several types is asked of `sema`.
const TYPE: &str = "a type's words";
/// What stands in text that is written here decides which declarations that text needs, and no more.
const OWN: &str = "text of our own";

/// What the rules of a language, of its library, or of ours say of names by how they begin or end: `make_float4`, `std::`, `sinf`,
/// `operator`, `brook_`.
const NAME: &str = "a name that is made by rule";

/// How often a file may search, and why.
const ALLOWED: [(&str, usize, &str); 60] = [
    ("analyze/branches.rs", 1, NO_TREE),
    ("analyze/brook/check/groups.rs", 1, SPELLING),
    ("analyze/brook/check/records.rs", 1, TYPE),
    ("analyze/brook/check/types.rs", 4, SPELLING),
    ("analyze/brook/host.rs", 1, SPELLING),
    ("analyze/brook/shapes.rs", 2, NO_TREE),
    ("analyze/brook/spliced.rs", 2, NO_TREE),
    ("analyze/brook/host_names.rs", 1, NO_TREE),
    ("analyze/masked_loops.rs", 2, SPELLING),
    ("analyze/okl/malformed.rs", 1, SPELLING),
    ("maps/mod.rs", 1, NO_TREE),
    ("analyze/okl/undeclared.rs", 2, NO_TREE),
    ("analyze/okl/told.rs", 1, NO_TREE),
    ("analyze/okl/undeclared_messages.rs", 3, NO_TREE),
    ("analyze/okl/atomic/mod.rs", 1, NO_TREE),
    ("analyze/okl/c_edits.rs", 7, SPELLING),
    ("analyze/okl/cpp_to_c.rs", 1, SPELLING),
    ("analyze/okl/c_values.rs", 1, SPELLING),
    ("analyze/okl/collectives.rs", 2, NO_TREE),
    ("analyze/okl/constants.rs", 2, WORDS),
    ("analyze/okl/dimensions.rs", 3, NO_TREE),
    ("analyze/okl/effects.rs", 1, WORDS),
    ("analyze/okl/extents.rs", 1, SPELLING),
    ("analyze/okl/file_scope.rs", 1, SPELLING),
    ("analyze/okl/locals.rs", 2, NO_TREE),
    ("analyze/okl/nest.rs", 3, NO_TREE),
    ("analyze/okl/pointers.rs", 1, SPELLING),
    ("analyze/okl/records.rs", 2, TYPE),
    ("analyze/okl/shared_arrays.rs", 2, SPELLING),
    ("analyze/okl/stand_ins.rs", 1, SPELLING),
    ("analyze/okl/types.rs", 1, TYPE),
    ("analyze/okl/unit.rs", 2, TYPE),
    ("analyze/packing.rs", 2, NO_TREE),
    ("module/checking.rs", 2, WORDS),
    ("module/loops.rs", 1, SPELLING),
    ("module/template.rs", 3, WORDS),
    ("module/types.rs", 1, WORDS),
    ("rewrite/brook/memory.rs", 1, SPELLING),
    ("rewrite/brook/mod.rs", 1, SPELLING),
    ("rewrite/brook/wrap.rs", 1, SPELLING),
    ("rewrite/device_kernels.rs", 1, WORDS),
    ("rewrite/dtype.rs", 3, WORDS),
    ("rewrite/missing.rs", 1, SPELLING),
    ("rewrite/names.rs", 2, SPELLING),
    ("rewrite/okl/accumulation.rs", 1, SPELLING),
    ("rewrite/okl/atomic_objects.rs", 2, SPELLING),
    ("rewrite/okl/intrinsics.rs", 1, SPELLING),
    ("rewrite/okl/kernels.rs", 1, SPELLING),
    ("rewrite/okl/masked_loops.rs", 2, OWN),
    ("rewrite/okl/loops.rs", 1, SPELLING),
    ("rewrite/okl/streamed.rs", 1, SPELLING),
    ("rewrite/okl/wide_access/bodies.rs", 2, OWN),
    ("rewrite/okl/wide_access/levels.rs", 3, OWN),
    ("rewrite/tags.rs", 1, SPELLING),
    ("rewrite/text.rs", 3, SPELLING),
    ("schedule/unrolling.rs", 2, NO_TREE),
    ("sema/meanings.rs", 1, SPELLING),
    ("syntax/copy.rs", 1, SPELLING),
    ("syntax/declarations.rs", 1, SPELLING),
    ("syntax/parse.rs", 2, SPELLING),
];

/// How often a file may look how a text begins or ends, and why.
const ENDS_ALLOWED: [(&str, usize, &str); 82] = [
    ("analyze/masked_loops.rs", 1, SPELLING),
    ("analyze/brook/check/expressions.rs", 1, SPELLING),
    ("analyze/brook/check/groups.rs", 3, NO_TREE),
    ("analyze/brook/check/parameters.rs", 1, SPELLING),
    ("analyze/brook/check/types.rs", 3, SPELLING),
    ("analyze/brook/expression.rs", 1, SPELLING),
    ("analyze/brook/heads.rs", 1, NAME),
    ("analyze/brook/host.rs", 1, SPELLING),
    ("analyze/brook/items.rs", 1, NO_TREE),
    ("analyze/brook/lower/arrays.rs", 1, SPELLING),
    ("analyze/brook/lower/changes.rs", 1, SPELLING),
    ("analyze/brook/lower/types.rs", 1, SPELLING),
    ("analyze/brook/shapes.rs", 1, NO_TREE),
    ("analyze/brook/stand_ins.rs", 1, NAME),
    ("analyze/lower/calls.rs", 1, NAME),
    ("analyze/lower/closures.rs", 1, SPELLING),
    ("analyze/lower/declarations.rs", 1, NAME),
    ("analyze/lower/expr.rs", 1, NAME),
    ("analyze/lower/library.rs", 2, NAME),
    ("analyze/lower/places.rs", 1, SPELLING),
    ("analyze/lower/statements.rs", 1, SPELLING),
    ("analyze/okl/accesses.rs", 1, SPELLING),
    ("analyze/okl/atomic/bodies.rs", 4, NAME),
    ("analyze/okl/atomic/forms.rs", 2, NAME),
    ("analyze/okl/atomic/objects.rs", 1, NAME),
    ("analyze/okl/c_calls.rs", 3, NAME),
    ("analyze/okl/c_edits.rs", 4, SPELLING),
    ("analyze/okl/classes.rs", 2, NAME),
    ("analyze/okl/components.rs", 1, SPELLING),
    ("analyze/okl/constants.rs", 2, NAME),
    ("analyze/okl/cpp_to_c.rs", 3, NAME),
    ("analyze/okl/declared.rs", 1, NAME),
    ("analyze/okl/designators.rs", 3, SPELLING),
    ("analyze/okl/effects.rs", 3, WORDS),
    ("analyze/okl/expressions.rs", 1, WORDS),
    ("analyze/okl/functions.rs", 1, NAME),
    ("analyze/okl/host.rs", 3, WORDS),
    ("analyze/okl/host_arrays.rs", 3, WORDS),
    ("analyze/okl/initialisers.rs", 1, SPELLING),
    ("analyze/okl/malformed.rs", 1, SPELLING),
    ("analyze/okl/memory.rs", 2, NO_TREE),
    ("analyze/okl/names.rs", 2, NAME),
    ("analyze/okl/nest.rs", 4, NO_TREE),
    ("analyze/okl/once.rs", 1, NO_TREE),
    ("analyze/okl/parameters.rs", 1, NO_TREE),
    ("analyze/okl/pointed.rs", 1, SPELLING),
    ("analyze/okl/pointers.rs", 1, SPELLING),
    ("analyze/okl/records.rs", 1, SPELLING),
    ("analyze/okl/references.rs", 2, SPELLING),
    ("analyze/okl/sizes.rs", 6, WORDS),
    ("analyze/okl/stand_ins.rs", 3, NAME),
    ("analyze/okl/told.rs", 3, NO_TREE),
    ("analyze/okl/truths/places.rs", 2, SPELLING),
    ("analyze/okl/truths/values.rs", 1, SPELLING),
    ("analyze/okl/undeclared.rs", 2, NAME),
    ("analyze/okl/undeclared_messages.rs", 1, NAME),
    ("analyze/okl/walk.rs", 1, NO_TREE),
    ("body/mod.rs", 1, SPELLING),
    ("grammar.rs", 2, WORDS),
    ("module/collective.rs", 3, NAME),
    ("module/footprint.rs", 6, WORDS),
    ("module/launch.rs", 1, WORDS),
    ("module/record.rs", 3, WORDS),
    ("passes/masked_loops/values.rs", 1, OWN),
    ("rewrite/directives.rs", 2, NO_TREE),
    ("rewrite/dtype.rs", 3, WORDS),
    ("rewrite/masked_loops/writer.rs", 1, OWN),
    ("rewrite/names.rs", 1, NAME),
    ("rewrite/okl/atomic_objects.rs", 2, OWN),
    ("rewrite/okl/exclusive.rs", 1, OWN),
    ("rewrite/okl/intrinsics.rs", 2, WORDS),
    ("rewrite/okl/kernels.rs", 1, OWN),
    ("rewrite/okl/locals.rs", 1, OWN),
    ("rewrite/okl/loops.rs", 2, WORDS),
    ("rewrite/okl/mod.rs", 2, NAME),
    ("rewrite/okl/wide_access/lines.rs", 1, OWN),
    ("schedule/unrolling.rs", 1, NO_TREE),
    ("rewrite/tags.rs", 1, NAME),
    ("sanitize.rs", 1, WORDS),
    ("sema/calls.rs", 1, NAME),
    ("syntax/attributes.rs", 9, NO_TREE),
    ("syntax/parse.rs", 1, SPELLING),
];

/// Searches in text.
const SEARCHES: [&str; 10] = [
    ".contains(\"",
    ".contains('",
    ".find(\"",
    ".find('",
    ".rfind(\"",
    ".rfind('",
    "split_ascii_whitespace(",
    "split_whitespace(",
    "lex(",
    "mentions(",
];

/// Looks at how a text begins or ends: what an operator, a number or a name is made of.
const ENDS: [&str; 5] = [
    ".starts_with(",
    ".ends_with(",
    ".strip_prefix(",
    ".strip_suffix(",
    ".split_once(",
];

/// Searches in one line of Rust.
fn searches(line: &str) -> usize {
    found(line, &SEARCHES)
}

/// How often one line of Rust asks how a text begins or ends.
fn ends(line: &str) -> usize {
    found(line, &ENDS)
}

fn found(line: &str, wanted: &[&str]) -> usize {
    let line = line.trim();
    if line.starts_with("//") || line.contains("fn ") && !line.contains(" = ") {
        return 0;
    }
    let count = |wanted: &str| {
        let own = |at: usize| {
            let before = line.get(..at).and_then(|b| b.chars().next_back());
            // `lex(` is a function of that name, and no method or longer name.
            !wanted.starts_with(char::is_alphabetic)
                || wanted.starts_with("split")
                || before.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == '.'))
        };
        line.match_indices(wanted)
            .filter(|(at, _)| own(*at))
            .count()
    };
    wanted.iter().map(|w| count(w)).sum()
}

fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let entries = fs::read_dir(folder).expect("a folder of sources");
    for path in entries.map(|e| e.expect("an entry").path()) {
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

#[test]
fn nobody_decides_on_text() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&root, &mut all);
    all.sort();
    let mut wrong = Vec::new();
    for path in all {
        let name = path.strip_prefix(&root).expect("below the root");
        let name = name.to_string_lossy().replace('\\', "/");
        let is_text = TEXT
            .iter()
            .any(|t| name == *t || name.starts_with(&format!("{t}/")));
        if is_text || name.contains("tests") || !name.ends_with(".rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source");
        let own = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
        type Question<'q> = (&'q str, fn(&str) -> usize, &'q [(&'q str, usize, &'q str)]);
        let questions: [Question<'_>; 2] = [
            ("searches text", searches, &ALLOWED),
            ("asks how texts begin or end", ends, &ENDS_ALLOWED),
        ];
        for (what, question, list) in questions {
            let count: usize = own.lines().map(question).sum();
            let allowed = list.iter().find(|(file, ..)| *file == name);
            let most = allowed.map_or(0, |(_, most, _)| *most);
            if count > most {
                wrong.push(format!(
                    "{name} {what} {count} times, {most} allowed: ask the tree or sema"
                ));
            }
            if count < most {
                wrong.push(format!(
                    "{name} {what} {count} times only: say so in the list"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_has_reasons_and_no_file_twice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for list in [&ALLOWED[..], &ENDS_ALLOWED[..]] {
        for (at, (file, _, why)) in list.iter().enumerate() {
            assert!(root.join(file).is_file(), "{file} is not there");
            assert!(
                [NO_TREE, SPELLING, WORDS, TYPE, OWN, NAME].contains(why),
                "{file}"
            );
            assert!(
                list[at + 1..].iter().all(|(f, ..)| f != file),
                "{file} twice"
            );
        }
    }
}

#[test]
fn searches_are_found() {
    assert_eq!(searches("let a = lex(text);"), 1);
    assert_eq!(searches("crate::lex::lex(span.of(text)).len()"), 1);
    assert_eq!(searches("self.mentions(before, name)"), 0);
    assert_eq!(searches("words.contains(\"const\") && b.find('x')"), 2);
    assert_eq!(searches("// lex(text)"), 0);
    assert_eq!(ends("words.starts_with('*') || words.ends_with(OWN)"), 2);
    assert_eq!(ends("name.strip_prefix(\"std::\").unwrap_or(name)"), 1);
}
