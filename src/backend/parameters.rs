//! How a kernel's parameters are written.

use super::Spelling;

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchParameter {
    /// Its declaration, as a function would have it.
    pub declaration: String,
    /// Its name.
    pub name: String,
    /// It points to memory.
    pub pointer: bool,
}

impl LaunchParameter {
    /// A parameter of a text that this program makes: its name comes last.
    fn read(declaration: &str) -> Self {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let name = declaration.rsplit(|c| !word(c)).next().unwrap_or_default();
        Self {
            declaration: declaration.to_string(),
            name: name.to_string(),
            pointer: declaration.contains('*'),
        }
    }
}

/// A word before others, if there is one.
pub fn spaced(word: &str) -> String {
    match word {
        "" => String::new(),
        word => format!("{word} "),
    }
}

impl Spelling {
    /// What stands between the brackets of a kernel's head, and the declarations that its body begins with.
    ///
    /// `collective` says that the kernel calls functions of the group.
    pub fn kernel_parameters(
        &self,
        parameters: &[LaunchParameter],
        collective: bool,
    ) -> (String, Vec<String>) {
        let mut copies = Vec::new();
        let mut all: Vec<String> = Vec::with_capacity(parameters.len() + 1);
        for (index, parameter) in parameters.iter().enumerate() {
            let LaunchParameter {
                declaration,
                name,
                pointer,
            } = parameter;
            let (pattern, declared) = match pointer {
                true => (&self.pointer_parameter, declaration.clone()),
                false if self.value_parameter.is_empty() => {
                    (&self.value_parameter, declaration.clone())
                }
                false => {
                    let given = format!("brook_given_{name}");
                    copies.push(format!("{declaration} = {given};"));
                    let place = declaration
                        .rfind(name.as_str())
                        .unwrap_or(declaration.len());
                    let (before, behind) = declaration.split_at(place);
                    let behind = behind.strip_prefix(name.as_str()).unwrap_or(behind);
                    let given = self.value_name.replace("{name}", &given);
                    (&self.value_parameter, format!("{before}{given}{behind}"))
                }
            };
            all.push(match pattern.is_empty() {
                true => declared,
                false => pattern
                    .replace("{declaration}", &declared)
                    .replace("{index}", &index.to_string()),
            });
        }
        let further = [&self.further_parameters, &self.collective_parameters];
        let further = further.into_iter().take(if collective { 2 } else { 1 });
        all.extend(further.filter(|p| !p.is_empty()).cloned());
        (self.in_brackets(&all.join(", ")), copies)
    }

    /// What stands between the brackets of a kernel's head with these parameters.
    fn in_brackets(&self, parameters: &str) -> String {
        match self.all_parameters.as_str() {
            "" => parameters.to_string(),
            pattern => pattern.replace("{parameters}", parameters),
        }
    }

    /// The name that kernels, and functions whose items may wait, know `waiting_parameter` by; empty if there is none.
    pub fn waiting_argument(&self) -> String {
        LaunchParameter::read(&self.waiting_parameter).name
    }

    /// The same of `(…)` in a text that this program makes: the body's bracket, and the declarations behind it, too.
    pub fn kernel_head(&self, text: &str, collective: bool) -> String {
        let inner = text.trim();
        let inner = inner.strip_prefix('(').unwrap_or(inner);
        let inner = inner.strip_suffix(')').unwrap_or(inner);
        if self.has_plain_parameters() {
            return format!("({}) {{", self.in_brackets(inner));
        }
        let parameters = inner.split(',').map(str::trim).filter(|p| !p.is_empty());
        let parameters: Vec<LaunchParameter> = parameters.map(LaunchParameter::read).collect();
        let (list, copies) = self.kernel_parameters(&parameters, collective);
        let copies: String = copies.iter().map(|c| format!("\n  {c}")).collect();
        format!("({list}) {{{copies}")
    }

    /// Whether kernels have their parameters as functions have them.
    fn has_plain_parameters(&self) -> bool {
        self.pointer_parameter.is_empty()
            && self.value_parameter.is_empty()
            && self.further_parameters.is_empty()
            && self.collective_parameters.is_empty()
    }

    /// What makes a vector of that type, in a language of C, of what stands behind it in round brackets.
    pub fn vector_of(&self, spelled: &str) -> String {
        self.vector.replace("{type}", spelled)
    }
}
