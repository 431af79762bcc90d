//! Which devices the processes of a job have.

use super::super::{Device, DeviceEntry, Error, Result, drivers, lock};
use super::elsewhere::ElsewhereDevice;
use super::{Ranks, Seat};
use brook_driver::{DeviceInfo, DeviceKind, Limits};
use brook_mpi::Communicator;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What stands before the names of each process's own devices.
const PROCESSES: &str = "mpi";

/// The devices that each process adds to the set of all, by the name of that: `cuda` in `mpi/cuda`; empty where it is the best
/// that there is. `None` of the names of other sets.
pub(in super::super) fn own_name(name: &str) -> Option<&str> {
    match name.strip_prefix(PROCESSES)? {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    }
}

/// Whether a name stands for devices of several processes.
pub fn is_over_processes(name: &str) -> bool {
    own_name(name.trim()).is_some()
}

/// What decides what a process does next, and so is the same in all.
const SETTINGS: [&str; 9] = [
    "BROOK_SPREAD_BYTES",
    "BROOK_FUSION",
    "BROOK_TUNED",
    "BROOK_SANITIZE",
    "BROOK_SANITIZE_CLAMPED",
    "BROOK_SANITIZE_JSON",
    "BROOK_COMPILER_FLAGS",
    "BROOK_STD",
    "BROOK_DEBUG",
];

/// What a process tells the others.
#[derive(Serialize, Deserialize)]
struct Told {
    /// Its devices, or why it has none.
    devices: std::result::Result<Vec<Described>, String>,
    settings: Vec<Option<String>>,
}

impl Told {
    /// What of the settings is another than what another process has.
    fn differs(&self, first: &Self) -> Option<String> {
        let pairs = self.settings.iter().zip(&first.settings);
        let (name, (own, other)) = SETTINGS.iter().zip(pairs).find(|(_, (a, b))| a != b)?;
        let said =
            |value: &Option<String>| value.clone().map_or("nothing".into(), |v| format!("'{v}'"));
        Some(format!(
            "{name} is {}, and {} in rank 0: all processes need the same (mpirun -x {name} or -genv)",
            said(own),
            said(other)
        ))
    }
}

/// A device of a process.
#[derive(Serialize, Deserialize)]
struct Described {
    device: String,
    driver: String,
    name: String,
    gpu: bool,
    units: u32,
    memory: Option<u64>,
    architecture: String,
    threads_per_group: u32,
    group: [u32; 3],
    grid: [u64; 3],
    shared_memory: u64,
}

impl Described {
    fn of(device: &Device) -> Self {
        let info = device.info();
        Self {
            device: device.name().to_string(),
            driver: device.driver_name().to_string(),
            name: info.name.clone(),
            gpu: info.kind == DeviceKind::Gpu,
            units: info.units,
            memory: info.memory,
            architecture: info.architecture.clone(),
            threads_per_group: info.limits.threads_per_group,
            group: info.limits.group,
            grid: info.limits.grid,
            shared_memory: info.limits.shared_memory,
        }
    }

    /// The other process's device, seen from here.
    fn info(self, like: &DeviceInfo) -> DeviceInfo {
        DeviceInfo {
            name: self.name,
            kind: match self.gpu {
                true => DeviceKind::Gpu,
                false => like.kind,
            },
            units: self.units,
            memory: self.memory,
            architecture: self.architecture,
            compiler: like.compiler.clone(),
            limits: Limits {
                threads_per_group: self.threads_per_group,
                group: self.group,
                grid: self.grid,
                shared_memory: self.shared_memory,
            },
        }
    }
}

/// The set of the devices of all processes, by its name. All processes call this at once.
pub(in super::super) fn open(name: &str, own: &str) -> Result<Device> {
    let ranks = Ranks::world()?;
    let mut open = lock(&ranks.sets);
    if let Some(device) = open.iter().find(|device| device.name() == name) {
        return Ok(device.clone());
    }
    let device = open_anew(ranks, name, own)?;
    open.push(device.clone());
    Ok(device)
}

