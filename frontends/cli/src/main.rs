//! The `ask` program.

fn main() {}
