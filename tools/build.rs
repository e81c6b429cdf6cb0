//! Tells the bundler which of its versions it is: what it keeps of one is found by no other.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=src/bundle");
    println!("cargo:rerun-if-changed=build.rs");
    let mut hasher = DefaultHasher::new();
    read(Path::new("src/bundle"), &mut hasher)?;
    println!("cargo:rustc-env=FIFTY_BUNDLER={:016x}", hasher.finish());
    Ok(())
}

/// Adds all files of a folder, in the order of their names.
fn read(folder: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(&path, hasher)?;
        } else {
            (path.to_string_lossy(), fs::read(&path)?).hash(hasher);
        }
    }
    Ok(())
}
