package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/osfile"
	"billfold/tui"
	"billfold/tui/overlay/review"
	"billfold/walletcore/cosign"
	"billfold/walletcore/fault"
)

// readTransaction reads a transaction file, up to the largest size of one. A signal ends it even while it waits for the writer of a
// pipe.
func readTransaction(ctx context.Context, path string) (*cosign.File, error) {
	path = givenPath(path)
	text, err := shell.ReadFile(ctx, path, cosign.MaxSize+1)
	if err != nil {
		return nil, shell.Unreadable("transaction file", path, err)
	}
	file, err := cosign.Parse(text)
	if e, refused := errors.AsType[*fault.Error](err); refused {
		e.Message = path + ": " + e.Message
	}
	return file, err
}

// checkFree refuses to overwrite a file.
func checkFree(path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return shell.Misuse(fmt.Errorf("%s exists already and is not overwritten; choose another name", path))
	}
	return nil
}

// writeTransaction writes a transaction file atomically. It overwrites a file only with replace.
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
	err = osfile.Replace(path, text)
	if err != nil {
		return &fault.Error{Code: fault.File, Op: "tx", Message: "the transaction file cannot be written: " + err.Error(),
			Hint: "correct the folder's permissions, or free some disk space", Err: err}
	}
	return nil
}

// withFiles opens the files of the wallet and calls do, with nil if there is no wallet. Nothing is started,
// and no daemon is called.
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
	p, err := newProgramAside(s)
	if err != nil {
		return err
	}
	defer p.close()
	defer p.wallet.Vault.Lock()
	return do(p)
}

// inspect describes a file by its bytes and what the wallet knows about it, with the confirmations required before it is signed or sent.
// Without a wallet (p is nil) it describes the bytes only.
func (p *program) inspect(ctx context.Context, file *cosign.File) (cosign.Inspection, review.Page, error) {
	if p != nil {
		return tui.FileReview(ctx, p.wallet, file)
	}
	in, err := file.Inspect(cosign.Known{}, time.Now())
	return in, review.Page{}, err
}
