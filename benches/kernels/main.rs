//! Generated kernels beside hand-written ones: same device, same compiler, same buffers, in one run.
//!
//! `benches/work/` holds the work; `scripts/bench` is the command. Ratios are medians over interleaved
//! samples, so that they hold on any machine.
//!
//! - `options`: the command line
//! - `work`: what `work.toml` says; `numbers`: its expressions
//! - `data`: arguments, filled and compared
//! - `form`: kernels ready to launch, translated or by hand; `library`: those of vendors
//! - `measure`: samples; `statistics`: medians and intervals
//! - `peaks`, `units`: what the device can do
//! - `report`: the table
//! - `nvrtc`: what of it can be checked without a GPU
#![allow(missing_docs, clippy::print_stdout, clippy::print_stderr)]

mod data;
mod form;
mod library;
mod measure;
mod numbers;
mod nvrtc;
mod options;
mod peaks;
mod report;
mod statistics;
mod units;
mod work;

use brook::Device;
use brook::runtime::{self, DeviceKind};
use data::Data;
use form::{Form, Sources, usual_numbers};
use measure::{Plan, Samples};
use options::Options;
use peaks::Peaks;
use report::{Against, Rate, Report, Row};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use work::{Item, Target, Work};

fn main() -> ExitCode {
    let options = Options::read();
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The repository; `BROOK_TEST_ROOT` says where, if this was built on another machine.
fn root() -> PathBuf {
    let elsewhere = std::env::var_os("BROOK_TEST_ROOT");
    elsewhere.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
}

/// Whether all forms agreed.
fn run(options: &Options) -> Result<bool, String> {
    statistics::self_check()?;
    let all = Work::all(&root())?;
    let mut report = Report::default();
    let mut agreed = true;
    for name in devices(options) {
        let device = Device::open(&name).map_err(|e| e.to_string())?;
        agreed &= on_device(&device, &all, options, &mut report)?;
    }
    if options.check {
        agreed &= compile(&all, options);
    }
    for note in &report.notes {
        println!("note: {note}");
    }
    if !options.check {
        println!("{}\n{}", report.across(), report.summary());
    }
    if let Some(path) = &options.output {
        let text = format!("{:#}\n", report.json());
        std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("written to {}", path.display());
    }
    Ok(agreed)
}

/// Whether NVRTC, where it is, takes all CUDA sources.
fn compile(all: &[Work], options: &Options) -> bool {
    if let Err(error) = brook_cuda::compiler_version() {
        println!("CUDA sources are not compiled: {}", error.message);
        return true;
    }
    let mut taken = true;
    for work in all.iter().filter(|work| options.wants(&work.name)) {
        match nvrtc::check(work) {
            Ok(count) => println!("compiles: {}, {count} CUDA sources", work.name),
            Err(error) => {
                println!("FAILED {error}");
                taken = false;
            }
        }
    }
    taken
}

/// Names of the devices to run on. OpenCL on the processor is for checks only.
fn devices(options: &Options) -> Vec<String> {
    if !options.device.is_empty() {
        return options.device.clone();
    }
    let mut names = Vec::new();
    for driver in ["cuda", "hip", "opencl", "openmp"] {
        for entry in runtime::list_of(driver) {
            let Ok(info) = &entry.info else { continue };
            let suits = info.kind == DeviceKind::Gpu || driver == "openmp" || options.check;
            if suits && info.compiler.is_ok() {
                names.push(entry.name);
            }
        }
    }
    names
}

fn on_device(
    device: &Device,
    all: &[Work],
    options: &Options,
    report: &mut Report,
) -> Result<bool, String> {
    let gpu = device.info().kind == DeviceKind::Gpu;
    let plan = Plan {
        rounds: options.pairs,
        budget: Duration::from_secs_f64(options.budget),
        sample: Duration::from_millis(if gpu { 2 } else { 20 }),
        ahead: gpu,
    };
    let info = device.info();
    let compiler = info.compiler.clone().unwrap_or_else(|e| e);
    println!("== {}: {}, {compiler}", device.name(), info.name);
    let mut peaks = Peaks::default();
    if !options.check {
        let quick = Plan {
            rounds: 11,
            budget: Duration::ZERO,
            ..plan
        };
        peaks = peaks::measure(device, &root(), &quick, false)?;
        println!(
            "peaks: copy {:.1} GB/s, float {:.0} GFLOP/s, double {:.0} GFLOP/s",
            peaks.bytes / 1e9,
            peaks.float / 1e9,
            peaks.double / 1e9
        );
        println!("{}", report::head());
    }
    let name = device.name().to_string();
    report
        .devices
        .push((name, info.name.clone(), compiler, peaks));
    let sizes = match (options.check, gpu) {
        (true, _) => "check",
        (_, true) => "gpu",
        _ => "cpu",
    };
    let mut agreed = true;
    for work in all {
        for real in &work.types {
            let run = Run {
                device,
                work,
                real,
                plan,
                peaks,
                options,
                sizes,
            };
            match run.work(report) {
                Ok(all_right) => agreed &= all_right,
                // One that fails must not keep the others from being measured.
                Err(error) => {
                    println!("FAILED {} {real}: {error}", work.name);
                    report.notes.push(format!(
                        "{} {real} on {}: {error}",
                        work.name,
                        device.name()
                    ));
                    agreed = false;
                }
            }
        }
    }
    Ok(agreed)
}

/// A folder, a type and a device.
struct Run<'a> {
    device: &'a Device,
    work: &'a Work,
    real: &'a str,
    plan: Plan,
    peaks: Peaks,
    options: &'a Options,
    sizes: &'a str,
}

