read -r n
printf '\377\376\000\001\200\n'
sleep 1000
