read -r n
while :; do :; done
