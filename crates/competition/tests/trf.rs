//! Tournament reports: would catch a file that comes back otherwise, a fault that is not told, and points that are not added up.

use competition::ranking::{Criterion, Unplayed, ranking};
use competition::{Bye, Entrant, Field, Part, Points, Score, Seat, swiss, trf};

/// Four entrants and three rounds with a bye, a forfeit, a ruling, a short game and one who went home.
const SMALL: &str = "\
012 Club evening
022 Suzhou
062 5
092 Individual: Swiss-System
001    1 m GM Chen Yi                           2400 CHN     8600001 1990/01/02  2.5    1     3 w 1     2 b =     4 w +
001    2 w    Dvořáková, Anna                   2210 CZE                         1.5    2     4 b 1     1 w =  0000 - Z
001    3      Bo                                1900                             1.0    4     1 b 0  0000 - U     5 w 0
001    7      Name of the seventh                                                0.0    5  0000 - Z  0000 - Z  0000 - Z
001    4      Cai                               1850 CHN                         1.0    3     2 w 0     5 b W     1 b -
001    5      Dai                               1500 CHN                         0.5    6  0000 - H     4 w L     3 b 0
XXR 5
XXC black1
XXZ 7
XXP 1 2
302 kept as it stands
";

fn faults(text: &str) -> Vec<String> {
    trf::read(text).expect_err("a fault").iter().map(ToString::to_string).collect()
}

