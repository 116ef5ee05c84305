#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cli_record_page.sh WEIR FOLDER FAKE: the page of weir record --live, in Chromium and by clients that are none.
here=$(cd "$(dirname "$0")" && pwd)
source "$here/cli_common.sh"
source "$here/record/record_common.sh"
hold ffprobe ffmpeg

record_status 2 --live 99999 -- "$fake" --frames 2
expect_said "it takes \[ADDRESS:\]PORT"
! grep -q presented stdout.txt || fail "the program was started"
status=0
"$weir" record --live 0 --output no.mov -- true 2>stderr.txt || status=$?
! grep -q "built without libwebsockets" stderr.txt || skip "this weir has no page"
expect_said "watch it at http://127.0.0.1:[0-9]*/?token=[0-9a-f]\{32\}$"
for tool in chromium node; do
    command -v $tool >/dev/null || skip "no $tool here (./dev setup test)"
done

# No recording outlives a failure.
trap 'touch "$folder/end" "$folder/end_all"; [ "$XDG_RUNTIME_DIR" = "$folder/run" ] || rm -r "$XDG_RUNTIME_DIR"' EXIT

# begin ARGUMENTS...: record in the background; `url` is that of the page.
begin() {
    rm stderr.txt
    start "$@"
    until_true grep -q "watch it at" stderr.txt
    url=$(grep -o 'http://.*' stderr.txt)
}

begin --live 0 --paused --replay 2 --output take.mov -- "$fake" --fps 60 --until end
[ "$("$weir" record --ctl status)" = "waiting
page: $url" ] || fail "the status names no page: $("$weir" record --ctl status)"
port=${url#http://127.0.0.1:} port=${port%%/*}
record_status 1 --live "$port" -- "$fake" --frames 2
expect_said "--live $port: Address already in use"
before=$(ls /proc/$recorder/fd | wc -l)
timeout 500 node "$here/record/page.mjs" "$url" >page.txt 2>&1 || fail "the page: $(cat page.txt)"
until_true eval '[ "$(ls /proc/$recorder/fd | wc -l)" -le $((before + 2)) ]' # those of the browser are closed
touch end
finish 0
for movie in take.mov take-2.mov take-replay.mov; do
    [ "$(numbers $movie | wc -w)" -ge 10 ] || fail "$movie has few frames"
done
[ "$(ffprobe -v error -show_entries chapter_tags=title -of csv=p=0 take.mov | tail -n 1)" = "a title — ü" ] || fail "no mark"

# At an address of the machine the token is enough, under any name.
begin --live 0.0.0.0:0 --output all.mov -- "$fake" --until end_all
[[ "$url" = "http://$(uname -n):"* ]] || fail "it is at $url"
status=$(timeout 240 node -e 'require("http").get({host: "127.0.0.1", port: process.argv[1], path: process.argv[2], headers: {Host: "other:1"}},
    answer => { console.log(answer.statusCode); process.exit(0); })' "$(sed 's/.*:\([0-9]*\).*/\1/' <<<"$url")" "/${url##*/}")
[ "$status" = 200 ] || fail "status $status at another address"
touch end_all
finish 0
echo passed
