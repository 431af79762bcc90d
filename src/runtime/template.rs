//! Kernels that are templates: what the arguments of a launch say about the template's parameters.
//!
//! The rules, for each parameter of the template:
//!
//! 1. What is given by name ([`Kernel::with`]), or asked for with the kernel (`program.kernel("add<float>")`), is that.
//! 2. Otherwise pointers decide: memory of floats, given for `T *`, `const T *restrict` or `T a[]`, says that `T` is
//!    `float`. Two of two types are an error. Elements of two or four numbers are vectors (`float4`); structures, and
//!    other numbers of numbers, have no name that anybody knows, and memory without a type, null pointers and raw buffers
//!    say nothing.
//! 3. Where no pointer says anything, values do: `const T alpha` is of the number's or vector's own type. Again, two types
//!    are an error. Where pointers have decided, values convert as those of all kernels do.
//! 4. Otherwise the default holds, which may speak of parameters before it.
//! 5. Otherwise that is an error, which says what the arguments were.
//!
//! Types in which a parameter is only a part (`Complex<T>`, `T **`) say nothing.
//!
//! The arguments' types are looked up in a list of those that there were before, so that a launch costs little more
//! than that of any other kernel: nothing is locked, allocated or compared but a few bytes.

use super::argument::{Passed, check_count};
use super::call_argument::StreamArgument;
use super::instance::Instance;
use super::kernel::Which;
use super::list::List;
use super::plain::ElementKind;
use super::{Error, Kernel, KernelArgument, Program, Result};
use crate::compat::is_argument;
use crate::expr::Scalar;
use crate::module::{KernelTemplate, Tells, TemplatedParameter, VectorType};
use crate::render::{Form, KernelMetadata, ParameterMetadata, Role};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Parameters that decide, without asking the heap.
const SHORT: usize = 16;

/// A kernel that is a template, with what is given of its arguments.
pub(super) struct Template {
    /// Which of the program's.
    index: usize,
    /// In the one spelling.
    given: Vec<Option<String>>,
    /// What is known of it before it has arguments.
    pub(super) metadata: KernelMetadata,
    /// Parameters whose arguments' types count.
    deciding: Vec<Deciding>,
    known: OnceLock<Box<Known>>,
}

struct Deciding {
    /// Which parameter of the kernel.
    argument: usize,
    /// Which parameter of the template.
    parameter: usize,
    pointer: bool,
}

/// The kernel for arguments of such types; a list that only grows.
struct Known {
    types: Box<[Told]>,
    instance: Instance,
    next: OnceLock<Box<Known>>,
}

/// What an argument says about the type that a parameter is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// A number, or a vector of so many.
    Type(Scalar, u8),
    /// It is no value where one is wanted, or no pointer.
    Wrong,
    /// Nothing: a null pointer, memory without a type, bytes.
    Nothing,
    /// Its type has no name.
    Nameless,
}

impl Told {
    fn elements(kind: ElementKind) -> Self {
        match kind {
            ElementKind::Numbers(scalar, 1) => Self::Type(scalar, 1),
            ElementKind::Numbers(scalar, width @ (2 | 4)) if scalar != Scalar::Bool => {
                Self::Type(scalar, width as u8)
            }
            ElementKind::Numbers(..) | ElementKind::Structure(_) => Self::Nameless,
        }
    }

    /// By an argument for a pointer, or for a value.
    fn by(argument: &Passed<'_>, pointer: bool) -> Self {
        match (argument, pointer) {
            (
                Passed::Memory {
                    kind: Some(kind), ..
                },
                true,
            ) => Self::elements(*kind),
            (Passed::Memory { kind: None, .. } | Passed::Raw(_) | Passed::Null, true)
            | (Passed::Bytes(_), false) => Self::Nothing,
            (Passed::Scalar(value), false) => Self::Type(value.scalar(), 1),
            (Passed::Vector(ty, _), false) => Self::Type(ty.scalar, ty.width),
            _ => Self::Wrong,
        }
    }

