#!/usr/bin/python3
"""Tests the verdicts on figures that vary; .ci/run runs it."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from harness.figure import Figure, ratio  # noqa: E402
from harness.report import Row, skipped, table  # noqa: E402
from harness.runs import with_rows  # noqa: E402


def verdict(figure, must=1.3, aim=1.1, **options):
    return Row("a measure", "another", figure, must, aim, **options).verdict


class Verdicts(unittest.TestCase):
    def test_a_difference_below_its_noise_is_not_judged(self):
        # A busy disk: the commits alone took longer than the signals that waited for one each.
        signal, commit = Figure.of([4.1, 9.0, 30.0]), Figure.of([6.0, 22.0, 40.0])
        self.assertEqual(
            verdict((signal - commit) / Figure.of([0.5, 0.6])), "not judged: below its noise")
        # It need not be below zero for that.
        signal, commit = Figure.of([1.0, 1.4, 2.0]), Figure.of([0.5, 0.6, 1.1])
        self.assertEqual(
            verdict((signal - commit) / Figure.of([0.5, 0.6])), "not judged: below its noise")

    def test_a_difference_above_its_noise_is_judged(self):
        signal, commit = Figure.of([1.20, 1.21, 1.22]), Figure.of([0.60, 0.62])
        self.assertEqual(verdict((signal - commit) / Figure.of([0.60, 0.61])), "meets aim")

    def test_the_median_decides_and_other_runs_are_told(self):
        self.assertEqual(verdict(Figure.of([1.2, 1.25, 1.29])), "meets must")
        self.assertEqual(verdict(Figure.of([1.2, 1.25, 1.4])), "meets must, not in every run")
        self.assertEqual(verdict(Figure.of([1.2, 1.35, 1.4])), "misses, not in every run")
        self.assertEqual(
            verdict(Figure.of([2.0, 3.9, 5.0]), 4, None, least=True), "misses, not in every run")

    def test_a_run_is_compared_with_its_neighbour(self):
        # The machine became twice as slow: both sides did.
        figure = ratio([1.0, 1.0, 2.0], [2.0, 2.0, 4.0])
        self.assertEqual((figure.low, figure.value, figure.high), (0.5, 0.5, 0.5))

    def test_a_row_says_how_much_its_figure_varied(self):
        cells = Row("a measure", "another", Figure.of([1.2, 1.25, 1.4]), 1.3, 1.1).cells()
        self.assertIn("1.2 … 1.4 in 3", cells)
        self.assertIn("one run", Row("a measure", "another", 1.25, 1.3, 1.1).cells())

    def test_nothing_at_all_is_a_count_and_no_noise(self):
        self.assertEqual(verdict(0, 1, 1, least=True), "misses")

    def test_a_figure_that_is_not_what_it_is_called_is_not_judged(self):
        row = Row("instructions, one fix a wake-up", "another", 1.0, 1.3, 1.1)
        row.doubt = "only 80% of the fixes came alone"
        self.assertEqual(row.verdict, "not judged: only 80% of the fixes came alone")

    def test_some_rows_replace_theirs_in_a_page_and_say_when(self):
        def text(*rows):
            return "\n".join(["Date 1", "", table([row.cells() for row in rows]), "", "after"])

        first, other = Row("a", "b", 1.5, 2, 1, shown="3 against 2"), Row("c", "d", 7)
        replaced = with_rows(text(first, other), text(Row("a", "b", 0.5, 2, 1)), "2026-01-02")
        lines = replaced.split("\n")
        self.assertEqual([lines[0], lines[-1]], ["Date 1", "after"])
        self.assertRegex(lines[4], r"\| a +\| b +\| 0\.5× .* meets aim +\| on 2026-01-02 +\|")
        self.assertEqual(lines[5].split()[1:6:2], ["c", "d", "7×"])
        with self.assertRaises(SystemExit):
            with_rows(text(first), text(other), "2026-01-02")

    def test_what_is_skipped_has_no_figure(self):
        self.assertEqual(skipped("a", "b", "not here").cells()[6], "skipped: not here")


if __name__ == "__main__":
    unittest.main()
