#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# docs/farm.md on Slurm: two nodes on this machine, eight parts, of which one is killed and two are lost with their node, are
# byte for byte the movie of one run. Daemons listen on this machine's loopback alone and end with the test.
page=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../docs/farm.md
source "$(dirname "$0")/cli_common.sh"
for tool in slurmctld slurmd sbatch; do
    command -v $tool >/dev/null || PATH=$PATH:/usr/sbin
    command -v $tool >/dev/null || skip "no $tool here: apt install slurm-wlm"
done
[ "$(id -u)" = 0 ] || skip "slurmd needs root"
PATH=$(dirname "$program"):$PATH

# Two ports of the range of a program's own, and the two above each.
port=$((20000 + $$ % 9000))
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
SlurmdParameters=config_overrides
SlurmdTimeout=5
SchedulerParameters=bf_interval=2,sched_interval=2
MessageTimeout=3
MailProg=/bin/true
StateSaveLocation=$PWD
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdSpoolDir=$PWD/%n
SlurmdPidFile=$PWD/%n.pid
SlurmdLogFile=$PWD/%n.log
NodeName=one NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) Port=$((port + 1)) CPUs=2
NodeName=two NodeAddr=127.0.0.1 NodeHostname=$(hostname -s) Port=$((port + 2)) CPUs=2
PartitionName=all Nodes=ALL Default=YES
TEXT
export SLURM_CONF=$PWD/slurm.conf
daemons=()
finish() {
    local pid
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
until_true eval '[ "$(sinfo -h -o %T)" = idle ]'

make clip.mov testsrc2=s=320x240:r=25:d=4 -f lavfi -i "aevalsrc='random(0)|sin(t*900)':s=48000:d=4" -c:v ffv1 -c:a pcm_s24le
"$weir" transcode clip.mov one.mov --quiet

# The program of the page, which on the first run waits with a part begun until it is told to go on.
awk '/^```bash$/ && !n++ { on = 1; next } /^```$/ { on = 0 } on' "$page" >farm.sbatch
cat >hold.sh <<'TEXT'
echo $$ $PPID >"$SLURM_ARRAY_TASK_ID.$SLURMD_NODENAME.pid"
if [ -z "${SLURM_RESTART_COUNT:-}" ] && [ "$SLURM_ARRAY_TASK_ID" -le 4 ]; then
    head -c 5000 one.mov >part.$SLURM_ARRAY_TASK_ID.mov
    until [ -e go ]; do sleep 0.1; done
fi
TEXT
sed -i '/^k=/i . ./hold.sh' farm.sbatch
parts=$(sbatch --parsable farm.sbatch)
sbatch --dependency=afterok:$parts --wrap 'echo $$ $PPID >join.one.pid; weir join part.*.mov whole.mov' >/dev/null
until_true eval '[ "$(ls | grep -c "^[1-4]\.[a-z]*\.pid$")" = 4 ]'

# A task is killed and starts again; a node is lost with all that runs there, and Slurm starts that elsewhere.
of_one=$(ls | sed -n 's/^\([1-4]\)\.one\.pid$/\1/p' | head -n 1)
scontrol requeue ${parts}_$of_one
kill -9 $lost $(cat ./[1-4].two.pid)
touch go
until_true eval '[ -z "$(squeue -h)" ]'
restarted=$(scontrol show job $parts | grep -c 'Restarts=[1-9]')
[ "$restarted" = 3 ] || fail "$restarted tasks were started again, and not one that was killed and two that were lost"
cmp whole.mov one.mov || fail "eight parts of two nodes are another movie than that of one run"
printf 'eight parts of two nodes: %s bytes as of one run\n' "$(stat -c %s whole.mov)"
