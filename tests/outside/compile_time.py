"""Compiles one file of a project again at -O0 and prints how long that took.

Usage: compile_time.py COMPILE_COMMANDS FILE
"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

commands = json.loads(pathlib.Path(sys.argv[1]).read_text())
command = next(entry for entry in commands if os.path.samefile(entry["file"], sys.argv[2]))
words = shlex.split(command["command"])
if os.path.basename(words[0]) == "ccache":
    words.pop(0)
with tempfile.TemporaryDirectory() as folder:
    words[words.index("-o") + 1] = os.path.join(folder, "out.o")
    before = os.times()
    subprocess.run([*words, "-O0"], cwd=command["directory"], check=True)
    after = os.times()
processor = after.children_user + after.children_system - before.children_user - before.children_system
print(f"{os.path.basename(sys.argv[2])} at -O0: {processor:.1f} s of processor time, {after.elapsed - before.elapsed:.1f} s")
