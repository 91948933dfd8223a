package archive

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path"

	"billfold/ledger/usertext"
)

// Listing lists the files of a folder that are packed.
type Listing []File

// Size returns the bytes of all files.
func (l Listing) Size() (total int64) {
	for _, file := range l {
		total += file.Size
	}
	return total
}

// State returns a hash of names, sizes and times of change, for a quick look whether something was written.
func (l Listing) State() [sha256.Size]byte {
	return l.hash(func(text []byte, file File) []byte { return binary.AppendVarint(text, file.modified.UnixNano()) })
}

// Digest returns a hash of names and contents, once these were read: by Sum, or when they were packed.
func (l Listing) Digest() [sha256.Size]byte {
	return l.hash(func(text []byte, file File) []byte { return append(text, file.sum[:]...) })
}

func (l Listing) hash(add func([]byte, File) []byte) [sha256.Size]byte {
	var text []byte
	for _, file := range l {
		text = binary.AppendUvarint(text, uint64(len(file.Name)))
		text = append(text, file.Name...)
		text = add(binary.AppendVarint(text, file.Size), file)
	}
	return sha256.Sum256(text)
}

// sumUp reads all files, in a folder of root. Errors: ErrSource for a file that changes meanwhile or that holds a wallet, ErrFile, the context's.
func (l Listing) sumUp(ctx context.Context, root *os.Root, folder string) error {
	done := &progress{ctx: ctx, total: l.Size()}
	buffer := make([]byte, chunkSize)
	for i := range l {
		if err := l[i].copyTo(done, io.Discard, root, folder, buffer); err != nil {
			return err
		}
	}
	return nil
}

// copyTo copies the file, and notes the hash of what it copied.
func (f *File) copyTo(done *progress, to io.Writer, root *os.Root, folder string, buffer []byte) error {
	from, err := openRegular(root, path.Join(folder, f.Name))
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	start := make([]byte, usertext.StartOfWallet)
	n, err := from.ReadAt(start, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fileError("read", f.Name, err)
	}
	kept, err := keptByWallet(done.ctx, start[:n], from)
	if err != nil {
		return fileError("read", f.Name, err)
	}
	if kept != "" {
		return sourceError(f.Name, "is "+kept+", which would be sold, or shown to everybody", "leave it out")
	}
	sum := sha256.New()
	copied, err := done.copyCounted(io.MultiWriter(to, sum), io.LimitReader(from, f.Size+1), buffer)
	if err != nil {
		return fileError("read", f.Name, err)
	}
	info, err := from.Stat()
	if err != nil {
		return fileError("read", f.Name, err)
	}
	if copied != f.Size || info.Size() != f.Size || !info.ModTime().Equal(f.modified) {
		return sourceError(f.Name, "has changed since it was listed", "wait until nothing writes to it, then try again")
	}
	sum.Sum(f.sum[:0])
	return nil
}

// keptByWallet returns what a file is that a wallet keeps in its folder, whatever its name is; "" if it is none. start is its beginning.
func keptByWallet(ctx context.Context, start []byte, from io.ReaderAt) (string, error) {
	if own := usertext.OfWallet(start); own != nil {
		return own.Name, nil
	}
	if mark := bytes.TrimLeft(start, " "); bytes.HasPrefix(mark, []byte("billfold store mark ")) || bytes.HasPrefix(mark, []byte("billfold shared store mark ")) {
		return "the mark of a wallet's payments", nil
	}
	if !bytes.HasPrefix(start, []byte("SQLite format 3\x00")) {
		return "", nil
	}
	tables := map[string]string{ // by the beginning of one that each has: see walletcore/store and walletcore/historyindex
		"CREATE TABLE journal_identity (": "the payments of a wallet",
		"CREATE TABLE balance_runs (":     "the history of a wallet",
	}
	const overlap = 64
	buffer := make([]byte, chunkSize+overlap)
	for at := int64(0); ; at += chunkSize {
		n, err := from.ReadAt(buffer, at)
		for table, what := range tables {
			if bytes.Contains(buffer[:n], []byte(table)) {
				return what, nil
			}
		}
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case errors.Is(err, io.EOF):
			return "", nil
		case err != nil:
			return "", err
		}
	}
}
