#![doc = "A library."]
#![deny(missing_docs, unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![recursion_limit = "256"]
//! More docs.

/** Block docs. */
pub mod inner {
    #![allow(dead_code)]
    //! Docs inside.

    /*! and block docs inside */

    /// A function.
    #[must_use]
    #[inline]
    pub fn f() -> i32 {
        #![allow(unused_variables)]
        let x = 1; // an ordinary comment
        /* another */
        2
    }
}
