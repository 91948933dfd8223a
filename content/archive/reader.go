package archive

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
)

// Reader reads the files of an archive, one after the other, in constant memory. Everything from it is checked against the format and
// nothing else: its names are safe to join to a folder, but may repeat, and its sizes are claims until the bytes were read.
type Reader struct {
	source  *bufio.Reader
	gzip    *gzip.Reader
	left    int64 // of the file being read
	started bool  // a file was read
	empty   bool  // the file being read is empty
	done    error // io.EOF or what went wrong; kept
	cut     bool
}

// NewReader returns a reader of what is not encrypted. The error is one of this package: what does not even begin as an archive was
// decrypted with another key.
func NewReader(r io.Reader) (*Reader, error) {
	source := bufio.NewReaderSize(r, chunkSize)
	unzipped, err := gzip.NewReader(source)
	if err != nil {
		return nil, notAnArchive(err)
	}
	unzipped.Multistream(false)
	return &Reader{source: source, gzip: unzipped}, nil
}

// notAnArchive keeps errors of this package and the context's. What does not begin as an archive was not opened by its key.
func notAnArchive(err error) error {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return keyError()
	}
	return fileError("read", EncryptedName, err)
}

// Next moves to the next file. It skips what was not read of the one before. At the end of a whole archive it returns io.EOF.
func (r *Reader) Next() (File, error) {
	if r.done != nil {
		return File{}, r.done
	}
	file, err := r.next()
	r.done = err
	return file, err
}

func (r *Reader) next() (File, error) {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return File{}, err
	}
	var h header
	n, err := io.ReadFull(r.gzip, h[:])
	switch {
	case errors.Is(err, io.EOF) && n == 0 && r.empty:
		// The reference loses everything behind an empty file, and the end with it.
		r.cut = true
		return File{}, r.end()
	case errors.Is(err, io.EOF) && n == 0 && !r.started:
		return File{}, damagedError("it is empty", nil)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return File{}, damagedError("it ends within the list of its files", err)
	case err != nil:
		return File{}, r.damaged(err)
	}
	if h.isEnd() {
		return File{}, r.end()
	}
	file, err := h.file()
	if err != nil {
		return File{}, err
	}
	r.started, r.empty, r.left = true, file.Size == 0, file.Size
	return file, nil
}

// end returns io.EOF if nothing follows.
func (r *Reader) end() error {
	n, err := io.ReadFull(r.gzip, make([]byte, 1))
	switch {
	case n > 0:
		return damagedError("something follows its end", nil)
	case !errors.Is(err, io.EOF):
		return r.damaged(err)
	}
	if _, err := r.source.ReadByte(); !errors.Is(err, io.EOF) {
		if err != nil {
			return r.damaged(err)
		}
		return damagedError("something follows its end", nil)
	}
	return io.EOF
}

// Read reads from the file. It returns io.EOF only after all of its size.
func (r *Reader) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.gzip.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	switch {
	case err == nil || n > 0 && r.left == 0:
		return n, nil // what is wrong behind the file is found by Next
	case errors.Is(err, io.EOF):
		return n, damagedError("a file is shorter than the size it claims", nil)
	}
	return n, r.damaged(err)
}

// Cut reports, at the end, whether the archive ends behind an empty file, without an end of its own: the reference loses what its publisher put
// behind such a file.
func (r *Reader) Cut() bool { return r.cut }

func (r *Reader) damaged(err error) error {
	if isFinal(err) {
		return err
	}
	return damagedError("its compressed data is broken", err)
}
