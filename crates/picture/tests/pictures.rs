//! Catches pictures of the wrong size, files that no decoder reads, films that leave things out or grow large, and a
//! game that cannot be drawn. The pictures are written to `target/tmp`, to be looked at.

use std::io::Cursor;
use std::path::Path;
use std::time::Instant;

use catalog::{ENTRIES, Entry, Options, Setting};
use kernel::{AnyGame, Offered, Side, View};
use picture::{CARD_HEIGHT, CARD_WIDTH, Card, FaceSet, Film, Painter, Scene, Theme, film};

const NEVER: &dyn Fn() -> bool = &|| true;

fn keep(name: &str, bytes: &[u8]) {
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name), bytes).expect("a folder of the build");
}

fn opened(entry: &Entry) -> Box<dyn AnyGame> {
    let options = entry.settle(&Options::new(), Setting::Faithful).expect("usual options");
    let map = catalog::maps::Rules::load(&catalog::maps::SAMPLES[0].package(), &Options::new(), None);
    let map = map.expect("a built-in map");
    // Whether a game comes with a map is the catalogue's to say.
    entry.open(None, &options, None).or_else(|_| entry.open(Some(&map), &options, None)).expect("opens")
}

/// Plays random moves, the same on every machine, and returns each position.
fn played(game: &mut dyn AnyGame, plies: usize) -> Vec<View> {
    let mut seed: u64 = 20_261_125;
    let mut views = vec![game.view()];
    for _ in 0..plies {
        let view = game.view();
        let texts: Vec<String> = match &view.moves {
            Offered::Listed(moves) => moves.iter().map(|m| m.text.clone()).collect(),
            Offered::Every(_) => {
                let board = game.board();
                let taken = |cell| view.pieces.iter().any(|p| p.at == cell);
                let cells = 0..u16::from(board.files) * u16::from(board.ranks);
                cells
                    .filter(|&cell| board.is_place(cell) && !taken(cell))
                    .map(|cell| board.name(cell))
                    .collect()
            }
        };
        if texts.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let text = &texts[(seed >> 33) as usize % texts.len()];
        if game.play(text).is_err() {
            break;
        }
        views.push(game.view());
    }
    views
}

