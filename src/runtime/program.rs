//! From a source to kernels that can be launched.

use super::cache::Cache;
use super::compiler_log::in_users_places;
use super::fusion::Chains;
use super::instance::Instances;
use super::kernel::{Found, Functions, Kernel, Which};
use super::package::Spare;
use super::spread::Parts;
use super::template::Template;
use super::tuned;
use super::{BuildOptions, Device, Error, IntoSource, Result};
use crate::backend::Backend;
use crate::diagnostics::did_you_mean;
use crate::module::{KernelTemplate, Statement};
use crate::render::Metadata;
use crate::source_text::Source;
use crate::transpile::{Translation, transpile};
use brook_driver::{CompileOptions, ErrorKind, tell};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A source built for a device. Clones share it.
#[derive(Clone)]
pub struct Program(Arc<Inner>);

struct Inner {
    device: Device,
    metadata: Metadata,
    /// None where all kernels are templates.
    program: Option<Arc<dyn brook_driver::Program>>,
    warnings: Option<String>,
    from_cache: bool,
    instances: Instances,
    /// Templates that were asked for, by index.
    templates: Mutex<HashMap<usize, Arc<Template>>>,
    /// Device kernels of the kernels that were asked for, by index.
    functions: Mutex<HashMap<usize, Arc<Found>>>,
    origin: Origin,
    /// The same, with kernels that take buffers and offsets.
    with_offsets: Mutex<Option<Program>>,
    /// Kernels that are made of several, by what they are made of.
    fused: Mutex<Chains>,
    /// On a set of devices, the same on each of them.
    parts: Parts,
}

/// Where a program comes from, for kernels of it that are built later.
pub(super) enum Origin {
    Source(Box<Recipe>),
    /// A package, with the kernels that take buffers and offsets if it has any.
    Package(Option<Spare>),
    /// A package, which its kernels that take buffers and offsets are of.
    Offsets,
}

/// What a program was built from.
pub(super) struct Recipe {
    pub(super) source: Source,
    pub(super) options: BuildOptions,
}

/// What a device compiler made of a source, with what a launch needs to know.
pub(super) struct Built {
    pub(super) metadata: Metadata,
    pub(super) binary: Vec<u8>,
}

impl Device {
    /// Translates a source for this device, compiles and loads it. Unless the options or
    /// `BROOK_CACHE=off` say otherwise, what was built before comes from the kernel cache, and of the threads and processes
    /// that build the same at once one compiles while the others wait ([`KernelCache`](super::KernelCache)).
    ///
    /// # Errors
    /// The source has errors, or the device's compiler rejects what was made of it.
    pub fn build(&self, source: impl IntoSource, options: &BuildOptions) -> Result<Program> {
        let source = self.agreed(source.into_source())?;
        let source: &Source = source.borrow();
        let began = Instant::now();
        let built = match self.agreed(tuned::settled(options, source, self))? {
            None => self.build_settled(source, options),
            Some(options) => self.build_settled(source, &options),
        };
        tell(|| {
            let (name, device) = (&source.name, self.name());
            let took = began.elapsed().as_secs_f64() * 1e3;
            let how = match &built {
                Ok(program) if program.from_cache() => "from the kernel cache",
                Ok(_) => "built",
                Err(_) => "failed",
            };
            format!("kernels of '{name}' for {device}: {how}, {took:.1} ms")
        });
        built
    }

    /// What [`Device::build`] would have compiled.
    ///
    /// # Errors
    /// The source has errors.
    pub fn translate(
        &self,
        source: impl IntoSource,
        options: &BuildOptions,
    ) -> Result<Translation> {
        let source = source.into_source()?;
        let source: &Source = source.borrow();
        let settled = tuned::settled(options, source, self)?;
        self.transpile(source, settled.as_ref().unwrap_or(options))
    }

    /// Builds once it is known what was tuned.
    fn build_settled(&self, source: &Source, options: &BuildOptions) -> Result<Program> {
        if let Some(ranks) = self.ranks_of_set() {
            return self.build_on_ranks(ranks, source, options);
        }
        match options.cache.then(Cache::open).flatten() {
            Some(cache) => self.build_through(&cache, source, options),
            None => {
                let translation = self.transpile(source, options)?;
                let warnings = warnings(&translation);
                let built = self.compile(source, translation, options)?;
                self.load(built, warnings, false, Origin::new(source, options))
            }
        }
    }

