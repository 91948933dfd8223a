package ledger

import "sync/atomic"

// keyText is a public key with its text. Base58 and the checksum take longer than all else that is done with a key in JSON, and
// the keys of those who pay come again and again: of each place the latest is remembered, by the key and by the text.
type keyText struct {
	key  PublicKey
	text string
}

const knownKeys = 1 << 8 // places; 60 kB when all are taken

var (
	byKey  [knownKeys]atomic.Pointer[keyText]
	byText [knownKeys]atomic.Pointer[keyText]
)

func knownText(k PublicKey) (text string, known bool) {
	if found := byKey[placeOfKey(k)].Load(); found != nil && found.key == k {
		return found.text, true
	}
	return "", false
}

func knownKey(text string) (k PublicKey, known bool) {
	if found := byText[placeOfText(text)].Load(); found != nil && found.text == text {
		return found.key, true
	}
	return PublicKey{}, false
}

// remember is for texts that are right: exactly one is of a key.
func remember(k PublicKey, text string) {
	made := &keyText{k, text}
	byKey[placeOfKey(k)].Store(made)
	byText[placeOfText(text)].Store(made)
}

// placeOfKey takes a byte of the coordinate, which is as good as random.
func placeOfKey(k PublicKey) byte { return k[len(k)-1] }

// placeOfText takes what is made of the checksum above all.
func placeOfText(text string) byte {
	if len(text) < 2 {
		return 0
	}
	return text[len(text)-1]<<4 ^ text[len(text)-2]
}
