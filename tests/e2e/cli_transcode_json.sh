#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# weir transcode --json: one document on standard output, which says of each movie what ffprobe says.
source "$(dirname "$0")/cli_common.sh"
source "$(dirname "$0")/crash.sh"
hold weir ffmpeg
command -v python3 >/dev/null || skip "no python3 here, which reads JSON"

make clip.mkv "testsrc2=s=202x110:r=10:d=1[out0];sine=d=1[out1];anoisesrc=r=48000:d=1,aformat=channel_layouts=stereo[out2]" \
    -map 0 -c:v ffv1 -c:a pcm_s16le -metadata:s:a:1 language=deu
make small.mkv testsrc2=s=40x30:r=25:d=0.4 -c:v ffv1
make deep.mkv testsrc2=s=64x48:r=25:d=0.2,format=yuv420p10le -c:v ffv1 -color_range pc -colorspace bt709

# A movie: what the document says is what the file holds. Nothing else is on standard output, and messages are where
# they are without it.
"$weir" transcode clip.mkv out.mov --scale 75% --fps 15 --timecode 01:00:00:00 --json >report.json 2>messages.txt
grep -q "^out.mov: 15 frames, 151x82" messages.txt || fail "no summary: $(cat messages.txt)"
expect_json report.json
ffprobe -v error -of json -show_streams -show_format -count_frames out.mov >probe.json
judge <<'PROGRAM' || fail "the report is not right: $(cat report.json)"
import json, os
report, probe = json.load(open("report.json")), json.load(open("probe.json"))
video, *audio = [s for s in probe["streams"] if s["codec_type"] != "data"]
assert report["inputs"] == ["clip.mkv"] and report["state"] == "made" and report["path"] == "out.mov"
assert (report["input_width"], report["input_height"]) == (202, 110)
assert report["codec"] == "hap_q" and video["codec_tag_string"] == "HapY" and report["closed"] is True
assert (report["width"], report["height"]) == (video["width"], video["height"]) == (151, 82)
assert report["frames"] == int(video["nb_read_frames"]) == 15
assert abs(report["seconds"] - float(video["duration"])) < 1e-3
assert report["bytes"] == os.path.getsize("out.mov")
assert report["rate"] == 15 and report["timecode"] == "01:00:00:00"
# Ten frames at fifteen a second: five come twice, and none is passed over.
assert (report["dropped"], report["repeated"], report["left_out"], report["damaged_parts"]) == (0, 5, 0, 0)
tracks = report["audio_tracks"]
assert len(tracks) == len(audio) == 2 and tracks[1]["language"] == "deu" and tracks[0]["language"] is None
for ours, theirs in zip(tracks, audio):
    assert ours["bits"] == 16 and not ours["float"] and ours["sample_rate"] == int(theirs["sample_rate"])
    assert ours["channels"] == theirs["channels"] and ours["samples"] == int(theirs["duration_ts"])
assert report["color"].startswith("yuv420p, ") and len(report["warnings"]) == 1
assert "151x82 is not a multiple of 4" in report["warnings"][0]
assert report["errors"] == [] and report["messages_left_out"] == 0 and report["elapsed"] > 0
PROGRAM

# Half of the frames are passed over, and the colours are those of the file.
"$weir" transcode clip.mkv out.mov --fps 5 --no-audio --json --quiet >report.json 2>messages.txt
"$weir" transcode deep.mkv deep.mov --json --quiet >deep.json
judge <<'PROGRAM' || fail "the reports are not right: $(cat report.json deep.json)"
import json
report, deep = json.load(open("report.json")), json.load(open("deep.json"))
assert (report["frames"], report["repeated"], report["left_out"]) == (5, 0, 5) and report["audio_tracks"] == []
assert report["timecode"] is None
assert "yuv420p10" in deep["color"] and "full range" in deep["color"] and deep["warnings"] == []
PROGRAM

