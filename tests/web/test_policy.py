"""Nothing from elsewhere, and nothing smuggled in: the Content-Security-Policy of the page."""

import pytest

SAME = "'self'"
POLICY = {
    "default-src": "'none'",
    "script-src": SAME,
    "style-src": SAME,
    "img-src": SAME,
    "connect-src": SAME,
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}


def test_the_policy_is_strict(visit):
    screen = visit()
    header = screen.page.request.get(screen.address).headers["content-security-policy"]
    assert dict(part.split(maxsplit=1) for part in header.split("; ")) == POLICY


@pytest.mark.parametrize(
    "attempt, complaint",
    [
        ("document.head.append(tag('script', { text: 'window.caught = 1' }))", "inline script"),
        ("document.body.append(tag('style', { textContent: '*{}' }))", "inline style"),
        ("document.body.append(tag('img', { src: 'data:image/gif;base64,' }))", "image"),
        ("fetch('https://example.org').catch(() => {})", "example.org"),
    ],
)
def test_the_browser_keeps_to_it(visit, attempt, complaint):
    screen = visit()
    screen.expected += ["Content Security Policy", "Fetch API cannot load"]
    tag = "const tag = (name, values) => Object.assign(document.createElement(name), values);"
    with screen.page.expect_console_message(lambda it: complaint in it.text):
        screen.page.evaluate(f"() => {{ {tag} {attempt}; }}")
    assert screen.page.evaluate("window.caught") is None
