use recur_fn::{recur_fn, RecurFn};

fn main() {
    let fib = recur_fn(|fib, n: u64| if n <= 1 { n } else { fib(n - 1) + fib(n - 2) });
    println!("{}", fib.call(20));
}
