# Starts fifty processes and dies.
i=0
while [ $i -lt 50 ]; do sleep 1000 & i=$((i+1)); done
exit 1
