//! Who people are: names, ids and secrets. Values in, values out.
