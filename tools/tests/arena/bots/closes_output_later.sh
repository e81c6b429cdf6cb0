read -r n
echo "$n"
exec >&-
sleep 1000
