package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Limits on what is read from bytes or JSON: more than the ledger ever holds,
// little enough that hostile input costs nothing.
const (
	maxRawSize = 10 << 20 // bytes one value may be unpacked from
	maxDepth   = 100      // levels of arrays, objects and nested operations
)

var (
	errShort = errors.New("the bytes end too early")
	errDeep  = errors.New("nested too deep")
)

func appendVarint(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

func appendUint32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }

// appendLE writes the low size bytes of v, low byte first.
func appendLE(b []byte, v uint64, size int) []byte {
	for range size {
		b = append(b, byte(v))
		v >>= 8
	}
	return b
}

// reader takes values off the front of packed bytes. It accepts only what
// packing would write: minimal varints, booleans of 0 or 1.
type reader struct {
	data  []byte
	depth int
}

func (r *reader) take(n int) ([]byte, error) {
	if n > len(r.data) {
		return nil, errShort
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out, nil
}

func (r *reader) le(size int) (uint64, error) {
	data, err := r.take(size)
	var v uint64
	for i := len(data) - 1; i >= 0; i-- {
		v = v<<8 | uint64(data[i])
	}
	return v, err
}

func (r *reader) uint32() (uint32, error) {
	v, err := r.le(4)
	return uint32(v), err
}

func (r *reader) uint64() (uint64, error) { return r.le(8) }

func (r *reader) bool() (bool, error) {
	v, err := r.le(1)
	if v > 1 {
		return false, fmt.Errorf("a boolean is 0 or 1, not %d", v)
	}
	return v == 1, err
}

func (r *reader) varint(most uint64) (uint64, error) {
	v, n := binary.Uvarint(r.data)
	if n == 0 {
		return 0, errShort
	}
	if n < 0 || v > most {
		return 0, errors.New("a number is out of range")
	}
	if n > 1 && r.data[n-1] == 0 {
		return 0, errors.New("a number is not in its shortest form")
	}
	r.data = r.data[n:]
	return v, nil
}

// count reads the length of a list. Every item takes at least one byte, so a
// length beyond the bytes that are left is refused before anything is made.
func (r *reader) count() (int, error) {
	n, err := r.varint(maxRawSize)
	if err == nil && int(n) > len(r.data) {
		err = errShort
	}
	return int(n), err
}

func (r *reader) bytes() ([]byte, error) {
	n, err := r.count()
	if err != nil {
		return nil, err
	}
	return r.take(n)
}

// nested runs read one level deeper.
func (r *reader) nested(read func() error) error {
	if r.depth++; r.depth > maxDepth {
		return errDeep
	}
	err := read()
	r.depth--
	return err
}
