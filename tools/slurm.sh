#!/bin/bash
# A Slurm of one machine, and on it what `--on slurm` promises: a league equals the one played here though its node fails
# and a slice is killed, and a test that is decided ends its array. Installs slurm-wlm and munge where they are missing,
# starts munged, slurmctld and slurmd, and takes them down again at its end.
#
#   tools/slurm.sh [up|down|demo]…     default: demo, which is up, the demonstration, down; GAMES=400, WORK=20
#
# Exit 0: it holds; 1: it does not; 3: Slurm cannot be started here.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
home=${SLURM_HOME:-/tmp/fifty-slurm}
games=${GAMES:-400}
work=${WORK:-20}
fifty=$(realpath -m "${FIFTY:-$root/target/release/fifty}")
export SLURM_CONF=$home/slurm.conf
node=$(hostname -s)

cannot() {
    echo "skipped: $1"
    exit 3
}

until_true() { # seconds, command…
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.3
    done
}

up() {
    [ "$(id -u)" = 0 ] || cannot "Slurm's daemons are started by root"
    if ! command -v slurmctld slurmd munged >/dev/null; then
        (apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends slurm-wlm munge) >/dev/null 2>&1 ||
            cannot "slurm-wlm and munge cannot be installed"
    fi
    pgrep -x slurmctld >/dev/null && cannot "a slurmctld runs here already"
    mkdir -p "$home"/{state,spool,log,munge}
    if ! munge -n >/dev/null 2>&1; then
        [ -s "$home/munge/key" ] || (umask 077 && head -c 1024 /dev/urandom >"$home/munge/key")
        mkdir -p /run/munge
        chmod 755 /run/munge
        munged --force --key-file="$home/munge/key" --pid-file="$home/munge/pid" --log-file="$home/munge/log" \
            --seed-file="$home/munge/seed" >/dev/null 2>&1 || cannot "munged does not start: $(tail -1 "$home/munge/log")"
        until_true 10 munge -n || cannot "munge does not answer"
    fi
    cat >"$home/slurm.conf" <<CONF
ClusterName=fifty
SlurmctldHost=$node
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldPidFile=$home/slurmctld.pid
SlurmdPidFile=$home/slurmd.pid
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
    slurmctld -c -L "$home/log/slurmctld.log" || cannot "slurmctld does not start: $(tail -1 "$home/log/slurmctld.log")"
    nice -n "${NICE:-0}" slurmd -L "$home/log/slurmd.log" || cannot "slurmd does not start: $(tail -1 "$home/log/slurmd.log")"
    until_true 30 sh -c 'sinfo -h -o %t | grep -q idle' || cannot "the node does not come up: $(tail -1 "$home/log/slurmd.log")"
    echo "Slurm $(sinfo --version | cut -d' ' -f2): $(sinfo -h -o '%n, %c cores, %t')"
}

down() {
    for name in slurmd slurmctld munge/pid; do
        file=$home/$name
        [ "$name" = munge/pid ] || file=$file.pid
        [ -s "$file" ] && kill "$(cat "$file")" 2>/dev/null || true
    done
    until_true 10 sh -c "! pgrep -F $home/slurmctld.pid" || true
    rm -rf "$home"
    echo "taken down"
}

# Every game of the only run but its times: seeds, seats, scores, faults, and the fingerprint of all answers.
games_of() { # results file
    "$fifty" export --json --results "$1" | python3 -c '
import json, sys
for game in sorted(map(json.loads, sys.stdin), key=lambda game: game["index"]):
    for name in "game_id", "run", "times":
        game.pop(name, None)
    print(json.dumps(game, sort_keys=True))'
}

demo() {
    [ -x "$fifty" ] || (cd "$root" && "${CARGO:-cargo}" build --release -p fifty-tools)
    trap down EXIT
    up
    local at=$home/demo
    rm -rf "$at" && mkdir -p "$at" && cd "$at"
    echo "== four tasks of one core"
    sbatch -Q --wait --array=0-3 --cpus-per-task=1 -o "core-%a" --wrap 'grep Cpus_allowed_list /proc/self/status; sleep 1'
    sort core-? | uniq -c | sed 's/^/  /'
    league=("$fifty" league wondev --bot "engine:$work" --bot builtin:greedy --games "$games")
    echo "== league: $games games here"
    time nice -n "${NICE:-0}" "${league[@]}" --results here.sqlite >here.txt 2>here.err
    echo "== the same through --on slurm; on the way the node fails and a slice is killed"
    "${league[@]}" --results there.sqlite --on slurm --slice-games 20 >there.txt 2>there.err &
    front=$!
    until_true 60 sh -c "ls there.sqlite.plans/run-1/out/*.jsonl" || { cat there.err; exit 1; }
    scontrol update nodename="$node" state=down reason="a node failure for the demonstration"
    echo "  node down: $(sinfo -h -o %t), $(squeue -h -r -t PD | wc -l) slices wait"
    sleep 1
    # It comes back by itself as soon as it is heard of (ReturnToService), if that has not happened yet.
    scontrol update nodename="$node" state=resume 2>/dev/null || true
    killed=no
    for _ in $(seq 300); do
        slice=$(pgrep -f "batch run $at/there.sqlite.plans/run-1 --slice" | head -1 || true)
        if [ -n "$slice" ] && kill -9 "$slice" 2>/dev/null; then killed=yes && break; fi
        kill -0 $front 2>/dev/null || break
        sleep 0.02
    done
    echo "  a slice was killed: $killed"
    wait $front
    grep -v '^engine' there.err | sed 's/^/  /'
    grep '^node' there.txt | sed 's/^/  /'
    games_of here.sqlite >here.games
    games_of there.sqlite >there.games
    cmp here.games there.games || { echo "the games differ"; exit 1; }
    echo "  $(wc -l <there.games) games, the same as here but for their times"
    echo "== a test: its array ends with its decision"
    "$fifty" sprt wondev --candidate "engine:$work" --base builtin:random --elo1 100 --games 2000 --slice-games 10 \
        --on slurm --results test.sqlite >test.txt 2>test.err || true
    grep -E 'SPRT|groups of' test.txt | sed 's/^/  /'
    grep -v '^engine' test.err | tail -3 | sed 's/^/  /'
    until_true 20 sh -c '[ -z "$(squeue -h)" ]' || { echo "the array goes on"; exit 1; }
    decided=$(sed -n 's/^wondev: \([0-9]*\) games.*/\1/p' test.txt)
    played=$(ls test.sqlite.plans/run-1/out/*.jsonl | wc -l)
    echo "  decided by $decided games; $played slices of 10 games were played, $(nproc) at a time"
    [ $((played * 10)) -le $((decided + 10 * (1 + $(nproc)))) ] || { echo "more than a slice a core too many"; exit 1; }
}

for step in "${@:-demo}"; do "$step"; done
