# Dies, while a child keeps the output open.
sleep 1000 &
exit 1
