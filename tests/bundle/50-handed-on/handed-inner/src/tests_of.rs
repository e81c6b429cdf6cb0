macro_rules! makes {
    ($(($name:tt, $value:expr)),*) => {
        #[macro_export]
        #[doc(hidden)]
        macro_rules! value {
            $(($name) => { $crate::plus!($value) };)*
        }

        #[macro_export]
        macro_rules! unused_value {
            ($e:expr) => ($e);
        }
    };
}

makes! {
    ("one", 1),
    ("two", 2)
}

#[macro_export]
#[doc(hidden)]
macro_rules! plus {
    ($e:expr) => {
        $e + 10
    };
}
