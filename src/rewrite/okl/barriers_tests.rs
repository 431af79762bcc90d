//! Where barriers stand.

use crate::backend::Backend;
use crate::source::FileLoader;
use crate::{Options, Source, transpile};

/// The kernel's text for a backend, with those statements in a group.
fn kernel(backend: &str, statements: &str, options: &Options) -> String {
    let text = format!(
        "@kernel void k(const int n, int *o) {{\n\
         for (int g = 0; g < n; ++g; @outer) {{ @shared int s[8]; {statements} }} }}\n"
    );
    let backend = Backend::built_in(backend).expect("built in");
    let source = Source::new("barriers.okl", text.as_str());
    let translation = transpile(&source, &backend, options, &FileLoader);
    let device = translation
        .unwrap_or_else(|e| panic!("{statements}: {e}"))
        .device;
    let begin = device.find("_occa_k_0").expect("a kernel");
    device[begin..].to_string()
}

fn count(text: &str, word: &str) -> usize {
    text.matches(word).count()
}

const FILL: &str = "for (int i = 0; i < 8; ++i; @inner) s[i] = i;";
const READ: &str = "for (int i = 0; i < 8; ++i; @inner) o[8 * g + i] += s[7 - i];";

/// How many barriers there are for CUDA and OpenCL.
fn barriers(statements: &str, options: &Options) -> usize {
    let cuda = kernel("cuda", statements, options);
    let opencl = kernel("opencl", statements, options);
    let all = count(&cuda, "__syncthreads()");
    assert_eq!(all, count(&opencl, "barrier("), "{opencl}");
    all
}

#[test]
fn conditions_have_the_barriers_that_the_program_says() {
    let implied = |statements: String| barriers(&statements, &Options::default());
    assert_eq!(implied(format!("if (g) {{ {FILL} {READ} }} {READ}")), 2);
    assert_eq!(
        implied(format!("if (g) {{ {FILL} @nobarrier {READ} }} {READ}")),
        1
    );
    assert_eq!(
        implied(format!(
            "if (g) {{ @nobarrier {FILL} @nobarrier {READ} }} {READ}"
        )),
        0
    );
    assert_eq!(implied(format!("if (g) @nobarrier {FILL} {READ}")), 0);
    // The last one, behind which there is nothing to wait for.
    assert_eq!(implied(format!("{FILL} if (g) {{ {READ} }}")), 1);
    let none = Options {
        no_auto_barriers: true,
        ..Options::default()
    };
    assert_eq!(
        barriers(&format!("if (g) {{ {FILL} {READ} }} {READ}"), &none),
        0
    );
}

#[test]
fn conditions_end_where_a_target_has_to_be_told() {
    let end = "BROOK_END_OF_CONDITION;";
    let ends = |statements: String, options: &Options| {
        assert_eq!(count(&kernel("cuda", &statements, options), end), 0);
        count(&kernel("opencl", &statements, options), end)
    };
    let options = Options::default();
    assert_eq!(
        ends(format!("if (g) {{ {FILL} @nobarrier {READ} }}"), &options),
        1
    );
    assert_eq!(ends(format!("if (g) {{ {FILL} {READ} }}"), &options), 1);
    assert_eq!(
        ends(format!("if (g) {{ {FILL} {READ} }} {READ}"), &options),
        0
    );
    assert_eq!(ends(format!("{FILL} {READ}"), &options), 0);
}

#[test]
fn conditions_with_several_ways_are_marked_for_a_target_that_misreads_them() {
    let waiting = |backend: &str, body: &str| {
        let statements =
            format!("for (int i = 0; i < 8; ++i; @inner) {{ s[i] = i; {body} }} {READ}");
        kernel(backend, &statements, &Options::default())
    };
    let marks = |body: &str| {
        let mark = "(BROOK_SEVERAL_WAYS (";
        assert_eq!(count(&waiting("cuda", body), mark), 0);
        count(&waiting("opencl", body), mark)
    };
    assert_eq!(marks("if (n == 3 || o[i]) s[i] = 2;"), 1);
    assert_eq!(marks("if (!(n != 3 && (o[i] > 1))) s[i] = 2;"), 1);
    assert_eq!(marks("if (n == 3 ? n : o[i]) s[i] = 2;"), 1);
    assert_eq!(marks("while (n == 3 || o[i]) { s[i] = 2; break; }"), 1);
    assert_eq!(marks("if (n == 3 && o[i]) s[i] = 2; else s[i] = 3;"), 1);
    assert_eq!(marks("if (n == 3 && o[i]) continue; s[i] = 3;"), 1);
    assert_eq!(marks("if (n == 3) { if (o[i]) continue; } s[i] = 3;"), 1);
    let switches = |body: &str| {
        let text = waiting("opencl", body);
        count(&text, "switch (BROOK_SEVERAL_VALUES (n))")
    };
    let leaves = "switch (n) { case 3: { if (o[i]) break; } case 4: s[i] = 6; break; default: { s[i] = 2; break; } }";
    assert_eq!(switches(leaves), 1);
    let ends = "switch (n) { case 3: s[i] = 1; break; case 4: { s[i] = 6; break; } default: for (;;) { if (o[i]) break; } }";
    assert_eq!(switches(ends), 0);
    let values = |body: &str| {
        let text = waiting("opencl", body);
        count(&text, "= BROOK_SEVERAL_WAYS (") + count(&text, "= !(BROOK_SEVERAL_WAYS (")
    };
    assert_eq!(values("const bool c = n == 3 || o[i]; if (c) s[i] = 2;"), 1);
    assert_eq!(
        values("bool c = n == 3; c = c && o[i] || n > 5; s[i] = c;"),
        1
    );
    assert_eq!(values("const bool c = !(n == 3 && o[i]); s[i] = c;"), 1);
    assert_eq!(
        values("constexpr bool c = 3 > 2 || 4 > 5; int q[c ? 2 : 1]; s[i] = q[0];"),
        0
    );
    assert_eq!(values("const bool c = n == 3 | o[i]; s[i] = c;"), 0);
    // One way only.
    assert_eq!(marks("if (n == 3 && o[i]) s[i] = 2;"), 0);
    assert_eq!(marks("if (n == 3) { if (o[i]) s[i] = 2; } s[i] = 3;"), 0);
    assert_eq!(marks("if (o[i]) continue; s[i] = 3;"), 0);
    assert_eq!(
        marks("if (n == 3) { for (;;) { if (o[i]) break; } } s[i] = 3;"),
        0
    );
    assert_eq!(marks("for (int k = 0; k < n && o[k]; ++k) s[i] = k;"), 0);
    let options = Options::default();
    // Nobody waits.
    let alone = "for (int i = 0; i < 8; ++i; @inner) if (n == 3 || o[i]) o[8 * g + i] = 2;";
    assert_eq!(
        count(&kernel("opencl", alone, &options), "BROOK_SEVERAL_WAYS"),
        0
    );
    // All items wait inside.
    let inside = "if (n == 3 || g) { s[i] = 2; @barrier; s[i] = s[7 - i]; }";
    assert_eq!(marks(inside), 0);
}
