package daemonclient

import (
	"encoding/json"
	"fmt"
)

// checkPeers expects a list of objects.
func checkPeers(q question, result json.RawMessage) error {
	list, err := rows(result, smallSize)
	if err != nil {
		return err
	}
	for _, raw := range list {
		if err := wantObject(q, raw); err != nil {
			return err
		}
	}
	return nil
}

// checkCounters expects counters, none twice, and only named ones if any were named.
func checkCounters(q question, result json.RawMessage) error {
	list, err := rows(result, smallSize)
	if err != nil {
		return err
	}
	named, seen := map[string]bool{}, map[string]bool{}
	for _, raw := range q.list(0) {
		named[string(raw)] = true
	}
	for _, raw := range list {
		m, err := fields(raw, "name", "last_reset")
		if err != nil {
			return err
		}
		if _, err := plainText(m[0]); err != nil {
			return err
		}
		if _, err := number(m[1], 32); err != nil {
			return err
		}
		name := string(m[0])
		if seen[name] || len(named) > 0 && !named[name] {
			return fmt.Errorf("the counter %s was not asked for, or occurs twice", quoted(m[0]))
		}
		seen[name] = true
	}
	return nil
}
