"""What the server says of itself is true: its description, held against real answers."""

import http.client
import json

import pytest
from jsonschema import Draft202012Validator

GAMES = ["", "4", "4453", "444444", "1212121", "3145175534244665", "6436777131311127722"]
VERBS = ["/api/score", "/api/outcome", "/api/move_scores", "/api/best_move"]
WRONG = ["9", "4444444", "12121212", "x", "%ff%fe", "4 ' --"]


@pytest.fixture(scope="module")
def ask(servers):
    """Asks the server, and returns status, headers and text."""
    host = servers("7x6").address.removeprefix("http://")

    def ask(path, method="GET", body=None):
        connection = http.client.HTTPConnection(host, timeout=30)
        connection.request(method, path, body)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, text

    return ask


@pytest.fixture(scope="module")
def api(ask):
    return json.loads(ask("/openapi.json")[2])


def check(api, schema, instance):
    whole = {**schema, "components": api["components"]}
    Draft202012Validator(whole).validate(instance)


def resolved(api, part):
    """A part of the description, or what it refers to."""
    for name in part.get("$ref", "#").split("/")[1:]:
        api = part = api[name]
    return part


def described(api, path, answer, method="get"):
    """Holds an answer against the description of its path."""
    status, headers, text = answer
    responses = api["paths"][path][method]["responses"]
    assert str(status) in responses, f"{path}: {status} is not described"
    kind = headers["content-type"].partition(";")[0]
    content = resolved(api, responses[str(status)])["content"][kind]
    if kind == "application/x-ndjson":
        for line in text.splitlines():
            check(api, content["x-line"], json.loads(line))
    elif kind == "application/json":
        check(api, content["schema"], json.loads(text))
    else:
        check(api, content["schema"], text)


def test_the_description_is_sound(api):
    assert api["openapi"].startswith("3.1.")
    for schema in api["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    names = [operation["operationId"] for path in api["paths"].values() for operation in path.values()]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("path", ["/api/analyze", *VERBS, "/api/watch", "/api/move"])
@pytest.mark.parametrize("moves", GAMES + WRONG)
def test_answers_are_as_described(api, ask, path, moves):
    answer = ask(f"{path}?moves={moves.replace(' ', '+')}")
    described(api, path, answer)
    assert answer[0] == (400 if moves in WRONG or (path, moves) == ("/api/move", "1212121") else 200)


@pytest.mark.parametrize("path", ["/api/analyze", *VERBS])
def test_lines_are_answered_as_described(api, ask, path):
    lines = "\n".join(GAMES + ["9", "# a remark", '{"moves":"44"}', '{"key":"0"}', "{", "\x00"])
    answer = ask(path, "POST", lines)
    described(api, path, answer, "post")
    assert len(answer[2].splitlines()) == len(lines.split("\n"))
    described(api, path, ask(path, "POST", "\n" * 1001), "post")
    described(api, path, ask(f"{path}?limit=x", "POST", ""), "post")


@pytest.mark.parametrize("path", ["/api/status", "/healthz", "/openapi.json"])
def test_the_rest_is_as_described(api, ask, path):
    described(api, path, ask(path))


def test_examples_work(api, ask):
    for path, operations in api["paths"].items():
        for parameter in operations["get"].get("parameters", []):
            parameter = resolved(api, parameter)
            if "example" in parameter:
                query = {"moves": "4", parameter["name"]: parameter["example"]}
                text = "&".join(f"{name}={value}" for name, value in query.items())
                assert ask(f"{path}?{text}")[0] == 200
