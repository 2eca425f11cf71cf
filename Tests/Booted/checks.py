"""One line per check, as in TAP."""

import itertools
import sys
import traceback


class Checks:
    def __init__(self, journal):
        """`journal()` returns the last lines of the machine's journal."""
        self.journal = journal
        self.count = 0
        self.failed = []

    def check(self, holds, what, *seen):
        """Reports whether it holds and, if not, what was seen instead."""
        self.count += 1
        print(f"{'ok' if holds else 'not ok'} {self.count} - {what}", flush=True)
        if not holds:
            self.failed.append(what)
            for thing in seen:
                for line in str(thing).splitlines()[:100]:
                    print(f"#   {line}", flush=True)
        return holds

    def same(self, got, expected, what):
        """Compares two lists; if they differ, reports the first difference."""
        if self.check(got == expected, what):
            return True
        print(f"#   {len(got)} against {len(expected)} expected")
        for number, pair in enumerate(itertools.zip_longest(got, expected)):
            if pair[0] != pair[1]:
                print(f"#   at {number}: {pair[0]}\n#   expected: {pair[1]}")
                break
        sys.stdout.flush()
        return False

    def note(self, text):
        print(f"# {text}", flush=True)

    def last_words(self):
        """The last journal lines, for a scenario that did not complete."""
        try:
            return self.journal()
        except Exception as error:
            return f"no journal: {error}"

    def skip(self, what, why):
        self.count += 1
        print(f"ok {self.count} - {what} # SKIP {why}", flush=True)

    def scenario(self, run, *arguments):
        """Runs one; an exception is a failed check, and the next scenario runs."""
        title = run.__doc__.strip().splitlines()[0]
        print(f"# --- {title}", flush=True)
        try:
            run(*arguments)
        except Exception as error:
            self.check(False, f"{title}: {type(error).__name__}",
                       "".join(traceback.format_exception(error)) + self.last_words())

    def finish(self):
        print(f"1..{self.count}")
        for what in self.failed:
            print(f"# failed: {what}")
        return 1 if self.failed else 0
