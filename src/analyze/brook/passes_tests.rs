#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::source::FileLoader;
use crate::{Options, Source, backend::Backend};

/// Where a kernel's gathers read beside its place: `a 0..1, b -2..0 back + n; 3 in one row`.
fn check(statements: &str, expected: &str) {
    let backend = Backend::built_in("openmp").unwrap();
    let source = format!(
        "kernel void k(float a[][], float b[], int n, uint u, float f, int s<>, out float o<>) {{ {statements} }}"
    );
    let source = Source::new("a.br", source);
    let made = crate::transpile::bodies(&source, &backend, &Options::default(), &FileLoader);
    let (module, ..) = made.unwrap_or_else(|report| panic!("{report}"));
    let kernel = &module.kernels[0];
    let all = kernel.gather_offsets.arrays.iter().map(|r| {
        let back = if r.back { " back" } else { "" };
        let term = r.term.map_or(String::new(), |t| {
            let sign = if t.negative { '-' } else { '+' };
            format!(" {sign} {}", kernel.parameters[t.parameter].name)
        });
        format!("{} {}..{}{back}{term}", r.array, r.least, r.most)
    });
    let all: Vec<String> = all.collect();
    let found = format!(
        "{}; {} in one row",
        all.join(", "),
        kernel.gather_offsets.in_one_row
    );
    assert_eq!(found, expected, "{statements}");
}

#[test]
fn gathers_beside_the_place_are_found() {
    check(
        "int4 h = instance(); o = a[h.y][h.x];",
        "a 0..0; 1 in one row",
    );
    check(
        "int2 h = instance().xy; o = a[h.y][h.x - 1] + a[h.y + 1][h.x + 2] + b[h.x];",
        "a -1..2, b 0..0; 3 in one row",
    );
    check(
        "int x = instance().x; int y = x + 3; o = b[y - 1 + n];",
        "b 2..2 + n; 1 in one row",
    );
    check(
        "int x = instance().x; o = b[n - x] + b[-x];",
        "b 0..0 back + n, b 0..0 back; 2 in one row",
    );
    check(
        "int x = instance().x; o = b[x - n];",
        "b 0..0 - n; 1 in one row",
    );
    // The other index is another one at each element.
    check("int x = instance().x; o = a[s][x];", "a 0..0; 0 in one row");
    check(
        "int x = instance().x; o = a[2 * n][x];",
        "a 0..0; 1 in one row",
    );
}

#[test]
fn places_may_be_floating_point_numbers() {
    check(
        "float2 p = indexof(o).xy; o = a[p] + a[float2(p.x - 1.0f, f)] + a[p + float2(2.0f, -1.0f)];",
        "a -1..2; 3 in one row",
    );
    check(
        "int x = instance().x; o = b[(float)x] + b[1.0f - (float)x];",
        "b 0..0, b 1..1 back; 2 in one row",
    );
    check(
        "float4 p = indexof(o); float y = p.x + 3.0f; o = a[p.y][y] + a[f][(int)y - 4];",
        "a -1..3; 2 in one row",
    );
}

#[test]
fn other_gathers_are_none() {
    let none = |statements: &str| check(statements, "; 0 in one row");
    none("o = b[s];");
    none("int x = instance().y; o = b[x];");
    none("int x = instance().x; o = b[x * 2];");
    none("int x = instance().x; o = b[x + n + n];");
    // Floating-point numbers that are not exact, or not what unsigned ones are modulo 2^32.
    none("float x = indexof(o).x; o = b[x + 0.5f];");
    none("float x = indexof(o).x; o = b[x + (float)n];");
    none("float x = indexof(o).x; o = b[x + f];");
    none("float x = indexof(o).x; o = b[x + 4194305.0f];");
    none("int x = instance().x; o = b[(float)(x + n)];");
    none("uint x = (uint)instance().x; o = b[(float)(x - 1u) + 1.0f];");
    none("float x = indexof(o).x; o = b[(uint)(x - 1.0f) + 1u];");
    none("float2 p = indexof(o).xy; o = a[p.yx];");
    none("float2 p = indexof(o).xy; o = a[p * float2(2.0f, 1.0f)];");
    none("float2 p = indexof(o).xy; p.x += 1.0f; o = a[p];");
    // It is another value by then.
    none("int x = instance().x; x += 1; o = b[x];");
    none("int x = instance().x; if (n > 3) x = 2; o = b[x];");
    none("int x; o = 1.0f; x = instance().x; o = b[x];");
    none("int x = instance().x; float t = b[s]; o = b[(int)t + x];");
}

#[test]
fn names_mean_what_is_declared() {
    // Another variable of the name is changed.
    check(
        "int x = instance().x; o = b[x]; { int x = s; x += 1; o += (float)x; }",
        "b 0..0; 1 in one row",
    );
    // The name of the parameter is another one's somewhere.
    check(
        "int x = instance().x; o = b[x + n]; { int n = 3; o += (float)n; }",
        "; 0 in one row",
    );
}
