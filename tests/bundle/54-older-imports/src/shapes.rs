pub fn base() -> u32 {
    10
}

/// Modules that are called what the crate is that is imported beside them: one that is not there, and one that is.
pub mod beside {
    use oldest::told;

    #[cfg(any())]
    mod oldest {}

    pub fn once() -> u32 {
        told()
    }

    pub mod there {
        use oldest::told;

        mod oldest {
            pub fn told() -> u32 {
                1
            }
        }

        pub fn both() -> u32 {
            told() + self::oldest::told()
        }
    }
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