# A folder: an array, with those that fail and those that are kept, in their order. Names may hold anything.
cp small.mkv $'odd "name"\n\xff.mkv'
head -c 3000 clip.mkv >cut.mkv
all=(clip.mkv missing.mkv cut.mkv small.mkv $'odd "name"\n\xff.mkv')
status=0
"$weir" transcode "${all[@]}" movies/ --scale x60 --json >report.json 2>messages.txt || status=$?
[ $status = 1 ] || fail "status $status: $(cat messages.txt)"
expect_json report.json
judge <<'PROGRAM' || fail "the report on a folder is not right: $(cat report.json)"
import json
clip, missing, cut, small, odd = json.load(open("report.json"))
assert clip["state"] == "made" and clip["path"] == "movies/clip.mov" and clip["height"] == 60
assert len(clip["warnings"]) == 1 and clip["errors"] == []
for report in (missing, cut, small, odd):
    assert report["state"] == "failed" and len(report["errors"]) >= 1 and "frames" not in report
assert "missing.mkv" in missing["errors"][0] and "color" not in missing
assert "80x60 is larger than the 40x30" in small["errors"][0] and "color" in small
assert odd["inputs"] == ['odd "name"\n\ufffd.mkv']
PROGRAM
"$weir" transcode clip.mkv small.mkv movies/ --scale x60 --resume --json >report.json 2>messages.txt && fail "small.mkv was made"
judge <<'PROGRAM' || fail "the report on what is kept is not right: $(cat report.json)"
import json
clip, small = json.load(open("report.json"))
assert clip["state"] == "kept" and clip["frames"] == 10 and len(clip["audio_tracks"]) == 2
assert clip["warnings"] == [] and "elapsed" not in clip and small["state"] == "failed"
PROGRAM

# An older file under that name is no news.
cp clip.mkv older.mov
status=0
"$weir" transcode missing.mkv older.mov --json >report.json 2>messages.txt || status=$?
[ $status = 1 ] && grep -q '"state": "failed"' report.json && ! grep -q '"bytes"' report.json ||
    fail "an older file is told as made: $(cat report.json)"
# A disk that fills: what is there is told, and why it ended.
status=0
make long.mkv testsrc2=s=320x240:r=25:d=4 -c:v ffv1
limited 2000 "$program" transcode long.mkv full.mov --json --quiet >report.json 2>messages.txt || status=$?
[ $status = 1 ] || fail "status $status on a full disk: $(cat messages.txt)"
judge <<'PROGRAM' || fail "the report on a full disk is not right: $(cat report.json)"
import json
report = json.load(open("report.json"))
assert report["state"] == "incomplete" and report["path"] == "full.mov" and len(report["errors"]) >= 1
assert 0 < report["frames"] < 100 and report["bytes"] <= 2000 * 1024
PROGRAM
# FFmpeg's libraries crash: the frames before that are there, in a movie that is closed; the next movie is made.
status=0
crashing SEGV 60 long.mkv "$weir" transcode long.mkv small.mkv crashed/ --json >report.json 2>messages.txt || status=$?
[ $status = 1 ] || fail "status $status after a crash: $(cat messages.txt)"
judge <<'PROGRAM' || fail "the report on a crash is not right: $(cat report.json)"
import json
long, small = json.load(open("report.json"))
assert long["state"] == "incomplete" and long["closed"] is True and long["bytes"] > 1000
assert any("crashed" in text for text in long["errors"])
assert small["state"] == "made" and small["errors"] == []
PROGRAM
# Wrong command lines print no document.
expect_status 2 "leave out one of them" "$weir" transcode clip.mkv x.mov --json --scale 50% --size 4x4
[ ! -s stdout.txt ] || fail "a wrong command line prints $(cat stdout.txt)"
expect_status 1 "cannot write to standard output" sh -c '"$0" transcode small.mkv x.mov --json --quiet >/dev/full' "$weir"
echo passed
