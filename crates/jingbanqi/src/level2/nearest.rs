//! The word nearest to one that is not known.

/// Returns the candidate with the least edit distance; the first of several.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().take(MOST_LETTERS).collect();
    candidates.into_iter().min_by_key(|candidate| distance(&word, candidate))
}

/// The letters of a word that are compared.
const MOST_LETTERS: usize = 32;

/// The number of letters to change, add and remove.
fn distance(one: &[char], other: &str) -> usize {
    let other: Vec<char> = other.to_lowercase().chars().take(MOST_LETTERS).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let changed = corner + usize::from(a != b);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}
