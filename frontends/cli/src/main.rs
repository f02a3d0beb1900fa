//! The `ask` program; everything is in the library, so that tests build what they test.

fn main() -> std::process::ExitCode {
    ask::main()
}
