//! Conditionals that the vendor's compiler decides.

use super::*;

fn vendor(main: &str) -> Run {
    run(main).with(|options| options.vendor_macros = vec!["__CUDA*".into(), "_OPENMP".into()])
}

/// The lines that come out, empty ones left out.
#[track_caller]
fn lines(run: &Run, expected: &[&str]) {
    let done = run.done();
    assert!(done.diagnostics.is_empty(), "{:?}", done.messages());
    let text = &done.out.text;
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|l| !l.is_empty())
        .collect();
    assert_eq!(lines, expected);
}

#[test]
fn both_groups_stay() {
    lines(
        &vendor("#define N 4\n#ifdef __CUDA_ARCH__\nx N\n#else // c\ny N\n#endif\nz"),
        &[
            "#if defined(__CUDA_ARCH__)",
            "x 4",
            "#else",
            "y 4",
            "#endif",
            "z",
        ],
    );
    lines(
        &vendor("#ifndef _OPENMP\nx\n#endif"),
        &["#if !defined(_OPENMP)", "x", "#endif"],
    );
    lines(
        &vendor("#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= N * 100 && !X\nx\n#endif")
            .define("N=7"),
        &[
            "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 7L * 100L && ! 0L",
            "x",
            "#endif",
        ],
    );
    // What is no macro of this vendor is none.
    lines(&vendor("#ifdef __HIPCC__\nx\n#else\ny\n#endif"), &["y"]);
    lines(
        &vendor("#define __CUDA_ARCH__ 800\n#if __CUDA_ARCH__ > 700\nx\n#endif"),
        &["x"],
    );
}

#[test]
fn groups_are_decided_where_they_can_be() {
    lines(
        &vendor("#if 0 && defined(__CUDACC__) || 1\nx\n#endif"),
        &["x"],
    );
    lines(
        &vendor("#if 1\nx\n#elif defined(__CUDACC__)\ny\n#endif"),
        &["x"],
    );
    lines(
        &vendor(
            "#if 0\na\n#elif defined(_OPENMP)\nb\n#elif 0\nc\n#elif defined(__CUDACC__)\nd\n#elif 1\ne\n#else\nf\n#endif",
        ),
        &[
            "#if defined(_OPENMP)",
            "b",
            "#elif defined(__CUDACC__)",
            "d",
            "#else",
            "e",
            "#endif",
        ],
    );
    lines(
        &vendor(
            "#ifdef _OPENMP\n#ifdef __CUDACC__\na\n#endif\n#if 0\nb\n#else\nc\n#endif\n#elif 0\n#endif\nd",
        ),
        &[
            "#if defined(_OPENMP)",
            "#if defined(__CUDACC__)",
            "a",
            "#endif",
            "c",
            "#endif",
            "d",
        ],
    );
}

#[test]
fn each_group_has_its_macros() {
    let chosen = "#ifdef _OPENMP\n#define F(x) a x\nF(1)\n#else\n#define F(x) b x\nF(2)\n#endif\n";
    lines(
        &vendor(chosen),
        &["#if defined(_OPENMP)", "a 1", "#else", "b 2", "#endif"],
    );
    vendor(&format!("{chosen}F(3)")).fails(&["PRE025 8:1 whether and how macro 'F'"]);
    vendor(&format!("{chosen}#ifdef F\n#endif")).fails(&["PRE025 8:8"]);
    vendor(&format!("{chosen}#define G F(1)\nG")).fails(&["PRE025 9:1"]);
    lines(
        &vendor(&format!("{chosen}#undef F\n#define F(x) c x\nF(3)")),
        &[
            "#if defined(_OPENMP)",
            "a 1",
            "#else",
            "b 2",
            "#endif",
            "c 3",
        ],
    );
    // The same in all groups.
    lines(
        &vendor("#ifdef _OPENMP\n#define N 4\nx\n#else\n#define N  4\n#endif\nN"),
        &["#if defined(_OPENMP)", "x", "#else", "#endif", "4"],
    );
    // One group is none at all.
    vendor("#define N 4\n#ifdef _OPENMP\n#undef N\n#endif\nN").fails(&["PRE025 5:1"]);
}

#[test]
fn headers_belong_to_their_group() {
    let once = "#pragma once\nint a;";
    let guarded = "#ifndef A\n#define A\nint a;\n#endif";
    for header in [once, guarded] {
        lines(
            &vendor("#ifdef _OPENMP\n#include \"a.h\"\n#else\n#include \"a.h\"\n#endif\n#include \"a.h\"\nx")
                .file("a.h", header),
            &["#if defined(_OPENMP)", "int a;", "#else", "int a;", "#endif", "x"],
        );
        vendor("#ifdef _OPENMP\n#include \"a.h\"\n#endif\n#include \"a.h\"\nx")
            .file("a.h", header)
            .fails(&["PRE026 4:1 'a.h' was included in some groups"]);
    }
}

#[test]
fn errors_are_the_vendors() {
    lines(
        &vendor("#ifndef __CUDACC__\n#error \"CUDA only\"\n#endif\nx"),
        &[
            "#if !defined(__CUDACC__)",
            "#error \"CUDA only\"",
            "#endif",
            "x",
        ],
    );
}

#[test]
fn too_late() {
    vendor("#define F(x) x\nF(\n#ifdef _OPENMP\n1\n#endif\n)").fails(&["PRE021 3:1"]);
    let brook =
        |text: &str| vendor(text).with(|o| o.vendor_conditions = VendorConditions::HostOnly);
    lines(&brook("#ifndef _OPENMP\nx\n#else\ny\n#endif"), &["x"]);
    brook("#ifdef _OPENMP\n#if 1\n#endif\n[[brook_kernel(\"\")]] void f();\n#endif")
        .fails(&["PRE021 1:1"]);
    lines(
        &brook("#ifdef _OPENMP\n#endif\n[[brook_kernel(\"\")]]"),
        &["[[brook_kernel(\"\")]]"],
    );
}

#[test]
fn kept_conditionals_are_listed() {
    let done = vendor("#ifdef _OPENMP\na\n#ifdef __CUDACC__\nb\n#endif\n#else\nc\n#endif").done();
    let text = &done.out.text;
    let groups: Vec<Vec<&str>> = done
        .out
        .conditionals
        .iter()
        .map(|c| c.groups.iter().map(|g| g.of(text).trim()).collect())
        .collect();
    let inner = "a\n#if defined(__CUDACC__)\nb\n#endif";
    assert_eq!(groups, [vec![inner, "c"], vec!["b"]]);
}
