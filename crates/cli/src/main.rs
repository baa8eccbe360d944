//! The binary `qiguan`.

fn main() -> std::process::ExitCode {
    cli::main()
}
