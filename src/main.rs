fn main() {
    let a: Vec<String> = std::env::args().collect();
    let board: strong4::board::Board = a[1].parse().unwrap();
    let up = a.get(2).map_or(board.last_tier(), |t| strong4::board::Tier(t.parse().unwrap()));
    let mut s = 0;
    for c in strong4::count::count(board, up) {
        println!("{} {} {} {}", c.tier, c.live, c.terminal, c.live + c.terminal);
        s += c.live + c.terminal;
    }
    println!("sum {s}");
}
