//! Translation beside tree-sitter's own parse of the same text: time, allocations, memory; and the command
//! beside an empty process. `cargo bench --bench transpile`; ratios are what travels between machines.
#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    clippy::panic
)]

mod allocations;
mod command;
mod editor;
mod measure;
mod report;
mod sources;
#[path = "../kernels/statistics.rs"]
mod statistics;

use brook::Options;
use brook::backend::Backend;
use clap::Parser;
use measure::Text;
use report::{Growth, Report};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Times translation beside the parser's work.
#[derive(Parser, Debug)]
struct Arguments {
    /// File for the results as JSON.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Seconds for each row.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    budget: f64,

    /// Only rows of sources whose name contains one of these.
    names: Vec<String>,

    /// What cargo adds when it runs a bench.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    allocations::count_parser();
    let arguments = Arguments::parse();
    if let Err(error) = statistics::self_check() {
        eprintln!("transpile: {error}");
        return ExitCode::FAILURE;
    }
    let budget = Duration::from_secs_f64(arguments.budget.max(0.0));
    let wanted = |name: &str| {
        let mut names = arguments.names.iter();
        arguments.names.is_empty() || names.any(|n| name.contains(n.as_str()))
    };
    let mut report = Report::default();
    if wanted("editor") {
        editor::print("50 lines", &sources::okl(50), budget);
        editor::print("100 kernels of 50", &editor::kernels(100, 50), budget);
        editor::print("5 000 in one", &sources::okl(5000), budget);
    }
    println!("{}", report::head());
    for text in texts().into_iter().filter(|t| wanted(t.name)) {
        for backend in Backend::names() {
            let row = measure::row(&text, backend, &Options::default(), budget);
            println!("{row}");
            report.rows.push(row);
        }
    }
    if wanted("statements") {
        println!("\n8 000 statements in a row against 1 000; linear is 8:");
        for backend in Backend::names() {
            let [few, many] = [1_000, 8_000].map(|n| {
                let text = Text::okl("statements", sources::straight_line(n));
                measure::row(&text, backend, &Options::default(), budget)
            });
            let growth = Growth::between(&few, &many);
            println!("{growth}");
            report.growth.push(growth);
        }
    }
    if wanted("command") {
        println!("\nThe command on a kernel of 50 lines, above an empty process:");
        for backend in Backend::names() {
            match command::start(backend, budget) {
                Ok(start) => {
                    println!("{start}");
                    report.starts.push(start);
                }
                Err(error) => eprintln!("transpile: {error}"),
            }
        }
    }
    println!("\n{}", report.summary());
    if let Some(path) = &arguments.output
        && let Err(error) = std::fs::write(path, format!("{:#}\n", report.json()))
    {
        eprintln!("transpile: cannot write '{}': {error}", path.display());
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn texts() -> Vec<Text> {
    let lengths = [50, 1_000, 8_000];
    let okl = lengths.map(|n| Text::okl("okl", sources::okl(n)));
    let brook = lengths.map(|n| Text::brook("brook+", sources::brook(n)));
    okl.into_iter().chain(brook).collect()
}
