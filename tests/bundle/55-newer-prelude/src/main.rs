//! Edition 2024 knows `Future` and `IntoFuture` without an import, and drops what the last expression holds first.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

struct Loud(&'static str);

impl Loud {
    fn size(&self) -> usize {
        self.0.len()
    }
}

impl Drop for Loud {
    fn drop(&mut self) {
        println!("{} goes", self.0);
    }
}

fn finish<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
    }
}

async fn sum(start: usize) -> usize {
    let _first = Loud("first");
    start + Loud("second").size()
}

mod later {
    pub struct Twice(pub u8);

    impl IntoFuture for Twice {
        type Output = u8;
        type IntoFuture = std::future::Ready<u8>;

        fn into_future(self) -> Self::IntoFuture {
            std::future::ready(self.0 * 2)
        }
    }

    pub mod told {
        pub fn boxed() -> Box<dyn Future<Output = &'static str> + Unpin> {
            Box::new(std::future::ready("boxed"))
        }
    }
}

fn main() {
    println!("{}", finish(sum(1)));
    println!("{}", finish(async { later::Twice(4).await }));
    println!("{}", finish(later::told::boxed()));
}
