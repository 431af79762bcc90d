//! What the device can do at most: a large copy, and multiply-adds in registers.

use super::form::Form;
use super::measure::{Plan, Samples};
use brook::Device;
use brook::runtime::DeviceKind;
use brook_driver::{Argument, CompileOptions, Program};
use std::path::Path;
use std::sync::Arc;

/// Bytes and operations a second.
#[derive(Clone, Copy, Debug, Default)]
pub struct Peaks {
    /// Bytes read and written by a copy on the device.
    pub bytes: f64,
    /// Operations on `float`, two for each multiply-add.
    pub float: f64,
    /// The same on `double`.
    pub double: f64,
}

/// Measures them.
pub fn measure(device: &Device, root: &Path, plan: &Plan, small: bool) -> Result<Peaks, String> {
    let program = program(device, root)?;
    let program = program.as_deref();
    Ok(Peaks {
        bytes: copy(device, program, plan, small)?,
        float: operations(device, program, "fma_float", 4, plan)?,
        double: operations(device, program, "fma_double", 8, plan)?,
    })
}

fn program(device: &Device, root: &Path) -> Result<Option<Arc<dyn Program>>, String> {
    let folder = root.join("benches/work");
    let (names, backend): (&[&str], _) = match device.backend().name.as_str() {
        "cuda" | "hip" => (&["peaks/hand.cu"], "cuda"),
        "opencl" => (&["peaks/hand.cl"], "opencl"),
        "openmp" => (&["launch.hpp", "peaks/hand.cpp"], "openmp"),
        _ => return Ok(None),
    };
    let mut text = String::new();
    for name in names {
        let path = folder.join(name);
        text += &std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    let wrong = |e: brook_driver::Error| {
        format!(
            "peaks of {backend}: {e} {}",
            e.log.clone().unwrap_or_default()
        )
    };
    let driver = device.driver();
    let binary = driver
        .compile(&text, &CompileOptions::default())
        .map_err(wrong)?;
    driver.load(&binary).map(Some).map_err(wrong)
}

/// The best of the copies that the device has.
fn copy(
    device: &Device,
    program: Option<&dyn Program>,
    plan: &Plan,
    small: bool,
) -> Result<f64, String> {
    let bytes: usize = match (device.info().kind, small) {
        (_, true) => 1 << 20,
        (DeviceKind::Cpu, _) => 1 << 28,
        _ => 1 << 30,
    };
    let text = |e: brook::runtime::Error| e.to_string();
    let from = device.zeros::<u8>(bytes).map_err(text)?;
    let to = device.zeros::<u8>(bytes).map_err(text)?;
    let queue = device.default_queue().map_err(text)?;
    let (from, to, queue) = (&from, &to, &queue);
    let count = ((bytes / 8) as i32).to_le_bytes();
    let form = |name: &str, launch| Form {
        name: name.to_string(),
        by_hand: true,
        launch,
    };
    let mut forms = vec![form(
        "copy",
        Box::new(move || queue.copy(from, to).map_err(text)),
    )];
    for name in ["copy_memcpy", "copy_loop"] {
        let kernel = program.and_then(|p| p.kernel(name).ok());
        if let Some(kernel) = kernel {
            let arguments = [
                Argument::Value(&count),
                Argument::Buffer(from.buffer()),
                Argument::Buffer(to.buffer()),
            ];
            let launch = move || {
                kernel
                    .launch([1; 3], [1; 3], &arguments)
                    .map_err(|e| e.to_string())
            };
            forms.push(form(name, Box::new(launch)));
        }
    }
    let samples = Samples::take(device, &mut forms, plan)?;
    let best = (0..forms.len()).map(|form| samples.least(form));
    Ok(2.0 * bytes as f64 / best.fold(f64::INFINITY, f64::min))
}

fn operations(
    device: &Device,
    program: Option<&dyn Program>,
    name: &str,
    size: usize,
    plan: &Plan,
) -> Result<f64, String> {
    let Some(kernel) = program.and_then(|p| p.kernel(name).ok()) else {
        return Ok(0.0);
    };
    let (groups, rounds) = match device.info().kind {
        DeviceKind::Gpu => (4096usize, 256i32),
        _ => (64, 20_000),
    };
    let text = |e: brook::runtime::Error| e.to_string();
    let result = device
        .zeros::<u8>((groups * 256).max(4096) * size)
        .map_err(text)?;
    let value = rounds.to_le_bytes();
    let buffer = &result;
    let launch = || {
        let arguments = [Argument::Value(&value), Argument::Buffer(buffer.buffer())];
        let launched = kernel.launch([groups as u64, 1, 1], [256, 1, 1], &arguments);
        launched.map_err(|e| e.to_string())
    };
    let mut forms = [Form {
        name: name.to_string(),
        by_hand: true,
        launch: Box::new(launch),
    }];
    let samples = Samples::take(device, &mut forms, plan)?;
    drop(forms);
    // Multiply-adds of one round, all threads together.
    let chains = match device.backend().name.as_str() {
        // The kernel says how many threads it had.
        "openmp" => {
            let bytes = result.to_vec().map_err(text)?;
            let last = &bytes[4095 * size..][..size];
            match size {
                4 => f32::from_le_bytes(last.try_into().unwrap_or_default()).into(),
                _ => f64::from_le_bytes(last.try_into().unwrap_or_default()),
            }
        }
        _ => 64.0 * 256.0 * groups as f64,
    };
    Ok(2.0 * chains * f64::from(rounds) / samples.least(0))
}
