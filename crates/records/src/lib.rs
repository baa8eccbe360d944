//! Reading and writing other programs' files.

pub mod locked_chess;