    fn transpile(&self, source: &Source, options: &BuildOptions) -> Result<Translation> {
        let translate = options.translation();
        Ok(transpile(
            source,
            self.backend(),
            &translate,
            &options.files,
        )?)
    }

    /// What the compiler makes of it, whatever there is in the kernel cache.
    pub(super) fn compile_anew(&self, source: &Source, options: &BuildOptions) -> Result<Built> {
        let translation = self.transpile(source, options)?;
        self.compile(source, translation, options)
    }

    /// The program if the kernel cache has it; of a set over processes, if each one's has.
    pub(super) fn find_built(&self, source: &Source, options: &BuildOptions) -> Option<Program> {
        let found = self.find_here(source, options);
        match self.ranks_of_set() {
            Some(ranks) => ranks.agree(found),
            None => found,
        }
    }

    fn find_here(&self, source: &Source, options: &BuildOptions) -> Option<Program> {
        let cache = options.cache.then(Cache::open).flatten()?;
        let built = cache.request(self, source, options).find()?;
        let origin = Origin::new(source, options);
        self.load(built, None, true, origin).ok()
    }

    pub(super) fn build_through(
        &self,
        cache: &Cache,
        source: &Source,
        options: &BuildOptions,
    ) -> Result<Program> {
        let request = cache.request(self, source, options);
        // A binary that the device does not take is as good as a damaged one.
        let load = |built, warnings, from_cache| {
            let origin = Origin::new(source, options);
            self.load(built, warnings, from_cache, origin).ok()
        };
        if let Some(program) = request.find().and_then(|built| load(built, None, true)) {
            return Ok(program);
        }
        let recorder = request.recorder(&options.files);
        let translation = transpile(source, self.backend(), &options.translation(), &recorder)?;
        let warnings = warnings(&translation);
        let slot = request.slot(&translation, recorder);
        let find = || {
            slot.find()
                .and_then(|built| load(built, warnings.clone(), false))
        };
        let mut found = find();
        let turn = found.is_none().then(|| slot.wait_for_turn());
        if turn.is_some() {
            found = find();
        }
        if let Some(program) = found {
            drop(turn);
            slot.keep_manifest();
            return Ok(program);
        }
        let built = self.compile(source, translation, options)?;
        slot.keep(&built, turn);
        self.load(built, warnings, false, Origin::new(source, options))
    }

    fn compile(
        &self,
        source: &Source,
        translation: Translation,
        options: &BuildOptions,
    ) -> Result<Built> {
        let compiler = |text: &str, options: &CompileOptions| self.driver().compile(text, options);
        let binary = match is_compiled(&translation.metadata) {
            true => compile(source, &translation, self.backend(), options, &compiler)?,
            false => Vec::new(),
        };
        Ok(Built {
            metadata: translation.metadata,
            binary,
        })
    }

    pub(super) fn load(
        &self,
        built: Built,
        warnings: Option<String>,
        from_cache: bool,
        origin: Origin,
    ) -> Result<Program> {
        let program = match is_compiled(&built.metadata) {
            true => Some(self.driver().load(&built.binary)?),
            false => None,
        };
        let warnings = match origin.tuned_warning() {
            Some(more) => Some(format!("{}{more}", warnings.unwrap_or_default())),
            None => warnings,
        };
        Ok(self.program(built.metadata, program, warnings, from_cache, origin))
    }

    /// What a driver has loaded, as a program.
    pub(super) fn program(
        &self,
        metadata: Metadata,
        program: Option<Arc<dyn brook_driver::Program>>,
        warnings: Option<String>,
        from_cache: bool,
        origin: Origin,
    ) -> Program {
        Program(Arc::new(Inner {
            device: self.clone(),
            metadata,
            program,
            warnings,
            from_cache,
            instances: Instances::default(),
            templates: Mutex::default(),
            functions: Mutex::default(),
            origin,
            with_offsets: Mutex::default(),
            fused: Mutex::default(),
            parts: Parts::default(),
        }))
    }
}

