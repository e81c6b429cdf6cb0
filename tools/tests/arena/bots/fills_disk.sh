# Writes as much as it is let, to the file it is told.
dd if=/dev/zero of="$FIFTY_TEST_FILE" bs=65536 count=100000 2>/dev/null
exit 1
