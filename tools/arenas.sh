#!/bin/bash
# Plays wondev in other people's arenas, with their own scripts and configurations: installs psyleague (pip) and cgarena
# (cargo) into target/arenas, puts `fifty referee wondev` in the place of `java -jar referee.jar`, plays GAMES games in
# each and prints what they tell. cg-brutaltester needs Java and is not on a registry: its README's command line for one
# game is run as it starts a referee.
#
#   tools/arenas.sh [psyleague|cgarena|brutaltester]…   default: all; GAMES=100, WORK=100 iterations an answer
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
home=$root/target/arenas
games=${GAMES:-100}
work=${WORK:-100}
cargo=${CARGO:-cargo}
mkdir -p "$home"
fifty=${FIFTY:-$root/target/release/fifty}
[ -x "$fifty" ] || (cd "$root" && "$cargo" build --release -p fifty-tools)

# The scripts start `java … -jar referee.jar -p1 … -l FILE`: what follows the jar is the referee's. The bots play at fixed
# work, so on a busy machine nobody shall lose by the clock. In league 0 the judge gives a bot that dies (is stuck) the score -1,
# which their scripts count as an error.
mkdir -p "$home/bin"
cat >"$home/bin/java" <<JAVA
#!/bin/bash
while [ \$# -gt 0 ] && [ "\$1" != referee.jar ]; do shift; done
shift
args=()
for arg; do
    case \$before in -p[1-8]) arg="\$arg;clock=60000" ;; esac
    args+=("\$arg")
    before=\$arg
done
exec "$fifty" referee wondev "\${args[@]}"
JAVA
chmod +x "$home/bin/java"
ln -sf "$(command -v python3)" "$home/bin/python"
export PATH=$home/bin:$PATH

# Two bots that say what arenas collect: the search's own numbers, turn by turn, and one word of the game.
bots() { # folder, suffix, prefix of a turn
    mkdir -p "$1"
    [ -x "$root/target/release/wondev" ] || (cd "$root" && "$cargo" build --release --bin wondev)
    for bot in strong weak; do
        n=$work
        [ $bot = weak ] && n=$((work / 10))
        cat >"$1/$bot$2" <<BOT
#!/bin/bash
echo "[TDATA] work = $work" >&2
export FIFTY_ITERATIONS=$n
exec "$root/target/release/wondev" 2> >(awk '/^think/ { for (i = 2; i <= NF; i++) if (split(\$i, w, "=") == 2 && w[1] != "pv")
    { print "[PDATA]$3 " w[1] " = " w[2]; fflush() } turn++ } { print; fflush() }' >&2)
BOT
        chmod +x "$1/$bot$2"
    done
}

