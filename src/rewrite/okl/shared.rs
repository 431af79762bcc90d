//! Group memory: where its declarations go, and what is too large for them.

use super::Pass;
use crate::backend::Shared;
use crate::diagnostics::codes;
use crate::module::{ConstructKind, LoopId, Module, SharedVariable};
use crate::source::{Overlap, Span};
use foldhash::{HashMap, HashMapExt, HashSet};

/// Every array begins at a multiple of this many bytes.
const ALIGNMENT: u64 = 32;

/// Bytes that functions of the group may use besides.
const COLLECTIVES: u64 = 256;

/// What is known of the group memory of each nest.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Bytes of nests that need more than declarations may have.
    pub(super) dynamic: HashMap<LoopId, u64>,
    /// Bytes given away so far.
    used: HashMap<LoopId, u64>,
    /// The bytes of each variable of a nest, as C++ computes them.
    pub(super) taken: HashMap<LoopId, Vec<String>>,
    /// Names that were moved to the beginning of a nest's kernel.
    moved: HashSet<(LoopId, String)>,
}

impl Memory {
    /// `most` is what declarations may have; 0 is no limit.
    pub(super) fn new(module: &Module, most: u64) -> Self {
        let mut memory = Self::default();
        if most == 0 {
            return memory;
        }
        let mut totals: HashMap<LoopId, Option<u64>> = HashMap::new();
        for construct in &module.constructs {
            let ConstructKind::Shared {
                nest,
                variables,
                element,
                ..
            } = &construct.kind
            else {
                continue;
            };
            let bytes: Option<u64> =
                element.and_then(|e| variables.iter().map(|v| bytes(v, e)).sum::<Option<u64>>());
            let total = totals.entry(*nest).or_insert(Some(0));
            // What is not known is the compiler's affair.
            *total = total.zip(bytes).map(|(a, b)| a + b);
        }
        let calls = module.constructs.iter().filter_map(|c| match &c.kind {
            ConstructKind::Collective(call) => Some(call.nest),
            _ => None,
        });
        for nest in calls.collect::<HashSet<LoopId>>() {
            let total = totals.entry(nest).or_insert(Some(0));
            *total = total.map(|t| t + COLLECTIVES);
        }
        memory.dynamic = totals
            .into_iter()
            .filter_map(|(nest, total)| Some((nest, total.filter(|t| *t > most)?)))
            .collect();
        memory
    }
}

fn bytes(variable: &SharedVariable, element: u64) -> Option<u64> {
    let count: Option<u64> = variable.sizes.iter().map(|(_, n)| *n).product();
    count.map(|count| (count * element).next_multiple_of(ALIGNMENT))
}

