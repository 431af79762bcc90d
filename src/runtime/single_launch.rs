//! Launches of kernels whose host's part is a launch and nothing else: most of them. What does not depend on the
//! arguments is worked out once.

use super::argument::{KernelArgument, bind, check_count};
use super::launch::{Bound, extent_of, from_bytes, to_bytes, with_offset};
use super::{Device, Result};
use crate::expr::{EvaluateError, Expr, Scalar, Scope, Value, constant, evaluate_in, root_name};
use crate::module::Statement;
use crate::render::{Form, KernelMetadata, ParameterMetadata};
use brook_driver::Argument;

/// Most parameters of such a kernel.
const MOST: usize = 8;

/// A launch that is worked out as far as can be.
pub(super) struct Direct {
    /// Which of the kernel's device functions.
    pub(super) function: usize,
    groups: [Extent; 3],
    items: [u32; 3],
    /// Most groups along each axis.
    most: [u64; 3],
    /// For each argument of the device function, which parameter it is.
    order: Vec<usize>,
    /// Whether buffers are followed by offsets.
    offsets: bool,
}

enum Extent {
    Known(u64),
    Computed(Expr),
}

/// Groups, items and arguments.
type Sink<'s> = dyn FnMut([u64; 3], [u32; 3], &[Argument<'_>]) -> Result<()> + 's;

impl Direct {
    /// `None` where the kernel needs more than that, or could not be launched.
    pub(super) fn new(
        metadata: &KernelMetadata,
        device: &Device,
        function: impl Fn(&str) -> Option<usize>,
    ) -> Option<Self> {
        let [Statement::Launch(launch)] = metadata.host.as_slice() else {
            return None;
        };
        let parameters = &metadata.parameters;
        let plain = launch.bases.is_empty() && metadata.form == Form::Okl;
        if !plain || parameters.len() > MOST || launch.arguments.len() > MOST {
            return None;
        }
        let limits = &device.info().limits;
        let mut items = [0; 3];
        let mut product = 1u64;
        for (axis, (to, from)) in items.iter_mut().zip(&launch.items).enumerate() {
            let n = u32::try_from(constant(from)?).ok().filter(|n| *n > 0)?;
            product *= u64::from(n);
            *to = n;
            if n > limits.group[axis] {
                return None;
            }
        }
        let most = match launch.most_items {
            0 => u64::from(limits.threads_per_group),
            kernels => kernels.min(limits.threads_per_group.into()),
        };
        if product > most {
            return None;
        }
        let extent = |e: &Expr| match constant(e).map(u64::try_from) {
            Some(Ok(n)) if n > 0 => Some(Extent::Known(n)),
            Some(_) => None,
            None => Some(Extent::Computed(e.clone())),
        };
        let [x, y, z] = &launch.groups;
        let place = |name: &String| parameters.iter().position(|p| p.name == *name);
        Some(Self {
            function: function(&launch.kernel)?,
            groups: [extent(x)?, extent(y)?, extent(z)?],
            items,
            most: limits.grid,
            order: launch.arguments.iter().map(place).collect::<Option<_>>()?,
            offsets: launch.offsets,
        })
    }

    /// Checks the arguments and launches; `false` if the launch is better worked out from the beginning, which
    /// says what is wrong with it.
    pub(super) fn launch(
        &self,
        metadata: &KernelMetadata,
        device: &Device,
        arguments: &[KernelArgument<'_>],
        sink: &mut Sink<'_>,
    ) -> Result<bool> {
        check_count(metadata, arguments.len())?;
        let mut bounds = [Bound::Null; MOST];
        let parameters = metadata.parameters.as_slice();
        for (index, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            bounds[index] = bind(metadata, index, parameter, argument.0, device)?;
        }
        let scope = Arguments {
            parameters,
            bounds: &bounds,
        };
        let mut groups = [0; 3];
        for (axis, (to, from)) in groups.iter_mut().zip(&self.groups).enumerate() {
            *to = match from {
                Extent::Known(n) => *n,
                Extent::Computed(e) => match evaluate_in(e, &scope) {
                    Ok(value) => match extent_of(value) {
                        0 => return Ok(true),
                        n => n,
                    },
                    Err(_) => return Ok(false),
                },
            };
            if *to > self.most[axis] {
                return Ok(false);
            }
        }
        let mut rooms = [[[0; 8]; 2]; MOST];
        let mut list = [Argument::Null; 2 * MOST];
        let mut count = 0;
        for ([value, place], &index) in rooms.iter_mut().zip(&self.order) {
            let argument = match bounds[index] {
                Bound::Buffer(buffer) => Argument::Buffer(buffer),
                Bound::Null => Argument::Null,
                Bound::Scalar(number) => {
                    let size = to_bytes(number, value);
                    Argument::Value(&value[..size])
                }
                Bound::Bytes(bytes) | Bound::Structure(bytes, _) => Argument::Value(bytes),
            };
            list[count] = argument;
            if let Some((whole, offset)) = self.offsets.then(|| with_offset(argument)).flatten() {
                *place = offset;
                list[count] = whole;
                count += 1;
                list[count] = Argument::Value(place);
            }
            count += 1;
        }
        sink(groups, self.items, &list[..count])?;
        Ok(true)
    }
}

/// Scalar arguments by name.
struct Arguments<'a> {
    parameters: &'a [ParameterMetadata],
    bounds: &'a [Bound<'a>],
}

impl Scope for Arguments<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        let root = root_name(name);
        let place = self.parameters.iter().position(|p| p.name == root)?;
        match self.bounds.get(place)? {
            Bound::Scalar(value) if root == name => Some(*value),
            Bound::Structure(bytes, dtype) => {
                let (offset, scalar) = dtype.locate(name.get(root.len()..)?)?;
                from_bytes(scalar, bytes.get(offset..offset + scalar.size())?)
            }
            _ => None,
        }
    }

    fn call(&self, _: &str, _: &[Value]) -> Option<std::result::Result<Value, EvaluateError>> {
        None
    }

    fn result(&self, _: &str) -> Option<Scalar> {
        None
    }
}
