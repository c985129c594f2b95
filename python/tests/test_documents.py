"""What the documents show is what Python prints."""

import doctest

import pytest
from conftest import ROOT

import strong4
import strong4.env


def check(text, name):
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    runner.run(parser.get_doctest(text, {}, name, name, 0))
    assert runner.tries > 0 and runner.failures == 0


THINGS = [strong4, strong4.env, strong4.Position, strong4.Solver]
FUNCTIONS = [strong4.sample, strong4.positions, strong4.to_arrays, strong4.from_arrays]


@pytest.mark.parametrize("thing", THINGS + FUNCTIONS)
def test_docstrings(thing):
    check(thing.__doc__, thing.__name__)


@pytest.mark.parametrize("document", ["docs/python.md", "README.md", "python/README.md"])
def test_pages(document, tmp_path, monkeypatch):
    """Blocks marked `pycon` are one session."""
    blocks = (ROOT / document).read_text().split("```pycon\n")[1:]
    monkeypatch.chdir(tmp_path)
    check("\n".join(block.split("```")[0] for block in blocks), document)
