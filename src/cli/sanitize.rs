use super::arguments;
use super::arguments::spec::{self, Given};
use super::choices::Kernels;
use super::common::{self, Preprocess};
use super::reader::read_source;
use super::terminal::{self, MessageFormat};
use super::{Failure, Outcome};
use brook::backend::Backend;
use brook::diagnostics::Report;
use brook::interpret::{Order, Settings};
use brook::source::FileLoader;
use brook::{Options, Sanitizer, Source};
use clap::{Args, ValueEnum};
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Sanitize {
    /// The source: .br is Brook+, anything else OKL; - is standard input
    file: String,
    /// The kernel to run; needed if there are several
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// An argument: n=1000, v=(1,2), x=zeros(SHAPE), empty(SHAPE), iota(SHAPE), constant(SHAPE,VALUE),
    /// random(SHAPE,seed=N,min=A,max=B) or x=@FILE.npy; a SHAPE is 1000 or 20x50. What is empty, the kernel has to
    /// write before it reads it
    #[arg(long = "arg", value_name = "NAME=VALUE")]
    arguments: Vec<String>,
    /// The order in which groups and items run; all looks for results that depend on it, too
    #[arg(long, value_enum, default_value_t)]
    order: Orders,
    /// What decides the random order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop after about so many instructions
    #[arg(long, value_name = "N", default_value_t = Settings::default().steps)]
    steps: u64,
    /// Take no more memory for arguments, and for what is known of them, than so many MiB
    #[arg(long, value_name = "MIB", default_value_t = Settings::default().memory >> 20)]
    memory: u64,
    /// Brook+: find indices that are clamped, and writes that are dropped, too
    #[arg(long)]
    clamped: bool,
    /// Print findings as JSON, one object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    preprocess: Preprocess,
}

/// Which orders.
#[derive(Clone, Copy, Default, ValueEnum)]
enum Orders {
    /// As they are numbered.
    Forward,
    /// The last one first.
    Reversed,
    /// In one that --seed decides.
    Random,
    /// In each of these, one after the other.
    #[default]
    All,
}

impl Sanitize {
    pub(crate) fn run(self) -> Outcome {
        let given = self.arguments.iter().map(|text| spec::parse(text));
        let given: Vec<(String, Given)> =
            given.collect::<Result<_, _>>().map_err(Failure::Usage)?;
        let source = read_source(&self.file)?;
        let options = self.preprocess.options_for(&self.file)?;
        let sanitizer = match Sanitizer::new(&source, &options, &FileLoader) {
            Ok(sanitizer) => sanitizer,
            Err(report) => {
                // What is wrong with the source itself is no more than an error in the source.
                check(&source, &options).map_err(|report| self.wrong(&report))?;
                terminal::report(&report, self.format());
                return Ok(ExitCode::from(3));
            }
        };
        if sanitizer.kernels().is_empty() {
            check(&source, &options).map_err(|report| self.wrong(&report))?;
        }
        if self.preprocess.names_kernels()? {
            let mut named = Kernels::default();
            named.read(&source, &options, &FileLoader);
            self.preprocess
                .check_choices(std::slice::from_ref(&self.file), &named)?;
        }
        let kernels = sanitizer.kernels().to_vec();
        let kernel = common::kernel(&self.file, kernels, self.kernel.as_deref())?;
        let interpreted = arguments::interpreted(&kernel, &given);
        if interpreted.is_err()
            && let Err(report) = sanitizer.modelled(&kernel.name)
        {
            // What cannot be given, such as numbers of a type that is not modelled, is no wrong usage.
            terminal::report(&report, self.format());
            return Ok(ExitCode::from(3));
        }
        let (mut arguments, shapes) = interpreted?;
        let orders = match self.order {
            Orders::Forward => vec![Order::Forward],
            Orders::Reversed => vec![Order::Reversed],
            Orders::Random => vec![Order::Random(self.seed)],
            Orders::All => vec![Order::Forward, Order::Reversed, Order::Random(self.seed)],
        };
        let settings = Settings {
            steps: self.steps,
            memory: self.memory.saturating_mul(1 << 20),
            clamped: self.clamped,
            ..Settings::default()
        };
        let found = sanitizer.run(&kernel.name, &mut arguments, &shapes, &orders, &settings);
        let found = match found {
            Ok(found) => found,
            Err(report) => {
                terminal::report(&report, self.format());
                // What could not be looked at is neither clean nor a finding.
                return Ok(ExitCode::from(3));
            }
        };
        match self.json {
            true => terminal::print(&found.json)?,
            false => terminal::report(&found.report, MessageFormat::Human),
        }
        Ok(ExitCode::from(u8::from(!found.is_clean())))
    }

    fn format(&self) -> MessageFormat {
        match self.json {
            true => MessageFormat::Json,
            false => MessageFormat::Human,
        }
    }

    fn wrong(&self, report: &Report) -> Failure {
        terminal::report(report, self.format());
        Failure::Input
    }
}

/// What a translation says is wrong with a source.
fn check(source: &Source, options: &Options) -> Result<(), Box<Report>> {
    let Ok(backend) = Backend::built_in("cuda") else {
        return Ok(());
    };
    brook::check(source, &backend, options, &FileLoader).map(|_| ())
}
