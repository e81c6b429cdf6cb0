pub const NUMBER: i32 = include!(concat!(env!("OUT_DIR"), "/number.rs"));
