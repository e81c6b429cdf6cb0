use lazy_static::lazy_static;
use once_cell::sync::{Lazy, OnceCell};
use std::sync::Mutex;

lazy_static! {
    /// Keys of squares.
    static ref KEYS: [u64; 8] = {
        let mut state = 88_172_645_463_325_252u64;
        [(); 8].map(|()| {
            state ^= state << 7;
            state ^= state >> 9;
            state
        })
    };
}

static COUNTS: Lazy<Mutex<Vec<u32>>> = Lazy::new(|| Mutex::new(vec![0; 3]));
static NAME: OnceCell<String> = OnceCell::new();

fn main() {
    NAME.set("first".to_owned()).unwrap();
    for key in KEYS.iter() {
        COUNTS.lock().unwrap()[(key % 3) as usize] += 1;
    }
    println!("{:x} {:?} {:?} {:?}", KEYS[7], COUNTS.lock().unwrap(), NAME.get(), NAME.set("second".to_owned()));
}
