package walletapi

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
)

// dryRun is what a spend would do. Nothing was signed, counted or kept for it, and
// nobody was asked.
type dryRun struct {
	Sentence   string                     `json:"sentence" help:"what it would do, in words"`
	Operations json.RawMessage            `json:"operations" help:"as they would be signed, with their fees"`
	Fee        ledgerview.PrettyBalance   `json:"fee"`
	SignsWith  []ledger.PublicKey         `json:"signs_with" help:"the keys of this wallet that would sign"`
	Balances   []ledgerview.PrettyBalance `json:"balances_after" help:"what the payer would have left of the assets that it spends"`
}

// spendAnswer is what a spend answers: a signed transaction, or a dry run.
type spendAnswer struct{}

func (spendAnswer) schema(s *schemas) Schema {
	const name = "spend_answer" // described once for all of them
	if _, known := s.components[name]; !known {
		s.components[name] = Schema{AnyOf: []Schema{s.of(reflect.TypeFor[*build.Signed]()), s.of(reflect.TypeFor[dryRun]())}}
	}
	return Schema{Ref: "#/components/schemas/" + name}
}

func (spendAnswer) word() string { return "signed transaction with transaction_id" }

// tryOut has a spend built and reviewed, and nothing signed.
func tryOut(ctx context.Context, w *Core, r build.Request) (*dryRun, error) {
	tried, err := w.Payments.DryRun(ctx, r)
	if err != nil {
		return nil, err
	}
	return dryRunOf(ctx, w, tried.Review)
}

func dryRunOf(ctx context.Context, w *Core, r build.Review) (*dryRun, error) {
	var built struct {
		Operations json.RawMessage `json:"operations"`
	}
	if err := json.Unmarshal([]byte(r.JSON), &built); err != nil {
		return nil, err
	}
	var operations bytes.Buffer
	if err := json.Compact(&operations, built.Operations); err != nil {
		return nil, err
	}
	out := &dryRun{Sentence: r.Sentence, Operations: operations.Bytes(), Fee: pretty(r.Fee, r.FeeAsset), SignsWith: r.SignsWith}
	out.Balances = append(out.Balances, pretty(r.Available-r.Spent(), r.Asset))
	if r.FeeAsset.ID != r.Asset.ID {
		held, err := w.View.Assets.Held(ctx, r.From.ID, r.FeeAsset.ID)
		if err != nil {
			return nil, err
		}
		out.Balances = append(out.Balances, pretty(held[r.FeeAsset.ID]-r.Fee, r.FeeAsset))
	}
	return out, nil
}

func pretty(amount int64, of ledgerview.AssetRef) ledgerview.PrettyBalance {
	return ledgerview.PrettyBalance{AssetAmount: ledger.AssetAmount{Amount: amount, AssetID: of.ID},
		Pretty: ledger.FormatAmount(amount, of.Precision) + " " + of.Symbol}
}
