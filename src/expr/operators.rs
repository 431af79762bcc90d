use super::{BinaryOperator, UnaryOperator};

/// Every binary operator: how it is written, its C++ word if it has one, how tightly it binds.
pub(super) const BINARY: [(BinaryOperator, &str, &str, u8); 18] = [
    (BinaryOperator::Multiply, "*", "", 11),
    (BinaryOperator::Divide, "/", "", 11),
    (BinaryOperator::Remainder, "%", "", 11),
    (BinaryOperator::Add, "+", "", 10),
    (BinaryOperator::Subtract, "-", "", 10),
    (BinaryOperator::ShiftLeft, "<<", "", 9),
    (BinaryOperator::ShiftRight, ">>", "", 9),
    (BinaryOperator::Less, "<", "", 8),
    (BinaryOperator::LessEqual, "<=", "", 8),
    (BinaryOperator::Greater, ">", "", 8),
    (BinaryOperator::GreaterEqual, ">=", "", 8),
    (BinaryOperator::Equal, "==", "", 7),
    (BinaryOperator::NotEqual, "!=", "not_eq", 7),
    (BinaryOperator::BitAnd, "&", "bitand", 6),
    (BinaryOperator::BitXor, "^", "xor", 5),
    (BinaryOperator::BitOr, "|", "bitor", 4),
    (BinaryOperator::And, "&&", "and", 3),
    (BinaryOperator::Or, "||", "or", 2),
];

/// Every unary operator, as it is written and as C++'s word.
pub(super) const UNARY: [(UnaryOperator, &str, &str); 4] = [
    (UnaryOperator::Plus, "+", ""),
    (UnaryOperator::Minus, "-", ""),
    (UnaryOperator::Not, "!", "not"),
    (UnaryOperator::Complement, "~", "compl"),
];

impl BinaryOperator {
    fn row(self) -> &'static (Self, &'static str, &'static str, u8) {
        // The table is in the order of the enumeration; a test checks it.
        &BINARY[self as usize]
    }

    /// As C writes it.
    pub fn c_text(self) -> &'static str {
        self.row().1
    }

    /// How tightly it binds; 2 for `||` up to 11 for `*`.
    pub(super) fn precedence(self) -> u8 {
        self.row().3
    }

    /// Whether it is one of `< <= > >= == !=`.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Less
                | Self::LessEqual
                | Self::Greater
                | Self::GreaterEqual
                | Self::Equal
                | Self::NotEqual
        )
    }

    /// Whether its result is 0 or 1.
    pub const fn is_boolean(self) -> bool {
        self.is_comparison() || matches!(self, Self::And | Self::Or)
    }
}

impl UnaryOperator {
    /// As C writes it.
    pub fn c_text(self) -> &'static str {
        UNARY[self as usize].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_order() {
        for (index, row) in BINARY.iter().enumerate() {
            assert_eq!(row.0 as usize, index);
        }
        for (index, row) in UNARY.iter().enumerate() {
            assert_eq!(row.0 as usize, index);
        }
    }
}
