read -r n
kill -SEGV $$