fn open_anew(ranks: &Arc<Ranks>, name: &str, own: &str) -> Result<Device> {
    let communicator = ranks.communicator();
    let opened = own_devices(own, communicator.local_rank(), communicator.local_size());
    let devices = opened.as_ref();
    let told = Told {
        devices: devices
            .map(|devices| devices.iter().map(Described::of).collect())
            .map_err(ToString::to_string),
        settings: SETTINGS.map(|name| std::env::var(name).ok()).into(),
    };
    let text = serde_json::to_vec(&told).unwrap_or_default();
    let mut told: Vec<Told> = Vec::new();
    for rank in 0..communicator.size() {
        let text = communicator.broadcast_any(text.clone(), rank)?;
        let damaged = |e: serde_json::Error| Error::NoDevice(format!("rank {rank}: {e}"));
        told.push(serde_json::from_slice(&text).map_err(damaged)?);
    }
    let mut all = Vec::new();
    for (rank, of_it) in told.iter().enumerate() {
        if let Some(differs) = of_it.differs(&told[0]) {
            return Err(Error::NoDevice(format!("rank {rank}: {differs}")));
        }
    }
    for (rank, told) in told.into_iter().enumerate() {
        let failed = |reason| Error::NoDevice(format!("rank {rank}: {reason}"));
        all.push(told.devices.map_err(failed)?);
    }
    let devices = opened?;
    let first = devices.first().cloned();
    let like = first.ok_or_else(|| Error::NoDevice("this process has no device".to_string()))?;
    let mut own = devices.into_iter();
    let mut parts = Vec::new();
    for (rank, told) in all.into_iter().enumerate() {
        for described in told {
            let part = format!("{}@{rank}", described.device);
            let seat = Seat {
                ranks: Arc::clone(ranks),
                rank,
            };
            if described.driver != like.driver_name() {
                return Err(Error::NoDevice(format!(
                    "rank {rank} has {part} and rank {} has {}: the devices of a set take the same kernels, so they are of one \
                     driver",
                    ranks.rank(),
                    like.name()
                )));
            }
            let device: Arc<dyn brook_driver::Device> = match seat.is_elsewhere() {
                true => {
                    let info = described.info(like.info());
                    Arc::new(ElsewhereDevice::new(info, like.shared_driver()))
                }
                false => match own.next() {
                    Some(device) => device.shared_driver(),
                    None => continue,
                },
            };
            parts.push(like.seated(part, device, seat));
        }
    }
    Device::set_of_parts(name.to_string(), parts.into())
}

/// What this process has, being one of so many on its machine.
fn own_devices(own: &str, local: usize, locals: usize) -> Result<Vec<Device>> {
    if own.split(',').any(is_over_processes) {
        return Err(Error::NoDevice(format!(
            "'{own}' names devices of several processes; '{PROCESSES}/' stands once, before all names of each process's own"
        )));
    }
    let names = match own {
        "" => shared_out(&Device::open_best()?, local),
        listed => match drivers::names(listed)? {
            // All that there are are shared out between the processes of the machine.
            Some(names) if drivers::all_of(listed).is_some() => {
                let mine = |(number, _): &(usize, String)| number % locals == local % names.len();
                let mine = names.iter().cloned().enumerate().filter(mine);
                mine.map(|(_, name)| name).collect()
            }
            Some(names) => names,
            None if listed.contains(':') => vec![listed.to_string()],
            None => shared_out(&Device::open(listed)?, local),
        },
    };
    names.iter().map(|name| Device::open(name)).collect()
}

impl Device {
    /// The device that this process takes of those of its machine, by its number among the processes there: `cuda` is the GPU of that
    /// number, round and round where there are fewer; a name with a number, or of several devices, is taken as it is; empty is of the best kind
    /// that there is.
    ///
    /// # Errors
    /// As of [`Device::open`].
    pub fn open_local(name: &str, communicator: &Communicator) -> Result<Self> {
        let (local, locals) = (communicator.local_rank(), communicator.local_size());
        let mut own = own_devices(name, local, locals)?;
        match own.len() {
            1 => Ok(own.remove(0)),
            _ => Self::open(&own.iter().map(Self::name).collect::<Vec<_>>().join(",")),
        }
    }
}

/// The device of the same driver that a process takes by its number on the machine.
fn shared_out(device: &Device, local: usize) -> Vec<String> {
    let all = drivers::list_of(device.driver_name()).into_iter();
    let alike = |entry: &DeviceEntry| {
        let info = entry.info.as_ref();
        info.is_ok_and(|info| info.architecture == device.info().architecture)
    };
    let all: Vec<String> = all.filter(alike).map(|entry| entry.name).collect();
    match all.get(local % all.len().max(1)) {
        Some(name) => vec![name.clone()],
        None => vec![device.name().to_string()],
    }
}
