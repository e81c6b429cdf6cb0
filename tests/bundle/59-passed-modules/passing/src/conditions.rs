macro_rules! with_fast {
    ($($item:item)*) => {
        $(
            #[cfg(feature = "fast")]
            #[cfg_attr(docsrs, doc(cfg(feature = "fast")))]
            $item
        )*
    };
}

macro_rules! without_fast {
    ($($item:item)*) => { $( #[cfg(not(feature = "fast"))] $item )* }
}

macro_rules! items {
    ({$($tt:tt)*}) => { $($tt)* };
}

macro_rules! with_deep {
    ($($tt:tt)*) => {
        #[cfg(not(target_os = "none"))]
        #[cfg_attr(feature = "fast", cfg(not(miri)))]
        items!($($tt)*);
    };
}
