# Right answers; leaves a process behind, in a session of its own.
setsid sleep 1000 >/dev/null 2>&1 </dev/null &
while read -r n; do echo "$n"; done