psyleague() {
    echo "== psyleague: $games games"
    [ -x "$home/venv/bin/psyleague" ] || { python3 -m venv "$home/venv" && "$home/venv/bin/pip" -q install psyleague; }
    rm -rf "$home/psyleague" && mkdir -p "$home/psyleague" && cd "$home/psyleague"
    "$home/venv/bin/psyleague" config
    # Its configuration as it comes, but for how a bot is set up: these are ready.
    sed -i 's|^cmd_bot_setup = .*|cmd_bot_setup = "true"|' psyleague.cfg
    bots bots .exe ''
    # The script of its README for CodinGame's referees, in our words: it reads scores and errors of the log.
    cat >play_game.py <<'PY'
import json, os, subprocess, sys, tempfile

f, log_file = tempfile.mkstemp(prefix='log_')
os.close(f)
n = len(sys.argv) - 1
cmd = 'java --add-opens java.base/java.lang=ALL-UNNAMED -jar referee.jar'
cmd += ''.join(f' -p{i} "./{sys.argv[i]}"' for i in range(1, n + 1)) + f' -l {log_file}'
subprocess.run(cmd, shell=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
log = json.load(open(log_file))
os.remove(log_file)
scores = [int(log['scores'][str(i)]) for i in range(n)]
out = {'ranks': [sum(s < t for t in scores) for s in scores], 'errors': [int(s < 0) for s in scores],
       'test_data': {}, 'player_data': [{} for _ in range(n)]}
for i in range(n):
    for line in '\n'.join(data for data in log['errors'][str(i)] if data).split('\n'):
        for tag, place in ('[TDATA]', out['test_data']), ('[PDATA]', out['player_data'][i]):
            if line.startswith(tag) and '=' in line:
                key, value = line[len(tag):].split('=', 1)
                place[key.strip()] = value.strip()
print(json.dumps(out))
PY
    for bot in strong weak; do "$home/venv/bin/psyleague" bot add $bot; done
    "$home/venv/bin/psyleague" run --games "$games" --silent
    "$home/venv/bin/psyleague" show
}

cgarena() {
    echo "== cgarena: $games games"
    # The last version that comes with its own play_game.py; newer ones are given the same command.
    [ -x "$home/bin/cgarena" ] || "$cargo" install -q cgarena --locked --version 1.3.0 --root "$home"
    rm -rf "$home/cgarena" && mkdir -p "$home/cgarena"
    "$home/bin/cgarena" init "$home/cgarena" && cd "$home/cgarena"
    [ -f play_game.py ] || cp ~/.cargo/registry/src/*/cgarena-1.3.0/assets/play_game.py .
    bots ready '' '[" turn "]'
    # Its configuration as it comes, but for what builds a bot and how many games a pair plays. A command of its is split
    # at blanks, whatever is quoted: so a script, as its own comment has it.
    printf 'cp "$1/source.txt" "$1/a" && chmod +x "$1/a"\n' >build.sh
    sed -i "s|^cmd_build = .*|cmd_build = \"sh build.sh {DIR} {LANG}\"|
        s|^min_matches_per_pair = .*|min_matches_per_pair = $games|
        s|^# port = .*|port = 18234|" cgarena_config.toml
    "$home/bin/cgarena" run . >run.log 2>&1 &
    arena=$!
    trap 'kill $arena 2>/dev/null || true' EXIT
    for _ in $(seq 50); do curl -sf localhost:18234/api/status >status.json && break || sleep 0.2; done
    for bot in strong weak; do
        python3 - "$bot" <<'PY' | curl -sf -H 'content-type: application/json' -d @- localhost:18234/api/bots && echo
import json, sys
print(json.dumps({"name": sys.argv[1], "source_code": open("ready/" + sys.argv[1]).read(), "language": "sh"}))
PY
    done
    played=0
    for _ in $(seq 1200); do
        played=$(python3 -c 'import glob, sqlite3
db = sqlite3.connect(glob.glob("*.db")[0]); print(db.execute("SELECT count(*) FROM matches").fetchone()[0])')
        [ "$played" -ge "$games" ] && break
        if curl -sf localhost:18234/api/status | python3 -c '
import json, sys
wrong = [bot["name"] + ": " + b["stderr"] for bot in json.load(sys.stdin)["bots"] for b in bot["builds"] if b["stderr"]]
print("\n".join(wrong), end=""); sys.exit(not wrong)' 2>/dev/null; then
            echo "cgarena could not build its bots, see above"
            exit 1
        fi
        kill -0 $arena 2>/dev/null || { tail -3 run.log && exit 1; }
        sleep 1
    done
    echo "cgarena has $played matches"
    [ "$played" -ge "$games" ]
    python3 -c 'import glob, sqlite3
db = sqlite3.connect(glob.glob("*.db")[0])
print("  players that failed: %d" % db.execute("SELECT coalesce(sum(error), 0) FROM participations").fetchone()[0])
for row in db.execute("SELECT n.name, count(*), count(DISTINCT turn) FROM match_attributes a JOIN match_attribute_names n ON n.id = a.name_id GROUP BY n.name"): print("  attribute %s: %d values on %d turns" % row)'
    kill $arena
    trap - EXIT
}

brutaltester() {
    echo "== cg-brutaltester: one game as its README starts a referee"
    cd "$home" && bots brutal '' ''
    "$fifty" referee wondev -p1 "./brutal/strong" -p2 "./brutal/weak" -l game1.json -d seed=42
    python3 -c 'import json; log = json.load(open("game1.json")); print("log:", log["scores"], log["uinput"])'
}

for arena in "${@:-psyleague cgarena brutaltester}"; do
    for one in $arena; do (set -e; $one); done
done
