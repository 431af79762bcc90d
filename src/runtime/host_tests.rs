//! The headers, and host programs against the library itself.

use super::*;
use crate::runtime::Error;
use brook_driver::{ScratchDirectory, run_compiler};

/// Uses all that the C++ headers offer.
const PROGRAM: &str = r#"
#include <brook/brook.hpp>
#include <sys/types.h>

static ::brook::detail::Module brook_module("all.br",
    "kernel void add(float2 a<>, float2 by, out float2 c<>) { c = a + by; }\n"
    "kernel void times(float a<>, int n, out float c<>) { c = a * (float) n; }\n"
    "kernel void blur(float a[], float w[3], out float c<>) {\n"
    "  int i = instance().x; c = w[0] * a[i - 1] + w[1] * a[i] + w[2] * a[i + 1]; }\n"
    "reduce void sum(float a<>, reduce float r<>) { r += a; }\n", "");
static thread_local ::brook::detail::Kernel add(brook_module, "add");
static thread_local ::brook::detail::Kernel times_(brook_module, "times");
static thread_local ::brook::detail::Kernel blur(brook_module, "blur");
static thread_local ::brook::detail::Kernel sum(brook_module, "sum");

enum Count { THREE = 3 };

static ::brook::Stream<float> pass(::brook::Stream<float> s) { return s; }

int main(int argc, char **) {
    static_assert(sizeof(float3) == 12 && sizeof(char4) == 4 && sizeof(double2) == 16, "packed");
    uint width = 4;
    ushort rank = 1;
    uchar unused = 0;
    (void)unused;
    ::brook::Stream<float> a{::brook::extents(4)};
    ::brook::Stream<float> b(rank, &width);
    float values[4] = {1, 2, 3, 4};
    streamRead(a, values);
    size_t n = 2;
    times_(a, n, b);
    times_(pass(b), THREE, a);
    streamWrite(a, values);
    std::printf("%g %g %g %g\n", values[0], values[1], values[2], values[3]);
    const float weights[3] = {1, 10, 100};
    blur(a, weights, b);
    b.write(values);
    std::printf("%g %g %g %g\n", values[0], values[1], values[2], values[3]);
    float total = 1000;
    sum(a, total);
    std::printf("%g\n", total);
    ::brook::Stream<float2> p{::brook::extents(2, 2), ::brook::iterate(float2(0, 0), float2(2, 20))};
    ::brook::Stream<float2> q{::brook::extents(2, 2)};
    add(p, float2(0.5f, 5), q);
    q = ::brook::Stream<float2>(q);
    float2 points[4];
    q.write(points);
    for (int i = 0; i < 4; ++i) std::printf("(%g %g)", points[i].x, points[i].y);
    std::printf(" %d %s\n", q.error() == ::brook::BR_NO_ERROR, *q.errorLog() ? "log" : "no log");
    ::brook::Stream<float2> part(2, {2, 1});
    unsigned from[2] = {0, 1}, to[2] = {2, 2};
    part.assign(q.domain(from, to));
    add.domainSize(uint4(1, 1, 1, 1));
    add(p.domain(int2(0, 0), int2(2, 1)), float2(1, 1), part);
    part.write(points, "async");
    while (!part.isSync()) {}
    std::printf("(%g %g)(%g %g) %d %d\n", points[0].x, points[0].y, points[1].x, points[1].y,
                part.finish(), part.error());
    unsigned count = 0;
    ::brook::Device *device = part.getDevices(&count);
    std::printf("%u %s '%s'\n", count, device->getType(), device->getBindings());
    ::brook::BError error = ::brook::Stream<float>(1, 0 * argc).error();
    std::printf("%d %d\n", error == ::brook::BR_ERROR_DECLARATION,
                ::brook::useDevices(device, count) == NULL);
    if (argc > 1) add(p, total, q);
    return 7;
}
"#;

