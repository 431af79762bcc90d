//! DLPack's structures (version 1, and those before it), and its types of elements.

use brook::expr::Scalar;
use brook::runtime::ElementKind;
use std::ffi::{CStr, c_void};

pub(crate) const PLAIN: &CStr = c"dltensor";
pub(crate) const VERSIONED: &CStr = c"dltensor_versioned";
/// Nobody may write it.
pub(crate) const READ_ONLY: u64 = 1;
/// It is a copy, which nobody else has.
pub(crate) const COPIED: u64 = 2;

pub(crate) const CPU: i32 = 1;
pub(crate) const CUDA: i32 = 2;
pub(crate) const CUDA_HOST: i32 = 3;
pub(crate) const OPENCL: i32 = 4;
pub(crate) const ROCM: i32 = 10;
pub(crate) const CUDA_MANAGED: i32 = 13;

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Device {
    pub(crate) kind: i32,
    pub(crate) ordinal: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct DataType {
    pub(crate) code: u8,
    pub(crate) bits: u8,
    pub(crate) lanes: u16,
}

#[repr(C)]
pub(crate) struct Tensor {
    pub(crate) data: *mut c_void,
    pub(crate) device: Device,
    pub(crate) rank: i32,
    pub(crate) element: DataType,
    pub(crate) shape: *mut i64,
    pub(crate) strides: *mut i64,
    pub(crate) offset: u64,
}

#[repr(C)]
pub(crate) struct Managed {
    pub(crate) tensor: Tensor,
    pub(crate) context: *mut c_void,
    pub(crate) deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Version {
    pub(crate) major: u32,
    pub(crate) minor: u32,
}

#[repr(C)]
pub(crate) struct ManagedVersioned {
    pub(crate) version: Version,
    pub(crate) context: *mut c_void,
    pub(crate) deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    pub(crate) flags: u64,
    pub(crate) tensor: Tensor,
}

impl DataType {
    /// Numbers of ours; nothing of structures.
    pub(crate) fn of(kind: ElementKind) -> Option<Self> {
        let (code, bits) = match kind {
            ElementKind::Numbers(Scalar::Bool, 1) => (6, 8),
            ElementKind::Numbers(scalar @ (Scalar::Float | Scalar::Double), 2) => {
                (5, scalar.size() * 16)
            }
            ElementKind::Numbers(scalar, 1) => {
                let code = match crate::element::letter(scalar) {
                    'f' => 2,
                    'u' => 1,
                    _ => 0,
                };
                (code, scalar.size() * 8)
            }
            _ => return None,
        };
        Some(Self {
            code,
            bits: bits as u8,
            lanes: 1,
        })
    }

    /// The number of ours, if it is one. Complex numbers are two side by side.
    pub(crate) fn number(self) -> Option<(Scalar, usize)> {
        let size = usize::from(self.bits) / 8;
        if !self.bits.is_multiple_of(8) {
            return None;
        }
        Some(match self.code {
            0 => (crate::element::scalar(b'i', size)?, 1),
            1 => (crate::element::scalar(b'u', size)?, 1),
            2 => (crate::element::scalar(b'f', size)?, 1),
            5 => (crate::element::scalar(b'f', size / 2)?, 2),
            6 => (crate::element::scalar(b'b', size)?, 1),
            _ => return None,
        })
    }

    /// What its code and bits are called.
    pub(crate) fn describe(self) -> String {
        let name = match self.code {
            0 => "int",
            1 => "uint",
            2 => "float",
            4 => "bfloat",
            5 => "complex",
            6 => "bool",
            _ => "type ",
        };
        format!("{name}{}", self.bits)
    }
}
