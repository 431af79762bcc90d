use super::*;

/// The exact text, and whether it has to be normalised again.
#[track_caller]
fn gives(main: &str, expected: &str, again: bool) {
    let done = run(main).done();
    assert_eq!(done.messages(), Vec::<String>::new(), "{main}");
    assert_eq!(done.out.text.trim_start(), expected, "{main}");
    assert_eq!(done.out.expanded_attributes, again, "{main}");
}

#[test]
fn arguments_of_attributes_are_expanded() {
    gives(
        "#define B 16\n[[okl_tile(\"(B, @outer)\")]] for",
        "[[okl_tile(\"(16, @outer)\")]] for",
        false,
    );
    gives(
        "#define B 16\n[[okl_tile(\"(C, @outer)\")]] B",
        "[[okl_tile(\"(C, @outer)\")]] 16",
        false,
    );
    gives(
        "#define n 16\nfloat a [[brook_stream(\"<10,n>\")]];",
        "float a [[brook_stream(\"<10,16>\")]];",
        false,
    );
    gives(
        "#define B C\n#define C B + 1\n[[okl_tile(\"(B)\")]]",
        "[[okl_tile(\"(B + 1)\")]]",
        false,
    );
    gives(
        "#define outer inner\n#define F(a) a\n[[okl_tile(\"(F(outer), F)\")]] (1)",
        "[[okl_tile(\"(inner, F)\")]] (1)",
        false,
    );
    gives("#define okl_x y\nokl_x [okl_x]", "y [y]", false);
}

#[test]
fn strings_within_are_escaped_again() {
    gives(
        "#define M \"local\"\n[[okl_barrier(\"(M)\")]];",
        "[[okl_barrier(\"(\\\"local\\\")\")]];",
        false,
    );
    gives(
        "#define N 4\n[[okl_directive(\"(\\\"a\\\\n\\\", N)\")]]",
        "[[okl_directive(\"(\\\"a\\\\n\\\", 4)\")]]",
        false,
    );
    gives(
        "#define S(x) #x\n[[okl_d(\"(S(a \\\"b\\\"))\")]]",
        "[[okl_d(\"(\\\"a \\\\\\\"b\\\\\\\"\\\")\")]]",
        false,
    );
}

#[test]
fn parameters_reach_into_attributes() {
    gives(
        "#define LOOP(N) [[okl_tile(\"(N, @outer)\")]] for (int i = 0; i < N; ++i)\nLOOP(8);",
        "[[okl_tile(\"(8, @outer)\")]] for (int i = 0; i < 8; ++i);",
        true,
    );
    gives(
        "#define T(a, b) [[okl_tile(\"(a##b)\")]] x\nT(1, 6)",
        "[[okl_tile(\"(16)\")]] x",
        true,
    );
    gives(
        "#define M [[okl_mark(\"\")]]\nM x",
        "[[okl_mark(\"\")]] x",
        true,
    );
    gives("#define M @\nM outer", "@ outer", true);
    gives(
        "#define F(x) x\nF([[okl_dim(\"(a, b)\")]] int *p)",
        "[[okl_dim(\"(a, b)\")]] int *p",
        true,
    );
    gives(
        "#define F(x) x\n[[okl_mark(\"\")]] F(1)",
        "[[okl_mark(\"\")]] 1",
        false,
    );
}

#[test]
fn calls_end_with_the_attribute() {
    gives(
        "#define F(a) a\n[[okl_dim(\"F(1)\")]] )",
        "[[okl_dim(\"1\")]] )",
        false,
    );
    gives(
        "#define F(a) a\n[[okl_dim(\"G(F (1))\")]]",
        "[[okl_dim(\"G(1)\")]]",
        false,
    );
    fails("#define F(a) a\n[[okl_dim(\"F(1\")]] )", &["PRE006 2:12"]);
}

#[test]
fn every_file_is_normalised() {
    let done = run("@mark a\n#include \"b.h\"\nM")
        .file("b.h", "@mark b\n#define M @mark m")
        .done();
    assert_eq!(
        done.out.text,
        "[[okl_mark(\"\")]] a\n[[okl_mark(\"\")]] b\n\n[[okl_mark(\"\")]] m"
    );
    assert!(done.out.expanded_attributes);
    run("M").define("M=@mark").gives("[[okl_mark(\"\")]]");
}
