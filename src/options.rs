//! How to translate: what users choose, for every stage that asks.

use crate::extension::Extension;
use crate::intrinsics::Intrinsics;
use crate::module::Checking;
use crate::preprocess::Define;
use std::sync::Arc;

/// How a kernel's work is shared out among the items of a GPU, where that is not left to the translator. Results do not depend on
/// it: what is not legal for a kernel is not done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    /// How many iterations of the innermost loop, or elements of streams, an item takes at once, where these lie side by side: 1, or
    /// as many as an access of 16 bytes holds, and all powers of two between.
    pub elements: Option<u8>,
    /// OKL: how many neighbouring iterations of an outer loop an item runs, one after the other, where these read the same.
    pub coarsen: Option<u8>,
    /// For how many groups the registers of a multiprocessor are to suffice, where a compiler can be told (CUDA's launch bounds).
    pub groups: Option<u8>,
}

impl Choices {
    /// What can be chosen, by its name on the command line and in files.
    pub const NAMES: [&'static str; 3] = ["elements", "coarsen", "groups"];

    /// Chooses by name.
    ///
    /// # Errors
    /// There is no such choice, or the value is no number from 1 to 255.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let place = match name {
            "elements" => &mut self.elements,
            "coarsen" => &mut self.coarsen,
            "groups" => &mut self.groups,
            _ => {
                let names = Self::NAMES.join(", ");
                return Err(format!(
                    "nothing called '{name}' can be chosen; {names} can"
                ));
            }
        };
        match value.trim().parse() {
            Ok(number) if number > 0 => {
                *place = Some(number);
                Ok(())
            }
            _ => Err(format!("'{name}' is a number from 1 to 255, not '{value}'")),
        }
    }

    /// What is chosen, by name.
    pub fn get(&self, name: &str) -> Option<u8> {
        match name {
            "elements" => self.elements,
            "coarsen" => self.coarsen,
            "groups" => self.groups,
            _ => None,
        }
    }

    /// These where they say something, and `other` where they do not.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            elements: self.elements.or(other.elements),
            coarsen: self.coarsen.or(other.coarsen),
            groups: self.groups.or(other.groups),
        }
    }
}

/// How to translate.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Macros, in order, as if by `-D`.
    pub defines: Vec<Define>,
    /// Where includes are searched, after the including file's own directory.
    pub include_directories: Vec<String>,
    /// Headers put before the source, in order.
    pub forced_includes: Vec<String>,
    /// Leave out the barriers between inner loops that the language implies.
    pub no_auto_barriers: bool,
    /// Give each item of a GPU one iteration, and one element of streams, even where several would be read and
    /// written at once, or neighbouring ones read the same; and each item of a processor loops of its own, where several could run one together.
    pub no_widen: bool,
    /// How the work of single kernels is shared out, by name; of the kernel `*` that of all others. The last one counts.
    pub choices: Vec<(String, Choices)>,
    /// Brook+: write sums of a product in one expression as one operation, which rounds once (`fma`), for compilers that are told
    /// to contract none.
    pub contract: bool,
    /// OKL, where buffers have no addresses (OpenCL): each pointer of a device kernel is a buffer and, in the parameter
    /// behind it, how many bytes into it the pointer points. For parts that begin where no buffer object can.
    pub buffer_offsets: bool,
    /// Leave out the launcher, which takes as long to write as a short kernel's own source.
    pub no_launcher: bool,
    /// Kernels wanted of templates: `f<float, 4>`. They are launched by the name given here.
    pub instantiate: Vec<String>,
    /// Kernels that are templates are for later: what is known of them is in the metadata, and those of which none is
    /// instantiated are no error.
    pub templates_later: bool,
    /// Names of OKL that nobody declares are no error: the device's compiler is told what they are, by flags of its own.
    pub undeclared_later: bool,
    /// Translate no kernels but those of `instantiate`.
    pub only_instances: bool,
    /// What adds attributes, checks or stages of its own.
    pub extensions: Vec<Arc<dyn Extension>>,
    /// Functions that each backend spells in its own way, besides the built-in ones.
    pub intrinsics: Intrinsics,
    /// How strictly Brook+ kernels are checked.
    pub checking: Checking,
    /// Put `#line` into the device source, so that its compiler's messages name the user's lines.
    pub line_directives: bool,
    /// Expand no macros in Brook+ kernels, as AMD's compiler did.
    pub unexpanded: bool,
    /// Other files of the host program call the Brook+ kernels: there is a header for them.
    pub exported_kernels: bool,
    /// With that, functions of the host program are C's to the linker.
    pub c_functions: bool,
    /// `streamScatterOp` does what BrookGPU's runtime did: `s[i] = op(array[index[i]], s[i])`.
    pub scatter_order_runtime: bool,
}

impl Options {
    /// How the work of a kernel is shared out.
    pub(crate) fn choices_of(&self, kernel: &str) -> Choices {
        let of = |name: &str| {
            // Instances of templates are written with blanks and without.
            let letters =
                |n: &str| -> String { n.chars().filter(|c| !c.is_whitespace()).collect() };
            let name = letters(name);
            let found = self.choices.iter().rev();
            let found = found.filter(|(n, _)| letters(n) == name);
            found.fold(Choices::default(), |all, (_, c)| all.or(*c))
        };
        match self.choices.is_empty() {
            true => Choices::default(),
            false => of(kernel).or(of("*")),
        }
    }
}
