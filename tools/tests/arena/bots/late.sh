while read -r n; do sleep 1; echo "$n"; done
