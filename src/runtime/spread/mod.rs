//! Several devices as one: streams of Brook+ are shared out between them by rows, and kernels run where the rows are that
//! they write.
//!
//! A memory has the same addresses of bytes on every device of the set, and is there as far as somebody needed it there; a
//! directory says which device has which bytes as they are now. So kernels see streams as on one device, whatever of them
//! is there: places, gathers and parts of streams mean the same. Before a kernel runs on a device, what it may read there is
//! brought; whatever it writes, only that device has then.
//!
//! - `rule.rs`: which rows are whose.
//! - `directory.rs`: who has which bytes; `buffer.rs`: memory; `copies.rs`: copies from one device to another.
//! - `parts.rs`: programs; `device.rs`: the set as a device, on the first of which everything runs that nobody shares out.
//! - `rows.rs`: which rows of arrays gathers read; `intervals.rs`: numbers of which only the bounds are known.
//! - `map.rs`: calls of kernels for each element of their outputs; `reduce.rs`: of reductions; `view.rs`: the streams as one of
//!   the devices sees them.

mod buffer;
mod copies;
mod device;
mod directory;
mod intervals;
mod map;
mod parts;
mod reduce;
mod rows;
mod rule;
mod view;

pub(super) use buffer::{SpreadBuffer, driver_error};
pub(super) use copies::Lane;
pub(super) use device::SpreadDevice;
pub(super) use parts::Parts;
pub(super) use rule::Rows;
pub(super) use view::{placement, rows_on};

use super::drivers::all_of;
use super::{Error, Result, list_of};
use directory::MOST_PARTS;

/// The devices that a name of several means, one by one; `None` of the name of one.
pub(super) fn names(name: &str) -> Result<Option<Vec<String>>> {
    if !name.contains([',', '*']) {
        return Ok(None);
    }
    let mut names = Vec::new();
    for name in name.split(',').map(str::trim) {
        let Some(driver) = all_of(name) else {
            names.push(name.to_string());
            continue;
        };
        let all = list_of(driver).into_iter().filter(|e| e.info.is_ok());
        let before = names.len();
        names.extend(all.map(|e| e.name));
        if names.len() == before {
            let text = format!("'{name}' stands for all devices of '{driver}', and there are none");
            return Err(Error::NoDevice(text));
        }
    }
    match names.len() > MOST_PARTS {
        true => Err(Error::NoDevice(format!(
            "a set has {MOST_PARTS} devices at most; got {}",
            names.len()
        ))),
        false => Ok(Some(names)),
    }
}
