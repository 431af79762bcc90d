//! What may vary, and which combinations are allowed.

use brook::expr::{self, Expr, Scalar, Value};
use brook::runtime::{Math, Settings};
use brook::{Choices, Options};
use std::collections::HashMap;

/// One thing that may vary.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) name: String,
    kind: Kind,
    pub(super) values: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Macro,
    Choice,
    Math,
    Flag,
}

/// All of it. A point has a value of each axis, by its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Space {
    pub(super) axes: Vec<Axis>,
    conditions: Vec<(String, Expr)>,
}

pub(super) type Point = Vec<usize>;

/// More combinations than this are not looked through.
const MOST: usize = 1 << 20;

impl Axis {
    /// `TILE=8,16,32`; `coarsen`, `elements`, `groups`, `math` and `flag` are no macros, unless `-D` stands before.
    fn parse(text: &str) -> Result<Self, String> {
        let fail = |what: &str| format!("--space '{text}': {what}");
        let (name, values) = text
            .split_once('=')
            .ok_or_else(|| fail("NAME=VALUE,VALUE,… is expected"))?;
        let name = name.trim();
        let (name, kind) = match name.strip_prefix("-D") {
            Some(name) => (name.trim(), Kind::Macro),
            None if Choices::NAMES.contains(&name) => (name, Kind::Choice),
            None if name == "math" => (name, Kind::Math),
            None if name == "flag" => (name, Kind::Flag),
            None => (name, Kind::Macro),
        };
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let number = name.starts_with(|c: char| c.is_ascii_digit());
        if name.is_empty() || number || !name.chars().all(letter) {
            return Err(fail(&format!("'{name}' is no name of a macro")));
        }
        let mut axis = Self {
            name: name.to_string(),
            kind,
            values: Vec::new(),
        };
        for value in values.split(',').map(str::trim) {
            if value.is_empty() && kind != Kind::Flag {
                return Err(fail("a value is empty"));
            }
            if axis.values.iter().any(|v| v == value) {
                return Err(fail(&format!("'{value}' stands there twice")));
            }
            axis.check(value).map_err(|what| fail(&what))?;
            axis.values.push(value.to_string());
        }
        Ok(axis)
    }

    fn check(&self, value: &str) -> Result<(), String> {
        match self.kind {
            Kind::Choice => Choices::default().set(&self.name, value),
            Kind::Math => value.parse::<Math>().map(|_| ()),
            Kind::Macro | Kind::Flag => Ok(()),
        }
    }
}

impl Space {
    /// Axes and conditions as the command is given them.
    pub(super) fn new(axes: &[String], conditions: &[String]) -> Result<Self, String> {
        let mut space = Self::default();
        for text in axes {
            let axis = Axis::parse(text)?;
            if space.axes.iter().any(|a| a.name == axis.name) {
                return Err(format!(
                    "--space '{text}': '{}' has values already",
                    axis.name
                ));
            }
            space.axes.push(axis);
        }
        for text in conditions {
            let fail = |what: &str| format!("--where '{text}': {what}");
            let condition = expr::parse(text).map_err(|e| fail(&e.to_string()))?;
            let mut unknown = None;
            condition.for_each_name(&mut |name| {
                if !space.axes.iter().any(|a| a.name == name) {
                    unknown = Some(name.to_string());
                }
            });
            if let Some(name) = unknown {
                return Err(fail(&format!("'{name}' is in no --space")));
            }
            space.conditions.push((text.clone(), condition));
        }
        Ok(space)
    }

    /// What cannot vary, since it is said already: macros that are defined, choices, and the arithmetic.
    ///
    /// # Errors
    /// One of the axes is about that.
    pub(super) fn check_against(&self, options: &Options, has_math: bool) -> Result<(), String> {
        for axis in &self.axes {
            let name = &axis.name;
            let said = match axis.kind {
                Kind::Macro => {
                    let mut defines = options.defines.iter();
                    defines
                        .any(|d| d.word() == name)
                        .then(|| format!("-D {name}"))
                }
                Kind::Choice => {
                    let mut chosen = options.choices.iter().map(|(_, c)| c.get(name).is_some());
                    chosen.any(|c| c).then(|| format!("--choose {name}"))
                }
                Kind::Math => has_math.then(|| "--math".to_string()),
                Kind::Flag => None,
            };
            if let Some(said) = said {
                return Err(format!("--space '{name}': {said} says what it is"));
            }
        }
        Ok(())
    }

    /// How many combinations there are, allowed or not.
    pub(super) fn size(&self) -> u128 {
        let sizes = self.axes.iter().map(|a| a.values.len() as u128);
        sizes.fold(1, u128::saturating_mul)
    }

    /// Those that are allowed.
    pub(super) fn points(&self) -> Result<Vec<Point>, String> {
        if self.size() > MOST as u128 {
            let size = self.size();
            return Err(format!(
                "--space: {size} combinations are more than {MOST}; leave out some values"
            ));
        }
        let mut found = Vec::new();
        let mut point = vec![0; self.axes.len()];
        loop {
            if self.allows(&point)? {
                found.push(point.clone());
            }
            let mut at = 0;
            loop {
                let Some(axis) = self.axes.get(at) else {
                    return match found.is_empty() {
                        true => Err("--where: no combination fulfils all conditions".to_string()),
                        false => Ok(found),
                    };
                };
                point[at] += 1;
                if point[at] < axis.values.len() {
                    break;
                }
                point[at] = 0;
                at += 1;
            }
        }
    }

