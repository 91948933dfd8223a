package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
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
	"closed": func(*testing.T) *os.File { return nil },
}

// lostWriters are standard outputs that take no answer, in this process.
var lostWriters = map[string]func() *output{
	"full":      func() *output { return &output{out: brokenWriter{syscall.ENOSPC}} },
	"no reader": func() *output { return &output{out: brokenWriter{syscall.EPIPE}} },
	"closed":    func() *output { return &output{out: io.Discard, closed: true} },
}

// changingRun is a run of a command that changes something: its arguments, what is typed, what standard error then says, and the exit
// code. A group in told is what THAT stands for in later runs.
type changingRun struct {
	path, args, typed, told string
	code                    int
}

// changingRuns are the story of a wallet whose owner never sees an answer, each command that changes something among them: FOLDER is its
// folder, WALLET names its wallet and a daemon, LEGACY a wallet.json, WIF alice's key.
var changingRuns = []changingRun{
	{"import", "--data-dir=FOLDER/legacy import LEGACY", "pass123\nmy new password\nmy new password\n", `imported \d+ keys`, shell.Done},
	{"console", "WALLET console --yes FOLDER/begin", "killed\nkilled\n", `(?s)set_password was done, .*null.*unlock was done, .*save_wallet_file was done`, shell.Done},
	{"console", "WALLET console --yes --exec unlock --exec import_single_key|alice|- --exec remove_account|nobody-here", "killed\nWIF\n",
		`(?s)import_single_key was done, .*true.*remove_account: .*the 2 commands before it were done`, shell.Refused},
	{"console", "WALLET console --yes --exec unlock --exec dump_private_keys", "killed\n", `dump_private_keys: .*\nthe command before it was done`, shell.Refused},
	{"call", "WALLET call transfer alice bobby 7 DCT full true", "killed\n", `(?s)transfer was done, .*"transaction_id": "[0-9a-f]{40}"`, shell.Done},
	{"call", "WALLET call --export=FOLDER/called.json transfer alice bobby 1 DCT later true", "killed\n", `transaction [0-9a-f]{40} is in .*called.json`, shell.Done},
	{"console", "WALLET console --yes --exec unlock --exec transfer|alice|bobby|11|DCT|x|true --exec get_account|nobody-at-all", "killed\n",
		`(?s)transfer was done, .*"transaction_id": "[0-9a-f]{40}".*the 2 commands before it were done`, shell.Refused},
	{"", "WALLET --linear", "", `(?s)standard output does not take the following .*Linear mode`, shell.IsLocked}, // its standard input has ended
	{"journal backup", "WALLET journal backup FOLDER/backup.db", "", `backup.db has the journal with \d+ changes`, shell.Done},
	{"backup", "WALLET backup FOLDER/whole.billfold", "sealed\n", `whole.billfold has the wallet: \d+ keys?, `, shell.Done},
	{"restore", "--data-dir=FOLDER/restored restore FOLDER/whole.billfold", "sealed\n", `(?s)is restored into .*it spends nothing yet`, shell.Done},
	{"store archive", "WALLET store archive --before=2026-01-01", "", `nothing from before 2026-01-01 is left to archive`, shell.Done},
	{"pay", "WALLET pay FOLDER/pay.csv --yes", "killed\n", `sent 1 of 1: .*, transaction ([0-9a-f]{40})`, shell.Done},
	{"tx export", "WALLET tx export --out=FOLDER/rent.json transfer alice bobby 3 DCT rent true", "killed\n", `transaction [0-9a-f]{40} is in .*rent.json`, shell.Done},
	{"tx sign", "WALLET tx sign FOLDER/rent.json --yes", "killed\n", `signed; it can be broadcast`, shell.Done},
	{"tx merge", "tx merge --out=FOLDER/merged.json FOLDER/rent.json FOLDER/rent.json", "", `merged.json has 1 signature`, shell.Done},
	{"tx broadcast", "WALLET tx broadcast FOLDER/rent.json --yes", "", `[0-9a-f]{40} is \w+; billfold call get_payment`, shell.Done},
	{"pins forget", "WALLET pins forget bobby", "", `forgot account 1.2.\d+`, shell.Done},
	{"token new", "WALLET token new shop", "", `the new token cannot be printed: .*; it was revoked again`, shell.Refused},
	{"token revoke", "WALLET token revoke till", "", `token till \(\w+\) is revoked`, shell.Done},
	{"journal restore", "WALLET journal restore FOLDER/backup.db --older", "", `(?s)backup.db is restored.*is an older copy`, shell.Done},
	{"journal accept", "WALLET journal accept --from-block 1", "killed\n", `the wallet spends again`, shell.Done},
	{"journal claim", "WALLET journal claim --none THAT", "", `THAT`, shell.Done},
}

