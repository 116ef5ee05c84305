#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Another user of the machine plants links, files, pipes and folders in /tmp where this one is about to write: nothing of
# this user's is written through them, nothing of the other's is used, and the reason is said. Run as root, which acts as
# two users in a /tmp of its own. bash other_users.sh WEIR FOLDER FAKE [SAMPLE]
if [ -z "${WEIR_OWN_TMP:-}" ]; then
    for tool in unshare setpriv mount; do
        command -v $tool >/dev/null || { printf 'skipped: no %s here\n' $tool && exit 77; }
    done
    [[ $1$2 != /tmp/* ]] || { printf 'skipped: built in /tmp, which this test hides\n' && exit 77; }
    unshare -m mount -t tmpfs -o mode=1777 none /tmp 2>/dev/null ||
        { printf 'skipped: only root may mount, and act as another user\n' && exit 77; }
    WEIR_OWN_TMP=1 exec unshare -m bash "$0" "$@"
fi
mount -t tmpfs -o mode=1777 none /tmp
source "$(dirname "$0")/cli_common.sh"
fake=$3 sample=${4:-}
other() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
make p.png testsrc2=s=16x16:r=1:d=1 -frames:v 1
make clip.mp4 testsrc2=s=64x48:r=25:d=0.2 -c:v libx264 -pix_fmt yuv420p
"$weir" transcode clip.mp4 whole.mov --quiet

# refused OUTPUT COMMAND...: it has status 1 and says why; what the other put at the output is as it was, and the files of
# this user, to which it may lead, are too.
refused() {
    local output=$1
    shift
    local changed=$(stat -c %y /tmp/home)
    expect_status 1 "another user" "${me[@]}" "$@"
    [ "$(stat -c %y /tmp/home)" = "$changed" ] || fail "$*: something was made in /tmp/home"
    [ -z "$output" ] || [ "$(stat -c '%u %F' "$output")" = "65534 $planted" ] || fail "$*: $output is $(ls -l "$output")"
    [ "$(cat /tmp/home/diary /tmp/home/diary.json)" = "$(printf 'mine\nmine')" ] || fail "$*: the diary was written"
    [ "$(ls -A --ignore=.cache /tmp/home)" = "$(printf 'diary\ndiary.json')" ] || fail "$*: made $(ls -A /tmp/home)"
}

# plant WHAT FILE: by the other user.
plant() {
    case $1 in
    link) planted="symbolic link" && other ln -s /tmp/home/diary "$2" ;;
    file) planted="regular file" && other sh -c "echo theirs >'$2' && chmod 666 '$2'" ;;
    pipe) planted=fifo && other mkfifo -m 666 "$2" ;;
    esac
}

attack_outputs() {
    local what output outputs=(out.mov out.dds out.png levels.json p_level00.png p_levels.png .weir-p_level00.png)
    for what in $kinds; do
        for output in "${outputs[@]}"; do
            plant $what /tmp/$output
            case $output in
            *.mov) refused /tmp/$output "$weir" transcode p.png /tmp/$output ;;
            *.dds) refused /tmp/$output "$weir" texture p.png /tmp/$output --codec bc4 --effort fast ;;
            out.png) refused /tmp/$output "$weir" palette p.png /tmp/$output ;;
            *) refused /tmp/$output "$weir" mips p.png /tmp --method per_level --json /tmp/levels.json ;;
            esac
            rm /tmp/$output
        done
        [ "$(ls -A /tmp)" = home ] || fail "/tmp has $(ls -A /tmp)"
        outputs=(out.mov levels.json)
    done
    # A folder in the place of a movie, in which there is a link.
    other mkdir -m 777 /tmp/out.mov
    other ln -s /tmp/home/diary /tmp/out.mov/clip.mov
    refused "" "$weir" transcode clip.mp4 /tmp/out.mov
    # A pipe in the place of a movie that may be complete.
    other rm /tmp/out.mov/clip.mov
    other mkfifo -m 666 /tmp/out.mov/clip.mov
    expect_status 1 "clip.mov" timeout 200 "${me[@]}" "$weir" transcode --resume clip.mp4 /tmp/out.mov/
    rm -r /tmp/out.mov
    # A folder that leads to one of this user's, and one in which levels are made.
    other ln -s /tmp/home /tmp/movies
    refused "" "$weir" transcode p.png /tmp/movies/out.mov
    refused "" "$weir" palette p.png /tmp/movies/
    refused "" "$weir" mips p.png /tmp/movies/ --method per_level
    # Folders that are made before there is a file.
    refused "" "$weir" palette p.png /tmp/movies/new/
    refused "" "$weir" mips p.png /tmp/movies/new --method per_level
    refused "" "$weir" recover cut.mov /tmp/movies/new/
    rm /tmp/movies
    # A link to a movie of this user's, which is to be recovered in its place.
    other ln -s "$folder/cut.mov" /tmp/cut.mov
    refused "" "$weir" recover --in-place /tmp/cut.mov
    cmp cut.mov cut.kept || fail "a movie was changed through a link"
    rm /tmp/cut.mov
}

# What the library makes: movies, segments, sidecars.
attack_sample() {
    local what output outputs=(take.mov take.002.mov take.mov.json) film=("$sample" --headless --size 64x48 --frames 6 --fps 10 --output /tmp/take.mov)
    for what in $kinds; do
        for output in "${outputs[@]}"; do
            plant $what /tmp/$output
            case $output in
            take.mov) refused /tmp/$output "${film[@]}" ;;
            take.002.mov) refused /tmp/$output "${film[@]}" --segment 0.3 ;;
            *) refused /tmp/$output "${film[@]}" --sidecar ;;
            esac
            rm -f /tmp/take.*
        done
    done
}

# What is of this user, or of the folder's owner, is written as it is elsewhere.
keep_own() {
    echo older >/tmp/home/own.mov
    chmod 640 /tmp/home/own.mov
    chown $user:$user /tmp/home/own.mov
    "${me[@]}" ln -s /tmp/home/own.mov /tmp/own.mov
    "${me[@]}" "$weir" transcode p.png /tmp/own.mov --quiet
    [ -L /tmp/own.mov ] && [ "$(stat -c '%u %a' /tmp/home/own.mov)" = "$user 640" ] || fail "$(ls -l /tmp/own.mov /tmp/home)"
    expect_decodes /tmp/home/own.mov
    rm /tmp/home/own.mov /tmp/own.mov
    ln -s /tmp/home/own.mov /tmp/own.mov
    touch /tmp/home/own.mov
    chown $user /tmp/home/own.mov
    "${me[@]}" "$weir" transcode p.png /tmp/own.mov --quiet
    expect_decodes /tmp/home/own.mov
    rm /tmp/home/own.mov /tmp/own.mov
}

# Without a folder of its own by XDG_RUNTIME_DIR the recorder makes one in /tmp. The other user has made all whose names can
# be known, and one with a socket in it that is the newest.
attack_recorder() {
    local first=$BASHPID
    mkdir -p prefix/bin prefix/share/vulkan/explicit_layer.d
    cp "$program" prefix/bin/weir
    echo '{}' >prefix/share/vulkan/explicit_layer.d/VkLayer_WEIR_capture.json
    other mkdir -m 777 $(seq -f /tmp/weir-record-%.0f "$first" $((first + 3000))) /tmp/weir-record-1-abcdef /tmp/theirs
    other chmod 700 /tmp/theirs
    judge >server.txt 2>&1 <<'PROGRAM' &
import os, socket, time
os.setgid(65534)
os.setuid(65534)
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
listener.bind("/tmp/weir-record-1-abcdef/control")
listener.listen()
time.sleep(1000)
PROGRAM
    local server=$!
    until_true test -S /tmp/weir-record-1-abcdef/control -o -s server.txt
    local run
    for run in "" /tmp/theirs; do
        "${me[@]}" XDG_RUNTIME_DIR=$run prefix/bin/weir record --codec hap --effort fast --policy wait --output /tmp/home/game.mov \
            -- "$fake" --frames 6000 >stdout.txt 2>stderr.txt &
        app=$!
        until_true test -s /tmp/home/game.001.mov
        other touch /tmp/weir-record-1-abcdef
        "${me[@]}" XDG_RUNTIME_DIR=$run timeout 200 prefix/bin/weir record --ctl status >status.txt 2>stderr.txt || fail "$(cat stderr.txt)"
        grep -q "recording" status.txt || fail "--ctl says $(cat status.txt)"
        "${me[@]}" XDG_RUNTIME_DIR=$run prefix/bin/weir record --ctl stop >status.txt
        kill -TERM $app
        wait $app || true
        app=
        expect_decodes /tmp/home/game.mov
        rm /tmp/home/game*
        [ -z "$(ls /tmp/theirs)" ] || fail "a folder of another user has the sockets"
    done
    kill $server
    [ "$(find /tmp -maxdepth 1 -name 'weir-record-*' -user $user)" = "" ] || fail "the recorder leaves its folder"
    rm -r /tmp/weir-record-* /tmp/theirs prefix
}

# The user who is attacked is root at first, and then one without rights.
kinds="link file pipe"
for user in 0 1234; do
    if ! setpriv --reuid=$user --regid=$user --clear-groups test -x "$program" -a -r p.png; then
        printf 'not tried: user %s may not enter the folder of this test\n' $user
        continue
    fi
    me=(setpriv --reuid=$user --regid=$user --clear-groups env HOME=/tmp/home)
    mkdir -m 755 /tmp/home
    chown $user /tmp/home
    "${me[@]}" sh -c 'mkdir /tmp/home/.cache; echo mine >/tmp/home/diary; echo mine >/tmp/home/diary.json'
    head -c $(($(stat -c %s whole.mov) - 9)) whole.mov >cut.mov
    chown $user cut.mov
    cp cut.mov cut.kept
    attack_outputs
    [ -z "$sample" ] || [ $user != 0 ] || attack_sample
    keep_own
    attack_recorder
    rm -r /tmp/home
    kinds=link
done
echo passed
