# Windows line ends are no fault.
while read -r n; do printf '%s\r\n' "$n"; done
