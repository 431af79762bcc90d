//! Statements of the host, executed: those of a kernel's host part and of the functions it calls.

use super::launch::{Bound, from_bytes};
use super::list::List;
use super::{Error, Result};
use crate::expr::{EvaluateError, Expr, Scalar, Scope, Value, evaluate_in, root_name};
use crate::module::{Case, HostFunction, Launch, Statement, Table, place, place_of};
use std::cell::Cell;
use std::fmt::Display;

/// Statements that may run between two launches. A host loop that goes on for longer than that and
/// launches nothing does not end.
const MOST_STEPS: u64 = 100_000_000;

/// Variables that need no memory of their own: more than most kernels have.
const SHORT: usize = 16;

/// How deep functions may call each other.
const DEEPEST: u32 = 200;

/// What statements refer to besides variables.
pub(crate) struct Program<'a> {
    kernel: &'a str,
    functions: &'a [HostFunction],
    tables: &'a [Table],
    steps: Cell<u64>,
    depth: Cell<u32>,
}

impl<'a> Program<'a> {
    /// A kernel's.
    pub(crate) fn new(kernel: &'a str, functions: &'a [HostFunction], tables: &'a [Table]) -> Self {
        Self {
            kernel,
            functions,
            tables,
            steps: Cell::new(0),
            depth: Cell::new(0),
        }
    }
}

/// How a statement ended.
#[derive(PartialEq)]
pub(crate) enum Flow {
    Next,
    Break,
    Continue,
    Return,
    /// The end of a function, with its value.
    Give(Value),
}

/// What a variable holds.
#[derive(Clone, Copy)]
enum Held {
    Value(Value),
    /// Which of the frame's arrays.
    Array(usize),
}

struct Array<'a> {
    extents: &'a [u64],
    elements: Vec<Value>,
}

/// Told of each launch.
type OnLaunch<'f> = dyn FnMut(&Frame<'_>, &Launch) -> Result<()> + 'f;

/// The variables of a kernel's host part, or of a call of a function.
pub(crate) struct Frame<'a> {
    program: &'a Program<'a>,
    bindings: &'a [(&'a str, Bound<'a>)],
    /// In scope, the innermost last; scalar parameters are the outermost.
    variables: List<(&'a str, Held), SHORT>,
    /// In the order of their variables.
    arrays: Vec<Array<'a>>,
}

impl Scope for Frame<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.variable(name) {
            return Some(value);
        }
        let root = root_name(name);
        let path = name.get(root.len()..).filter(|p| !p.is_empty())?;
        if let Some((_, bound)) = self.bindings.iter().find(|(n, _)| *n == root) {
            let Bound::Structure(bytes, dtype) = bound else {
                return None;
            };
            let (offset, scalar) = dtype.locate(path)?;
            return from_bytes(scalar, bytes.get(offset..offset + scalar.size())?);
        }
        if let Some(array) = self.array(root) {
            return array.elements.get(place(array.extents, path)?).copied();
        }
        let table = self.program.tables.iter().find(|t| t.name == root)?;
        table.element(path)
    }

    fn element(&self, name: &str, indices: &[i64]) -> Option<Option<Value>> {
        let indices = indices.iter().copied().map(Some);
        if let Some(array) = self.array(name) {
            let at = place_of(array.extents, indices);
            return Some(at.and_then(|at| array.elements.get(at).copied()));
        }
        let table = self.program.tables.iter().find(|t| t.name == name)?;
        let at = place_of(&table.extents, indices);
        Some(at.and_then(|at| table.values.get(at).copied()))
    }

    fn call(
        &self,
        name: &str,
        arguments: &[Value],
    ) -> Option<std::result::Result<Value, EvaluateError>> {
        let function = self.program.functions.iter().find(|f| f.name == name)?;
        let failed = |why: String| EvaluateError::Failed(why.into());
        Some(self.call_function(function, arguments).map_err(failed))
    }

    fn result(&self, name: &str) -> Option<Scalar> {
        let function = self.program.functions.iter().find(|f| f.name == name);
        function.map(|f| f.result)
    }
}