    /// Whether all conditions hold.
    fn allows(&self, point: &[usize]) -> Result<bool, String> {
        if self.conditions.is_empty() {
            return Ok(true);
        }
        let numbers: HashMap<&str, i64> = self
            .named(point)
            .filter_map(|(axis, value)| Some((axis.name.as_str(), value.parse().ok()?)))
            .collect();
        for (text, condition) in &self.conditions {
            let value = |name: &str| numbers.get(name).map(|n| Value::Int(Scalar::Long, *n));
            let found = expr::evaluate(condition, &value);
            match found {
                Ok(value) if value.is_true() => {}
                Ok(_) => return Ok(false),
                Err(error) => {
                    let point = self.describe(point);
                    return Err(format!("--where '{text}', of {point}: {error}"));
                }
            }
        }
        Ok(true)
    }

    fn named<'s>(&'s self, point: &'s [usize]) -> impl Iterator<Item = (&'s Axis, &'s str)> {
        let pairs = self.axes.iter().zip(point);
        pairs.filter_map(|(axis, &at)| Some((axis, axis.values.get(at)?.as_str())))
    }

    /// The values of a point, in the order of axes.
    pub(super) fn values(&self, point: &[usize]) -> Vec<String> {
        self.named(point).map(|(_, v)| v.to_string()).collect()
    }

    /// `TILE=16 coarsen=2`.
    pub(super) fn describe(&self, point: &[usize]) -> String {
        let all = self.named(point).map(|(a, v)| format!("{}={v}", a.name));
        all.collect::<Vec<_>>().join(" ")
    }

    /// What a build is told.
    pub(super) fn settings(&self, point: &[usize]) -> Settings {
        let mut settings = Settings::default();
        for (axis, value) in self.named(point) {
            match axis.kind {
                Kind::Macro => {
                    let value = value.to_string();
                    settings.macros.insert(axis.name.clone(), value);
                }
                Kind::Choice => {
                    // It was checked when it was read.
                    let number = value.parse().unwrap_or(1);
                    settings.choices.insert(axis.name.clone(), number);
                }
                Kind::Math => settings.math = Some(value.to_string()),
                Kind::Flag => {
                    let flags = value.split_ascii_whitespace().map(str::to_string);
                    settings.flags.extend(flags);
                }
            }
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    fn space(axes: &[&str], conditions: &[&str]) -> Result<Space, String> {
        let owned = |list: &[&str]| list.iter().map(|t| t.to_string()).collect::<Vec<_>>();
        Space::new(&owned(axes), &owned(conditions))
    }

    #[test]
    fn combinations_that_are_allowed() {
        let space = space(
            &[
                "TILE=8, 16,32",
                "coarsen=1,2,4",
                "math=default,fast",
                "flag=,-O1 -g",
            ],
            &["TILE % (8 * coarsen) == 0", "TILE * coarsen <= 64"],
        )
        .unwrap();
        assert_eq!(space.size(), 36);
        let points = space.points().unwrap();
        // 8:1, 16:1, 16:2, 32:1, 32:2
        assert_eq!(points.len(), 5 * 4);
        let found = space.describe(&points[points.len() - 1]);
        assert_eq!(found, "TILE=32 coarsen=2 math=fast flag=-O1 -g");
        let settings = space.settings(&points[points.len() - 1]);
        assert_eq!(settings.macros["TILE"], "32");
        assert_eq!(settings.choices["coarsen"], 2);
        assert_eq!(settings.math.as_deref(), Some("fast"));
        assert_eq!(settings.flags, ["-O1", "-g"]);
        assert!(space.settings(&[0, 0, 0, 0]).flags.is_empty());
    }

    #[test]
    fn a_macro_may_have_any_name() {
        let space = space(&["-Dcoarsen=3,500", "T=float,double"], &[]).unwrap();
        let settings = space.settings(&[1, 1]);
        assert_eq!(settings.macros["coarsen"], "500");
        assert_eq!(settings.macros["T"], "double");
        assert!(settings.choices.is_empty());
    }

    #[test]
    fn mistakes() {
        let cases: [(&[&str], &[&str], &str); 10] = [
            (&["TILE"], &[], "NAME=VALUE"),
            (&["=1"], &[], "no name"),
            (&["2A=1"], &[], "no name"),
            (&["A=1,,2"], &[], "empty"),
            (&["A=1,2,1"], &[], "twice"),
            (&["A=1", "A=2"], &[], "already"),
            (&["coarsen=0"], &[], "1 to 255"),
            (&["math=quick"], &[], "no arithmetic"),
            (&["A=1"], &["B > 1"], "'B' is in no --space"),
            (&["A=1"], &["A >"], "--where"),
        ];
        for (axes, conditions, text) in cases {
            let error = space(axes, conditions).unwrap_err();
            assert!(error.contains(text), "{error}");
        }
        let none = space(&["A=1,2"], &["A > 5"]).unwrap();
        assert!(none.points().unwrap_err().contains("no combination"));
        let words = space(&["A=float,2"], &["A > 1"]).unwrap();
        assert!(words.points().unwrap_err().contains("A=float"));
        let zero = space(&["A=0,2"], &["8 / A > 1"]).unwrap();
        assert!(zero.points().unwrap_err().contains("A=0"));
        let wide = "0,1,2,3,4,5,6,7,8,9";
        let axes: Vec<String> = ('A'..='G').map(|c| format!("{c}={wide}")).collect();
        let axes: Vec<&str> = axes.iter().map(String::as_str).collect();
        let large = space(&axes, &[]).unwrap();
        assert!(large.points().unwrap_err().contains("combinations"));
    }
}