fn decoded(png: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(Cursor::new(png)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("its pixels");
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (info.width, info.height, pixels)
}

#[test]
fn every_game_is_drawn_and_a_move_is_seen() {
    for entry in ENTRIES.iter() {
        let mut game = opened(entry);
        let views = played(game.as_mut(), 40);
        let scene = Scene::new(game.board(), entry.family, entry.sides, Theme::Light);
        let mut painter = Painter::new(scene, 720, 800);
        let pictures: Vec<_> =
            [&views[0], &views[1]].map(|v| painter.draw(v, NEVER).expect("drawn")).into_iter().collect();
        let begun = Instant::now();
        let png = painter.draw(&views[views.len() - 1], NEVER).expect("drawn").png();
        println!("{}: {} bytes, {:?}", entry.key, png.len(), begun.elapsed());
        let (width, height, pixels) = decoded(&png);
        assert!((500..=720).contains(&width) && (400..=800).contains(&height), "{width}x{height}");
        assert_eq!(pixels.len(), (width * height * 3) as usize);
        let same = pictures[0] == pictures[1];
        assert!(!same || views[0].pieces == views[1].pieces, "{}: a move that is not seen", entry.key);
        keep(&format!("{}.png", entry.key.replace('/', "-")), &png);
    }
}

#[test]
fn themes_faces_and_sides_differ() {
    let entry = catalog::find("xiangqi").expect("a game");
    let mut game = opened(entry);
    let view = played(game.as_mut(), 21).pop().expect("a position");
    let draw = |scene: Scene| Painter::new(scene, 480, 480).draw(&view, NEVER).expect("drawn").png();
    let scene = |theme| Scene::new(game.board(), entry.family, entry.sides, theme);
    let mut seen = vec![draw(scene(Theme::Light))];
    for (name, scene) in [
        ("dark", scene(Theme::Dark)),
        ("contrast", scene(Theme::Contrast)),
        ("traditional", scene(Theme::Light).faces(FaceSet::Traditional)),
        ("pictures", scene(Theme::Light).faces(FaceSet::Pictures)),
        ("turned", scene(Theme::Light).flipped(true)),
        ("nameless", scene(Theme::Light).named(false)),
    ] {
        let png = draw(scene);
        assert!(!seen.contains(&png), "{name} looks like another");
        keep(&format!("xiangqi-{name}.png"), &png);
        seen.push(png);
    }
    assert_eq!(seen[0], draw(scene(Theme::Light)), "the same is drawn twice");
}

/// The pieces in hands are drawn, each side's at its own edge; so are hexagons and terrain.
#[test]
fn maps_of_level_2_are_drawn_with_hands_hexagons_and_terrain() {
    let opened = |key: &str| {
        let package = catalog::maps::sample(key).expect("is built in").package();
        let rules = catalog::maps::Rules::load(&package, &Options::new(), None).expect("a good map");
        rules.open(None).expect("the start")
    };
    let draw = |board: &kernel::Board, view: &View, flipped: bool, name: &str| {
        let scene = Scene::new(board.clone(), "jingbanqi", ["red", "blue"], Theme::Light).flipped(flipped);
        let png = Painter::new(scene, 480, 640).draw(view, NEVER).expect("drawn").png();
        keep(&format!("level2-{name}.png"), &png);
        decoded(&png)
    };
    let mut farmyard = opened("farmyard");
    let board = farmyard.board();
    assert_eq!(board.hands, Some(Side::First));
    for text in ["3,2-2,2", "1,2-2,2"] {
        farmyard.play(text).expect("is legal");
    }
    let view = farmyard.view();
    assert_eq!(view.hands.len(), 2);
    let (width, height, both) = draw(&board, &view, false, "hands");
    assert!(height > width * 3 / 2, "four rows and two hands: {width} x {height}");
    let rows = |pixels: &[u8], of: std::ops::Range<u32>| -> Vec<u8> {
        let stride = pixels.len() / height as usize;
        pixels[of.start as usize * stride..of.end as usize * stride].to_vec()
    };
    let (upper, lower) = (0..height / 9, height - height / 9..height);
    for (side, other, at, turned) in
        [(Side::First, Side::Second, lower.clone(), upper.clone()), (Side::Second, Side::First, upper, lower)]
    {
        let one = View {
            hands: view.hands.iter().filter(|one| one.side == side).cloned().collect(),
            ..view.clone()
        };
        let none = View { hands: Vec::new(), ..view.clone() };
        let (_, _, one_drawn) = draw(&board, &one, false, "hand");
        let (_, _, none_drawn) = draw(&board, &none, false, "no-hand");
        assert_ne!(rows(&one_drawn, at.clone()), rows(&none_drawn, at.clone()), "{side:?}");
        assert_eq!(rows(&one_drawn, at.clone()), rows(&both, at), "{other:?} has its own edge");
        let (_, _, flipped) = draw(&board, &one, true, "hand-turned");
        let (_, _, empty) = draw(&board, &none, true, "no-hand-turned");
        assert_ne!(rows(&flipped, turned.clone()), rows(&empty, turned), "{side:?}, turned");
    }
    let hex = opened("hex-2");
    let board = hex.board();
    let (width, height, shaped) = draw(&board, &hex.view(), false, "hex");
    assert!(board.hands.is_none() && width > height, "one kind of stone needs no hand: {width} x {height}");
    let bare = kernel::Board { terrain: Vec::new(), ..board };
    assert_ne!(shaped, draw(&bare, &hex.view(), false, "hex-bare").2);
}

/// The largest possible board, with a piece of its own on each cell, is drawn in bounded time, and drawing stops when
/// it is told to.
#[test]
fn the_largest_board_is_drawn_in_bounded_time_and_whoever_leaves_ends_it() {
    let names = kernel::Names::PAIRS;
    let board = kernel::Board::new(kernel::Lines::Cells, 255, 255, names);
    let mut view = opened(catalog::find("jingbanqi").expect("a game")).view();
    view.pieces = (0..255 * 255)
        .map(|at| kernel::Piece { at, owner: Some(Side::First), face: format!("{at}").into() })
        .collect();
    view.dirs.clear();
    view.marks.clear();
    view.last.clear();
    let scene = || Scene::new(board.clone(), "jingbanqi", ["red", "blue"], Theme::Light);
    let begun = Instant::now();
    let picture = Painter::new(scene(), 1200, 1200).draw(&view, NEVER).expect("drawn");
    println!("255x255: {}x{} {:?}", picture.width(), picture.height(), begun.elapsed());
    assert!(picture.width() <= 1200 && picture.width() > 1000);
    assert_eq!(Painter::new(scene(), 1200, 1200).draw(&view, &|| false).err(), Some(picture::GivenUp));
}

#[test]
fn a_game_is_a_film() {
    for key in ["xiangqi", "gomoku/freestyle", "draughts/international", "locked", "jingbanqi"] {
        let entry = catalog::find(key).expect("a game");
        let mut game = opened(entry);
        let views = played(game.as_mut(), 100);
        let scene = Scene::new(game.board(), entry.family, entry.sides, Theme::Light);
        let begun = Instant::now();
        let mut painter = Painter::new(scene, 480, 560);
        let bytes = film(&mut painter, &views, Film::default(), NEVER).expect("a film");
        println!("{key}: {} plies, {} bytes, {:?}", views.len() - 1, bytes.len(), begun.elapsed());
        let mut decoder = gif::DecodeOptions::new().read_info(Cursor::new(&bytes)).expect("a GIF");
        let mut frames = 0;
        while decoder.read_next_frame().expect("whole frames").is_some() {
            frames += 1;
        }
        assert_eq!(frames, views.len(), "{key}");
        keep(&format!("{}.gif", key.replace('/', "-")), &bytes);
        assert!(film(&mut painter, &views, Film::default(), &|| false).is_err(), "whoever leaves ends it");
    }
}

#[test]
fn cards_have_the_size_that_links_are_shown_at() {
    for (key, words) in [
        ("xiangqi", ["中国象棋", "林", "Ada Lovelace", "红方胜：将死"]),
        ("gomoku/renju", ["Renju", "Lin", "A rather long name of somebody", "Black to move, ply 41"]),
        ("locked", ["Locked chess", "Lin", "Ada", "Waiting for an opponent"]),
        ("draughts/frisian", ["Frisian draughts", "Lin", "Ada", "Draw"]),
        ("jingbanqi", ["移山 / Moving Mountains", "Lin", "Ada", "Red to move"]),
    ] {
        let entry = catalog::find(key).expect("a game");
        let mut game = opened(entry);
        let view = played(game.as_mut(), 41).pop().expect("a position");
        let [title, first, second, status] = words.map(str::to_owned);
        let card = Card { title, players: [first, second], status, place: "Qiguan 棋馆".to_owned() };
        for theme in [Theme::Light, Theme::Dark] {
            let scene = Scene::new(game.board(), entry.family, entry.sides, theme);
            let begun = Instant::now();
            let png = card.draw(scene, &view, NEVER).expect("drawn").png();
            println!("card {key}: {} bytes, {:?}", png.len(), begun.elapsed());
            let (width, height, _) = decoded(&png);
            assert_eq!((width, height), (CARD_WIDTH, CARD_HEIGHT));
            keep(&format!("card-{}-{}.png", key.replace('/', "-"), theme.key()), &png);
        }
    }
}
