package walletapi

import (
	"encoding/json"
	"reflect"
	"unsafe"
)

// noteSecret remembers the text of a secret parameter for wipe. raw is what the caller sent: only from a JSON string is
// the text a copy of its own, and not a constant.
func (b *bound) noteSecret(raw json.RawMessage, value reflect.Value) {
	if value.Kind() == reflect.String && len(raw) > 0 && raw[0] == '"' && value.Len() > 1 {
		b.secrets = append(b.secrets, value.String())
	}
}

// wipe overwrites the secrets among the parameters of a call that has ended. A string cannot be changed in Go, and this is
// the exception: Bind made it from the caller's text, operations do not keep it, and a password or a key
// must not stay in memory until something else happens to need the place.
func (b *bound) wipe() {
	if b == nil {
		return
	}
	for _, s := range b.secrets {
		clear(unsafe.Slice(unsafe.StringData(s), len(s)))
	}
	b.secrets = nil
}

// Wipe overwrites the passwords and keys among the parameters. It is called when the call has ended, or will not be made.
func (p Params) Wipe() { p.bound.wipe() }
