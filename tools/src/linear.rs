//! Small dense matrices: what a few dozen numbers need, no more.

/// Inverse of a square matrix in rows, by Gauss and Jordan with pivots; `None` where it has none.
pub fn inverse(mut m: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = m.len();
    let mut inv: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect())
        .collect();
    for col in 0..n {
        let pivot = (col..n)
            .max_by(|&a, &b| m[a][col].abs().total_cmp(&m[b][col].abs()))
            .unwrap_or(col);
        m.swap(col, pivot);
        inv.swap(col, pivot);
        let by = m[col][col];
        if by == 0.0 || !by.is_finite() {
            return None;
        }
        for j in 0..n {
            m[col][j] /= by;
            inv[col][j] /= by;
        }
        for row in 0..n {
            let factor = m[row][col];
            if row != col && factor != 0.0 {
                for j in 0..n {
                    let (x, y) = (m[col][j], inv[col][j]);
                    m[row][j] -= factor * x;
                    inv[row][j] -= factor * y;
                }
            }
        }
    }
    Some(inv)
}

/// A matrix times a vector.
pub fn times(m: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    let dot = |row: &Vec<f64>| row.iter().zip(v).map(|(a, b)| a * b).sum();
    m.iter().map(dot).collect()
}

#[cfg(test)]
mod tests {
    use super::{inverse, times};

    #[test]
    fn inverses_invert() {
        let inv = inverse(vec![vec![4.0, 1.0], vec![2.0, 3.0]]).unwrap();
        assert!((inv[0][0] - 0.3).abs() < 1e-12 && (inv[0][1] + 0.1).abs() < 1e-12);
        assert!((inv[1][0] + 0.2).abs() < 1e-12 && (inv[1][1] - 0.4).abs() < 1e-12);
        assert_eq!(times(&inv, &[0.0, 0.0]), [0.0, 0.0]);
        // A first pivot of zero is no reason to fail; equal rows are.
        assert!(inverse(vec![vec![0.0, 1.0], vec![1.0, 0.0]]).is_some());
        assert!(inverse(vec![vec![1.0, 2.0], vec![1.0, 2.0]]).is_none());
    }
}
