package walletapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"billfold/ledger/usertext"
	"billfold/walletcore/commandline"
	"billfold/walletcore/fault"
)

// Command files are in a folder of their own beside the key file, so that a program that may
// call the wallet can read no other files through it.
const (
	commandsFolder  = "commands"
	largestCommands = 1 << 20  // bytes of a file
	maxResults      = 16 << 20 // bytes of the results of its commands
)

type commandFileParams struct {
	Name string `json:"command_file_name" help:"a file in the folder commands of the wallet's folder"`
}

// fromCommandFile declares the operation that executes others.
func fromCommandFile() *Method {
	m := declare("from_command_file", Reads,
		doc{Help: "Executes the wallet operations in a file, one a line, until one fails.", Reach: ReachWallet, Secret: true,
			Result: "the result of each, one a line", Examples: []string{"payday.txt"}},
		operation[commandFileParams, string](func(ctx context.Context, w *Core, p Params) (string, error) {
			if p.Nested == nil {
				return "", &fault.Error{Code: fault.UnsupportedOperation, Message: "a command file cannot be executed from here",
					Hint: "a command file cannot execute another; billfold console FILE executes one"}
			}
			folder := filepath.Join(filepath.Dir(w.Vault.Path), commandsFolder)
			text, err := readCommands(folder, parameters[commandFileParams](p).Name)
			if err != nil {
				return "", err
			}
			return runCommands(ctx, w.table, text, p.Nested)
		}))
	m.Nests = true
	return inOrder(m)
}

// readCommands reads a regular file in a folder, and nothing outside it.
func readCommands(folder, name string) (string, error) {
	none := &fault.Error{Code: fault.NoSuchFile, Message: "there is no command file " + fault.Quote(name),
		Hint: "command files are in the folder " + commandsFolder + " of the wallet's folder"}
	if filepath.Base(name) != name || !filepath.IsLocal(name) {
		return "", none
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", none
	}
	defer func() { _ = root.Close() }()
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return "", none
	}
	file, err := root.Open(name)
	if err != nil {
		return "", none
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, largestCommands+1))
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", &fault.Error{Code: fault.File, Message: "the command file cannot be read: " + err.Error()}
	case len(text) > largestCommands:
		return "", &fault.Error{Code: fault.LimitExceeded, Message: "the command file is larger than 1 MiB", Hint: "split it into several"}
	}
	if text, err = usertext.Decode(text); err != nil {
		return "", &fault.Error{Code: fault.File, Message: "the command file cannot be read: " + err.Error(), Err: err}
	}
	return string(text), nil
}

// runCommands executes the lines until one fails. The message of its error then also counts the commands that were
// done before; its code stays the same.
func runCommands(ctx context.Context, t *table, text string, run Nested) (string, error) {
	var out bytes.Buffer
	number, done := 0, 0
	for line := range usertext.Lines(text) {
		number++
		if commandline.IsEmpty(line) {
			continue
		}
		method, result, err := runCommand(ctx, t, line, run)
		if err == nil && out.Len()+len(result) > maxResults {
			done++
			err = &fault.Error{Code: fault.LimitExceeded, Message: "the results are larger than one call may return"}
		}
		if err != nil {
			return "", stoppedAt(err, number, done, method)
		}
		done++
		out.Write(append(result, '\n'))
	}
	return out.String(), nil
}

func runCommand(ctx context.Context, t *table, line string, run Nested) (string, json.RawMessage, error) {
	c, err := commandline.Parse(line)
	if err != nil {
		return "", nil, &fault.Error{Code: fault.BadParameter, Message: err.Error(), Err: err}
	}
	if err := ctx.Err(); err != nil {
		return c.Method, nil, &fault.Error{Code: fault.Canceled, Message: "the call was canceled before this command", Err: err}
	}
	if m := t.byName[c.Method]; m != nil {
		for i := range min(len(c.Params), len(m.Params)) {
			if m.Params[i].Secret {
				return c.Method, nil, &fault.Error{Code: fault.BadParameter,
					Message: "the parameter " + m.Params[i].Name + " of " + m.Name + " is secret, and must not be kept in a file"}
			}
		}
		c.Params = m.FromWords(c.Params)
	}
	params := c.Params
	if params == nil {
		params = []json.RawMessage{}
	}
	result, err := run(ctx, c.Method, Params{Positional: params, Exact: true})
	var text string
	if err == nil && json.Unmarshal(result, &text) == nil {
		result = json.RawMessage(text)
	}
	return c.Method, result, err
}

// stoppedAt returns err with the line of the command file where it occurred, and how many commands were done before.
func stoppedAt(err error, number, done int, method string) error {
	e := &fault.Error{Code: fault.Internal, Message: "an internal fault of the wallet", Err: err}
	if own, ok := errors.AsType[*fault.Error](err); ok {
		named := *own
		e = &named
	}
	if method != "" {
		method = ", " + method
	}
	before := "the command before it was done"
	if done != 1 {
		before = fmt.Sprintf("%d commands before it were done", done)
	}
	e.Message = fmt.Sprintf("line %d%s: %s; %s, nothing after it was tried", number, method, e.Message, before)
	return e
}
