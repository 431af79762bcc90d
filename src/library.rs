//! Names of the C library's headers: the rows of `grammar/library.toml`, and the words of
//! `grammar/c_functions.txt`.

use foldhash::HashSet;
use std::sync::LazyLock;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A macro with this replacement.
    Value(&'static str),
    /// A typedef of this type.
    Type(&'static str),
    /// A function.
    Function,
}

/// One name.
#[derive(Debug)]
pub struct LibraryName {
    /// The name.
    pub name: &'static str,
    /// The header that declares it, where all C libraries have one.
    pub header: Option<&'static str>,
    /// What it stands for.
    pub meaning: Meaning,
}

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The row of a name.
pub fn find(name: &str) -> Option<&'static LibraryName> {
    // `build.rs` writes the rows in the order of their names.
    let index = LIBRARY.binary_search_by(|row| row.name.cmp(name)).ok()?;
    LIBRARY.get(index)
}

/// Functions of the C library and of POSIX, which are in no namespace.
static C_FUNCTIONS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("../grammar/c_functions.txt")
        .split_ascii_whitespace()
        .collect()
});

/// Whether headers declare a function of that name, so that C++ has nothing else of it.
pub fn is_c_function(name: &str) -> bool {
    C_FUNCTIONS.contains(name)
}

/// Standard headers whose names are known here, this project's own among them.
const KNOWN_HEADERS: &[&str] = &[
    "assert.h",
    "cassert",
    "cfloat",
    "climits",
    "cmath",
    "cstddef",
    "cstdint",
    "cstdio",
    "cstdlib",
    "cstring",
    "ctime",
    "time.h",
    "float.h",
    "inttypes.h",
    "limits.h",
    "math.h",
    "okl_intrinsic.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "tgmath.h",
];

/// Other headers of the standard libraries of C and C++.
const OTHER_HEADERS: &[&str] = &[
    "complex.h",
    "ctype.h",
    "errno.h",
    "fenv.h",
    "iso646.h",
    "locale.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdatomic.h",
    "stdnoreturn.h",
    "threads.h",
    "uchar.h",
    "wchar.h",
    "wctype.h",
    "algorithm",
    "array",
    "atomic",
    "bitset",
    "cctype",
    "cerrno",
    "cfenv",
    "chrono",
    "cinttypes",
    "complex",
    "cstdarg",
    "functional",
    "initializer_list",
    "iterator",
    "limits",
    "map",
    "memory",
    "new",
    "numeric",
    "optional",
    "set",
    "string",
    "tuple",
    "type_traits",
    "typeinfo",
    "utility",
    "vector",
];

/// Whether a header is of a standard library, or this project's own: what `#include "x"` means where no file of that name
/// lies beside the program.
pub fn is_standard_header(name: &str) -> bool {
    KNOWN_HEADERS.contains(&name) || OTHER_HEADERS.contains(&name)
}

/// Whether the header of an `#include` declares nothing but names of C's and this project's, which are known.
pub fn is_c_header(directive: &str) -> bool {
    let name = directive.split(['<', '>', '"']).nth(1).unwrap_or(directive);
    let name = name.trim();
    KNOWN_HEADERS.contains(&name) || name == "omp.h"
}

/// What a name is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is called.
    Function,
    /// It stands for a type.
    Type,
    /// It is a variable or a constant.
    Value,
}

#[derive(Default, serde::Deserialize)]
struct VendorNames {
    functions: String,
    types: String,
    values: String,
}

/// The rows of `grammar/vendor_names.toml`, by [`Role`]: whole names, and beginnings of names.
struct Known {
    names: HashSet<&'static str>,
    beginnings: Vec<&'static str>,
}

impl Known {
    fn of(list: &'static str) -> Self {
        let (beginnings, names): (Vec<_>, Vec<_>) = list
            .split_ascii_whitespace()
            .partition(|name| name.ends_with('*'));
        Self {
            names: names.into_iter().collect(),
            beginnings: beginnings
                .into_iter()
                .map(|b| b.trim_end_matches('*'))
                .collect(),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.names.contains(name) || self.beginnings.iter().any(|b| name.starts_with(b))
    }
}

static VENDOR_NAMES: LazyLock<[Known; 3]> = LazyLock::new(|| {
    static TABLE: LazyLock<VendorNames> = LazyLock::new(|| {
        // A test sees that it can be read.
        toml::from_str(include_str!("../grammar/vendor_names.toml")).unwrap_or_default()
    });
    [&TABLE.functions, &TABLE.types, &TABLE.values].map(|list| Known::of(list))
});

/// Whether a name means something, used like that, without a declaration in the program: it is reserved for compilers,
/// or one of the C library, or one of the target's languages.
pub fn is_known(name: &str, role: Role) -> bool {
    let mut letters = name.bytes();
    let reserved = letters.next() == Some(b'_')
        && letters
            .next()
            .is_some_and(|b| b == b'_' || b.is_ascii_uppercase());
    let [functions, types, values] = &*VENDOR_NAMES;
    let here = match role {
        Role::Function => functions.has(name) || is_c_function(name),
        Role::Type => types.has(name),
        Role::Value => values.has(name) || is_c_function(name),
    };
    let in_library = |row: &LibraryName| match row.meaning {
        Meaning::Value(_) => role == Role::Value,
        Meaning::Type(_) => role == Role::Type,
        Meaning::Function => role != Role::Type,
    };
    reserved || here || find(name).is_some_and(in_library)
}

/// Whether a function that no program declares changes memory as one access: CUDA's and HIP's atomic functions and OpenCL's, new and
/// old, all of whose names begin alike.
pub fn is_vendor_atomic(name: &str) -> bool {
    name.starts_with("atomic") || name.starts_with("atom_")
}

/// Whether a function of C or OpenCL says of numbers what they are, or how they compare.
pub fn is_test(name: &str) -> bool {
    matches!(
        name,
        "isequal"
            | "isfinite"
            | "isgreater"
            | "isgreaterequal"
            | "isinf"
            | "isless"
            | "islessequal"
            | "islessgreater"
            | "isnan"
            | "isnormal"
            | "isnotequal"
            | "isordered"
            | "isunordered"
            | "signbit"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_need_no_declaration() {
        assert!(is_known("threadIdx", Role::Value));
        assert!(is_known("atomicAdd", Role::Function));
        assert!(!is_known("atomicAdd", Role::Type));
        assert!(is_known("M_PI", Role::Value));
        assert!(is_known("sqrtf", Role::Function));
        assert!(is_known("__ldg", Role::Function));
        assert!(!is_known("p_Nq", Role::Value));
        assert!(!is_known("dfloat", Role::Type));
    }

    #[test]
    fn every_row_is_found() {
        assert!(
            LIBRARY
                .iter()
                .all(|row| find(row.name).is_some_and(|f| f.name == row.name))
        );
    }
}
