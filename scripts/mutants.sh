#!/usr/bin/env bash
# Proves that the tests can fail: for each line of mutants.txt the named tests must pass as they are and all fail when
# the mutant is switched on. Arguments pick mutants by name.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/build mutants
export TGKEEP_BIN=$PWD/build/mutants/tgkeep

run_tests() {
  ctest --test-dir build/mutants --no-tests=error -R "$1" -j "$(nproc)" --timeout 120 </dev/null >build/mutants/mutant.log 2>&1
}

survivors=0
printf '%-26s %-9s %s\n' mutant verdict tests
while read -r name tests; do
  case $name in '' | '#'*) continue ;; esac
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  if ! run_tests "$tests"; then
    verdict=BROKEN # the tests fail without it, or there are none
  elif TGKEEP_MUTANT=$name run_tests "$tests" || ! grep -q '^0% tests passed' build/mutants/mutant.log; then
    verdict=SURVIVED
  else
    verdict=killed
  fi
  [ "$verdict" = killed ] || survivors=$((survivors + 1))
  printf '%-26s %-9s %s\n' "$name" "$verdict" "$tests"
done <scripts/mutants.txt
if [ "$survivors" -gt 0 ]; then
  echo "$survivors not killed" >&2
  exit 1
fi
