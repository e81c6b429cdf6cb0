#[doc(hidden)]
pub use shout::function as __function;
pub mod helpers {
    pub fn twice(x: usize) -> usize {
        2 * x
    }
}
/// Its variables are its own, and the file is the caller's.
#[macro_export]
macro_rules! lines {
    ($file:literal, $($extra:expr),*) => {{
        let text = include_str!($file);
        let mut count = 0;
        for line in text.lines() {
            if let Some(word) = line.split(' ').next() {
                count += word.len();
            }
        }
        let all: Vec<usize> = vec![$($extra),*].into_iter().map(|x| x + count).collect();
        print!("{count}: {all:?} ");
        $crate::helpers::twice(count)
    }};
}
/// By a procedural macro that goes by another name here.
#[macro_export]
macro_rules! numbers {
    ($($name:ident $value:literal),*) => { $($crate::__function!($name $value);)* };
}
