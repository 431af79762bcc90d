//! Forms of an item: kernels that are translated, and kernels written by hand, ready to be launched.

use super::data::{Data, Memory};
use super::library::Library;
use super::numbers::{Numbers, Text};
use super::work::{Hand, Item, Launch, Translated, Work};
use brook::expr::{Scalar, Value};
use brook::runtime::{DynStream, KernelArgument, StreamArgument};
use brook::{BuildOptions, Device, Source};
use brook_driver::{Argument, CompileOptions};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sources that are built once for all items of a folder and a type.
pub struct Sources<'w> {
    device: &'w Device,
    work: &'w Work,
    defines: Vec<(String, String)>,
    okl: Option<brook::Program>,
    br: Option<brook::Program>,
    hand: Option<Arc<dyn brook_driver::Program>>,
    library: Option<Result<Library, String>>,
}

/// The name of the hand-written source for a backend's compiler.
fn hand_source(backend: &str) -> Option<&'static str> {
    match backend {
        "cuda" | "hip" => Some("hand.cu"),
        "opencl" => Some("hand.cl"),
        "openmp" => Some("hand.cpp"),
        _ => None,
    }
}

/// A hand-written source as compilers are given it: macros before it, for the processor also what makes
/// kernels of functions.
pub fn hand_text(
    work: &Work,
    backend: &str,
    defines: &[(String, String)],
) -> Result<Option<String>, String> {
    let Some(path) = hand_source(backend).and_then(|name| work.source(name)) else {
        return Ok(None);
    };
    let read = |path: &std::path::Path| {
        std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let mut text = String::new();
    for (name, value) in defines {
        text += &format!("#define {name} {value}\n");
    }
    if backend == "openmp" {
        text += &read(&work.folder.with_file_name("launch.hpp"))?;
    }
    text += &read(&path)?;
    Ok(Some(text))
}

/// Macros of a folder's sources for one type.
pub fn defines(
    work: &Work,
    real: &str,
    numbers: &Numbers,
) -> Result<Vec<(String, String)>, String> {
    let mut all = Vec::new();
    if !real.is_empty() {
        all.push(("REAL".to_string(), real.to_string()));
    }
    for (name, value) in &work.defines {
        all.push((name.clone(), numbers.size(value)?.to_string()));
    }
    Ok(all)
}

impl<'w> Sources<'w> {
    /// Builds what there is for the device.
    pub fn build(
        device: &'w Device,
        work: &'w Work,
        real: &str,
        numbers: &Numbers,
        flags: &[String],
    ) -> Result<Self, String> {
        let defines = defines(work, real, numbers)?;
        let translated = |name: &str| -> Result<Option<brook::Program>, String> {
            let Some(path) = work.source(name) else {
                return Ok(None);
            };
            let mut options = BuildOptions::new().cache(false);
            for (name, value) in &defines {
                options = options.define(name, value);
            }
            for flag in flags {
                options = options.flag(flag);
            }
            let program = device.build(Source::file(&path), &options);
            program
                .map(Some)
                .map_err(|e| format!("{}: {e}", path.display()))
        };
        let (okl, br) = (translated("kernel.okl")?, translated("kernel.br")?);
        let hand = match hand_text(work, &device.backend().name, &defines)? {
            None => None,
            Some(text) => {
                let wrong = |e: brook_driver::Error| {
                    format!(
                        "{}, by hand: {e}\n{}",
                        work.name,
                        e.log.clone().unwrap_or_default()
                    )
                };
                let driver = device.driver();
                // As translated kernels are compiled by default.
                let options = CompileOptions {
                    flags: flags.to_vec(),
                    ..CompileOptions::default()
                };
                let compiled = driver.compile(&text, &options);
                let binary = compiled.map_err(wrong)?;
                Some(driver.load(&binary).map_err(wrong)?)
            }
        };
        Ok(Self {
            device,
            work,
            defines,
            okl,
            br,
            hand,
            library: None,
        })
    }

    /// Names of all arguments that the item's forms have on this device.
    pub fn arguments(&self, item: &Item) -> Vec<String> {
        let mut all = Vec::new();
        let mut add = |own: &Option<Vec<String>>| {
            all.extend(own.as_ref().unwrap_or(&item.arguments).iter().cloned());
        };
        for translated in item.okl.iter().chain(&item.br) {
            add(&translated.arguments);
        }
        for hand in self.hands(item) {
            hand.launch
                .iter()
                .chain(&hand.library)
                .for_each(|launch| add(&launch.arguments));
        }
        all.sort();
        all.dedup();
        all
    }

    fn hands<'i>(&self, item: &'i Item) -> impl Iterator<Item = &'i Hand> {
        let name = self.device.backend().name.clone();
        let (hand, cuda) = (self.hand.is_some(), name == "cuda");
        item.hand.iter().filter(move |form| {
            let named = form
                .backends
                .as_ref()
                .is_none_or(|list| list.contains(&name));
            named && if form.library.is_some() { cuda } else { hand }
        })
    }

    /// All forms of the item, translated ones first; and those that cannot be, with the reason.
    #[allow(clippy::type_complexity, reason = "a pair of lists")]
    pub fn forms<'a>(
        &mut self,
        item: &Item,
        data: &'a Data,
        numbers: &Numbers,
    ) -> Result<(Vec<Form<'a>>, Vec<(String, String)>), String> {
        let (mut forms, mut missing) = (Vec::new(), Vec::new());
        if let (Some(program), Some(about)) = (&self.okl, &item.okl) {
            forms.push(okl(program, item, about, data)?);
        }
        if let (Some(program), Some(about)) = (&self.br, &item.br) {
            match stream(self.device, program, item, about, data) {
                Ok(form) => forms.push(form),
                // Emulated devices cannot make streams of the memory that all forms share.
                Err(error) if error.contains("takes no memory of others") => {
                    missing.push(("br".to_string(), error));
                }
                Err(error) => return Err(error),
            }
        }
        for hand in self.hands(item).cloned().collect::<Vec<_>>() {
            if let Some(launch) = &hand.library {
                let (device, work, defines) = (self.device, self.work, &self.defines);
                let library = self
                    .library
                    .get_or_insert_with(|| Library::build(device, work, defines));
                match library {
                    Err(reason) => missing.push((hand.name.clone(), reason.clone())),
                    Ok(library) => {
                        let name = kernel_name(item, &hand, launch);
                        let arguments =
                            given(data, launch.arguments.as_ref().unwrap_or(&item.arguments))?;
                        let call = library.call(self.device, &name, &arguments)?;
                        forms.push(Form {
                            name: hand.name.clone(),
                            by_hand: true,
                            launch: call,
                        });
                    }
                }
            } else if let Some(program) = &self.hand {
                forms.push(by_hand(&**program, item, &hand, data, numbers)?);
            }
        }
        Ok((forms, missing))
    }
}