// elsewhere are the commands that changingRuns lacks, and why.
var elsewhere = map[string]string{
	"content publish": "TestContentUntold", "content buy": "TestContentUntold", "content cancel": "TestContentUntold",
	"sandbox":       "runs until it is stopped: TestServersWithoutReaders",
	"store give-up": "TestAnArchiveIsLost",
	"store accept":  "writes as journal accept does", "store claim": "is journal claim", // which take a store that lost something
	"store export": "TestAStoreMovesUntold", "store forget": "TestAServerIsForgotten", "store init": "TestAStoreMovesUntold", "store migrate": "TestAStoreMovesUntold",
}

// TestDoneIsDone runs every command that changes something while standard output takes nothing. What was done is not called failed: it is
// reported on standard error.
func TestDoneIsDone(t *testing.T) {
	t.Parallel()
	walked := map[string]bool{}
	for _, run := range changingRuns {
		walked[run.path] = true
	}
	for path := range changing(rootCommand(nil), "") {
		if !walked[path] && elsewhere[path] == "" {
			t.Errorf("billfold %s changes something, and no run of it is known here (changingRuns); if it only reads, say so in markReading", path)
		}
	}
	for name := range lostWriters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			box := start(t, "sandbox", "--listen=127.0.0.1:0", "--block-time=1s") // of its own: what other wallets pay with these keys is missed
			node, ledger, wif := box.line(`^websocket +(ws://\S+)$`), box.line(`^HTTP +(http://\S+)$`), box.line(`^demo key +alice +(\w+)$`)
			folder := testwallet.Folder(t)
			writeFile(t, folder, "begin", "set_password -\nunlock -\nsave_wallet_file \"\"\n")
			writeFile(t, folder, "pay.csv", "account,amount,asset\ncarol,5,DCT\n")
			legacy, err := filepath.Abs(filepath.Join("testdata", "wallet-legacy.json"))
			must(t, err)
			words := map[string]string{"FOLDER": folder, "WALLET": "--data-dir=" + folder + "/wallet --daemon-url=" + node, "LEGACY": legacy, "WIF": wif}
			for _, run := range changingRuns {
				switch run.path {
				case "token revoke": // one that could be printed
					runHere(t, &output{out: io.Discard, problems: io.Discard}, "", "--data-dir="+folder+"/wallet", "token", "new", "till")
				case "journal restore": // what was there is lost
					must(t, os.Rename(filepath.Join(folder, "wallet", "payments.db"), filepath.Join(folder, "lost.db")))
				}
				if run.path == "journal accept" { // it reads half a minute of blocks
					defer mineAlong(remote{t, ledger})()
				}
				runUntold(t, run, name, words)
			}
		})
	}
}

// mineAlong makes blocks until the test ends.
func mineAlong(ledger remote) (end func()) {
	done := make(chan struct{})
	var mining sync.WaitGroup
	mining.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				ledger.ok("sandbox_mine", "1")
			}
		}
	})
	return func() { close(done); mining.Wait() }
}

// runUntold is a run whose standard output takes nothing.
func runUntold(t *testing.T, run changingRun, lost string, words map[string]string) {
	t.Helper()
	fill := func(text string) string {
		for word, stands := range words {
			text = strings.ReplaceAll(text, word, stands)
		}
		return text
	}
	args := strings.Fields(fill(run.args))
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "|", " ")
	}
	var problems bytes.Buffer
	out := lostWriters[lost]()
	out.problems = &problems
	code := runHere(t, out, fill(run.typed), args...)
	found := regexp.MustCompile(fill(run.told)).FindStringSubmatch(problems.String())
	if code != run.code || found == nil || words["WIF"] != "" && strings.Contains(problems.String(), words["WIF"]) {
		t.Fatalf("billfold %s: exit code %d, want %d, and said:\n%s\nwant %s", run.args, code, run.code, problems.String(), run.told)
	}
	if len(found) > 1 {
		words["THAT"] = found[1]
	}
}

