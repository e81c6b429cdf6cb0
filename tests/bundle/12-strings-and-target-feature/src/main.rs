//! Text that looks like comments, and code for one machine.

const URL: &str = "http://example.org // not a comment /* nor this */";
const RAW: &str = r#"
    // kept   as it is
    "quoted" \ /// <- not docs

    end"#;

/// Counts bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
unsafe fn bits_fast(x: u64) -> u32 {
    x.count_ones()
}

fn bits(x: u64) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: just detected.
        return unsafe { bits_fast(x) };
    }
    x.count_ones()
}

fn main() {
    println!("{URL}{RAW}");
    println!("{:?} {:?} {}", '"', b'\'', "a\
              b");
    let (a, b) = (6, 3);
    println!("{} {}", bits(0xff00), a/* between */-/* two */-b);
    print!("{}", String::from_utf8_lossy(br##"bytes "# // too"##));
    println!("{}", 1.max(2) as f64 / 2. + 1e-3);
}
