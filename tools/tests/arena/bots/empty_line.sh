while read -r n; do echo; done