// runHere runs billfold in this process and returns its exit code.
func runHere(t *testing.T, out *output, typed string, args ...string) int {
	t.Helper()
	root := rootCommand(throwAwayKeystore())
	root.SetIn(strings.NewReader(typed))
	return execute(t.Context(), root, args, out)
}

// TestAPaymentOfAProcess pays by processes whose standard output takes nothing, as files and pipes do that.
func TestAPaymentOfAProcess(t *testing.T) {
	t.Parallel()
	for name, lost := range lostOutputs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for sent, deed := range map[string]string{"true": "was done", "false": "was signed, and not sent"} {
				code, told := runLost(t, lost(t), "", "--sandbox", "call", "transfer", "alice", "bobby", "7", "DCT", "full", sent)
				if code != shell.Done || !regexp.MustCompile(`(?s)transfer `+deed+`, .*"transaction_id": "[0-9a-f]{40}"`).MatchString(told) {
					t.Errorf("exit code %d, and said:\n%s", code, told)
				}
			}
		})
	}
	t.Run("standard error closed, too", func(t *testing.T) {
		t.Parallel()
		program, err := os.Executable()
		must(t, err)
		for _, out := range []string{">&-", ">/dev/full"} {
			cmd := exec.Command("/bin/sh", "-c", `exec "$0" --sandbox call transfer alice bobby 7 DCT untold true `+out+" 2>&-", program)
			if code := exitCode(t, asBillfold(t, cmd)); code != shell.Unknown {
				t.Errorf("%s: exit code %d, and nobody was told", out, code)
			}
		}
	})
}

// TestServersWithoutReaders closes what a server and a ledger write to. They go on, also at their next line of log.
func TestServersWithoutReaders(t *testing.T) {
	t.Parallel()
	ledger, heard := startHeard(t, "sandbox", "--listen=127.0.0.1:0")
	node := heard(`^websocket +(ws://\S+)$`)
	heard("") // nobody reads the demo keys
	server, heard := startHeard(t, "--daemon-url="+node, "--rpc-http=127.0.0.1:0", "--data-dir="+testwallet.Folder(t))
	api := remote{t, heard(`^wallet API over HTTP on (http://\S+)$`)}
	heard("")
	api.isReady(onlyKeyless)
	stop(t, ledger)
	api.isReady("not ready: the wallet waits for its daemon") // which is a line of log
	api.ok("is_new")
	stop(t, server)
}

// startHeard starts billfold, and returns how its lines are read: the group of a form in the next line that has it. Without a form
// nothing is read any more.
func startHeard(t *testing.T, args ...string) (*exec.Cmd, func(form string) string) {
	t.Helper()
	cmd := processOf(args)
	read, write, err := os.Pipe()
	must(t, err)
	cmd.Stdout, cmd.Stderr = write, write
	must(t, errors.Join(cmd.Start(), write.Close()))
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	lines := bufio.NewScanner(read)
	return cmd, func(form string) string {
		t.Helper()
		if form == "" {
			must(t, read.Close())
			return ""
		}
		for lines.Scan() {
			if found := regexp.MustCompile(form).FindStringSubmatch(lines.Text()); found != nil {
				return found[1]
			}
		}
		t.Fatalf("no line %s came", form)
		return ""
	}
}

func stop(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()); err != nil {
		t.Errorf("%v ended with %v", cmd.Args[1:], err)
	}
}

// TestOperationsThatChange compares what counts as changing with the list of operations.
func TestOperationsThatChange(t *testing.T) {
	t.Parallel()
	shows := []string{"dump_private_keys", "get_private_key", "get_el_gammal_key", "restore_encryption_key"} // which are secrets: they go to standard output only
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "operations.txt"))
	must(t, err)
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] == "#" {
			continue
		}
		m := shell.Find(words[0])
		if m == nil {
			t.Fatalf("there is no operation %s", words[0])
		}
		if want := words[1] != "read" && !slices.Contains(shows, m.Name); m.Changes() != want {
			t.Errorf("%s changes something: %v, want %v", m.Name, m.Changes(), want)
		}
		if slices.Contains(shows, m.Name) && !m.Secret {
			t.Errorf("%s is no secret", m.Name)
		}
	}
}

