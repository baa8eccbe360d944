//! The classic console: five in a row with the output of the program that came before this project.
//!
//! Two people type two numbers each, x from the left and y from the top, and see the board as lists of 0 (empty), 1
//! (black) and 2 (white). The output is that of their program, byte for byte. Some faults are fixed: a win is a row
//! that the rules accept (the old program saw a win in four, or in three, a gap and one, and none where a stone in
//! the middle completed five); input such as `0a 01` or `00,01` is refused and does not end the program; one digit is
//! enough; a full board is a draw. Against the computer its point is printed where a person would have typed one.

use std::io::{BufRead, Write};

use kernel::{AnyGame, Outcome, Side};

use crate::input;

/// The computer at a console: its side, and the function that finds its moves.
pub type Computer<'a> = (Side, &'a mut dyn FnMut(&dyn AnyGame) -> Option<String>);

/// Plays a game of gomoku to its end, or to the end of the input. The board has at most 26 files and ranks.
///
/// # Errors
/// Fails when input or output break.
pub fn play(
    game: &mut dyn AnyGame,
    mut computer: Option<Computer<'_>>,
    mut input: impl BufRead,
    mut output: impl Write,
) -> std::io::Result<()> {
    writeln!(output, "========五子棋开始========")?;
    loop {
        write!(output, "{}", board(game))?;
        if let Some(outcome) = game.outcome() {
            return writeln!(output, "==={},游戏结束===", verdict(outcome));
        }
        if let Some((side, think)) = &mut computer
            && *side == game.turn()
            && let Some(text) = think(game)
            && let Some(point) = game.board().cell_named(&text)
            && game.play(&text).is_ok()
        {
            let files = kernel::Cell::from(game.board().files);
            writeln!(output, "电脑{}落点(x y): {:02} {:02}\n", name(*side), point % files, point / files)?;
            continue;
        }
        write!(output, "请输入{}落点(x y): ", name(game.turn()))?;
        output.flush()?;
        let Some(line) = input::line(&mut input)? else { return Ok(()) };
        match read(game, &line) {
            Read::Point(text) if game.play(&text).is_ok() => writeln!(output)?,
            Read::Point(_) => writeln!(output, "这个位子已经有一个子啦,换一个地方吧")?,
            Read::OffBoard => writeln!(output, "输入有问题,请重新输入吧,上次你输入的内容是:{line}")?,
            Read::Nothing => {
                writeln!(output, "输入有问题,请重新输入吧(要把0也输进来),上次你输入的内容是:{line}")?;
            }
        }
    }
}

/// The kinds of input lines.
enum Read {
    /// Two numbers on the board, in the notation of the game.
    Point(String),
    OffBoard,
    /// Input other than two numbers of one or two digits with white space between them.
    Nothing,
}

fn read(game: &dyn AnyGame, line: &str) -> Read {
    let number = |word: &str| {
        let plain = (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| word.parse::<u8>().ok())?
    };
    let words: Vec<Option<u8>> = line.split_whitespace().map(number).collect();
    let &[Some(x), Some(y)] = words.as_slice() else { return Read::Nothing };
    let board = game.board();
    if x < board.files && y < board.ranks { Read::Point(format!("{x:02} {y:02}")) } else { Read::OffBoard }
}

/// Formats the board as the old program did.
fn board(game: &dyn AnyGame) -> String {
    let board = game.board();
    let (files, ranks) = (usize::from(board.files), usize::from(board.ranks));
    let mut points = vec![0; files * ranks];
    for piece in game.view().pieces {
        points[usize::from(piece.at)] = if piece.owner == Some(Side::First) { 1 } else { 2 };
    }
    let numbers: String = (0..files).map(|x| format!("{x:02} ")).collect();
    let rows = points.chunks(files).enumerate().map(|(y, row)| format!("{y:02} {row:?}\n"));
    format!("    {numbers} (x)\n{}(y)\n", rows.collect::<String>())
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "黑方",
        Side::Second => "白方",
    }
}

fn verdict(outcome: Outcome) -> String {
    outcome.winner().map_or_else(|| "平局".to_owned(), |side| format!("{}胜利", name(side)))
}
