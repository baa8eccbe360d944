//! The editor of positions: pieces are placed and removed with the cursor.

use std::collections::BTreeMap;

use kernel::{AnyGame, Cell, Piece, Side};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use wire::{Offered, View};

use super::play::Play;
use super::typed::{Typed, Use};
use super::{Settings, Then};
use crate::keys::{self, Action, Meaning};
use crate::{cursor, said};

/// A position being set up.
pub(super) struct Editor {
    pieces: BTreeMap<Cell, (Side, String)>,
    pub turn: Side,
    /// The pieces that can be placed, by side and kind.
    pub palette: Vec<(Side, String)>,
    /// The index of the selected piece.
    pub at: usize,
}

impl Editor {
    /// Creates an editor with the pieces on the board.
    pub fn of(game: &dyn AnyGame) -> Editor {
        let view = game.view();
        let owned = |piece: Piece| Some((piece.at, (piece.owner?, piece.face.into_owned())));
        Editor {
            pieces: view.pieces.into_iter().filter_map(owned).collect(),
            turn: view.turn,
            palette: game.palette().into_iter().map(|(side, face)| (side, face.into_owned())).collect(),
            at: 0,
        }
    }

    /// Returns the view of the board; no moves are possible in it.
    pub fn view(&self, like: &View) -> View {
        let piece = |(&at, (side, face)): (&Cell, &(Side, String))| Piece {
            at,
            owner: Some(*side),
            face: face.clone().into(),
        };
        View {
            turn: self.turn,
            pieces: self.pieces.iter().map(piece).collect(),
            marks: Vec::new(),
            moves: Offered::Listed(Vec::new()),
            buttons: Vec::new(),
            prompt: None,
            last: Vec::new(),
            trail: Vec::new(),
            counters: Vec::new(),
            notes: Vec::new(),
            caption: None,
            ruling: None,
            dirs: Vec::new(),
            hands: Vec::new(),
            ..like.clone()
        }
    }

    fn put(&mut self, cell: Cell) {
        let Some(piece) = self.palette.get(self.at) else { return };
        if self.pieces.get(&cell) == Some(piece) {
            self.pieces.remove(&cell);
        } else {
            self.pieces.insert(cell, piece.clone());
        }
    }

    fn step(&mut self, by: isize) {
        let count = self.palette.len().max(1) as isize;
        self.at = (self.at as isize + by).rem_euclid(count) as usize;
    }
}

impl Play {
    /// Places the selected piece at the cursor; the same piece again removes it.
    pub fn edit_touch(&mut self) {
        let cell = self.cursor;
        if let Some(editor) = &mut self.editor {
            editor.put(cell);
        }
    }

    /// Handles a key while a position is set up.
    pub fn edit_key(&mut self, key: KeyEvent, settings: &Settings) -> Then {
        let sign = if self.flipped { -1 } else { 1 };
        let cell = self.cursor;
        let Some(editor) = &mut self.editor else { return Then::Stay };
        self.message = None;
        match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
            (KeyCode::Tab, _) => editor.step(1),
            (KeyCode::BackTab, _) => editor.step(-1),
            (KeyCode::Backspace | KeyCode::Delete | KeyCode::Char('d'), false) => {
                editor.pieces.remove(&cell);
            }
            (KeyCode::Char('c'), false) => editor.pieces.clear(),
            (KeyCode::Char('x'), false) => editor.turn = editor.turn.other(),
            (KeyCode::Char('s'), false) => return self.edited(settings),
            (KeyCode::Esc | KeyCode::Char('q'), _) => self.editor = None,
            (KeyCode::Char(':' | '/'), _) => {
                let fen = self.table.game().map(|game| game.fen()).unwrap_or_default();
                self.editor = None;
                self.typed = Some(Typed::with(Use::Fen, &fen));
            }
            _ => match keys::meaning("", key) {
                Meaning::Action(Action::Up) => self.edit_go(0, -sign),
                Meaning::Action(Action::Down) => self.edit_go(0, sign),
                Meaning::Action(Action::Left) => self.edit_go(-sign, 0),
                Meaning::Action(Action::Right) => self.edit_go(sign, 0),
                Meaning::Action(Action::Touch) => self.edit_touch(),
                Meaning::Action(Action::Flip) => self.flipped ^= true,
                _ => {}
            },
        }
        Then::Stay
    }

    fn edit_go(&mut self, dx: i32, dy: i32) {
        self.cursor = cursor::step(&self.table.scene().board, self.cursor, dx, dy);
    }

    /// Starts a game from the position, or shows the reason why it cannot start.
    fn edited(&mut self, settings: &Settings) -> Then {
        let levels = self.bots.levels;
        let (Some(editor), Some(local)) = (&self.editor, self.table.local()) else { return Then::Stay };
        let piece = |(&at, (side, face)): (&Cell, &(Side, String))| Piece {
            at,
            owner: Some(*side),
            face: face.clone().into(),
        };
        let pieces: Vec<Piece> = editor.pieces.iter().map(piece).collect();
        match local.set_up(editor.turn, &pieces) {
            Ok(local) => Then::Table(Box::new(local), levels),
            Err(problem) => {
                self.say_bad(said::refusal(settings.language, &problem.into()));
                Then::Stay
            }
        }
    }
}
