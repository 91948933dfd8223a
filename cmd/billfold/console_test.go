package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"billfold/internal/stories"
	"billfold/walletcore/testwallet"
)

// runToEnd runs the program to its end and returns its output and its exit code.
func runToEnd(t *testing.T, stdin string, args ...string) (out, problems string, code int) {
	t.Helper()
	cmd := processOf(args)
	var printed, complaints bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &printed, &complaints
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return printed.String(), complaints.String(), ended.ExitCode()
	}
	must(t, err)
	return printed.String(), complaints.String(), 0
}

// processOf returns a command that runs this program.
func processOf(args []string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE="+quickExit)
	return cmd
}

// A running server executes typed commands over its socket. Sockets of other users are not used.
func TestCallsGoToTheServer(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	folder := testwallet.SocketFolder(t)
	socket := filepath.Join(folder, "rpc.sock")
	p := start(t, "--sandbox", "--rpc-http=127.0.0.1:0", "--rpc-socket="+socket)
	address := p.line(`^wallet API over HTTP on (http://\S+)$`)
	p.line(`(socket)`)
	for _, c := range []struct {
		args []string
		out  string // on stdout or stderr
		code int
	}{
		{[]string{"call", "is_locked"}, "true", 0}, // by the socket in the folder
		{[]string{"call", "--to", "files", "is_new"}, "true", 0},
		{[]string{"call", "--to", "socket", "transfer", "alice", "bobby", "1", "DCT", "", "true"}, "locked", 4},
		{[]string{"call", "--to", socket, "unlock", "-"}, "null", 0},
		{[]string{"call", "--to", address, "is_locked"}, "false", 0},
		{[]string{"call", "--to", socket, "--dry-run", "transfer", "alice", "bobby", "12.25", "DCT", "", "true"},
			"alice 1.2.16 pays 12.25000000 DCT to bobby 1.2.17", 0},
		{[]string{"call", "--to", socket, "transfer", "alice", "bobby", "12.25", "DCT", "", "true"}, "transaction_id", 0},
		{[]string{"call", "--to", socket, "get_account", "nobody"}, `here is no account "nobody"`, 1},
		{[]string{"call", "--to", socket, "get_acount", "alice"}, "did you mean get_account?", 2},
		{[]string{"call", "--to", socket, "get_block", "x"}, "get_block", 2},
		{[]string{"console", "--exec", "info", "--exec", "transfer alice bobby 1 DCT '' true"}, "nobody can be asked here", 1},
		{[]string{"call", "--to", "http://192.0.2.1:8093", "info"}, "use https", 2},
		{[]string{"call", "--to", filepath.Join(folder, "none"), "info"}, "there is no such socket", 1},
		{[]string{"call", "--ipfs-api=127.0.0.1:1", "is_locked"}, "careful: the wallet server that carries this out has its own --ipfs-api; the one given here does not count\n", 0},
		{[]string{"call", "--max-fee=0.1 DCT", "is_locked"}, "has its own --max-fee", 0},
		{[]string{"__complete", "call", "get_account", "al"}, "alice", 0},
		{[]string{"__complete", "call", "get_asset", "D"}, "DCT", 0},
	} {
		out, problems, code := runToEnd(t, "sandbox\n", append(c.args, "--data-dir="+folder)...)
		if c.args[0] == "__complete" { // flags come before the words to complete
			out, problems, code = runToEnd(t, "", append([]string{"__complete", "--data-dir=" + folder}, c.args[1:]...)...)
		}
		if code != c.code || !strings.Contains(out+problems, c.out) {
			t.Errorf("%q ends with %d: %s%s", c.args, code, out, problems)
		}
	}
	must(t, os.Chmod(socket, 0o666))
	out, problems, code := runToEnd(t, "", "call", "--to", socket, "is_locked")
	if code == 0 || !strings.Contains(problems, "other users may reach the socket") {
		t.Errorf("a socket that all may reach: %d %s%s", code, out, problems)
	}
}

