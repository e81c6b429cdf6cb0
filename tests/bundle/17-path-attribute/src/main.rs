#[path = "elsewhere/strange-name.rs"]
mod tidy;

mod inline {
    #[path = "other.rs"]
    pub mod renamed;
}

#[cfg_attr(unix, path = "unix_impl.rs")]
#[cfg_attr(windows, path = "windows_impl.rs")]
mod system;

fn main() {
    println!("{} {} {}", tidy::name(), inline::renamed::name(), system::name());
}
