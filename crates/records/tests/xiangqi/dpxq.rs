//! DPXQ texts, written here and read there.

use std::collections::VecDeque;
use std::fmt::Write;

use kernel::Side;
use kernel::laws::Random;
use records::{Format, NodeId, Record, Score, Tree, detect, read};
use xiangqi::Xiangqi;

use crate::random::{self, places, squares};
use crate::xqf::gbk;

fn digits(text: &str) -> String {
    squares(text).iter().map(|(file, row)| format!("{file}{row}")).collect()
}

pub fn encode(record: &Record, start: &Xiangqi) -> String {
    let mut out = String::from("[DhtmlXQ]\r\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\r\n");
    let result = match record.ending.as_ref().map(|e| e.score) {
        Some(Score::Win(Side::First)) => "红胜",
        Some(Score::Win(Side::Second)) => "黑胜",
        Some(Score::Draw) => "和棋",
        _ => "未知",
    };
    let pieces: String = places(start)
        .into_iter()
        .map(|place| place.map_or("99".to_owned(), |at| format!("{}{}", at % 9, at / 9)))
        .collect();
    for (name, value) in [
        ("title", "标题"),
        ("red", &record.players[0]),
        ("black", &record.players[1]),
        ("date", &record.date),
        ("result", result),
        ("binit", &pieces),
    ] {
        let _ = write!(out, "[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]\r\n");
    }
    let tree = &record.tree;
    let mut comments = String::new();
    let start = &tree[Tree::START].comment;
    if !start.is_empty() {
        let _ = write!(comments, "[DhtmlXQ_comment0]{}[/DhtmlXQ_comment0]\r\n", start.replace('\n', "||"));
    }
    // First ply, the branch it leaves, the ply it replaces; each line is followed before the variations beside it.
    let mut waiting: VecDeque<(Option<NodeId>, usize, usize)> = VecDeque::new();
    waiting.push_back((tree.next(Tree::START).first().copied(), 0, 1));
    let mut lines = Vec::new();
    let mut branch = 0;
    while let Some((first, base, at)) = waiting.pop_front() {
        let mut moves = String::new();
        let mut ply = at;
        let mut now = first;
        while let Some(id) = now {
            moves += &digits(&tree[id].text);
            let comment = &tree[id].comment;
            if !comment.is_empty() {
                let name =
                    if branch == 0 { format!("comment{ply}") } else { format!("comment{branch}_{ply}") };
                let _ =
                    write!(comments, "[DhtmlXQ_{name}]{}[/DhtmlXQ_{name}]\r\n", comment.replace('\n', "||"));
            }
            let siblings = tree.next(tree.before(id).expect("a move"));
            if siblings[0] == id {
                waiting.extend(siblings[1..].iter().map(|&id| (Some(id), branch, ply)));
            }
            now = tree.next(id).first().copied();
            ply += 1;
        }
        let name = if branch == 0 { "movelist".to_owned() } else { format!("move_{base}_{at}_{branch}") };
        lines.push(format!("[DhtmlXQ_{name}]{moves}[/DhtmlXQ_{name}]\r\n"));
        branch += 1;
    }
    // The board itself writes the last branch first.
    lines.reverse();
    out + &lines.concat() + &comments + "[/DhtmlXQ]\r\n"
}

/// The tree with its variations in the order that the branches have.
fn same_tree(a: &Tree, b: &Tree, at: (NodeId, NodeId)) -> bool {
    let mut waiting = vec![at];
    while let Some((x, y)) = waiting.pop() {
        if a[x] != b[y] || a.next(x).len() != b.next(y).len() {
            return false;
        }
        waiting.extend(a.next(x).iter().copied().zip(b.next(y).iter().copied()));
    }
    true
}

#[test]
fn what_was_written_is_read() {
    for seed in 1..=300 {
        let random = &mut Random(seed);
        let (mut record, start) = random::record(random, !seed.is_multiple_of(10));
        record.tag("Title", "标题");
        let mut comments: Vec<NodeId> = record.tree.in_order().collect();
        comments.push(Tree::START);
        // Brackets end a value.
        comments.into_iter().for_each(|id| {
            let plain = record.tree[id].comment.replace(['[', ']'], "");
            record.tree[id].comment = plain;
        });
        let text = encode(&record, &start);
        assert_eq!(detect(text.as_bytes()), Some(Format::Dpxq));
        for bytes in [text.clone().into_bytes(), gbk(&text)] {
            let mut back = read(Format::Dpxq, &bytes).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
            if start_turn_is_told(&record) {
                assert!(
                    same_tree(&back.tree, &record.tree, (Tree::START, Tree::START)),
                    "seed {seed}: {text}"
                );
                back.tree = record.tree.clone();
                assert_eq!(back, record, "seed {seed}");
            }
        }
    }
}

/// The format does not say who moves; the first move does.
fn start_turn_is_told(record: &Record) -> bool {
    record.tree.plies() > 0 || record.start.as_ref().is_none_or(|fen| fen.contains(" w "))
}

