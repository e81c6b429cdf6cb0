fn main() {
    println!("cargo:rustc-check-cfg=cfg(track_caller)");
    println!("cargo:rustc-cfg=track_caller");
    let dir = std::env::var("OUT_DIR").unwrap();
    std::fs::write(format!("{dir}/number.rs"), "7").unwrap();
}
