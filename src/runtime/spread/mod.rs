//! Several devices as one: streams of Brook+ are shared out between them by rows, and kernels run where the rows are that
//! they write.
//!
//! A memory has the same addresses of bytes on every device of the set, and is there as far as somebody needed it there; a
//! directory says which device has which bytes as they are now. So kernels see streams as on one device, whatever of them
//! is there: places, gathers and parts of streams mean the same. Before a kernel runs on a device, what it may read there is
//! brought; whatever it writes, only that device has then.
//!
//! - `rule.rs`: which rows are whose.
//! - `directory.rs`: who has which bytes; `storage.rs`, `buffer.rs`: memory, and parts of it; `copies.rs`: copies from one device to another.
//! - `parts.rs`: programs; `device.rs`: the set as a device, on the first of which everything runs that nobody shares out.
//! - `map.rs`: calls of kernels for each element of their outputs; `reduce.rs`: of reductions; `view.rs`: the streams as one of
//!   the devices sees them.

mod buffer;
mod copies;
mod device;
mod directory;
mod map;
mod parts;
mod reduce;
mod rule;
mod storage;
mod view;

pub(super) use buffer::SpreadBuffer;
pub(super) use copies::Lane;
pub(super) use device::SpreadDevice;
pub(super) use parts::Parts;
pub(super) use rule::Rows;
pub(super) use view::{placement, prefetch, rows_on, share_out};
