package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"billfold/cmd/billfold/setting"
	"billfold/osfile"
)

// Where --unlock-from reads the password, besides a file.
const (
	fromDescriptor = "fd:"
	fromCredential = "credential:"
	fromCommand    = "command:"
)

// passwordWait is the time that a command and the other end of a pipe have.
const passwordWait = 30 * time.Second

// secretKind is the kind of secret that is read from such a place.
type secretKind struct {
	noun string
	most int    // bytes
	next string // what to do once others could have read it
}

func passwordSecret() secretKind { return secretKind{"password", 4 << 10, "change the password"} }

func identitySecret() secretKind { return secretKind{"identity", 64 << 10, "make a new identity"} }

// otherPlace returns what to write for a place as other programs name it, by the word in front of its colon; "" if none of them has the word.
func otherPlace(word string) string {
	switch strings.ToLower(word) {
	case "file":
		return "a file is named by its path alone, as in /etc/wallet/password; leave out file: and what belongs to it"
	case "pass", "password":
		return "a password itself does not belong here, where others of the machine read it; write it into a file that only you can read, and name that by its path"
	case "env", "environment":
		return "no password is read from the environment, which others may see; write it into a file that only you can read, and name that by its path"
	case "exec", "cmd", "sh", "shell", "program":
		return "a program is named behind command:, as in command:secret-tool lookup wallet main"
	case "-", "stdin":
		return "standard input is named fd:0"
	}
	return ""
}

// parseUnlockFrom checks where the password is to come from. Its error never repeats the text, which may be the password itself.
func parseUnlockFrom(text string) (string, error) {
	wrong := errors.New("it is not a place that has a password; write the path of a file, fd:3, credential:NAME or command:PROGRAM …")
	switch kind, rest, found := strings.Cut(text, ":"); {
	case strings.HasPrefix(text, "~"):
		return "", errors.New("it begins with ~, which stands for your home folder only where a shell replaces it; write the whole path, or $HOME in a shell")
	case otherPlace(kind) != "" && (found || otherPlace(kind) == otherPlace("-")):
		return "", errors.New(otherPlace(kind))
	case !found || strings.ContainsAny(kind, "/.") || filepath.VolumeName(text) != "":
		if setting.CheckPath(text) != nil {
			return "", wrong
		}
	case strings.TrimSpace(rest) == "":
		return "", wrong
	case kind+":" == fromDescriptor:
		switch n, err := strconv.ParseUint(rest, 10, 16); {
		case err != nil:
			return "", wrong
		case n == 1 || n == 2:
			return "", errors.New("fd:1 and fd:2 are standard output and standard error, from which nothing is read; open the password under another number, such as 3<FILE for fd:3, or use fd:0")
		}
	case kind+":" == fromCredential:
		if filepath.Base(rest) != rest || rest == ".." || rest == "." {
			return "", wrong
		}
	case kind+":" != fromCommand:
		return "", wrong
	}
	return text, nil
}

// unlockAtStart unlocks the wallet with the password that the settings name a place of, and reports how that ended. The wallet stays
// locked if there is none or a wrong one: nobody is asked, and it is tried once.
func (p *program) unlockAtStart(ctx context.Context, out io.Writer) {
	from := p.settings.unlockFrom
	if isSlowPlace(from) {
		fmt.Fprintf(out, "waiting for the password of --unlock-from, %.0f s at most\n", passwordWait.Seconds())
	}
	line, err := p.settings.passwordFrom(ctx, from)
	if err == nil { // not a copy, which could not be wiped: Unlock keeps nothing of it
		err = p.wallet.Vault.Unlock(ctx, unsafe.String(unsafe.SliceData(line), len(line)))
	}
	clear(line)
	if err != nil {
		said, where := p.settings.values.HideSecrets(err), "--unlock-from: "
		if _, named := errors.AsType[*setting.HiddenError](said); named {
			where = ""
		}
		fmt.Fprintf(out, "the wallet stays locked: %s%s\n", where, sentence(said))
		return
	}
	fmt.Fprintln(out, "unlocked by --unlock-from")
}

// isSlowPlace reports whether somebody may take a while to give the password.
func isSlowPlace(from string) bool {
	return strings.HasPrefix(from, fromDescriptor) || strings.HasPrefix(from, fromCommand)
}

// passwordFrom reads a password at a place; the caller clears it. It returns several lines with errSeveralLines or errFirstEmpty. What is wrong
// with the text is told with the place, but for a command, which may have secrets in it.
func (s *settings) passwordFrom(ctx context.Context, from string) ([]byte, error) {
	text, err := s.secretFrom(ctx, from, passwordSecret())
	if err != nil {
		return nil, err
	}
	line, err := secretIn(text)
	own := bytes.Clone(line) // line may be a part of text, or a copy of it
	clear(line)
	clear(text)
	if err != nil && !strings.HasPrefix(from, fromCommand) {
		err = fmt.Errorf("%s: %w", from, err)
	}
	return own, err
}

