//! The best matching of a graph: pairs of vertices, none in two of them, whose weights sum to the most.
//!
//! The method of Edmonds with dual variables, as Galil, Micali and Gabow speed it up for graphs in which most pairs have an
//! edge: O(n³) additions and comparisons for n vertices. It adds, subtracts, compares and halves weights, and nothing
//! else; so a weight may be a list of numbers that are compared in order.

use std::collections::VecDeque;

/// A weight of an edge: an element of an ordered group.
///
/// Sums of a few weights must not overflow.
pub trait Weight: Clone + Ord {
    /// The weight that changes nothing when it is added.
    const ZERO: Self;
    /// Returns the sum.
    #[must_use]
    fn plus(&self, other: &Self) -> Self;
    /// Returns the difference.
    #[must_use]
    fn minus(&self, other: &Self) -> Self;
    /// Returns the half of a weight that is twice another.
    #[must_use]
    fn half(&self) -> Self;
}

impl Weight for i64 {
    const ZERO: i64 = 0;
    fn plus(&self, other: &i64) -> i64 {
        self + other
    }
    fn minus(&self, other: &i64) -> i64 {
        self - other
    }
    fn half(&self) -> i64 {
        self / 2
    }
}

/// Numbers that are compared in order: the first that differs decides.
impl<const N: usize> Weight for [i64; N] {
    const ZERO: [i64; N] = [0; N];
    fn plus(&self, other: &Self) -> Self {
        std::array::from_fn(|at| self[at] + other[at])
    }
    fn minus(&self, other: &Self) -> Self {
        std::array::from_fn(|at| self[at] - other[at])
    }
    fn half(&self) -> Self {
        self.map(|one| one / 2)
    }
}

/// Returns the partner of each of `count` vertices in a matching whose sum of weights is the largest.
///
/// `weight(a, b)`, with a < b, is the weight of the edge between two vertices, above zero; `None` where there is no edge. For as many
/// pairs as there can be, each edge has a first part that outweighs all others.
///
/// ```
/// // Three pairs in a row weigh less than the two outer ones with the middle left alone.
/// let partners = competition::matching::best(4, |a, b| match (a, b) {
///     (0, 1) | (2, 3) => Some(5),
///     (1, 2) => Some(9),
///     _ => None,
/// });
/// assert_eq!(partners, [Some(1), Some(0), Some(3), Some(2)]);
/// ```
pub fn best<W: Weight>(count: usize, weight: impl Fn(usize, usize) -> Option<W>) -> Vec<Option<usize>> {
    let mut search = Search::new(count, weight);
    while search.stage() {}
    (1..=count).map(|vertex| search.mate[vertex].checked_sub(1)).collect()
}

/// The label of a vertex in the forest of a stage.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Label {
    /// A vertex that is not reached.
    Free,
    /// A vertex at an even distance from a root.
    Outer,
    /// A vertex at an odd distance from a root.
    Inner,
}

/// The state of the search. Vertices count from 1, blossoms (odd circles that act as one vertex) from `count` + 1; 0 is none.
struct Search<W> {
    count: usize,
    /// The largest number of a vertex or blossom in use.
    used: usize,
    size: usize,
    /// Weights of edges between vertices, by `(a, b)`.
    weights: Vec<Option<W>>,
    /// The edge between two vertices or blossoms that is tightest, as its two vertices; (0, 0) for none.
    edges: Vec<(usize, usize)>,
    duals: Vec<W>,
    mate: Vec<usize>,
    /// The outer vertex whose edge to this one is tightest.
    slack: Vec<usize>,
    /// The outermost blossom of each vertex or blossom; 0 where a blossom is not in use.
    top: Vec<usize>,
    parent: Vec<usize>,
    /// The parts of a blossom, around the circle from its base.
    parts: Vec<Vec<usize>>,
    /// The part of a blossom that holds a vertex.
    part_of: Vec<Vec<usize>>,
    labels: Vec<Label>,
    seen: Vec<usize>,
    looks: usize,
    queue: VecDeque<usize>,
}

