//! What the folder's own configuration of Cargo says holds wherever the bundler is asked from.

#[cfg(contest)]
const HOW: &str = "contest";
#[cfg(not(contest))]
const HOW: &str = "at home";

fn main() {
    println!("{HOW} {} {}", env!("BOT_NAME"), concat!("level ", env!("BOT_LEVEL")));
    println!("{:?} {}", option_env!("BOT_NOWHERE"), option_env!("PATH") == Some("not forced"));
}
