while read -r n; do [ -n "$n" ] && echo "$n"; done
