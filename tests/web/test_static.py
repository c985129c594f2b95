"""The page without a server, from a sub-folder of a plain file server: its answers come from
WebAssembly, and it needs no network once it has been visited."""

import functools
import random
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect
from program import Server

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "target" / "page"
BUNDLE = ROOT / "target" / "bundle"
FOLDER = "/some/folder"


class Files(SimpleHTTPRequestHandler):
    """Files of a folder, below another one."""

    def log_message(self, *_):
        pass

    def translate_path(self, path):
        if not path.startswith(FOLDER + "/"):
            return str(ROOT / "nothing")
        return super().translate_path(path.removeprefix(FOLDER))


class FileServer:
    def __init__(self, folder=PAGE):
        handler = functools.partial(Files, directory=str(folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}{FOLDER}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def files():
    if not (PAGE / "index.html").exists():
        pytest.skip("the page is not built: `make page`")
    server = FileServer()
    yield server
    server.stop()


def shows_values(screen, record):
    """The page shows what the record says of each column."""
    for name, worth in enumerate(record["columns"], 1):
        if worth:
            score = f"{worth['score']:+}".replace("-", "−").replace("+0", "0")
            expect(screen.column(name).locator(".score")).to_have_text(score)


def test_a_game_is_played_reviewed_and_set_up_without_a_server(visit, files, program):
    screen = visit(address=files.address)
    screen.verdict("Red wins in 41 moves")
    screen.play("44")
    screen.value("4", "+1", "wins in 39")
    screen.play("5326")
    shows_values(screen, program.query("445326"))
    screen.button("Review").click()
    expect(screen.page.locator("#game p")).to_contain_text("decided")
    screen.level("Perfect").check()
    screen.button("Let it move").is_visible()
    screen.page.get_by_role("radio", name="Nobody").check()
    screen.button("Set up").click()
    screen.button("Clear").click()
    screen.column("1").click()
    screen.button("Play from here").click()
    expect(screen.page).to_have_url(files.address + "/#key=4432676798595&moves=")
    screen.headline("Yellow to move")
    expect(screen.page.locator("#about")).to_contain_text("computed in this browser")


def test_the_page_has_other_boards(visit, files, program):
    screen = visit(address=files.address)
    screen.page.goto(files.address + "/?board=5x4#12")
    expect(screen.columns).to_have_count(5)
    shows_values(screen, program.query("12", "5x4"))
    screen.column("3").click()
    expect(screen.page).to_have_url(files.address + "/?board=5x4#123")
    screen.button("New").click()
    expect(screen.page).to_have_url(files.address + "/?board=5x4")
    screen.page.goto(files.address + "/?board=9x9")
    expect(screen.page.locator("#trouble")).to_contain_text("a board of 9x9 does not fit")


def test_the_program_serves_the_page(visit, program, files):
    server = Server(program, None, "--page-only", str(PAGE))
    try:
        screen = visit(address=server.address)
        screen.verdict("Red wins in 41 moves")
        screen.play("444444333")
        shows_values(screen, program.query("444444333"))
        found = screen.page.request.get(server.address + "/solve?pos=4")
        assert found.status == 404
    finally:
        server.kill()


def test_a_bundler_makes_a_page_of_the_package(visit):
    if not (BUNDLE / "index.html").exists():
        pytest.skip("there is no bundle: `make test-js`")
    server = FileServer(BUNDLE)
    try:
        page = visit(address=server.address, first="output").page
        expect(page.locator("output")).to_have_text("[-5,-5,-2,-3,-4,-2,-2]")
    finally:
        server.stop()


def test_it_loads_within_a_second_and_works_offline(visit, files):
    screen = visit(address=files.address)
    screen.verdict("Red wins in 41 moves")
    times = screen.page.evaluate(
        "() => performance.getEntriesByType('navigation')[0].loadEventEnd"
    )
    assert times < 1000
    screen.page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    screen.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    files.stop()
    screen.page.reload()
    screen.verdict("Red wins in 41 moves")
    screen.play("4")
    screen.level("Perfect").check()
    screen.button("New").click()
    screen.play("4")
    expect(screen.page.get_by_label("Moves", exact=True)).to_have_value("44")
    # The file server is stopped twice, by the fixture too.
    files.server.server_close = lambda: None
    files.server.shutdown = lambda: None


def test_values_are_those_of_the_program(visit, files, program):
    screen = visit(address=files.address)
    screen.verdict("Red wins in 41 moves")
    names = ["29-41_1-13", "15-28_1-13", "15-28_14-28", "0-14_1-13"]
    lines = [
        line.split()[0]
        for name in names
        for line in (ROOT / "data" / "positions" / f"{name}.txt").read_text().splitlines()[:50]
    ]
    games = random.Random(1).sample(lines, 200)
    # As the page asks; what it shows of an answer, other tests see.
    answers = screen.page.evaluate(
        """async (games) => {
            const { watch } = await import('./source.js');
            const last = async (moves) => {
                let known = null;
                for await (const record of watch({ moves })) known = record;
                return known.columns.map((worth) => worth && worth.score);
            };
            const answers = [];
            for (const moves of games) answers.push(await last(moves));
            return answers;
        }""",
        games,
    )
    records = program.query_many(games)
    for moves, answer, record in zip(games, answers, records, strict=True):
        assert answer == [worth and worth["score"] for worth in record["columns"]], moves


def test_a_hard_search_never_blocks_the_page(visit, files):
    screen = visit(address=files.address)
    screen.verdict("Red wins in 41 moves")
    longest = screen.page.evaluate(
        """async () => {
            const { Solver } = await import('./engine/browser.js');
            const solver = await Solver.create({ openings: false });
            const search = solver.score('', { limit: 2 }).catch((error) => error.message);
            let [longest, before, isOver] = [0, performance.now(), false];
            search.then(() => { isOver = true; });
            while (!isOver) {
                await new Promise(requestAnimationFrame);
                const now = performance.now();
                longest = Math.max(longest, now - before);
                before = now;
            }
            const start = performance.now();
            const ending = new AbortController();
            const asked = solver.score('', { signal: ending.signal });
            setTimeout(() => ending.abort(), 100);
            await asked.catch(() => {});
            solver.close();
            return [await search, longest, performance.now() - start];
        }"""
    )
    assert longest[0] == "stopped before the answer was known"
    assert longest[1] < 200, f"{longest[1]} ms between frames"
    assert longest[2] < 400, f"{longest[2]} ms until a search stopped"
