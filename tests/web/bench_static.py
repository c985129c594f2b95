"""How long searches take in WebAssembly in Chromium, beside the native program on one thread.

The positions are those of js/tests/bench.js, which does the same in Node; `make bench-js` runs both.
"""

import json
import os
import subprocess
import tempfile

from conftest import CHROMIUM, FLAGS, ROOT
from playwright.sync_api import sync_playwright
from program import Program
from test_static import FileServer

COUNT = int(os.environ.get("COUNT", "25"))
FILES = ["29-41_1-13", "15-28_1-13", "15-28_14-28", "0-14_1-13", "0-14_14-28", "0-14_29-42"]
#: The openings have all positions of so many stones.
OPENINGS_TO = 9

TIMES = """async ([games, others]) => {
    const { Solver } = await import('./engine/browser.js');
    const solver = await Solver.create();
    // So that neither compiling nor clearing memory counts.
    for (const moves of others) await solver.analyze(moves);
    await solver.analyze('3145175534244665');
    const times = [];
    for (const moves of games) times.push((await solver.analyze(moves)).micros);
    solver.close();
    return times;
}"""


def searched(name):
    lines = (ROOT / "data" / "positions" / f"{name}.txt").read_text().splitlines()
    games = [line.split(" ")[0] for line in lines]
    return [moves for moves in games if len(moves) > OPENINGS_TO]


def games_of(name):
    games = searched(name)
    return games[:: max(1, len(games) // COUNT)][:COUNT]


def native(program, games):
    command = [program.path, "query", "-", "--json", "--quiet", "--threads", "1"]
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, input="\n".join(games), cwd=tempfile.gettempdir()
    )
    return [json.loads(line)["micros"] for line in done.stdout.splitlines()]


def show(name, natives, wasm):
    means = [sum(times) / len(times) / 1000 for times in (natives, wasm)]
    worst = [max(times) / 1000 for times in (natives, wasm)]
    ratio = means[1] / means[0]
    print(f"{name:14}{len(wasm):6}{means[0]:11.3f}{worst[0]:11.3f}{means[1]:11.3f}{worst[1]:11.3f}{ratio:7.2f}")


def main():
    program = Program(os.environ.get("STRONG4") or str(ROOT / "target" / "release" / "strong4"))
    files = FileServer()
    print("                    native, ms             Chromium, ms")
    print("positions      number     mean      worst       mean      worst  ratio")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.goto(files.address + "/")
        everything = [], []
        others = sorted(set(searched(FILES[0])) - set(games_of(FILES[0])))
        for name in FILES:
            games = games_of(name)
            if games:
                times = native(program, games), page.evaluate(TIMES, [games, others])
                show(name, *times)
                for all_times, some in zip(everything, times):
                    all_times += some
        show("all", *everything)
        browser.close()
    files.stop()


if __name__ == "__main__":
    main()
