"""Narrow and wide windows, light and dark: nothing overflows, and everything can be read."""

import pytest
from playwright.sync_api import expect

# How far text stands out from what is behind it, as the accessibility guidelines count it.
CONTRASTS = """() => {
    const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const luminance = (colour) => {
        const [r, g, b] = numbers(colour).map((c) => c / 255)
            .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        for (let it = element; it; it = it.parentElement) {
            const colour = getComputedStyle(it).backgroundColor;
            if ((numbers(colour)[3] ?? 1) === 1) return colour;
        }
        return 'rgb(255, 255, 255)';
    };
    const found = [];
    for (const element of document.querySelectorAll('body *')) {
        const hasText = [...element.childNodes].some((it) => it.nodeType === 3 && it.data.trim());
        const isDim = element.closest('[aria-disabled=true], .unseen, .well');
        if (!hasText || isDim || !element.checkVisibility()) continue;
        const pair = [getComputedStyle(element).color, behind(element)].map(luminance);
        const [dark, light] = pair.sort((a, b) => a - b);
        found.push([element.className || element.tagName, element.textContent.trim(),
            (light + 0.05) / (dark + 0.05)]);
    }
    return found;
}"""


@pytest.mark.parametrize(
    "board, moves, width, height",
    [
        ("7x6", "3145175534244665", 360, 740),
        ("7x6", "", 320, 568),
        ("7x6", "4453", 740, 360),
        ("7x6", "4453", 1440, 900),
        ("12x3", "111222333444555666777888", 360, 740),
        ("31x1", "123", 360, 740),
        ("4x12", "3321", 360, 740),
    ],
)
def test_the_page_never_scrolls_sideways(visit, board, moves, width, height):
    screen = visit(moves, board=board, width=width, height=height)
    expect(screen.page.locator("#about")).not_to_be_empty()
    page, window = screen.width()
    assert page <= window
    for box in [column.bounding_box() for column in screen.columns.all()]:
        assert box["width"] >= 24


def test_a_phone_shows_board_values_and_commands_at_once(visit):
    screen = visit("4453", width=360, height=740, has_touch=True, is_mobile=True)
    screen.value("4", "−3", "loses in 34")
    for element in [screen.page.locator("#status"), screen.column("1"), screen.button("Undo")]:
        expect(element).to_be_in_viewport(ratio=1)
    screen.column("4").tap()
    screen.shows("44534")
    # Nothing under a column is cut off, or runs into its neighbour.
    for column in screen.columns.all():
        assert column.locator(".value").evaluate(
            "it => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight"
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read(visit, scheme):
    screen = visit("44444265", color_scheme=scheme)
    screen.value("2", "0", "draw")
    screen.level("Perfect").check()
    screen.press("Tab")
    low = [it for it in screen.page.evaluate(CONTRASTS) if it[2] < 4.5]
    assert low == []


def test_dark_and_light_follow_the_system_or_the_reader(visit):
    background = "getComputedStyle(document.body).backgroundColor"
    light, dark = (visit(color_scheme=scheme) for scheme in ["light", "dark"])
    is_light = light.page.evaluate(background)
    is_dark = dark.page.evaluate(background)
    assert is_light != is_dark
    dark.button("Colours: as the system").click()
    assert dark.page.evaluate(background) == is_light
    dark.button("Colours: light").click()
    assert dark.page.evaluate(background) == is_dark
    dark.page.reload()
    expect(dark.button("Colours: dark")).to_be_visible()
    dark.button("Colours: dark").click()
    expect(dark.button("Colours: as the system")).to_be_visible()


def test_a_phone_on_its_side_shows_the_values(visit):
    screen = visit("4453", width=844, height=390, has_touch=True, is_mobile=True)
    screen.value("4", "−3", "loses in 34")
    for column in screen.columns.all():
        expect(column.locator(".words")).to_be_in_viewport(ratio=1)
    for element in [screen.page.locator("#status"), screen.page.locator("#verdict"), screen.button("Undo")]:
        expect(element).to_be_in_viewport(ratio=1)
    page, window = screen.width()
    assert page <= window


def test_keys_are_named_where_there_are_some(visit):
    visit().says("Choose a column, or press a key from 1 to 7.")
    touched = visit(width=360, height=740, has_touch=True, is_mobile=True)
    expect(touched.page.locator("#remark")).to_have_text("Choose a column.")


def test_the_focus_is_seen_on_the_board(visit):
    screen = visit("4453")
    screen.press("ArrowRight")
    ring = screen.page.evaluate(
        "() => { const s = getComputedStyle(document.activeElement); return [s.outlineColor, s.boxShadow]; }"
    )
    # Light on dark, whatever is behind it.
    assert ring[0] == "rgb(255, 255, 255)" and ring[1].startswith("rgb(16, 21, 42)")


def test_scores_are_explained_where_they_stand(visit):
    screen = visit()
    expect(screen.page.locator("#legend")).to_contain_text("+ wins, − loses, 0 is a draw")
    screen.button("Hide values").click()
    expect(screen.page.locator("#legend")).to_be_hidden()
