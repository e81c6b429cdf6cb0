#!/usr/bin/env python3
"""A toy game's referee in the cg-brutaltester convention: ten rounds, each seat names 0 to 9, the higher wins
the round unless it is more than three higher. Misbehaves on the seeds that TOY_TROUBLE lists, e.g. "3=hang"."""
import argparse, json, os, random, subprocess, sys, time

args = argparse.ArgumentParser()
for name in ("-p1", "-p2", "-d", "-l"):
    args.add_argument(name)
args = args.parse_args()
data = dict(word.split("=", 1) for word in (args.d or "").split())
seed = data.get("seed", "0")
trouble = dict(pair.split("=") for pair in os.environ.get("TOY_TROUBLE", "").split()).get(seed)
if trouble == "hang":
    time.sleep(600)
if trouble == "crash":
    sys.exit("the referee lost its board")
if trouble == "nonsense":
    print("Exception in thread main")
if trouble == "three":
    print("1\n2\n3")
if trouble:
    sys.exit(0)
rng = random.Random(int(seed))
bots = [subprocess.Popen(command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for command in (args.p1, args.p2)]
scores, faults, outputs, errors, summaries = [0, 0], [False, False], ([], []), ([], []), []
for turn in range(int(data.get("rounds", 10))):
    hint, said = rng.randrange(10), []
    for seat, bot in enumerate(bots):
        try:
            bot.stdin.write(f"{hint}\n"), bot.stdin.flush()
            said.append(int(bot.stdout.readline()))
        except (ValueError, OSError):
            faults[seat] = True
            summaries.append(f"${seat} has not provided a number: timeout")
        outputs[seat].append(str(said[-1]) if len(said) > seat else None)
    if any(faults):
        break
    best = int(said[1] > said[0]) ^ (abs(said[0] - said[1]) > 3)
    scores[best] += said[0] != said[1]
    summaries.append(f"hint {hint}, $0 says {said[0]}, $1 says {said[1]}")
for seat, bot in enumerate(bots):
    try:
        bot.stdin.close()
    except OSError:
        pass  # it has gone
    errors[seat].extend([None] * (len(outputs[seat]) - 1) + [bot.stderr.read()])
scores = [-1 if fault else score for fault, score in zip(faults, scores)]
if args.l:
    by_seat = lambda pair: {"0": pair[0], "1": pair[1]}
    json.dump({"scores": by_seat(scores), "outputs": by_seat(outputs), "errors": by_seat(errors),
               "summaries": summaries, "views": summaries, "uinput": [f"seed={seed}"]}, open(args.l, "w"))
print("\n".join(map(str, scores)))
print(f"seed={seed}")
