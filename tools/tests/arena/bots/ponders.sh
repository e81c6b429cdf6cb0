# Works on while it is not asked: its file grows.
(while :; do echo more >> "$FIFTY_TEST_FILE"; done) &
while read -r x; do echo "$x"; done
kill $!
