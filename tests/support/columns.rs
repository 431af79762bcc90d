//! Devices that tests run on.

use super::need::{Need, say};
use brook::Choices;
use brook::runtime::{self, DeviceEntry, DeviceKind};

/// Where cases run: one column of the table of results.
#[derive(Clone)]
pub struct Column {
    /// What is needed.
    pub need: Need,
    /// More than one where they differ in how they run the same binary.
    pub devices: Vec<String>,
    /// What their compiler is told besides.
    pub flags: &'static [&'static str],
}

impl Column {
    /// How items share out work, where that is not left to the translator: as tuning might have it, with as many elements at once as
    /// there can be, and a number of iterations that divides nothing. Left alone, processors would take one element an item.
    pub fn choices(&self) -> Option<Choices> {
        (self.need.name == "opencl").then_some(Choices {
            elements: Some(16),
            coarsen: Some(3),
            groups: None,
        })
    }

    /// Whether its devices are sets, between which streams of Brook+ are shared out.
    pub fn is_set(&self) -> bool {
        self.need.name.ends_with("-set")
    }

    /// Whether a case runs here: where the width of warps is all that differs, those that can see it; where NVRTC
    /// stands in for a compiler of HIP, those that it does not take for something else.
    pub fn takes(&self, name: &str, source: &str) -> bool {
        let groups = ["work_group_", "okl_shfl_"];
        // What kernels as lambdas and those as free functions, which SYCL's own column runs, have from different places.
        let lambdas = ["@shared", "shared ", "reduce ", "barrier", "syncGroup"];
        let speaks = |words: &[&str]| words.iter().any(|w| source.contains(w));
        let shows = match self.need.name {
            "emulated-sycl" => speaks(&groups) || speaks(&lambdas),
            _ => self.flags.is_empty() || speaks(&groups),
        };
        shows && self.limits().all(|(case, _)| case != name)
    }

    /// Says which cases are left out.
    pub fn announce(&self) {
        self.need.announce();
        if self.need.missing.is_none() {
            for (case, reason) in self.limits() {
                say(&format!("left out on {}: {case}: {reason}", self.need.name));
            }
        }
    }

    /// Cases that are left out here, and why.
    fn limits(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let own = self.need.name;
        let here = LIMITS.iter().filter(move |(column, ..)| *column == own);
        here.map(|(_, case, reason)| (*case, *reason))
    }
}

/// Names the device of a process that `mpirun` has started to run tests together with others; those of one column.
pub const RANKS: &str = "BROOK_TEST_RANKS";

/// Cases that show nothing in a column where another compiler stands in for the target's, and those that a fault of a compiler
/// fails which nothing keeps away; and why.
const LIMITS: [(&str, &str, &str); 11] = [
    (
        "emulated-sycl",
        "kernel_own_types",
        "lambdas have to know how much group memory there is, and cannot ask a type of the kernel's own",
    ),
    (
        "sycl",
        "helpers",
        "Intel's runtime for processors adds up floats in another order where fewer items are left than run together",
    ),
    (
        "hip-on-cuda",
        "joined_reads",
        "NVRTC joins reads that compilers of HIP keep apart",
    ),
    (
        "hip-on-cuda",
        "exchanged_elements",
        "to NVRTC a barrier leaves restrict memory as it is",
    ),
    (
        "hip-on-cuda",
        "negatives_of_shorts",
        "NVIDIA's assembler negates 16 bits as 32",
    ),
    (
        "hip-on-cuda",
        "shared_more_than_48_kib",
        "of NVIDIA's compilers a kernel has at most 48 KiB of static memory",
    ),
    (
        "emulated-metal",
        "collective_half",
        "clang has no arithmetic of half for processors there",
    ),
    (
        "emulated-metal",
        "fragments_half_type",
        "clang has no arithmetic of half for processors there",
    ),
    (
        "emulated-metal",
        "struct_definitions",
        "C++ for OpenCL copies no structures from constant memory",
    ),
    (
        "emulated-metal",
        "names_of_keywords",
        "C++ for OpenCL has words of its own",
    ),
    (
        "emulated-metal",
        "pointers_to_rows_of",
        "what makes a vector is a macro there, which takes 'float2 (*p)[2]' for a call",
    ),
];

