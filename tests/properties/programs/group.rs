//! Groups of items: what they share, and the loops over them, which barriers cut into phases.

use super::kernel::{LENGTH, MOST, owned};
use super::scope::{Array, Form, Variable};
use super::text::Text;
use super::value::{Range, Type};
use super::writer::{Carried, Writer};

/// Loops over groups and items.
pub struct Group {
    /// The slowest first.
    extents: Vec<usize>,
    /// How many groups there are, and the most there can be.
    groups: (String, usize),
    /// Which loops count down, where nothing lets items of different loops wait: then a place has one item in all.
    down: Vec<bool>,
    shared: Vec<Shared>,
}

struct Shared {
    array: Array,
    /// Whether all of it has been filled, before the last barrier.
    ready: bool,
}

impl Group {
    pub fn random(writer: &mut Writer<'_>) -> Self {
        let extents = match writer.random.within(0, 3) {
            0 => vec![writer.random.pick(&[2, 4]), writer.random.pick(&[4, 8])],
            1 => vec![
                writer.random.pick(&[2, 3, 5]),
                writer.random.pick(&[3, 6, 7]),
            ],
            _ => vec![writer.random.pick(&[4, 8, 16, 32, 12, 1])],
        };
        let items: usize = extents.iter().product();
        let most = LENGTH / items;
        let groups = match writer.random.chance(40) {
            true if items <= 32 => (
                format!("(n + {}) / {items}", items - 1),
                (MOST as usize).div_ceil(items),
            ),
            _ => {
                let count = writer.random.within(1, 3.min(most as i64));
                (count.to_string(), count as usize)
            }
        };
        let down = extents.iter().map(|_| writer.random.chance(20)).collect();
        Self {
            extents,
            groups,
            down,
            shared: Vec::new(),
        }
    }

    fn items(&self) -> usize {
        self.extents.iter().product()
    }

    pub fn write(mut self, writer: &mut Writer<'_>, text: &mut Text, own: &[Array]) {
        let g = writer.name();
        let head = format!("for (int {g} = 0; {g} < {}; ++{g}", self.groups.0);
        text.line(
            2,
            &Text::new(format!("{head}; @outer) {{"), format!("{head}) {{")),
        );
        let range = Range::new(0, self.groups.1 as i128 - 1, 0);
        writer
            .variables
            .push(Variable::constant(Text::same(g.clone()), Type::Int, range));
        let mut body = Text::default();
        self.declare_shared(writer, &mut body);
        let exclusive = self.declare_exclusive(writer, &mut body);
        if writer.random.chance(40) {
            // Every item has it.
            let e = writer.integer(1);
            let name = writer.name();
            let variable =
                Variable::constant(Text::same(name), Type::Int, e.range.converted(Type::Int));
            writer.declare(&mut body, 3, variable, "const int", Some(&e.text));
        }
        let nests = writer.random.within(1, 3);
        for number in 0..nests {
            if number > 0 && writer.random.chance(30) {
                self.group_statement(writer, &mut body, own, &g);
            }
            let around = writer.random.chance(20);
            let variables = writer.variables.clone();
            if around {
                let (r, rounds) = (writer.name(), writer.random.within(1, 3));
                body.line(
                    3,
                    &Text::same(format!("for (int {r} = 0; {r} < {rounds}; ++{r}) {{")),
                );
                let range = Range::new(0, i128::from(rounds) - 1, 0);
                writer
                    .variables
                    .push(Variable::constant(Text::same(r), Type::Int, range));
            }
            let first = if number == 0 {
                exclusive.as_slice()
            } else {
                &[]
            };
            self.nest(writer, &mut body, own, &g, first);
            if around {
                body.line(3, &Text::same("}"));
            }
            writer.variables = variables;
            if number == 0 {
                writer.variables.extend(exclusive.iter().cloned());
            }
        }
        text.push(&body);
        text.line(2, &Text::same("}"));
    }

    /// A statement that the group runs once, between the loops over its items.
    fn group_statement(&self, writer: &mut Writer<'_>, text: &mut Text, own: &[Array], g: &str) {
        let variables = writer.variables.clone();
        writer.variables.retain(|v| v.text.okl == v.text.plain);
        owned(writer, own, &Text::same(format!("{g} * {}", self.items())));
        if let Some(place) = writer.a_variable(|v| v.memory) {
            let e = writer.of_type(place.ty, 2);
            text.line(3, &Text::form("{} = {};", &[&place.text, &e.text]));
        }
        writer.variables = variables;
    }

