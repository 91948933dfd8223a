package build

import (
	"bytes"

	"billfold/ledger"
)

// only is a request that is one operation, for words that are no account, asset,
// amount or memo: what is read back from the bytes must be body as it is now, but for
// its fee and memo.
func (b *Builder) only(body ledger.Body) ([]ledger.Operation, error) {
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
