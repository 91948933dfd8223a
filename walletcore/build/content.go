package build

import (
	"bytes"
	"slices"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// SameContent reports whether two lists of operations do the same. Fees and the cipher
// text of memos may differ, the text of the memos must not. Error: fault.Locked.
func (f *Factory) SameContent(a, b []ledger.Operation) (bool, error) {
	if len(a) != len(b) {
		return false, nil
	}
	if err := f.Vault.CheckOpen("transfer"); err != nil {
		return false, err
	}
	for i := range a {
		left, err := contentOf(a[i])
		if err != nil {
			return false, err
		}
		right, err := contentOf(b[i])
		if err != nil {
			return false, err
		}
		if !bytes.Equal(left, right) || !f.sameMemos(a[i].Memos(), b[i].Memos()) {
			return false, nil
		}
	}
	return true, nil
}

func (f *Factory) sameMemos(a, b []*ledger.Memo) bool {
	return slices.EqualFunc(a, b, func(a, b *ledger.Memo) bool {
		left, leftState := f.Vault.OpenMemo(a)
		right, rightState := f.Vault.OpenMemo(b)
		return left == right && leftState == rightState
	})
}

// contentOf packs an operation without its fee and memo, and without those of the operations that it proposes.
func contentOf(op ledger.Operation) ([]byte, error) {
	packed, err := codec.Pack(op)
	if err != nil {
		return nil, err
	}
	var bare ledger.Operation
	if err := codec.Unpack(packed, &bare); err != nil {
		return nil, err
	}
	bare.Strip()
	return codec.Pack(bare)
}