#[test]
fn a_report_is_read() {
    let trf = trf::read(SMALL).expect("a report");
    let field = &trf.field;
    assert_eq!(trf.numbers, [1, 2, 3, 4, 5, 7]);
    assert_eq!((trf.line("012"), trf.line("302")), (Some("Club evening"), Some("kept as it stands")));
    assert_eq!(trf.not_followed().collect::<Vec<_>>(), ["302"]);
    let anna = &field.entrants[1];
    assert_eq!(
        (anna.name.as_str(), anna.sex.as_str(), anna.rating, anna.country.as_str()),
        ("Dvořáková, Anna", "w", 2210, "CZE")
    );
    assert_eq!((field.entrants[0].id.as_str(), field.entrants[0].title.as_str()), ("8600001", "GM"));
    assert_eq!((field.planned, field.top_seat), (5, Some(Seat::Second)));
    assert_eq!((field.away.as_slice(), field.apart.as_slice()), (&[(5, Bye::Zero)][..], &[vec![0, 1]][..]));
    let scores: Vec<_> =
        field.rounds[2].pairings.iter().map(|one| (one.first, one.second, one.score)).collect();
    let both_lost = Some(Score::Ruled([Part::Loss, Part::Loss]));
    assert_eq!(scores, [(0, 3, Some(Score::Forfeit(Seat::First))), (2, 4, both_lost)]);
    assert!(trf.short.contains(&(1, 4)) && trf.short.len() == 1);
    let places = ranking(field, &[Criterion::Points, Criterion::Number], Unplayed::Fide);
    assert_eq!(places.iter().map(|one| one.entrant).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
}

#[test]
fn a_report_comes_back_as_it_went() {
    let trf = trf::read(SMALL).expect("a report");
    let again = trf::read(&trf::write(&trf)).expect("our own");
    assert_eq!(again, trf);
    assert_eq!(trf::write(&again), trf::write(&trf));
    let old = SMALL.replace('\n', "\r");
    assert_eq!(trf::read(&old).as_ref(), Ok(&trf));
    assert_eq!(trf::read(&format!("\u{feff}{}", SMALL.replace('\n', "\r\n"))), Ok(trf));
}

#[test]
fn each_random_competition_comes_back() {
    for seed in 0..300_usize {
        let count = 2 + seed % 30;
        let entrant = |own: usize| Entrant {
            name: format!("Entrant {own}"),
            rating: 1000 + (own * 37 % 900) as u32,
            ..Entrant::default()
        };
        let points =
            [Points::default(), Points::of(20, 10, 0), Points { allocated: 5, ..Points::of(30, 10, 0) }]
                [seed % 3];
        let mut field = Field { entrants: (0..count).map(entrant).collect(), points, ..Field::default() };
        for number in 0..4 {
            field.away = (0..count)
                .filter(|own| (own * 7 + number * 5 + seed) % 23 == 0)
                .map(|own| (own, Bye::Half))
                .collect();
            let Ok(mut round) = swiss::pair(&field) else { break };
            for (board, pairing) in round.pairings.iter_mut().enumerate() {
                pairing.score = Some(match (board + seed + number) % 7 {
                    0 => Score::Drawn,
                    1 => Score::Forfeit(Seat::Second),
                    2 => Score::NeitherCame,
                    3 => Score::Ruled([Part::Draw, Part::Loss]),
                    4 => Score::Won(Seat::Second),
                    _ => Score::Won(Seat::First),
                });
            }
            round.pairings.sort_by_key(|pairing| pairing.first);
            round.byes.sort_unstable();
            field.rounds.push(round);
        }
        field.away.clear();
        let report = trf::Trf { numbers: (1..=count as u32).collect(), field, ..trf::Trf::default() };
        let mut again = trf::read(&trf::write(&report))
            .unwrap_or_else(|faults| panic!("seed {seed}: {faults:?}\n{}", trf::write(&report)));
        for round in &mut again.field.rounds {
            round.pairings.sort_by_key(|pairing| pairing.first);
        }
        assert_eq!(again, report, "seed {seed}");
    }
}

#[test]
fn faults_are_told_with_their_place() {
    let swapped = |from: &str, to: &str| {
        assert!(SMALL.contains(from), "{from}");
        SMALL.replace(from, to)
    };
    let rows = [
        (swapped("001    5      Dai", "001    4      Dai"), "trf-twice line=\"10\" number=\"4\""),
        (
            swapped("     3 w 1     2 b =", "     9 w 1     2 b ="),
            "trf-opponent line=\"5\" column=\"92\" round=\"1\" number=\"1\" opponent=\"9\"",
        ),
        (
            swapped("     3 w 1     2 b =", "     1 w 1     2 b ="),
            "trf-self line=\"5\" column=\"92\" round=\"1\" number=\"1\" opponent=\"1\"",
        ),
        (
            swapped("     3 w 1     2 b =", "     3 b 1     2 b ="),
            "trf-disagrees line=\"5\" column=\"92\" round=\"1\" number=\"1\" opponent=\"3\"",
        ),
        (
            swapped("     1 b 0  0000 - U", "     1 b =  0000 - U"),
            "trf-disagrees line=\"5\" column=\"92\" round=\"1\" number=\"1\" opponent=\"3\"",
        ),
        (
            swapped("  2.5    1", "  3.0    1"),
            "trf-points line=\"5\" column=\"81\" number=\"1\" found=\"3.0\" sum=\"2.5\"",
        ),
        (
            swapped("     3 w 1     2 b =", "     3 w 8     2 b ="),
            "trf-cell line=\"5\" column=\"92\" round=\"1\" number=\"1\" found=\"3 w 8\"",
        ),
        (
            swapped("     3 w 1     2 b =", "    3 w 1      2 b ="),
            "trf-cell line=\"5\" column=\"92\" round=\"1\" number=\"1\" found=\"3 w 1\"",
        ),
        (swapped("2400 CHN", "24x0 CHN"), "trf-number line=\"5\" column=\"49\" found=\"24x0\""),
        (swapped("001    7", "001    0"), "trf-number line=\"8\" column=\"5\" found=\"0\""),
        (swapped("XXR 5", "XXR five"), "trf-setting line=\"11\" found=\"five\""),
        (swapped("XXC black1", "XXC red1"), "trf-setting line=\"12\" found=\"red1\""),
        (format!("{SMALL}XXP {}\n", "1 ".repeat(trf::MOST_APART)), "trf-setting line=\"16\" found="),
        (swapped("XXZ 7", "XXZ 8"), "trf-setting line=\"13\" found=\"8\""),
        ("001    1      A\n".to_owned(), "trf-short-line line=\"1\" length=\"15\""),
        ("012 Nobody\n".to_owned(), "trf-empty"),
        ("x".repeat(trf::MOST_BYTES + 1), "trf-size most=\"2\""),
        ("\n".repeat(trf::MOST_LINES + 1), "trf-size most=\"2\""),
    ];
    for (text, told) in rows {
        let faults = faults(&text);
        assert!(
            faults.iter().any(|fault| fault == told || told.ends_with('=') && fault.starts_with(told)),
            "{told} is not among {faults:#?}"
        );
    }
    let many: String = (0..300).map(|_| "001 none\n").collect();
    assert_eq!(faults(&many).len(), trf::MOST_FAULTS);
}

/// Two entrants have a bye in the second round, which is not paired yet; the other three are to be paired.
#[test]
fn byes_of_a_round_that_is_not_paired_are_given_before_it() {
    let row = |own: u32, points: &str, cells: &str| {
        format!("001 {own:>4}      {:66} {points} {own:>4} {cells}\n", "A")
    };
    let text = [
        "142 5\n152 B\n".to_owned(),
        row(1, "1.0", "    2 w 1"),
        row(2, "0.0", "    1 b 0  0000 - Z"),
        row(3, "0.5", "    4 w =  0000 - H"),
        row(4, "0.5", "    3 b ="),
        row(5, "1.0", " 0000 - U"),
    ];
    let report = trf::read(&text.concat()).expect("a report");
    assert_eq!(
        (report.field.rounds.len(), report.field.planned, report.field.top_seat),
        (1, 5, Some(Seat::Second))
    );
    assert_eq!(report.field.away, [(1, Bye::Zero), (2, Bye::Half)]);
    assert_eq!(trf::read(&trf::write(&report)).map(|again| again.field.away), Ok(report.field.away.clone()));
    let round = swiss::pair(&report.field).expect("a round");
    assert_eq!((round.pairings.len(), round.byes.len()), (1, 3));
}

#[test]
fn a_win_may_be_worth_one_two_or_three_points() {
    let two =
        SMALL.replace("2.5    1", "5.0    1").replace("1.5    2", "3.0    2").replace("1.0    4", "2.0    4");
    let two = two.replace("1.0    3", "2.0    3").replace("0.5    6", "1.0    6");
    assert_eq!(trf::read(&two).map(|trf| trf.field.points), Ok(Points::of(20, 10, 0)));
    let own = format!("{two}XXS W=2.0 D=1.0 L=0.0\n");
    assert_eq!(trf::read(&own).map(|trf| trf.field.points.draw), Ok([10, 10]));
    assert_eq!(faults(&format!("{SMALL}XXS W=2.0\n"))[0].split(' ').next(), Some("trf-points"));
}
