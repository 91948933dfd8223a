package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math"
	"time"
)

// A header stands before each file, and one of zeros at the end:
//
//	[0]       version, 1
//	[1:4]     0
//	[4:260]   name, ended by a 0, at most 255 bytes
//	[260:264] size, int32, little-endian
//	[264:304] 0
const (
	headerSize    = 304
	headerVersion = 1
	nameStart     = 4
	sizeStart     = 260
)

// MaxFile is the size of the largest file that a package can hold, in bytes.
const MaxFile = math.MaxInt32

type header [headerSize]byte

// File is a file in an archive, or one to be put there.
type File struct {
	Name string // relative, with a slash between folders
	Size int64  // in bytes

	// Of one to be put there.
	modified time.Time
	sum      [sha256.Size]byte // once it was read
}

// headerOf returns the header of a file that can be packed.
func headerOf(file File) (h header) {
	h[0] = headerVersion
	copy(h[nameStart:nameStart+maxName], file.Name)
	binary.LittleEndian.PutUint32(h[sizeStart:], uint32(file.Size)) //nolint:gosec // at most MaxFile
	return h
}

// isEnd reports whether the header is the last.
func (h *header) isEnd() bool { return *h == header{} }

// file reads a header that is not the last. Zeros of the format are not insisted on: other programs may leave memory there.
func (h *header) file() (File, error) {
	if h[0] != headerVersion {
		return File{}, damagedError("a file has a header of an unknown version", nil)
	}
	name, _, ended := bytes.Cut(h[nameStart:sizeStart], []byte{0})
	if !ended {
		return File{}, damagedError("a file name has no end", nil)
	}
	size := int32(binary.LittleEndian.Uint32(h[sizeStart:])) //nolint:gosec // what it is
	if problem := checkName(string(name)); problem != "" {
		return File{}, nameError(string(name), problem)
	}
	if size < 0 {
		return File{}, damagedError("a file has a negative size, as one of 2 GiB or more would", nil)
	}
	return File{Name: string(name), Size: int64(size)}, nil
}
