package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"billfold/internal/stories"
	"billfold/walletcore/testwallet"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs scripts of what a user could type. billfold is this test binary.
func TestScripts(t *testing.T) {
	t.Parallel()
	data, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:         filepath.Join("testdata", "script"),
		WorkdirRoot: testwallet.Folder(t),
		Cmds:        map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Condition: func(name string) (bool, error) {
			if name == "stories" {
				return stories.Played(), nil
			}
			return false, fmt.Errorf("no script knows the condition %q", name)
		},
		Setup: func(e *testscript.Env) error {
			bin, home := filepath.Join(e.WorkDir, "bin"), filepath.Join(e.WorkDir, "home")
			for _, dir := range []string{bin, home} {
				if err := os.Mkdir(dir, 0o700); err != nil {
					return err
				}
			}
			e.Setenv("PATH", bin)
			e.Setenv("HOME", home)
			e.Setenv("DATA", data)
			e.Setenv("BILLFOLD_DAEMON_URL", "ws://127.0.0.1:1") // nobody listens there
			e.Setenv(asProgram, "1")
			e.Setenv("GORACE", quickExit)
			return os.Symlink(program, filepath.Join(bin, "billfold"))
		},
	})
}

// exits is a command of the scripts: exits CODE PROGRAM ARG…
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		ended, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = ended.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, not %d", got, want)
	}
}
