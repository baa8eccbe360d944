//! Wins by force: proof-number search (Allis, van der Meulen and van den Herik, Artificial Intelligence 66, 1994).
//!
//! A proof is a tree in which the winner has a move at each of its turns, and every reply of the loser is answered; nothing is
//! left out, so what is proved holds by the rules. What is not proved within the limit is simply not known.

use kernel::{Position, Side};

/// A proof, with its longest line.
#[derive(Clone, PartialEq, Debug)]
pub struct Proof<M> {
    /// The moves to the end.
    pub line: Vec<M>,
    /// Positions that were looked at.
    pub nodes: usize,
}

/// The greatest depth of a proof, in plies.
const DEEPEST: usize = 60;
/// The proof number of a node that cannot be proved.
const NEVER: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node<M> {
    by: Option<M>,
    parent: u32,
    first: u32,
    count: u32,
    proof: u32,
    disproof: u32,
    attacks: bool,
}

/// Tries to prove that `attacker` wins from `start` against every defence, and returns the proof; `None` when there
/// is none within `most` positions. Positions for which `counts` is false are never part of a proof, as after
/// something was drawn by chance.
pub fn prove<P: Position>(
    start: &P,
    attacker: Side,
    most: usize,
    counts: &dyn Fn(&P) -> bool,
) -> Option<Proof<P::Move>> {
    let mut tree = Tree { nodes: Vec::new(), attacker, counts };
    tree.add(start, None, 0, 0);
    while tree.nodes[0].proof > 0 && tree.nodes[0].disproof > 0 && tree.nodes.len() < most {
        let (mut at, mut pos, mut ply) = (0usize, start.clone(), 0);
        while tree.nodes[at].count > 0 {
            at = tree.most_proving(at);
            pos.play(tree.nodes[at].by.expect("only the root has none"));
            ply += 1;
        }
        tree.expand(at, &pos, ply);
        tree.update(at);
    }
    (tree.nodes[0].proof == 0).then(|| Proof { line: tree.line(0), nodes: tree.nodes.len() })
}

struct Tree<'a, P: Position> {
    nodes: Vec<Node<P::Move>>,
    attacker: Side,
    counts: &'a dyn Fn(&P) -> bool,
}

