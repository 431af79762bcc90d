//! The types that atomics work on, as they lie in memory.

/// A number: its name, bytes, and what it holds.
#[derive(Clone, Copy)]
pub struct Base {
    pub name: &'static str,
    pub size: usize,
    pub signed: bool,
    pub real: bool,
}

const fn base(name: &'static str, size: usize, signed: bool, real: bool) -> Base {
    Base {
        name,
        size,
        signed,
        real,
    }
}

const CHAR: Base = base("char", 1, true, false);
const UCHAR: Base = base("unsigned char", 1, false, false);
const SHORT: Base = base("short", 2, true, false);
const USHORT: Base = base("unsigned short", 2, false, false);
const INT: Base = base("int", 4, true, false);
const UINT: Base = base("unsigned int", 4, false, false);
const LONG: Base = base("long", 8, true, false);
const ULONG: Base = base("unsigned long", 8, false, false);
const FLOAT: Base = base("float", 4, true, true);
const DOUBLE: Base = base("double", 8, true, true);

/// A type: its name, bytes, and where its numbers lie under which names.
pub struct Type {
    pub name: &'static str,
    pub size: usize,
    pub parts: &'static [(&'static str, Base, usize)],
}

pub const TYPES: [Type; 26] = [
    Type {
        name: "char",
        size: 1,
        parts: &[("", CHAR, 0)],
    },
    Type {
        name: "unsigned char",
        size: 1,
        parts: &[("", UCHAR, 0)],
    },
    Type {
        name: "short",
        size: 2,
        parts: &[("", SHORT, 0)],
    },
    Type {
        name: "unsigned short",
        size: 2,
        parts: &[("", USHORT, 0)],
    },
    Type {
        name: "int",
        size: 4,
        parts: &[("", INT, 0)],
    },
    Type {
        name: "unsigned int",
        size: 4,
        parts: &[("", UINT, 0)],
    },
    Type {
        name: "long",
        size: 8,
        parts: &[("", LONG, 0)],
    },
    Type {
        name: "unsigned long",
        size: 8,
        parts: &[("", ULONG, 0)],
    },
    Type {
        name: "float",
        size: 4,
        parts: &[("", FLOAT, 0)],
    },
    Type {
        name: "double",
        size: 8,
        parts: &[("", DOUBLE, 0)],
    },
    Type {
        name: "int2",
        size: 8,
        parts: &[(".x", INT, 0), (".y", INT, 4)],
    },
    Type {
        name: "uint2",
        size: 8,
        parts: &[(".x", UINT, 0), (".y", UINT, 4)],
    },
    Type {
        name: "float2",
        size: 8,
        parts: &[(".x", FLOAT, 0), (".y", FLOAT, 4)],
    },
    Type {
        name: "short2",
        size: 4,
        parts: &[(".x", SHORT, 0), (".y", SHORT, 2)],
    },
    Type {
        name: "char2",
        size: 2,
        parts: &[(".x", CHAR, 0), (".y", CHAR, 1)],
    },
    Type {
        name: "uchar4",
        size: 4,
        parts: &[
            (".x", UCHAR, 0),
            (".y", UCHAR, 1),
            (".z", UCHAR, 2),
            (".w", UCHAR, 3),
        ],
    },
    Type {
        name: "ushort4",
        size: 8,
        parts: &[
            (".x", USHORT, 0),
            (".y", USHORT, 2),
            (".z", USHORT, 4),
            (".w", USHORT, 6),
        ],
    },
    Type {
        name: "Mixed",
        size: 8,
        parts: &[(".a", INT, 0), (".b", FLOAT, 4)],
    },
    Type {
        name: "halves_t",
        size: 4,
        parts: &[(".a", SHORT, 0), (".b", SHORT, 2)],
    },
    Type {
        name: "Bytes",
        size: 2,
        parts: &[(".a", UCHAR, 0), (".b", CHAR, 1)],
    },
    Type {
        name: "Single",
        size: 1,
        parts: &[(".a", CHAR, 0)],
    },
    Type {
        name: "Wide",
        size: 8,
        parts: &[(".a", LONG, 0)],
    },
    Type {
        name: "Real",
        size: 8,
        parts: &[(".a", DOUBLE, 0)],
    },
    Type {
        name: "Padded",
        size: 8,
        parts: &[(".a", CHAR, 0), (".b", INT, 4)],
    },
    Type {
        name: "Several",
        size: 8,
        parts: &[
            (".a", SHORT, 0),
            (".b", CHAR, 2),
            (".c", UCHAR, 3),
            (".d", UINT, 4),
        ],
    },
    Type {
        name: "Word",
        size: 4,
        parts: &[(".a", UINT, 0)],
    },
];

pub const STRUCTURES: &str = "struct Mixed { int a; float b; };
typedef struct { short a, b; } halves_t;
struct Bytes { unsigned char a; char b; };
struct Single { char a; };
typedef struct Wide { long a; } Wide;
struct Real { double a; };
struct Padded { char a; int b; };
struct Several { short a; char b; unsigned char c; unsigned int d; };
union Word { unsigned int a; float other; };
";

impl Base {
    pub fn wrapped(self, x: i64) -> i64 {
        match (self.size, self.signed) {
            _ if self.real => x,
            (1, true) => x as i8 as i64,
            (1, false) => x as u8 as i64,
            (2, true) => x as i16 as i64,
            (2, false) => x as u16 as i64,
            (4, true) => x as i32 as i64,
            (4, false) => x as u32 as i64,
            _ => x,
        }
    }

    pub fn bytes(self, x: i64) -> Vec<u8> {
        match (self.real, self.size) {
            (true, 4) => (x as f32).to_ne_bytes().to_vec(),
            (true, _) => (x as f64).to_ne_bytes().to_vec(),
            (false, size) => x.to_le_bytes()[..size].to_vec(),
        }
    }
}
