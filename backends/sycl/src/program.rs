//! Programs and their kernels.

use crate::bridge::Object;
use crate::memory::SyclBuffer;
use crate::queue::SyclQueue;
use crate::session::Session;
use brook_driver::{
    Argument, Buffer, CompileOptions, Error, ErrorKind, Kernel, Limits, Math, Program, Queue,
    Result, check_launch, with_pointers,
};
use std::ffi::{CString, c_char};
use std::sync::{Arc, Mutex, PoisonError};

/// What loading needs: the options, one a line, an empty line, and the source.
pub(crate) fn packed(source: &str, options: &CompileOptions) -> Vec<u8> {
    let mut lines = vec![format!(
        "-std={}",
        options.standard.as_deref().unwrap_or("c++17")
    )];
    lines.push("-w".to_string());
    if options.math == Math::Strict {
        lines.push("-DBROOK_STRICT".to_string());
    }
    if options.wrapping {
        lines.push("-fwrapv".to_string());
    }
    lines.push(
        match options.math {
            // DPC++ is fast unless it is told not to be.
            Math::Default => "-fno-fast-math\n-ffp-contract=fast",
            Math::Strict => "-fno-fast-math\n-ffp-contract=off",
            Math::Fast => "-ffast-math",
        }
        .to_string(),
    );
    lines.extend(options.include_directories.iter().map(|d| format!("-I{d}")));
    // A line break in a flag means nothing to the compiler either.
    lines.extend(options.flags.iter().map(|f| f.replace('\n', " ")));
    lines.retain(|line| !line.is_empty());
    format!("{}\n\n{source}", lines.join("\n")).into_bytes()
}

/// What was built and not loaded yet: the last few, by what they were built of.
static BUILT: Mutex<Vec<(Vec<u8>, Arc<Bundle>)>> = Mutex::new(Vec::new());

/// Compiled kernels of a device.
struct Bundle {
    session: Arc<Session>,
    raw: Object,
}

// SAFETY: SYCL's objects may be used by any thread, and its functions are thread-safe.
unsafe impl Send for Bundle {}
// SAFETY: as above.
unsafe impl Sync for Bundle {}

impl Drop for Bundle {
    fn drop(&mut self) {
        if self.session.enter().is_ok() {
            // SAFETY: made in `built`, and freed only here.
            unsafe { (self.session.bridge.end_bundle)(self.raw) };
        }
    }
}

pub(crate) struct SyclProgram {
    bundle: Arc<Bundle>,
    limits: Limits,
}

impl SyclProgram {
    /// Builds what is to be loaded soon.
    pub(crate) fn build(session: &Arc<Session>, packed: &[u8]) -> Result<()> {
        let bundle = Arc::new(built(session.clone(), packed)?);
        let mut kept = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(7);
        kept.insert(0, (packed.to_vec(), bundle));
        Ok(())
    }

    pub(crate) fn load(session: Arc<Session>, limits: Limits, packed: &[u8]) -> Result<Self> {
        let known = {
            let mut kept = BUILT.lock().unwrap_or_else(PoisonError::into_inner);
            let found = kept
                .iter()
                .position(|(of, b)| of == packed && Arc::ptr_eq(&b.session, &session));
            found.map(|at| kept.remove(at).1)
        };
        let bundle = match known {
            Some(bundle) => bundle,
            None => Arc::new(built(session, packed)?),
        };
        Ok(Self { bundle, limits })
    }
}

fn built(session: Arc<Session>, packed: &[u8]) -> Result<Bundle> {
    session.enter()?;
    let text = std::str::from_utf8(packed).ok();
    let parts = text.and_then(|t| t.split_once("\n\n"));
    let Some((options, source)) = parts else {
        return Err(Error::invalid("this is no SYCL program of brook's"));
    };
    let options: Vec<CString> = options
        .lines()
        .map(|line| CString::new(line).unwrap_or_default())
        .collect();
    let pointers: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
    let bridge = session.bridge;
    let (mut raw, mut log) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: all pointers are to live memory of the lengths that are passed.
    let failure = unsafe {
        (bridge.build)(
            session.device(),
            source.as_ptr().cast(),
            source.len(),
            pointers.as_ptr(),
            pointers.len(),
            &raw mut raw,
            &raw mut log,
        )
    };
    let log = bridge.text(log);
    match bridge.text(failure) {
        None => Ok(Bundle { session, raw }),
        Some(reason) => {
            let first = reason.lines().next().unwrap_or("").to_string();
            let error = Error::new(
                ErrorKind::Compile,
                format!("SYCL's run-time compiler failed: {first}"),
            );
            Err(error.with_log(log.unwrap_or(reason)))
        }
    }
}

