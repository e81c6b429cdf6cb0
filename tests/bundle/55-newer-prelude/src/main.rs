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

/// Names of the prelude that are something else's.
mod ages {
    pub trait Future {
        fn years(&self) -> u8;
    }

    impl Future for u8 {
        fn years(&self) -> u8 {
            *self
        }
    }

    pub struct IntoFuture(pub u8);

    pub mod prelude {
        pub use super::*;
    }
}

mod aging {
    use super::ages::prelude::*;

    pub fn sum(first: &impl Future) -> u8 {
        first.years() + IntoFuture(2).0
    }

    /// The trait is known here, whatever its name means.
    pub fn ready() -> bool {
        let mut future = std::pin::pin!(std::future::ready(1));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        future.as_mut().poll(&mut context).is_ready()
    }
}

fn main() {
    println!("{} {}", aging::sum(&40u8), aging::ready());
    println!("{}", finish(sum(1)));
    println!("{}", finish(async { later::Twice(4).await }));
    println!("{}", finish(later::told::boxed()));
}
