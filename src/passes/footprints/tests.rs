#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::module::{Binary, ConstructKind, Index, Iterations, Unary, WholeIndex, WholePart};
use crate::source::FileLoader;
use crate::{Options, Source, backend::Backend};

fn show(index: &Index) -> String {
    let words = |operator: &Binary| match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::Least => "min",
        Binary::Most => "max",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::And => "&&",
        Binary::Or => "||",
    };
    match index {
        Index::Number(_, number) => number.to_string(),
        Index::Place(axis) => "xyzw"[*axis..=*axis].to_string(),
        Index::PlaceOf(parameter, axis) => format!("{}.{axis}", ["a", "b", "n"][*parameter]),
        Index::Value(parameter, ..) => format!("p{parameter}"),
        Index::As(_, inside) => show(inside),
        Index::Unary(Unary::Negate, inside) => format!("-{}", show(inside)),
        Index::Unary(operator, inside) => format!("{operator:?}({})", show(inside)),
        Index::Binary(operator, parts) => {
            format!(
                "({} {} {})",
                show(&parts[0]),
                words(operator),
                show(&parts[1])
            )
        }
        Index::Either(parts) => {
            let [condition, a, b] = &**parts;
            format!("({} ? {} : {})", show(condition), show(a), show(b))
        }
        Index::OneOf(parts) => format!("[{} | {}]", show(&parts[0]), show(&parts[1])),
        Index::When(parts) => format!("{} where {}", show(&parts[1]), show(&parts[0])),
        Index::Counter(operator, parts) => {
            let [first, bound, step] = &**parts;
            format!(
                "{{{} {} {} by {}}}",
                show(first),
                words(operator),
                show(bound),
                show(step)
            )
        }
    }
}

/// The rows of `a`, an array in two dimensions, and of `b` in one; `?` are all.
fn check(statements: &str, expected: &str) {
    let backend = Backend::built_in("openmp").unwrap();
    let source = format!(
        "kernel float up(float g[][], float2 p) {{ return g[p.y - 1.0f][p.x]; }}\n\
         kernel float at(float i, float l[]) {{ return l[i]; }}\n\
         kernel void k(float a[][], float b[], int n, float f, int s<>, out float o<>) {{ {statements} }}"
    );
    let source = Source::new("a.br", source);
    let made = crate::transpile::bodies(&source, &backend, &Options::default(), &FileLoader);
    let (module, ..) = made.unwrap_or_else(|report| panic!("{report}"));
    let kernel = module.kernels.iter().find(|k| k.name == "k").unwrap();
    let all = kernel.parameters[..2].iter().map(|p| {
        let rows: Vec<String> = p.indices.last().unwrap().iter().map(show).collect();
        match rows.is_empty() {
            true => format!("{} ?", p.name),
            false => format!("{} {}", p.name, rows.join(", ")),
        }
    });
    let all: Vec<String> = all.collect();
    assert_eq!(all.join("; "), expected, "{statements}");
}

#[test]
fn rows_beside_the_place_are_found() {
    check(
        "int4 h = instance(); o = a[h.y - 1][h.x] + a[h.y + n][0];",
        "a (y - 1), (y + p2); b ?",
    );
    check("int4 h = instance(); o = b[h.x] + b[3];", "a ?; b x, 3");
    check(
        "int4 h = instance(); o = a[h.y][s] + a[s][h.x];",
        "a ?; b ?",
    );
    check(
        "float4 h = indexof(o); o = b[h.x + 0.5f];",
        "a ?; b Floor(((x + 0.5) + 0.25))",
    );
    check(
        "float4 h = indexof(o); o = a[h.xy];",
        "a Floor((y + 0.25)); b ?",
    );
}

