exec yes rubbish
