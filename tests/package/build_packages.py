"""Packs what stands in the program's build folder, twice: as the version it is, and as a later one to upgrade to.

Usage: build_packages.py PROGRAM FOLDER
"""
import os
import pathlib
import shutil
import subprocess
import sys

program = pathlib.Path(os.environ.get("TGKEEP_BIN") or sys.argv[1]).resolve()
folder = pathlib.Path(sys.argv[2])
build = program.parent
while not (build / "CPackConfig.cmake").exists():
    build = build.parent
shutil.rmtree(folder, ignore_errors=True)
for age, settings in (("this", []), ("later", ["-D", "CPACK_DEBIAN_PACKAGE_VERSION=99.0.0-1"])):
    subprocess.run(["cpack", "--config", build / "CPackConfig.cmake", "-B", folder / age, *settings], cwd=build, check=True)
    print(next((folder / age).glob("*.deb")))
