#!/usr/bin/env python3
"""Names the hint plus its first argument, at most 9; "mute" ends at once."""
import sys

if sys.argv[1] == "mute":
    sys.exit("[PDATA] mood = bad")
print("[PDATA] plus = " + sys.argv[1], file=sys.stderr)
for line in sys.stdin:
    print(min(9, int(line) + int(sys.argv[1])), flush=True)
