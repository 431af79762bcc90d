//! The functions of the generated source that are launched, and what they take.

use super::Dtype;
use crate::expr::Scalar;
use crate::module::{Kernel, ParameterKind, offset_name};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A function of the generated source that is launched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DeviceKernel {
    /// Its arguments in order.
    pub arguments: Vec<ArgumentMetadata>,
    /// Its name in the generated source.
    pub name: String,
}

/// What the text around such a function may want to know.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// What its head says of its groups' size.
    pub bounds: String,
    /// The bytes of each variable that it has in group memory, as C++ computes them.
    pub group_memory: Vec<String>,
}

/// One argument.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ArgumentMetadata {
    /// Declared `const`, or passed by value.
    #[serde(rename = "const")]
    pub constant: bool,
    /// Its type.
    pub dtype: Dtype,
    /// Its name.
    pub name: Cow<'static, str>,
    /// A pointer.
    pub ptr: bool,
}

/// Arguments of a device kernel that takes a kernel's parameters and host variables; `offsets` says that pointers are
/// buffers and offsets.
pub(crate) fn arguments(
    kernel: &Kernel,
    extra: &[(String, Scalar)],
    offsets: bool,
) -> Vec<ArgumentMetadata> {
    let own = kernel.parameters.iter().flat_map(|p| {
        let ptr = matches!(p.kind, ParameterKind::Pointer(_));
        let own = ArgumentMetadata {
            constant: p.constant,
            dtype: dtype(&p.type_name, p.scalar),
            name: p.name.clone().into(),
            ptr,
        };
        let offset = (offsets && ptr).then(|| ArgumentMetadata {
            constant: true,
            dtype: Dtype::builtin(Scalar::ULong.c_name()),
            name: offset_name(&p.name).into(),
            ptr: false,
        });
        std::iter::once(own).chain(offset)
    });
    let extra = extra.iter().map(|(name, scalar)| ArgumentMetadata {
        constant: true,
        dtype: Dtype::builtin(scalar.c_name()),
        name: name.clone().into(),
        ptr: false,
    });
    own.chain(extra).collect()
}

/// A type by its name, or by the scalar that it is.
fn dtype(name: &str, scalar: Option<Scalar>) -> Dtype {
    match scalar {
        // A typedef's name means nothing to whoever reads this.
        Some(scalar) => match Scalar::from_words(name.split_ascii_whitespace()) {
            Some(_) => Dtype::builtin(name.to_string()),
            None => Dtype::builtin(scalar.c_name()),
        },
        None => Dtype::custom(name.to_string(), 0),
    }
}
