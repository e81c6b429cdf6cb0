//! What the controller reads from a bot's output: `fgets` of 127 bytes, then four stream extractions.

/// Longest part of the first line the controller looks at, line end included.
const LINE: usize = 127;

/// The four integers understood, or `None` for a pass.
///
/// Only the first line counts, only its first 127 bytes, only what precedes a NUL. Each number may follow
/// white space and a sign and must fit 32 bits; after the fourth there must be one more byte.
pub fn read_answer(stdout: &[u8]) -> Option<[i32; 4]> {
    let line = stdout.get(..LINE).unwrap_or(stdout);
    let line = line.split_inclusive(|&b| b == b'\n').next()?;
    let mut rest = line.split(|&b| b == 0).next()?;
    let mut answer = [0; 4];
    for number in &mut answer {
        *number = read_number(&mut rest)?;
    }
    (!rest.is_empty()).then_some(answer)
}

/// Takes one decimal integer off the front.
fn read_number(rest: &mut &[u8]) -> Option<i32> {
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | 0x0B | 0x0C | b'\r');
    let mut text = &rest[rest.iter().take_while(|b| blank(b)).count()..];
    let negative = text.first() == Some(&b'-');
    if matches!(text.first(), Some(b'+' | b'-')) {
        text = &text[1..];
    }
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return None;
    }
    let value = text[..digits].iter().try_fold(0i64, |value, digit| {
        let value = value * 10 + i64::from(digit - b'0');
        (value <= 1 << 32).then_some(value)
    })?;
    *rest = &text[digits..];
    i32::try_from(if negative { -value } else { value }).ok()
}

#[cfg(test)]
mod tests {
    use super::read_answer;

    #[test]
    fn answers_are_read_like_the_controller_reads_them() {
        assert_eq!(read_answer(b"0 0 1 1\n"), Some([0, 0, 1, 1]));
        assert_eq!(read_answer(b"0 0 1 1"), None);
        assert_eq!(read_answer(b"0 0 1 1\0\n"), None);
        assert_eq!(read_answer(b"0 0 1 -2147483648\n"), Some([0, 0, 1, i32::MIN]));
        assert_eq!(read_answer(b"0 0 1 2147483648\n"), None);
        assert_eq!(read_answer(b"-99999999999999999999 0 0 0\n"), None);
        assert_eq!(read_answer(b"0 0 + 1 1\n"), None);
        let padded = |n: usize| [vec![b' '; n], b"0 0 1 1\n".to_vec()].concat();
        assert!(read_answer(&padded(119)).is_some() && read_answer(&padded(120)).is_none());
    }
}
