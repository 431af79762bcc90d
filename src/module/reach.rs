/// A gather whose fastest index is the kernel's place along a row, plus a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    /// The kernel it stands in, by number.
    pub kernel: usize,
    /// The constant.
    pub offset: i32,
    /// The other indices are the same along a row.
    pub one_row: bool,
}

/// All such gathers of a kernel.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Each array, and the least and the largest constant.
    pub arrays: Vec<(String, i32, i32)>,
    /// How many of them read one row of their array along a row of elements.
    pub in_one_row: usize,
}

impl Reach {
    /// Counts in another gather.
    pub fn add(&mut self, array: &str, beside: Beside) {
        self.in_one_row += usize::from(beside.one_row);
        let offset = beside.offset;
        match self.arrays.iter_mut().find(|(name, ..)| name == array) {
            Some((_, least, most)) => (*least, *most) = (offset.min(*least), offset.max(*most)),
            None => self.arrays.push((array.to_string(), offset, offset)),
        }
    }
}
