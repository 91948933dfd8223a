//go:build unix

package keystore

import (
	"bufio"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// killer is the real disk; at one step, or in the middle of it, it kills its own process.
type killer struct {
	osDisk
	left  int // steps until then; 0 = never
	phase int // 0 before the step, 1 after it, 2 with part of the data written
}

// around does a step, or dies.
func (k *killer) around(do func() error) error {
	if k.left--; k.left == 0 && k.phase == 0 {
		die()
	}
	err := do()
	if k.left == 0 {
		die()
	}
	return err
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

func (k *killer) WriteNew(name string, data []byte) error {
	return k.around(func() error {
		if k.left == 0 && k.phase == 2 {
			_ = k.osDisk.WriteNew(name, data[:len(data)*2/3])
			die()
		}
		return k.osDisk.WriteNew(name, data)
	})
}

func (k *killer) Rename(from, to string) error {
	return k.around(func() error { return k.osDisk.Rename(from, to) })
}

func (k *killer) Link(from, to string) error {
	return k.around(func() error { return k.osDisk.Link(from, to) })
}

func (k *killer) Remove(name string) error {
	return k.around(func() error { return k.osDisk.Remove(name) })
}

func (k *killer) SyncFolder(name string) error {
	return k.around(func() error { return k.osDisk.SyncFolder(name) })
}

const (
	childVariable = "CRASH_CHILD"
	childActs     = 8
)

// childPlan is the task of a child, in words that parent and child both know.
type childPlan struct {
	Seed        uint64
	Left, Phase int
	Start       crashState
	Path        string
}

// TestCrashChild is the child: it does what its plan says and tells each step.
func TestCrashChild(t *testing.T) {
	text := os.Getenv(childVariable)
	if text == "" {
		t.Skip("only a child of TestCrash")
	}
	var p childPlan
	_, err := fmt.Sscanf(
		text,
		"%d %d %d %q %q %t %q",
		&p.Seed,
		&p.Left,
		&p.Phase,
		&p.Start.password,
		&p.Start.keys,
		&p.Start.legacy,
		&p.Path,
	)
	must(t, err)
	opts := cheap()
	opts.freeTries = true
	lab, state := newLab(t), p.Start
	var store *Store
	if state.exists() {
		store, err = OpenWith(p.Path, opts)
		must(t, err)
		must(t, store.Unlock(state.password))
	}
	opts.disk = &killer{left: p.Left, phase: p.Phase}
	if store != nil {
		store.disk = opts.disk
	}
	rng := mathrand.New(mathrand.NewPCG(p.Seed, 2))
	for range childActs {
		act := nextAct(rng, state)
		fmt.Println("begin")
		store, err = act.do(lab, p.Path, opts, store, state)
		must(t, err)
		state = act.after(state)
		fmt.Println("done")
	}
}

// runChildren lives through up to three children that are killed.
func (c *crashTrial) runChildren(t *testing.T) error {
	dir, err := os.MkdirTemp("", "crash")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // only a temporary folder
	c.path = filepath.Join(dir, "wallet", "keys")
	for range 1 + c.rng.IntN(3) {
		plan := childPlan{c.rng.Uint64(), 1 + c.rng.IntN(40), c.rng.IntN(3), c.possible[0], c.path}
		if c.rng.IntN(4) == 0 {
			plan.Left = 0 // the parent kills, at any instruction
		}
		if err := c.runChild(plan); err != nil {
			return err
		}
		if err := c.open(); err != nil {
			names, _ := filepath.Glob(c.path + "*")
			return fmt.Errorf("after the kill: %w; the folder has %v", err, names)
		}
	}
	return nil
}

func (c *crashTrial) runChild(p childPlan) error {
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrashChild$")
	cmd.Env = append(
		os.Environ(),
		"GORACE=atexit_sleep_ms=0",
		childVariable+"="+fmt.Sprintf(
			"%d %d %d %q %q %t %q",
			p.Seed,
			p.Left,
			p.Phase,
			p.Start.password,
			p.Start.keys,
			p.Start.legacy,
			p.Path,
		),
	)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	rng := mathrand.New(mathrand.NewPCG(p.Seed, 2))
	state, next, said := p.Start, p.Start, ""
	for lines.Scan() {
		said += lines.Text() + "\n"
		switch lines.Text() {
		case "begin":
			if p.Left == 0 && strings.Count(said, "begin") == 1 {
				killSoon(cmd, time.Duration(c.rng.Int64N(int64(40*time.Millisecond))))
			}
			next = nextAct(rng, state).after(state)
			c.maybe(next)
		case "done":
			state = next
			c.possible = []crashState{state}
			c.count.saved++
		}
	}
	if err := cmd.Wait(); err == nil {
		c.log("the child ended before it was killed")
	} else if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		return fmt.Errorf("the child failed: %w: %s", err, said)
	} else {
		c.count.kills++
	}
	return nil
}

// killSoon kills the child after a while; when it has ended by then nothing happens.
func killSoon(cmd *exec.Cmd, after time.Duration) {
	time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
}