impl<P: Position> Tree<'_, P> {
    fn add(&mut self, pos: &P, by: Option<P::Move>, parent: usize, ply: usize) {
        let (proof, disproof) = match pos.outcome().or_else(|| pos.drawn().map(kernel::Outcome::Draw)) {
            _ if !(self.counts)(pos) => (NEVER, 0),
            Some(outcome) if outcome.winner() == Some(self.attacker) => (0, NEVER),
            Some(_) => (NEVER, 0),
            None if ply >= DEEPEST => (NEVER, 0),
            None => (1, 1),
        };
        let attacks = pos.turn() == self.attacker;
        self.nodes.push(Node { by, parent: parent as u32, first: 0, count: 0, proof, disproof, attacks });
    }

    fn expand(&mut self, at: usize, pos: &P, ply: usize) {
        let mut moves = Vec::new();
        pos.moves(&mut moves);
        self.nodes[at].first = self.nodes.len() as u32;
        self.nodes[at].count = moves.len() as u32;
        for m in moves {
            let mut next = pos.clone();
            next.play(m);
            self.add(&next, Some(m), at, ply + 1);
        }
    }

    fn children(&self, at: usize) -> &[Node<P::Move>] {
        let node = &self.nodes[at];
        &self.nodes[node.first as usize..(node.first + node.count) as usize]
    }

    fn most_proving(&self, at: usize) -> usize {
        let wanted = |node: &Node<P::Move>| if self.nodes[at].attacks { node.proof } else { node.disproof };
        let children = self.children(at).iter().enumerate();
        let best = children.min_by_key(|(_, node)| wanted(node)).expect("an inner node has children").0;
        self.nodes[at].first as usize + best
    }

    fn update(&mut self, mut at: usize) {
        loop {
            let sum = |numbers: &mut dyn Iterator<Item = u32>| numbers.fold(0u32, u32::saturating_add);
            let children = self.children(at);
            let proofs = || children.iter().map(|node| node.proof);
            let disproofs = || children.iter().map(|node| node.disproof);
            let (proof, disproof) = if self.nodes[at].attacks {
                (proofs().min().unwrap_or(NEVER), sum(&mut disproofs()))
            } else {
                (sum(&mut proofs()), disproofs().min().unwrap_or(NEVER))
            };
            (self.nodes[at].proof, self.nodes[at].disproof) = (proof, disproof);
            if at == 0 {
                return;
            }
            at = self.nodes[at].parent as usize;
        }
    }

    /// Returns the number of plies from a proved node to the end: the winner takes the shortest way, the loser the
    /// longest.
    fn length(&self, at: usize) -> usize {
        let first = self.nodes[at].first as usize;
        let proved = (0..self.children(at).len()).map(|i| first + i).filter(|&i| self.nodes[i].proof == 0);
        let lengths = proved.map(|child| 1 + self.length(child));
        (if self.nodes[at].attacks { lengths.min() } else { lengths.max() }).unwrap_or(0)
    }

    fn line(&self, mut at: usize) -> Vec<P::Move> {
        let mut line = Vec::new();
        while self.nodes[at].count > 0 {
            let first = self.nodes[at].first as usize;
            let proved =
                (0..self.children(at).len()).map(|i| first + i).filter(|&i| self.nodes[i].proof == 0);
            let next = if self.nodes[at].attacks {
                proved.min_by_key(|&child| self.length(child))
            } else {
                proved.max_by_key(|&child| self.length(child))
            };
            let Some(next) = next else { break };
            line.extend(self.nodes[next].by);
            at = next;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use kernel::Outcome;

    use super::*;

    /// Take one to three stones, and the player who takes the last one wins: lost for the side to move where the
    /// number of stones is a multiple of four.
    #[derive(Clone)]
    struct Stones(u8, Side);

    impl Position for Stones {
        type Move = u8;
        fn turn(&self) -> Side {
            self.1
        }
        fn moves(&self, out: &mut Vec<u8>) {
            out.extend(1..=self.0.min(3));
        }
        fn play(&mut self, m: u8) {
            *self = Stones(self.0 - m, self.1.other());
        }
        fn outcome(&self) -> Option<Outcome> {
            (self.0 == 0).then_some(Outcome::Win(self.1.other(), "last-stone"))
        }
        fn key(&self) -> u64 {
            u64::from(self.0) * 2 + self.1.index() as u64
        }
    }

    #[test]
    fn wins_are_proved_and_losses_are_not() {
        for stones in 1..=17u8 {
            let start = Stones(stones, Side::First);
            let first = prove(&start, Side::First, 200_000, &|_| true);
            let second = prove(&start, Side::Second, 200_000, &|_| true);
            assert_eq!((first.is_some(), second.is_some()), (stones % 4 != 0, stones % 4 == 0), "{stones}");
            let mut pos = start;
            let winner = if stones % 4 == 0 { Side::Second } else { Side::First };
            first.or(second).expect("one of them").line.into_iter().for_each(|m| pos.play(m));
            assert_eq!(pos.outcome().and_then(|outcome| outcome.winner()), Some(winner), "{stones}");
        }
    }

    #[test]
    fn a_limit_leaves_it_open() {
        let found = prove(&Stones(40, Side::Second), Side::First, 50, &|_| true);
        assert_eq!(found.map(|proof| proof.nodes), None);
    }

    /// A win that depends on a random draw is not a win by force.
    #[test]
    fn what_was_drawn_proves_nothing() {
        let start = Stones(5, Side::First);
        assert!(prove(&start, Side::First, 1_000, &|_| true).is_some());
        assert!(prove(&start, Side::First, 1_000, &|pos| pos.0 > 0).is_none());
    }
}
