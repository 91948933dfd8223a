package txbuild

import (
	"bytes"
	"errors"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/vault"
)

// ErrUnreadableText means that operations cannot be compared, because no key of the wallet opens a memo or a message in one of them.
var ErrUnreadableText = errors.New("no key of this wallet opens its memo or message")

// SameContent reports whether two lists of operations do the same. Fees and the cipher text of memos and messages may differ, what
// they say must not. Errors: fault.Locked, ErrUnreadableText.
func (f *Factory) SameContent(a, b []ledger.Operation) (bool, error) {
	if len(a) != len(b) {
		return false, nil
	}
	for i := range a {
		left, leftTexts, err := bareContentOf(a[i])
		if err != nil {
			return false, err
		}
		right, rightTexts, err := bareContentOf(b[i])
		if err != nil {
			return false, err
		}
		if !bytes.Equal(left, right) {
			return false, nil
		}
		if same, err := f.sameTexts(leftTexts, rightTexts); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// sameTexts compares memos by what they say.
func (f *Factory) sameTexts(a, b []ledger.Memo) (bool, error) {
	if len(a) != len(b) {
		return false, nil
	}
	if len(a) > 0 {
		if err := f.Vault.CheckOpen("transfer"); err != nil {
			return false, err
		}
	}
	for i := range a {
		left, leftState := f.Vault.OpenMemo(&a[i])
		right, rightState := f.Vault.OpenMemo(&b[i])
		for _, state := range []vault.MemoState{leftState, rightState} {
			if state == vault.MemoForeign || state == vault.MemoDamaged {
				return false, ErrUnreadableText
			}
		}
		if left != right || leftState != rightState {
			return false, nil
		}
	}
	return true, nil
}

// bareContentOf packs an operation as contentOf does, without the cipher text of messages either, and returns its memos and messages.
func bareContentOf(op ledger.Operation) (packed []byte, texts []ledger.Memo, err error) {
	for _, memo := range op.Memos() {
		texts = append(texts, *memo)
	}
	if packed, err = contentOf(op); err != nil {
		return nil, nil, err
	}
	var bare ledger.Operation
	if err := codec.Unpack(packed, &bare); err != nil {
		return nil, nil, err
	}
	for _, each := range bare.WithProposed() {
		body, is := each.Body.(*ledger.CustomOp)
		if !is || body.ID != ledger.MessageID {
			continue
		}
		message, err := ledger.ReadMessage(body.Data)
		if err != nil {
			continue // it is not one of this wallet
		}
		for i := range message.Receivers {
			texts = append(texts, message.Memo(i))
			message.Receivers[i].PubTo, message.Receivers[i].Nonce, message.Receivers[i].Data = ledger.PublicKey{}, 0, nil
		}
		message.PubFrom = ledger.PublicKey{}
		if body.Data, err = message.Bytes(); err != nil {
			return nil, nil, err
		}
	}
	packed, err = codec.Pack(bare)
	return packed, texts, err
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
