//! Shannon entropy in whole numbers, so that it is the same on every machine.

/// Longer values are judged by their beginning.
const LONGEST: usize = 256;

/// `n · log2(n)`, in units of 1/65536 bit.
// A table in whole numbers: the last bits of a float logarithm differ between machines, and with them whether a value
// at the bound goes.
const N_LOG_N: [u32; LONGEST + 1] = {
    let mut table = [0; LONGEST + 1];
    let (mut index, mut n) = (1, 1);
    while index <= LONGEST {
        table[index] = log2(n) * n;
        (index, n) = (index + 1, n + 1);
    }
    table
};

/// The binary logarithm with sixteen binary places, by squaring.
const fn log2(x: u32) -> u32 {
    let whole = x.ilog2();
    let mut mantissa = (x as u64) << (31 - whole);
    let mut places = 0;
    let mut fraction = 0;
    while places < 16 {
        mantissa = (mantissa * mantissa) >> 31;
        fraction <<= 1;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            fraction |= 1;
        }
        places += 1;
    }
    (whole << 16) | fraction
}

/// Hundredths of a bit for each byte.
pub(super) fn centibits(bytes: &[u8]) -> u32 {
    let bytes = &bytes[..bytes.len().min(LONGEST)];
    let mut counts = [0u16; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let repeated: u32 = counts.iter().map(|count| N_LOG_N[usize::from(*count)]).sum();
    let total = N_LOG_N[bytes.len()].saturating_sub(repeated);
    let length = u32::try_from(bytes.len().max(1)).expect("BUG: more than the longest");
    ((total / length) * 100) >> 16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_that_of_the_formula() {
        let cases = [("", 0), ("aaaaaaaa", 0), ("abababab", 100), ("abcdefgh", 300), ("0123456789abcdef", 400)];
        for (text, expected) in cases {
            assert_eq!(centibits(text.as_bytes()), expected, "{text}");
        }
        assert_eq!(centibits(b"hello world"), 284);
        assert_eq!(centibits(&[7; 10_000]), 0);
    }
}
