#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a file can do that has taken over FFmpeg's libraries (intruder.c): read the inputs, and nothing else.
# bash cli_confined.sh WEIR FOLDER
source "$(dirname "$0")/cli_common.sh"
held_with=$(cd "$(dirname "$program")/../lib" && pwd)/libe2e_intruder.so
hold weir
python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 2)' 2>/dev/null ||
    skip "no Landlock here, or no python3 that could tell"

mkdir in private home out lists
make in/clip.mov testsrc2=s=64x48:r=25:d=0.2 -c:v mjpeg
make in/photo.png testsrc2=s=64x48:r=1:d=1 -frames:v 1
mkdir in/shots
cp in/photo.png in/shots/s_1.png
cp in/photo.png in/shots/s_2.png
mkdir in/linked # frames that were numbered by links
ln -s ../photo.png in/linked/s_1.png
ln -s ../shots/s_1.png in/linked/s_2.png
cp in/photo.png in/other.png
echo secret >private/secret.txt
echo older >out/older.txt

# intruding WORDS COMMAND...: what it tries becomes what it gets, a line each.
intruding() {
    local tries=$1
    shift
    env HOME="$folder/home" WEIR_INTRUDER="$tries" "${preloading[@]}" "$@" >stdout.txt 2>stderr.txt ||
        fail "$*: $(cat stderr.txt)"
    sed -n 's/^weir: warning: intruder //p' stderr.txt
}
own=$PWD
for input in in/linked in/linked/s_%d.png; do
    "$weir" transcode $input out/linked.mov --quiet || fail "links of $input are not read"
    expect_movie out/linked.mov 64 48 2
    rm out/linked.mov
done
tries="read $own/private/secret.txt
write $own/private/secret.txt
make $own/private/new.txt
remove $own/private/secret.txt
read $own/in/other.png
write $own/in/other.png
make $own/home/.profile
make $own/out/new.txt
write $own/in/clip.mov
write $own/out/older.txt
truncate $own/in/clip.mov
truncate $own/out/older.txt
read $own/out/older.txt
remove $own/out/older.txt
rename $own/out/older.txt
mode $own/out/older.txt
mode $own/in/clip.mov
folder $own/out/folder
read /etc/passwd
read /proc/self/environ
run /bin/true
become /bin/true
kill parent
trace parent
socket inet
unix socket
limits"
wanted=$(sed 's/$/: refused/; s/^limits.*/limits limits: done/' <<<"$tries")
for words in "transcode in/clip.mov out/a.mov" "transcode in/shots/s_%d.png out/b.mov" "transcode in/shots out/c.mov" \
    "transcode in/photo.png in/clip.mov out/" "palette in/clip.mov out/d.mov" "palette in/clip.mov out/d.mov --share" \
    "palette in/photo.png out/e.png --export out/e.gpl" "palette in/shots out/" "texture in/photo.png out/f.ktx2 --effort fast" \
    "texture in/shots out/ --effort fast" "texture in/shots/s_1.png in/shots/s_2.png out/n.ktx2 --array --effort fast" \
    "mips in/photo.png out/levels/ --json out/m.json"; do
    # shellcheck disable=SC2086
    got=$(intruding "$tries" "$weir" $words)
    # A folder of movies has a process of each.
    [ "$(sort -u <<<"$got")" = "$(sort -u <<<"$wanted")" ] || fail "$words: the intruder got $got"
done
[ "$(cat private/*)" = secret ] && [ "$(cat out/older.txt)" = older ] && [ ! -e out/new.txt ] && [ ! -e renamed ] &&
    [ -z "$(ls -A home | grep -v '^\.cache$')" ] || fail "the intruder left something"

# What it keeps: its inputs. What lifts it: the user.
[ "$(intruding "read $own/in/clip.mov" "$weir" transcode in/clip.mov out/g.mov)" = "read $own/in/clip.mov: done" ] ||
    fail "the input is closed"
got=$(intruding "read $own/private/secret.txt" env WEIR_UNCONFINED=1 "$weir" transcode in/clip.mov out/g.mov)
grep -q ': done' <<<"$got" || fail "WEIR_UNCONFINED: $got"

# Standard input comes without what else the program was started with; a link to it is the same.
for words in "-" in/stdin; do
    ln -sf /dev/stdin in/stdin
    got=$(intruding "get 9" "$weir" transcode $words out/g.mov <in/clip.mov 9<private/secret.txt)
    [ $words != - ] || [ "$got" = "get 9: refused" ] || fail "descriptors of others: $got"
    expect_movie out/g.mov 64 48 5
    rm out/g.mov
done

# An input that is another one when it is read again.
make in/higher.mov testsrc2=s=64x768:r=25:d=0.2 -c:v mjpeg
for number in 2 3; do
    cp in/clip.mov in/changing.mov
    cp in/higher.mov in/next.mov
    expect_status 1 "changing.mov was changed while it was read" \
        env WEIR_MEANWHILE="$number in/next.mov in/changing.mov" "${preloading[@]}" "$weir" palette in/changing.mov \
        out/k.mov --share
    expect_no out/k.mov
done

# One that talks without an end does not fill the disk of a log.
got=$(intruding "say 20000" "$weir" transcode in/clip.mov out/talk.mov)
[ "$(wc -l <<<"$got")" = 10000 ] && grep -q "clip.mov: further messages are left out" stderr.txt || fail "of 20000 messages $(wc -l <<<"$got") were printed"

# A URL of the network needs sockets, but none to programs of this machine, and no files of the user.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
python3 -m http.server --bind 127.0.0.1 "$port" >/dev/null 2>&1 &
server=$!
trap 'kill $server' EXIT
until (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.1; done
got=$(intruding "$(sed '/passwd/d; /^limits/d' <<<"$tries")" "$weir" transcode "http://127.0.0.1:$port/in/clip.mov" out/g.mov)
[ "$(grep -v ': refused' <<<"$got")" = "socket inet: done" ] || fail "from the network the intruder got $got"
"$weir" transcode "http://localhost:$port/in/clip.mov" out/g.mov --quiet || fail "a name is not resolved"
kill $server
trap - EXIT

# Memory is limited where the user says so.
got=$(intruding "take 64" "$weir" transcode in/clip.mov out/h.mov --max-memory 1G)
[ "$got" = "take 64: refused" ] || fail "the intruder got $got"
got=$(intruding "take 64" "$weir" transcode in/clip.mov out/h.mov)
[ "$got" = "take 64: done" ] || fail "without --max-memory: $got"

# A list reads what is beside it, and nothing else.
make lists/part.ts testsrc2=s=64x48:r=25:d=0.2 -c:v mpeg2video
cp lists/part.ts private/
printf '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.2,\npart.ts\n#EXT-X-ENDLIST\n' >lists/list.m3u8
for path in ../private/part.ts "$own/private/part.ts"; do
    sed "s|^part.ts|$path|" lists/list.m3u8 >lists/away.m3u8
    expect_status 1 "away.m3u8: " "$weir" transcode lists/away.m3u8 out/i.mov
    expect_no out/i.mov
done
# Without Landlock's rules, which a URL around files lifts, the filter of system calls lets through no more than reading.
got=$(intruding "$(sed '/^read/d' <<<"$tries")" "$weir" transcode "concat:lists/part.ts" out/j.mov)
[ "$got" = "$(sed '/^read/d' <<<"$wanted")" ] || fail "without rules the intruder got $got"

"$weir" transcode lists/list.m3u8 out/i.mov --quiet
expect_movie out/i.mov 64 48 5
echo passed
