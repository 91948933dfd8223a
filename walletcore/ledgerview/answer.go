package ledgerview

import (
	"encoding/json"

	"billfold/walletcore/fault"
)

// IsNull reports whether a daemon answered that there is none.
func IsNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// ofDaemon wraps a daemon's error; nil stays nil.
func ofDaemon(op string, err error) error {
	if err == nil {
		return nil
	}
	return fault.Daemon(op, err)
}
