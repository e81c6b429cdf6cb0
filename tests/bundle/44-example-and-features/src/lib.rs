pub fn name() -> String {
    let all = [("plain", cfg!(feature = "plain")), ("fast", cfg!(feature = "fast")), ("loud", cfg!(feature = "loud"))];
    all.iter().filter(|one| one.1).map(|one| one.0).collect::<Vec<_>>().join("+")
}