#[test]
fn conditions_say_which() {
    check(
        "int4 h = instance(); o = a[h.y > 0 ? h.y - 1 : n - 1][0];",
        "a ((y > 0) ? (y - 1) : (p2 - 1)); b ?",
    );
    check(
        "int4 h = instance(); int up = h.y - 1; if (up < 0) up = 0; o = a[up][0];",
        "a (((y - 1) < 0) ? 0 : (y - 1)); b ?",
    );
    check(
        "int4 h = instance(); o = a[max(h.y - 1, 0)][0];",
        "a ((y - 1) max 0); b ?",
    );
    check(
        "int4 h = instance(); o = a[(h.y + n - 1) % n][0];",
        "a ((p2 == 0) ? 0 : (((y + p2) - 1) % p2)); b ?",
    );
    check(
        "int4 h = instance(); int r = h.y; if (s > 0) r = h.y + 1; o = a[r][0];",
        "a [(y + 1) | y]; b ?",
    );
    check(
        "int4 h = instance(); int r = h.y; if (s > 0) r = s; o = a[r][0];",
        "a ?; b ?",
    );
}

#[test]
fn compilers_choose_the_order_of_operands() {
    check(
        "int v = instance().y; o = b[v > 3 ? (v = 1) : 0] + a[v][0];",
        "a ?; b [1 | 0]",
    );
    check("int v = 0; o = (float)(v = 1) + b[v];", "a ?; b ?");
    check("int v = instance().y; o = a[v++][0];", "a ?; b ?");
    check("int v = instance().y; v++; o = a[v][0];", "a (y + 1); b ?");
}

#[test]
fn loops_say_what_counters_are() {
    check(
        "int4 h = instance(); int i; o = 0.0f; for (i = -2; i <= 2; i++) o += a[h.y + i][h.x];",
        "a (y + {-2 <= 2 by 1}); b ?",
    );
    check(
        "float i = 0.0f; o = 0.0f; while (i < f) { o += b[i]; i += 1.0f; }",
        "a ?; b Floor((Exact({0 < Exact(Ceil(p3)) by 1}) + 0.25))",
    );
    check(
        "float i = 0.0f; o = 0.0f; while (i < f) { i += 1.0f; o += b[i]; }",
        "a ?; b Floor(((Exact({0 < Exact(Ceil(p3)) by 1}) + 1) + 0.25))",
    );
    // What the loop changes otherwise, or what decides before it is compared.
    check(
        "int i; o = 0.0f; for (i = 0; i < n; i *= 2) o += b[i];",
        "a ?; b ?",
    );
    check(
        "int i; o = 0.0f; for (i = 0; i < n; i++) { o += b[i]; i -= 1; }",
        "a ?; b ?",
    );
    check(
        "int i; int m = n; o = 0.0f; for (i = 0; i < m; i++) { o += b[i]; m += 1; }",
        "a ?; b ?",
    );
    check(
        "int i = 0; o = 0.0f; while ((int)b[i] > i && i < n) i += 1;",
        "a ?; b ?",
    );
    check(
        "int i = 0; o = 0.0f; do { o += b[i]; i += 1; } while (i < n);",
        "a ?; b ?",
    );
    check(
        "int i; o = 0.0f; for (i = 0; i < n; i++) ; o += b[i];",
        "a ?; b ?",
    );
}

#[test]
fn kernels_that_are_called_are_gone_through() {
    check(
        "float4 h = indexof(o); o = up(a, float2(h.x, h.y + 1.0f));",
        "a ((y + 1) - 1); b ?",
    );
    check(
        "float4 h = indexof(o); o = at(h.x, b) + at(2.0f, b);",
        "a ?; b Floor((x + 0.25)), Floor((2 + 0.25))",
    );
}

