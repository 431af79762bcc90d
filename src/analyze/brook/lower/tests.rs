#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::cases_for_tests::{self, Case};
use crate::source::FileLoader;
use crate::{Checking, Options, Source, backend::Backend};

#[test]
fn bodies_keep_what_their_types_promise() {
    let (mut whole, mut all) = (0, 0);
    for case in cases_for_tests::brook() {
        let Case {
            name,
            module,
            program,
        } = case;
        if let Err(broken) = program.verify() {
            panic!("{name}: {broken:?}: {}", broken.span.of(&module.text));
        }
        all += program.bodies.len();
        for body in &program.bodies {
            match body.opaque() {
                None => whole += 1,
                Some((span, what)) => {
                    eprintln!("{name}: {}: {what}: {}", body.name, span.of(&module.text));
                }
            }
        }
    }
    // What is modelled only grows.
    assert!(
        all > 1300 && whole * 100 >= all * 94,
        "{whole} of {all} bodies"
    );
}

/// The bodies of the kernel of a name, as text: the function of an element, then what runs it.
fn bodies(source: &str, name: &str) -> Vec<String> {
    let backend = Backend::built_in("openmp").unwrap();
    let source = Source::new("a.br", source);
    let options = Options {
        checking: Checking {
            relaxed: true,
            ..Checking::default()
        },
        ..Options::default()
    };
    let made = crate::transpile::bodies(&source, &backend, &options, &FileLoader);
    let (_, program, _) = made.unwrap_or_else(|report| panic!("{report}"));
    program.verify().unwrap();
    let found = program.bodies.iter().filter(|b| b.name == name);
    found.map(|b| program.print(b)).collect()
}

/// Statements of a kernel with some parameters: what they become.
fn check(statements: &str, expected: &str) {
    let source = format!(
        "typedef struct P_t {{ float3 v; int n[2]; }} P;\n\
         kernel float twice(float v) {{ return v * 2.0f; }}\n\
         kernel void both(float v, out float2 a<>, float g[][]) {{ a = float2(v, g[0][1]); }}\n\
         kernel void k(float a<>, int i<>, float4 v<>, float g[][], float l[], P p<>, out float o<>, out float4 w<>) {{\n\
         {statements} }}"
    );
    assert_eq!(bodies(&source, "k")[0].trim_end(), expected, "{statements}");
}

#[test]
fn operators_are_the_languages_own() {
    check("o = a * 2.0f + (float)i;", "*o = ((a * 2.0) + float(i))");
    check(
        "o = (float)(i / 3 % 2);",
        "*o = float(int((long(int((long(i) / long(3)))) % long(2))))",
    );
    check(
        "o = i << 33 > 2;",
        "*o = float(int((int((unsigned int(i) << (unsigned int(33) & 31))) > 2)))",
    );
    check("o = a < 1.0f;", "*o = float((a < 1.0))");
    check("w = v + 1;", "*w = (v + float4(float(1)))");
    check("o += 2.5;", "*o = float((double(*o) + 2.5))");
}

#[test]
fn components_are_picked_and_written() {
    check(
        "w.zx = v.xy;",
        "(((%1 = float2{v.[0], v.[1]}, *w.[2] = %1.[0]), *w.[0] = %1.[1]), %1)",
    );
    check(
        "w.xy += v.yy; o = p.v.z + (float)p.n[1];",
        "(((%1 = (float2{*w.[0], *w.[1]} + float2{v.[1], v.[1]}), *w.[0] = %1.[0]), *w.[1] = %1.[1]), %1)\n*o = (p.0.0.[2] + float(p.1[long(1)]))",
    );
    check(
        "float2 u = {1.0f, a}; o = u.y++;",
        "private float2 u\nu = float2{1.0, a}\n*o = ((%1 = u.[1], u.[1] = (%1 + 1.0)), %1)",
    );
}

#[test]
fn indices_are_clamped() {
    check(
        "o = g[i][1.7f] + l[a] + g[v.xy];",
        "*o = ((*(g +> ((long.clamp(long(i), g.1) * g.0) + long.clamp(long(1.7000000476837158), g.0))) + *(l +> long.clamp(long(double.floor((double(a) + 0.25))), l.0))) + (%1 = float2{v.[0], v.[1]}, *(g +> ((long.clamp(long(double.floor((double(%1.[1]) + 0.25))), g.1) * g.0) + long.clamp(long(double.floor((double(%1.[0]) + 0.25))), g.0)))))",
    );
}

#[test]
fn kernels_are_called_where_they_are() {
    check(
        "both(twice(a), w.xw, g); o = indexof(o).y;",
        "((%1 = float2{*w.[0], *w.[3]}, both(here, twice(here, a), &%1, g, g.0, g.1)), ((*w.[0] = %1.[0], *w.[3] = %1.[1]), %1))\n*o = float4(here).[1]",
    );
}

#[test]
fn conditions_are_truths() {
    check(
        "if (a) o = 1.0f; else while (i > 0 && a < 2.0f) { i--; break; }",
        "if bool(a)\n  *o = 1.0\nelse\n  loop\n    while bool(float((bool(float(int((i > 0)))) && bool(float((a < 2.0))))))\n      i -= 1 before\n      break",
    );
}

#[test]
fn kernels_run_for_elements() {
    let source = "kernel void k(float a<>, float g[], out float o<>) { o = a; }";
    assert_eq!(
        bodies(source, "k")[1],
        "outer(2) zw from 0 count (domain.2 * domain.3) step 1\n  outer(1) y from 0 count domain.1 step 1\n    outer(0) x from 0 count domain.0 step 1\n      z = (zw % domain.2)\n      w = (zw / domain.2)\n      at.x = (start.0 + x)\n      at.y = (start.1 + y)\n      at.z = (start.2 + z)\n      at.w = (start.3 + w)\n      k(int4{int(at.x), int(at.y), int(at.z), int(at.w)}, *(a +> (((((((((at.w - origin.3) * a.3) / whole.3) * a.2) + (((at.z - origin.2) * a.2) / whole.2)) * a.1) + (((at.y - origin.1) * a.1) / whole.1)) * a.0) + (((at.x - origin.0) * a.0) / whole.0))), g, g.0, &*(o +> ((((((at.w * o.2) + at.z) * o.1) + at.y) * o.0) + at.x)))\n"
    );
    let source = "kernel void k(float a<>, out float o[]) { o[a] += 1.0f; }";
    assert_eq!(
        bodies(source, "k")[0],
        "block\n  %1 = long(double.floor((double(a) + 0.25)))\n  if bool(long.inside(%1, o.0))\n    *(o +> %1) = (*(o +> %1) + 1.0)\n"
    );
}
