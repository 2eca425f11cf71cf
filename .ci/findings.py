"""What the checks of pages and sources share: the tree, and the list of what is wrong."""

import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
broken = []


def blame(path, number, why):
    broken.append(f"{path.relative_to(root)}:{number}: {why}")


def tracked(*patterns):
    """The files of the checkout, those included that are not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *patterns], cwd=root,
        check=True, stdout=subprocess.PIPE, text=True).stdout
    return [root / name for name in listed.split("\0") if name and (root / name).exists()]


def end():
    """Names all of it; fails if there is any."""
    for line in sorted(broken):
        print(line, file=sys.stderr)
    sys.exit(1 if broken else 0)
