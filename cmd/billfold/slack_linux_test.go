package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// ownSlack is an environment variable with a slack, in nanoseconds, for the sleeper to start with.
const ownSlack = "TEST_SLACK"

// Programs of other tests are not re-executed, since each would be started twice.
func init() {
	as := os.Getenv(asProgram)
	if as == "" || as == asSleeper || as == asSigner || as == asShipped {
		return
	}
	if words, _, err := fromCLIWallet(rootCommand(nil), protectCode(os.Args[1:])); err == nil && isLongRunning(rootCommand(nil), words) {
		_ = os.Setenv(restartedVar, "1")
	}
}

func runSleeper() int {
	if own, err := strconv.Atoi(os.Getenv(ownSlack)); err == nil && os.Getenv(restartedVar) == "" {
		if err := setSlack(time.Duration(own)); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	relaxTimers()
	slack, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	fmt.Printf("process %d sleeps with %v, %q, %q, %v\n", os.Getpid(), time.Duration(slack), os.Args[1:], os.Getenv(restartedVar), err)
	return 0
}

// The program is re-executed once, as the same process with the same arguments. It keeps a slack that somebody else has set.
func TestTimersAreRelaxedOnce(t *testing.T) {
	t.Parallel()
	path, err := os.Executable()
	must(t, err)
	for own, want := range map[time.Duration]time.Duration{defaultSlack: timerSlack, 200 * time.Microsecond: 200 * time.Microsecond} {
		cmd := exec.Command(path, "some", "words")
		cmd.Env = append(os.Environ(), asProgram+"="+asSleeper, fmt.Sprintf("%s=%d", ownSlack, own.Nanoseconds()), "GORACE="+quickExit)
		out, err := cmd.CombinedOutput()
		must(t, err)
		if said := fmt.Sprintf("process %d sleeps with %v, [\"some\" \"words\"], \"\", <nil>\n", cmd.Process.Pid, want); string(out) != said {
			t.Errorf("it says %s, not %s", out, said)
		}
	}
}
