#!/usr/bin/env bash
# outside_project.sh installed|subdirectory COMPILER WORK_FOLDER RUNNER: builds the bot of tests/outside/bot as a project of
# its own, with tgkeep installed to a folder or taken in as a subdirectory, and runs it by RUNNER (parrot_test).
set -euo pipefail
way=$1 compiler=$2 work=$3 runner=$4
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
# It compiles the whole library, which takes two minutes; once is enough for ./check without --full.
if [ "$way $compiler" = 'subdirectory clang++-16' ] && [ -z "${TGKEEP_FULL:-}" ]; then
  echo "left to ./check --full, or TGKEEP_FULL=yes"
  exit 77
fi
command -v "$compiler" >/dev/null || { echo "no $compiler here: scripts/install full installs it"; exit 77; }

mkdir -p "$work"
build=$work/$way-$compiler
rm -rf "$build"
arguments=(-G Ninja -S "$here/bot" -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
case $way in
  installed)
    # Without sanitizers, whatever the preset of this test.
    "$root/scripts/build" release tgkeep tgkeep_archive
    prefix=$work/prefix-$compiler
    rm -rf "$prefix"
    cmake --install "$root/build/release" --prefix "$prefix" >"$work/install-$compiler.log"
    "$prefix/bin/tgkeep" --version
    arguments+=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$prefix")
    ;;
  subdirectory)
    # Not optimised: it compiles the whole library.
    arguments+=(-DTGKEEP_SOURCE="$root" -DCMAKE_BUILD_TYPE=None)
    if command -v ccache >/dev/null; then arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
    ;;
  *) echo "installed or subdirectory, not '$way'" >&2; exit 2 ;;
esac

cmake "${arguments[@]}" </dev/null >"$build.log" 2>&1 || { cat "$build.log"; exit 1; }
began=$SECONDS
ninja -C "$build" -j "${TGKEEP_JOBS:-$(nproc)}" --quiet </dev/null
echo "$way, $compiler: built in $((SECONDS - began)) s"

# What an author waits for after each change: their own file, not optimised, nothing precompiled or cached.
python3 "$here/compile_time.py" "$build/compile_commands.json" "$here/bot/main.cpp"

if [ "$way" = subdirectory ]; then
  stray=$(find "$build" -name tgkeep -type f -perm -u+x)
  [ -z "$stray" ] || { echo "a subdirectory builds the library alone, but here is $stray"; exit 1; }
fi
TGKEEP_OUTSIDE_BOT=$build/parrot "$runner"
