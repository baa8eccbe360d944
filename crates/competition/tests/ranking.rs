//! Rankings: would catch a criterion that is counted otherwise than its definition says.

use competition::ranking::{Criterion, Place, Unplayed, ranking};
use competition::{Field, trf};

/// Six entrants after three rounds; entrant 6 had a bye, 5 did not come to the third round, 4 asked for half a point.
const REPORT: &str = "\
001    1      A                                 2000                             3.0    1     4 w 1     2 b 1     3 w 1
001    2      B                                 1900                             1.5    2     5 b 1     1 w 0     4 b =
001    3      C                                 1800                             2.0    2     6 w 1     4 b 1     1 b 0
001    4      D                                 1700                             0.5    5     1 b 0     3 w 0     2 w =
001    5      E                                 1600                             1.0    4     2 w 0     6 b 1     6 b -
001    6      F                                                                  1.0    4     3 b 0     5 w 0     5 w +
";

fn field() -> Field {
    trf::read(REPORT).expect("a report").field
}

/// The values of a criterion by entrant, as people write them.
fn values(field: &Field, criterion: Criterion, unplayed: Unplayed) -> Vec<String> {
    let mut places = ranking(field, &[criterion], unplayed);
    places.sort_by_key(|place| place.entrant);
    places.iter().map(|place| criterion.written(place.values[0])).collect()
}

#[test]
fn each_criterion_counts_what_it_says() {
    let rows: [(&str, [&str; 6]); 14] = [
        ("PTS", ["3.0", "1.5", "2.0", "0.5", "1.0", "1.0"]),
        ("WIN", ["3", "1", "2", "0", "1", "1"]),
        ("WON", ["3", "1", "2", "0", "1", "0"]),
        ("BPG", ["1", "2", "2", "1", "1", "1"]),
        ("BWG", ["1", "1", "1", "0", "1", "0"]),
        // E stayed away in the last round: as an opponent that is a draw, so E counts 1.5.
        ("BH", ["4.0", "5.0", "4.5", "6.5", "3.5", "4.5"]),
        ("BH/C1", ["3.5", "4.5", "4.0", "5.0", "2.5", "3.5"]),
        ("BH/C2", ["2.0", "3.0", "3.0", "3.0", "1.5", "2.0"]),
        ("BH/M1", ["1.5", "1.5", "1.0", "2.0", "1.0", "1.5"]),
        ("SB", ["4.00", "1.75", "1.50", "0.75", "1.00", "1.00"]),
        ("PS", ["6.0", "3.5", "5.0", "0.5", "2.0", "1.0"]),
        ("PS/C1", ["5.0", "2.5", "4.0", "0.5", "2.0", "1.0"]),
        ("ARO", ["1800", "1767", "1850", "1900", "1900", "1700"]),
        ("NR", ["1", "2", "3", "4", "5", "6"]),
    ];
    let field = field();
    for (code, told) in rows {
        let criterion = Criterion::of(code).expect(code);
        assert_eq!(criterion.code(), code);
        assert_eq!(values(&field, criterion, Unplayed::Fide), told, "{code}");
    }
}

#[test]
fn unplayed_rounds_count_as_the_terms_say() {
    let (field, buchholz) = (field(), Criterion::of("BH").expect("BH"));
    assert_eq!(values(&field, buchholz, Unplayed::Fide)[4..], ["3.5", "4.5"]);
    // Only E and F have one: the lowest of all has half a point.
    assert_eq!(values(&field, buchholz, Unplayed::Lowest)[4..], ["3.0", "3.5"]);
    assert_eq!(values(&field, buchholz, Unplayed::Zero)[4..], ["2.5", "3.0"]);
}

#[test]
fn direct_encounter_separates_only_those_who_have_all_met() {
    let order = |field: &Field, criteria: &[&str]| {
        let criteria: Vec<Criterion> = criteria.iter().map(|code| Criterion::of(code).expect(code)).collect();
        let places: Vec<Place> = ranking(field, &criteria, Unplayed::Fide);
        places.iter().map(|place| (place.entrant + 1, place.rank)).collect::<Vec<_>>()
    };
    let field = field();
    // E and F have a point each, and E has won their game.
    assert_eq!(order(&field, &["PTS"]), [(1, 1), (3, 2), (2, 3), (5, 4), (6, 4), (4, 6)]);
    assert_eq!(order(&field, &["PTS", "DE"]), [(1, 1), (3, 2), (2, 3), (5, 4), (6, 5), (4, 6)]);
    // All six together have not all met.
    assert_eq!(order(&field, &["DE"]).iter().map(|(_, rank)| *rank).collect::<Vec<_>>(), [1; 6]);
    assert_eq!(order(&field, &["PTS", "NR"])[3..5], [(5, 4), (6, 5)]);
}
