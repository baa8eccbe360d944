//! Small networks in integer arithmetic: two views of a board turn into sums by the same weights, and the sums into a
//! score.
//!
//! A sum is the total of the weights of the inputs that are active in a view. It is clipped to 0..1 and squared
//! (SCReLU), and one of several rows of output weights makes a score of both sides' sums. Each evaluation defines its
//! own inputs and its own incremental updates of the sums.

use kernel::Problem;
use wide::{i16x8, i32x4};

use crate::learned::{Layout, Shape, Weights};

/// Steps of a sum: 255 is 1.
pub const SUM_STEPS: i32 = 255;
/// Steps of an output weight: 64 is 1.
pub const OUT_STEPS: i32 = 64;
/// The most steps of an output weight: times 255 it must fit 16 bits.
pub const MOST_OUT: i16 = 127;
/// Steps of the number added to a row's output: 1024 make a logit.
pub const ROW_STEPS: i32 = 1024;

/// The sums of one view.
pub type Sums<const HIDDEN: usize> = [i16; HIDDEN];

impl Layout {
    /// Describes a network of that name with that number of inputs, sums of a view and rows of output weights.
    /// `most_input` is the most steps of an input's weight or of a sum's bias: the total of all that can be active in
    /// a view must fit 16 bits.
    #[must_use]
    pub const fn new(
        name: &'static str,
        inputs: usize,
        hidden: usize,
        rows: usize,
        most_input: i16,
    ) -> Layout {
        let weights = inputs * hidden + hidden + rows * 2 * hidden + rows;
        Layout {
            shape: Shape { name, weights, unit: 1.0 },
            inputs,
            hidden,
            rows,
            steps: [SUM_STEPS, OUT_STEPS, ROW_STEPS],
            most: [most_input, MOST_OUT],
        }
    }
}

/// A network's weights, laid out for inference.
#[derive(Debug)]
pub struct Net<const HIDDEN: usize> {
    inputs: Box<[Sums<HIDDEN>]>,
    bias: Sums<HIDDEN>,
    outputs: Box<[[Sums<HIDDEN>; 2]]>,
    /// The bias of each row, in steps of a sum times steps of an output weight.
    rows: Box<[i32]>,
    /// The hundredths of a man that make one logit.
    scale: i32,
}

impl<const HIDDEN: usize> Net<HIDDEN> {
    /// Reads a file of weights.
    ///
    /// # Errors
    /// `weights-file` with what is wrong with it.
    pub fn read(layout: &Layout, bytes: &[u8]) -> Result<Self, Problem> {
        Net::of(layout, &Weights::read(&layout.shape, bytes)?)
    }

    /// Builds the network of these weights.
    ///
    /// # Errors
    /// `weights-file` when a weight is larger than 16-bit sums allow, or the scale is missing.
    pub fn of(layout: &Layout, weights: &Weights) -> Result<Self, Problem> {
        let wrong =
            |what: &str| Problem::new("weights-file").with("name", layout.shape.name).with("text", what);
        if layout.hidden != HIDDEN || weights.steps.len() != layout.shape.weights {
            return Err(wrong("weights of another layout"));
        }
        let scale = weights.origin.get("scale").and_then(|text| text.parse().ok());
        let scale = scale.filter(|scale| (1..=10_000).contains(scale)).ok_or_else(|| wrong("no scale"))?;
        let (inputs, rest) = weights.steps.split_at(layout.inputs * HIDDEN);
        let (bias, rest) = rest.split_at(HIDDEN);
        let (outputs, rows) = rest.split_at(layout.rows * 2 * HIDDEN);
        let within = |steps: &[i16], most: i16| steps.iter().all(|step| (-most..=most).contains(step));
        let [most_in, most_out] = layout.most;
        if !within(inputs, most_in) || !within(bias, most_in) || !within(outputs, most_out) {
            return Err(wrong("a weight is too large"));
        }
        let sums = |steps: &[i16]| std::array::from_fn(|i| steps[i]);
        let row = |row: &[i16]| [sums(&row[..HIDDEN]), sums(&row[HIDDEN..])];
        Ok(Net {
            inputs: inputs.chunks_exact(HIDDEN).map(sums).collect(),
            bias: sums(bias),
            outputs: outputs.chunks_exact(2 * HIDDEN).map(row).collect(),
            rows: rows.iter().map(|&row| i32::from(row) * SUM_STEPS * OUT_STEPS / ROW_STEPS).collect(),
            scale,
        })
    }

