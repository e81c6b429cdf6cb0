# wondev: three answers, the last two after 150 ms, then gives up.
read size; read units; n=0
while :; do
  i=0; while [ $i -lt $size ]; do read row || exit; i=$((i+1)); done
  i=0; while [ $i -lt $((2*units)) ]; do read unit; i=$((i+1)); done
  read legal; i=0; first=
  while [ $i -lt $legal ]; do read action; [ $i = 0 ] && first=$action; i=$((i+1)); done
  n=$((n+1))
  [ $n -gt 1 ] && sleep 0.15
  [ $n -gt 3 ] || [ -z "$first" ] && first=ACCEPT-DEFEAT
  echo "$first"
done