// TestAReadThatNobodyGetsFails runs commands that change nothing while standard output takes nothing.
func TestAReadThatNobodyGetsFails(t *testing.T) {
	t.Parallel()
	if code, told := runLost(t, lostOutputs["full"](t), "", "version"); code != shell.Refused || !strings.Contains(told, "no space left") {
		t.Errorf("exit code %d: %s", code, told)
	}
	if code, told := runLost(t, nil, "", "version"); code != shell.Refused || !strings.Contains(told, errClosed.Error()) {
		t.Errorf("closed: exit code %d: %q", code, told)
	}
	told := `--exec line 1, info(.|\n)*nothing was done before it; nothing after it was tried`
	if code, says := runLost(t, lostOutputs["no reader"](t), "", "--sandbox", "console", "--exec", "info", "--exec", "info"); code != shell.Refused || !regexp.MustCompile(told).MatchString(says) {
		t.Errorf("exit code %d: %q, want %s", code, says, told)
	}
	if code, told := runLost(t, lostOutputs["no reader"](t), "", "call", "help"); code != shell.Refused || told != "" {
		t.Errorf("exit code %d: %q; a reader that has enough is no news", code, told)
	}
}

// runLost runs billfold with a standard output that takes nothing, and returns its exit code and standard error.
func runLost(t *testing.T, out *os.File, typed string, args ...string) (int, string) {
	t.Helper()
	program, err := os.Executable()
	must(t, err)
	cmd := exec.Command(program, args...)
	if out == nil {
		cmd = exec.Command("/bin/sh", append([]string{"-c", `exec "$0" "$@" >&-`, program}, args...)...)
	} else {
		defer out.Close()
		cmd.Stdout = out
	}
	var problems bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(typed), &problems
	return exitCode(t, asBillfold(t, cmd)), problems.String()
}

// asBillfold has a command run as billfold, with a folder of its own.
func asBillfold(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	home := testwallet.Folder(t)
	cmd.Env = append(os.Environ(), asProgram+"=1", "GORACE="+quickExit, "HOME="+home, "BILLFOLD_DATA_DIR="+filepath.Join(home, "wallet"))
	return cmd
}

// exitCode runs a command and returns how it ended.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	err := cmd.Run()
	if ended, failed := errors.AsType[*exec.ExitError](err); failed {
		return ended.ExitCode()
	}
	must(t, err)
	return shell.Done
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
	o := &output{out: brokenWriter{syscall.EPIPE}, problems: &problems}
	if _, err := o.Write([]byte("read")); !errors.Is(err, syscall.EPIPE) || problems.Len() > 0 || !o.nobodyReads(err) {
		t.Errorf("a read: %v, said %q", err, problems.String())
	}
	o = &output{out: brokenWriter{syscall.EPIPE}, problems: &problems, changes: true}
	for _, text := range []string{"plan\n", "one\n", "two\n"} {
		if text == "one\n" {
			o.changed("transfer was done")
		}
		if n, err := o.Write([]byte(text)); n != len(text) || err != nil {
			t.Errorf("%d %v", n, err)
		}
	}
	want := "billfold: standard output does not take the following (broken pipe):\nplan\n" +
		"billfold: transfer was done, but standard output does not take its answer (broken pipe); it is:\none\ntwo\n"
	if problems.String() != want || o.end(nil) != nil {
		t.Errorf("said %q, exit code %d", problems.String(), o.end(nil))
	}
	o = &output{out: brokenWriter{syscall.EPIPE}, problems: brokenWriter{syscall.EPIPE}, changes: true}
	if _, err := io.WriteString(o, "one"); err != nil || shell.ExitCode(o.end(nil)) != shell.Unknown {
		t.Errorf("%v, exit code %d: nobody was told", err, o.end(nil))
	}
}

type brokenWriter struct{ why error }

func (w brokenWriter) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: w.why}
}
