"""Programs that ask connect4.gamesolver.org ask the server instead, in the ways in which they do.
`js/tests/clients.test.js` has those in JavaScript."""

import shutil
import subprocess

import pytest
import requests
from playwright.sync_api import expect

SCORES = [-5, -5, -2, -3, -4, -2, -2]
BODY = '{"pos":"4453","score":[-5,-5,-2,-3,-4,-2,-2]}'


def test_requests_of_python(servers):
    address = servers("7x6").address
    assert requests.get(address + "/solve?pos=" + "4453", timeout=30).json()["score"] == SCORES
    session = requests.Session()
    session.headers["User-Agent"] = "Mozilla/5.0"
    for pos, expected in [("4453", SCORES), ("", [-2, -1, 0, 1, 0, -1, -2])]:
        response = session.get(f"{address}/solve", params={"pos": pos}, timeout=30)
        response.raise_for_status()
        assert response.json() == {"pos": pos, "score": expected}
    # As such programs choose a move.
    scores = session.get(f"{address}/solve", params={"pos": "444444"}, timeout=30).json()["score"]
    legal = [score for score in scores if score != 100]
    assert len(legal) == 6 and scores.index(max(legal)) == 2
    with pytest.raises(requests.HTTPError):
        session.get(f"{address}/solve", params={"pos": "9"}, timeout=30).raise_for_status()


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl")
def test_a_shell(servers):
    address = servers("7x6").address
    script = f"curl -s '{address}/solve?pos=4453' | sed 's/.*\\[\\(.*\\)\\].*/\\1/' | tr , '\\n' | sort -n | tail -n 1"
    done = subprocess.run(["sh", "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "-2\n"
    whole = subprocess.run(["curl", "-sG", "-d", "pos=4453", f"{address}/solve"], check=True, capture_output=True)
    assert whole.stdout.decode() == BODY


def test_an_address_of_that_site_opens_the_position(visit):
    screen = visit()
    screen.page.goto(screen.address + "/?pos=4453")
    screen.says("Yellow played column 3, move 4.")
    screen.verdict("Yellow wins in 36 moves")
    screen.column("4").click()
    screen.shows("44534")
    screen.page.go_back()
    expect(screen.page).to_have_url(screen.address + "/?pos=4453")
    screen.says("Yellow played column 3, move 4.")
    field = screen.page.get_by_label("Moves", exact=True)
    field.fill("https://connect4.gamesolver.org/?pos=445")
    field.press("Enter")
    screen.shows("445")
