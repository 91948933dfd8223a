package share

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"billfold/ledger"
)

// KeySize is the size of a content key, in bytes.
const KeySize = 32

// maxKeyText is more than any text of a key is long.
const maxKeyText = 80

// Errors of keys.
var (
	// ErrKeyText means that a text is no content key.
	ErrKeyText = errors.New("a content key is a number of 1 to 2^256-1, written in decimal digits with or without a dot at the end, or in hexadecimal after 0x")
	// ErrKeyRange means that a key cannot be split: shares are numbers modulo the order of secp256k1.
	ErrKeyRange = errors.New("this content key is too large to be split among seeders; make another")

	errHidden = errors.New("a content key is never written out implicitly; ask for its text if that is what you want")
)

// Key is the key that content is encrypted with: 32 bytes, big-endian where it is a number. Copies of a Key share their bytes and
// are wiped together; printing one does not show it. The zero Key is the number 0, which content without seeders restores to.
type Key struct {
	// fmt follows one pointer of an unexported field under some verbs, never two.
	bytes **[KeySize]byte
}

func newKey() (Key, *[KeySize]byte) {
	bytes := new([KeySize]byte)
	return Key{&bytes}, bytes
}

// NewKey returns a random key that can be split. The caller wipes it.
func NewKey() (Key, error) {
	number, err := randomBelow(modulus())
	defer wipe(number)
	if err != nil {
		return Key{}, err
	}
	return keyOf(number), nil
}

// ParseKey reads what Text writes, the same without its dot, and hexadecimal digits after 0x. Error: ErrKeyText, for every text that the
// reference takes for the key 0, too. The caller wipes the key.
func ParseKey(text string) (Key, error) {
	base, digits, allowed := 10, strings.TrimSuffix(text, "."), "0123456789"
	if rest, ok := strings.CutPrefix(text, "0x"); ok {
		base, digits, allowed = 16, rest, "0123456789abcdefABCDEF"
	}
	if digits == "" || len(text) > maxKeyText || strings.Trim(digits, allowed) != "" {
		return Key{}, ErrKeyText
	}
	number, ok := new(big.Int).SetString(digits, base)
	defer wipe(number)
	if !ok || number.Sign() == 0 || number.BitLen() > 8*KeySize {
		return Key{}, ErrKeyText
	}
	return keyOf(number), nil
}

// keyOf returns the key of a number of at most 256 bits.
func keyOf(number *big.Int) Key {
	key, own := newKey()
	number.FillBytes(own[:])
	return key
}

// Put copies the key, which the caller clears.
func (k Key) Put(into *[KeySize]byte) {
	if k.bytes == nil {
		*into = [KeySize]byte{}
		return
	}
	*into = **k.bytes
}

// IsZero reports whether the key is 0: wiped, missing, or of content without seeders.
func (k Key) IsZero() bool { return k.bytes == nil || **k.bytes == [KeySize]byte{} }

// Equal reports whether two keys are the same.
func (k Key) Equal(other Key) bool {
	var a, b [KeySize]byte
	k.Put(&a)
	other.Put(&b)
	defer clear(a[:])
	defer clear(b[:])
	return a == b
}

func (k Key) number() *big.Int {
	var raw [KeySize]byte
	k.Put(&raw)
	defer clear(raw[:])
	return new(big.Int).SetBytes(raw[:])
}

// Text returns the key as generate_encryption_key and restore_encryption_key answer it: decimal digits and a dot. The caller wipes it.
func (k Key) Text() ledger.KeyText {
	n := k.number()
	defer wipe(n)
	return ledger.BigKeyText(n)
}

// Hex returns the key as generate_content_keys answers it: 64 hexadecimal digits. The caller wipes it.
func (k Key) Hex() ledger.KeyText {
	var raw [KeySize]byte
	k.Put(&raw)
	defer clear(raw[:])
	return hex.AppendEncode(make([]byte, 0, 2*KeySize), raw[:])
}

// Wipe overwrites the key and all its copies.
func (k Key) Wipe() {
	if k.bytes != nil {
		clear((*k.bytes)[:])
	}
}

// Format writes a placeholder instead of the key.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// MarshalJSON always fails; use Text or Hex.
func (k Key) MarshalJSON() ([]byte, error) { return nil, errHidden }

const hidden = "(secret hidden)"

// ContentKeys is a new content key with its encrypted shares, as generate_content_keys answers it. The caller wipes it.
type ContentKeys struct {
	Key    ledger.KeyText      `json:"key"` // Hex
	Parts  []ledger.Ciphertext `json:"parts"`
	Quorum uint32              `json:"quorum"`
}

// Wipe overwrites the key.
func (k ContentKeys) Wipe() { k.Key.Wipe() }

// GenerateContentKeys makes a key and its parts for seeders, whose public numbers are given in the order in which the content is
// submitted with them. Errors: those of Parts.
func GenerateContentKeys(seeders []ledger.BigInteger) (ContentKeys, error) {
	key, err := NewKey()
	if err != nil {
		return ContentKeys{}, err
	}
	defer key.Wipe()
	quorum := Quorum(len(seeders))
	parts, err := Parts(key, seeders, quorum)
	if err != nil {
		return ContentKeys{}, err
	}
	return ContentKeys{Key: key.Hex(), Parts: parts, Quorum: quorum}, nil
}
