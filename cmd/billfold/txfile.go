package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2"

	"billfold/cmd/billfold/shell"
	"billfold/walletcore/cosign"
	"billfold/walletcore/fault"
)

// readTransaction reads a transaction file, and no more of it than one can have.
func readTransaction(path string) (*cosign.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, shell.Misuse(fmt.Errorf("the transaction file cannot be read: %w", err))
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, cosign.MaxSize+1))
	if err != nil {
		return nil, shell.Misuse(fmt.Errorf("the transaction file cannot be read: %w", err))
	}
	return cosign.Parse(text)
}

// checkFree refuses to write over a file.
func checkFree(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return shell.Misuse(fmt.Errorf("%s exists already, and no file is written over; choose another name", path))
	}
	return nil
}

// writeTransaction writes a transaction file whole or not at all; over another one only with replace.
func writeTransaction(path string, file *cosign.File, replace bool) error {
	text, err := file.Bytes()
	if err != nil {
		return err
	}
	if !replace {
		if err := checkFree(path); err != nil {
			return err
		}
	}
	err = renameio.WriteFile(path, text, 0o600, renameio.WithStaticPermissions(0o600), renameio.WithTempDir(filepath.Dir(path)))
	if err != nil {
		return &fault.Error{Code: fault.File, Op: "tx", Message: "the transaction file cannot be written: " + err.Error(),
			Hint: "correct the folder's permissions, or free some disk space", Err: err}
	}
	return nil
}

// withFiles opens the files of the wallet and does something with them; nothing runs, and no daemon is
// called.
func withFiles(s *settings, do func(*program) error) error {
	if err := s.read(); err != nil {
		return err
	}
	if s.sandbox {
		return shell.Misuse(errors.New("a sandbox's wallet ends with the program, so it signs no files; leave --sandbox out"))
	}
	if _, err := os.Stat(s.keystorePath()); errors.Is(err, fs.ErrNotExist) {
		return do(nil)
	}
	p, err := newProgram(s)
	if err != nil {
		return err
	}
	defer p.close()
	defer p.wallet.Vault.Lock()
	return do(p)
}

// inspect describes a file by its bytes and what the wallet knows of it; without a wallet by its bytes alone.
func (p *program) inspect(ctx context.Context, file *cosign.File) (cosign.Inspection, error) {
	var known cosign.Known
	if p != nil {
		var err error
		if known, err = p.wallet.KnownOf(ctx, file); err != nil {
			return cosign.Inspection{}, err
		}
	}
	return file.Inspect(known, time.Now())
}
