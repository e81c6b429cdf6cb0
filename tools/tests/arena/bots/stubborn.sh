# Right answers, but will not leave when asked to.
trap '' TERM
while read -r n; do echo "$n"; done
while :; do sleep 1; done
