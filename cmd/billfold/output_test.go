package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/walletcore/testwallet"

	"github.com/spf13/cobra"
)

// lostOutputs are standard outputs that take no answer.
var lostOutputs = map[string]func(*testing.T) *os.File{
	"full": func(t *testing.T) *os.File {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip("this system has no /dev/full")
		}
		return full
	},
	"no reader": func(t *testing.T) *os.File {
		read, write, err := os.Pipe()
		must(t, err)
		must(t, read.Close())
		for err == nil { // a process that is just being started may still hold the other end
			_, err = write.Write([]byte("x"))
		}
		return write
	},
}

// changingCommands are a run of each command that changes something, in a folder of its own: arguments, what is typed, and what
// standard error then says. An empty run has its reason as told.
var changingCommands = map[string]struct {
	args  string
	typed string
	told  string
}{
	"call":      {args: "--sandbox call transfer alice bobby 7 DCT full true", told: `"transaction_id": "[0-9a-f]{40}"`},
	"console":   {args: "--sandbox console --yes --exec unlock --exec FIRST --exec SECOND", typed: "sandbox\n", told: `(?s)"transaction_id": "[0-9a-f]{40}".*the 2 commands before it were done`},
	"token new": {args: "token new shop", told: "the new token cannot be printed: .*; it was revoked again"},

	"import":          {told: "its questions and answers are tried in testdata/script/import.txt"},
	"journal accept":  {told: "changes the journal before it prints"},
	"journal backup":  {told: "writes a file before it prints"},
	"journal claim":   {told: "changes the journal before it prints"},
	"journal restore": {told: "changes the journal before it prints"},
	"pay":             {told: "prints the plan first, and its receipt is a file"},
	"pins forget":     {told: "prints after the store has changed"},
	"sandbox":         {told: "runs until it is stopped"},
	"store accept":    {told: "needs PostgreSQL"},
	"store claim":     {told: "needs PostgreSQL"},
	"store export":    {told: "needs PostgreSQL"},
	"store migrate":   {told: "needs PostgreSQL"},
	"store init":      {told: "needs PostgreSQL"},
	"token revoke":    {told: "needs a token, which token new makes"},
	"tx broadcast":    {told: "needs a transaction that several signed"},
	"tx export":       {told: "needs a transaction"},
	"tx merge":        {told: "needs two transactions"},
	"tx sign":         {told: "needs a transaction"},
}

// TestDoneIsDone runs commands that change something while standard output takes nothing. What was done is not called failed: it is
// reported on standard error.
func TestDoneIsDone(t *testing.T) {
	t.Parallel()
	for path := range changing(rootCommand(nil), "") {
		row, known := changingCommands[path]
		if !known {
			t.Errorf("billfold %s changes something, and no run of it is known here (changingCommands); if it only reads, say so in markReading", path)
		}
		if row.args == "" {
			continue
		}
		for name, lost := range lostOutputs {
			t.Run(path+" "+name, func(t *testing.T) {
				t.Parallel()
				code, told := runLost(t, lost(t), row.typed, strings.Fields(row.args)...)
				want := shell.Done
				switch path {
				case "token new": // a secret goes nowhere else, so the token is taken back
					want = shell.Refused
				case "console": // its second line is refused
					want = shell.Refused
				}
				if code != want || !regexp.MustCompile(row.told).MatchString(told) {
					t.Errorf("exit code %d, want %d, and said:\n%s\nwant %s", code, want, told, row.told)
				}
			})
		}
	}
}

// TestAReadThatNobodyGetsFails runs commands that change nothing while standard output takes nothing.
func TestAReadThatNobodyGetsFails(t *testing.T) {
	t.Parallel()
	if code, told := runLost(t, lostOutputs["full"](t), "", "version"); code != shell.Refused || !strings.Contains(told, "no space left") {
		t.Errorf("exit code %d: %s", code, told)
	}
	if code, told := runLost(t, lostOutputs["no reader"](t), "", "call", "help"); code != shell.Refused || told != "" {
		t.Errorf("exit code %d: %q; a reader that has enough is no news", code, told)
	}
}

// runLost runs billfold with a standard output that takes nothing, and returns its exit code and standard error.
func runLost(t *testing.T, out *os.File, typed string, args ...string) (int, string) {
	t.Helper()
	defer out.Close()
	for i, arg := range args {
		args[i] = map[string]string{"FIRST": `transfer alice bobby 11 DCT "x" true`, "SECOND": "get_account nobody-at-all"}[arg]
		if args[i] == "" {
			args[i] = arg
		}
	}
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program, args...)
	home := testwallet.Folder(t)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE="+quickExit, "HOME="+home, "BILLFOLD_DATA_DIR="+filepath.Join(home, "wallet"))
	var problems bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(typed), out, &problems
	err = cmd.Run()
	if ended, failed := errors.AsType[*exec.ExitError](err); failed {
		return ended.ExitCode(), problems.String()
	}
	must(t, err)
	return shell.Done, problems.String()
}

// changing returns the paths of the commands that may change something: all without annotation, and call and console.
func changing(cmd *cobra.Command, path string) map[string]bool {
	out := map[string]bool{}
	for _, below := range cmd.Commands() {
		name := strings.TrimSpace(path + " " + below.Name())
		for deeper := range changing(below, name) {
			out[deeper] = true
		}
		reads := below.Annotations[readsOnly] != "" && name != "call" && name != "console"
		if below.Runnable() && !below.HasSubCommands() && !reads {
			out[name] = true
		}
	}
	return out
}

// TestOutput checks where text goes once standard output takes nothing.
func TestOutput(t *testing.T) {
	var problems bytes.Buffer
	o := &output{out: brokenWriter{}, problems: &problems}
	if _, err := o.Write([]byte("read")); !errors.Is(err, syscall.EPIPE) || problems.Len() > 0 || !o.nobodyReads(err) {
		t.Errorf("a read: %v, said %q", err, problems.String())
	}
	o = &output{out: brokenWriter{}, problems: &problems}
	o.changed()
	for _, text := range []string{"one\n", "two\n"} {
		if n, err := o.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%d %v", n, err)
		}
	}
	want := "billfold: this was done, but standard output does not take the answer (broken pipe); it is:\none\ntwo\n"
	if problems.String() != want || o.end(nil) != nil {
		t.Errorf("said %q, exit code %d", problems.String(), o.end(nil))
	}
	o = &output{out: brokenWriter{}, problems: brokenWriter{}, changes: true}
	if _, err := io.WriteString(o, "one"); err != nil || shell.ExitCode(o.end(nil)) != shell.Unknown {
		t.Errorf("%v, exit code %d: nobody was told", err, o.end(nil))
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
}
