"""A server between page and program whose answers a test can hold back, change or refuse.

It passes everything on to the program, but for what the test takes into its own hands:

    proxy.hold("/api/watch")      the next requests wait for the test
    request = proxy.next()        the oldest of them
    request.send(record)          a line of the answer
    request.end()                 the end of it
    proxy.refuse("/api/move", 503, retry_after=1)   the next request is refused
"""

import json
import queue
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

END = object()
PASSED_ON = ["Content-Type", "Content-Security-Policy"]


class Request:
    """A request that waits for the test to answer it."""

    def __init__(self, path):
        self.path = path
        self.lines = queue.Queue()

    def send(self, record):
        self.lines.put(json.dumps(record) + "\n")

    def end(self):
        self.lines.put(END)


class Proxy(ThreadingHTTPServer):
    """The server itself, on a port of its own."""

    daemon_threads = True

    def __init__(self, upstream):
        super().__init__(("127.0.0.1", 0), Handler)
        self.upstream = upstream
        self.held = set()
        self.refusals = []
        self.requests = queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}"

    def hold(self, path):
        self.held.add(path)

    def release(self, path):
        self.held.remove(path)

    def next(self):
        return self.requests.get(timeout=10)

    def refuse(self, path, status, error="no", retry_after=None):
        self.refusals.append((path, status, error, retry_after))

    def stop(self):
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path.partition("?")[0]
        refusal = next((it for it in self.server.refusals if it[0] == path), None)
        try:
            if refusal:
                self.server.refusals.remove(refusal)
                self.refuse(*refusal[1:])
            elif path in self.server.held:
                self.wait()
            else:
                self.pass_on()
        except (BrokenPipeError, ConnectionResetError):
            pass  # The page has gone on to another position.

    def refuse(self, status, error, retry_after):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        if retry_after:
            self.send_header("Retry-After", str(retry_after))
        self.end_headers()
        self.wfile.write(json.dumps({"error": error}).encode())

    def wait(self):
        request = Request(self.path)
        self.server.requests.put(request)
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.end_headers()
        while (line := request.lines.get(timeout=30)) is not END:
            self.wfile.write(line.encode())
            self.wfile.flush()

    def pass_on(self):
        try:
            answer = urllib.request.urlopen(self.server.upstream + self.path, timeout=30)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            self.send_response(answer.status)
            for name in PASSED_ON:
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.end_headers()
            self.wfile.write(answer.read())