impl<W: Weight> Search<W> {
    fn new(count: usize, weight: impl Fn(usize, usize) -> Option<W>) -> Search<W> {
        // At most half as many blossoms as vertices exist at once.
        let size = count + count / 2 + 2;
        let mut search = Search {
            count,
            used: count,
            size,
            weights: vec![None; (count + 1) * (count + 1)],
            edges: vec![(0, 0); size * size],
            duals: vec![W::ZERO; size],
            mate: vec![0; size],
            slack: vec![0; size],
            top: (0..size).map(|at| if at <= count { at } else { 0 }).collect(),
            parent: vec![0; size],
            parts: vec![Vec::new(); size],
            part_of: vec![Vec::new(); size],
            labels: vec![Label::Free; size],
            seen: vec![0; size],
            looks: 0,
            queue: VecDeque::new(),
        };
        let mut most = W::ZERO;
        for a in 1..=count {
            for b in a + 1..=count {
                let Some(weight) = weight(a - 1, b - 1).filter(|weight| *weight > W::ZERO) else { continue };
                most = most.max(weight.clone());
                search.edges[a * size + b] = (a, b);
                search.edges[b * size + a] = (b, a);
                search.weights[b * (count + 1) + a] = Some(weight.clone());
                search.weights[a * (count + 1) + b] = Some(weight);
            }
        }
        search.duals[1..=count].fill(most);
        for vertex in 1..=count {
            search.part_of[vertex] = vec![0; count + 1];
            search.part_of[vertex][vertex] = vertex;
        }
        search
    }

    fn edge(&self, a: usize, b: usize) -> (usize, usize) {
        self.edges[a * self.size + b]
    }

    /// Returns what is left of an edge over the weights: zero if it is tight.
    fn left(&self, (a, b): (usize, usize)) -> W {
        let sum = self.duals[a].plus(&self.duals[b]);
        let weight = self.weights[a * (self.count + 1) + b].as_ref();
        weight.map_or_else(|| sum.clone(), |weight| sum.minus(weight).minus(weight))
    }

    fn closer(&mut self, from: usize, to: usize) {
        let old = self.slack[to];
        if old == 0 || self.left(self.edge(from, to)) < self.left(self.edge(old, to)) {
            self.slack[to] = from;
        }
    }

    fn find_slack(&mut self, to: usize) {
        self.slack[to] = 0;
        for from in 1..=self.count {
            let top = self.top[from];
            if self.edge(from, to) != (0, 0) && top != to && self.labels[top] == Label::Outer {
                self.closer(from, to);
            }
        }
    }

    fn enqueue(&mut self, one: usize) {
        if one <= self.count {
            self.queue.push_back(one);
        } else {
            for at in 0..self.parts[one].len() {
                self.enqueue(self.parts[one][at]);
            }
        }
    }

    fn set_top(&mut self, one: usize, top: usize) {
        self.top[one] = top;
        for at in 0..self.parts[one].len() {
            if one > self.count {
                self.set_top(self.parts[one][at], top);
            }
        }
    }

    /// Returns the place of a part in its blossom, an even one: where it is odd the circle is turned round.
    fn even_place(&mut self, blossom: usize, part: usize) -> usize {
        let place = self.parts[blossom].iter().position(|one| *one == part).unwrap_or(0);
        if place % 2 == 0 {
            return place;
        }
        self.parts[blossom][1..].reverse();
        self.parts[blossom].len() - place
    }

    /// Matches `one` along its edge to `other`, and what is inside of it accordingly.
    fn match_to(&mut self, one: usize, other: usize) {
        let edge = self.edge(one, other);
        self.mate[one] = edge.1;
        if one <= self.count {
            return;
        }
        let part = self.part_of[one][edge.0];
        let place = self.even_place(one, part);
        for at in 0..place {
            let (a, b) = (self.parts[one][at], self.parts[one][at ^ 1]);
            self.match_to(a, b);
        }
        self.match_to(part, other);
        self.parts[one].rotate_left(place);
    }

