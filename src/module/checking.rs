/// The kernel that a source with [`Checking::fused`] is translated for; no other is launched.
pub(crate) const FUSED: &str = "brook_fused";

/// How strictly Brook+ kernels are checked (specification, section 9).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checking {
    /// `-a`: operands of different types are converted instead of refused.
    pub relaxed: bool,
    /// `-c`: arrays with sizes are streams like those without, and their sizes are not checked.
    pub no_constant_arrays: bool,
    /// `-wN`: warnings up to this level are shown. Only relaxed checking has warnings above 0.
    pub warning_level: u8,
    /// `-x`: warnings are errors. Strong type checking ignores it.
    pub warnings_as_errors: bool,
    /// `--dialect brookgpu`: what Stanford's compiler accepted beyond relaxed checking.
    pub brookgpu: bool,
    /// The source has kernels that are made of several others.
    pub fused: bool,
}

impl Checking {
    /// The flags that decide what is accepted, as one word: `-ac`, and `g` for BrookGPU's dialect; nothing
    /// for the default.
    pub fn flags(&self) -> String {
        let all = [
            (self.relaxed, 'a'),
            (self.no_constant_arrays, 'c'),
            (self.brookgpu, 'g'),
        ];
        let flags: String = all
            .iter()
            .filter_map(|(given, flag)| given.then_some(*flag))
            .collect();
        match flags.is_empty() {
            true => flags,
            false => format!("-{flags}"),
        }
    }

    /// The reverse, without the `-`; unknown letters are ignored.
    pub fn from_flags(flags: &str) -> Self {
        Self {
            relaxed: flags.contains(['a', 'g']),
            no_constant_arrays: flags.contains('c'),
            brookgpu: flags.contains('g'),
            ..Self::default()
        }
    }
}
