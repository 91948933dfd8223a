package keystore

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// freeMemoryKiB returns what this process may still take: what the machine has available, or what its control group
// allows if that is less; otherwise if the machine reports neither.
func freeMemoryKiB(otherwise uint64) uint64 {
	free := otherwise
	if data, err := os.ReadFile("/proc/meminfo"); err == nil {
		_, rest, _ := bytes.Cut(data, []byte("MemAvailable:"))
		if words := bytes.Fields(rest); len(words) > 0 {
			free = parseOr(words[0], free)
		}
	}
	if data, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil {
		free = min(free, parseOr(bytes.TrimSpace(data), free<<10)>>10)
	}
	return free
}

// parseOr parses digits; for anything else, such as "max", it returns otherwise.
func parseOr(text []byte, otherwise uint64) uint64 {
	n, err := strconv.ParseUint(string(text), 10, 64)
	if err != nil {
		return otherwise
	}
	return n
}

// ForbidDumps keeps the memory of the whole process out of core dumps, and away from debuggers of the same user.
// Because it concerns the whole process, only a main program should call it, once, before a wallet is opened.
func ForbidDumps() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return err
	}
	return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
}
