//! Metal's own objects, as all of this driver holds them.

use objc2::rc::Retained;
use objc2::runtime::ProtocolObject;
use objc2_metal::MTLDevice;

/// A GPU, as Metal knows it.
pub(crate) type Raw = Retained<ProtocolObject<dyn MTLDevice>>;

/// An object of Metal's that any thread may use.
#[derive(Clone)]
pub(crate) struct Threaded<T>(pub(crate) T);

// SAFETY: Metal's buffers may be used by any thread, and what is asked of command buffers that are committed, too; only
// encoding is one thread's.
unsafe impl<T> Send for Threaded<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Threaded<T> {}
