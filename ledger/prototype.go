package ledger

import (
	"strconv"
	"strings"

	"billfold/ledger/codec"
)

// Prototype returns an operation by the reference's name, "transfer_operation", with nothing
// filled in but what the ledger itself takes for members that are left out.
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