    fn declare_shared(&mut self, writer: &mut Writer<'_>, text: &mut Text) {
        let items = self.items();
        for _ in 0..writer.random.within(0, 2) {
            let ty = match writer.random.chance(70) {
                true => writer.random.pick(&[Type::Float, Type::Double, Type::Int]),
                false => writer.random.pick(&Type::INTEGERS),
            };
            let sizes = match writer.random.within(0, 6) {
                0 => vec![items],
                1 => vec![2 * items],
                2 => vec![2, items],
                3 => vec![items, 3],
                4 => vec![2, 3, items],
                5 => vec![3, 8],
                _ => self.extents.clone(),
            };
            let name = writer.name();
            let (total, ty_name) = (sizes.iter().product::<usize>(), ty.name());
            let open = writer.random.pick(&["[", "[", "[ "]);
            let close = if open == "[ " { " ]" } else { "]" };
            let brackets: String = sizes.iter().map(|s| format!("{open}{s}{close}")).collect();
            text.line(
                3,
                &Text::new(
                    format!("@shared {ty_name} {name}{brackets};"),
                    format!("{ty_name} {name}[{total}];"),
                ),
            );
            let array = Array {
                form: Form::Shared(sizes),
                ..Array::line(Text::same(name), ty, total)
            };
            self.shared.push(Shared {
                array,
                ready: false,
            });
        }
    }

    /// Variables that items keep from nest to nest; the first nest gives them their values.
    fn declare_exclusive(&self, writer: &mut Writer<'_>, text: &mut Text) -> Vec<Variable> {
        let mut all = Vec::new();
        for _ in 0..writer.random.within(0, 2) {
            let (ty, name) = (writer.any_type(), writer.name());
            let (word, items) = (ty.name(), self.items());
            // Beside an array that nobody uses, in some layout.
            let form = writer.random.pick(&[
                "@exclusive T N;",
                "@exclusive T N;",
                "@exclusive T N, N_x[ 2 ], N_y[3];",
                "T N @exclusive;",
                "@exclusive T /* one each */ N;",
            ]);
            text.line(
                3,
                &Text::new(
                    form.replace('T', word).replace('N', &name),
                    format!("{word} {name}_[{items}];"),
                ),
            );
            all.push(Variable {
                mutable: true,
                ..Variable::constant(
                    Text::new(name.clone(), format!("{name}_[item]")),
                    ty,
                    ty.range(),
                )
            });
        }
        all
    }

    /// One nest of loops over items.
    fn nest(
        &mut self,
        writer: &mut Writer<'_>,
        text: &mut Text,
        own: &[Array],
        g: &str,
        first: &[Variable],
    ) {
        let phases = writer.random.pick(&[1, 1, 1, 2, 3]);
        let names: Vec<String> = self.extents.iter().map(|_| writer.name()).collect();
        let (mut okl, mut plain) = (Vec::new(), Vec::new());
        // Items are numbered as their loops come to them.
        let mut numbers = Vec::new();
        for ((name, extent), down) in names.iter().zip(&self.extents).zip(&self.down) {
            let free = !self.shared.is_empty() && writer.random.chance(20);
            let head = match free || *down {
                true => {
                    numbers.push(format!("({} - {name})", extent - 1));
                    format!("for (int {name} = {extent} - 1; {name} >= 0; --{name}")
                }
                false => {
                    numbers.push(name.clone());
                    format!("for (int {name} = 0; {name} < {extent}; ++{name}")
                }
            };
            okl.push(format!("{head}; @inner)"));
            plain.push(format!("{head})"));
        }
        let joined = |parts: &[String]| match parts {
            [one] => one.clone(),
            _ => format!("({} * {} + {})", parts[0], self.extents[1], parts[1]),
        };
        let (item, number) = (joined(&names), joined(&numbers));
        let (variables, arrays) = (writer.variables.clone(), writer.arrays.clone());
        for (name, extent) in names.iter().zip(&self.extents) {
            let range = Range::new(0, *extent as i128 - 1, 0);
            writer.variables.push(Variable::constant(
                Text::same(name.clone()),
                Type::Int,
                range,
            ));
        }
        let items = self.items();
        let place = format!("{g} * {items} + {item}");
        owned(writer, own, &Text::same(place));
        if phases > 1 {
            writer.carried = Some(Carried {
                item: "item".to_string(),
                items,
                declared: Vec::new(),
            });
        }
        // The loops in plain C++, once for each phase.
        let mut start = plain.join(" ");
        start.push_str(&format!(" {{ const int item = {number}; (void) item;"));
        let mut body = Text::default();
        for variable in first {
            let e = writer.of_type(variable.ty, 1);
            body.line(4, &Text::form("{} = {};", &[&variable.text, &e.text]));
            writer.variables.push(variable.clone());
        }
        for number in 0..phases {
            if number > 0 {
                let barrier =
                    writer
                        .random
                        .pick(&["@barrier;", "@barrier();", "@barrier(\"local\");"]);
                body.line(4, &Text::new(barrier, format!("}} {start}")));
            }
            self.phase(writer, &mut body, &item, phases > 1);
        }
        let declared = writer
            .carried
            .take()
            .map(|c| c.declared.join(" "))
            .unwrap_or_default();
        text.line(
            3,
            &Text::new(
                format!("{} {{", okl.join(" ")),
                format!("{{ {declared} {start}"),
            ),
        );
        text.push(&body);
        text.line(3, &Text::new("}", "} }"));
        (writer.variables, writer.arrays) = (variables, arrays);
    }

