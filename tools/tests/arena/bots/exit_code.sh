echo "cannot find my book" >&2
exit 3