#[test]
fn what_grows_by_one_number_is_counted() {
    // The product of matrices of AMD's samples.
    check(
        "float4 i = float4(indexof(o).x, 0.0f, 0.0f, indexof(o).y); float4 d = float4(0.0f, 1.0f, 1.0f, 0.0f); \
         float left = f; float sum = 0.0f; \
         while (left > 0.0f) { sum += a[i.xy]; i += d; left = left - 1.0f; } o = sum;",
        "a Floor((Exact({0 < Ceil(Exact(p3)) by 1}) + 0.25)); b ?",
    );
    let counted = |loops: &str, expected: &str| {
        check(
            &format!("float q = 0.0f; int j = 0; {loops} o = q;"),
            &format!("a ?; b {expected}"),
        );
    };
    counted("for (j = 0; j < n; j++) { q += b[j]; }", "{0 < p2 by 1}");
    counted(
        "int up = 3; for (j = 0; j < n; j++) { q += b[up]; up += 2; }",
        "(3 + ({0 < Exact(Ceil(p2)) by 1} * 2))",
    );
    counted(
        "int up = 3; for (j = n; j >= 0; j--) { q += b[up]; up = up - 1; }",
        "(3 + ({0 < (Floor(Exact(p2)) + 1) by 1} * -1))",
    );
    counted(
        "int up = 3; for (j = 2; j <= n; j++) { up += 2; q += b[up]; }",
        "((3 + ({0 < (Exact((Floor(p2) + 1)) - Exact(2)) by 1} * 2)) + 2)",
    );
    // Not once in each iteration, by what is no number, or nobody knows how often.
    for loops in [
        "int up = 3; for (j = 0; j < n; j++) { q += b[up]; if (q > 1.0f) up += 2; }",
        "int up = 3; for (j = 0; j < n; j++) { q += b[up]; if (q > 1.0f) continue; up += 2; }",
        "int up = 3; for (j = 0; j < n; j++) { q += b[up]; up += 2; up += 2; }",
        "int up = 3; for (j = 0; j < n; j++) { q += b[up]; for (int k = 0; k < 2; k++) up += 2; }",
        "int up = 3; for (j = 0; j < n; j++) { q += b[up]; up += n; }",
        "int up = 3; for (j = 0; j < n; j++) { q += b[up]; up += 2; j = j - 1; }",
        "int up = 3; for (j = 0; j < n; j += 2) { q += b[up]; up += 2; }",
        "int up = 3; for (j = n; j > 1; j--) { q += b[up]; up += 2; }",
        "int up = 3; for (uint k = 3u; k >= 0u; k--) { if (q > 1.0f) break; q += b[up]; up += 2; }",
        "int up = 3; do { q += b[up]; up += 2; j++; } while (j < n);",
        "float up = 0.5f; for (j = 0; j < n; j++) { q += b[up]; up += 2.0f; }",
        "float up = f; for (j = 0; j < n; j++) { q += b[up]; up += 2.0f; }",
        "float up = 3.0f; for (j = 0; j < n; j++) { q += b[up]; up += 0.5f; }",
        "float up = 3.0f, k = f; while (k < 9.0f) { q += b[up]; up += 1.0f; k += 1.0f; }",
    ] {
        counted(loops, "?");
    }
}

/// Gathers whose indices are integers, and what is known of the loops that they count.
fn whole(statements: &str) -> String {
    let backend = Backend::built_in("cuda").unwrap();
    let source = format!(
        "kernel void k(float a[][], int n, float f, double d, float s<>, out float o<>) {{ {statements} }}"
    );
    let source = Source::new("a.br", source);
    let made = crate::transpile::bodies(&source, &backend, &Options::default(), &FileLoader);
    let (module, ..) = made.unwrap_or_else(|report| panic!("{report}"));
    let sum = |index: &WholeIndex| {
        let part = |(part, factor): &(WholePart, i64)| match part {
            WholePart::Place(axis) => format!("{factor}{}", &"xyzw"[*axis..=*axis]),
            WholePart::Iteration(number) => format!("{factor}#{number}"),
        };
        let mut all: Vec<String> = index.parts.iter().map(part).collect();
        all.push(index.constant.to_string());
        all.join("+")
    };
    let mut all = Vec::new();
    for construct in &module.constructs {
        if let ConstructKind::Gather(access) = &construct.kind {
            let indices: Vec<String> = access.whole.iter().map(sum).collect();
            all.push(indices.join(","));
        }
    }
    for counted in &module.kernels[0].counted_loops {
        all.push(match counted.condition {
            None => "?".to_string(),
            Some((_, Iterations::Number(number))) => number.to_string(),
            Some((_, Iterations::Up { first, end })) => format!("{first}..p{end:?}"),
            Some((_, Iterations::Down { first })) => format!("p{first:?}..0"),
        });
    }
    all.join("; ")
}

