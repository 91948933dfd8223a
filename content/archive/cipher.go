package archive

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"io"
)

// KeySize is the size of a content key, in bytes.
const KeySize = 32

// Key is a content key, big-endian where it is a number.
type Key = [KeySize]byte

// chunkSize is the number of bytes read, encrypted or decrypted at once: a multiple of the cipher's blocks.
const chunkSize = 64 << 10

// zeroIV is the only initialisation vector of the format. Therefore a key must encrypt one package only.
var zeroIV [aes.BlockSize]byte

func newBlock(key *Key) cipher.Block {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // a key of this type has the right size
	}
	return block
}

// encrypter encrypts what is written to it. Close pads the last block.
type encrypter struct {
	to     io.Writer
	mode   cipher.BlockMode
	buffer []byte // not encrypted yet, less than a chunk
}

func newEncrypter(key *Key, to io.Writer) *encrypter {
	return &encrypter{to: to, mode: cipher.NewCBCEncrypter(newBlock(key), zeroIV[:]), buffer: make([]byte, 0, chunkSize)}
}

func (e *encrypter) Write(p []byte) (int, error) {
	written := len(p)
	for len(p) > 0 {
		n := copy(e.buffer[len(e.buffer):cap(e.buffer)], p)
		e.buffer, p = e.buffer[:len(e.buffer)+n], p[n:]
		if len(e.buffer) == cap(e.buffer) {
			if err := e.flush(); err != nil {
				return 0, err
			}
		}
	}
	return written, nil
}

func (e *encrypter) flush() error {
	e.mode.CryptBlocks(e.buffer, e.buffer)
	_, err := e.to.Write(e.buffer)
	e.buffer = e.buffer[:0]
	return err
}

// Close writes the last block with its padding. It does not close the writer below.
func (e *encrypter) Close() error {
	pad := aes.BlockSize - len(e.buffer)%aes.BlockSize
	for range pad {
		e.buffer = append(e.buffer, byte(pad))
	}
	return e.flush()
}

// decrypter decrypts what it reads from a source that has size bytes, and cuts off the padding.
type decrypter struct {
	from   io.Reader
	mode   cipher.BlockMode
	left   int64 // not read from the source yet
	buffer []byte
	plain  []byte // of the buffer, not yet handed out
}

// newDecrypter returns a reader of what is encrypted in size bytes. The error is one of this package.
func newDecrypter(key *Key, from io.Reader, size int64) (*decrypter, error) {
	if size == 0 {
		return nil, damagedError("it is empty: it has 0 bytes", nil)
	}
	if size < 0 || size%aes.BlockSize != 0 {
		return nil, damagedError("its size is not a multiple of 16 bytes", nil)
	}
	return &decrypter{from: from, mode: cipher.NewCBCDecrypter(newBlock(key), zeroIV[:]), left: size, buffer: make([]byte, chunkSize)}, nil
}

func (d *decrypter) Read(p []byte) (int, error) {
	for len(d.plain) == 0 {
		if d.left == 0 {
			return 0, io.EOF
		}
		if err := d.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, d.plain)
	d.plain = d.plain[n:]
	return n, nil
}

func (d *decrypter) fill() error {
	d.plain = d.buffer[:min(int64(len(d.buffer)), d.left)]
	if _, err := io.ReadFull(d.from, d.plain); err != nil {
		d.plain = nil
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return damagedError("it ends before its size", err)
		}
		return fileError("read", EncryptedName, err)
	}
	d.left -= int64(len(d.plain))
	d.mode.CryptBlocks(d.plain, d.plain)
	if d.left > 0 {
		return nil
	}
	pad := int(d.plain[len(d.plain)-1])
	if pad < 1 || pad > aes.BlockSize {
		d.plain = nil
		return keyError()
	}
	for _, b := range d.plain[len(d.plain)-pad:] {
		if int(b) != pad {
			d.plain = nil
			return keyError()
		}
	}
	d.plain = d.plain[:len(d.plain)-pad]
	return nil
}
