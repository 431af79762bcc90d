//! Test devices: generated source runs where its hardware is missing.
//!
//! - `emulated-cuda`, `emulated-hip`: CUDA and HIP source compiled by the system's C++ compiler with
//!   `simt.hpp`, which gives every item of a group a fiber of its own.
//! - `emulated-metal`: Metal source compiled by clang as C++ for OpenCL, which has Metal's address spaces, with the same fibers.
//! - `emulated-sycl`: SYCL whose kernels are lambdas, with a stand-in for SYCL's header and the same fibers.
//! - `hip-on-cuda`: HIP source compiled by NVRTC with a thin shim, on a real NVIDIA GPU.
//!
//! Each emulated driver has three devices, which run the items of a group in different orders:
//! `:0` forward, `:1` reversed, `:2` at random. A barrier that is missing shows in at least one of
//! them. `BROOK_EMULATION_ORDER` (`forward`, `reversed`, `random:SEED`) sets the order of `:0`.
//!
//! They say that they are GPUs of three architectures, and take what is compiled ahead of time as those do: `sm_90`, `sm_86`
//! and `sm_80`; `gfx942`, `gfx90a` and `gfx1100`. What is compiled ahead knows its architecture by the macro
//! `BROOK_EMULATED`, a number: 90 for `sm_90` and `compute_90`, 0x942 for `gfx942`.
//!
//! - `compiler`: source to a shared object
//! - `metal`: what Metal source needs besides
//! - `kernels`: the names of the kernels in a source
//! - `device`: memory, programs, launches
//! - `hip_on_cuda`: the wrapper around CUDA's driver

mod compiler;
mod device;
mod headers;
mod hip_on_cuda;
mod kernels;
mod metal;

pub use hip_on_cuda::HipOnCuda;

use brook_driver::{
    CompileOptions, Device, DeviceInfo, DeviceKind, Driver, Error, Image, ImageKind, Limits, Result,
};
use compiler::Compiler;
use device::{Emulated, Order};
use std::sync::{Arc, OnceLock};

/// Whose source is emulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// CUDA: a warp has 32 lanes.
    Cuda,
    /// HIP: a wave has 64 lanes.
    Hip,
    /// Metal: by clang, whose C++ for OpenCL has address spaces.
    Metal,
    /// SYCL whose kernels are lambdas.
    Sycl,
}

/// A driver whose devices are the processor in disguise.
pub struct Emulation {
    dialect: Dialect,
    found: OnceLock<Result<Compiler>>,
}

impl Emulation {
    /// `emulated-cuda`.
    pub fn cuda() -> Self {
        Self {
            dialect: Dialect::Cuda,
            found: OnceLock::new(),
        }
    }

    /// `emulated-hip`.
    pub fn hip() -> Self {
        Self {
            dialect: Dialect::Hip,
            found: OnceLock::new(),
        }
    }

    /// `emulated-metal`.
    pub fn metal() -> Self {
        Self {
            dialect: Dialect::Metal,
            found: OnceLock::new(),
        }
    }

    /// `emulated-sycl`.
    pub fn sycl() -> Self {
        Self {
            dialect: Dialect::Sycl,
            found: OnceLock::new(),
        }
    }

    fn compiler(&self) -> Result<&Compiler> {
        self.found
            .get_or_init(|| Compiler::find(self.dialect))
            .as_ref()
            .map_err(Clone::clone)
    }
}

impl Driver for Emulation {
    fn backend(&self) -> &'static str {
        match self.dialect {
            Dialect::Cuda => "emulated-cuda",
            Dialect::Hip => "emulated-hip",
            Dialect::Metal => "emulated-metal",
            Dialect::Sycl => "emulated-sycl",
        }
    }

    fn devices(&self) -> Result<Vec<DeviceInfo>> {
        let compiler = self.compiler()?;
        let orders = Order::of_devices()?;
        Ok(orders
            .iter()
            .enumerate()
            .map(|(ordinal, order)| describe(self.dialect, ordinal, *order, compiler))
            .collect())
    }

    fn open(&self, ordinal: usize) -> Result<Arc<dyn Device>> {
        let compiler = self.compiler()?;
        let orders = Order::of_devices()?;
        let Some(order) = orders.get(ordinal) else {
            return Err(Error::invalid(format!(
                "there is no {0}:{ordinal}; the last device is {0}:{1}",
                self.backend(),
                orders.len() - 1
            )));
        };
        let info = describe(self.dialect, ordinal, *order, compiler);
        Ok(Arc::new(Emulated::new(
            self.dialect,
            *order,
            compiler.clone(),
            info,
        )))
    }

    fn compile_ahead(
        &self,
        architecture: &str,
        source: &str,
        options: &CompileOptions,
    ) -> Result<Image> {
        let known = |prefix: &str| architecture.strip_prefix(prefix);
        let (format, number) = match self.dialect {
            Dialect::Metal | Dialect::Sycl => {
                return Err(Error::invalid("this source is compiled where it runs"));
            }
            Dialect::Cuda => match (known("sm_"), known("compute_")) {
                (Some(number), _) => ("cubin", number.to_string()),
                (None, number) => ("ptx", number.unwrap_or_default().to_string()),
            },
            Dialect::Hip => {
                let number = known("gfx").unwrap_or_default().split(':').next();
                ("code object", format!("0x{}", number.unwrap_or_default()))
            }
        };
        let mut options = options.clone();
        options.flags.push(format!("-DBROOK_EMULATED={number}"));
        let compiler = self.compiler()?;
        Ok(Image {
            kind: ImageKind::new(format, architecture),
            bytes: compiler.compile(source, self.dialect, &options)?,
            compiler: compiler.description(),
        })
    }
}

/// What its devices say that they are.
fn architectures(dialect: Dialect) -> [&'static str; 3] {
    match dialect {
        Dialect::Cuda => ["sm_90", "sm_86", "sm_80"],
        Dialect::Hip => ["gfx942", "gfx90a", "gfx1100"],
        Dialect::Metal => ["apple9", "apple8", "apple7"],
        Dialect::Sycl => ["", "", ""],
    }
}

fn describe(dialect: Dialect, ordinal: usize, order: Order, compiler: &Compiler) -> DeviceInfo {
    let language = match dialect {
        Dialect::Cuda => "CUDA",
        Dialect::Hip => "HIP",
        Dialect::Metal => "Metal",
        Dialect::Sycl => "SYCL",
    };
    DeviceInfo {
        name: format!("emulated {language} device, items {order}"),
        // Not a GPU: automatic choice of a device must never end up here.
        kind: DeviceKind::Cpu,
        units: 2,
        memory: None,
        architecture: architectures(dialect)[ordinal].to_string(),
        compiler: Ok(compiler.description()),
        // What CUDA promises on every device, so that a launch too large for one fails here, too.
        limits: Limits {
            threads_per_group: 1024,
            group: [1024, 1024, 64],
            grid: [(1 << 31) - 1, 65535, 65535],
            shared_memory: 48 << 10,
        },
    }
}
