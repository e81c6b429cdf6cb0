#!/bin/bash
# README.md's lines for GNU parallel, GNU parallel over ssh and HyperQueue, on this machine: the same games as a shell loop's.
# Installs parallel, rsync and an ssh server where they are missing; the ssh server that it starts has a key, a port and
# files of its own and ends with it. HyperQueue's engine comes from its Python package, which has no `hq`.
#
#   tools/engines.sh     GAMES=40, SLICES=8, PORT=2222, FIFTY=target/release/fifty
#
# Exit 0: it holds; 1: it does not; 3: an engine cannot be had here.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
fifty=$(realpath -m "${FIFTY:-$root/target/release/fifty}")
games=${GAMES:-40} slices=${SLICES:-8} port=${PORT:-2222}

cannot() {
    echo "skipped: $1"
    exit 3
}

[ -x "$fifty" ] || cannot "$fifty: no such program; build it, or say FIFTY=PATH"
[ "$(id -u)" = 0 ] || cannot "an ssh server for others' programs is started by root"
if ! command -v parallel rsync ssh sshd >/dev/null; then
    (apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends \
        parallel rsync openssh-server openssh-client) >/dev/null 2>&1 || cannot "parallel, rsync or ssh cannot be installed"
fi
home=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$home"' EXIT
cd "$home"

(cd "$root" && "$fifty" batch plan play wondev --bot engine:300 --bot builtin:random --games "$games" --slices "$slices" \
    -o "$home/plan") >/dev/null

# The games of a folder, without their times.
taken() {
    plan/fifty batch merge "$1"/out/* --results "$1.sqlite" | grep -q "$games of $games games" || { echo "$1: games are missing"; exit 1; }
    plan/fifty export --results "$1.sqlite" | cut -d, -f1-12 >"$1.csv"
    cmp "${2:-$1}.csv" "$1.csv" || { echo "$1: other games than one machine's"; exit 1; }
    echo "$1: $games games, the same"
}

folder() { mkdir "$1" && cp -r plan "$1/"; }

folder loop
(cd loop && for n in $(seq "$slices"); do plan/fifty batch run plan --slice "$n" -o out; done) >/dev/null
taken loop

folder parallel
(cd parallel && seq "$slices" | parallel --will-cite plan/fifty batch run plan --slice {} -o out) >/dev/null
taken parallel loop

ssh-keygen -q -t ed25519 -N '' -f host
ssh-keygen -q -t ed25519 -N '' -f key
mkdir -p /run/sshd
"$(command -v sshd)" -D -p "$port" -h "$home/host" -o "AuthorizedKeysFile=$home/key.pub" -o StrictModes=no -o PidFile=none &
server=$!
cat >ssh <<SSH
#!/bin/sh
exec "$(command -v ssh)" -p $port -i $home/key -o UserKnownHostsFile=$home/known -o StrictHostKeyChecking=no \\
    -o LogLevel=ERROR -o HostName=localhost "\$@"
SSH
chmod +x ssh
for _ in $(seq 50); do ./ssh one true 2>/dev/null && break; sleep 0.1; done
folder over-ssh
(cd over-ssh && export PARALLEL_SSH="$home/ssh" && seq -f %04g "$slices" | parallel --will-cite -S 1/one,1/two --workdir fifty-batch \
    --basefile plan --return out/slice-{}.jsonl --cleanup plan/fifty batch run plan --slice {} -o out) >/dev/null
taken over-ssh loop

(python3 -m venv venv && venv/bin/pip install -q hyperqueue) >/dev/null 2>&1 || cannot "hyperqueue cannot be installed by pip"
folder hyperqueue
(cd hyperqueue && SLICES=$slices "$home/venv/bin/python" - <<'PYTHON'
import os
from pathlib import Path
from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

with LocalCluster() as cluster:
    cluster.start_worker(WorkerConfig(cores=2))
    job = Job(default_workdir=Path.cwd())
    for n in range(1, int(os.environ["SLICES"]) + 1):
        job.program(["plan/fifty", "batch", "run", "plan", "--slice", str(n), "-o", "out"])
    client = cluster.client()
    client.wait_for_jobs([client.submit(job)])
PYTHON
) >/dev/null 2>&1
taken hyperqueue loop
