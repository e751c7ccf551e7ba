"""The bots and tests printed in docs/testing.md are the files of examples/testing, all of them.

Usage: check_testing.py SOURCE_DIR
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
page = (root / "docs/testing.md").read_text()
printed = re.findall(r"^```(?:js|python)\n(.*?)^```", page, re.M | re.S)
files = {path.relative_to(root): path.read_text()
         for suffix in ("js", "py") for path in sorted((root / "examples/testing").glob(f"*/*.{suffix}"))}
problems = [f"docs/testing.md shows another text than {path}: copy it over"
            for path, text in files.items() if text not in printed]
problems += [f"docs/testing.md shows what is no file of examples/testing:\n{text}"
             for text in printed if text not in files.values()]
print("\n".join(problems) or f"{len(files)} files are printed as they are")
sys.exit(1 if problems or not files else 0)
