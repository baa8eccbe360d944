//! Xiangqi in the files of other programs.

mod ccbridge;
mod damage;
mod dpxq;
mod games;
mod pgn;
mod random;
mod saves;
mod xqf;
