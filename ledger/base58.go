package ledger

import "encoding/binary"

// Base58 with the Bitcoin alphabet, for the texts of keys only (docs/protocol/ledger.md 4). Text
// and bytes correspond one to one: leading zero bytes are leading '1's.
const (
	base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

	// The longest text of a key has 53 characters. The bound limits the quadratic
	// conversion, which runs on whatever a peer sends, to a few words on the stack.
	maxBase58Text  = 64
	maxBase58Bytes = 48

	// base58Digits is the value of each character from '1' on; 58, a colon, stands for none.
	base58Digits = "\x00\x01\x02\x03\x04\x05\x06\x07\x08" + ":::::::" + "\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10" + ":" +
		"\x11\x12\x13\x14\x15" + ":" + "\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20" + "::::::" +
		"\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2a\x2b" + ":" + "\x2c\x2d\x2e\x2f\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39"

	// Digits are processed five at a time: 58^5 < 2^30.
	base58Group     = 58 * 58 * 58 * 58 * 58
	base58GroupSize = 5
)

// encodeBase58 returns at most maxBase58Bytes bytes as base58 text.
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

// decodeBase58 decodes base58 text of at most maxBase58Text characters. The caller
// wipes the result if it is secret.
func decodeBase58(text string) (decoded []byte, ok bool) { return appendDecodedBase58(nil, text) }

// appendDecodedBase58 appends what decodeBase58 returns to dst.
func appendDecodedBase58[T string | []byte](dst []byte, text T) (decoded []byte, ok bool) {
	if len(text) > maxBase58Text {
		return nil, false
	}
	zeros := 0
	for zeros < len(text) && text[zeros] == base58Alphabet[0] {
		zeros++
	}
	var words [maxBase58Bytes / 4]uint32 // little endian, base 2^32
	defer clear(words[:])
	used := 0
	for at := zeros; at < len(text); {
		carry, times := uint64(0), uint64(1)
		for end := min(at+base58GroupSize, len(text)); at < end; at++ {
			digit := base58Digit(text[at])
			if digit >= 58 {
				return nil, false
			}
			carry, times = carry*58+digit, times*58
		}
		for j := range words[:used] {
			carry += uint64(words[j]) * times
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
	for range zeros {
		dst = append(dst, 0)
	}
	return append(dst, number[leading(number[:], 0):]...), true
}

// base58Digit returns the value of a character, or 58 if it is not a base58 digit.
func base58Digit(c byte) uint64 {
	if at := int(c) - '1'; at >= 0 && at < len(base58Digits) {
		return uint64(base58Digits[at])
	}
	return 58
}

// leading counts the bytes at the front of b that equal c.
func leading(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}