    /// Exchanges what is matched and what is not, from `one` up to its root.
    fn augment(&mut self, mut one: usize, mut other: usize) {
        loop {
            let next = self.top[self.mate[one]];
            self.match_to(one, other);
            if next == 0 {
                return;
            }
            let above = self.top[self.parent[next]];
            self.match_to(next, above);
            (one, other) = (above, next);
        }
    }

    /// Returns the first common ancestor; 0 if the two are in different trees.
    fn meeting(&mut self, mut a: usize, mut b: usize) -> usize {
        self.looks += 1;
        while a != 0 || b != 0 {
            if a != 0 {
                if self.seen[a] == self.looks {
                    return a;
                }
                self.seen[a] = self.looks;
                a = self.top[self.mate[a]];
                if a != 0 {
                    a = self.top[self.parent[a]];
                }
            }
            std::mem::swap(&mut a, &mut b);
        }
        0
    }

    /// Makes a blossom of the circle through `a`, `base` and `b`.
    fn shrink(&mut self, a: usize, base: usize, b: usize) {
        let mut blossom = self.count + 1;
        while blossom <= self.used && self.top[blossom] != 0 {
            blossom += 1;
        }
        self.used = self.used.max(blossom);
        self.duals[blossom] = W::ZERO;
        self.labels[blossom] = Label::Outer;
        self.mate[blossom] = self.mate[base];
        let mut parts = vec![base];
        for end in [a, b] {
            let mut one = end;
            while one != base {
                parts.push(one);
                let other = self.top[self.mate[one]];
                parts.push(other);
                self.enqueue(other);
                one = self.top[self.parent[other]];
            }
            if end == a {
                parts[1..].reverse();
            }
        }
        self.parts[blossom] = parts.clone();
        self.set_top(blossom, blossom);
        for one in 1..=self.used {
            self.edges[blossom * self.size + one] = (0, 0);
            self.edges[one * self.size + blossom] = (0, 0);
        }
        self.part_of[blossom] = vec![0; self.count + 1];
        for part in parts {
            for one in 1..=self.used {
                let (own, new) = (self.edge(blossom, one), self.edge(part, one));
                if new != (0, 0) && (own == (0, 0) || self.left(new) < self.left(own)) {
                    self.edges[blossom * self.size + one] = new;
                    self.edges[one * self.size + blossom] = self.edge(one, part);
                }
            }
            for vertex in 1..=self.count {
                if self.part_of[part][vertex] != 0 {
                    self.part_of[blossom][vertex] = part;
                }
            }
        }
        self.find_slack(blossom);
    }

    /// Undoes an inner blossom whose dual has come down to zero.
    fn expand(&mut self, blossom: usize) {
        let parts = self.parts[blossom].clone();
        for &part in &parts {
            self.set_top(part, part);
        }
        let entry = self.part_of[blossom][self.edge(blossom, self.parent[blossom]).0];
        let place = self.even_place(blossom, entry);
        let parts = self.parts[blossom].clone();
        for two in parts[..place].chunks_exact(2) {
            let &[inner, outer] = two else { continue };
            self.parent[inner] = self.edge(outer, inner).0;
            self.labels[inner] = Label::Inner;
            self.labels[outer] = Label::Outer;
            self.slack[inner] = 0;
            self.find_slack(outer);
            self.enqueue(outer);
        }
        self.labels[entry] = Label::Inner;
        self.parent[entry] = self.parent[blossom];
        for &part in &parts[place + 1..] {
            self.labels[part] = Label::Free;
            self.find_slack(part);
        }
        self.top[blossom] = 0;
        self.parts[blossom].clear();
    }

