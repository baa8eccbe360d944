//! Variable-length integers: seven bits a byte, the lowest first (LEB128).

/// Appends a number.
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A reader of numbers, one after the other.
pub struct Numbers<'a> {
    bytes: &'a [u8],
}

impl<'a> Numbers<'a> {
    /// Begins to read these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Numbers { bytes }
    }

    /// Returns true if no bytes are left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the bytes that have not been read.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes
    }
}

impl Iterator for Numbers<'_> {
    type Item = u64;

    /// Returns the next number; `None` at the end, and where a number is cut off or too long. A damaged file gives
    /// fewer answers, never a panic.
    #[inline]
    fn next(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0_u64, 0);
        loop {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
            if shift > 63 {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_damage_ends_them() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        for &n in &numbers {
            put(&mut bytes, n);
        }
        assert!(Numbers::new(&bytes).eq(numbers));
        assert_eq!(Numbers::new(&bytes[..bytes.len() - 1]).last(), Some(u64::from(u32::MAX)));
        assert_eq!(Numbers::new(&[0x80; 40]).next(), None);
    }
}
