//! Maps that are being written, and pieces that are explained.

use std::path::Path;
use std::sync::Arc;

use jingbanqi::extension::Fault;
use jingbanqi::{Draft, DraftKind, Jingbanqi, Rulebook, Value, read, words};
use kernel::{Notation, Problem, Side};

fn files(folder: &str) -> Vec<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder);
    let entries = std::fs::read_dir(folder).expect("is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "xlsx"));
    files
}

/// A board of 3 by 4 with one piece of each side.
fn small() -> Draft {
    let kind = |name: &str, owner, rule: &str| DraftKind {
        name: name.to_owned(),
        owner,
        captain: owner.is_some(),
        rule: rule.to_owned(),
        promoted: ";".to_owned(),
        ..DraftKind::default()
    };
    Draft {
        rows: 3,
        cols: 4,
        cells: vec![2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 1],
        kinds: vec![
            kind("帅", Some(Side::First), "2;"),
            kind("将", Some(Side::Second), "7;"),
            kind("山", None, ";"),
        ],
        promotion: true,
        ..Draft::default()
    }
}

#[test]
fn a_draft_of_a_map_is_that_map() {
    for path in files("maps") {
        let map = read(&std::fs::read(&path).expect("a file")).map.expect("a good map");
        let reading = Draft::from(&map).read();
        assert_eq!(reading.errors, [], "{}", path.display());
        assert_eq!(reading.map, Some(map), "{}", path.display());
    }
}

/// Errors and their places.
type PlacedErrors = &'static [(&'static str, &'static str)];

#[test]
fn what_is_wrong_stands_where_a_file_would_have_it() {
    let with = |change: &dyn Fn(&mut Draft)| {
        let mut draft = small();
        change(&mut draft);
        draft
    };
    let cases: [(&str, Draft, PlacedErrors); 12] = [
        ("nothing", small(), &[]),
        (
            "no pieces",
            with(&|d| d.kinds.clear()),
            &[
                ("map-no-pieces", "chesses!B2"),
                ("map-bad-piece-id", "map!A2"),
                ("map-bad-piece-id", "map!B3"),
                ("map-bad-piece-id", "map!D4"),
            ],
        ),
        ("no rule", with(&|d| d.kinds[1].rule.clear()), &[("map-bad-move-rule", "chesses!E3")]),
        ("no promoted rule", with(&|d| d.kinds[2].promoted.clear()), &[("map-bad-move-rule", "chesses!G4")]),
        (
            "a strange place",
            with(&|d| d.kinds[0].promotes = "X".into()),
            &[("map-bad-location-rule", "chesses!F2")],
        ),
        ("no rows", with(&|d| d.rows = 0), &[("map-bad-size", "map!B1")]),
        ("no columns", with(&|d| d.cols = 0), &[("map-bad-size", "map!D1")]),
        ("too many columns", with(&|d| d.cols = 65), &[("map-board-too-large", "map!D1")]),
        (
            "endless sides",
            with(&|d| (d.rows, d.cols) = (u32::MAX, u32::MAX)),
            &[("map-board-too-large", "map!B1"), ("map-board-too-large", "map!D1")],
        ),
        ("an unknown piece", with(&|d| d.cells[6] = 4), &[("map-bad-piece-id", "map!C3")]),
        ("a huge number", with(&|d| d.cells[0] = u32::MAX), &[("map-bad-piece-id", "map!A2")]),
        (
            "too many attributes",
            with(&|d| {
                d.kinds[0].attributes = (0..257).map(|i| (format!("a{i}"), Value::Int(1))).collect();
            }),
            &[("map-too-many-attributes", "chesses!JD1")],
        ),
    ];
    for (name, draft, wanted) in cases {
        let errors = draft.read().errors;
        let told: Vec<(&str, &str)> =
            errors.iter().map(|e| (e.key, e.arg("place").expect("a place"))).collect();
        assert_eq!(told, wanted, "{name}");
    }
    let many = with(&|d| d.kinds = vec![d.kinds[2].clone(); 5000]);
    assert_eq!(many.read().errors[0].key, "map-too-many-pieces");
    let long = with(&|d| d.kinds[0].rule = format!("{};", "2,".repeat(4096)));
    assert_eq!(long.read().errors[0].arg("why"), Some("length"));
    let uncrowned = with(&|d| d.kinds[0].captain = false);
    assert_eq!(uncrowned.read().warnings[0].key, "map-warn-no-captain");
    let short = with(&|d| d.cells.truncate(3));
    assert_eq!(
        (short.read().errors, short.read().warnings[0].key),
        (vec![], "map-warn-no-captain"),
        "vacant"
    );
}

/// A sentence as key and facts.
fn told(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(|p| p.to_string().replace('"', "")).collect()
}

