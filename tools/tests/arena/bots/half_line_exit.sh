read -r n
printf '%s' "$n"