const EXPECTED: &str = "6 12 18 24\n1266 1926 2592 2658\n60\n(0.5 5)(1.5 5)(0.5 15)(1.5 15) 1 no log\n\
     (1 1)(1.5 15) 1 0\n1 cpu 'host'\n1 1\n";

/// Where a test has no compiler or no library it says so and ends, unless all are required.
fn missing(error: &Error) -> bool {
    let required = std::env::var("BROOK_REQUIRE").as_deref() == Ok("all");
    let missing =
        matches!(error, Error::Toolchain(e) if e.kind == brook_driver::ErrorKind::Missing);
    if missing && !required {
        eprintln!("ignored: {error}");
    }
    missing && !required
}

#[test]
fn headers_compile_without_a_warning_in_every_dialect() {
    if let Err(error) = compiler() {
        assert!(missing(&error), "{error}");
        return;
    }
    let scratch = ScratchDirectory::new().unwrap();
    for (header, text) in headers::HEADERS {
        let path = scratch.path().join(header);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let check = |language: &str, standard: &str, text: &str| {
        let file = scratch.path().join("check");
        std::fs::write(&file, text).unwrap();
        let mut command = compiler().unwrap();
        command.args([
            "-Wall",
            "-Wextra",
            "-pedantic",
            "-Werror",
            "-fsyntax-only",
            "-I",
        ]);
        command
            .arg(scratch.path())
            .arg(format!("-std={standard}"))
            .args(["-x", language]);
        run_compiler(command.arg(&file)).unwrap_or_else(|e| panic!("{standard}: {e}"));
    };
    for standard in ["c++11", "c++14", "c++17", "c++20"] {
        check("c++", standard, PROGRAM);
        check(
            "c++",
            standard,
            "#define BROOK_NO_GLOBAL_VECTORS\n#include <brook/brook.hpp>\nstruct float2 {};",
        );
    }
    for standard in ["c99", "c11"] {
        let program = "#include <brook/brook.h>\nbrook_stream *f(brook_module *m, brook_argument *a) { \
                       return brook_call(m, \"k\", NULL, a, 1) == BROOK_SUCCESS ? NULL : a->data; }";
        check("c", standard, program);
    }
}

#[test]
fn a_host_program_runs() {
    let scratch = ScratchDirectory::new().unwrap();
    let program = scratch.path().join("all");
    if let Err(error) = build_program(PROGRAM, "all.br", None, &program) {
        assert!(missing(&error), "{error}");
        return;
    }
    let run = |arguments: &[&str]| {
        Command::new(&program)
            .args(arguments)
            .env("BROOK_DEVICE", "openmp")
            .output()
            .unwrap()
    };
    let output = run(&[]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        text,
        EXPECTED,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(7));
    let failed = run(&["with a wrong argument"]);
    // The error stays with the stream, which nobody asks.
    assert_eq!(failed.status.code(), Some(7));
    assert_eq!(String::from_utf8_lossy(&failed.stdout), EXPECTED);
    assert_eq!(
        String::from_utf8_lossy(&failed.stderr),
        "brook: Kernel Execution: argument 2 'by' of kernel 'add' is a float2; got the value of type float\n"
    );
    let status = run_program(
        "int main(int c, char **) { return c; }",
        "x.br",
        &["y".into()],
        &ProgramOptions::default(),
    );
    assert_eq!(status.unwrap(), 2);
    let crash = "#include <csignal>\nint main() { std::raise(SIGKILL); }";
    assert_eq!(
        run_program(crash, "dir/.br", &[], &ProgramOptions::default()).unwrap(),
        137
    );
    let error = run_program(
        "#line 1 \"x.br\"\nint main() { return z; }",
        "x.br",
        &[],
        &ProgramOptions {
            standard: Some("c++20"),
            ..ProgramOptions::default()
        },
    );
    let error = error.unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("x.br:1:21: error"), "{error}");
}
