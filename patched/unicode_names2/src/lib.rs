//! Characters and their names: version 2 of the library, for who asks for version 1.

pub use newer::{character, name};
