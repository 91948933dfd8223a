package ledger

import (
	"encoding/binary"
	"strings"
)

// Base58 with the Bitcoin alphabet, for texts of keys only (ledger.md 4). A text
// and its bytes correspond one to one: leading zero bytes are leading '1's.
const (
	base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

	// The longest text of a key has 53 characters. A bound keeps the quadratic
	// conversion, which runs on whatever a peer sends, in a few stack words.
	maxBase58Text  = 64
	maxBase58Bytes = 48

	// Digits are worked on five at a time: 58^5 < 2^30.
	base58Group     = 58 * 58 * 58 * 58 * 58
	base58GroupSize = 5
)

// encodeBase58 writes at most maxBase58Bytes bytes as base58 text.
func encodeBase58(src []byte) string { return string(appendBase58(nil, src)) }

// appendBase58 appends src, at most maxBase58Bytes bytes, as base58 text.
func appendBase58(dst, src []byte) []byte {
	zeros := leading(src, 0)
	var groups [14]uint32 // little endian, base 58^5
	defer clear(groups[:])
	used := 0
	for _, b := range src[zeros:] {
		carry := uint64(b)
		for j := range groups[:used] {
			carry += uint64(groups[j]) << 8
			groups[j] = uint32(carry % base58Group)
			carry /= base58Group
		}
		if carry > 0 {
			groups[used] = uint32(carry)
			used++
		}
	}
	var text [maxBase58Bytes + len(groups)*base58GroupSize]byte
	defer clear(text[:])
	at := len(text)
	for _, group := range groups[:used] {
		for range base58GroupSize {
			at--
			text[at] = base58Alphabet[group%58]
			group /= 58
		}
	}
	at += leading(text[at:], base58Alphabet[0])
	for range zeros {
		at--
		text[at] = base58Alphabet[0]
	}
	return append(dst, text[at:]...)
}

// decodeBase58 reads base58 text of at most maxBase58Text characters. The caller
// wipes the result when it is a secret.
func decodeBase58(text string) (decoded []byte, ok bool) {
	if len(text) > maxBase58Text {
		return nil, false
	}
	zeros := len(text) - len(strings.TrimLeft(text, base58Alphabet[:1]))
	var words [maxBase58Bytes / 4]uint32 // little endian, base 2^32
	defer clear(words[:])
	used := 0
	for i := zeros; i < len(text); i++ {
		digit := strings.IndexByte(base58Alphabet, text[i])
		if digit < 0 {
			return nil, false
		}
		carry := uint64(digit)
		for j := range words[:used] {
			carry += uint64(words[j]) * 58
			words[j] = uint32(carry)
			carry >>= 32
		}
		if carry > 0 {
			words[used] = uint32(carry)
			used++
		}
	}
	var number [maxBase58Bytes]byte
	defer clear(number[:])
	for j, word := range words {
		binary.BigEndian.PutUint32(number[len(number)-4*(j+1):], word)
	}
	significant := number[leading(number[:], 0):]
	decoded = make([]byte, zeros+len(significant))
	copy(decoded[zeros:], significant)
	return decoded, true
}

// leading counts how many bytes at the front of b equal c.
func leading(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}
