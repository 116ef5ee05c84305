#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/farm.md on Slurm and GNU parallel: two nodes on this machine, eight parts, of which one is killed and two are lost with their node, are
# byte for byte the movie of one run. Daemons listen on this machine's loopback alone and end with the test.
page=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../docs/farm.md
source "$(dirname "$0")/cli_common.sh"
for tool in slurmctld slurmd sbatch; do
    command -v $tool >/dev/null || PATH=$PATH:/usr/sbin
    command -v $tool >/dev/null || skip "no $tool here: apt install slurm-wlm"
done
[ "$(id -u)" = 0 ] || skip "slurmd needs root"
PATH=$(dirname "$program"):$PATH

# Three ports, and others than a test beside this one has.
port=$((20000 + $$ % 3000 * 3))
cat >slurm.conf <<TEXT
ClusterName=farm
SlurmctldHost=localhost
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
SlurmdParameters=config_overrides
SlurmdTimeout=15
SchedulerParameters=bf_interval=2,sched_interval=2
MailProg=/bin/true
StateSaveLocation=$PWD
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdSpoolDir=$PWD/%n
SlurmdPidFile=$PWD/%n.pid
SlurmdLogFile=$PWD/%n.log
NodeName=one NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) Port=$((port + 1)) CPUs=4 Gres=gpu:4
NodeName=two NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) Port=$((port + 2)) CPUs=4 Gres=gpu:4
PartitionName=all Nodes=ALL Default=YES
TEXT
export SLURM_CONF=$PWD/slurm.conf
echo 'Name=gpu File=/dev/tty[0-3]' >gres.conf # four devices of some kind
# The queue is empty, and that is known: a busy controller may not answer.
nothing_runs() {
    local queue
    queue=$(squeue -h) && [ -z "$queue" ]
}
daemons=()
finish() {
    local status=$? pid
    [ $status = 0 ] || [ $status = 77 ] || tail -n 5 -v slurm*.out slurmctld.log >&2
    kill -9 "${daemons[@]}" 2>/dev/null || true
    for pid in $(cat ./*.*.pid 2>/dev/null); do # tasks note themselves and what started them
        ! grep -aq slurm "/proc/$pid/cmdline" 2>/dev/null || kill -9 "$pid"
    done
    wait 2>/dev/null
}
trap finish EXIT
slurmctld -D >/dev/null 2>&1 &
daemons+=($!)
for node in one two; do
    slurmd -D -N $node >/dev/null 2>&1 &
    daemons+=($!)
done
lost=$!
until [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]; do
    for daemon in "${daemons[@]}"; do
        kill -0 "$daemon" 2>/dev/null || skip "Slurm does not start here: $(tail -qn 1 ./*.log)"
    done
    sleep 0.1
done

make clip.mov testsrc2=s=320x240:r=25:d=4 -f lavfi -i "aevalsrc='random(0)|sin(t*900)':s=48000:d=4" -c:v ffv1 -c:a pcm_s24le
"$weir" transcode clip.mov one.mov --quiet

# The program of the page, which on the first run waits with a part begun until it is told to go on.
awk '/^```/ { on = 0 } on { print >n ".sbatch" } /^```bash$/ { on = 1; n++ }' "$page"
cat >hold.sh <<'TEXT'
echo $$ $PPID >"$SLURM_ARRAY_TASK_ID.$SLURMD_NODENAME.pid"
if [ -z "${SLURM_RESTART_COUNT:-}" ] && [ "$SLURM_ARRAY_TASK_ID" -le 4 ]; then
    head -c 5000 one.mov >part.$SLURM_ARRAY_TASK_ID.mov
    until [ -e go ]; do sleep 0.1; done
fi
TEXT
sed '/^k=/i . ./hold.sh' 1.sbatch >farm.sbatch
# with_join OPTION...: the two lines of the page.
with_join() {
    parts=$(sbatch --parsable "$@" farm.sbatch)
    sbatch --dependency=afterany:$parts --wrap 'echo $$ $PPID >join.one.pid; weir join part.*.mov whole.mov' >/dev/null
}
with_join --cpus-per-task=2
until_true eval '[ "$(ls | grep -c "^[1-4]\.[a-z]*\.pid$")" = 4 ]'

# A task is killed and starts again; a node is lost with all that runs there, and Slurm starts that elsewhere.
of_one=$(ls | sed -n 's/^\([1-4]\)\.one\.pid$/\1/p' | head -n 1)
scontrol requeue ${parts}_$of_one
kill -9 $lost $(awk '{ print $2, $1 }' ./[1-4].two.pid) # first what would report the end of a task
touch go
until_true nothing_runs
restarted=$(scontrol show job $parts | grep -c 'Restarts=[1-9]')
[ "$restarted" = 3 ] || fail "$restarted tasks were started again, and not one that was killed and two that were lost"
cmp whole.mov one.mov || fail "eight parts of two nodes are another movie than that of one run"
printf 'eight parts of two nodes: %s bytes as of one run\n' "$(stat -c %s whole.mov)"

# A task fails, and the join names its part; both are made again.
rm part.*.mov whole.mov
sed '/^k=/a [ $k != 3 ] || [ -e again ] || exit 1' 1.sbatch >farm.sbatch
with_join --cpus-per-task=2
until_true nothing_runs
[ ! -e whole.mov ] && grep -q 'part 3 of 8 is missing' slurm-*.out || fail "a part is missing, and the join does not say so"
touch again
with_join --array=3
until_true nothing_runs
cmp whole.mov one.mov || fail "a part that was made again gives another movie"

# Four devices, by Slurm and by GNU parallel.
for k in 0 1 2 3; do cp "$(compgen -G '/usr/share/vulkan/icd.d/lvp_icd*.json' | head -n 1)" $k.json; done
export VK_ICD_FILENAMES=$PWD/0.json:$PWD/1.json:$PWD/2.json:$PWD/3.json
rm part.*.mov
sed -i 's/^    weir/    echo "$SLURM_LOCALID" >>devices; weir/' 2.sbatch
sbatch 2.sbatch >/dev/null
until_true nothing_runs
[ "$(sort devices | uniq -c | tr -d ' \n')" = 20212223 ] || fail "devices of eight parts: $(cat devices)"
check_parts() {
    rm whole.mov
    "$weir" join part.*.mov whole.mov --quiet
    cmp whole.mov one.mov || fail "parts made by $1 are another movie"
    rm part.*.mov
}
check_parts "four tasks a node"
command -v parallel >/dev/null || skip "Slurm passed, and no parallel here: apt install parallel"
cat >ssh <<'TEXT'
#!/bin/sh
# Two machines that are this one. As sshd does, it begins in the home folder, from where parallel knows paths below that, and
# sets the shell, without which parallel runs nothing there.
until [ "$1" = one ] || [ "$1" = two ]; do shift; done
shift
cd
export SHELL=/bin/sh
[ "$1" != -- ] || shift
exec sh -c "$*"
TEXT
chmod +x ssh
export PARALLEL_SSH=$PWD/ssh PARALLEL_HOME=$PWD/parallel
grep '^parallel ' "$page" >lines
while read -r line; do
    eval "$line" </dev/null
    check_parts "$line"
done <lines
echo "eight parts by four tasks a node, and by parallel on two machines and four devices: the same bytes"