#[test]
fn variations_by_hand() {
    let text = "text around it [DhtmlXQ_movelist]77477062 7967[/DhtmlXQ_movelist] and
        [DhtmlXQ_move_0_2_1]79678070[/DhtmlXQ_move_0_2_1][DhtmlXQ_move_1_3_2]1022[/DhtmlXQ_move_1_3_2]
        [DhtmlXQ_comment1]one||two[/DhtmlXQ_comment1][DhtmlXQ_comment1_3]three[/DhtmlXQ_comment1_3]
        [DhtmlXQ_comment9]nobody's[/DhtmlXQ_comment9]";
    let record = read(Format::Dpxq, text.as_bytes()).unwrap();
    let tree = &record.tree;
    let texts = |id: NodeId| tree.next(id).iter().map(|&id| tree[id].text.as_str()).collect::<Vec<_>>();
    let first = tree.next(Tree::START)[0];
    assert_eq!((texts(Tree::START), texts(first)), (vec!["h2e2"], vec!["h9g7", "h0g2"]));
    assert_eq!(tree[first].comment, "one\ntwo");
    let aside = tree.next(first)[1];
    assert_eq!(texts(aside), ["i9h9", "b9c7"]);
    assert_eq!(tree[tree.next(aside)[0]].comment, "three");
}

/// The first of two branches with one number counts; the second would branch off itself, and the way back from it
/// would never end.
#[test]
fn of_two_branches_with_one_number_the_first_counts() {
    let text = "[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]
        [DhtmlXQ_move_0_2_5]79677967[/DhtmlXQ_move_0_2_5][DhtmlXQ_move_5_3_5]7062[/DhtmlXQ_move_5_3_5]
        [DhtmlXQ_move_5_2_6]8070[/DhtmlXQ_move_5_2_6][DhtmlXQ_move_6_2_5]1022[/DhtmlXQ_move_6_2_5]
        [DhtmlXQ_comment5_2]x[/DhtmlXQ_comment5_2][DhtmlXQ_comment6_1]y[/DhtmlXQ_comment6_1]";
    let record = read(Format::Dpxq, text.as_bytes()).unwrap();
    let tree = &record.tree;
    assert_eq!(tree.plies(), 5);
    let first = tree.next(Tree::START)[0];
    assert_eq!(tree[first].comment, "y");
    let [_, aside, _] = *tree.next(first) else { panic!("{tree:?}") };
    assert_eq!((tree[aside].text.as_str(), tree[aside].comment.as_str()), ("h0g2", "x"));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let inside = |text: &str| format!("[DhtmlXQ]\n{text}\n");
    for (text, wanted) in [
        ("nothing".to_owned(), "dpxq-none"),
        (inside("[DhtmlXQ_movelist]7747x[/DhtmlXQ_movelist]"), r#"dpxq-move line="2" column="23" found="x""#),
        (
            inside("[DhtmlXQ_movelist]9747[/DhtmlXQ_movelist]"),
            r#"dpxq-move line="2" column="19" found="9747""#,
        ),
        (inside("[DhtmlXQ_binit]12[/DhtmlXQ_binit]"), r#"dpxq-pieces line="2" column="16" found="2""#),
        (
            inside(&format!("[DhtmlXQ_binit]{}", "00".repeat(32))),
            r#"dpxq-two-on-one line="2" column="16" found="00""#,
        ),
        (
            inside("[DhtmlXQ_move_7_2_1]7747[/DhtmlXQ_move_7_2_1]"),
            r#"dpxq-branch line="2" column="21" found="7""#,
        ),
        (
            inside("[DhtmlXQ_move_0_3_1]7747[/DhtmlXQ_move_0_3_1]"),
            r#"dpxq-branch-ply line="2" column="21" found="3""#,
        ),
    ] {
        let found = read(Format::Dpxq, text.as_bytes()).map_err(|e| e.to_string());
        assert_eq!(found.err().as_deref(), Some(wanted), "{text}");
    }
}

/// A record that was written reads back the same, variations and remarks included; square brackets become full-width
/// ones.
#[test]
fn what_we_write_comes_back() {
    for seed in 1..=200 {
        let random = &mut Random(seed);
        let (mut record, _) = random::record(random, true);
        record.tag("Title", "标题");
        let text = records::write(Format::Dpxq, &record).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(detect(&text), Some(Format::Dpxq));
        let ids: Vec<NodeId> = record.tree.in_order().chain([Tree::START]).collect();
        for id in ids {
            let plain = record.tree[id].comment.replace('[', "［").replace(']', "］");
            record.tree[id].comment = plain;
        }
        let mut back = read(Format::Dpxq, &text).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert!(same_tree(&back.tree, &record.tree, (Tree::START, Tree::START)), "seed {seed}");
        back.tree = record.tree.clone();
        assert_eq!(back, record, "seed {seed}");
    }
    // In a page: what stands around it is no part of it.
    let record = random::record(&mut Random(5), true).0;
    let page = format!(
        "<html><body><div>{}</div></body></html>",
        String::from_utf8(records::write(Format::Dpxq, &record).unwrap()).unwrap()
    );
    assert_eq!(detect(page.as_bytes()), Some(Format::Dpxq));
    assert_eq!(read(Format::Dpxq, page.as_bytes()).unwrap().tree.plies(), record.tree.plies());
}
