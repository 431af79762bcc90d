//! Runs instructions: one thread until it ends or has to wait.

use super::access::plain;
use super::code::{Code, Operation};
use super::findings::{Findings, Kind};
use super::memory::{self, MOST_LOCALS, Memory, further, offset};
use super::numbers::{absolute, convert, larger, saturate, smaller, wrap};
use super::real::{REAL, compute};
use super::thread::{Frame, Stop, Thread};
use super::trace::Trace;
use super::{Failure, Settings};
use std::collections::HashMap;

/// Everything that a run of a kernel has.
pub(super) struct Machine<'c> {
    pub(super) code: &'c Code,
    pub(super) settings: &'c Settings,
    pub(super) memory: Memory,
    /// Names and element sizes of objects, as in [`Memory::objects`].
    pub(super) names: Vec<(String, u64)>,
    pub(super) findings: Findings,
    /// Instructions that may still run.
    pub(super) steps: u64,
    /// When each group began, and its coordinates.
    pub(super) groups: Vec<(u32, [u64; 3])>,
    /// Coordinates of items, and their numbers.
    pub(super) items: Vec<[u64; 3]>,
    pub(super) slots: HashMap<[u64; 3], u32>,
    pub(super) threads: Vec<Thread>,
    /// For each nest, its extents and the items of them.
    pub(super) nests: Vec<([u64; 3], Vec<u32>)>,
    pub(super) launches: u64,
    pub(super) trace: Trace,
    /// What the group has given to all of its items, in order.
    pub(super) shared: Vec<Shared>,
}

/// What a group gives to its items: variables that are theirs from then on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shared {
    Registers(u16, u16),
    Object(u16),
}

/// Where a thread is, for what is seldom needed.
pub(super) struct Position<'t> {
    pub(super) thread: u32,
    pub(super) site: u32,
    pub(super) frames: &'t [Frame],
}

const fn single(value: u64) -> f32 {
    f32::from_bits(value as u32)
}

const fn double(value: u64) -> f64 {
    f64::from_bits(value)
}

