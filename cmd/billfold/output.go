package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"

	"billfold/cmd/billfold/shell"

	"github.com/spf13/cobra"
)

// output is the standard output of a command. What a command did and the telling of it are two things: of a command that changes
// something, text that standard output does not take goes to standard error, and the command does not fail by it. While a command only
// read, a failed write is its error.
type output struct {
	out, problems io.Writer

	mu      sync.Mutex
	changes bool   // the command changes something, or did so already
	deed    string // what was done last and whose answer is not written yet, such as "transfer was done"; "" = nothing
	runs    bool   // the command runs until it is stopped; where it listens is of no interest then
	closed  bool   // standard output was closed, so nothing that is written arrives anywhere, without an error
	lost    error  // why standard output takes nothing more; nil: it does
	noted   bool   // standard error says so already
	unsaid  bool   // standard error did not take it either
}

// errClosed is the error of a write to an output that was closed.
var errClosed = errors.New("standard output is closed, or leads nowhere")

// Write implements io.Writer.
func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	deed := o.deed
	o.deed = ""
	if o.lost == nil && o.closed {
		o.lost = errClosed
	}
	if o.lost == nil {
		if _, o.lost = o.out.Write(text); o.lost == nil {
			return len(text), nil
		}
	}
	if !o.changes {
		return 0, o.lost
	}
	switch {
	case deed != "":
		o.say("billfold: " + deed + ", but standard output does not take its answer (" + reason(o.lost) + "); it is:\n")
	case !o.noted:
		o.say("billfold: standard output does not take the following (" + reason(o.lost) + "):\n")
	}
	o.noted = true
	o.say(string(text))
	return len(text), nil
}

func (o *output) say(text string) {
	if _, err := io.WriteString(o.problems, text); err != nil {
		o.unsaid = true
	}
}

// changed records that an operation was done, "" for a command that says itself what it does: from now on, no failed write is an error.
func (o *output) changed(deed string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.changes, o.deed = true, deed
}

// end returns the error of a command whose own was err: where nothing was done, an answer that was lost, also by a command that does
// not look at what it writes; and where something was done and could be said nowhere, that its outcome is not known to anybody.
func (o *output) end(err error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case err != nil || o.lost == nil || o.runs:
		return err
	case o.changes && o.unsaid:
		return shell.Reported{Code: shell.Unknown}
	case o.changes:
		return nil
	}
	return fmt.Errorf("standard output takes nothing: %w", o.lost)
}

// nobodyReads reports whether a command that only read failed because its reader left, as head does when it has enough. That needs no words,
// unless it ended a list of commands of which the rest was not tried.
func (o *output) nobodyReads(err error) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, stopped := errors.AsType[*shell.StoppedError](err)
	return !stopped && !o.changes && o.lost != nil && errors.Is(err, syscall.EPIPE)
}

// reason returns the system's word for a failed write, without the name of the file.
func reason(err error) string {
	if errors.Is(err, errClosed) {
		return "it is closed, or leads nowhere"
	}
	if e, ok := errors.AsType[*os.PathError](err); ok {
		err = e.Err
	}
	return err.Error()
}

// surviveLostReaders makes a write to a pipe that nobody reads an error. Go ends a program that writes so to its standard output or
// error: a payment would be made and not told, and a server would end, with the keys that somebody unlocked, at its next line of log.
func surviveLostReaders() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// readsOnly is the annotation of commands that change nothing, or that say themselves when they do.
const readsOnly = "reads only"

// markReading annotates the commands that change nothing, and call and console, whose operations say what they do. All others, new ones
// among them, count as changing something.
func markReading(root *cobra.Command) {
	for _, path := range []string{
		"", "audit", "audit list", "audit verify", "call", "completion bash", "completion fish",
		"completion powershell", "completion zsh", "console", "content", "content list", "doctor", "explain", "journal", "journal found", "journal status", "manual", "migrate",
		"pins", "pins list", "reconcile", "servers", "status", "store", "store found", "store status", "store verify", "token", "token list", "tx", "tx inspect", "version",
	} {
		cmd, _, err := root.Find(strings.Fields(path))
		if err != nil {
			continue
		}
		if cmd.Annotations == nil {
			cmd.Annotations = map[string]string{}
		}
		cmd.Annotations[readsOnly] = "true"
	}
}

// noteChange returns what a shell calls when it did something.
func noteChange(cmd *cobra.Command) func(deed string) {
	if out, ok := cmd.OutOrStdout().(*output); ok {
		return out.changed
	}
	return func(string) {}
}

// secretOutput returns the writer for secrets: standard output, and never standard error, which is often a log.
func secretOutput(cmd *cobra.Command) io.Writer {
	own, ok := cmd.OutOrStdout().(*output)
	switch {
	case !ok:
		return cmd.OutOrStdout()
	case own.closed:
		return nowhere{}
	}
	return own.out
}

// nowhere is an output that was closed.
type nowhere struct{}

// Write implements io.Writer.
func (nowhere) Write([]byte) (int, error) { return 0, errClosed }

// answers returns how the answer of an operation is printed, as a table if asTable is set and the operation has one.
func answers(cmd *cobra.Command, asTable bool) func(method string, result []byte) error {
	return func(method string, result []byte) error {
		out := cmd.OutOrStdout()
		if m := shell.Find(method); m != nil && m.Secret && !m.Changes() {
			out = secretOutput(cmd)
		}
		return shell.Print(out, method, result, asTable)
	}
}

// isChanging reports whether words name a command that changes something.
func isChanging(root *cobra.Command, words []string) bool {
	asked, _, err := root.Find(words)
	help := slices.Contains(words, "--help") || slices.Contains(words, "-h")
	return err == nil && !help && asked.Annotations[readsOnly] == ""
}
