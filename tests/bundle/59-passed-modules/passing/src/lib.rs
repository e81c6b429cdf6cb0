#[macro_use]
mod conditions;

with_fast! {
    mod quick;
    pub use quick::run;

    #[cfg(debug_assertions)]
    #[doc(hidden)]
    pub use starting::start_fast as start;

    #[cfg(not(debug_assertions))]
    pub use starting::start_fast as start;
}

without_fast! {
    mod slow;
    pub use slow::run;
    pub use starting::start_fails as start;
}

with_deep!({
    pub mod deep;
});
