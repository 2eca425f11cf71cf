"""Runs measures one after the other, and writes their result into a page."""

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


def document(page, text):
    """Replaces the previous result in a page."""
    begin, end = "<!-- result -->\n", "<!-- end of the result -->"
    before, _, rest = page.read_text().partition(begin)
    _, _, after = rest.partition(end)
    if not rest or not after:
        sys.exit(f"bench: no place for the result in {page}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}")