#[test]
fn a_rule_is_told_line_by_line() {
    let rows = [
        ("2,4,5;", vec!["section section=step number=1", "anywhere arrows=↑←→"]),
        (";", vec!["still"]),
        (
            "1(X[1|-1|99]),3(X[1|-1|99]);7(),8()",
            vec![
                "section section=step number=1",
                "rows arrows=↖↗ rows=1, 3",
                "section section=far number=2",
                "never arrows=↓↘",
            ],
        ),
        (
            "2(X[2]&Y[0|4]&P[1|1|-1|-1|9|9]);",
            vec![
                "section section=step number=1",
                "rows arrows=↑ rows=2",
                "cols arrows=↑ cols=4",
                "points arrows=↑ points=(1,1), (3,4)",
            ],
        ),
        ("2(X[9]);", vec!["section section=step number=1", "never arrows=↑"]),
        (
            "2(NP[1|2]&T[2]&C[0|1|9]&C[3|0|1]);",
            vec![
                "section section=step number=1",
                "not-points arrows=↑ points=(1,2)",
                "gone arrows=↑ piece=将 id=2",
                "count-all arrows=↑ piece=? id=0 least=1 most=9",
                "count arrows=↑ piece=山 id=3 least=0 most=1",
            ],
        ),
        (
            "2(D[2|-1|3]),3(R[2|0|4|1|2|3]),4(D[2|5|1]);",
            vec![
                "section section=step number=1",
                "distance arrows=↑ piece=将 id=2 relation=nearer steps=3",
                "beside arrows=↗ piece=将 id=2 relation=at steps=4 sides=↖↑↗",
                "never arrows=←",
            ],
        ),
        (
            "2(Q[1|2]),3(E[1]);;1,9",
            vec![
                "section section=step number=1",
                "unknown arrows=↑ place=Q[1|2]",
                "named arrows=↗ place=E[1]",
                "section section=shield number=3",
                "anywhere arrows=↖ 9 ",
            ],
        ),
    ];
    for (rule, wanted) in rows {
        let mut draft = small();
        draft.kinds[0].rule = rule.to_owned();
        let map = draft.read().map.expect("a good map");
        let kinds = words::kinds(&map, &["D", "R", "T", "NP", "C", "E"]);
        let lines = told(&kinds[0]);
        assert_eq!(lines[0], "piece name=帅 id=1 side=red captain=yes promoted=no");
        assert_eq!(lines[1..], wanted, "{rule}");
    }
    let mut draft = small();
    draft.kinds[0].promotes = "X[1]".to_owned();
    draft.kinds[0].promoted = ";2".to_owned();
    draft.kinds[0].attributes = vec![("big".to_owned(), Value::Bool(true))];
    let map = draft.read().map.expect("a good map");
    let lines = told(&words::kinds(&map, &[])[0]);
    let wanted = [
        "promotes",
        "rows arrows=⇧ rows=1",
        "then",
        "section section=far number=2",
        "anywhere arrows=↑",
        "attribute name=big value=TRUE",
    ];
    assert_eq!(lines[3..], wanted);
    draft.promotion = false;
    let map = draft.read().map.expect("a good map");
    assert_eq!(words::kinds(&map, &[])[0].len(), 4, "where promotion is off, it is not told");
}

#[test]
fn a_piece_on_the_board_is_told_as_it_stands() {
    let mut draft = small();
    draft.kinds[0].rule = "2(X[3]),4;5".to_owned();
    let start = Jingbanqi::new(Arc::new(Rulebook::new(draft.read().map.expect("a good map"), false)));
    let lines = told(&Notation::details(&start, 11));
    assert_eq!(lines[1], "now near=↑← far=→ reach=both");
    let moved = start.read_fen("2,.3/.,3,.,1/.4 r 0,0 -").expect("fits");
    assert_eq!(told(&Notation::details(&moved, 7))[1], "now near=← far=→ reach=both");
    let promoted = start.read_fen("2,.3/.,3,.,1+/.4 r 0,0 -").expect("fits");
    let lines = told(&Notation::details(&promoted, 7));
    assert_eq!(lines[0], "piece name=帅 id=1 side=red captain=yes promoted=yes");
    assert_eq!(lines[1..], ["now near= far= reach=none", "still"]);
    assert_eq!(Notation::details(&start, 1), [], "nobody stands there");
    assert_eq!(Notation::details(&start, u16::MAX), [], "nor there");
}

/// The picture has the directions of every section that hold; before, sections 3 to 6, which only extensions use,
/// were missing.
#[test]
fn the_picture_has_the_directions_of_every_section_that_holds_now() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/maps/t1_grammar(6x8).xlsx");
    let reading = read(&std::fs::read(path).expect("is there"));
    let map = reading.map.expect("a map that can be played");
    let dirs = Jingbanqi::new(Arc::new(Rulebook::new(map, false))).dirs();
    let of = |at| dirs.iter().find(|dirs| dirs.at == at).expect("a piece stands there");
    // `2,3(…),4,5;1(P[6|1|…]);3,7;2(X[4]);1;8` in row 6, where X[4] does not hold.
    let rider = of(40);
    assert_eq!((rider.near, rider.far), (0b0001_1010, 0b0000_0001));
    assert_eq!(rider.more, [0b0100_0100, 0, 0b0000_0001, 0b1000_0000]);
    // `7;;;;;` has sections without directions.
    assert!(of(8).more.is_empty());
}

#[test]
fn the_place_of_a_mistake_is_said_once() {
    let reason = "SyntaxError: expected a parameter or the end of the parameter list";
    let fault = Fault {
        file: "gate.py".to_owned(),
        hook: "load".to_owned(),
        line: Some(16),
        error: format!("{reason} (gate.py, line 16)"),
    };
    for said in [fault.problem(), fault.caption()] {
        let facts =
            [("place", "gate.py"), ("hook", "load"), ("line", "16"), ("why", "other"), ("text", reason)];
        assert_eq!(said.args, facts.map(|(name, fact)| (name, fact.to_owned())));
    }
    // A place that is not the one told already stays.
    let other = Fault { line: None, ..fault };
    assert_eq!(other.problem().arg("line"), Some("?"));
    assert!(other.problem().arg("text").is_some_and(|text| text.contains("(gate.py")));
}
