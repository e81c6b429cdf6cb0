# Its output stays open and silent.
yes rubbish >&2
