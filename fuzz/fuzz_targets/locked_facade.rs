//! Variables set to anything and calls with anything work or are refused; a refusal changes nothing.
//!
//! Each line of the text is one thing to do: `game=…` and the like set a variable to a literal, any other literal is
//! an operation, and what is no literal is loaded as a saved game.
#![no_main]

use records::locked_chess::LockedChessClass;
use records::locked_chess::literal::parse;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut game = LockedChessClass::new();
    for line in text.lines() {
        act(&mut game, line);
        let before = game.clone();
        match game.return_game() {
            Ok(saved) => game.loads_game(&saved).expect("what was written is read"),
            Err(_) => assert_eq!(game, before),
        }
    }
});

fn act(game: &mut LockedChessClass, line: &str) {
    if let Some((name, value)) = line.split_once('=') {
        let place = match name {
            "game" => &mut game.game,
            "operation_number" => &mut game.operation_number,
            "operation_oppsite" => &mut game.operation_oppsite,
            "operation_last_direction" => &mut game.operation_last_direction,
            "choose_chess_locate" => &mut game.choose_chess_locate,
            _ => return,
        };
        *place = parse(value).ok();
        return;
    }
    let before = game.clone();
    let result = match parse(line) {
        Ok(value) => game.operation(&value),
        Err(_) if line == "withdraw" => game.withdraw(),
        Err(_) => game.loads_game(line),
    };
    if result.is_err() {
        assert_eq!(*game, before);
    }
}
