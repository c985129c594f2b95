"""The program: questions to the command line, and servers that can be stopped and started."""

import json
import re
import subprocess
from functools import cache
from threading import Thread

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")


class Program:
    """The binary, and how its command line answers."""

    def __init__(self, path):
        self.path = path
        self.query = cache(self._query)

    def _query(self, moves, board="7x6"):
        """The record of `strong4 query MOVES --json`."""
        command = [self.path, "query", moves, "--json", "--quiet", "--board", board]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    def query_many(self, games):
        """The records of many positions."""
        lines = "\n".join(games)
        command = [self.path, "query", "-", "--json", "--quiet"]
        done = subprocess.run(command, check=True, capture_output=True, text=True, input=lines)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def key(self, key):
        """The record of the position with this key."""
        command = [self.path, "query", "--key", key, "--json", "--quiet"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def review(self, moves):
        """The record of `strong4 review MOVES --json`."""
        command = [self.path, "review", moves, "--json", "--quiet"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


class Server:
    """`strong4 serve`, on the same port each time it starts."""

    def __init__(self, program, board="7x6", *options):
        self.program = program
        self.board = board
        self.options = options
        self.port = 0
        self.process = None
        self.start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self):
        command = [self.program.path, "serve", *(["--board", self.board] if self.board else [])]
        command += ["--listen", f"127.0.0.1:{self.port}", *self.options]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        found = ADDRESS.search(first)
        assert found, f"no address in {first!r}"
        self.port = int(found[1])
        # A full pipe would hold up the lines about requests.
        Thread(target=self.process.stderr.read, daemon=True).start()

    def kill(self):
        self.process.kill()
        self.process.wait()
