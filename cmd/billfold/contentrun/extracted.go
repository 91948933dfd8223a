package contentrun

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"billfold/walletcore/ledgerview"
)

// extracted reports whether an earlier run bought what is offered at an address and extracted it to the folder, in which nothing else is. It extracts
// the package once more, elsewhere, and compares.
func (r *Run) extracted(ctx context.Context, uri, folder string) (has bought, is bool) {
	who, err := r.account(ctx)
	if err != nil {
		return has, false
	}
	offer, err := r.offer(ctx, uri)
	if err != nil || offer == nil || len(offer.KeyParts) == 0 {
		return has, false
	}
	purchase, err := r.purchase(ctx, who, uri)
	if err != nil || purchase == nil || !purchase.Delivered {
		return has, false
	}
	at, err := call[ledgerview.Download](ctx, r.Wallet, "get_download_status", who.ID.String(), uri)
	if err != nil || at.StatusText != "Downloaded" {
		return has, false
	}
	apart, err := os.MkdirTemp("", "billfold-compare-")
	if err != nil {
		return has, false
	}
	defer func() { _ = os.RemoveAll(apart) }()
	whole := filepath.Join(apart, "whole")
	r.tell("%s is not empty; it is compared with what was bought as %s", folder, purchase.ID)
	if err := r.extract(ctx, who, offer, purchase.ID, whole); err != nil {
		return has, false
	}
	return bought{URI: offer.URI, Account: who.Name, Buying: purchase.ID, Hash: offer.Hash, Folder: folder}, sameFiles(whole, folder)
}

// sameFiles reports whether two folders have the same files with the same contents, and nothing else.
func sameFiles(a, b string) bool {
	return filesIn(a, b) == nil && filesIn(b, a) == nil
}

var errOther = errors.New("the files differ")

// filesIn returns an error unless all that is in one folder is in another one as well.
func filesIn(a, b string) error {
	return filepath.WalkDir(a, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(a, path)
		if err != nil {
			return err
		}
		other, err := os.Lstat(filepath.Join(b, name))
		switch {
		case err != nil:
			return err
		case entry.IsDir() != other.IsDir(), entry.Type().Type() != other.Mode().Type():
			return errOther
		case entry.IsDir():
			return nil
		}
		return sameFile(path, filepath.Join(b, name))
	})
}

func sameFile(a, b string) error {
	one, err := os.Open(a)
	if err != nil {
		return err
	}
	defer func() { _ = one.Close() }()
	two, err := os.Open(b)
	if err != nil {
		return err
	}
	defer func() { _ = two.Close() }()
	left, right := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, ended := io.ReadFull(one, left)
		m, alsoEnded := io.ReadFull(two, right)
		if !bytes.Equal(left[:n], right[:m]) {
			return errOther
		}
		if ended != nil || alsoEnded != nil {
			if errors.Is(ended, io.EOF) || errors.Is(ended, io.ErrUnexpectedEOF) {
				return nil
			}
			return errors.Join(ended, alsoEnded)
		}
	}
}
