//! Detection of the parts of a record that a format does not hold, by reading back what was written, so that it is
//! never out of date.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use kernel::Problem;

use crate::{Format, NodeId, Ply, Record, Tree, read};

/// The parts of `record` that are not in `written`, as it was written in that format, by the keys `moves`, `variations`,
/// `comments`, `times`, `nags`, `players`, `result`, `reason`, `clock`, `date`, `tags` and `options`.
///
/// Texts are compared by their words: formats break lines where they like.
///
/// ```
/// use records::{Format, Record, lost, write};
///
/// let mut record = Record { game: "gomoku/freestyle".to_owned(), ..Record::default() };
/// record.players = ["Ann", "Bo"].map(str::to_owned);
/// record.tree.add(records::Tree::START, records::Ply { text: "h8".to_owned(), ..Default::default() });
/// let written = write(Format::Pos, &record).unwrap();
/// assert_eq!(lost(Format::Pos, &record, &written).unwrap(), ["players"]);
/// ```
///
/// # Errors
/// Fails when what was written cannot be read.
pub fn lost(format: Format, record: &Record, written: &[u8]) -> Result<Vec<&'static str>, Problem> {
    let kept = read(format, written)?;
    let differs = |one: &str, other: &str| !one.split_whitespace().eq(other.split_whitespace());
    let (before, after) = (plies(&record.tree), plies(&kept.tree));
    let any = |differs: &dyn Fn(&Ply, &Ply) -> bool| {
        before.iter().any(|(at, ply)| after.get(at).is_some_and(|kept| differs(ply, kept)))
    };
    let main = |record: &Record| record.tree.main_line().count();
    let is_lost = [
        ("moves", main(record) != main(&kept)),
        ("variations", before.keys().any(|at| !after.contains_key(at)) && main(record) == main(&kept)),
        ("comments", any(&|ply, kept| differs(&ply.comment, &kept.comment))),
        ("times", any(&|ply, kept| ply.spent_ms.is_some() && ply.spent_ms != kept.spent_ms)),
        ("nags", any(&|ply, kept| ply.nags != kept.nags)),
        ("players", record.players.iter().zip(&kept.players).any(|(one, other)| differs(one, other))),
        ("result", score(record).is_some() && score(record) != score(&kept)),
        ("reason", score(record) == score(&kept) && reason(record) != reason(&kept)),
        ("clock", differs(&record.clock, &kept.clock)),
        ("date", record.date != kept.date),
        (
            "tags",
            record
                .tags
                .iter()
                .any(|(name, value)| kept.tags.get(name).is_none_or(|kept| differs(kept, value))),
        ),
        ("options", record.options.iter().any(|option| !has(&kept, option))),
    ];
    Ok(is_lost.into_iter().filter(|(_, is_lost)| *is_lost).map(|(what, _)| what).collect())
}

fn score(record: &Record) -> Option<crate::Score> {
    record.ending.as_ref().map(|ending| ending.score)
}

fn reason(record: &Record) -> &str {
    record.ending.as_ref().map_or("", |ending| &ending.reason)
}

/// Returns true if a record has an option; one that is absent has its usual value.
fn has(record: &Record, (name, value): (&String, &i64)) -> bool {
    record.options.get(name).is_none_or(|kept| kept == value)
}

/// Every ply by a number that follows from the moves to it.
fn plies(tree: &Tree) -> HashMap<u64, &Ply> {
    let mut places: HashMap<NodeId, u64> = HashMap::from([(Tree::START, 0)]);
    let mut plies = HashMap::from([(0, &tree[Tree::START])]);
    for id in tree.in_order() {
        let before = tree.before(id).and_then(|before| places.get(&before)).copied().unwrap_or(0);
        let mut hash = DefaultHasher::new();
        (before, &tree[id].text).hash(&mut hash);
        places.insert(id, hash.finish());
        plies.entry(hash.finish()).or_insert(&tree[id]);
    }
    plies
}
