#[global_allocator]
static ALLOCATOR: strong4::cli::Allocator = strong4::cli::Allocator;

fn main() -> std::process::ExitCode {
    strong4::cli::main()
}
