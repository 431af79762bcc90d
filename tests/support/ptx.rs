//! What PTX says of a kernel's memory.

use std::collections::{BTreeSet, HashMap, HashSet};

/// Reads through the cache for constant memory of arrays that the same kernel writes: such a read may be answered
/// with what was there before. One line for each: the kernel, the parameter, and the instruction.
pub fn stale_reads(ptx: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (name, lines) in kernels(ptx) {
        let addresses = Addresses::new(&lines);
        let changes = ["st.global", "st.", "atom.", "red."];
        let spared = [
            "st.local",
            "st.shared",
            "st.param",
            "atom.shared",
            "red.shared",
        ];
        let mut written = BTreeSet::new();
        for line in &lines {
            let change = changes.iter().any(|c| line.starts_with(c));
            if change && !spared.iter().any(|s| line.starts_with(s)) {
                written.extend(addresses.parameters(line));
            }
        }
        for line in lines.iter().filter(|l| l.starts_with("ld.global.nc")) {
            for parameter in addresses.parameters(line).intersection(&written) {
                found.push(format!("{name}: {parameter}: {line}"));
            }
        }
    }
    found
}

/// Reads from an address that was picked among those of several arrays. One line for each: the kernel and the
/// instruction.
pub fn joined_reads(ptx: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (name, lines) in kernels(ptx) {
        let addresses = Addresses::new(&lines);
        for line in lines.iter().filter(|l| l.starts_with("ld.global")) {
            if addresses.parameters(line).len() > 1 {
                found.push(format!("{name}: {line}"));
            }
        }
    }
    found
}

/// Kernels that read no memory of arrays behind their last barrier.
pub fn last_phases_without_reads(ptx: &str) -> Vec<String> {
    let silent = kernels(ptx).filter(|(_, lines)| {
        let last = lines.iter().rposition(|l| l.starts_with("bar.sync"));
        let behind = last.map_or(&lines[..], |at| &lines[at..]);
        !behind.iter().any(|l| l.starts_with("ld.global"))
    });
    silent.map(|(name, _)| name).collect()
}

/// The kernels' names and lines, without predicates.
fn kernels(ptx: &str) -> impl Iterator<Item = (String, Vec<&str>)> {
    ptx.split(".entry ").skip(1).map(|kernel| {
        let name = kernel
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '$')
            .collect();
        // Functions may follow, whose registers have the same names.
        let body = kernel.lines().take_while(|l| *l != "}");
        (name, body.map(|l| unguarded(l.trim())).collect())
    })
}

/// How many reads a kernel makes of memory that never changes.
pub fn constant_reads(ptx: &str) -> usize {
    ptx.lines()
        .filter(|l| unguarded(l.trim()).starts_with("ld.global.nc"))
        .count()
}

/// Without the predicate.
fn unguarded(line: &str) -> &str {
    match line.strip_prefix('@') {
        Some(rest) => rest
            .split_once(char::is_whitespace)
            .map_or("", |(_, l)| l.trim()),
        None => line,
    }
}

/// From what each register is computed.
struct Addresses<'t> {
    from: HashMap<&'t str, Vec<&'t str>>,
    /// Registers that hold a parameter which is a pointer.
    pointers: HashMap<&'t str, &'t str>,
}

impl<'t> Addresses<'t> {
    fn new(lines: &[&'t str]) -> Self {
        let mut from: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut loaded: HashMap<&str, &str> = HashMap::new();
        let mut moved: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut converted = Vec::new();
        for line in lines {
            let Some((instruction, operands)) = line.split_once(char::is_whitespace) else {
                continue;
            };
            let mut registers = registers(operands);
            let Some(target) = registers.next() else {
                continue;
            };
            // A condition may choose among addresses, and is none itself.
            let sources: Vec<&str> = registers.filter(|r| !is_predicate(r)).collect();
            if instruction.starts_with("ld.param") {
                let parameter = operands.split(['[', ']', '+']).nth(1);
                if let Some(parameter) = parameter.filter(|_| instruction.ends_with("64")) {
                    loaded.insert(target, parameter);
                }
                continue;
            }
            if instruction.starts_with("ld.") || instruction.starts_with("st.") {
                continue;
            }
            if instruction.starts_with("cvta.to.global") {
                converted.extend(sources.iter().copied());
            }
            if instruction.starts_with("mov") || instruction.starts_with("selp") {
                moved.entry(target).or_default().extend(&sources);
            }
            from.entry(target).or_default().extend(sources);
        }
        // What becomes an address of global memory is a pointer; other parameters of 64 bits are numbers.
        let mut pointers = HashMap::new();
        let mut seen = HashSet::new();
        while let Some(register) = converted.pop() {
            if seen.insert(register) {
                if let Some(parameter) = loaded.get(register) {
                    pointers.insert(register, *parameter);
                }
                converted.extend(moved.get(register).into_iter().flatten());
            }
        }
        Self { from, pointers }
    }

    /// The parameters that the address of an instruction is made of.
    fn parameters(&self, line: &'t str) -> BTreeSet<&'t str> {
        let address = line.split(['[', ']']).nth(1).unwrap_or("");
        let mut work: Vec<&str> = registers(address).collect();
        let (mut seen, mut found) = (HashSet::new(), BTreeSet::new());
        while let Some(register) = work.pop() {
            if seen.insert(register) {
                found.extend(self.pointers.get(register).copied());
                work.extend(self.from.get(register).into_iter().flatten());
            }
        }
        found
    }
}

fn is_predicate(register: &str) -> bool {
    let number = register.strip_prefix("%p");
    number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
}

fn registers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '%' | '_' | '.')))
        .filter(|word| word.starts_with('%'))
}
