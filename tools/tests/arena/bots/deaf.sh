# Never reads; the pipe to it fills up.
exec sleep 1000
