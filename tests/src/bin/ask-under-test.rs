//! The `ask` program as the tests run it: cargo builds it with them.

fn main() -> std::process::ExitCode {
    ask::main()
}
