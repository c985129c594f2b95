"""Ten thousand connections, random bytes, and a long run: the server stays up, and stays small."""

import contextlib
import http.client
import random
import resource
import socket
import time

import pytest
from program import Server


@pytest.fixture
def server(program):
    server = Server(program, "5x4")
    yield server
    assert server.process.poll() is None, "the server has ended"
    server.kill()


def get(server, path="/healthz"):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, text


def resident(server):
    """Bytes of memory that the server has."""
    with open(f"/proc/{server.process.pid}/status") as status:
        line = next(line for line in status if line.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def connect(server):
    client = socket.socket()
    client.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        client.connect(("127.0.0.1", server.port))
    return client


def test_ten_thousand_connections_are_turned_away_and_forgotten(server):
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 10_000
    if most < wanted + 100:
        wanted = most - 100
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted + 100, most))
    get(server)
    before = resident(server)
    clients = [connect(server) for _ in range(wanted)]
    try:
        time.sleep(1)
        # Some say nothing, some speak nonsense, and some ask properly.
        for client in clients[::3]:
            with contextlib.suppress(OSError):
                client.send(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
        for client in clients[1::3]:
            with contextlib.suppress(OSError):
                client.send(b"\x00\xff" * 100)
    finally:
        for client in clients:
            client.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
    end = time.monotonic() + 30
    while True:
        with contextlib.suppress(OSError, http.client.HTTPException):
            if get(server) == (200, b"ok\n"):
                break
        assert time.monotonic() < end, "the server does not answer any more"
        time.sleep(0.1)
    assert resident(server) < before + (64 << 20)


def test_random_bytes_do_no_harm(server):
    chance = random.Random(4)
    parts = [
        b"GET ", b"POST ", b"/api/analyze", b"?moves=", b"4453", b" HTTP/1.1", b"\r\n", b"\r\n\r\n",
        b"content-length: 5", b"transfer-encoding: chunked", b"host: localhost", b"5\r\n44444\r\n", b"0\r\n\r\n",
        b"%", b"\x00", b"\xff\xfe", b"content-encoding: gzip", b"expect: 100-continue", b"{\"key\":",
    ]
    for _ in range(2000):
        count = chance.randrange(1, 12)
        request = b"".join(chance.choice(parts) for _ in range(count))
        with socket.create_connection(("127.0.0.1", server.port), timeout=5) as client:
            with contextlib.suppress(OSError):
                client.sendall(request)
                if chance.random() < 0.3:
                    client.shutdown(socket.SHUT_WR)
                    client.recv(4096)
    assert get(server) == (200, b"ok\n")


def test_memory_stays_flat(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    chance = random.Random(4)

    def ask(count):
        for _ in range(count):
            moves = "".join(chance.choice("12345") for _ in range(chance.randrange(12)))
            connection.request("GET", f"/api/analyze?moves={moves}")
            connection.getresponse().read()

    ask(2000)
    before = resident(server)
    ask(8000)
    assert resident(server) < before + (8 << 20)
    connection.close()