    /// The same of a call over streams.
    fn by_stream(argument: &StreamArgument<'_>, pointer: bool) -> Self {
        match (argument.stream(), argument.value()) {
            (Some(stream), _) if pointer => match stream.element.numbers() {
                Some((scalar, width)) => Self::elements(ElementKind::Numbers(scalar, width.into())),
                None => Self::Nameless,
            },
            (None, Some((scalar, bytes))) if !pointer => {
                match (bytes.len() / scalar.size(), scalar) {
                    (1, _) => Self::Type(scalar, 1),
                    (width @ 2..=4, scalar) if scalar != Scalar::Bool => {
                        Self::Type(scalar, width as u8)
                    }
                    _ => Self::Nameless,
                }
            }
            // A structure's bytes.
            (None, None) if !pointer => Self::Nothing,
            _ => Self::Wrong,
        }
    }

    /// The type's name, if it says one.
    fn name(self) -> Option<String> {
        match self {
            Self::Type(scalar, 1) => Some(scalar.c_name().to_string()),
            Self::Type(scalar, width) => Some(VectorType { scalar, width }.to_string()),
            _ => None,
        }
    }
}

impl Template {
    /// Template `index` of a program's, with those of its arguments.
    pub(super) fn new(index: usize, template: &KernelTemplate, given: Vec<Option<String>>) -> Self {
        let is_given = |parameter: usize| given.get(parameter).is_some_and(Option::is_some);
        let parameters = template.arguments.iter().enumerate();
        let deciding = parameters.filter_map(|(argument, own)| match own.tells {
            Tells::Type(parameter) if !is_given(parameter) => Some(Deciding {
                argument,
                parameter,
                pointer: own.pointer,
            }),
            _ => None,
        });
        Self {
            index,
            deciding: deciding.collect(),
            metadata: KernelMetadata {
                operator: None,
                name: template.name.clone(),
                form: Form::Okl,
                parameters: template.arguments.iter().map(described).collect(),
                pads_ranks: false,
                elementwise: false,
                placed: false,
                loops: false,
                vector_functions: false,
                gathers_beside: false,
                in_bounds: false,
                any_order: None,
                host: Vec::new(),
            },
            given,
            known: OnceLock::new(),
        }
    }

    /// An argument for each parameter, where no launch could tell another.
    pub(super) fn whole(&self, program: &Program) -> Option<Vec<String>> {
        let template = self.of(program);
        let whole = self
            .deciding
            .is_empty()
            .then(|| template.complete(&self.given));
        whole?.ok()
    }

