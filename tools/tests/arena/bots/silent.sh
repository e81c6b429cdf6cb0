while read -r n; do :; done