impl<'a> Frame<'a> {
    pub(crate) fn new(
        program: &'a Program<'a>,
        bindings: &'a [(&'a str, Bound<'a>)],
        given: impl IntoIterator<Item = (&'a str, Value)>,
    ) -> Self {
        let mut variables = List::new(("", Held::Value(Value::int(0))));
        variables.extend(given.into_iter().map(|(name, v)| (name, Held::Value(v))));
        Self {
            program,
            bindings,
            variables,
            arrays: Vec::new(),
        }
    }

    pub(crate) fn fail<T>(&self, what: impl Display) -> Result<T> {
        let kernel = self.program.kernel;
        Err(Error::argument(format!("kernel '{kernel}': {what}")))
    }

    /// The value of a variable.
    pub(crate) fn variable(&self, name: &str) -> Option<Value> {
        match self.variables.iter().rev().find(|(n, _)| *n == name) {
            Some((_, Held::Value(value))) => Some(*value),
            _ => None,
        }
    }

    fn array(&self, name: &str) -> Option<&Array<'a>> {
        match self.variables.iter().rev().find(|(n, _)| *n == name) {
            Some((_, Held::Array(index))) => self.arrays.get(*index),
            _ => None,
        }
    }

    /// Forgets the variables from the `outside`th on.
    fn leave(&mut self, outside: usize) {
        let ended = self.variables.get(outside..).unwrap_or_default();
        let first = ended.iter().find_map(|(_, held)| match held {
            Held::Array(index) => Some(*index),
            Held::Value(_) => None,
        });
        if let Some(first) = first {
            self.arrays.truncate(first);
        }
        self.variables.truncate(outside);
    }

    /// The value of an expression.
    pub(crate) fn compute(&self, expr: &Expr) -> Result<Value> {
        evaluate_in(expr, self).or_else(|error| self.fail(format_args!("in '{expr}': {error}")))
    }

    fn call_function(
        &self,
        function: &'a HostFunction,
        arguments: &[Value],
    ) -> std::result::Result<Value, String> {
        let name = &function.name;
        let depth = &self.program.depth;
        if depth.get() >= DEEPEST {
            return Err(format!("'{name}' calls itself without an end"));
        }
        let bound = function.parameters.iter().zip(arguments);
        let variables =
            bound.map(|((name, scalar), value)| (name.as_str(), value.convert(*scalar)));
        let mut frame = Frame::new(self.program, &[], variables);
        depth.set(depth.get() + 1);
        let flow = frame.block(&function.body, &mut |frame, _| {
            frame.fail("a function launches")
        });
        depth.set(depth.get() - 1);
        match flow {
            Ok(Flow::Give(value)) => Ok(value.convert(function.result)),
            Ok(_) => Err(format!("'{name}' ends without a value")),
            Err(error) => Err(error.to_string()),
        }
    }

    pub(crate) fn block(
        &mut self,
        statements: &'a [Statement],
        launch: &mut OnLaunch<'_>,
    ) -> Result<Flow> {
        let outside = self.variables.len();
        let flow = self.sequence(statements, launch);
        self.leave(outside);
        flow
    }