/// A way to compute an item's outputs.
pub struct Form<'a> {
    /// `okl`, `br`, or the hand-written form's name.
    pub name: String,
    /// Whether it is the measure, and not what is measured.
    pub by_hand: bool,
    /// Enqueues it once.
    pub launch: Box<dyn FnMut() -> Result<(), String> + 'a>,
}

fn memory<'a>(data: &'a Data, name: &str) -> Result<&'a Memory, String> {
    data.memory
        .get(name)
        .ok_or_else(|| format!("there is no buffer '{name}'"))
}

fn okl<'a>(
    program: &brook::Program,
    item: &Item,
    about: &Translated,
    data: &'a Data,
) -> Result<Form<'a>, String> {
    let name = about.kernel.as_ref().unwrap_or(&item.name);
    let kernel = program.kernel(name).map_err(|e| e.to_string())?;
    let mut arguments: Vec<KernelArgument<'a>> = Vec::new();
    for name in about.arguments.as_ref().unwrap_or(&item.arguments) {
        arguments.push(match data.constants.get(name) {
            Some(constant) => match constant.value {
                Value::Float(Scalar::Float, x) => (x as f32).into(),
                Value::Float(_, x) => x.into(),
                Value::Int(_, n) => n.into(),
            },
            None => KernelArgument::buffer(&*memory(data, name)?.buffer),
        });
    }
    Ok(Form {
        name: "okl".to_string(),
        by_hand: false,
        // SAFETY: the works' kernels keep to the memory that is made for them.
        launch: Box::new(move || unsafe { kernel.launch(&arguments) }.map_err(|e| e.to_string())),
    })
}