    /// Follows a tight edge from an outer vertex. Returns true if the matching has grown.
    fn follow(&mut self, (from, to): (usize, usize)) -> bool {
        let (a, b) = (self.top[from], self.top[to]);
        match self.labels[b] {
            Label::Free => {
                self.parent[b] = from;
                self.labels[b] = Label::Inner;
                let next = self.top[self.mate[b]];
                self.slack[b] = 0;
                self.slack[next] = 0;
                self.labels[next] = Label::Outer;
                self.enqueue(next);
            }
            Label::Outer => match self.meeting(a, b) {
                0 => {
                    self.augment(a, b);
                    self.augment(b, a);
                    return true;
                }
                base => self.shrink(a, base, b),
            },
            Label::Inner => {}
        }
        false
    }

    /// Grows the matching by one pair; returns false if that gains nothing any more.
    fn stage(&mut self) -> bool {
        self.labels.fill(Label::Free);
        self.slack.fill(0);
        self.queue.clear();
        for one in 1..=self.used {
            if self.top[one] == one && self.mate[one] == 0 {
                self.parent[one] = 0;
                self.labels[one] = Label::Outer;
                self.enqueue(one);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            while let Some(from) = self.queue.pop_front() {
                if self.labels[self.top[from]] == Label::Inner {
                    continue;
                }
                for to in 1..=self.count {
                    let edge = self.edge(from, to);
                    if edge == (0, 0) || self.top[from] == self.top[to] {
                        continue;
                    }
                    if self.left(edge) == W::ZERO {
                        if self.follow(edge) {
                            return true;
                        }
                    } else {
                        self.closer(from, self.top[to]);
                    }
                }
            }
            if !self.shift() {
                return false;
            }
            for one in 1..=self.used {
                let slack = self.slack[one];
                if self.top[one] != one || slack == 0 || self.top[slack] == one {
                    continue;
                }
                let edge = self.edge(slack, one);
                if self.left(edge) == W::ZERO && self.follow(edge) {
                    return true;
                }
            }
            for blossom in self.count + 1..=self.used {
                let is_inner = self.top[blossom] == blossom && self.labels[blossom] == Label::Inner;
                if is_inner && self.duals[blossom] == W::ZERO {
                    self.expand(blossom);
                }
            }
        }
    }

    /// Moves the duals until another edge is tight or a blossom can be undone; returns false if a vertex is better left alone.
    fn shift(&mut self) -> bool {
        let mut step: Option<W> = None;
        let mut least = |new: W| {
            if step.as_ref().is_none_or(|old| new < *old) {
                step = Some(new);
            }
        };
        for one in 1..=self.used {
            if self.top[one] != one {
                continue;
            }
            if one > self.count && self.labels[one] == Label::Inner {
                least(self.duals[one].half());
            }
            if self.slack[one] != 0 {
                let left = self.left(self.edge(self.slack[one], one));
                match self.labels[one] {
                    Label::Free => least(left),
                    Label::Outer => least(left.half()),
                    Label::Inner => {}
                }
            }
        }
        let outer = (1..=self.count).filter(|&vertex| self.labels[self.top[vertex]] == Label::Outer);
        let lowest = outer.map(|vertex| self.duals[vertex].clone()).min();
        let (Some(step), Some(lowest)) = (step, lowest) else { return false };
        if lowest <= step {
            return false;
        }
        for vertex in 1..=self.count {
            match self.labels[self.top[vertex]] {
                Label::Outer => self.duals[vertex] = self.duals[vertex].minus(&step),
                Label::Inner => self.duals[vertex] = self.duals[vertex].plus(&step),
                Label::Free => {}
            }
        }
        let twice = step.plus(&step);
        for blossom in self.count + 1..=self.used {
            if self.top[blossom] == blossom {
                match self.labels[blossom] {
                    Label::Outer => self.duals[blossom] = self.duals[blossom].plus(&twice),
                    Label::Inner => self.duals[blossom] = self.duals[blossom].minus(&twice),
                    Label::Free => {}
                }
            }
        }
        true
    }
}
