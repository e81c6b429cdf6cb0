"""Stands in for sbatch, squeue, scancel and scontrol by the name it is called by: tasks one after the other, in order.

$FAKE_SLURM is its folder. A task whose place is in $FAKE_SLURM/lose is lost once instead of played. Calls are noted in
$FAKE_SLURM/calls."""
import os
import signal
import subprocess
import sys

home = os.environ["FAKE_SLURM"]
tasks = os.path.join(home, "tasks")
os.makedirs(tasks, exist_ok=True)
name, args = os.path.basename(sys.argv[0]), sys.argv[1:]
with open(os.path.join(home, "calls"), "a") as calls:
    calls.write(" ".join([name, *args]) + "\n")


def option(key):
    return next((a.split("=", 1)[1] for a in args if a.startswith(key + "=")), "")


def note(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)


def play(job, count, script, output):
    """In a process of its own, as long as there are tasks."""
    for index in range(count):
        path = os.path.join(tasks, f"{job}_{index}")
        if not os.path.exists(path):
            continue
        lose = os.path.join(home, "lose")
        lost = open(lose).read().split() if os.path.exists(lose) else []
        if str(index) in lost:
            os.remove(lose)
        else:
            env = dict(os.environ, SLURM_ARRAY_TASK_ID=str(index), SLURMD_NODENAME=f"node{index % 2}")
            log = open(output.replace("%A", str(job)).replace("%a", str(index)), "a")
            one = subprocess.Popen(["bash", script], env=env, stdout=log, stderr=log, start_new_session=True)
            if os.path.exists(path):
                note(path, f"R|node{index % 2}|{one.pid}|{option('--job-name')}")
            one.wait()
        if os.path.exists(path):
            os.remove(path)


if name == "sbatch":
    job = len([f for f in os.listdir(home) if f.startswith("job-")]) + 1
    open(os.path.join(home, f"job-{job}"), "w").close()
    count = int(option("--array").split("-")[1]) + 1
    for index in range(count):
        note(os.path.join(tasks, f"{job}_{index}"), f"PD||0|{option('--job-name')}")
    print(job)
    sys.stdout.flush()
    if os.fork() == 0:
        os.setsid()
        quiet = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(quiet, stream)
        play(job, count, args[-1], option("--output"))
elif name == "squeue":
    for task in os.listdir(tasks):
        try:
            state, node, _, job_name = open(os.path.join(tasks, task)).read().split("|")
        except OSError:
            continue
        if not task.endswith(".new"):
            print("|".join([job_name, *task.split("_"), state, node, "None"]))
elif name == "scancel":
    for task in os.listdir(tasks):
        if task in args or task.split("_")[0] in args:
            path = os.path.join(tasks, task)
            try:
                _, _, pid, _ = open(path).read().split("|")
                os.remove(path)
            except OSError:
                continue
            if pid != "0":
                try:
                    os.killpg(int(pid), signal.SIGKILL)
                except OSError:
                    pass
