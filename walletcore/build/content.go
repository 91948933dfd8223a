package build

import (
	"bytes"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// SameContent compares what operations do: fees and the cipher text of memos
// differ each time, what the memos say must not. Error: fault.Locked.
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
		leftMemo, leftState := f.Vault.OpenMemo(a[i].Memo())
		rightMemo, rightState := f.Vault.OpenMemo(b[i].Memo())
		if !bytes.Equal(left, right) || leftMemo != rightMemo || leftState != rightState {
			return false, nil
		}
	}
	return true, nil
}

// contentOf packs an operation without its fee and memo.
func contentOf(op ledger.Operation) ([]byte, error) {
	packed, err := codec.Pack(op)
	if err != nil {
		return nil, err
	}
	var bare ledger.Operation
	if err := codec.Unpack(packed, &bare); err != nil {
		return nil, err
	}
	*bare.Fee() = ledger.AssetAmount{}
	bare.RemoveMemo()
	return codec.Pack(bare)
}
