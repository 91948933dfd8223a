package walletapi

import (
	"bytes"
	"context"
	"encoding/json"

	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// exported is an encoded transaction file, see package cosign.
type exported json.RawMessage

// MarshalJSON returns the file unchanged.
func (e exported) MarshalJSON() ([]byte, error) { return e, nil }

func (exported) schema(*schemas) Schema { return Schema{Type: "object"} }

// export returns the transaction file of a request. It signs nothing; but its content is meant to be
// signed elsewhere, so it is judged and approved like a spend.
func export(ctx context.Context, w *Core, r txbuild.Request, life uint32, how payment.Sending) (exported, error) {
	file, err := w.FileOf(ctx, r, life, how)
	if err != nil {
		return nil, err
	}
	text, err := file.Bytes()
	if err != nil {
		return nil, err
	}
	var line bytes.Buffer
	err = json.Compact(&line, text)
	return line.Bytes(), err
}
