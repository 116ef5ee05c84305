#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An input opens itself alone: a list of other files is read under a name that says so, and what it names may be no
# network's, nor a file if the list comes from a network. bash cli_lists.sh WEIR FOLDER
source "$(dirname "$0")/cli_common.sh"
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
hold weir

make secret.mov testsrc2=s=64x48:r=25:d=0.4 -c:v mjpeg
make secret.ts testsrc2=s=64x48:r=25:d=0.4 -c:v mpeg2video
printf 'ffconcat version 1.0\nfile secret.mov\n' >list.ffconcat
printf '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:0.4,\nsecret.ts\n#EXT-X-ENDLIST\n' >list.m3u8
printf '%s\n' v=0 'o=- 0 0 IN IP4 127.0.0.1' s=x 'c=IN IP4 127.0.0.1' 't=0 0' 'm=video 5004 RTP/AVP 96' \
    'a=rtpmap:96 H264/90000' >list.sdp

# By their content lists are nothing, whatever the command and the name.
mkdir pictures
for list in list.ffconcat list.m3u8; do
    for name in clip.mov photo.png clip.avi.txt pictures/shot_1.png; do
        cp $list $name
    done
    cp clip.mov clip
    for words in "transcode clip.mov out.mov" "transcode photo.png out.mov" "transcode - out.mov" "transcode clip out.mov" \
        "transcode clip.avi.txt out.mov" "transcode file:clip.mov out.mov" "transcode $PWD/photo.png out.mov" \
        "palette photo.png out.png" "palette clip.mov out.mov" "texture photo.png out.ktx2" "mips photo.png out/"; do
        # shellcheck disable=SC2086
        expect_status 1 "it is a list of other files or addresses" "$weir" $words <clip.mov
        expect_no out.mov out.png out.ktx2 out
    done
    expect_status 1 "shot_1.png: it is a list of other files" "$weir" transcode pictures/ out.mov
    expect_no out.mov
done

# Under their names the user wants them.
cp list.m3u8 loud.M3U8
for list in list.ffconcat list.m3u8 loud.M3U8 file:list.m3u8 "$PWD/list.ffconcat"; do
    "$weir" transcode "$list" out.mov --quiet
    expect_movie out.mov 64 48 10
done
for name in list.sdp clip.mov; do
    [ $name = list.sdp ] || cp list.sdp $name
    expect_status 1 "$name: it is a list of other files" "$weir" transcode $name new.mov
done
expect_no new.mov

# A server that notes what it was asked for.
cat >server.py <<'LINES'
import http.server
class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, form, *values):
        print(form % values, flush=True)
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
LINES
if command -v python3 >/dev/null; then
    python3 server.py >asked.txt 2>/dev/null &
    until_true test -s asked.txt
    host=http://127.0.0.1:$(head -n 1 asked.txt)
    sed "s|^secret|$host/secret|" list.m3u8 >far.m3u8
    expect_status 1 "far.m3u8: " "$weir" transcode far.m3u8 out.mov
    printf 'ffconcat version 1.0\nfile %s/secret.ts\n' "$host" >far.ffconcat
    expect_status 1 "far.ffconcat: " "$weir" transcode far.ffconcat out.mov
    [ "$(wc -l <asked.txt)" = 1 ] || fail "a local list reached a network: $(cat asked.txt)"
    for name in secret.mov list.m3u8 'list.m3u8?token=1'; do
        rm -f out.mov
        "$weir" transcode "$host/$name" out.mov --quiet
        expect_movie out.mov 64 48 10
    done
    cp list.m3u8 plain
    expect_status 1 "it is a list of other files" "$weir" transcode "$host/plain" new.mov
    sed "s|^secret|file://$PWD/secret|" list.m3u8 >near.m3u8
    expect_status 1 "near.m3u8: " "$weir" transcode "$host/near.m3u8" new.mov
    expect_no new.mov
    kill $!
fi

# A movie whose frames are in another file, by the alias of QuickTime's data reference.
if command -v python3 >/dev/null; then
    python3 - <<'LINES'
import struct
movie = bytearray(open("secret.mov", "rb").read())
path = b"secret.mov"
body = bytearray(150) + struct.pack(">hH", 2, len(path)) + path + struct.pack(">hH", -1, 0)
alias = struct.pack(">I4sI", 12 + len(body), b"alis", 0) + body
at = movie.rfind(b"dref") + 12
old = struct.unpack_from(">I", movie, at)[0]
for name in b"moov", b"trak", b"mdia", b"minf", b"dinf", b"dref":
    place = movie.rfind(name) - 4
    struct.pack_into(">I", movie, place, struct.unpack_from(">I", movie, place)[0] + len(alias) - old)
movie[at:at + old] = alias
first = movie.find(b"mdat") + 4
movie[first:movie.find(b"moov") - 4] = bytes(movie.find(b"moov") - 4 - first)
open("refers.mov", "wb").write(movie)
LINES
    [ "$(ffmpeg -v error -enable_drefs 1 -use_absolute_path 1 -i refers.mov -f framemd5 - | grep -vc '^#')" = 10 ] ||
        fail "refers.mov is none of a movie's frames"
    expect_status 1 "refers.mov: not one picture in it can be decoded" "$weir" transcode refers.mov new.mov
    expect_no new.mov
fi
echo passed