// A person unlocks, completes a line, sees what would be signed, and approves.
func TestConsoleAtATerminal(t *testing.T) {
	t.Parallel()
	w := atTerminal(t, 40, 200, []string{"TERM=xterm"}, "console", "--sandbox", "--data-dir="+t.TempDir())
	w.sees("locked >>> ")
	w.types("unlock\r")
	w.sees("The password \\(not shown\\): ")
	w.types("sandbox\r")
	if text := w.sees("unlocked >>> "); strings.Contains(text, "sandbox") {
		t.Errorf("the password is shown: %q", text)
	}
	w.types("list_account_b\talic\t\r")
	w.sees(`pretty_amount +asset_id\r\n.* DCT +1\.3\.0`)
	w.types("transfer alice bobby 3 DCT 'for you' true\r")
	w.sees(`To +bobby 1\.2\.17(.|\n)*Amount +3\.00000000 DCT(.|\n)*Fee(.|\n)*type yes: `)
	w.types("no\r")
	w.sees("you did not agree(.|\n)*>>> ")
	w.types("transfer alice bobby 3 DCT 'for you' true\ryes\r") // typed ahead, so it is not a yes
	w.sees("a line that came before this question was not run: not shown, because it may hold a secret\r\nsign it\\? type yes: $")
	w.types("yes\r")
	w.sees(`"transaction_id": "[0-9a-f]{40}"(.|\n)*>>> `)
	w.types("transfer alice bobby 3 DCT 'for you' true\r") // the texts that the UI would ask for are asked for here, too
	w.sees("the same payment(.|\n)*type the amount: $")
	w.types("4\r")
	w.sees("it does not match; an empty line signs nothing(.|\n)*type the amount: $")
	w.types("\r")
	w.sees("the amount was not typed(.|\n)*>>> ")
	w.types("transfer alice bobby 3 DCT 'for you' true\r")
	w.sees("type the amount: $")
	w.types("3\r")
	w.sees("type yes: $")
	w.types("no\r")
	w.sees("you did not agree(.|\n)*>>> ")
	w.types("unlokc\r")
	w.sees("did you mean unlock\\?(.|\n)*>>> ")
	w.types("\x03")
	w.sees(">>> ")
	w.types("quit\r")
	w.leaves()
}

// Lines that are pasted after one that needs approval neither answer nor run, and the console reports that.
func TestConsoleReportsPastedLinesThatDidNotRun(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	w := atTerminal(t, 40, 200, []string{"TERM=xterm"}, "console", "--sandbox", "--data-dir="+t.TempDir())
	w.says("unlock", "The password \\(not shown\\): ")
	w.says("sandbox", "unlocked >>> ")
	long := "get_account " + strings.Repeat("x", 5000)
	for pasted, want := range map[string]string{
		"is_locked\r\n\r\nget_account bobby\rabout": `3 lines that came before this question were not run; the first: "is_locked"`,
		"get_account \x07bobby\r":                   "a line that came before this question was not run: not shown, because it may hold a secret",
		"unlock hunter2\rabout\r":                   "2 lines that came before this question were not run; the first: not shown, because it may hold a secret",
		long + "\r":                                 `a line that came before this question was not run: "get_account x+"(.{1,40})?`,
	} {
		w.types("transfer alice bobby 3 DCT '' true\r" + pasted)
		seen := w.sees(`type (yes|the amount): $`)
		if at := strings.Index(seen, "came before"); !regexp.MustCompile(want).MatchString(seen) || at < 0 ||
			strings.ContainsAny(seen[at:], "\x07") || len(seen[at:]) > 300 || strings.Contains(seen[at:], "hunter2") {
			t.Errorf("after %.40q it says %q", pasted, seen)
		}
		w.says("no", "you did not agree(.|\n)*unlocked >>> $")
	}
	w.says("quit", "")
	w.leaves()
}

// A password is asked for and not shown even at a terminal that reports no size or cannot move its cursor.
func TestConsoleAtAPoorTerminal(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	for name, at := range map[string]struct {
		rows, columns uint16
		kind          string
	}{"without a size": {0, 0, "xterm"}, "dumb": {24, 80, "dumb"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := atTerminal(t, at.rows, at.columns, []string{"TERM=" + at.kind}, "console", "--sandbox", "--data-dir="+t.TempDir())
			w.sees("locked >>> ")
			w.types("unlock\r")
			w.sees("The password \\(not shown\\): ")
			w.types("sandbox\r")
			if text := w.sees("unlocked >>> "); strings.Contains(text, "sandbox") {
				t.Errorf("the password is shown: %q", text)
			}
			w.says("is_locked", "false(.|\n)*unlocked >>> ")
			w.types("quit\r")
			w.leaves()
		})
	}
}

// A terminal that does not answer delays no command: only the UI asks it for its colours, and waits only for a moment.
func TestCommandsDoNotQueryTheTerminal(t *testing.T) {
	t.Parallel()
	text := atTerminal(t, 24, 80, []string{"TERM=xterm"}, "version").leaves()
	if !strings.HasPrefix(text, "billfold ") || strings.Contains(text, "\x1b") {
		t.Errorf("the terminal was told %q", text)
	}
}
