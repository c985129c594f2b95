"""The page as its reader sees it."""

from playwright.sync_api import expect


class Screen:
    """A page of the browser, and what it must not do."""

    def __init__(self, page, address):
        self.page = page
        self.address = address
        #: Complaints of the browser that a test expects, as parts of their text.
        self.expected = []
        self.complaints = []
        self.foreign = []
        self.listeners = {
            "console": self._on_console,
            "pageerror": self._on_error,
            "request": self._on_request,
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)

    def _on_console(self, message):
        self.complaints.append(f"{message.type}: {message.text}")

    def _on_error(self, error):
        self.complaints.append(f"error: {error}")

    def _on_request(self, request):
        if not request.url.startswith(self.address):
            self.foreign.append(request.url)

    def leave(self):
        """Leaves the page, and nothing behind for the next one."""
        self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        self.page.goto("about:blank")

    def check(self):
        """Nothing was fetched from elsewhere, and the browser has not complained."""
        assert self.foreign == []
        unexpected = [
            text for text in self.complaints if not any(part in text for part in self.expected)
        ]
        assert unexpected == []

    def open(self, moves="", first=".column"):
        self.page.goto(self.address + (f"/#{moves}" if moves else "/"))
        expect(self.page.locator(first).first).to_be_visible()
        return self

    @property
    def columns(self):
        return self.page.locator(".column")

    def column(self, name):
        return self.page.locator(f'.column[data-column="{name}"]')

    def button(self, name):
        return self.page.get_by_role("button", name=name, exact=True)

    def level(self, name):
        return self.page.get_by_role("radio", name=name, exact=True)

    def play(self, moves):
        """Clicks on columns, one after the other."""
        for name in moves:
            before = self.moves()
            self.column(name).click()
            self.shows(before + name)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def moves(self):
        return self.page.get_by_label("Moves", exact=True).input_value()

    def shows(self, moves):
        """The board, the text and the address agree on the game."""
        expect(self.page.get_by_label("Moves", exact=True)).to_have_value(moves)
        expect(self.page).to_have_url(self.address + (f"/#{moves}" if moves else "/"))
        stones = sum(cell != "empty" for row in self.stones() for cell in row)
        assert stones == len(moves)

    def stones(self):
        """The rows of the table for screen readers, from the top."""
        return self.page.locator("#board table").evaluate(
            "it => [...it.rows].slice(1).map(row => [...row.cells].slice(1).map(c => c.textContent))"
        )

    def says(self, text):
        """What the status line says, and the remark below it."""
        expect(self.page.locator("#status, #remark").filter(has_text=text)).not_to_have_count(0)

    def headline(self, text):
        expect(self.page.locator("#status")).to_have_text(text)

    def verdict(self, text):
        expect(self.page.locator("#verdict")).to_have_text(text)

    def value(self, name, score, words):
        """What stands under a column."""
        expect(self.column(name).locator(".score")).to_have_text(score)
        expect(self.column(name).locator(".words")).to_have_text(words)

    def width(self):
        """How wide the page is, and how wide the window."""
        return self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
