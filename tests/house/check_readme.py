"""Checks that README.md shows the first example as it is.

Usage: check_readme.py SOURCE_DIR
"""
import pathlib
import sys

root = pathlib.Path(sys.argv[1])
example = (root / "examples/01_echo/main.cpp").read_text().strip()
if example not in (root / "README.md").read_text():
    sys.exit("README.md shows another text than examples/01_echo/main.cpp: copy it over")