fn stream<'a>(
    device: &Device,
    program: &brook::Program,
    item: &Item,
    about: &Translated,
    data: &'a Data,
) -> Result<Form<'a>, String> {
    let name = about.kernel.as_ref().unwrap_or(&item.name);
    let kernel = program.kernel(name).map_err(|e| e.to_string())?;
    enum Given {
        Stream(DynStream),
        Value(Scalar, Vec<u8>),
    }
    let mut given = Vec::new();
    for name in about.arguments.as_ref().unwrap_or(&item.arguments) {
        given.push(match data.constants.get(name) {
            Some(constant) => Given::Value(constant.value.scalar(), constant.bytes.clone()),
            None => {
                let memory = memory(data, name)?;
                let (kind, native) = (&memory.kind.name, memory.buffer.native());
                // SAFETY: the buffer has that many elements and outlives the form.
                let stream = unsafe { DynStream::import(device, kind, &memory.extents, native) };
                Given::Stream(stream.map_err(|e| e.to_string())?)
            }
        });
    }
    let launch = move || {
        let arguments = given.iter().map(|given| match given {
            Given::Stream(stream) => StreamArgument::Stream(stream),
            Given::Value(scalar, bytes) => StreamArgument::Value {
                scalar: *scalar,
                bytes,
            },
        });
        let mut arguments: Vec<_> = arguments.collect();
        kernel.call(&mut arguments).map_err(|e| e.to_string())
    };
    Ok(Form {
        name: "br".to_string(),
        by_hand: false,
        launch: Box::new(launch),
    })
}

fn given<'a>(data: &'a Data, names: &[String]) -> Result<Vec<Argument<'a>>, String> {
    let one = |name: &String| match data.constants.get(name) {
        Some(constant) => Ok(Argument::Value(&constant.bytes)),
        None => Ok(Argument::Buffer(&*memory(data, name)?.buffer)),
    };
    names.iter().map(one).collect()
}

fn kernel_name(item: &Item, hand: &Hand, launch: &Launch) -> String {
    let usual = || format!("{}_{}", item.name, hand.name);
    launch.kernel.clone().unwrap_or_else(usual)
}

fn by_hand<'a>(
    program: &dyn brook_driver::Program,
    item: &Item,
    hand: &Hand,
    data: &'a Data,
    numbers: &Numbers,
) -> Result<Form<'a>, String> {
    let mut launches = Vec::new();
    for launch in &hand.launch {
        let name = kernel_name(item, hand, launch);
        let kernel = program.kernel(&name).map_err(|e| e.to_string())?;
        let arguments = given(data, launch.arguments.as_ref().unwrap_or(&item.arguments))?;
        let grid = extents(numbers, &launch.grid)?.map(|n| n as u64);
        let group = extents(numbers, &launch.group)?.map(|n| n as u32);
        launches.push((kernel, grid, group, arguments));
    }
    let launch = move || {
        for (kernel, grid, group, arguments) in &launches {
            let launched = kernel.launch(*grid, *group, arguments);
            launched.map_err(|e| e.to_string())?;
        }
        Ok(())
    };
    Ok(Form {
        name: hand.name.clone(),
        by_hand: true,
        launch: Box::new(launch),
    })
}

fn extents(numbers: &Numbers, texts: &[Text]) -> Result<[usize; 3], String> {
    let mut all = [1; 3];
    for (extent, text) in all.iter_mut().zip(texts) {
        *extent = numbers.size(text)?;
    }
    Ok(all)
}

/// Numbers that expressions may use besides the sizes.
pub fn usual_numbers(
    work: &Work,
    sizes: &str,
    real: &str,
    units: usize,
) -> Result<Numbers, String> {
    let mut numbers = Numbers::default();
    let real = Scalar::from_words(real.split_whitespace());
    numbers.set("real", real.map_or(0, Scalar::size));
    numbers.set("units", units);
    let mut all: BTreeMap<String, Text> = work.names.clone();
    let sizes = work.sizes.get(sizes).cloned();
    all.extend(sizes.ok_or_else(|| format!("{}: no sizes of that name", work.name))?);
    numbers
        .add(&all)
        .map_err(|e| format!("{}: {e}", work.name))?;
    Ok(numbers)
}
