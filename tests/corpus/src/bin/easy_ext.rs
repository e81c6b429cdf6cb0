use easy_ext::ext;

#[ext(Chmin)]
impl<T: PartialOrd> T {
    fn chmin(&mut self, other: T) -> bool {
        let less = other < *self;
        if less {
            *self = other;
        }
        less
    }
}

fn main() {
    let mut best = 9;
    println!("{} {} {best}", best.chmin(5), { let mut b = 1.5; b.chmin(2.0) });
}
