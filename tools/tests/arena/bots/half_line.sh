read -r n
printf '%s' "$n"
sleep 1000
