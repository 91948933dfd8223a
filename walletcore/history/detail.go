package history

import "encoding/json"

// Detail is one row as the reference returns it: the record as the
// daemon wrote it, an English description, and the memo if it can be opened.
type Detail struct {
	Memo        string          `json:"memo"`
	Description string          `json:"description"`
	Op          json.RawMessage `json:"op"`
}