impl Pass<'_> {
    /// A declaration of group memory.
    pub(super) fn shared(
        &mut self,
        span: Span,
        attribute: Span,
        words: Span,
        variables: &[SharedVariable],
        (element, of_kernel, ahead): (Option<u64>, bool, Option<&(String, String)>),
        nest: LoopId,
    ) -> Result<(), Overlap> {
        let spelling = &self.backend.spelling;
        if spelling.shared.is_empty() && spelling.shared_macro.is_empty() {
            if variables.iter().any(Self::is_flat) {
                return self.flat(span, words, variables, nest);
            }
            self.edits.delete_word(attribute, self.text);
            return self.matrices(span, words, variables, nest);
        }
        let mut ty = self.edits.take(words, self.text)?;
        let plain = ahead;
        let ahead = ahead.filter(|_| self.backend.lowering.shared == Shared::Hoist);
        if let Some((words, _)) = ahead {
            ty.clone_from(words);
        }
        let mut texts = Vec::new();
        for variable in variables {
            let declarator = variable.stars.of(self.text);
            let name = &variable.name;
            // Where the declaration goes, names of sizes may mean nothing.
            let size = |(span, n): &(Span, Option<u64>)| {
                let text = span.of(self.text).trim();
                match n {
                    Some(n) if text.contains(|c: char| c.is_alphabetic() || c == '_') => {
                        format!("[{n}]")
                    }
                    _ => format!("[{text}]"),
                }
            };
            let mut sizes: Vec<String> = variable.sizes.iter().map(size).collect();
            sizes.extend(ahead.map(|(_, of_type)| of_type.clone()));
            sizes.retain(|size| !size.is_empty());
            if !self.backend.is_cpp() && variable.sizes.iter().any(|(_, n)| n.is_none()) {
                self.error(&codes::SHARED_SIZE, variable.name_span, &[&variable.name]);
            }
            let all = sizes.concat();
            let parts = Parts {
                ty: &ty,
                declarator,
                name,
                sizes: &sizes,
                all: &all,
            };
            let bytes = element.and_then(|e| bytes(variable, e));
            let taken = self.memory.taken.entry(nest).or_default();
            taken.push(match (bytes, plain) {
                (Some(bytes), _) => bytes.to_string(),
                (None, Some((words, of_type))) => {
                    let own: String = variable.sizes.iter().map(size).collect();
                    format!("sizeof({words} {declarator}{own}{of_type})")
                }
                // Where that is asked for, the name means something else, or nothing.
                _ if of_kernel => "brook_size_of_a_type_of_the_kernel".to_string(),
                _ => format!("sizeof({ty} {declarator}{all})"),
            });
            if let Some(bytes) = bytes.filter(|_| self.memory.dynamic.contains_key(&nest)) {
                texts.push(self.dynamic(nest, &parts, bytes));
            } else if self.backend.lowering.shared == Shared::Hoist {
                texts.extend(self.moved(nest, &parts));
            } else {
                let declaration = format!("{ty} {declarator}{name}{all}");
                texts.push(self.backend.spelling.group_memory(name, &declaration));
            }
        }
        self.edits.discard(span);
        self.edits.replace(span, texts.join(" "));
        Ok(())
    }

    /// A place in the memory that the launch reserves.
    fn dynamic(&mut self, nest: LoopId, parts: &Parts<'_>, bytes: u64) -> String {
        let Parts {
            ty,
            declarator,
            name,
            all,
            ..
        } = parts;
        let used = self.memory.used.entry(nest).or_default();
        let from = *used;
        *used += bytes;
        let begin = match from {
            0 => format!("{} ", self.backend.spelling.dynamic_shared),
            _ => String::new(),
        };
        format!(
            "{begin}{ty} {declarator}(&{name}){all} = \
             *({ty} {declarator}(*){all})(brook_shared + {from});"
        )
    }

    /// A declaration at the beginning of the kernel. What stays in its place gives a name that is
    /// taken there already a second meaning.
    fn moved(&mut self, nest: LoopId, parts: &Parts<'_>) -> Option<String> {
        let Parts {
            ty,
            declarator,
            name,
            sizes,
            all,
        } = parts;
        let keyword = self.backend.spelling.shared.clone();
        let hoisted = self.hoisted.entry(nest).or_default();
        if self.memory.moved.insert((nest, (*name).to_string())) {
            hoisted.push(format!("{keyword} {ty} {declarator}{name}{all};"));
            return None;
        }
        let other = format!("brook_{name}_{}", hoisted.len());
        match sizes.split_first() {
            Some((_, rest)) => {
                hoisted.push(format!("{keyword} {ty} {declarator}{other}{all};"));
                let target = match rest {
                    [] => format!("*{name}"),
                    rest => format!("(*{name}){}", rest.concat()),
                };
                Some(format!("{keyword} {ty} {declarator}{target} = {other};"))
            }
            // Two single values of one name and, since they are used alike, of one type share a place:
            // their scopes are apart.
            None => None,
        }
    }
}

/// A declarator in pieces.
struct Parts<'t> {
    ty: &'t str,
    declarator: &'t str,
    name: &'t str,
    sizes: &'t [String],
    all: &'t str,
}
