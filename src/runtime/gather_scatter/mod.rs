//! Gather-scatter, as solvers on unstructured meshes need it: entries of the same number, on one device and across processes, get the sum,
//! product, least or greatest of all of them.
//!
//! Numbers are found in each other once ([`GatherScatter::new`]); each exchange then gathers what other processes need on the device, sends it, joins
//! what stays here meanwhile, and scatters what has come. Values are joined in the order of the processes, so every process has the
//! same to the bit, each time. Copies go beside what the device computes, and the host waits for none before an exchange is finished.
//!
//! - `groups.rs`: which entries have one number; `gather_scatter.okl`: the kernels.
//! - `by_device.rs`: exchanges between devices that reach each other; `by_host.rs`: of others, with `room.rs`, memory for what
//!   goes and comes, and `join.rs`, joining on the host. `kept.rs`: what the next exchange uses again.

mod by_device;
mod by_host;
mod groups;
mod join;
mod kept;
mod room;

use super::{
    BuildOptions, Communicator, Device, DynMemory, ElementKind, Error, Kernel, KernelArgument,
    Memory, Program, Reduction, Result, lock,
};
use crate::expr::Scalar;
use crate::source_text::Source;
use by_device::Slots;
use groups::Groups;
use kept::Kept;
use room::Room;
use std::sync::{Arc, Mutex};

const KERNELS: &str = include_str!("gather_scatter.okl");

/// Which entries of arrays have one number, on a device and, with a communicator, in all of its processes. Clones share it.
#[derive(Clone)]
pub struct GatherScatter(Arc<Inner>);

struct Inner {
    device: Device,
    communicator: Option<Communicator>,
    /// Entries of one field.
    entries: usize,
    groups: Groups,
    starts: Memory<i32>,
    members: Memory<i32>,
    kernels: Mutex<Vec<(Scalar, Reduction, Kernels)>>,
    /// How the device reaches those of other processes, if it does.
    slots: Option<Slots>,
    /// Of exchanges by way of the host.
    rooms: Kept<Room>,
}

/// The kernels for a type and what is made of two values.
#[derive(Clone)]
struct Kernels {
    gather: Kernel,
    scatter: Kernel,
    join_here: Kernel,
    send: Kernel,
    receive: Kernel,
}

/// An exchange that has begun.
#[must_use = "what other processes send is waited for by `finish`"]
pub struct GatherScatterExchange {
    all: Arc<Inner>,
    values: DynMemory,
    fields: usize,
    kernels: Kernels,
    scalar: Scalar,
    reduction: Reduction,
    /// What goes to other processes, and what comes; none where there are none.
    shared: Option<Shared>,
}

/// What an exchange has of the groups that other processes have entries of, too.
enum Shared {
    ByDevice(by_device::Begun),
    ByHost(by_host::Begun),
}

impl GatherScatter {
    /// For arrays whose entry i has the number `numbers[i]`: 1 or more; an entry of number 0 stays as it is. All processes of the
    /// communicator call this at once, each with its own entries; without one, only this process's have the same numbers.
    ///
    /// # Errors
    /// A negative number, more entries than an `int` counts, no memory, or MPI's.
    pub fn new(
        device: &Device,
        communicator: Option<&Communicator>,
        numbers: &[i64],
    ) -> Result<Self> {
        if device.process().is_some() {
            return Err(Error::argument(
                "gather-scatter takes a device of this process, and a communicator for the others",
            ));
        }
        let groups = Groups::find(communicator, numbers)?;
        let slots = match communicator.filter(|communicator| communicator.size() > 1) {
            Some(communicator) => Slots::find(device, communicator, &groups)?,
            None => None,
        };
        let starts = device.upload(&groups.starts)?;
        let members = device.upload(&groups.entries)?;
        Ok(Self(Arc::new(Inner {
            device: device.clone(),
            communicator: communicator.cloned(),
            entries: numbers.len(),
            groups,
            starts,
            members,
            kernels: Mutex::default(),
            slots,
            rooms: Kept::default(),
        })))
    }

    /// How many numbers this process has in common with others.
    pub fn shared(&self) -> usize {
        self.0.groups.shared
    }

    /// The processes that it has some in common with, by rank, and how many.
    pub fn neighbours(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.0.groups.neighbours.iter();
        all.map(|(rank, groups)| (*rank, groups.len()))
    }

    /// Gives entries of the same number what is made of all of them. `values` are `float`, `double`, `int` or `long`: so many fields of as
    /// many entries each as there are numbers, one field behind the other, on the device that this was made with. All processes
    /// call this at once, with as many fields of one type.
    ///
    /// # Errors
    /// Another type, another device or too few values; those of launches and of MPI.
    pub fn run(&self, values: &DynMemory, fields: usize, reduction: Reduction) -> Result<()> {
        self.begin(values, fields, reduction)?.finish()
    }

