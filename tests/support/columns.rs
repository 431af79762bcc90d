//! Devices that tests run on.

use super::need::Need;
use brook::runtime::{self, DeviceEntry, DeviceKind};

/// Where cases run: one column of the table of results.
#[derive(Clone)]
pub struct Column {
    /// What is needed.
    pub need: Need,
    /// More than one where they differ in how they run the same binary.
    pub devices: Vec<String>,
}

/// All columns there are, those whose devices are missing too.
pub fn columns() -> Vec<Column> {
    let entries = runtime::list();
    let one = |name, gpu, driver: &str, wanted: &dyn Fn(DeviceKind) -> bool| {
        let found = find(&entries, driver, wanted);
        let need = Need {
            gpu,
            ..Need::new(name, &found)
        };
        Column {
            need,
            devices: found.unwrap_or_default(),
        }
    };
    let any = |_| true;
    let mut columns = vec![
        one("openmp", false, "openmp", &any),
        one("opencl", false, "opencl", &|kind| kind != DeviceKind::Gpu),
        one("emulated-cuda", false, "emulated-cuda", &any),
        one("emulated-hip", false, "emulated-hip", &any),
        one("cuda", true, "cuda", &any),
        one("opencl-gpu", true, "opencl", &|kind| {
            kind == DeviceKind::Gpu
        }),
        one("hip-on-cuda", true, "hip-on-cuda", &any),
        one("hip", true, "hip", &any),
    ];
    for column in &mut columns {
        // The emulated devices of a driver differ in their order; of others the first is enough.
        if !column.need.name.starts_with("emulated") {
            column.devices.truncate(1);
        }
    }
    columns
}

/// The devices of a driver that can compile.
fn find(
    entries: &[DeviceEntry],
    driver: &str,
    wanted: &dyn Fn(DeviceKind) -> bool,
) -> Result<Vec<String>, String> {
    let mut reason = match driver {
        "emulated-cuda" | "emulated-hip" | "hip-on-cuda" => "built without the feature 'emulation'",
        _ => "no such device",
    }
    .to_string();
    let mut names = Vec::new();
    for entry in entries
        .iter()
        .filter(|e| e.name.split(':').next() == Some(driver))
    {
        match &entry.info {
            Ok(info) if !wanted(info.kind) => {}
            Ok(info) => match &info.compiler {
                Ok(_) => names.push(entry.name.clone()),
                Err(why) => reason.clone_from(why),
            },
            Err(why) => reason.clone_from(why),
        }
    }
    if names.is_empty() {
        Err(reason)
    } else {
        Ok(names)
    }
}
