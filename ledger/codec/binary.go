package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// AppendVarint appends v, seven bits to a byte, low bits first.
func AppendVarint(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

// AppendBool appends 1 for true, 0 for false.
func AppendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// AppendUint32 appends four bytes, low byte first.
func AppendUint32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }

// AppendLE appends the low size bytes of v, low byte first.
func AppendLE(b []byte, v uint64, size int) []byte {
	for range size {
		b = append(b, byte(v))
		v >>= 8
	}
	return b
}

// Reader reads values from the front of packed bytes. It accepts only what
// packing would write: minimal varints, booleans of 0 or 1.
type Reader struct {
	data  []byte
	depth int
}

// Take returns the next n bytes, which alias the input.
func (r *Reader) Take(n int) ([]byte, error) {
	if n > len(r.data) {
		return nil, errShort
	}
	out := r.data[:n]
	r.data = r.data[n:]
	return out, nil
}

// Uint reads a number of size bytes, low byte first.
func (r *Reader) Uint(size int) (uint64, error) {
	data, err := r.Take(size)
	var v uint64
	for i := len(data) - 1; i >= 0; i-- {
		v = v<<8 | uint64(data[i])
	}
	return v, err
}

// Uint32 reads four bytes.
func (r *Reader) Uint32() (uint32, error) {
	v, err := r.Uint(4)
	return uint32(v), err
}

// Uint64 reads eight bytes.
func (r *Reader) Uint64() (uint64, error) { return r.Uint(8) }

// Bool reads a byte that must be 0 or 1.
func (r *Reader) Bool() (bool, error) {
	v, err := r.Uint(1)
	if v > 1 {
		return false, fmt.Errorf("a boolean is 0 or 1, not %d", v)
	}
	return v == 1, err
}

// Varint reads a number no greater than most, which must be in its shortest form.
func (r *Reader) Varint(most uint64) (uint64, error) {
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

// Count reads the length of a list. Every item takes at least one byte, so a
// length beyond the bytes that are left is refused before anything is allocated.
func (r *Reader) Count() (int, error) {
	n, err := r.Varint(maxRawSize)
	if err == nil && int(n) > len(r.data) {
		err = errShort
	}
	return int(n), err
}

// Bytes reads a length and that many bytes, which alias the input.
func (r *Reader) Bytes() ([]byte, error) {
	n, err := r.Count()
	if err != nil {
		return nil, err
	}
	return r.Take(n)
}

// Nested runs read one level deeper.
func (r *Reader) Nested(read func() error) error {
	if r.depth++; r.depth > maxDepth {
		return errDeep
	}
	err := read()
	r.depth--
	return err
}
