"""What the tests share: a generator, the program, and tables of a small board."""

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def rng():
    return random.Random(4)


@pytest.fixture(scope="session")
def program():
    """The program: STRONG4, or the one on the path, or the one that `make build` leaves."""
    built = ROOT / "target" / "release" / "strong4"
    found = os.environ.get("STRONG4") or (built.exists() and str(built)) or shutil.which("strong4")
    if not found:
        pytest.skip("the strong4 program is not built: `make build`")
    return found


@pytest.fixture(scope="session")
def tables(program, tmp_path_factory):
    """A folder with all tables of 5x4."""
    folder = tmp_path_factory.mktemp("tables") / "5x4"
    command = [program, "solve", "--board", "5x4", "--tables", str(folder), "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder
