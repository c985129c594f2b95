"""Exams for players: what kind of player an object is, and the form of reports."""

import html
import os
import shlex
from base64 import b64encode
from typing import NamedTuple, Optional

import numpy as np

from strong4 import _strong4, env
from strong4._progress import bar
from strong4._strong4 import Exam, Solver

KINDS = ("level", "command", "function", "batch", "kaggle", "openspiel", "pettingzoo")


class Player:
    """Whoever is graded or played against. `kind` says what the object is if that cannot be told:

    "function"    a function of a Position, which returns a column, from 1; or W probabilities; or a
                  value from -1 to 1 for the player to move; or a pair: one of the first two, a value
    "batch"       if `layout` is given: a function of an array of up to `batch` positions in that
                  layout (see to_arrays() for `layout` and `player`), which returns columns (n,),
                  probabilities (n, W) or values (n,), or a pair of them
    "kaggle"      an agent of ConnectX: a function of two arguments, the path of a file (a
                  pathlib.Path), or, with kind="kaggle", a name such as "negamax"
    "openspiel"   a bot of OpenSpiel (or a pair of bots, one for each player), or a policy
    "pettingzoo"  a function of an observation of connect_four_v3; always needs kind="pettingzoo"
    "command"     a program: a line for the shell, or a list of arguments. `format` and `move_time`
                  are those of `strong4 grade`
    "level"       a level of strong4, from 1 to 5; `seed` decides between moves that look equal

    A program that dies, hangs or prints nonsense is started again. A function that raises an
    exception has crashed, which counts as a wrong move; if it never does anything else, the
    exception is raised.
    """

    def __init__(
        self,
        agent,
        *,
        kind=None,
        layout=None,
        player=None,
        batch=1024,
        format="moves",
        move_time=10.0,
        seed=1,
        name=None,
    ):
        kind = kind or _kind(agent, layout)
        if kind not in KINDS:
            raise ValueError(f"'{kind}' is not a kind of player: expected one of {', '.join(KINDS)}")
        if kind == "batch" and layout is None:
            raise ValueError("a batch function needs the layout of its arrays")
        self.kind, self.name = kind, name or _name(agent, kind)
        if kind == "level":
            self._player = _strong4._Player.level(agent, seed)
        elif kind == "command":
            command = agent if isinstance(agent, str) else shlex.join(map(os.fspath, agent))
            self._player = _strong4._Player.program(command, format, move_time)
        elif kind == "batch":
            self._player = _strong4._Player.batch(agent, layout, player, batch)
        else:
            adapted = {
                "function": lambda function: function,
                "kaggle": env.kaggle_player,
                "openspiel": env.openspiel_probabilities
                if hasattr(agent, "action_probabilities")
                else env.openspiel_player,
                "pettingzoo": env.pettingzoo_player,
            }[kind]
            self._player = _strong4._Player.function(adapted(agent))

    def __repr__(self):
        return f"<Player {self.name}: {self.kind}>"


def _player(agent, options):
    """A Player of an object, or the one that it is."""
    if not isinstance(agent, Player):
        return Player(agent, **options)
    if options:
        raise TypeError(f"a Player has been given its {', '.join(options)} already")
    return agent


def grade(agent, exam="uniform", *, progress=False, **options):
    """Gives a player an exam, and returns a Report.

    `exam` is "uniform", "played", "hard" or an Exam. `agent` is a function of a Position, a level, a
    command, a bot: help(strong4.Player) lists the kinds, and the options that tell one from another.

    >>> import strong4
    >>> exam = strong4.Exam(["44", "4453", "444444", "112233"], strong4.Solver())
    >>> report = strong4.grade(lambda position: position.legal[-1], exam, name="rightmost")
    >>> report.perfect.share, report.good.share, report.loss.mean
    (0.25, 0.25, 6.75)
    """
    exam = exam if isinstance(exam, Exam) else Exam.standard(exam)
    player = _player(agent, options)
    line = bar(len(exam)) if progress else None
    solver = Solver(exam.board)
    return Report(_strong4.grade(exam, player.name, player._player, solver, line))


def play_games(agent, games=100, against=3, *, solver=None, seed=1, progress=False, **options):
    """Lets a player play whole games, and returns Games: `strong4 grade --games`.

    `against` is a Player, or anything that one can be made of, such as a level. Games come in pairs
    with the same opening, in which each player moves first once: the empty board, and then random
    openings that are drawn with best play. `solver` grades the moves: without tables of scores, those
    of an opening of 7x6 take up to a second each.

    >>> import strong4
    >>> games = strong4.play_games(1, 20, against=5, solver=strong4.Solver("4x4"))
    >>> sum(game.result == "win" for game in games.games), games.games[1].moves[0]
    (0, '2')
    """
    solver = solver or Solver()
    if not isinstance(agent, Player):
        options = {"seed": seed, **options}
    player, opponent = _player(agent, options), _player(against, {})
    if opponent.kind == "level" and not isinstance(against, Player):
        # Its choices are not those of the same level on the other side.
        opponent = Player(against, seed=seed ^ 0xFFFF_FFFF_FFFF_FFFF)
    line = bar(games) if progress else None
    played = _strong4.play_games(
        player.name, player._player, opponent._player, opponent.name, solver, games, seed, line
    )
    return Games(played)


def _kind(agent, layout):
    """What kind of player this is."""
    if layout is not None:
        return "batch"
    if isinstance(agent, os.PathLike):
        return "kaggle"
    if isinstance(agent, str) or (
        isinstance(agent, (list, tuple)) and all(isinstance(part, str) for part in agent)
    ):
        return "command"
    first = agent[0] if isinstance(agent, (list, tuple)) and agent else agent
    if hasattr(first, "action_probabilities") or hasattr(first, "restart_at"):
        return "openspiel"
    if callable(agent):
        return "kaggle" if len(env._required(agent)) == 2 else "function"
    if hasattr(agent, "__index__"):
        return "level"
    raise TypeError(f"expected a player, not {type(agent).__name__}")


def _name(agent, kind):
    """The name of a player in its report."""
    if kind == "level":
        return f"level {agent}"
    if isinstance(agent, (list, tuple)):
        agent = agent[0] if kind == "openspiel" else " ".join(map(str, agent))
    if isinstance(agent, (str, os.PathLike)):
        return os.fspath(agent)
    return getattr(agent, "__name__", type(agent).__name__)


class Share(NamedTuple):
    """A share of positions, with its 95 % interval (Wilson); nan if there are none."""

    share: float
    low: float
    high: float
    hits: int
    of: int


class Mean(NamedTuple):
    """A mean over positions, with its 95 % interval (Student); nan if there are none."""

    mean: float
    low: float
    high: float
    count: int


class Gap(NamedTuple):
    """The mark of a player less that of another, on the same positions.

    `chance` is how likely a gap as large is between equally good players.
    """

    difference: float
    low: float
    high: float
    chance: float
    positions: int


SHARES = ("perfect", "good", "top_three", "agreement")
MEANS = ("loss", "perfect_mass", "good_mass", "error", "seconds")


class Marks:
    """The marks of a group of positions: the attributes that help(strong4.Report) explains."""

    def __init__(self, name, marks):
        self.name = name
        for mark, value in marks.items():
            if mark in SHARES:
                value = Share(*value)
            elif mark in MEANS:
                value = Mean(*value)
            elif mark in ("calibration", "outcomes"):
                value = np.array(value)
            setattr(self, mark, value)

    def __repr__(self):
        marks = [f"{100 * self.perfect.share:.1f} % perfect", f"{100 * self.good.share:.1f} % good"]
        return f"<{self.name}: {', '.join(marks)}, {self.positions:,} positions>"


class Report(Marks):
    """How a player did in an exam: the marks of all positions, and of groups of them.

    perfect, good, top_three   Share(share, low, high, hits, of) of moves
    loss                       Mean(mean, low, high, count) of the score that moves cost
    perfect_mass, good_mass    Mean of the probability of such moves
    agreement, error           of values: Share nearest to the outcome, Mean distance from it
    calibration, miscalibration    values against outcomes
    outcomes                   3 x 3: win, draw, loss before the move (rows) and after it
    troubles                   how often there was no legal move, and why
    seconds, slowest           of an answer
    groups                     Marks by name: "won", "drawn", "lost", "1 keeps", "tier 12" ...
    by_tier                    arrays by name, an entry per tier: for a pandas DataFrame, or a plot
    arrays                     arrays by name, an entry per position, in the order of the exam
    """

    def __init__(self, report):
        self._report = report
        groups = report.groups()
        super().__init__(report.player, groups[0][2])
        self.player, self.exam, self.version = report.player, report.exam, report.version
        self.board, self.left_out, self.remarks = report.board, report.left_out, report.remarks
        self.groups = {name: Marks(name, marks) for _, name, marks in groups[1:]}
        self._tiers = [name for kind, name, _ in groups if kind == "tier"]

    @property
    def by_tier(self):
        """Arrays by name with an entry for each tier of the exam."""
        tiers = [self.groups[name] for name in self._tiers]
        arrays = {"tier": np.array([int(tier.name.split()[1]) for tier in tiers], int)}
        arrays["positions"] = np.array([tier.positions for tier in tiers], int)
        for mark in (*SHARES, *MEANS):
            values = np.array([getattr(tier, mark)[:3] for tier in tiers], float).reshape(-1, 3)
            for column, suffix in enumerate(("", "_low", "_high")):
                arrays[mark + suffix] = values[:, column]
        return arrays

    @property
    def arrays(self):
        """Arrays by name with an entry for each position of the exam.

        column is 0 and score NO_MOVE where there was no legal move; perfect, good and top_three are
        -1 where the player was not asked for a move.
        """
        return self._report.arrays()

    def compare(self, *others):
        """This report beside others, as a Comparison."""
        return Comparison(self, *others)

    def plot(self, axes=None, mark="perfect", **options):
        """Draws a mark by tier with its intervals, by matplotlib; returns the axes."""
        if axes is None:
            import matplotlib.pyplot

            axes = matplotlib.pyplot.gca()
            axes.set(xlabel="tier (stones on the board)", ylabel=mark.replace("_", " "))
        arrays = self.by_tier
        known = ~np.isnan(arrays[mark])
        middle = arrays[mark][known]
        low, high = (arrays[f"{mark}_{end}"][known] for end in ("low", "high"))
        reach = np.nan_to_num([middle - low, high - middle]).clip(min=0)
        options = {"label": self.player, "capsize": 2, "marker": "o", "markersize": 3, **options}
        axes.errorbar(arrays["tier"][known], middle, yerr=reach, **options)
        return axes

    def __repr__(self):
        return str(self._report)

    def _repr_html_(self):
        rows = [self, *self.groups.values()]
        names = ["all", *self.groups]
        return f"<p>{html.escape(repr(self))}</p>" + _table(names, rows) + _image([self])


class PlayedGame(NamedTuple):
    """A game that was played, for the player that is graded."""

    #: All moves, and how many of them are the opening.
    moves: str
    opening: int
    #: 1 if the player moved first, or 2.
    player: int
    #: "win", "draw" or "loss".
    result: str
    #: Why the game ended without a legal move, by whoever lost it.
    forfeit: Optional[str]
    #: The number of the player's first move that changed the outcome.
    first_mistake: Optional[int]


