pub fn name() -> &'static str {
    match 3 {
        #[cfg(windows)]
        3 => "windows",
        #[cfg(all(unix, not(feature = "never")))]
        3 => "unix",
        _ => "other",
    }
}
