"""The rows of the result, and their verdicts."""

import math

from .figure import Figure


class Row:
    """One measure compared with another.

    `value` is a Figure, or a number of which there is only one. `must` and `aim` are bounds on it;
    `least` says that the value shall be large. `shown` is for people.
    """

    def __init__(self, measure, against, value, must=None, aim=None, least=False, unit="×",
                 shown=""):
        self.measure = measure
        self.against = against
        self.figure = value if isinstance(value, Figure) or value is None else Figure(value)
        self.must = must
        self.aim = aim
        self.least = least
        self.unit = unit
        self.shown = shown
        self.skipped = None
        # Why the figure does not measure what its name says, if so.
        self.doubt = None

    @property
    def value(self):
        return self.figure.value

    def _holds(self, bound, value):
        return value >= bound if self.least else value <= bound

    @property
    def verdict(self):
        """By the median of the runs. A figure below its noise has no verdict, and if a single run
        would have had another verdict the row says so."""
        if self.skipped:
            return self.skipped
        if self.must is None and self.aim is None:
            return ""
        if self.doubt:
            return f"not judged: {self.doubt}"
        # A count of events may be 0, and is not a difference.
        if self.figure.runs > 1 and self.figure.is_noise:
            return "not judged: below its noise"
        verdict = self._verdict(self.value)
        if {self._verdict(self.figure.low), self._verdict(self.figure.high)} != {verdict}:
            verdict += ", not in every run"
        return verdict

    def _verdict(self, value):
        if self.aim is not None and self._holds(self.aim, value):
            return "meets aim"
        if self.must is None:
            return "misses aim"
        return "meets must" if self._holds(self.must, value) else "misses"

    def _bound(self, bound):
        if bound is None:
            return "–"
        return ("≥ " if self.least else "≤ ") + self._with_unit(bound)

    def _with_unit(self, value):
        return plain(value) + (self.unit if self.unit == "×" else f" {self.unit}".rstrip())

    @property
    def _varied(self):
        if self.figure.runs < 2:
            return "one run"
        return f"{plain(self.figure.low)} … {plain(self.figure.high)} in {self.figure.runs}"

    def cells(self):
        if self.figure is None:
            return [self.measure, self.against, "", "", self._bound(self.must),
                    self._bound(self.aim), self.verdict, self.shown]
        return [self.measure, self.against, self._with_unit(self.value), self._varied,
                self._bound(self.must), self._bound(self.aim), self.verdict, self.shown]


HEADER = ["measure", "against", "ratio", "runs", "must", "aim", "verdict", "figures"]


def skipped(measure, against, why):
    """A row whose other side is missing."""
    row = Row(measure, against, None)
    row.skipped = f"skipped: {why}"
    return row


def plain(value):
    """Three digits, without superfluous zeros."""
    if isinstance(value, str):
        return value
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return "?"
    if abs(value) >= 1000:
        return f"{value:,.0f}".replace(",", " ")
    digits = 2 if abs(value) >= 1 else 3
    text = f"{value:.{1 if abs(value) >= 100 else digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def table(rows, header=HEADER):
    """Markdown that is readable as text too."""
    rows = [header] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(header))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |"
             for row in rows]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)