    /// What is known of the template.
    pub(super) fn of<'p>(&self, program: &'p Program) -> &'p KernelTemplate {
        &program.metadata().templates[self.index]
    }

    /// The same with one more argument.
    fn with(&self, program: &Program, name: &str, argument: &str) -> Result<Self> {
        let template = self.of(program);
        let Some(index) = template.parameter(name) else {
            return Err(Error::argument(format!(
                "kernel '{}' has no template parameter '{name}'",
                template.describe()
            )));
        };
        let mut given = self.given.clone();
        given[index] = Some(canonical(template, index, argument)?);
        Ok(Self::new(self.index, template, given))
    }

    /// The kernel for such arguments, which is made where there is none yet.
    pub(super) fn instance(
        &self,
        program: &Program,
        arguments: &[KernelArgument<'_>],
    ) -> Result<&Instance> {
        check_count(&self.metadata, arguments.len())?;
        self.instance_by(
            program,
            &|index, pointer| Told::by(&arguments[index].0, pointer),
            &|index| arguments[index].0.describe(),
        )
    }

    /// The same for a call over streams.
    pub(super) fn instance_of_streams(
        &self,
        program: &Program,
        arguments: &[StreamArgument<'_>],
    ) -> Result<&Instance> {
        check_count(&self.metadata, arguments.len())?;
        self.instance_by(
            program,
            &|index, pointer| Told::by_stream(&arguments[index], pointer),
            &|index| arguments[index].describe(),
        )
    }

    fn instance_by(
        &self,
        program: &Program,
        told: &dyn Fn(usize, bool) -> Told,
        describe: &dyn Fn(usize) -> String,
    ) -> Result<&Instance> {
        let mut types = List::<_, SHORT>::new(Told::Nothing);
        types.extend(self.deciding.iter().map(|d| told(d.argument, d.pointer)));
        let mut place = &self.known;
        while let Some(known) = place.get() {
            if *known.types == *types {
                return Ok(&known.instance);
            }
            place = &known.next;
        }
        let arguments = self.deduce(program, &types, describe)?;
        let mut new = Box::new(Known {
            types: types.to_vec().into(),
            instance: program.instance_of(self.of(program), &arguments)?,
            next: OnceLock::new(),
        });
        loop {
            match place.set(new) {
                Ok(()) => break,
                Err(late) => new = late,
            }
            // Another thread was faster, perhaps with the same.
            let Some(known) = place.get() else { continue };
            if *known.types == *new.types {
                break;
            }
            place = &known.next;
        }
        match place.get() {
            Some(known) => Ok(&known.instance),
            None => Err(Error::argument("the kernel is gone")),
        }
    }

    /// An argument for each parameter of the template.
    fn deduce(
        &self,
        program: &Program,
        types: &[Told],
        describe: &dyn Fn(usize) -> String,
    ) -> Result<Vec<String>> {
        let template = self.of(program);
        let mut given = self.given.clone();
        for (parameter, place) in given.iter_mut().enumerate() {
            for pointer in [true, false] {
                let deciding = self.deciding.iter().zip(types);
                let own = deciding
                    .filter(|(d, _)| d.parameter == parameter && d.pointer == pointer)
                    .filter_map(|(d, told)| Some((d.argument, told.name()?)));
                let own: Vec<(usize, String)> = own.collect();
                let Some((first, name)) = own.first().filter(|_| place.is_none()) else {
                    continue;
                };
                if let Some((other, different)) = own.iter().find(|(_, n)| n != name) {
                    return Err(two_types(
                        template,
                        parameter,
                        (*first, name),
                        (*other, different),
                    ));
                }
                *place = Some(name.clone());
            }
        }
        template
            .complete(&given)
            .map_err(|parameter| self.unknown(template, parameter, describe))
    }

    /// A parameter of the template that nothing tells.
    fn unknown(
        &self,
        template: &KernelTemplate,
        parameter: usize,
        describe: &dyn Fn(usize) -> String,
    ) -> Error {
        let name = template.parameters.get(parameter).map_or("", |p| &p.name);
        let asked = self.deciding.iter().filter(|d| d.parameter == parameter);
        let mut why: Vec<String> = asked
            .map(|d| {
                let own = &template.arguments[d.argument];
                let star = if own.pointer {
                    "a pointer to "
                } else {
                    "of type "
                };
                format!(
                    "argument {} '{}' is {star}{name}, and got {}",
                    d.argument + 1,
                    own.name,
                    describe(d.argument)
                )
            })
            .collect();
        if why.is_empty() {
            let hidden = template.arguments.iter().position(|own| {
                own.tells == Tells::Hidden && crate::lex::mentions(&own.type_name, &[name])
            });
            why.push(match hidden {
                Some(index) => format!(
                    "argument {} '{}' is of type '{}', which does not tell it",
                    index + 1,
                    template.arguments[index].name,
                    template.arguments[index].type_name
                ),
                None => "no argument's type tells it".to_string(),
            });
        }
        Error::argument(format!(
            "template parameter '{name}' of kernel '{}' is not known: {}; {}",
            template.name,
            why.join("; "),
            how_to_say(template, name)
        ))
    }
}

/// An argument that was given for a parameter of a template, in the one spelling.
pub(super) fn canonical(template: &KernelTemplate, index: usize, argument: &str) -> Result<String> {
    let Some(parameter) = template.parameters.get(index) else {
        return Err(Error::argument(format!(
            "kernel '{}' has {} template parameters; got {}",
            template.describe(),
            template.parameters.len(),
            index + 1
        )));
    };
    match is_argument(argument) {
        true => Ok(parameter.canonical(argument)),
        false => Err(Error::argument(format!(
            "'{argument}' is no argument for template parameter '{}' of kernel '{}'",
            parameter.name, template.name
        ))),
    }
}

fn two_types(
    template: &KernelTemplate,
    parameter: usize,
    (first, one): (usize, &str),
    (second, other): (usize, &str),
) -> Error {
    let name = template.parameters.get(parameter).map_or("", |p| &p.name);
    let argument = |index: usize| {
        let own = &template.arguments[index].name;
        format!("argument {} '{own}'", index + 1)
    };
    Error::argument(format!(
        "template parameter '{name}' of kernel '{}' cannot be both {one} by {} and {other} by {}; {}",
        template.name,
        argument(first),
        argument(second),
        how_to_say(template, name)
    ))
}

/// How the caller says what a parameter is.
fn how_to_say(template: &KernelTemplate, name: &str) -> String {
    format!(
        "give '{name}' by name, or ask for the kernel as '{}' with what they are",
        template.describe()
    )
}

/// A kernel's parameter, as far as its type is known.
fn described(own: &TemplatedParameter) -> ParameterMetadata {
    let plain = own.tells == Tells::Nothing;
    let is_deep = own.type_name.ends_with('*');
    let words = own.type_name.trim_end_matches(['*', ' ']);
    let scalar = Scalar::from_words(words.split_ascii_whitespace()).filter(|_| plain);
    let vector = VectorType::from_name(words).filter(|_| plain);
    ParameterMetadata {
        name: own.name.clone(),
        role: match own.pointer {
            true => Role::Buffer,
            false => Role::Value,
        },
        type_name: own.type_name.clone(),
        scalar,
        bytes: match is_deep {
            true => Some(8),
            false => scalar.map(Scalar::size).or(vector.map(VectorType::size)),
        },
        dtype: None,
        constant: own.constant,
        dimensions: Vec::new(),
        extents: Vec::new(),
        numbers: Vec::new(),
        indices: Vec::new(),
    }
}

impl Kernel {
    /// The parameters that it has as a template; none of other kernels. Those of the kernel itself
    /// ([`Kernel::metadata`]) have types as they stand in the template, and no size where that depends on the template's
    /// arguments.
    pub fn template(&self) -> Option<&KernelTemplate> {
        match &self.which {
            Which::Template(template) => Some(template.of(&self.program)),
            Which::Declared { .. } => None,
        }
    }

    /// A kernel that is a template with one of the template's arguments: `scale.with("N", 4)?.with("T", "float")?`. What
    /// is not given is deduced from the arguments of each launch, or has its default.
    ///
    /// # Errors
    /// It is no template, has no such parameter, or the text is none that can be an argument of a template.
    pub fn with(&self, parameter: &str, argument: impl fmt::Display) -> Result<Self> {
        let Which::Template(template) = &self.which else {
            return Err(Error::argument(format!(
                "kernel '{}' is no template: it has no parameter '{parameter}' to be given",
                self.metadata().name
            )));
        };
        let template = template.with(&self.program, parameter, &argument.to_string())?;
        Ok(Self {
            program: self.program.clone(),
            which: Which::Template(Arc::new(template)),
        })
    }

    /// The kernel that a launch with these arguments runs, built where there is none yet; a kernel that is no template
    /// is its own. Only the arguments' types count.
    ///
    /// # Errors
    /// What a template's parameters are is not known from these arguments, or the kernel does not build.
    pub fn instance(&self, arguments: &[KernelArgument<'_>]) -> Result<Self> {
        match &self.which {
            Which::Declared { .. } => Ok(self.clone()),
            Which::Template(template) => {
                let instance = template.instance(&self.program, arguments)?;
                Ok(instance.kernel(&self.program))
            }
        }
    }
}