    /// Statements whose variables stay.
    fn sequence(&mut self, statements: &'a [Statement], launch: &mut OnLaunch<'_>) -> Result<Flow> {
        for statement in statements {
            let flow = self.statement(statement, launch)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(
        &mut self,
        statement: &'a Statement,
        on_launch: &mut OnLaunch<'_>,
    ) -> Result<Flow> {
        self.step()?;
        match statement {
            Statement::Declare {
                name,
                scalar,
                value,
            } => {
                let value = match value {
                    Some(expr) => self.compute(expr)?,
                    None => Value::int(0),
                };
                let value = value.convert(*scalar);
                self.variables.push((name, Held::Value(value)));
            }
            Statement::Assign { name, value } => {
                let value = self.compute(value)?;
                self.assign(name, value)?;
            }
            Statement::Array {
                name,
                scalar,
                extents,
                values,
            } => self.declare_array(name, *scalar, extents, values)?,
            Statement::Store {
                name,
                indices,
                value,
            } => {
                let value = self.compute(value)?;
                self.store(name, indices, value)?;
            }
            Statement::Block(statements) => return self.block(statements, on_launch),
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let taken = match self.compute(condition)?.is_true() {
                    true => then,
                    false => otherwise,
                };
                return self.block(taken, on_launch);
            }
            Statement::Loop { .. } => {
                let outside = self.variables.len();
                let flow = self.repeat(statement, on_launch);
                self.leave(outside);
                return flow;
            }
            Statement::Switch { value, cases } => {
                let outside = self.variables.len();
                let flow = self.switch(value, cases, on_launch);
                self.leave(outside);
                return flow;
            }
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Return => return Ok(Flow::Return),
            Statement::Give(value) => return Ok(Flow::Give(self.compute(value)?)),
            Statement::Launch(launch) => {
                self.program.steps.set(0);
                on_launch(self, launch)?;
            }
        }
        Ok(Flow::Next)
    }

    fn step(&self) -> Result<()> {
        self.steps(1)
    }

    /// Counts what is about to be done.
    fn steps(&self, count: u64) -> Result<()> {
        let steps = self.program.steps.get() + count;
        self.program.steps.set(steps);
        if steps > MOST_STEPS {
            return self.fail("a host loop does not end and launches nothing");
        }
        Ok(())
    }

    fn repeat(&mut self, statement: &'a Statement, launch: &mut OnLaunch<'_>) -> Result<Flow> {
        let Statement::Loop {
            initial,
            prepare,
            condition,
            step,
            body,
            late,
        } = statement
        else {
            return Ok(Flow::Next);
        };
        self.sequence(initial, launch)?;
        let mut asked = !late;
        loop {
            self.step()?;
            let outside = self.variables.len();
            if asked {
                self.sequence(prepare, launch)?;
                let goes_on = self.compute(condition)?.is_true();
                self.leave(outside);
                if !goes_on {
                    return Ok(Flow::Next);
                }
            }
            asked = true;
            match self.block(body, launch)? {
                Flow::Break => return Ok(Flow::Next),
                flow @ (Flow::Return | Flow::Give(_)) => return Ok(flow),
                Flow::Next | Flow::Continue => {}
            }
            self.block(step, launch)?;
        }
    }

    fn switch(
        &mut self,
        value: &Expr,
        cases: &'a [Case],
        launch: &mut OnLaunch<'_>,
    ) -> Result<Flow> {
        let value = match self.compute(value)?.convert(Scalar::Long) {
            Value::Int(_, bits) => bits,
            Value::Float(..) => return self.fail("a switch is over an integer"),
        };
        let labelled = cases.iter().position(|c| c.label == Some(value));
        let start = labelled.or_else(|| cases.iter().position(|c| c.label.is_none()));
        for case in start.and_then(|s| cases.get(s..)).unwrap_or_default() {
            match self.sequence(&case.body, launch)? {
                Flow::Next => {}
                Flow::Break => return Ok(Flow::Next),
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    fn assign(&mut self, name: &str, value: Value) -> Result<()> {
        match self.variables.iter_mut().rev().find(|(n, _)| *n == name) {
            Some((_, Held::Value(old))) => {
                *old = value.convert(old.scalar());
                Ok(())
            }
            _ => self.fail(format_args!(
                "'{name}' is not a variable of the host's part"
            )),
        }
    }

    fn declare_array(
        &mut self,
        name: &'a str,
        scalar: Scalar,
        extents: &'a [u64],
        values: &[Expr],
    ) -> Result<()> {
        let count = extents.iter().product();
        self.steps(count)?;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let mut elements = Vec::with_capacity(count);
        for value in values.iter().take(count) {
            elements.push(self.compute(value)?.convert(scalar));
        }
        elements.resize(count, Value::int(0).convert(scalar));
        self.variables.push((name, Held::Array(self.arrays.len())));
        self.arrays.push(Array { extents, elements });
        Ok(())
    }

    fn store(&mut self, name: &str, indices: &[Expr], value: Value) -> Result<()> {
        let mut places = Vec::with_capacity(indices.len());
        for index in indices {
            match self.compute(index)? {
                Value::Int(_, n) => places.push(n),
                Value::Float(..) => return self.fail("an index must be an integer"),
            }
        }
        let found = self.variables.iter().rev().find(|(n, _)| *n == name);
        let array = match found {
            Some((_, Held::Array(index))) => self.arrays.get_mut(*index),
            _ => None,
        };
        let old = array.and_then(|array| {
            let at = place_of(array.extents, places.iter().copied().map(Some))?;
            array.elements.get_mut(at)
        });
        match old {
            Some(old) => {
                *old = value.convert(old.scalar());
                Ok(())
            }
            None => {
                let shown: String = places.iter().map(|n| format!("[{n}]")).collect();
                self.fail(EvaluateError::OutOfRange(format!("{name}{shown}").into()))
            }
        }
    }
}
