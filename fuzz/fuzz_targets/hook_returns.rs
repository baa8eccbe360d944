//! Fuzz target for the return values of an extension, and for the answers of a worker about it: the result is a fault
//! or a valid position, and the same with the interpreter as without.

#![no_main]

use std::fmt::Write;

use jingbanqi::rule::{move_rule, place_rule};
use jingbanqi::{Map, PieceKind};
use kernel::Side;
use sandbox::fuzzing::{believes, told_both_ways};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let map = map();
    let Some((&first, rest)) = bytes.split_first() else { return };
    if first % 4 == 0 {
        // A worker that lies.
        let _ = believes(&map, rest);
        return;
    }
    let mut writer = Writer { bytes: rest, text: String::new(), left: 200 };
    writer.file();
    let Some([slow, quick]) = told_both_ways(&map, &writer.text) else { return };
    assert_eq!(slow, quick, "{}", writer.text);
    // Behind its length.
    assert!(believes(&map, &slow[4..]), "{}", writer.text);
});

fn map() -> Map {
    let kind = |name: &str, owner, captain| PieceKind {
        name: name.to_owned(),
        owner: Some(owner),
        captain,
        rule: move_rule("1,2,3,4(D[2|1|1]),5,6,7(X[1|2]);4,5").expect("a rule"),
        promotes: place_rule("").expect("a rule"),
        promoted: move_rule(";").expect("a rule"),
        attributes: Vec::new(),
        level2: None,
    };
    Map {
        rows: 3,
        cols: 4,
        kinds: vec![
            kind("K", Side::First, true),
            kind("k", Side::Second, true),
            kind("M", Side::First, false),
        ],
        start: vec![2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1],
        promotion: false,
        undo: true,
        neutral_limit: false,
        level2: None,
    }
}

/// Writes files that end by themselves: no loops but through what is there.
struct Writer<'a> {
    bytes: &'a [u8],
    text: String,
    left: u32,
}

impl Writer<'_> {
    fn next(&mut self, most: u8) -> u8 {
        match self.bytes.split_first() {
            Some((&byte, rest)) => {
                self.bytes = rest;
                byte % most
            }
            None => 0,
        }
    }

    fn file(&mut self) {
        self.text.push_str("EX_NAME = 'x'\ndef X(args, arr): return ");
        self.value();
        self.text.push_str(
            "\nloc_rules = {'X': X}\ndef check_can_go(can_go, chess, arr):\n    a = can_go\n    b = arr\n",
        );
        for _ in 0..self.next(8) {
            self.line();
        }
        self.text.push_str("    return ");
        self.value();
        self.text.push('\n');
    }

    fn line(&mut self) {
        let lines = [
            "    a = ",
            "    b = ",
            "    a.append(",
            "    del a[",
            "    a[0] = ",
            "    b = b + ",
            "    for b in ",
            "    if ",
            "    b, a = ",
            "    chess.attr['n'] = ",
            "    chess.name = ",
            "    JBQ.turn = ",
            "    chess.move = ",
        ];
        let line = lines[usize::from(self.next(lines.len() as u8))];
        self.text.push_str(line);
        self.value();
        self.text.push_str(match line.trim() {
            "a.append(" => ")\n",
            "del a[" => "]\n",
            "for b in" => ": a = b\n",
            "if" => ": a = can_go\n",
            _ => "\n",
        });
    }

    fn value(&mut self) {
        self.left = self.left.saturating_sub(1);
        let plain = [
            "a",
            "b",
            "can_go",
            "chess",
            "arr",
            "JBQ",
            "None",
            "True",
            "''",
            "'ab'",
            "chess.now_move",
            "chess.id",
            "chess.attr",
            "chess.belong",
            "JBQ.turn",
            "JBQ.rl",
            "1.5",
            "[[arr]]",
            "[[(0, 1)]]",
            "chess.move",
            "chess.name",
            "arr[0]",
            "arr[1]",
        ];
        match if self.left == 0 { 0 } else { self.next(24) } {
            0..=7 => {
                let which = usize::from(self.next(plain.len() as u8));
                self.text.push_str(plain[which]);
            }
            8 | 9 => {
                let number = i32::from(self.next(12)) - 4;
                let _ = write!(self.text, "{number}");
            }
            10 => self.many("[", "]"),
            11 => self.many("(", ",)"),
            12 => self.two("[", "for a in", "]"),
            13 => self.two("", "==", ""),
            14 => self.two("", "+", ""),
            15 => self.two("", "in", ""),
            16 => self.two("", "<", ""),
            17 => self.two("", "or", ""),
            18 => self.two("", "%", ""),
            19 => self.two("list(", "for a in", ")"),
            20 => self.one("len(", ")"),
            21 => self.one("JBQ.get_chess_by_arr(", ")"),
            22 => {
                self.value();
                self.text.push_str("[0]");
            }
            _ => {
                self.value();
                self.text.push_str("[-1:]");
            }
        }
    }

    fn one(&mut self, open: &str, close: &str) {
        self.text.push_str(open);
        self.value();
        self.text.push_str(close);
    }

    fn two(&mut self, open: &str, between: &str, close: &str) {
        self.text.push('(');
        self.text.push_str(open);
        self.value();
        let _ = write!(self.text, " {between} ");
        self.value();
        self.text.push_str(close);
        self.text.push(')');
    }

    fn many(&mut self, open: &str, close: &str) {
        self.text.push_str(open);
        let count = self.next(4);
        for number in 0..count {
            if number > 0 {
                self.text.push_str(", ");
            }
            self.value();
        }
        // One bracket alone needs no comma in front of it.
        self.text.push_str(if count == 0 { &close[close.len() - 1..] } else { close });
    }
}
