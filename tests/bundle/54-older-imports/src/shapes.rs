pub fn base() -> u32 {
    10
}

pub mod deep {
    use shapes::base;
    use std::fmt;

    pub struct Named;

    impl fmt::Display for Named {
        fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
            write!(out, "named {}", base())
        }
    }

    pub fn name() -> String {
        Named.to_string()
    }

    pub fn twice(number: u32) -> u32 {
        2 * ::shapes::base() + number
    }
}