/// Whether there is anything for a compiler: not where all kernels are templates.
fn is_compiled(metadata: &Metadata) -> bool {
    !metadata.kernels.is_empty() || metadata.templates.is_empty()
}

/// Hands a translation to a compiler. What that rejects is an error in the lines of the user's own source.
pub(super) fn compile<T>(
    source: &Source,
    translation: &Translation,
    backend: &Backend,
    options: &BuildOptions,
    compiler: &dyn Fn(&str, &CompileOptions) -> brook_driver::Result<T>,
) -> Result<T> {
    let call = |translation: &Translation| {
        let mut compile = options.compile.clone();
        let is_brook = translation.metadata.dialect == "brook";
        compile.wrapping |= is_brook;
        compile.contracted |= is_brook && options.writes_contractions();
        compiler(&translation.device, &compile)
    };
    let error = match call(translation) {
        Err(error) if error.kind == ErrorKind::Compile => error,
        compiled => return Ok(compiled?),
    };
    // It is rejected again with the lines of the user's own source in the messages.
    let mut translate = options.translation();
    if std::mem::replace(&mut translate.line_directives, true) {
        return Err(error.into());
    }
    let Ok(translation) = transpile(source, backend, &translate, &options.files) else {
        return Err(error.into());
    };
    let again = call(&translation);
    // Should it pass now, that is no reason to believe it.
    let mut error = again.err().unwrap_or(error);
    error.log = error.log.map(|log| in_users_places(&log, &translation));
    Err(error.into())
}

fn warnings(translation: &Translation) -> Option<String> {
    let some = !translation.warnings.diagnostics.is_empty();
    some.then(|| translation.warnings.to_string())
}

impl Origin {
    pub(super) fn new(source: &Source, options: &BuildOptions) -> Self {
        Self::Source(Box::new(Recipe {
            source: source.clone(),
            options: options.clone(),
        }))
    }

    /// What there is to say of how it was tuned.
    fn tuned_warning(&self) -> Option<&str> {
        match self {
            Self::Source(recipe) => recipe.options.tuned.warning.as_deref(),
            Self::Package(_) | Self::Offsets => None,
        }
    }
}

impl Program {
    /// Whether its kernels take buffers and offsets.
    pub(super) fn has_offsets(&self) -> bool {
        match &self.0.origin {
            Origin::Source(recipe) => recipe.options.translate.buffer_offsets,
            Origin::Package(_) => false,
            Origin::Offsets => true,
        }
    }

    /// The same program with kernels that take buffers and offsets, built or loaded when it is first asked for.
    pub(super) fn with_offsets(&self) -> Result<Self> {
        let mut known = lock(&self.0.with_offsets);
        if let Some(program) = &*known {
            return Ok(program.clone());
        }
        let program = match &self.0.origin {
            Origin::Source(recipe) => {
                let mut options = recipe.options.clone();
                options.translate.buffer_offsets = true;
                self.device().build(&recipe.source, &options)?
            }
            Origin::Package(Some(spare)) => spare.load(self.device())?,
            Origin::Package(None) | Origin::Offsets => {
                return Err(Error::argument(format!(
                    "a part of memory begins where {} can make no buffer object, and the package has no kernels that take \
                     buffers and offsets",
                    self.device().name()
                )));
            }
        };
        Ok(known.insert(program).clone())
    }

