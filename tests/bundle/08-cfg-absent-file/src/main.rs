#[cfg(windows)]
mod windows_only;
#[cfg(not(windows))]
mod unix;
#[cfg(feature = "never")]
mod never_written;

fn main() {
    #[cfg(windows)]
    println!("{}", windows_only::name());
    #[cfg(not(windows))]
    println!("{}", unix::name());
    if cfg!(feature = "never") {
        println!("never");
    }
}
