#[cfg(windows)]
mod other;
#[cfg(any(unix, windows))]
mod this;

fn main() {
    println!("{}", this::pick(1, 2));
}
