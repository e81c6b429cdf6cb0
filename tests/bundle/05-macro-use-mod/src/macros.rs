macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[allow(unused_macros)]
macro_rules! never {
    () => {};
}
