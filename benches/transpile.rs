//! Translation speed beside tree-sitter's own parse of the same text, on kernels of 50, 1 000 and
//! 8 000 lines. Prints medians; the last column is the one that travels between machines.
#![allow(missing_docs, clippy::print_stdout, clippy::expect_used, clippy::panic)]

use brook::backend::Backend;
use brook::source::MemoryLoader;
use brook::{Options, Source};
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A spectral-element-like kernel with a body of about `lines` lines: shared and exclusive memory,
/// several inner nests, macros, and straight-line arithmetic, in the proportions of real solvers.
fn kernel(lines: usize) -> String {
    let mut text = String::from(
        "#define p_N 8\n#define IDX(i, j, k) ((i) + p_N * ((j) + p_N * (k)))\n\n\
         @kernel void operate(const int elements,\n                     @restrict const double *q,\n\
         \x20                    @restrict double *Aq) {\n\
         \x20 for (int e = 0; e < elements; ++e; @outer) {\n\
         \x20   @shared double s_q[p_N][p_N];\n    @exclusive double r_q[p_N];\n",
    );
    let mut line = 10;
    let mut block = 0;
    while line + 12 < lines || block == 0 {
        let _ = write!(
            text,
            "    // block {block}: load, differentiate, accumulate\n\
             \x20   for (int j = 0; j < p_N; ++j; @inner) {{\n\
             \x20     for (int i = 0; i < p_N; ++i; @inner) {{\n\
             \x20       const int id = IDX(i, j, {}) + e * p_N * p_N * p_N;\n\
             \x20       double a{block} = q[id] * {block}.5 + 1.0e-3;\n\
             \x20       const double b{block} = (a{block} - 0.25) * (a{block} + 0.75);\n\
             \x20       a{block} += b{block} > 0.0 ? b{block} : -b{block};\n\
             \x20       if (i < p_N - 1 && j > 0) a{block} = 0.5 * (a{block} + s_q[j - 1][i + 1]);\n\
             \x20       r_q[{}] = a{block} * b{block};\n\
             \x20       s_q[j][i] = r_q[{}] + a{block};\n\
             \x20       Aq[id] = s_q[j][i] - r_q[{}];\n\
             \x20     }}\n    }}\n",
            block % 8,
            block % 8,
            block % 8,
            block % 8,
        );
        line += 13;
        block += 1;
    }
    text.push_str("  }\n}\n");
    text
}

/// A kernel whose one inner loop has that many statements in a row.
fn straight_line(statements: usize) -> String {
    let mut text = String::from(
        "#define p_N 8\n#define SQUARE(x) ((x) * (x))\n\n\
         @kernel void chain(const int n, @restrict const double *q, @restrict double *Aq) {\n\
         \x20 for (int e = 0; e < n; ++e; @outer) {\n    @shared double s_q[p_N];\n\
         \x20   for (int i = 0; i < p_N; ++i; @inner) {\n      double t = q[i];\n",
    );
    for number in 0..statements {
        let _ = match number % 4 {
            0 => writeln!(
                text,
                "      const double a{number} = SQUARE(t) + q[p_N * e + i] * {number}.5;"
            ),
            1 => writeln!(text, "      t += a{} - 0.25 * t;", number - 1),
            2 => writeln!(text, "      s_q[i] = t * a{};", number - 2),
            _ => writeln!(text, "      Aq[p_N * e + i] += s_q[i];"),
        };
    }
    text.push_str("    }\n  }\n}\n");
    text
}

/// How many times as long 8 000 statements take as 1 000: linear is 8.
fn linearity(options: &Options) {
    println!("\n8 000 statements in a row, against 1 000:");
    let loader = MemoryLoader::new();
    for name in Backend::names() {
        let backend = Backend::built_in(name).expect("a built-in backend");
        let [few, many] = [1_000, 8_000].map(|statements| {
            let source = Source::new("bench.okl", straight_line(statements));
            let run = || {
                let result = brook::transpile(&source, &backend, options, &loader);
                drop(black_box(
                    result.unwrap_or_else(|report| panic!("{report}")),
                ));
            };
            median(run, Duration::from_millis(1500)).as_secs_f64()
        });
        println!("{name:8} {:.2}", many / few);
    }
}

fn median(mut run: impl FnMut(), budget: Duration) -> Duration {
    run();
    let mut times = Vec::new();
    let begin = Instant::now();
    while times.len() < 11 || (begin.elapsed() < budget && times.len() < 2001) {
        let start = Instant::now();
        run();
        times.push(start.elapsed());
    }
    times.sort();
    times[times.len() / 2]
}

fn main() {
    let mut parser = tree_sitter::Parser::new();
    parser
        .set_language(&tree_sitter_cpp::LANGUAGE.into())
        .expect("the C++ grammar");
    let options = Options::default();
    let loader = MemoryLoader::new();
    println!(
        "{:>6} {:>8} {:8} {:>12} {:>12} {:>10} {:>8}",
        "lines", "bytes", "backend", "parse", "transpile", "MB/s", "ratio"
    );
    for lines in [50, 1_000, 8_000] {
        let text = kernel(lines);
        let budget = Duration::from_millis(800);
        // The parser is timed on what it is given within the pipeline: expanded text without our
        // attributes, which cost it many times more than the rest.
        let normal = brook::normalize::normalize(&text, brook::normalize::Dialect::Okl).0;
        let normal = brook::syntax::parser_input(&normal, &[]);
        let parse = median(|| drop(black_box(parser.parse(&normal, None))), budget);
        for name in Backend::names() {
            let backend = Backend::built_in(name).expect("a built-in backend");
            let source = Source::new("bench.okl", text.as_str());
            let run = || {
                let result = brook::transpile(&source, &backend, &options, &loader);
                drop(black_box(
                    result.unwrap_or_else(|report| panic!("{report}")),
                ));
            };
            let time = median(run, budget);
            println!(
                "{:>6} {:>8} {:8} {:>9.1} µs {:>9.1} µs {:>10.2} {:>8.2}",
                text.lines().count(),
                text.len(),
                name,
                parse.as_secs_f64() * 1e6,
                time.as_secs_f64() * 1e6,
                text.len() as f64 / time.as_secs_f64() / 1e6,
                time.as_secs_f64() / parse.as_secs_f64(),
            );
        }
    }
    linearity(&options);
}
