"""A measured figure and how much it varied between its runs."""


class Figure:
    """The median of several runs, and the range they lie in."""

    def __init__(self, median, low=None, high=None, runs=1):
        self.value = median
        self.low = median if low is None else low
        self.high = median if high is None else high
        self.runs = runs

    @staticmethod
    def of(numbers):
        """One number per run."""
        return Figure(median(numbers), min(numbers), max(numbers), len(numbers))

    @staticmethod
    def of_parts(numbers, parts=5):
        """Many numbers of one run, in order: each part of the run counts as a run, by its median.
        The value is the median of all."""
        size = max(len(numbers) // parts, 1)
        medians = [median(numbers[i * size:(i + 1) * size])
                   for i in range(parts) if numbers[i * size:(i + 1) * size]]
        return Figure(median(numbers), min(medians), max(medians), len(medians))

    def __sub__(self, other):
        """The range is that of the worst case: the two were not measured at the same moment."""
        return Figure(self.value - other.value, self.low - other.high, self.high - other.low,
                      min(self.runs, other.runs))

    def __truediv__(self, other):
        other = other if isinstance(other, Figure) else Figure(other)
        if min(self.low, other.low) <= 0:
            # Indistinguishable from zero: a ratio of it has no meaning.
            return Figure(self.value / other.value if other.value else float("nan"),
                          float("-inf"), float("inf"), min(self.runs, other.runs))
        return Figure(self.value / other.value, self.low / other.high, self.high / other.low,
                      max(self.runs, other.runs))

    def __mul__(self, factor):
        return Figure(self.value * factor, self.low * factor, self.high * factor, self.runs)

    @property
    def is_noise(self):
        """Whether the runs disagree that the figure differs from zero."""
        return not (self.low > 0 and self.value > 0 and self.high < float("inf"))


def ratio(ours, theirs):
    """Of two lists of alternating runs: a run is compared with its neighbour."""
    if len(ours) != len(theirs):
        return Figure.of(ours) / Figure.of(theirs)
    pairs = [mine / other for mine, other in zip(ours, theirs)]
    return Figure(median(ours) / median(theirs), min(pairs), max(pairs), len(pairs))


def median(numbers):
    numbers = sorted(numbers)
    middle = len(numbers) // 2
    if len(numbers) % 2:
        return numbers[middle]
    return (numbers[middle - 1] + numbers[middle]) / 2


def percentile(numbers, share):
    numbers = sorted(numbers)
    return numbers[min(int(len(numbers) * share), len(numbers) - 1)]
