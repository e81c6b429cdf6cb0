#[cfg_attr(feature = "loud", inline(never))]
#[cfg_attr(not(feature = "loud"), inline)]
pub fn name() -> &'static str {
    #[cfg(feature = "loud")]
    {
        "LOUD"
    }
    #[cfg(not(feature = "loud"))]
    {
        "soft"
    }
}
