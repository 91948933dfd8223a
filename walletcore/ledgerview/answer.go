package ledgerview

import (
	"encoding/json"

	"billfold/walletcore/fault"
)

// IsNull reports whether a daemon's answer is null or empty, that is, the object does not exist.
func IsNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// daemonFault wraps a daemon's error. It returns nil for nil.
func daemonFault(op string, err error) error {
	if err == nil {
		return nil
	}
	return fault.Daemon(op, err)
}

// single returns the only element of a daemon's answer. If there is no such element, it returns the error none.
func single(found []json.RawMessage, err error, doing string, none error) (json.RawMessage, error) {
	switch {
	case err != nil:
		return nil, fault.Daemon(doing, err)
	case len(found) != 1 || IsNull(found[0]):
		return nil, none
	}
	return found[0], nil
}
