package ledger

import (
	"fmt"
	"math/big"
)

// KeyText is a private key in text form, in bytes that can be wiped; a string
// could not be. fmt never shows it; JSON does, because that is what it is for.
type KeyText []byte

// KeyText returns the wallet import format ("5…"). The caller wipes it after use.
func (k PrivateKey) KeyText() KeyText {
	var raw [wifSize]byte
	defer clear(raw[:])
	k.putWIF(&raw)
	return appendBase58(make([]byte, 0, maxBase58Text), raw[:])
}

// BigKeyText is BigText of a private number. The caller wipes it after use.
func BigKeyText(n *big.Int) KeyText {
	digits := make([]byte, 0, len(n.Bits())*20+2) // a word has twenty digits at most
	return append(n.Append(digits, 10), '.')
}

// Wipe overwrites the text.
func (k KeyText) Wipe() { clear(k) }

// Format writes a placeholder instead of the text.
func (k KeyText) Format(f fmt.State, _ rune) { hide(f) }

// MarshalJSON writes the text. The caller wipes the result.
func (k KeyText) MarshalJSON() ([]byte, error) {
	return k.appendJSON(make([]byte, 0, len(k)+2)), nil
}

// appendJSON writes the text, in whose alphabets nothing needs an escape.
func (k KeyText) appendJSON(b []byte) []byte {
	return append(append(append(b, '"'), k...), '"')
}
