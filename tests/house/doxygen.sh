#!/usr/bin/env bash
# doxygen.sh SOURCE_DIR OUTPUT_DIR: makes the API reference; any warning fails it.
set -euo pipefail
cd "$1"
mkdir -p "$2"
{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $2"; } | doxygen -
