//! One run of a kernel, from its arguments to its findings.

use super::code::{Code, Owner, Parameter, Width};
use super::compile::compile;
use super::findings::Findings;
use super::machine::Machine;
use super::memory::{self, Memory, fetch};
use super::thread::Thread;
use super::trace::{Launched, Trace};
use super::{Argument, Failure, Settings};
use crate::body::{BodyId, Program};
use std::collections::HashMap;

/// Runs a kernel; arguments hold afterwards what it made of them. What was found, and what was launched.
///
/// # Errors
/// What is not modelled, arguments that do not fit, and limits.
pub(crate) fn run(
    program: &Program,
    kernel: BodyId,
    arguments: &mut [Argument],
    settings: &Settings,
) -> Result<(Findings, Vec<Launched>), Failure> {
    let code = compile(program, kernel).map_err(Failure::NotModelled)?;
    let names: Vec<&str> = {
        let body = &program.bodies[kernel.0 as usize];
        let parameters = &body.variables[..body.parameters as usize];
        parameters.iter().map(|v| v.name.as_str()).collect()
    };
    run_code(&code, &names, arguments, settings)
}

fn run_code(
    code: &Code,
    names: &[&str],
    arguments: &mut [Argument],
    settings: &Settings,
) -> Result<(Findings, Vec<Launched>), Failure> {
    if arguments.len() != code.parameters.len() {
        return Err(Failure::Argument(
            arguments.len().min(code.parameters.len()),
        ));
    }
    let mut machine = Machine::new(code, settings);
    let mut host = Thread::new(0);
    host.begin(code, code.initial, code.functions[code.initial].entry);
    machine.add_objects(names, arguments)?;
    // The host's part and a group have variables, too, before any item has.
    let each = 2 * code.functions[code.kernel].bytes;
    if each > settings.memory {
        return Err(Failure::Memory(None));
    }
    machine.memory.clock.now = 1;
    machine.memory.clock.launch = 1;
    machine.memory.clock.group = 1;
    machine.run_host(&mut host)?;
    host.begin(code, code.kernel, code.functions[code.kernel].entry);
    machine.memory.clock.barrier();
    let mut next = code.objects.len() as u32;
    for (index, (parameter, argument)) in code.parameters.iter().zip(&*arguments).enumerate() {
        match (parameter, argument) {
            (Parameter::Numbers(to, scalar, count), Argument::Value(bytes)) => {
                let width = Width::of(*scalar);
                for at in 0..usize::from(*count) {
                    let from = at * width.bytes();
                    if bytes.len() < from + width.bytes() {
                        return Err(Failure::Argument(index));
                    }
                    host.registers[usize::from(*to) + at] = fetch(bytes, from, width);
                }
            }
            (Parameter::Bytes(to, size), Argument::Value(bytes)) => {
                if bytes.len() as u64 != *size {
                    return Err(Failure::Argument(index));
                }
                host.registers[usize::from(*to)] = memory::pointer_to(next);
                next += 1;
            }
            (Parameter::Pointer(to, ..), Argument::Buffer { .. }) => {
                host.registers[usize::from(*to)] = memory::pointer_to(next);
                next += 1;
            }
            _ => return Err(Failure::Argument(index)),
        }
    }
    machine.run_host(&mut host)?;
    let mut next = code.objects.len() as u32;
    for (parameter, argument) in code.parameters.iter().zip(arguments) {
        if let (Parameter::Bytes(..) | Parameter::Pointer(..), argument) = (parameter, argument) {
            if let Argument::Buffer { bytes, .. } = argument {
                bytes.copy_from_slice(machine.memory.content(next));
            }
            next += 1;
        }
    }
    Ok((machine.findings, machine.trace.launches))
}

impl<'c> Machine<'c> {
    fn new(code: &'c Code, settings: &'c Settings) -> Self {
        Self {
            code,
            settings,
            memory: Memory::default(),
            names: Vec::new(),
            findings: Findings::default(),
            steps: settings.steps,
            groups: Vec::new(),
            items: Vec::new(),
            slots: HashMap::new(),
            threads: Vec::new(),
            nests: vec![([0; 3], Vec::new()); code.nests.len()],
            launches: 0,
            trace: Trace::default(),
            shared: Vec::new(),
        }
    }

    /// Makes the objects that all see: those of the code, then those of arguments.
    fn add_objects(&mut self, names: &[&str], arguments: &[Argument]) -> Result<(), Failure> {
        let mut left = self.settings.memory;
        let mut charge = |size: u64, granule: u64| {
            left = left.checked_sub(Memory::cost(size, granule))?;
            Some(())
        };
        for object in &self.code.objects {
            charge(object.size, object.granule).ok_or(Failure::Memory(None))?;
            // Variables of a file are zeros before anything else.
            let filled = object.owner == Owner::Constant;
            let number = self.memory.add(object.size, object.granule, filled);
            let made = &mut self.memory.objects[number as usize];
            made.of_group = matches!(object.owner, Owner::Shared | Owner::Group);
            made.only_read = matches!(object.owner, Owner::Group | Owner::Host);
            self.names.push((object.name.clone(), object.element));
        }
        for ((parameter, argument), name) in self.code.parameters.iter().zip(arguments).zip(names) {
            let (bytes, filled, element, granule) = match (parameter, argument) {
                (Parameter::Bytes(_, size), Argument::Value(bytes)) => (bytes, true, *size, 1),
                (Parameter::Pointer(_, element, granule), Argument::Buffer { bytes, filled }) => {
                    (bytes, *filled, *element, *granule)
                }
                _ => continue,
            };
            charge(bytes.len() as u64, granule).ok_or(Failure::Memory(None))?;
            let number = self.memory.add(bytes.len() as u64, granule, filled);
            self.memory.content(number).copy_from_slice(bytes);
            self.names.push(((*name).to_string(), element));
        }
        Ok(())
    }
}
