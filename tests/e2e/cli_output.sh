#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_output.sh WEIR FOLDER: what becomes of a movie that others delete, move, replace or want to write while weir
# writes it, and of its rights.
# shellcheck source=tests/e2e/cli_common.sh
. "$(dirname "$0")/cli_common.sh"

num_frames=60
make clip.nut "testsrc2=s=320x240:r=25" -frames:v $num_frames -c:v rawvideo -pix_fmt rgb24
half=$(($(stat -c %s clip.nut) / 2))

pipe=''
trap '[ -z "$app" ] || kill "$app" 2>/dev/null || true' EXIT
mkfifo pipe

# begin_movie MOVIE: weir has half of the clip on its standard input, and has written the first frame.
begin_movie() {
    begin sh -c 'exec "$0" transcode --sync 0.05 - "$1" <pipe' "$weir" "$1"
    exec {pipe}>pipe
    head -c "$half" clip.nut >&"$pipe"
    until_true test -e "$1"
}

# finish STATUS WORDS: weir gets the other half.
finish() {
    tail -c +$((half + 1)) clip.nut >&"$pipe"
    exec {pipe}>&-
    expect_end "$1" "$2"
}

begin_movie deleted.mov
expect_status 1 "another program is writing it" "$weir" transcode clip.nut deleted.mov
rm deleted.mov
finish 0 "warning: another program deleted 'deleted.mov'"
expect_movie deleted.mov 320 240 $num_frames

# A confined process cannot make the folder again.
mkdir out
WEIR_UNCONFINED=1 begin_movie out/take.mov
rm -r out
finish 0 "was restored completely"
expect_movie out/take.mov 320 240 $num_frames

echo other >other
begin_movie replaced.mov
mv other replaced.mov
finish 1 "the written one is '$PWD/replaced.1.mov'"
! grep "and plays" messages.txt || fail "another file is told to be the movie"
[ "$(cat replaced.mov)" = other ] || fail "what replaced the movie was changed"
expect_movie replaced.1.mov 320 240 $num_frames

begin_movie moved.mov
mv moved.mov elsewhere.mov
finish 0 "keeps the name '$PWD/elsewhere.mov'"
expect_movie moved.mov 320 240 $num_frames
expect_movie elsewhere.mov 320 240 $num_frames

touch rights.mov
chmod 640 rights.mov
"$weir" transcode --quiet clip.nut rights.mov
expect_movie rights.mov 320 240 $num_frames
[ "$(stat -c %a rights.mov)" = 640 ] || fail "the mode of what was replaced is lost: $(stat -c %a rights.mov)"
left=$(find . -name '.weir*')
[ -z "$left" ] || fail "left behind: $left"

for seconds in x -1 3601; do
    expect_status 2 "--sync" "$weir" transcode clip.nut a.mov --sync=$seconds
done
"$weir" transcode --quiet --sync 0 clip.nut never.mov
cmp never.mov rights.mov || fail "without syncs it is another movie"
