pub struct Pair {
    pub a: i32,
    #[cfg(windows)]
    pub w: i32,
    pub b: i32,
}

pub fn pick(a: i32, #[cfg(windows)] w: i32, b: i32) -> i32 {
    let pair = Pair {
        a,
        #[cfg(windows)]
        w,
        b,
    };
    let list = [
        pair.a,
        #[cfg(windows)]
        pair.w,
        pair.b,
    ];
    #[cfg(windows)]
    return 0;
    #[cfg(not(windows))]
    list.iter().sum()
}
