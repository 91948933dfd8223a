package ledger

import (
	"strconv"
	"strings"

	"billfold/ledger/codec"
)

// Prototype returns an operation by the reference's name, such as "transfer_operation", with
// the ledger's defaults for all members.
func Prototype(name string) (op Operation, known bool) {
	base, suffixed := strings.CutSuffix(name, "_operation")
	for code, d := range operations {
		if suffixed && d.name == base {
			err := codec.Unmarshal([]byte("["+strconv.Itoa(code)+",{}]"), &op)
			return op, err == nil
		}
	}
	return op, false
}