impl Machine<'_> {
    /// Runs a thread until it stops.
    pub(super) fn run(&mut self, thread: &mut Thread) -> Result<Stop, Failure> {
        let code = self.code;
        let operations = code.operations.as_slice();
        let Thread {
            number,
            registers,
            local,
            frames,
            at: resume,
            absent,
            left,
            valueless,
            ..
        } = thread;
        let number = *number;
        let mut at = *resume as usize;
        let mut base = frames.last().map_or(0, |f| f.base);
        let mut r = &mut registers[base..];
        let mut steps = self.steps;
        macro_rules! position {
            () => {
                Position {
                    thread: number,
                    site: at as u32 - 1,
                    frames: frames.as_slice(),
                }
            };
        }
        macro_rules! report {
            ($kind:ident, $($detail:tt)*) => {
                self.find(Kind::$kind, &position!(), format!($($detail)*))
            };
        }
        macro_rules! checked {
            ($d:ident, $a:ident, $b:ident, $type:ty, $wide:ty, $method:ident, $sign:literal) => {{
                let (a, b) = (r[$a as usize] as $type, r[$b as usize] as $type);
                let (value, overflows) = a.$method(b);
                if overflows {
                    report!(Overflow, "{a} {} {b}", $sign);
                }
                r[$d as usize] = value as $wide as u64;
            }};
        }
        macro_rules! wrapping {
            ($d:ident, $a:ident, $b:ident, $type:ty, $method:ident) => {{
                let (a, b) = (r[$a as usize] as $type, r[$b as usize] as $type);
                r[$d as usize] = a.$method(b) as u64;
            }};
        }
        macro_rules! f32s {
            ($d:ident, $a:ident $sign:tt $b:ident) => {{
                let value = single(r[$a as usize]) $sign single(r[$b as usize]);
                r[$d as usize] = u64::from(value.to_bits());
            }};
        }
        macro_rules! f64s {
            ($d:ident, $a:ident $sign:tt $b:ident) => {{
                let value = double(r[$a as usize]) $sign double(r[$b as usize]);
                r[$d as usize] = value.to_bits();
            }};
        }
        macro_rules! compare {
            ($d:ident, $a:ident $sign:tt $b:ident, $from:expr) => {{
                let from = $from;
                r[$d as usize] = u64::from(from(r[$a as usize]) $sign from(r[$b as usize]));
            }};
        }
        macro_rules! divide {
            ($d:ident, $a:ident, $b:ident, $type:ty, $wide:ty, $method:ident, $sign:literal) => {{
                let (a, b) = (r[$a as usize] as $type, r[$b as usize] as $type);
                r[$d as usize] = if b == 0 {
                    report!(DivisionByZero, "{a} {} 0", $sign);
                    0
                } else {
                    let (value, overflows) = a.$method(b);
                    if overflows {
                        report!(Overflow, "{a} {} {b}", $sign);
                    }
                    value as $wide as u64
                };
            }};
        }
        macro_rules! shift {
            ($d:ident, $a:ident, $b:ident, $type:ty, $wide:ty, $bits:literal, $sign:tt) => {{
                let by = r[$b as usize];
                if by >= $bits {
                    report!(Shift, "by {} of {} bits", by as i64, $bits);
                }
                let value = (r[$a as usize] as $type) $sign (by & ($bits - 1));
                r[$d as usize] = value as $wide as u64;
            }};
        }
        let stop = loop {
            let operation = operations[at];
            at += 1;
            match operation {
                Operation::Constant(d, k) => r[d as usize] = code.constants[k as usize],
                Operation::Move(d, a) => r[d as usize] = r[a as usize],
                Operation::MoveMany(d, a, n) => {
                    let a = a as usize;
                    r.copy_within(a..a + n as usize, d as usize);
                }
                Operation::AddI32(d, a, b) => checked!(d, a, b, i32, i64, overflowing_add, "+"),
                Operation::AddU32(d, a, b) => wrapping!(d, a, b, u32, wrapping_add),
                Operation::AddI64(d, a, b) => checked!(d, a, b, i64, i64, overflowing_add, "+"),
                Operation::AddU64(d, a, b) => wrapping!(d, a, b, u64, wrapping_add),
                Operation::AddF32(d, a, b) => f32s!(d, a + b),
                Operation::AddF64(d, a, b) => f64s!(d, a + b),
                Operation::SubtractI32(d, a, b) => {
                    checked!(d, a, b, i32, i64, overflowing_sub, "-");
                }
                Operation::SubtractU32(d, a, b) => wrapping!(d, a, b, u32, wrapping_sub),
                Operation::SubtractI64(d, a, b) => {
                    checked!(d, a, b, i64, i64, overflowing_sub, "-");
                }
                Operation::SubtractU64(d, a, b) => wrapping!(d, a, b, u64, wrapping_sub),
                Operation::SubtractF32(d, a, b) => f32s!(d, a - b),
                Operation::SubtractF64(d, a, b) => f64s!(d, a - b),
                Operation::MultiplyI32(d, a, b) => {
                    checked!(d, a, b, i32, i64, overflowing_mul, "*");
                }
                Operation::MultiplyU32(d, a, b) => wrapping!(d, a, b, u32, wrapping_mul),
                Operation::MultiplyI64(d, a, b) => {
                    checked!(d, a, b, i64, i64, overflowing_mul, "*");
                }
                Operation::MultiplyU64(d, a, b) => wrapping!(d, a, b, u64, wrapping_mul),
                Operation::MultiplyF32(d, a, b) => f32s!(d, a * b),
                Operation::MultiplyF64(d, a, b) => f64s!(d, a * b),
                Operation::DivideI32(d, a, b) => divide!(d, a, b, i32, i64, overflowing_div, "/"),
                Operation::DivideI64(d, a, b) => divide!(d, a, b, i64, i64, overflowing_div, "/"),
                Operation::DivideU64(d, a, b) => divide!(d, a, b, u64, u64, overflowing_div, "/"),
                Operation::DivideF32(d, a, b) => f32s!(d, a / b),
                Operation::DivideF64(d, a, b) => f64s!(d, a / b),
                Operation::RemainderI32(d, a, b) => {
                    divide!(d, a, b, i32, i64, overflowing_rem, "%");
                }
                Operation::RemainderI64(d, a, b) => {
                    divide!(d, a, b, i64, i64, overflowing_rem, "%");
                }
                Operation::RemainderU64(d, a, b) => {
                    divide!(d, a, b, u64, u64, overflowing_rem, "%");
                }
                Operation::And(d, a, b) => r[d as usize] = r[a as usize] & r[b as usize],
                Operation::Or(d, a, b) => r[d as usize] = r[a as usize] | r[b as usize],
                Operation::Xor(d, a, b) => r[d as usize] = r[a as usize] ^ r[b as usize],
                Operation::ShiftLeftI32(d, a, b) => shift!(d, a, b, i32, i64, 32, <<),
                Operation::ShiftLeftU32(d, a, b) => shift!(d, a, b, u32, u64, 32, <<),
                Operation::ShiftLeft64(d, a, b) => shift!(d, a, b, u64, u64, 64, <<),
                Operation::ShiftRightI32(d, a, b) => shift!(d, a, b, i32, i64, 32, >>),
                Operation::ShiftRightU32(d, a, b) => shift!(d, a, b, u32, u64, 32, >>),
                Operation::ShiftRightI64(d, a, b) => shift!(d, a, b, i64, i64, 64, >>),
                Operation::ShiftRightU64(d, a, b) => shift!(d, a, b, u64, u64, 64, >>),
                Operation::Equal(d, a, b) => compare!(d, a == b, |x: u64| x),
                Operation::NotEqual(d, a, b) => compare!(d, a != b, |x: u64| x),
                Operation::Less(d, a, b) => compare!(d, a < b, |x: u64| x as i64),
                Operation::LessEqual(d, a, b) => compare!(d, a <= b, |x: u64| x as i64),
                Operation::LessU64(d, a, b) => compare!(d, a < b, |x: u64| x),
                Operation::LessEqualU64(d, a, b) => compare!(d, a <= b, |x: u64| x),
                Operation::EqualF32(d, a, b) => compare!(d, a == b, single),
                Operation::NotEqualF32(d, a, b) => compare!(d, a != b, single),
                Operation::LessF32(d, a, b) => compare!(d, a < b, single),
                Operation::LessEqualF32(d, a, b) => compare!(d, a <= b, single),
                Operation::EqualF64(d, a, b) => compare!(d, a == b, double),
                Operation::NotEqualF64(d, a, b) => compare!(d, a != b, double),
                Operation::LessF64(d, a, b) => compare!(d, a < b, double),
                Operation::LessEqualF64(d, a, b) => compare!(d, a <= b, double),
                Operation::NegateI32(d, a) => {
                    let (value, overflows) = (r[a as usize] as i32).overflowing_neg();
                    if overflows {
                        report!(Overflow, "-({value})");
                    }
                    r[d as usize] = value as i64 as u64;
                }
                Operation::NegateU32(d, a) => {
                    r[d as usize] = u64::from((r[a as usize] as u32).wrapping_neg());
                }
                Operation::NegateI64(d, a) => {
                    let (value, overflows) = (r[a as usize] as i64).overflowing_neg();
                    if overflows {
                        report!(Overflow, "-({value})");
                    }
                    r[d as usize] = value as u64;
                }
                Operation::NegateU64(d, a) => r[d as usize] = r[a as usize].wrapping_neg(),
                Operation::NegateF32(d, a) => {
                    r[d as usize] = u64::from((-single(r[a as usize])).to_bits());
                }
                Operation::NegateF64(d, a) => r[d as usize] = (-double(r[a as usize])).to_bits(),
                Operation::Complement(d, a) => r[d as usize] = !r[a as usize],
                Operation::ComplementU32(d, a) => {
                    r[d as usize] = u64::from(!(r[a as usize] as u32));
                }
                Operation::Not(d, a) => r[d as usize] = u64::from(r[a as usize] == 0),
                Operation::Convert(d, a, from, to) => {
                    let (value, fits) = convert(r[a as usize], from, to);
                    if !fits {
                        let number = match from {
                            crate::expr::Scalar::Float => f64::from(single(r[a as usize])),
                            _ => double(r[a as usize]),
                        };
                        report!(Conversion, "{number} to {}", to.c_name());
                    }
                    r[d as usize] = value;
                }
                Operation::Saturate(d, a, from, to) => {
                    r[d as usize] = saturate(r[a as usize], from, to);
                }
                Operation::Clamp(d, a, n) => {
                    let (index, extent) = (r[a as usize] as i64, r[n as usize] as i64);
                    if self.settings.clamped && !(0..extent).contains(&index) {
                        report!(Clamped, "index {index} of {extent}");
                    }
                    r[d as usize] = index.max(0).min(extent - 1) as u64;
                }
                Operation::Inside(d, a, n) => {
                    let (index, extent) = (r[a as usize] as i64, r[n as usize] as i64);
                    let inside = (0..extent).contains(&index);
                    if self.settings.clamped && !inside {
                        report!(Dropped, "index {index} of {extent}");
                    }
                    r[d as usize] = u64::from(inside);
                }
                Operation::Wrap(d, a, width) => r[d as usize] = wrap(r[a as usize], width),
                Operation::I64ToF32(d, a) => {
                    r[d as usize] = u64::from((r[a as usize] as i64 as f32).to_bits());
                }
                Operation::I64ToF64(d, a) => {
                    r[d as usize] = (r[a as usize] as i64 as f64).to_bits();
                }
                Operation::F32ToF64(d, a) => {
                    r[d as usize] = f64::from(single(r[a as usize])).to_bits();
                }
                Operation::F64ToF32(d, a) => {
                    r[d as usize] = u64::from((double(r[a as usize]) as f32).to_bits());
                }
                Operation::Min(d, a, b, scalar) => {
                    r[d as usize] = smaller(r[a as usize], r[b as usize], scalar);
                }
                Operation::Max(d, a, b, scalar) => {
                    r[d as usize] = larger(r[a as usize], r[b as usize], scalar);
                }
                Operation::Abs(d, a, scalar) => match absolute(r[a as usize], scalar) {
                    (value, false) => r[d as usize] = value,
                    (value, true) => {
                        report!(Overflow, "the magnitude of {}", r[a as usize] as i64);
                        r[d as usize] = value;
                    }
                },
                Operation::Ones(d, a) => r[d as usize] = u64::from(r[a as usize].count_ones()),
                Operation::LeadingZeros(d, a, bits) => {
                    let zeros = r[a as usize].leading_zeros() + u32::from(bits) - 64;
                    r[d as usize] = u64::from(zeros);
                }
                Operation::Real(d, a, function, single) => {
                    let real = REAL[function as usize].1;
                    let end = a as usize + real.arguments();
                    r[d as usize] = compute(real, single, &r[a as usize..end]);
                }
                Operation::Address(d, object) => r[d as usize] = memory::pointer_to(object),
                Operation::LocalAddress(d, object) => {
                    let first = frames.last().map_or(0, |f| f.object);
                    r[d as usize] = memory::pointer_to_own(number, first + object as usize);
                }
                Operation::Further(d, a, by) => {
                    r[d as usize] = further(r[a as usize], i64::from(by));
                }
                Operation::Element(d, p, i, size) => {
                    let by = (r[i as usize] as i64).saturating_mul(i64::from(size));
                    r[d as usize] = further(r[p as usize], by);
                }
                Operation::Subscript(d, p, i, known) => {
                    let subscript = &code.subscripts[known as usize];
                    let indices = &r[i as usize..i as usize + subscript.dimensions.len()];
                    r[d as usize] = match subscript.bytes(indices) {
                        Some(bytes) => further(r[p as usize], bytes as i64),
                        None => match self.bad_subscript(subscript, indices, &position!()) {
                            Some(bytes) => further(r[p as usize], bytes as i64),
                            None => memory::POISON,
                        },
                    };
                }
                Operation::Difference(d, a, b, size) => {
                    let (a, b) = (r[a as usize], r[b as usize]);
                    if !memory::same_object(a, b) {
                        report!(
                            InvalidPointer,
                            "the difference of pointers into two objects"
                        );
                    }
                    let bytes = offset(a).wrapping_sub(offset(b));
                    r[d as usize] = (bytes / i64::from(size.max(1))) as u64;
                }
                Operation::Load(d, cell) => {
                    let from = further(r[cell.pointer as usize], i64::from(cell.offset));
                    let mut value = [0];
                    self.load(local, from, cell, &mut value, &position!());
                    r[d as usize] = value[0];
                }
                Operation::LoadMany(d, cell, count) => {
                    let from = further(r[cell.pointer as usize], i64::from(cell.offset));
                    let to = &mut r[d as usize..d as usize + count as usize];
                    self.load(local, from, cell, to, &position!());
                }
                Operation::LoadElement(d, p, i, width) => {
                    let by = (r[i as usize] as i64).saturating_mul(width.bytes() as i64);
                    let from = further(r[p as usize], by);
                    let mut value = [0];
                    self.load(local, from, plain(width), &mut value, &position!());
                    r[d as usize] = value[0];
                }
                Operation::Store(a, cell) => {
                    let to = further(r[cell.pointer as usize], i64::from(cell.offset));
                    let values = &r[a as usize..=a as usize];
                    self.store(local, to, cell, values, &position!());
                }
                Operation::StoreMany(a, cell, count) => {
                    let to = further(r[cell.pointer as usize], i64::from(cell.offset));
                    let values = &r[a as usize..a as usize + count as usize];
                    self.store(local, to, cell, values, &position!());
                }
                Operation::StoreElement(a, p, i, width) => {
                    let by = (r[i as usize] as i64).saturating_mul(width.bytes() as i64);
                    let to = further(r[p as usize], by);
                    let values = &r[a as usize..=a as usize];
                    self.store(local, to, plain(width), values, &position!());
                }
                Operation::Copy(to, from, size, atomic) => {
                    let ways = (r[to as usize], r[from as usize]);
                    self.copy(local, ways, size as usize, atomic, &position!());
                }
                Operation::Zero(p, size) => {
                    self.zero(local, r[p as usize], size as usize, &position!());
                }
                Operation::Copying(to, from, bytes) => {
                    let ways = (r[to as usize], r[from as usize]);
                    self.copying(ways, usize::from(bytes), &position!());
                }
                Operation::CopiesClosed => self.memory.copies.close(number),
                Operation::CopiesAwaited(sets) => {
                    self.copies_awaited(r[sets as usize], &position!());
                }
                Operation::Forget(object) => {
                    let first = frames.last().map_or(0, |f| f.object);
                    let (base, size) = local.objects[first + object as usize];
                    local.written[base..base + size as usize].fill(false);
                }
                Operation::Jump(to) => {
                    let to = to as usize;
                    if to < at {
                        let cost = (at - to) as u64;
                        if steps < cost {
                            return Err(Failure::Steps(code.spans[at - 1]));
                        }
                        steps -= cost;
                    }
                    at = to;
                }
                Operation::JumpIf(c, to) => {
                    if r[c as usize] != 0 {
                        at = to as usize;
                    }
                }
                Operation::JumpUnless(c, to) => {
                    if r[c as usize] == 0 {
                        at = to as usize;
                    }
                }
                Operation::JumpUnlessLess(a, b, to) => {
                    if (r[a as usize] as i64) >= r[b as usize] as i64 {
                        at = to as usize;
                    }
                }
                Operation::Call(result, arguments, function) => {
                    let callee = &code.functions[function as usize];
                    let caller = frames.last().map_or(0, |f| f.function);
                    let next = base + code.functions[caller].registers as usize;
                    let from = base + arguments as usize;
                    let object = local.objects.len();
                    let byte = local.bytes.len();
                    if frames.len() >= self.settings.depth
                        || object + callee.objects.len() > MOST_LOCALS
                    {
                        return Err(Failure::Depth(code.spans[at - 1]));
                    }
                    let place = code.spans[at - 1];
                    steps = steps.checked_sub(1).ok_or(Failure::Steps(place))?;
                    let needed = next + callee.registers as usize;
                    if registers.len() < needed {
                        registers.resize(needed, 0);
                    }
                    registers.copy_within(from..from + callee.arguments as usize, next);
                    let objects = callee.objects.iter();
                    let objects = objects.map(|o| (byte + o.offset as usize, o.size));
                    local.objects.extend(objects);
                    local.bytes.resize(byte + callee.bytes as usize, 0);
                    local.written.resize(byte + callee.bytes as usize, false);
                    frames.push(Frame {
                        function: function as usize,
                        base: next,
                        object,
                        byte,
                        back: at as u32,
                        result,
                    });
                    base = next;
                    r = &mut registers[base..];
                    at = callee.entry as usize;
                }
                Operation::Return(a, count) => {
                    let Some(frame) = frames.pop() else {
                        break Stop::Ended;
                    };
                    let Some(caller) = frames.last() else {
                        break Stop::Ended;
                    };
                    let from = base + a as usize;
                    base = caller.base;
                    registers
                        .copy_within(from..from + count as usize, base + frame.result as usize);
                    local.objects.truncate(frame.object);
                    local.bytes.truncate(frame.byte);
                    local.written.truncate(frame.byte);
                    r = &mut registers[base..];
                    at = frame.back as usize;
                }
                Operation::NoValue => *valueless = true,
                Operation::CalledValue(function, used) => {
                    if *valueless && used {
                        self.no_value(function, &position!());
                    }
                    *valueless = false;
                }
                Operation::CheckWritten(flag, variable) => {
                    if r[flag as usize] == 0 {
                        self.unwritten(variable, &position!());
                        // Once is enough.
                        r[flag as usize] = 1;
                    }
                }
                Operation::WritesGroup(variable) => self.group_variable(variable, &position!()),
                Operation::Barrier(scope, implied) => break Stop::Barrier(scope, implied),
                Operation::Phase => self.waited(at as u32 - 1),
                Operation::Collective(result, arguments, number) => {
                    break Stop::Collective {
                        number,
                        result,
                        arguments,
                    };
                }
                Operation::ShareRegisters(first, count) => {
                    self.shared.push(Shared::Registers(first, count));
                }
                Operation::ShareObject(object) => self.shared.push(Shared::Object(object)),
                Operation::Absent => *absent = true,
                Operation::Left(start) => *left = (start, at as u32),
                Operation::Spawn(nest) => break Stop::Spawn(nest),
                Operation::End => break Stop::Ended,
            }
        };
        *resume = at as u32;
        self.steps = steps;
        Ok(stop)
    }
}