    /// The same in two steps: what is launched between them goes on while messages are under way. It may read and write all entries but
    /// those that other processes have, too: entries that this process alone has are joined at the end.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn begin(
        &self,
        values: &DynMemory,
        fields: usize,
        reduction: Reduction,
    ) -> Result<GatherScatterExchange> {
        let all = &*self.0;
        // Counted by all, also by those who have nothing to send, or made a mistake.
        let tag = all.communicator.as_ref().map(Communicator::step);
        let scalar = all.checked(values, fields)?;
        let kernels = all.kernels(scalar, reduction)?;
        let mut exchange = GatherScatterExchange {
            all: Arc::clone(&self.0),
            values: values.part(0, fields * all.entries)?,
            fields,
            kernels,
            scalar,
            reduction,
            shared: None,
        };
        if let Some(tag) = tag.filter(|_| fields > 0 && all.groups.shared > 0) {
            exchange.shared = Some(match &all.slots {
                Some(slots) => Shared::ByDevice(exchange.begin_by_device(slots)?),
                None => Shared::ByHost(exchange.begin_by_host(tag)?),
            });
        }
        Ok(exchange)
    }
}

impl Inner {
    /// The type of one value.
    fn checked(&self, values: &DynMemory, fields: usize) -> Result<Scalar> {
        let ElementKind::Numbers(
            scalar @ (Scalar::Int | Scalar::Long | Scalar::Float | Scalar::Double),
            1,
        ) = values.kind()
        else {
            return Err(Error::argument(format!(
                "gather-scatter joins float, double, int and long; got {}",
                values.kind()
            )));
        };
        if !values.device().is_same(&self.device) {
            return Err(Error::argument(format!(
                "gather-scatter was made for {}, and the values are {}'s",
                self.device.name(),
                values.device().name()
            )));
        }
        let needed = fields.checked_mul(self.entries);
        let needed = needed.filter(|needed| i32::try_from(*needed).is_ok());
        match needed {
            None => Err(Error::argument(format!(
                "{fields} fields of {} entries are more than an int counts",
                self.entries
            ))),
            Some(needed) if needed > values.len() => Err(Error::argument(format!(
                "{fields} fields of {} entries are {needed} values; got {}",
                self.entries,
                values.len()
            ))),
            Some(_) => Ok(scalar),
        }
    }

    /// The kernels, built when they are first needed.
    fn kernels(&self, scalar: Scalar, reduction: Reduction) -> Result<Kernels> {
        let mut known = lock(&self.kernels);
        let is_it = |(of, by, _): &&(Scalar, Reduction, Kernels)| (*of, *by) == (scalar, reduction);
        if let Some((.., kernels)) = known.iter().find(is_it) {
            return Ok(kernels.clone());
        }
        let join = match reduction {
            Reduction::Sum => "a + b",
            Reduction::Product => "a * b",
            Reduction::Min => "b < a ? b : a",
            Reduction::Max => "a < b ? b : a",
        };
        let name = scalar.c_name();
        let text = format!(
            "typedef {name} T;\ninline T gs_join(const T a, const T b) {{ return {join}; }}\n{KERNELS}"
        );
        let source = Source::new("brook_gather_scatter.okl", text);
        let options = BuildOptions::new().from_environment();
        let program: Program = match &self.communicator {
            Some(communicator) => self
                .device
                .build_together(communicator, &source, &options)?,
            None => self.device.build(&source, &options)?,
        };
        let kernels = Kernels {
            gather: program.kernel("gs_gather")?,
            scatter: program.kernel("gs_scatter")?,
            join_here: program.kernel("gs_join_here")?,
            send: program.kernel("gs_send")?,
            receive: program.kernel("gs_receive")?,
        };
        known.push((scalar, reduction, kernels.clone()));
        Ok(kernels)
    }
}

impl GatherScatterExchange {
    /// Joins the entries that no other process has.
    fn join_here(&self) -> Result<()> {
        let groups = &self.all.groups;
        let (first, count) = (groups.shared, groups.count() - groups.shared);
        if self.fields == 0 || count == 0 {
            return Ok(());
        }
        let values = KernelArgument::memory(&self.values, true);
        self.launch(
            &self.kernels.join_here,
            count,
            [(first as i32).into(), values],
        )
    }

    /// Launches one of the kernels over so many groups or slots of each field, with what it takes besides what all of them do.
    fn launch<'m, const N: usize>(
        &'m self,
        kernel: &Kernel,
        count: usize,
        more: [KernelArgument<'m>; N],
    ) -> Result<()> {
        let common = [
            (self.fields as i32).into(),
            (self.all.entries as i32).into(),
            (count as i32).into(),
            self.all.starts.read_only().into(),
            self.all.members.read_only().into(),
        ];
        let arguments: Vec<KernelArgument<'m>> = common.into_iter().chain(more).collect();
        // SAFETY: entries are numbers of values, and slots of values that go and come, of which there are enough.
        unsafe { kernel.launch(&arguments) }
    }

    /// The same from one memory of values to another.
    fn launch_between(
        &self,
        kernel: &Kernel,
        count: usize,
        (from, to): (&DynMemory, &DynMemory),
    ) -> Result<()> {
        let sides = [
            KernelArgument::memory(from, false),
            KernelArgument::memory(to, true),
        ];
        self.launch(kernel, count, sides)
    }

    /// Waits for what other processes have, and gives all entries what is made of it.
    ///
    /// # Errors
    /// As [`GatherScatter::run`].
    pub fn finish(mut self) -> Result<()> {
        let shared = self.shared.take();
        // The device does it while the host waits.
        self.join_here()?;
        match (shared, &self.all.slots) {
            (Some(Shared::ByDevice(begun)), Some(slots)) => self.finish_by_device(slots, begun),
            (Some(Shared::ByHost(begun)), _) => self.finish_by_host(begun),
            (Some(Shared::ByDevice(_)) | None, _) => Ok(()),
        }
    }
}