    /// Returns the sums of an empty board.
    #[inline]
    #[must_use]
    pub fn bias(&self) -> &Sums<HIDDEN> {
        &self.bias
    }

    /// Returns the weights of an input: the amounts that it adds to the sums.
    #[inline]
    #[must_use]
    pub fn input(&self, input: usize) -> &Sums<HIDDEN> {
        &self.inputs[input]
    }

    /// Updates sums incrementally: adds the inputs in `come` and subtracts those in `gone`.
    #[inline]
    pub fn change(&self, sums: &mut Sums<HIDDEN>, come: &[u16], gone: &[u16]) {
        let mut total = *sums;
        come.iter().for_each(|&input| add(&mut total, self.input(usize::from(input))));
        gone.iter().for_each(|&input| take(&mut total, self.input(usize::from(input))));
        *sums = total;
    }

    /// Returns the score for the side to move, in hundredths, from the sums of its view and the other's, by a row of
    /// outputs.
    #[inline]
    #[must_use]
    pub fn output(&self, mover: &Sums<HIDDEN>, other: &Sums<HIDDEN>, row: usize) -> i32 {
        let [own, theirs] = &self.outputs[row];
        let sum = (dot(mover, own) + dot(other, theirs)) / SUM_STEPS + self.rows[row];
        let unit = i64::from(SUM_STEPS * OUT_STEPS);
        // To the nearest hundredth.
        (2 * i64::from(sum) * i64::from(self.scale) + unit).div_euclid(2 * unit) as i32
    }
}

/// Adds the weights of an input to the sums.
#[inline]
pub fn add<const HIDDEN: usize>(sums: &mut Sums<HIDDEN>, weights: &Sums<HIDDEN>) {
    for (sums, &weights) in vectors_mut(sums).iter_mut().zip(vectors(weights)) {
        *sums = (i16x8::new(*sums) + i16x8::new(weights)).to_array();
    }
}

/// Subtracts the weights of an input from the sums.
#[inline]
pub fn take<const HIDDEN: usize>(sums: &mut Sums<HIDDEN>, weights: &Sums<HIDDEN>) {
    for (sums, &weights) in vectors_mut(sums).iter_mut().zip(vectors(weights)) {
        *sums = (i16x8::new(*sums) - i16x8::new(weights)).to_array();
    }
}

/// Writes to `new` the sums of `old` with one input added and another removed.
#[inline]
pub fn replace<const HIDDEN: usize>(
    old: &Sums<HIDDEN>,
    new: &mut Sums<HIDDEN>,
    come: &Sums<HIDDEN>,
    gone: &Sums<HIDDEN>,
) {
    let change = vectors(come).iter().zip(vectors(gone));
    for ((new, &old), (&come, &gone)) in vectors_mut(new).iter_mut().zip(vectors(old)).zip(change) {
        *new = (i16x8::new(old) + i16x8::new(come) - i16x8::new(gone)).to_array();
    }
}

/// Returns the dot product of the squared clipped sums and the weights. Up to 256 squared sums times weights fit 32
/// bits; the first product fits 16.
#[inline]
fn dot<const HIDDEN: usize>(sums: &Sums<HIDDEN>, weights: &Sums<HIDDEN>) -> i32 {
    let (none, all) = (i16x8::splat(0), i16x8::splat(SUM_STEPS as i16));
    let parts = vectors(sums).iter().zip(vectors(weights));
    let lanes = parts.fold(i32x4::splat(0), |lanes, (&sums, &weights)| {
        let clipped = i16x8::new(sums).max(none).min(all);
        lanes + clipped.dot(clipped * i16x8::new(weights))
    });
    lanes.reduce_add()
}

/// The number of 16-bit sums in one vector, which every supported processor adds in one instruction. The compiler
/// does not vectorise a plain loop reliably, so vectors are written out.
const VECTOR: usize = 8;

