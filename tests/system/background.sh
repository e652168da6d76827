#!/bin/bash
# background.sh FSMATRIX: a run that was started on a terminal and put into the
# background goes on to its end, and leaves the terminal to whoever has it.
. "$(dirname "$0")/system.sh"
need_tool python3 python3
cd "$scratch" && mkdir dir || exit 1
cat > m.json << 'END'
{ "volumes": [ { "name": "d", "directory": "dir" } ], "rounds": 40,
  "workloads": [ { "name": "w", "size": "256KiB", "block": "4KiB" } ] }
END
cat > job.py << 'END'
"""A shell's part: its terminal goes to the run, and back to itself."""
import os, pty, signal, sqlite3, sys, threading, time

def measured():
    try:
        db = sqlite3.connect("file:d.db?mode=ro", uri=True)
        return db.execute("select count(*) from sample").fetchone()[0]
    except sqlite3.Error:
        return 0

pid, terminal = pty.fork()
if pid:
    def empty():
        try:
            while os.read(terminal, 4096):
                pass
        except OSError:
            pass
    threading.Thread(target=empty, daemon=True).start()
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
ready, go = os.pipe()
job = os.fork()
if job == 0:
    os.read(ready, 1)
    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
    os.execv(sys.argv[1], sys.argv[1:])
os.setpgid(job, job)
os.tcsetpgrp(0, job)
os.write(go, b"x")
while measured() < 2:
    time.sleep(0.01)
os.tcsetpgrp(0, os.getpgrp())
_, status = os.waitpid(job, os.WUNTRACED)
if os.WIFSTOPPED(status):
    os.kill(job, signal.SIGKILL)
    os.waitpid(job, 0)
    os._exit(99)
os._exit(os.waitstatus_to_exitcode(status))
END
python3 job.py "$program" run m.json --db d.db
status=$?
[ $status = 99 ] && fail "it was stopped"
[ $status = 0 ] || fail "ended with $status"
[ "$(python3 -c 'import sqlite3
print(*sqlite3.connect("d.db").execute("select status from run").fetchone())')" = done ] ||
    fail "the run is not done"
