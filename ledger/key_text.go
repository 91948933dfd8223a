package ledger

import (
	"fmt"
	"math/big"
)

// KeyText is a private key as text, in bytes, which unlike a string can be wiped.
// fmt never shows it; JSON does, because that is its purpose.
type KeyText []byte

// KeyText returns the wallet import format ("5…"). The caller wipes it after use.
func (k PrivateKey) KeyText() KeyText {
	var raw [wifSize]byte
	defer clear(raw[:])
	k.putWIF(&raw)
	return appendBase58(make([]byte, 0, maxBase58Text), raw[:])
}

// BigKeyText is BigText for a private number. The caller wipes it after use.
func BigKeyText(n *big.Int) KeyText {
	digits := make([]byte, 0, len(n.Bits())*20+2) // a word has at most twenty digits
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

// appendJSON appends the text, none of whose characters needs an escape.
func (k KeyText) appendJSON(b []byte) []byte {
	return append(append(append(b, '"'), k...), '"')
}
