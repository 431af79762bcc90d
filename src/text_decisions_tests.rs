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

/// How often a file may search, and why.
const ALLOWED: [(&str, usize, &str); 59] = [
    ("analyze/branches.rs", 1, NO_TREE),
    ("analyze/brook/check/groups.rs", 1, SPELLING),
    ("analyze/brook/check/records.rs", 1, TYPE),
    ("analyze/brook/check/types.rs", 4, SPELLING),
    ("analyze/brook/host.rs", 1, SPELLING),
    ("analyze/brook/shapes.rs", 2, NO_TREE),
    ("analyze/brook/spliced.rs", 2, NO_TREE),
    ("analyze/masked_loops.rs", 2, SPELLING),
    ("analyze/brook/host_names.rs", 1, NO_TREE),
    ("analyze/okl/malformed.rs", 1, SPELLING),
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
    ("rewrite/directives.rs", 2, NO_TREE),
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
    ("sema/meanings.rs", 1, SPELLING),
    ("syntax/copy.rs", 1, SPELLING),
    ("syntax/declarations.rs", 1, SPELLING),
    ("syntax/parse.rs", 2, SPELLING),
];

/// Searches in text. A name's own letters, as prefixes, are no search.
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

/// Searches in one line of Rust.
fn searches(line: &str) -> usize {
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
    SEARCHES.iter().map(|w| count(w)).sum()
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
        let count: usize = own.lines().map(searches).sum();
        let allowed = ALLOWED.iter().find(|(file, ..)| *file == name);
        let most = allowed.map_or(0, |(_, most, _)| *most);
        if count > most {
            wrong.push(format!(
                "{name} searches text {count} times, {most} allowed: ask the tree or sema"
            ));
        }
        if count < most {
            wrong.push(format!(
                "{name} searches text {count} times only: say so in the list"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_list_has_reasons_and_no_file_twice() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (at, (file, _, why)) in ALLOWED.iter().enumerate() {
        assert!(root.join(file).is_file(), "{file} is not there");
        assert!(
            [NO_TREE, SPELLING, WORDS, TYPE, OWN].contains(why),
            "{file}"
        );
        assert!(
            ALLOWED[at + 1..].iter().all(|(f, ..)| f != file),
            "{file} twice"
        );
    }
}

#[test]
fn searches_are_found() {
    assert_eq!(searches("let a = lex(text);"), 1);
    assert_eq!(searches("crate::lex::lex(span.of(text)).len()"), 1);
    assert_eq!(searches("self.mentions(before, name)"), 0);
    assert_eq!(searches("words.contains(\"const\") && b.find('x')"), 2);
    assert_eq!(searches("// lex(text)"), 0);
}
