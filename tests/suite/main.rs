//! One integration binary: oracles, recorded games, conformance, layering.

mod conformance;
mod connexion;
mod connexion_twin;
mod recorded;
mod slime;
mod slime_twin;
mod tidy;
mod wondev;
mod wondev_twin;
