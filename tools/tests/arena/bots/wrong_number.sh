while read -r n; do echo 77; done
