package keystore

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestForbidDumps does it in a child: it cannot be undone.
func TestForbidDumps(t *testing.T) {
	if os.Getenv("FORBID_DUMPS") != "" {
		must(t, ForbidDumps())
		dumpable, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
		must(t, err)
		var limit unix.Rlimit
		must(t, unix.Getrlimit(unix.RLIMIT_CORE, &limit))
		fmt.Println("dumpable", dumpable, "limit", limit.Cur, limit.Max)
		return
	}
	child := exec.Command(os.Args[0], "-test.run=^TestForbidDumps$")
	child.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", "FORBID_DUMPS=1")
	out, err := child.CombinedOutput()
	must(t, err)
	if !strings.Contains(string(out), "dumpable 0 limit 0 0") {
		t.Fatalf("the child says %s", out)
	}
}

func TestFreeMemory(t *testing.T) {
	if free := freeMemoryKiB(1 << 30); free < 1024 || free > 1<<40 {
		t.Fatal("this machine has", free, "KiB to give")
	}
	if use := memoryLimitKiB(usualMostKiB); use > usualMostKiB {
		t.Fatal("it would take", use, "KiB")
	}
	for text, want := range map[string]uint64{"12": 12, "max": 7, "": 7, "-1": 7, "99999999999999999999": 7} {
		if got := parseOr([]byte(text), 7); got != want {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
