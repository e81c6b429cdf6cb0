# The second line of a turn is taken as the answer to the next.
while read -r n; do echo "$n"; echo 99; done
