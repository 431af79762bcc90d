/// A gather whose fastest index is the kernel's place along a row, or its negative, plus what is the same along the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    /// The kernel it stands in, by number.
    pub kernel: usize,
    /// It is the negative.
    pub back: bool,
    /// The constant.
    pub offset: i32,
    /// A parameter that is added to it.
    pub term: Option<Term>,
    /// It is a floating-point number on the way, and exact only where the place is small.
    pub float: bool,
    /// The other indices are the same along a row.
    pub one_row: bool,
}

/// An integer parameter of a kernel, or its negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// Which parameter.
    pub parameter: usize,
    /// It is the negative.
    pub negative: bool,
}

/// Such gathers from one array that differ by the constant only.
#[derive(Clone, Debug)]
pub struct GatherOffset {
    /// The array.
    pub array: String,
    /// Their indices are the negative of the place.
    pub back: bool,
    /// The parameter that is added to all of them.
    pub term: Option<Term>,
    /// The least constant.
    pub least: i32,
    /// The largest.
    pub most: i32,
}

/// All such gathers of a kernel.
#[derive(Clone, Debug, Default)]
pub struct GatherOffsets {
    /// What they read.
    pub arrays: Vec<GatherOffset>,
    /// How many of them read one row of their array along a row of elements.
    pub in_one_row: usize,
    /// Some are floating-point numbers on the way.
    pub float: bool,
}

impl GatherOffsets {
    /// Counts in another gather.
    pub fn add(&mut self, array: &str, beside: Beside) {
        self.in_one_row += usize::from(beside.one_row);
        self.float |= beside.float;
        let (offset, back, term) = (beside.offset, beside.back, beside.term);
        let same = |r: &&mut GatherOffset| r.array == array && (r.back, r.term) == (back, term);
        match self.arrays.iter_mut().find(same) {
            Some(r) => (r.least, r.most) = (offset.min(r.least), offset.max(r.most)),
            None => self.arrays.push(GatherOffset {
                array: array.to_string(),
                back,
                term,
                least: offset,
                most: offset,
            }),
        }
    }
}
