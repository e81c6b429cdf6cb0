pub mod down;