/// Whether SYCL's column is there: it runs in a process of its own, since a process has one loader of OpenCL, and Intel's runtime
/// would stand in front of the one that OpenCL's column is for.
pub fn has_sycl() -> bool {
    super::toolchains::sycl().is_some() || super::toolchains::sycl_compiler()
}

/// Whether DPC++'s runtime is there, which launchers are compiled for.
pub fn has_sycl_runtime() -> bool {
    super::toolchains::sycl().is_some()
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
            flags: &[],
        }
    };
    let any = |_| true;
    let mut columns = vec![
        one("openmp", false, "openmp", &any),
        one("opencl", false, "opencl", &|kind| kind != DeviceKind::Gpu),
        one("emulated-cuda", false, "emulated-cuda", &any),
        one("emulated-hip", false, "emulated-hip", &any),
        one("emulated-metal", false, "emulated-metal", &any),
        one("emulated-sycl", false, "emulated-sycl", &any),
        one("cuda", true, "cuda", &any),
        one("opencl-gpu", true, "opencl", &|kind| {
            kind == DeviceKind::Gpu
        }),
        one("hip-on-cuda", true, "hip-on-cuda", &any),
        one("hip", true, "hip", &any),
    ];
    if has_sycl() {
        columns.push(one("sycl", false, "sycl", &any));
    } else {
        say(
            "left out: all tests of sycl: BROOK_SYCL is not set; scripts/test runs them by themselves",
        );
    }
    let sets = [("openmp-set", "openmp"), ("opencl-set", "opencl")];
    let gpus = [
        ("cuda-set", "cuda"),
        ("opencl-gpu-set", "opencl-gpu"),
        ("hip-set", "hip"),
    ];
    for (name, of) in sets.into_iter().chain(gpus) {
        let of = columns.iter().find(|column| column.need.name == of);
        let set = of.cloned().map(|column| Column {
            need: Need {
                name,
                ..column.need
            },
            devices: sets_of(&column.devices),
            ..column
        });
        columns.extend(set);
    }
    // Processes that are to open one set together are started by a test, which says so.
    if let Ok(device) = std::env::var(RANKS) {
        columns = vec![Column {
            need: Need::new("ranks-set", &Ok(())),
            devices: vec![device],
            flags: &[],
        }];
    }
    for column in &mut columns {
        // The emulated devices of a driver differ in their order, and so do sets; of others the first is enough.
        let name = column.need.name;
        if !name.starts_with("emulated") && !name.ends_with("-set") {
            column.devices.truncate(1);
        }
    }
    columns
}

/// Two, three and four parts, of as many devices as there are.
fn sets_of(devices: &[String]) -> Vec<String> {
    if devices.is_empty() {
        return Vec::new();
    }
    let of = |parts| devices.iter().map(String::as_str).cycle().take(parts);
    { [2, 3, 4].into_iter() }
        .map(|parts| of(parts).collect::<Vec<_>>().join(","))
        .collect()
}

/// The same, and HIP once more with the other width that waves have: 64 lanes are the emulation's usual.
pub fn columns_and_warps() -> Vec<Column> {
    let mut columns = columns();
    let hip = columns.iter().find(|c| c.need.name == "emulated-hip");
    let narrow = hip.cloned().map(|hip| Column {
        need: Need {
            name: "emulated-hip-32",
            ..hip.need
        },
        flags: &["-DBROOK_WARP=32"],
        ..hip
    });
    columns.extend(narrow);
    columns
}

/// The devices of a driver that can compile.
fn find(
    entries: &[DeviceEntry],
    driver: &str,
    wanted: &dyn Fn(DeviceKind) -> bool,
) -> Result<Vec<String>, String> {
    let mut reason = match driver {
        "emulated-cuda" | "emulated-hip" | "emulated-metal" | "emulated-sycl" | "hip-on-cuda" => {
            "built without the feature 'emulation'"
        }
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