#[test]
fn indices_that_are_integers_are_found() {
    let check = |statements: &str, expected: &str| {
        let statements =
            format!("float2 p = indexof(o).xy; float q = 0.0f, i; {statements} o = q;");
        assert_eq!(whole(&statements), expected, "{statements}");
    };
    check("q = a[p];", "1x+0,1y+0");
    check("q = a[p.y - 3.0f][p.x + 1.0f];", "1x+1,1y+-3");
    check("q = a[float2(-p.x, 7.0f)];", "-1x+0,7");
    // Integers already.
    check("q = a[instance().y][instance().x];", "");
    // What is no whole number, depends on a value, or may be inexact.
    for statements in [
        "q = a[p + float2(0.5f, 0.0f)];",
        "q = a[float2(p.x, f)];",
        "q = a[float2(p.x, s)];",
        "q = a[float2(p.x * 0.5f, p.y)];",
        "q = a[float2(p.x + p.y, p.y)];",
        "q = a[float2(p.x + 16777216.0f - 16777216.0f, p.y)];",
        "q = a[float2(p.x + 9000000.0f + -9000000.0f, p.y)];",
        "i = p.x; q = a[float2(i += 1.0f, p.y)];",
        "i = f; float2 r = p; while (i > 0.0f) { i -= 1.0f; r.x += 1.0f; q += a[r]; }",
        "i = p.x; if (s > 0.0f) i += 1.0f; q = a[float2(i, p.y)];",
    ] {
        check(statements, "");
    }
    check(
        "for (i = 0.0f; i < f; i += 1.0f) q += a[float2(p.x, i)];",
        "1x+0,1#0+0; 0..p(2, 0)",
    );
    check(
        "for (i = -2.0f; i < 3.0f; i += 1.0f) { q += a[p + float2(i, 0.0f)]; }",
        "1x+1#0+-2,1y+0; 5",
    );
    check(
        "i = f; float2 r = p; while (i > 0.0f) { i -= 1.0f; r += float2(2.0f, -3.0f); q += a[r]; }",
        "1x+2#0+2,1y+-3#0+-3; p(2, 0)..0",
    );
    check(
        "i = f; float2 r = p; while (i > 0.0f && q < 9.0f) { i -= 1.0f; q += a[r]; r += float2(1.0f, 0.0f); }",
        "1x+1#0+0,1y+0; ?",
    );
    check(
        "float j = 0.0f; while (j < (float)n) { for (i = j; i < 9.0f; i += 1.0f) q += a[float2(i, j)]; j += 1.0f; }",
        "1#0+1#1+0,1#0+0; 0..p(1, 0); ?",
    );
    // A loop whose counter is no `float`.
    check(
        "double e; for (e = 0.0; e < d; e += 1.0) q += a[double2((double)p.x, e)];",
        "1x+0,1#0+0; ?",
    );
    // Beside what its place may be nothing is known of a sum of two places, nor of where a loop begins.
    check(
        "for (i = p.x + p.y; i < f; i += 1.0f) q += a[float2(p.x, i)];",
        "",
    );
    check(
        "for (i = p.x - 1.0f; i < 20.0f; i += 1.0f) q += a[float2(i, p.y)];",
        "1x+1#0+-1,1y+0; ?",
    );
}
