# SPDX-License-Identifier: MIT
# What the sweep of faults holds a run against. Sourced by sweep.sh; a worker judges in its folder. It starts no process
# where the shell can do it: thousands of runs are judged.
shopt -s globstar nullglob dotglob

# list_files FOLDER: sets `files` to those below it.
list_files() {
    local file
    files=()
    for file in "$1"/**; do
        [ ! -f "$file" ] || files+=("${file#"$1"/}")
    done
}

# read_run: what the run said, and of log.txt whether the fault was reached, the first name of what failed, the names of the
# files, and the object in which a process crashed.
read_run() {
    local verb kind rest
    reached= name= object= names=()
    mapfile -t output <out.txt
    mapfile -t errors <err.txt
    while read -r verb kind rest; do
        case $verb in
        failed)
            [ -n "$reached" ] || name=$rest
            reached=1
            while [[ $rest == */ ]]; do rest=${rest%/}; done
            [ -z "$rest" ] || names+=("${rest##*/}")
            ;;
        crash) object=${object:-$rest} ;;
        esac
    done <log.txt
    list_files out
    left=("${files[@]}")
}

# count_frames FILE: sets `frames` to what judge.c counts; "none" if it does not decode.
count_frames() {
    ask judge "$1"
    frames=${answer%% *}
}

# Same frames, or the same bytes.
is_right() {
    local right
    cmp -s "out/$2" "../right/$1/$2" && return 0
    case $2 in
    *.mov)
        ask judge "../right/$1/$2"
        right=$answer
        ask judge "out/$2"
        [ "$answer" = "$right" ] && [ "$answer" != none ]
        ;;
    facts.json | */facts.json) python3 -m json.tool "out/$2" >/dev/null ;; # times differ
    *) return 1 ;;
    esac
}

# find_said_frames: sets `said` to how many the program says to have written, if it says so. A window whose swapchain is
# made anew has a movie and a line more.
find_said_frames() {
    local line
    said=
    for line in "${output[@]}" "${errors[@]}"; do
        if [[ $line =~ ^frames\ .*written\ ([0-9]+) ]]; then
            said=$((${said:-0} + BASH_REMATCH[1]))
        elif [[ $line =~ holds\ ([0-9]+)\ frames?,\ and\ plays && -z $said ]]; then
            said=${BASH_REMATCH[1]}
        fi
    done
}

# judge_movies: all that are there decode, with as many frames in all as are said to be written. Sets `total`.
judge_movies() {
    local file said
    total=0
    for file in "${left[@]}"; do
        [[ $file == *.mov ]] || continue
        count_frames "out/$file"
        [ "$frames" != none ] || { echo "$file does not decode"; continue; }
        total=$((total + frames))
    done
    find_said_frames
    [ -z "$said" ] || [ "$said" = "$total" ] || echo "$said frames are said to be written, $total are there"
}

judge_success() {
    local program=$1 fault=$2 file total files frames
    if [ "$program" = window ]; then # a new swapchain begins another segment
        judge_movies
        count_frames ../right/window/movie.mov
        [ "$total" = "$frames" ] || echo "status 0 and $total frames"
        return
    fi
    list_files "../right/$program"
    for file in "${files[@]}"; do
        if [ ! -e "out/$file" ]; then
            echo "status 0 without $file"
        elif ! is_right "$program" "$file"; then
            case $fault:$file in
            malloc_lib:*.mov)
                count_frames "out/$file"
                [ "$frames" != none ] || echo "$file does not decode"
                ;;
            *) echo "status 0 and another $file" ;;
            esac
        fi
    done
}

# says WORD...: one of these words is in the messages.
says() {
    local word text="${errors[*]} ${output[*]}"
    text=${text,,}
    for word in "$@"; do
        [[ $text != *"${word,,}"* ]] || return 0
    done
    return 1
}

# judge_words: of messages for the program's users.
judge_words() {
    local program=$1 line
    local -A seen
    for line in "${errors[@]}"; do
        [ -n "$line" ] || continue
        [ -z "${seen[$line]:-}" ] || echo "says twice: $line"
        seen[$line]=1
    done
    case ${commands[$program]} in "weir "*) # the samples are programs of people who know the API
        [[ ! " ${errors[*]}" =~ [^a-zA-Z0-9_](weir_[a-z]|WEIR_[A-Z]) ]] || echo "speaks of the API" ;;
    esac
}