impl Run<'_> {
    fn name(&self, item: &Item) -> String {
        format!("{}/{} {}", self.work.name, item.name, self.real)
            .trim_end()
            .to_string()
    }

    fn work(&self, report: &mut Report) -> Result<bool, String> {
        let wanted = |item: &&Item| {
            let types = item.types.as_ref();
            let typed = types.is_none_or(|all| all.iter().any(|t| t == self.real));
            typed && self.options.wants(&self.name(item))
        };
        let items: Vec<&Item> = self.work.item.iter().filter(wanted).collect();
        if items.is_empty() {
            return Ok(true);
        }
        let units = units::units(self.device);
        let numbers = usual_numbers(self.work, self.sizes, self.real, units)?;
        let mut sources = Sources::build(
            self.device,
            self.work,
            self.real,
            &numbers,
            &self.options.compiler_flag,
        )?;
        let mut agreed = true;
        for item in items {
            let name = self.name(item);
            let arguments = sources.arguments(item);
            let data = Data::new(
                self.device,
                self.work,
                item,
                self.real,
                &numbers,
                &arguments,
            );
            let data = data.map_err(|e| format!("{}: {e}", item.name))?;
            let (mut forms, missing) = sources
                .forms(item, &data, &numbers)
                .map_err(|e| format!("{}: {e}", item.name))?;
            for (form, reason) in missing {
                let note = format!("{name} on {}: without {form}: {reason}", self.device.name());
                println!("{note}");
                report.notes.push(note);
            }
            let agreement = agree(self.device, &data, &mut forms).and_then(|outputs| {
                if !self.options.check {
                    return Ok(());
                }
                // Small enough to be kept for the next device.
                let known = report.outputs.entry(name.clone());
                let known = known.or_insert_with(|| outputs.clone());
                let compared = data.compare(known, &outputs);
                compared.map_err(|e| format!("against another device: {e}"))
            });
            if let Err(error) = agreement {
                println!("WRONG {name} on {}: {error}", self.device.name());
                report
                    .notes
                    .push(format!("{name} on {}: {error}", self.device.name()));
                agreed = false;
                continue;
            }
            if self.options.check {
                let names: Vec<_> = forms.iter().map(|f| f.name.as_str()).collect();
                println!(
                    "agree: {name} on {}: {}",
                    self.device.name(),
                    names.join(", ")
                );
                continue;
            }
            let samples = Samples::take(self.device, &mut forms, &self.plan)
                .map_err(|e| format!("{}: {e}", item.name))?;
            let bytes = numbers.number(&item.bytes)?;
            let flops = numbers.number(&item.flops)?;
            for row in self.rows(item, &forms, &samples, bytes, flops) {
                println!("{row}");
                report.rows.push(row);
            }
        }
        Ok(agreed)
    }

    fn rows(
        &self,
        item: &Item,
        forms: &[Form<'_>],
        samples: &Samples,
        bytes: f64,
        flops: f64,
    ) -> Vec<Row> {
        let by_hand = (0..forms.len()).filter(|i| forms[*i].by_hand);
        let best = by_hand.min_by(|a, b| samples.time(*a).value.total_cmp(&samples.time(*b).value));
        let targets = item.target.as_ref().unwrap_or(&self.work.target);
        let backend = self.device.backend().name.as_str();
        let mut rows = Vec::new();
        for (number, form) in forms.iter().enumerate().filter(|(_, f)| !f.by_hand) {
            let unasked = Target {
                form: form.name.clone(),
                against: "best".to_string(),
                ratio: Default::default(),
                peak: Default::default(),
            };
            let own = targets.iter().filter(|t| t.form == form.name);
            let mut own: Vec<&Target> = own.collect();
            // Where nothing is written by hand, the form is a row of its own.
            if own.is_empty() || best.is_none() {
                own = vec![&unasked];
            }
            for target in own {
                let named = (0..forms.len()).find(|i| forms[*i].name == target.against);
                let is_best = target.against == "best";
                let against = if is_best { best } else { named };
                if against.is_none() && best.is_some() {
                    continue;
                }
                let gpu_or_openmp =
                    self.device.info().kind == DeviceKind::Gpu || backend == "openmp";
                let asked = |table: &std::collections::BTreeMap<String, f64>| {
                    table.get(backend).copied().filter(|_| gpu_or_openmp)
                };
                let brook = samples.time(number);
                rows.push(Row {
                    work: self.name(item),
                    device: self.device.name().to_string(),
                    form: form.name.clone(),
                    brook,
                    against: against.map(|against| Against {
                        name: forms[against].name.clone(),
                        best: is_best,
                        hand: samples.time(against),
                        ratio: samples.ratio(number, against),
                    }),
                    rounds: samples.rounds(),
                    rate: Rate::of(bytes, flops, self.real, brook.value, &self.peaks),
                    target: asked(&target.ratio),
                    peak_target: asked(&target.peak),
                });
            }
        }
        rows
    }
}

/// Runs every form once, on fresh inputs and poisoned outputs, and compares what comes out with the first
/// hand-written one, whose outputs are the result.
fn agree(device: &Device, data: &Data, forms: &mut [Form<'_>]) -> Result<Vec<Vec<u8>>, String> {
    let mut order: Vec<usize> = (0..forms.len()).collect();
    order.sort_by_key(|i| !forms[*i].by_hand);
    let mut expected: Option<(String, Vec<Vec<u8>>)> = None;
    for number in order {
        let form = &mut forms[number];
        let of = |e| format!("{}: {e}", form.name);
        data.reset().map_err(of)?;
        (form.launch)().map_err(|e| format!("{}: {e}", form.name))?;
        device
            .synchronize()
            .map_err(|e| format!("{}: {e}", form.name))?;
        let outputs = data.outputs()?;
        let (first, reference) =
            expected.get_or_insert_with(|| (form.name.clone(), outputs.clone()));
        let compared = data.compare(reference, &outputs);
        compared.map_err(|e| format!("{} against {first}: {e}", form.name))?;
    }
    Ok(expected.map(|(_, outputs)| outputs).unwrap_or_default())
}
