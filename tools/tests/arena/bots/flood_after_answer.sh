read -r n
echo "$n"
exec yes