impl Program for SyclProgram {
    fn kernel(&self, name: &str) -> Result<Arc<dyn Kernel>> {
        let unknown = || Error::invalid(format!("no kernel named '{name}' in this program"));
        let symbol = CString::new(name).map_err(|_| unknown())?;
        let session = &self.bundle.session;
        session.enter()?;
        let (mut raw, mut threads) = (std::ptr::null_mut(), 0u64);
        // SAFETY: the bundle is live, and the pointers are to live values.
        let failure = unsafe {
            (session.bridge.kernel)(
                self.bundle.raw,
                session.device(),
                symbol.as_ptr(),
                &raw mut raw,
                &raw mut threads,
            )
        };
        session.bridge.check(failure, "looking up a kernel")?;
        if raw.is_null() {
            return Err(unknown());
        }
        let mut limits = self.limits;
        if let Ok(most @ 1..) = u32::try_from(threads) {
            limits.threads_per_group = limits.threads_per_group.min(most);
        }
        Ok(Arc::new(SyclKernel {
            bundle: self.bundle.clone(),
            raw,
            limits,
            name: name.to_string(),
        }))
    }
}

struct SyclKernel {
    bundle: Arc<Bundle>,
    raw: Object,
    limits: Limits,
    name: String,
}

// SAFETY: SYCL's objects may be used by any thread, and its functions are thread-safe.
unsafe impl Send for SyclKernel {}
// SAFETY: as above.
unsafe impl Sync for SyclKernel {}

impl Drop for SyclKernel {
    fn drop(&mut self) {
        if self.bundle.session.enter().is_ok() {
            // SAFETY: made in `kernel`, and freed only here.
            unsafe { (self.bundle.session.bridge.end_kernel)(self.raw) };
        }
    }
}

impl Kernel for SyclKernel {
    fn launch(&self, grid: [u64; 3], group: [u32; 3], arguments: &[Argument<'_>]) -> Result<()> {
        self.launch_in(self.bundle.session.queue(), grid, group, arguments)
    }

    fn launch_on(
        &self,
        queue: &dyn Queue,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        let queue = SyclQueue::of(queue, &self.bundle.session)
            .ok_or_else(|| Error::invalid("the queue is another device's"))?;
        self.launch_in(queue, grid, group, arguments)
    }
}

impl SyclKernel {
    fn launch_in(
        &self,
        queue: Object,
        grid: [u64; 3],
        group: [u32; 3],
        arguments: &[Argument<'_>],
    ) -> Result<()> {
        let narrow = check_launch(grid, group, &self.limits, u64::from(u32::MAX))?;
        if narrow.contains(&0) || group.contains(&0) {
            return Ok(());
        }
        let session = &self.bundle.session;
        session.enter()?;
        let address = |index: usize, buffer: &dyn Buffer| {
            let buffer = SyclBuffer::of(buffer, session).ok_or_else(|| {
                Error::invalid(format!(
                    "argument {} is memory of another device",
                    index + 1
                ))
            })?;
            Ok(buffer.address(0).expose_provenance() as u64)
        };
        let size = |argument: &Argument<'_>| match argument {
            Argument::Value(bytes) => bytes.len(),
            _ => 0,
        };
        let sizes: Vec<usize> = arguments.iter().map(size).collect();
        with_pointers(arguments, address, |pointers| {
            // SAFETY: queue and kernel are live; the caller passes the arguments of this kernel in its parameters'
            // order, and the runtime copies them before it returns.
            let failure = unsafe {
                (session.bridge.launch)(
                    queue,
                    self.raw,
                    narrow.map(u64::from).as_ptr(),
                    group.as_ptr(),
                    sizes.len(),
                    pointers.as_ptr(),
                    sizes.as_ptr(),
                )
            };
            let what = || format!("launching the kernel '{}'", self.name);
            match failure.is_null() {
                true => Ok(()),
                false => session.bridge.check(failure, &what()),
            }
        })
    }
}
