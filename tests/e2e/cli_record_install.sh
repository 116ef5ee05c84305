#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir record --install: a program that is started with WEIR_RECORD=1 is recorded, as from a launcher; weir info says what is
# installed. Arguments: WEIR FOLDER E2E_PRESENT E2E_NUMBERS.
source "$(dirname "$0")/sample_common.sh"
present=$3 numbers=$4
start_display
export XDG_RUNTIME_DIR=$PWD XDG_DATA_HOME=$PWD/data HOME=$PWD
chmod 700 .
manifest=$PWD/data/vulkan/implicit_layer.d/VkLayer_WEIR_capture.json

# What WEIR_RECORD=1 needs is not there yet.
grep -q '^  WEIR_RECORD=1  no: ' <<<"$("$program" info)" || fail "info: $("$program" info | tail -n 2)"
grep -qxF "$manifest is not there" <<<"$("$program" record --uninstall)" || fail "--uninstall of nothing"
WEIR_RECORD=1 "$present" --frames 5 >log.txt 2>&1 || fail "$(cat log.txt)"
[ -z "$(find . -name '*.mov')" ] || fail "it is recorded without the manifest"

grep -qxF "$manifest: WEIR_RECORD=1 records any program from now on" <<<"$("$program" record --install)" || fail "--install says nothing"
"$program" record --install >/dev/null || fail "the second --install"
grep -qF "  WEIR_RECORD=1  $manifest: weir record " <<<"$("$program" info)" || fail "info: $("$program" info | tail -n 2)"
"$program" info --json | python3 -c 'import json, sys; i = json.load(sys.stdin); print(i["user_layer"]["manifest"], i["user_layer"]["library"] == i["layer"]["library"])' |
    grep -qxF "$manifest True" || fail "info --json"


# As a launcher starts it: the recorder is found by PATH, and is no child of the program.
mkdir movies
export PATH="$(dirname "$program"):$PATH" WEIR_RECORD_OPTIONS="--policy wait --slots 60 --output $PWD/movies/"
WEIR_RECORD=1 "$present" --frames 60 --windows 2 >log.txt 2>&1 || fail "$(cat log.txt)"
until_true eval '[ "$(ls movies/*.mov 2>/dev/null | grep -vcF .001.)" = 2 ]'
for movie in movies/*.mov; do
    [ "$("$numbers" "$movie" | awk '$1 == NR - 1' | wc -l)" = 60 ] || fail "$movie: $("$numbers" "$movie" | head -n 3)"
done
grep -qE '^e2e_present-[0-9-]+\.mov$' <<<"$(ls movies | head -n 1)" || fail "its name: $(ls movies)"

# Killed, the program leaves a movie; the recorder ends with it.
rm movies/*
WEIR_RECORD=1 "$present" --frames 30 --end kill >log.txt 2>&1 && fail "it was not killed"
until_true eval '[ "$(ls movies/*.mov 2>/dev/null | grep -vcF .001.)" = 1 ]'
[ "$("$numbers" movies/*.mov | wc -l)" = 30 ] || fail "killed: $("$numbers" movies/*.mov | wc -l) frames"
until_true eval '! pgrep -f "weir record --serve"'

# Not wanted, and no recorder in PATH: the program runs.
rm movies/*
DISABLE_WEIR_RECORD=1 WEIR_RECORD=1 "$present" --frames 5 >log.txt 2>&1 || fail "$(cat log.txt)"
WEIR_RECORD=1 PATH=/usr/bin:/bin "$present" --frames 5 >log.txt 2>&1 || fail "$(cat log.txt)"
[ "$(grep -c weir log.txt)" = 1 ] && grep -q "cannot start 'weir record --serve'" log.txt || fail "no recorder: $(cat log.txt)"
[ -z "$(ls movies)" ] || fail "it was recorded: $(ls movies)"

expect_status 1 "process 2147483647 cannot be recorded" "$program" record --serve 2147483647
expect_status 2 "--serve records a program that runs already" "$program" record --serve $$ -- true
grep -qxF "$manifest is removed" <<<"$("$program" record --uninstall)" || fail "--uninstall"
[ ! -e "$manifest" ] || fail "--uninstall left $manifest"
echo passed
