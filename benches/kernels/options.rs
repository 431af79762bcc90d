//! The command line.

use clap::Parser;
use std::path::PathBuf;

/// Times generated kernels beside hand-written ones, on every GPU and on the processor.
#[derive(Parser, Debug)]
pub struct Options {
    /// Work to do: all whose name contains one of these.
    pub names: Vec<String>,

    /// Device to run on (cuda:0, opencl:1, openmp, sycl:0); may be repeated. Default: every GPU, and openmp.
    #[arg(long, value_name = "NAME")]
    pub device: Vec<String>,

    /// File for the results as JSON.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Fewest pairs of samples.
    #[arg(long, value_name = "N", default_value_t = 31)]
    pub pairs: usize,

    /// Seconds for each item; more pairs are taken as long as there is time.
    #[arg(long, value_name = "SECONDS", default_value_t = 3.0)]
    pub budget: f64,

    /// Flag for the device's compiler, of both sides; may be repeated. For experiments.
    #[arg(long, value_name = "FLAG", allow_hyphen_values = true)]
    pub compiler_flag: Vec<String>,

    /// A few pairs of everything, for a first look.
    #[arg(long)]
    pub quick: bool,

    /// Small sizes, results compared, nothing timed.
    #[arg(long)]
    pub check: bool,

    /// What cargo adds when it runs a bench.
    #[arg(long, hide = true)]
    pub bench: bool,
}

impl Options {
    /// The command line, with `--quick` worked in.
    pub fn read() -> Self {
        let mut options = Self::parse();
        if options.quick {
            options.pairs = 9;
            options.budget = 0.0;
        }
        options
    }

    /// Whether work of that name is wanted.
    pub fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|part| name.contains(part.as_str()))
    }
}
