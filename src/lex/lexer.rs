use super::memory::recalled;
use super::{Token, TokenKind};
use crate::source::Span;

/// All tokens of `source`. Comments and white space are the gaps between them.
pub fn lex(source: &str) -> Vec<Token> {
    recalled(source, || {
        let mut tokens = Vec::with_capacity(source.len() / 4 + 8);
        lex_into(source, &mut tokens);
        tokens
    })
}

/// Whether there is no token in `source`. Nothing behind the first one is read.
pub fn is_blank(source: &str) -> bool {
    let mut lexer = Lexer {
        source: source.as_bytes(),
        at: 0,
        line_start: true,
        space: false,
    };
    lexer.next().is_none()
}

/// As [`lex`], appending to a vector that is used again.
pub fn lex_into(source: &str, tokens: &mut Vec<Token>) {
    let mut lexer = Lexer {
        source: source.as_bytes(),
        at: 0,
        line_start: true,
        space: false,
    };
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
}

struct Lexer<'a> {
    source: &'a [u8],
    at: usize,
    line_start: bool,
    space: bool,
}

/// Bytes of the longest punctuator that three characters begin with; anything else printable is one byte.
#[inline]
fn punctuator_length(next: [u8; 3]) -> usize {
    match next {
        [b'<', b'<', b'='] | [b'>', b'>', b'='] | [b'<', b'=', b'>'] => 3,
        [b'.', b'.', b'.'] | [b'-', b'>', b'*'] => 3,
        [
            b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'=' | b'!' | b'<' | b'>',
            b'=',
            _,
        ] => 2,
        [b'+', b'+', _] | [b'-', b'-' | b'>', _] | [b'&', b'&', _] | [b'|', b'|', _] => 2,
        [b'<', b'<', _] | [b'>', b'>', _] | [b':', b':', _] | [b'#', b'#', _] => 2,
        [b'.', b'*', _] => 2,
        _ => 1,
    }
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Length of a backslash-newline `ahead` bytes from here, or 0.
    fn splice(&self, ahead: usize) -> usize {
        if self.peek(ahead) != b'\\' {
            return 0;
        }
        match (self.peek(ahead + 1), self.peek(ahead + 2)) {
            (b'\n', _) => 2,
            (b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    fn next(&mut self) -> Option<Token> {
        if let Some(unterminated) = self.skip_blank() {
            return Some(unterminated);
        }
        if self.at >= self.source.len() {
            return None;
        }
        let start = self.at;
        let (kind, spliced) = self.scan();
        let token = Token {
            span: Span::from(start..self.at),
            kind,
            line_start: self.line_start,
            space_before: self.space,
            spliced,
        };
        self.line_start = false;
        self.space = false;
        Some(token)
    }

    /// Skips white space, comments and line continuations.
    fn skip_blank(&mut self) -> Option<Token> {
        loop {
            match self.peek(0) {
                b'\n' => {
                    self.line_start = true;
                    self.space = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => {
                    self.space = true;
                    let rest = self.source.get(self.at + 1..).unwrap_or_default();
                    self.at += 1 + rest.iter().take_while(|b| **b == b' ').count();
                }
                b'\\' if self.splice(0) > 0 => {
                    self.space = true;
                    self.at += self.splice(0);
                }
                b'/' if self.peek(1) == b'/' => {
                    self.space = true;
                    loop {
                        let rest = self.source.get(self.at..).unwrap_or_default();
                        let plain = rest.iter().take_while(|b| !matches!(b, b'\n' | b'\\'));
                        self.at += plain.count();
                        if self.peek(0) != b'\\' {
                            break;
                        }
                        self.at += self.splice(0).max(1);
                    }
                }
                b'/' if self.peek(1) == b'*' => {
                    let start = self.at;
                    self.space = true;
                    match find(&self.source[start + 2..], b"*/") {
                        Some(length) => self.at = start + 2 + length + 2,
                        None => {
                            self.at = self.source.len();
                            return Some(Token {
                                span: Span::from(start..self.at),
                                kind: TokenKind::UnterminatedComment,
                                line_start: self.line_start,
                                space_before: true,
                                spliced: false,
                            });
                        }
                    }
                }
                _ => return None,
            }
        }
    }

    fn scan(&mut self) -> (TokenKind, bool) {
        let byte = self.peek(0);
        match byte {
            b'0'..=b'9' => self.scan_number(),
            b'.' if self.peek(1).is_ascii_digit() => self.scan_number(),
            b'"' => self.scan_quoted(b'"'),
            b'\'' => self.scan_quoted(b'\''),
            b'@' => {
                self.at += 1;
                (TokenKind::At, false)
            }
            _ if is_name_byte(byte) => self.scan_name(),
            _ if byte.is_ascii_graphic() => self.scan_punctuator(),
            _ => {
                self.at += 1;
                (TokenKind::Stray, false)
            }
        }
    }

    fn scan_punctuator(&mut self) -> (TokenKind, bool) {
        if self.peek(1) == b'\\' || self.peek(2) == b'\\' {
            return self.scan_spliced_punctuator();
        }
        self.at += punctuator_length([self.peek(0), self.peek(1), self.peek(2)]);
        (TokenKind::Punctuator, false)
    }

    /// A punctuator that may go on over a backslash-newline.
    fn scan_spliced_punctuator(&mut self) -> (TokenKind, bool) {
        // The next three characters, and where each ends.
        let (mut next, mut ends) = ([0; 3], [0; 3]);
        let mut ahead = 0;
        for (character, end) in next.iter_mut().zip(&mut ends) {
            while ahead > 0 && self.splice(ahead) > 0 {
                ahead += self.splice(ahead);
            }
            *character = self.peek(ahead);
            ahead += 1;
            *end = ahead;
        }
        let length = punctuator_length(next);
        let bytes = ends.get(length - 1).copied().unwrap_or(1);
        self.at += bytes;
        (TokenKind::Punctuator, bytes > length)
    }

    fn scan_name(&mut self) -> (TokenKind, bool) {
        let start = self.at;
        let rest = self.source.get(start..).unwrap_or_default();
        self.at += rest.iter().take_while(|b| is_name_byte(**b)).count();
        let spliced = self.peek(0) == b'\\' && self.take_while(|b, _| is_name_byte(b));
        let name = &self.source[start..self.at];
        let quote = self.peek(0);
        if !matches!(quote, b'"' | b'\'') {
            return (TokenKind::Identifier, spliced);
        }
        let prefix = matches!(name, b"L" | b"u" | b"U" | b"u8");
        let raw = matches!(name, b"R" | b"LR" | b"uR" | b"UR" | b"u8R");
        match quote {
            b'"' if raw => self.scan_raw_string(),
            quote @ (b'"' | b'\'') if prefix => {
                let (kind, inner) = self.scan_quoted(quote);
                (kind, spliced || inner)
            }
            _ => (TokenKind::Identifier, spliced),
        }
    }

    fn scan_number(&mut self) -> (TokenKind, bool) {
        let mut previous = 0;
        let spliced = self.take_while(|b, next| {
            let take = is_name_byte(b)
                || b == b'.'
                || (b == b'\'' && is_name_byte(next))
                || (matches!(b, b'+' | b'-') && matches!(previous, b'e' | b'E' | b'p' | b'P'));
            previous = b;
            take
        });
        (TokenKind::Number, spliced)
    }

    fn take_while(&mut self, mut take: impl FnMut(u8, u8) -> bool) -> bool {
        let mut spliced = false;
        while let Some(&byte) = self.source.get(self.at) {
            let splice = self.splice(0);
            if splice > 0 {
                // A continuation belongs to the token only if the token goes on after it.
                let next = self.peek(splice);
                if !is_name_byte(next) {
                    break;
                }
                self.at += splice;
                spliced = true;
                continue;
            }
            if !take(byte, self.peek(1)) {
                break;
            }
            self.at += 1;
        }
        spliced
    }

    fn scan_quoted(&mut self, quote: u8) -> (TokenKind, bool) {
        let mut spliced = false;
        self.at += 1;
        loop {
            let splice = self.splice(0);
            if splice > 0 {
                self.at += splice;
                spliced = true;
                continue;
            }
            match self.peek(0) {
                b'\\' if self.at + 1 < self.source.len() => self.at += 2,
                b'\n' => break,
                _ if self.at >= self.source.len() => break,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        let kind = if quote == b'"' {
                            TokenKind::String
                        } else {
                            TokenKind::Character
                        };
                        return (kind, spliced);
                    }
                }
            }
        }
        self.at = self.at.min(self.source.len());
        let kind = if quote == b'"' {
            TokenKind::UnterminatedString
        } else {
            TokenKind::UnterminatedCharacter
        };
        (kind, spliced)
    }

    fn scan_raw_string(&mut self) -> (TokenKind, bool) {
        let rest = &self.source[self.at + 1..];
        let Some(open) = rest.iter().position(|&b| b == b'(').filter(|&n| n <= 16) else {
            return self.scan_quoted(b'"');
        };
        let mut close = Vec::with_capacity(open + 2);
        close.push(b')');
        close.extend_from_slice(&rest[..open]);
        close.push(b'"');
        match find(rest, &close) {
            Some(length) => {
                self.at += 1 + length + close.len();
                (TokenKind::String, false)
            }
            None => {
                self.at = self.source.len();
                (TokenKind::UnterminatedString, false)
            }
        }
    }
}

const fn is_name_byte(byte: u8) -> bool {
    NAME_BYTES[byte as usize]
}

/// Every byte of a text is asked about, several times.
const NAME_BYTES: [bool; 256] = {
    let mut bytes = [false; 256];
    let mut byte = 0;
    while byte < bytes.len() {
        let ascii = byte as u8;
        bytes[byte] =
            ascii.is_ascii_alphanumeric() || ascii == b'_' || ascii == b'$' || ascii >= 0x80;
        byte += 1;
    }
    bytes
};

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<&str> {
        lex(source).iter().map(|t| t.text(source)).collect()
    }

    #[test]
    fn tokens_of_c_and_okl() {
        assert_eq!(
            texts("for(i=0;i<=n;++i;@tile(16,@outer))"),
            [
                "for", "(", "i", "=", "0", ";", "i", "<=", "n", ";", "++", "i", ";", "@", "tile",
                "(", "16", ",", "@", "outer", ")", ")"
            ]
        );
        assert_eq!(
            texts("0x1.8p-3f 1'000 .5e+2 a"),
            ["0x1.8p-3f", "1'000", ".5e+2", "a"]
        );
        assert_eq!(
            texts("R\"x(a)\" b)x\" 'c' L\"d\""),
            ["R\"x(a)\" b)x\"", "'c'", "L\"d\""]
        );
        assert_eq!(texts("a // b\nc /* d\n*/ e"), ["a", "c", "e"]);
    }

    #[test]
    fn lines_and_continuations() {
        let tokens = lex("#define A \\\n b\nc d");
        let starts: Vec<bool> = tokens.iter().map(|t| t.line_start).collect();
        assert_eq!(starts, [true, false, false, false, true, false]);
        assert!(lex("ab\\\ncd")[0].spliced);
        assert_eq!(lex("a\\\n+").len(), 2);
        assert_eq!(lex("+\\\n+i").len(), 2);
        assert_eq!(lex("<\\\n<\\\r\n= x").len(), 2);
        assert_eq!(texts("+\\\n -"), ["+", "-"]);
    }

    #[test]
    fn what_does_not_end() {
        assert_eq!(
            lex("/* x").last().unwrap().kind,
            TokenKind::UnterminatedComment
        );
        assert_eq!(lex("\"x\ny")[0].kind, TokenKind::UnterminatedString);
        assert_eq!(lex("'").len(), 1);
        assert_eq!(lex("\"a\\").len(), 1);
        assert_eq!(lex("R\"(x").len(), 1);
    }
}