// secretFrom reads a secret; the caller clears it.
func (s *settings) secretFrom(ctx context.Context, from string, k secretKind) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, passwordWait)
	defer cancel()
	kind, rest, _ := strings.Cut(from, ":")
	switch kind + ":" {
	case fromDescriptor:
		return k.descriptorText(ctx, rest)
	case fromCredential:
		folder := os.Getenv("CREDENTIALS_DIRECTORY")
		if folder == "" {
			return nil, errors.New("there are no credentials, as CREDENTIALS_DIRECTORY is not set; add LoadCredential= to the unit")
		}
		text, err := s.trust.Read(filepath.Join(folder, rest), int64(k.most)) // who may read it is up to who made it
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("the unit has no credential of the name %s%s; add LoadCredentialEncrypted=%[1]s:FILE to it, or correct the name",
				rest, namesIn(folder))
		}
		return text, err
	case fromCommand:
		return k.commandText(ctx, rest)
	}
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if whole, failed := filepath.Abs(from); failed == nil {
			from = whole
		}
		return nil, fmt.Errorf("the %s cannot be read: there is no file %s; write the whole path of one", k.noun, from)
	case err != nil:
		return nil, fmt.Errorf("the %s cannot be read: %w; make it readable for the wallet's user", k.noun, err)
	case info.IsDir():
		return nil, fmt.Errorf("the %s cannot be read: %s is a folder; name the file in it", k.noun, from)
	}
	if who := osfile.Exposure(from, info, s.trust.Covers); who != "" {
		return nil, fmt.Errorf("other users may read %s (%s); run: %s, and %s", from, who, osfile.Closing(from), k.next)
	}
	return s.trust.Read(from, int64(k.most))
}

// namesIn returns, in brackets, the names of the files in a folder.
func namesIn(folder string) string {
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) == 0 {
		return ""
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return " (there is " + strings.Join(names, ", ") + ")"
}

// descriptorText reads what whoever started the program left open for it under a number.
func (k secretKind) descriptorText(ctx context.Context, number string) ([]byte, error) {
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return nil, err
	}
	if !isInherited(uintptr(n)) {
		return nil, fmt.Errorf("%s%s is not open; whoever starts the program has to open it", fromDescriptor, number)
	}
	file := os.NewFile(uintptr(n), fromDescriptor+number)
	defer file.Close()
	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	go func() { // ends with the other end of the pipe, or with the process
		text, err := k.text(file)
		done <- read{text, err}
	}()
	select {
	case got := <-done:
		return got.text, got.err
	case <-ctx.Done():
		return nil, fmt.Errorf("%s%s gave no %s in time", fromDescriptor, number, k.noun)
	}
}

// commandText returns what a command prints. What it started ends with it once the time is over, and what it leaves behind is not
// waited for.
func (k secretKind) commandText(ctx context.Context, command string) ([]byte, error) {
	got := secretSink{k: k}
	cmd := systemCommand(ctx, command)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &got, os.Stderr, time.Second
	err := cmd.Run()
	switch {
	case got.err != nil:
		return nil, got.err
	case ctx.Err() != nil:
		clear(got.text)
		return nil, fmt.Errorf("the command gave no %s in time, and was ended", k.noun)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay): // something in the background still holds its output
		clear(got.text)
		return nil, fmt.Errorf("the command failed: %w", err)
	}
	return got.text, nil
}

// secretSink takes what a command prints, as secretKind.text reads it.
type secretSink struct {
	k    secretKind
	text []byte
	err  error
}

// Write implements io.Writer; ReadFrom is used instead, which leaves no copy in a buffer of somebody else.
func (s *secretSink) Write(text []byte) (int, error) {
	n, err := s.ReadFrom(bytes.NewReader(text))
	return int(n), err
}

// ReadFrom implements io.ReaderFrom.
func (s *secretSink) ReadFrom(from io.Reader) (int64, error) {
	s.text, s.err = s.k.text(from)
	return int64(len(s.text)), s.err
}

// text reads all that comes, as much as a secret may have, and leaves no copy but the one it returns.
func (k secretKind) text(from io.Reader) ([]byte, error) {
	text := make([]byte, k.most+1)
	n, err := io.ReadFull(from, text)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, os.ErrClosed): // nobody waits for more
		return text[:n], nil
	case err != nil:
		clear(text)
		return nil, fmt.Errorf("the %s cannot be read: %w", k.noun, err)
	}
	clear(text)
	return nil, fmt.Errorf("more than %d bytes came, which is no %s", k.most, k.noun)
}
