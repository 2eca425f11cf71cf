"""Runs measures one after the other, and writes their result into a page."""

import datetime
import os
import sys
import time
import traceback

from . import process
from .bench import Skipped, log
from .report import HEADER, Row, skipped, table


def chosen(measures):
    """The names in ONLY=; none means all."""
    only = [name for name in os.environ.get("ONLY", "").split(",") if name]
    if unknown := set(only) - set(measures):
        sys.exit(f"bench: no such measure: {', '.join(sorted(unknown))}; "
                 f"there are {', '.join(measures)}")
    return only


def measured(bench, measures, begin):
    """A table of all rows, and additional tables of the measures, as text. `begin` is in monotonic
    seconds."""
    rows, tables = [], []
    for name, measure in measures.items():
        if bench.only and name not in bench.only:
            continue
        log(f"{name} ({time.monotonic() - begin:.0f} s)")
        try:
            for result in measure(bench):
                if isinstance(result, Row):
                    rows.append(result.cells())
                    print("  ".join(cell for cell in rows[-1] if cell), flush=True)
                else:
                    tables.append(result)
                    print(f"\n{result}\n", flush=True)
        except Skipped as why:
            rows.append(skipped(name, "", str(why)).cells())
        except Exception as error:  # the other rows are still useful
            traceback.print_exc()
            why = " ".join(str(error).split())[:200]
            rows.append(skipped(name, "", f"it failed: {why}").cells())
        process.stop_all()
    return "\n".join([table(rows, HEADER), "", *[f"{each}\n" for each in tables]])


def document(page, text, only):
    """Replaces the previous result in a page by the text, which is the whole result; of `only` some
    measures, a text with their rows alone, by the rows that measure the same."""
    begin, end = "<!-- result -->\n", "<!-- end of the result -->"
    before, _, rest = page.read_text().partition(begin)
    previous, _, after = rest.partition(end)
    if not rest or not after:
        sys.exit(f"bench: no place for the result in {page}")
    if only:
        text = with_rows(previous, text, datetime.date.today().isoformat())
    page.write_text(f"{before}{begin}\n{text.strip()}\n\n{end}{after}")


def with_rows(previous, text, today):
    """The previous result with the rows of another in the place of those that measure the same, and
    the date in them. Everything around the rows stays."""
    lines = previous.split("\n")
    first, rows = rows_of(lines)
    new = {tuple(row[:2]): [*row[:-1], f"{row[-1]}; on {today}".lstrip("; ")] for row in rows_of(text.split("\n"))[1]}
    if unknown := new.keys() - {tuple(row[:2]) for row in rows}:
        sys.exit(f"bench: the page has no row of {sorted(unknown)}; measure everything")
    lines[first:first + len(rows) + 2] = table(
        [new.get(tuple(row[:2]), row) for row in rows], HEADER).split("\n")
    return "\n".join(lines)


def rows_of(lines):
    """Where the table of all rows begins, and the cells of its rows, without the header and its rule."""
    first = next(index for index, line in enumerate(lines) if line.startswith(f"| {HEADER[0]} "))
    last = lines.index("", first)
    return first, [[cell.strip() for cell in line.split("|")[1:-1]]
                   for line in lines[first + 2:last]]
