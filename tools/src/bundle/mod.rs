//! The bundler: any bot of any Cargo project as one source file.
