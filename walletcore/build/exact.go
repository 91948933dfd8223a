package build

import (
	"bytes"

	"billfold/ledger"
)

// exactly returns body as the single operation of a request, and requires that the
// operation read back from the bytes equals body as it is now, except for its fee and
// memo. It covers words that are not an account, asset, amount or memo.
func (b *Builder) exactly(body ledger.Body) ([]ledger.Operation, error) {
	op := ledger.NewOperation(body)
	want, err := contentOf(op)
	if err != nil {
		return nil, unpackable(b.op, err)
	}
	b.Require(func(ops []ledger.Operation) error {
		if len(ops) != 1 {
			return notAsked("it does more, or nothing")
		}
		got, err := contentOf(ops[0])
		if err != nil {
			return unpackable(b.op, err)
		}
		if !bytes.Equal(got, want) {
			return notAsked("it does something else")
		}
		return nil
	})
	return []ledger.Operation{op}, nil
}
