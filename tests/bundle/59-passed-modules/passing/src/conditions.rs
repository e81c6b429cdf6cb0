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