    /// The kernel of that name. A template is a kernel, too, whose launches say what its parameters are; `f<float, 4>`
    /// asks for it with the first of them, and is built if that is all it needs.
    ///
    /// # Errors
    /// There is none; the message lists those there are. What was asked of a template does not build.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        if let Some(index) = self.position(name) {
            return Ok(Kernel::new(self.clone(), index, self.found(index)?));
        }
        let all = &self.0.metadata;
        if let Some(index) = all.templates.iter().position(|t| t.name == name) {
            let mut known = lock(&self.0.templates);
            let template = known.entry(index).or_insert_with(|| {
                let template = &all.templates[index];
                let nothing = vec![None; template.parameters.len()];
                Arc::new(Template::new(index, template, nothing))
            });
            return Ok(Kernel {
                program: self.clone(),
                which: Which::Template(Arc::clone(template)),
            });
        }
        if let Some(kernel) = self.instance_asked_for(name)? {
            return Ok(kernel);
        }
        let names: Vec<String> = self.kernel_names().collect();
        let there_are = match names.as_slice() {
            [] => "the source has no kernels".to_string(),
            names => format!("the source has: {}", names.join(", ")),
        };
        let all = &self.0.metadata;
        let kernels = all.kernels.iter().map(|k| k.name.as_str());
        let templates = all.templates.iter().map(|t| t.name.as_str());
        let meant = did_you_mean(name, kernels.chain(templates));
        Err(Error::argument(format!(
            "there is no kernel '{name}'{meant}; {there_are}"
        )))
    }

    /// Its kernels and templates, as messages call them.
    fn kernel_names(&self) -> impl Iterator<Item = String> {
        let all = &self.0.metadata;
        let kernels = all.kernels.iter().map(|k| k.name.clone());
        kernels.chain(all.templates.iter().map(KernelTemplate::describe))
    }

    /// The number of a kernel that is no template.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        let kernels = &self.0.metadata.kernels;
        kernels.iter().position(|k| k.name == name)
    }

    /// The device kernels of a kernel.
    pub(super) fn found(&self, index: usize) -> Result<Arc<Found>> {
        let mut known = lock(&self.0.functions);
        if let Some(found) = known.get(&index) {
            return Ok(Arc::clone(found));
        }
        let kernel = &self.0.metadata.kernels[index];
        let mut functions = Vec::new();
        if let Some(program) = &self.0.program {
            functions_of(&**program, &kernel.host, &mut functions)?;
        }
        let found = Arc::new(Found::new(kernel, &self.0.device, functions));
        known.insert(index, Arc::clone(&found));
        Ok(found)
    }

    /// What it was built from; `None` of one that was compiled ahead of time.
    pub(super) fn recipe(&self) -> Option<&Recipe> {
        match &self.0.origin {
            Origin::Source(recipe) => Some(recipe),
            _ => None,
        }
    }

    /// The program on the device of that number of its set.
    pub(super) fn on_part(&self, part: usize) -> Self {
        let device = &self.device().parts()[part];
        self.0.parts.get(part, || {
            let whole = self.0.program.as_ref();
            let program = whole.and_then(|program| program.part(part));
            let metadata = self.0.metadata.clone();
            device.program(metadata, program, None, true, Origin::Package(None))
        })
    }

    /// What is known of it on the devices of a set.
    pub(super) fn parts(&self) -> &Parts {
        &self.0.parts
    }

    pub(super) fn instances(&self) -> &Instances {
        &self.0.instances
    }

    pub(super) fn fused(&self) -> MutexGuard<'_, Chains> {
        lock(&self.0.fused)
    }

    /// Whether both are one program.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// What is known about its kernels.
    pub fn metadata(&self) -> &Metadata {
        &self.0.metadata
    }

    /// The device it was built for.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// The transpiler's warnings; none if the program came from the cache.
    pub fn warnings(&self) -> Option<&str> {
        self.0.warnings.as_deref()
    }

    /// Whether neither transpiler nor compiler had to run.
    pub fn from_cache(&self) -> bool {
        self.0.from_cache
    }
}

/// Looks up every device kernel that a kernel's host part launches.
fn functions_of(
    program: &dyn brook_driver::Program,
    host: &[Statement],
    found: &mut Functions,
) -> Result<()> {
    for statement in host {
        match statement {
            Statement::Launch(launch) if found.iter().all(|(n, _)| *n != launch.kernel) => {
                let function = program.kernel(&launch.kernel)?;
                if launch.shared > 0 {
                    function.reserve(launch.shared)?;
                }
                found.push((launch.kernel.clone(), function));
            }
            Statement::Block(body) => functions_of(program, body, found)?,
            Statement::If {
                then, otherwise, ..
            } => {
                functions_of(program, then, found)?;
                functions_of(program, otherwise, found)?;
            }
            Statement::Loop { body, .. } => functions_of(program, body, found)?,
            Statement::Switch { cases, .. } => {
                for case in cases {
                    functions_of(program, &case.body, found)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Locks, also behind a panic elsewhere: nothing that is locked so is left half-way.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.kernel_names().collect();
        write!(
            f,
            "Program({}) on {}",
            names.join(", "),
            self.0.device.name()
        )
    }
}
