//! The yardstick of the search core: connect four on a bitboard, raw playouts, ours, and by hand.
//!
//! `cargo bench --bench yardstick` runs criterion; with `FIFTY_FIXED=1` it does fixed work instead and
//! prints process CPU time per iteration with its share of raw playouts. With public crates beside it,
//! and under both sets of flags: `cargo fifty bench --competing`.

use criterion::Criterion;
use fifty_connect4::table;

fn main() {
    let mut all = table::own();
    if std::env::var_os("FIFTY_FIXED").is_some() {
        table::fixed(&mut all);
        return;
    }
    let mut criterion = Criterion::default().configure_from_args().sample_size(10);
    for entry in &mut all {
        let mut seed = 0;
        criterion.bench_function(entry.name, |b| {
            b.iter(|| {
                seed += 1;
                (entry.run)(seed);
            });
        });
    }
    criterion.final_summary();
}
