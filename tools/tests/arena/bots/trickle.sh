# Something all the time, a whole line never.
while :; do printf '0'; sleep 0.02; done