    fn phase(&mut self, writer: &mut Writer<'_>, text: &mut Text, item: &str, cut: bool) {
        let kept = writer.arrays.len();
        let mut filled = Vec::new();
        for (number, shared) in self.shared.iter().enumerate() {
            if shared.ready && writer.random.chance(75) {
                writer.arrays.push(shared.array.clone());
            } else {
                filled.push(number);
            }
        }
        let readable: Vec<Array> = writer.arrays[kept..].to_vec();
        writer.leaves = false;
        for number in filled {
            self.fill(writer, text, number, item);
            self.shared[number].ready = true;
        }
        let count = writer.random.within(2, 5);
        writer.leaves = !cut;
        writer.statements(text, 4, count, 2);
        writer.leaves = false;
        // What this phase reads the next one may fill.
        let names: Vec<String> = readable.iter().map(|a| a.name.okl.clone()).collect();
        writer.arrays.retain(|a| !names.contains(&a.name.okl));
    }

    /// Every element is filled by one item, in some order.
    fn fill(&self, writer: &mut Writer<'_>, text: &mut Text, number: usize, item: &str) {
        let array = &self.shared[number].array;
        let (items, total) = (self.items(), array.length());
        let Form::Shared(sizes) = &array.form else {
            return;
        };
        let q = writer.name();
        let e = writer.of_type(array.ty, 2);
        let place = |writer: &mut Writer<'_>, q: &str| {
            let flat = Text::same(q.to_string());
            if sizes.len() == 1 || writer.random.chance(30) {
                return array.flat(&flat);
            }
            if writer.random.chance(30) {
                let rows: usize = sizes.iter().rev().skip(1).product();
                let row = match writer.random.within(0, 3) {
                    0 => writer.random.within(0, rows as i64 - 1).to_string(),
                    1 => format!("({q} + 1) % {rows}"),
                    _ => format!("({q}) * 3 % {rows}"),
                };
                return array.through(&row, &Text::same(format!("({q})")));
            }
            let mut below = total;
            let indices: Vec<Text> = sizes
                .iter()
                .map(|size| {
                    let index = match below == total {
                        true => format!("({q}) / {}", below / size),
                        false => format!("({q}) % {below} / {}", below / size),
                    };
                    below /= size;
                    Text::same(index)
                })
                .collect();
            array.at(&indices)
        };
        if total == items && writer.random.chance(60) {
            let order = match writer.random.within(0, 3) {
                0 => item.to_string(),
                1 => format!("{items} - 1 - {item}"),
                2 => format!("({item} + {}) % {items}", writer.random.within(1, 7)),
                _ if items.is_power_of_two() => format!("{item} * 5 + 3 & {}", items - 1),
                _ => format!("({item} * {} + 1) % {items}", items + 1),
            };
            let place = place(writer, &order);
            return text.line(4, &Text::form("{} = {};", &[&place, &e.text]));
        }
        let head = format!("for (int {q} = {item}; {q} < {total}; {q} += {items})");
        text.line(4, &Text::same(head));
        let place = place(writer, &q);
        text.line(5, &Text::form("{} = {};", &[&place, &e.text]));
    }
}
