while read -r n; do echo "MOVE&BUILD somewhere"; done