class Games:
    """The games of a player.

    games           a list of PlayedGame(moves, opening, player, result, forfeit, first_mistake)
    points          Mean of 1 for a win, 0.5 for a draw, and 0 for a loss
    first_mistake   Mean number of the first move that changed the outcome
    report          a Report with the marks of the player's moves
    """

    def __init__(self, games):
        self.games = [PlayedGame(*game) for game in games.games()]
        self.points = Mean(*games.points())
        self.first_mistake = Mean(*games.first_mistake())
        self.report = Report(games.report())

    def results(self, player=None):
        """How many games were won, drawn and lost: in all, or as player 1 or 2."""
        results = [game.result for game in self.games if player in (None, game.player)]
        return tuple(results.count(result) for result in ("win", "draw", "loss"))

    def __len__(self):
        return len(self.games)

    def __repr__(self):
        won, drawn, lost = self.results()
        return f"{self.report.player}: {won} won, {drawn} drawn, {lost} lost\n{self.report!r}"


class Comparison:
    """Reports side by side, and how the players differ.

    `gaps` has a dict of Gap for each pair of players, (0, 1) for the first two: by the names of marks,
    with None where a mark is missing. Where the players took different exams, there is no pair.
    """

    def __init__(self, *reports):
        self.reports = reports
        self.gaps = {}
        for one in range(len(reports)):
            for other in range(one + 1, len(reports)):
                gaps = reports[one]._report.gaps(reports[other]._report)
                if gaps is not None:
                    made = {mark: gap and Gap(*gap) for mark, gap in gaps.items()}
                    self.gaps[one, other] = made

    def __repr__(self):
        return "\n".join([*map(repr, self.reports), *(text for text, _ in self._differences())])

    def _repr_html_(self):
        names = [report.player for report in self.reports]
        lines = [f"<li>{html.escape(text)}</li>" for text, _ in self._differences()]
        return _table(names, self.reports) + f"<ul>{''.join(lines)}</ul>" + _image(self.reports)

    def plot(self, axes=None, mark="perfect", **options):
        """Draws a mark of all players by tier, by matplotlib; returns the axes."""
        for report in self.reports:
            axes = report.plot(axes, mark, **options)
        axes.legend()
        return axes

    def _differences(self):
        """Each gap in words, and the gap."""
        for (one, other), gaps in self.gaps.items():
            names = f"{self.reports[one].player} - {self.reports[other].player}"
            for mark, gap in gaps.items():
                if gap is None:
                    continue
                number = "{:+.2f}".format if mark in MEANS else lambda x: f"{100 * x:+.1f}"
                unit = "" if mark in MEANS else " points"
                shown = f"{number(gap.difference)}{unit} {_interval(gap, number)}".rstrip()
                yield f"{names}: {mark.replace('_', ' ')} {shown}, p = {gap.chance:.2g}", gap


def compare(*reports):
    """Reports side by side with the gaps between the players, as a Comparison."""
    return Comparison(*reports)


def _percent(share):
    return f"{100 * share:.1f}"


def _interval(mark, number):
    """The bounds of a mark in brackets, if it has any."""
    return "" if np.isnan(mark.low) else f"({number(mark.low)} to {number(mark.high)})"


def _table(names, rows):
    """Marks as a table of HTML."""
    head = ["", "positions", "perfect %", "good %", "top three %", "loss"]
    cells = []
    for name, marks in zip(names, rows):
        shares = [
            f"{_percent(share[0])} {_interval(share, _percent)}" if share.of else ""
            for share in (marks.perfect, marks.good, marks.top_three)
        ]
        loss = marks.loss
        loss = f"{loss.mean:.2f} {_interval(loss, '{:.2f}'.format)}" if loss.count else ""
        cells.append([name, f"{marks.positions:,}", *shares, loss])
    row = "".join("<td>{}</td>" for _ in head)
    body = "".join(f"<tr>{row.format(*map(html.escape, line))}</tr>" for line in cells)
    return f"<table><tr>{''.join(f'<th>{name}</th>' for name in head)}</tr>{body}</table>"


def _image(reports):
    """The picture of `strong4 grade --svg`, whose style must not leak into the page."""
    picture = _strong4._picture_of_reports([report._report for report in reports])
    return f'<img src="data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}">'
