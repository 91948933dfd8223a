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

// one is the only element of what a daemon answered; none otherwise.
func one(found []json.RawMessage, err error, doing string, none error) (json.RawMessage, error) {
	switch {
	case err != nil:
		return nil, fault.Daemon(doing, err)
	case len(found) != 1 || IsNull(found[0]):
		return nil, none
	}
	return found[0], nil
}
