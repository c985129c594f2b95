fn main() -> std::process::ExitCode {
    strong4::cli::main()
}
