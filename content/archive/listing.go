package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"os"
)

// Listing is what is packed of a folder: names, sizes and times of its files.
type Listing []File

// Size returns the bytes of all files.
func (l Listing) Size() (total int64) {
	for _, file := range l {
		total += file.Size
	}
	return total
}

// Digest returns a hash of names, sizes and times of change. It differs once a file was added, removed, replaced or written to.
func (l Listing) Digest() [sha256.Size]byte {
	var text []byte
	for _, file := range l {
		text = binary.AppendUvarint(text, uint64(len(file.Name)))
		text = append(text, file.Name...)
		text = binary.AppendVarint(text, file.Size)
		text = binary.AppendVarint(text, file.modified.UnixNano())
	}
	return sha256.Sum256(text)
}

// checkUnchanged refuses a file that is not as it was listed, once so many bytes of it were read. Error: ErrSource.
func (f File) checkUnchanged(read *os.File, size int64) error {
	info, err := read.Stat()
	if err != nil {
		return fileError("read", f.Name, err)
	}
	if size != f.Size || info.Size() != size || !info.ModTime().Equal(f.modified) {
		return sourceError(f.Name, "has changed while it was packed", "wait until nothing writes to it, then try again")
	}
	return nil
}