#[inline(always)]
fn vectors<const HIDDEN: usize>(sums: &Sums<HIDDEN>) -> &[[i16; VECTOR]] {
    const { assert!(HIDDEN.is_multiple_of(VECTOR), "sums come in vectors") };
    sums.as_chunks().0
}

#[inline(always)]
fn vectors_mut<const HIDDEN: usize>(sums: &mut Sums<HIDDEN>) -> &mut [[i16; VECTOR]] {
    sums.as_chunks_mut().0
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIDDEN: usize = 16;
    const LAYOUT: Layout = Layout::new("test/network", 3, HIDDEN, 2, 100);

    fn weights() -> Weights {
        let origin = [("scale".to_owned(), "200".to_owned())].into();
        // Inputs, sums, outputs row by row, rows. What is told is of the first and the last of the sums.
        let told = [[100, -100], [50, 0], [0, 90], [55, 100], [64, 0], [0, -64], [10, 20], [30, 40]];
        let all = told.into_iter().flat_map(|[first, last]| {
            std::array::from_fn::<i16, HIDDEN, _>(|i| {
                [(0, first), (HIDDEN - 1, last)].iter().filter(|(at, _)| *at == i).map(|(_, n)| n).sum()
            })
        });
        Weights { steps: all.chain([512, 0]).collect(), origin }
    }

    #[test]
    fn a_score_is_what_the_weights_say() {
        let net = Net::<HIDDEN>::of(&LAYOUT, &weights()).unwrap();
        let view = |inputs: &[usize]| {
            let mut sums = *net.bias();
            for &input in inputs {
                sums.iter_mut().zip(net.input(input)).for_each(|(sum, weight)| *sum += weight);
            }
            sums
        };
        // The first sum is (55 + 100 + 50) / 255, the second 0.
        let mover = view(&[0, 1]);
        assert_eq!((mover[0], mover[HIDDEN - 1]), (205, 0));
        let other = view(&[2]);
        let wanted = (205.0_f64 / 255.0).powi(2) - (190.0_f64 / 255.0).powi(2) + 0.5;
        let said = net.output(&mover, &other, 0);
        assert!((f64::from(said) - 200.0 * wanted).abs() < 1.0, "{said}, {wanted}");
    }

    /// Vector operations give the same results as operations on single numbers.
    #[test]
    fn vectors_add_up() {
        let draw = |seed: i16| -> Sums<HIDDEN> {
            std::array::from_fn(|i| (i as i16 + seed).wrapping_mul(7919) / 64)
        };
        let (old, come, gone) = (draw(1), draw(20), draw(300));
        let mut sums = old;
        add(&mut sums, &come);
        assert_eq!(sums, std::array::from_fn(|i| old[i] + come[i]));
        take(&mut sums, &gone);
        let mut new = [0; HIDDEN];
        replace(&old, &mut new, &come, &gone);
        assert_eq!((sums, new), (new, std::array::from_fn(|i| old[i] + come[i] - gone[i])));
        let (sums, weights) = (draw(5), draw(9).map(|weight| weight % MOST_OUT));
        let squares = sums.map(|sum| i32::from(sum.clamp(0, SUM_STEPS as i16)).pow(2));
        let wanted: i32 =
            squares.iter().zip(weights).map(|(square, weight)| square * i32::from(weight)).sum();
        assert_eq!(dot(&sums, &weights), wanted);
        assert!(squares.contains(&0) && squares.contains(&SUM_STEPS.pow(2)), "both ends are met");
    }

    #[test]
    fn weights_that_do_not_fit_are_refused() {
        let refused = |change: &dyn Fn(&mut Weights)| {
            let mut weights = weights();
            change(&mut weights);
            Net::<HIDDEN>::of(&LAYOUT, &weights).is_err()
        };
        assert!(!refused(&|_| {}));
        assert!(refused(&|weights| weights.steps[0] = 101));
        assert!(refused(&|weights| weights.steps[4 * HIDDEN] = MOST_OUT + 1));
        assert!(refused(&|weights| weights.origin.clear()));
        assert!(refused(&|weights| weights.steps.truncate(4 * HIDDEN)));
        assert!(Net::<8>::of(&LAYOUT, &weights()).is_err());
        assert!(Net::<HIDDEN>::read(&LAYOUT, &weights().write(&LAYOUT.shape)).is_ok());
    }
}
