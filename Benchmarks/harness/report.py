"""The rows of the result, and what is to be said about each."""


class Row:
    """One measure against one other.

    `must` and `aim` are bounds on `value`; `least` says that the value shall be large. `shown` is
    for people.
    """

    def __init__(self, measure, against, value, must=None, aim=None, least=False, unit="×",
                 shown=""):
        self.measure = measure
        self.against = against
        self.value = value
        self.must = must
        self.aim = aim
        self.least = least
        self.unit = unit
        self.shown = shown
        self.skipped = None

    def _holds(self, bound):
        return self.value >= bound if self.least else self.value <= bound

    @property
    def verdict(self):
        if self.skipped:
            return self.skipped
        if self.must is None and self.aim is None:
            return ""
        if self.aim is not None and self._holds(self.aim):
            return "meets aim"
        if self.must is None:
            return "misses aim"
        return "meets must" if self._holds(self.must) else "misses"

    def _bound(self, bound):
        if bound is None:
            return "–"
        return ("≥ " if self.least else "≤ ") + self._with_unit(bound)

    def _with_unit(self, value):
        return plain(value) + (self.unit if self.unit == "×" else f" {self.unit}".rstrip())

    def cells(self):
        value = "" if self.value is None else self._with_unit(self.value)
        return [self.measure, self.against, value, self._bound(self.must),
                self._bound(self.aim), self.verdict, self.shown]


HEADER = ["measure", "against", "ratio", "must", "aim", "verdict", "figures"]


def skipped(measure, against, why):
    """A row whose other side is not here."""
    row = Row(measure, against, None)
    row.skipped = f"skipped: {why}"
    return row


def plain(value):
    """Three digits, and no more noughts than needed."""
    if isinstance(value, str):
        return value
    if value == 0:
        return "0"
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


def median(numbers):
    numbers = sorted(numbers)
    middle = len(numbers) // 2
    if len(numbers) % 2:
        return numbers[middle]
    return (numbers[middle - 1] + numbers[middle]) / 2


def percentile(numbers, share):
    numbers = sorted(numbers)
    return numbers[min(int(len(numbers) * share), len(numbers) - 1)]