# judge_cause FAULT: the message says what failed.
judge_cause() {
    local words=() word
    for word in ${commands[$1]}; do
        [[ ! $word =~ [a-z]+\.[a-z0-9]+ ]] || words+=("${BASH_REMATCH[0]}")
        [ "$word" != folder ] || words+=("cannot write folder")
    done
    case $2 in
    malloc* | mmap*) says memory allocate || echo "no word of memory" ;;
    pthread*) says thread || echo "no word of threads" ;;
    process*) says process || echo "no word of a process" ;;
    submit* | wait* | acquire* | present* | create* | allocate* | map* | record*)
        says "$name" memory "device was lost" "surface was lost" || echo "no word of $name" ;;
    *) says "${names[@]}" "${words[@]}" f_0 in_ || echo "no word of $name" ;;
    esac
}

judge_error() {
    local program=$1 file total
    if [ ${#errors[@]} = 0 ]; then
        echo "status $status without a message"
        return
    fi
    judge_words "$program"
    judge_movies
    for file in "${left[@]}"; do
        [[ $file == *.mov ]] || is_right "$program" "$file" || echo "status $status and half of $file"
    done
    judge_cause "$@"
}

# judge_recording PROGRAM FAULT: the program that was recorded has ended with its own status, and what is there of its movie
# plays. What is missing is explained.
judge_recording() {
    local program=$1 own=none file frames total wanted
    [ ! -e out/status.txt ] || own=$(<out/status.txt)
    case $program:$fault:$own in
    *:0 | record:*:none) ;; # which has not started it
    recorded:*DEVICE_LOST:1) ;;
    recorded:malloc:*:1) says "VkResult -1" || echo "the program ended with 1" ;; # of an instance, or a device
    *) echo "the program ended with $own" ;;
    esac
    judge_movies
    wanted=$total
    count_frames ../right/$program/movie.mov
    for file in "${left[@]}"; do
        case $file in
        status.txt | movie.mov) ;;
        *) says "${file##*/}" || echo "left $file behind" ;;
        esac
    done
    [[ $fault != *:EINTR || $fault =~ ^(open|ftruncate): ]] || [ "$status:$wanted:${#errors[@]}" = "0:$frames:0" ] || echo "a signal has done harm"
    [ "$wanted" -le "$frames" ] || echo "$wanted frames"
    [ ${#errors[@]} -gt 0 ] || [ "$status:$wanted" = "0:$frames" ] || echo "status $status and $wanted frames without a message"
    # The recorder knows of its own failures only.
    [ "$status" != 0 ] || [ "$wanted" -ge "$([ $program = recorded ] && echo 1 || echo "$frames")" ] ||
        echo "status 0 and $wanted frames"
    judge_words "$program"
    for file in "$XDG_RUNTIME_DIR"/*; do
        echo "left $file behind"
        rm -r "$file"
    done
}

# judge PROGRAM FAULT: prints what is wrong, if anything is, of the run that read_run read.
judge() {
    local program=$1 fault=$2 file
    [ "$status" != 137 ] || { echo "did not end"; return; }
    case $fault:$object in # of a child process too
    *:) [ "$status" -le 128 ] || echo "ended by a signal, status $status" ;;
    malloc_lib:*:libav* | malloc_lib:*:libsw* | malloc_lib:*:libpng* | malloc_lib:*:libtiff*)
        library_crashes=$((library_crashes + 1)) ;;
    *) echo "crashed in $object, status $status" ;;
    esac
    [ "$status" -le 128 ] || return 0
    case $program in record | recorded)
        judge_recording "$@"
        return
        ;;
    esac
    for file in "${left[@]}"; do
        case $program:$file in window:movie-*.mov) continue ;; esac # a segment after a new swapchain
        [ -e "../right/$program/$file" ] || echo "left $file behind"
    done
    if [ "$status" = 0 ]; then
        judge_success "$@"
    else
        judge_error "$@"
    fi
}
