#!/usr/bin/env bash
# Proves that the tests can fail: for each line of mutants.txt the named tests must pass as they are and all fail when
# the mutant is switched on, and `tgkeep prove` must pass and fail likewise, unless its proof is none. Arguments pick
# mutants by name.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build mutants
export TGKEEP_BIN=$PWD/build/mutants/tgkeep

run_tests() {
  ctest --test-dir build/mutants --no-tests=error -R "$1" -j "$(nproc)" --timeout 120 </dev/null >build/mutants/mutant.log 2>&1
}

# sim: simulations; writes: deaths, power cuts and flipped bits on a store with files; face: bots behind the face.
prove() {
  case $1 in
    sim) set -- --sim --seeds 200 --threads "$(nproc)" ;;
    writes) set -- --writes --steps 40 --flips 300 ;;
    face) set -- --face --minutes 0.3 ;;
  esac
  timeout 600 "$TGKEEP_BIN" prove "$@" </dev/null >build/mutants/prove.log 2>&1
}

declare -A passes
passes_without_mutant() {
  if [ -z "${passes[$1]:-}" ]; then
    if prove "$1"; then passes[$1]=yes; else passes[$1]=no; fi
  fi
  [ "${passes[$1]}" = yes ]
}

survivors=0
printf '%-30s %-9s %-9s %s\n' mutant tests prove tests
while read -r name proof tests; do
  case $name in '' | '#'*) continue ;; esac
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  if ! run_tests "$tests"; then
    verdict=BROKEN # the tests fail without it, or there are none
  elif TGKEEP_MUTANT=$name run_tests "$tests" || ! grep -q '^0% tests passed' build/mutants/mutant.log; then
    verdict=SURVIVED
  else
    verdict=killed
  fi
  if [ "$proof" = none ]; then
    proved=-
  elif ! passes_without_mutant "$proof"; then
    proved=BROKEN
  elif TGKEEP_MUTANT=$name prove "$proof"; then
    proved=SURVIVED
  else
    proved=killed
  fi
  [ "$verdict $proved" = 'killed killed' ] || [ "$verdict $proved" = 'killed -' ] || survivors=$((survivors + 1))
  printf '%-30s %-9s %-9s %s\n' "$name" "$verdict" "$proved" "$tests"
done <scripts/mutants.txt
if [ "$survivors" -gt 0 ]; then
  echo "$survivors not killed" >&2
  exit 1
fi
