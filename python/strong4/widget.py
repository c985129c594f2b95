"""A board to play on in a notebook. It needs anywidget, which strong4[widget] installs.

The browser shows the picture that Python draws, and sends back which column was clicked.
"""

import anywidget
import traitlets

from strong4._strong4 import Position, Solver

SCRIPT = """
function render({ model, el }) {
  const show = () => { el.innerHTML = model.get("picture"); };
  el.style.cursor = "pointer";
  el.onclick = (event) => {
    const svg = el.querySelector("svg");
    if (!svg) return;
    const box = svg.getBoundingClientRect(), whole = svg.viewBox.baseVal.width;
    const x = (event.clientX - box.left) * whole / box.width - whole / 2;
    model.send({ column: Math.floor(x / 44 + model.get("columns") / 2) + 1 });
  };
  model.on("change:picture", show);
  show();
}
export default { render };
"""


class Board(anywidget.AnyWidget):
    """A board that can be clicked.

    Board(position, level=3) answers each move with one of strong4 at that level, from 1 to 5; without a
    level, you play both sides. plays=1 lets strong4 have the first move. show_scores=True shows what
    each move is worth. `position` is the Position at any time; undo() takes back a move, and the answer
    to it.
    """

    _esm = SCRIPT
    picture = traitlets.Unicode().tag(sync=True)
    columns = traitlets.Int().tag(sync=True)

    def __init__(self, position="", *, level=None, plays=2, solver=None, show_scores=False):
        self.position = position if isinstance(position, Position) else Position(position)
        self.level, self.plays, self.show_scores = level, plays, show_scores
        self.solver = solver or Solver(self.position.board)
        super().__init__(columns=self.position.width)
        self.on_msg(lambda _, message, __: self.click(message.get("column")))
        self._answer()

    def click(self, column):
        """Plays a column, if there is room; strong4 answers if it has a level."""
        if column in self.position.legal:
            self.position = self.position.play(column)
            self._answer()

    def undo(self):
        """Takes back the last move, and the answer to it."""
        self.position = self.position.undo()
        if self.level and self.position.mover == self.plays and self.position.tier:
            self.position = self.position.undo()
        self._draw()

    def _answer(self):
        position = self.position
        if self.level and not position.over and position.mover == self.plays:
            self.position = position.play(self.solver.choose(position, self.level))
        self._draw()

    def _draw(self):
        shown = self.solver.analyze(self.position) if self.show_scores else self.position
        self.picture = shown._repr_svg_()
