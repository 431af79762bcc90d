//! Functions of C that stand between a driver and a library which has no interface of its own that can be loaded: compiled on the user's machine.

use std::error::Error;

/// What the loader says: its own words are one level below.
pub fn reason_of(error: &dyn Error) -> String {
    let reason = error.source();
    reason.map_or_else(|| error.to_string(), ToString::to_string)
}

/// Declares `Bridge`, the functions of a library that such a file was compiled to, by name, symbol and type. One of them, `free`, takes
/// the texts that the others make. Whoever uses it has the crate `libloading`.
#[macro_export]
macro_rules! bridge_functions {
    ($($name:ident: $symbol:literal, fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions, loaded.
        pub(crate) struct Bridge {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Bridge {
            /// # Safety
            /// The library is what the bridge was compiled to, and is never closed.
            unsafe fn of(library: &libloading::Library) -> std::result::Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: by this function's contract, the symbols have these types.
                    $($name: *unsafe { library.get($symbol) }?,)*
                })
            }

            /// A text of the bridge's, which is freed.
            pub(crate) fn text(&self, text: *mut std::ffi::c_char) -> Option<String> {
                if text.is_null() {
                    return None;
                }
                // SAFETY: the bridge's texts end with a zero byte, and are freed only here.
                unsafe {
                    let copy = std::ffi::CStr::from_ptr(text).to_string_lossy().into_owned();
                    (self.free)(text);
                    Some(copy)
                }
            }
        }
    };
}
