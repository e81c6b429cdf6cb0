# A lot of debug output, and right answers.
while read -r n; do head -c 200000 /dev/zero | tr '\0' 'x' >&2; echo >&2; echo "$n"; done
