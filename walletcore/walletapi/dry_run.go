package walletapi

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// dryRun is the outcome that a spend would have. For it nothing was signed, counted or kept, and
// nobody was asked.
type dryRun struct {
	Sentence   string                     `json:"sentence" help:"what it would do, in words"`
	Operations json.RawMessage            `json:"operations" help:"as they would be signed, with their fees"`
	Fee        ledgerview.PrettyBalance   `json:"fee" help:"of all operations together"`
	SignsWith  []ledger.PublicKey         `json:"signs_with" help:"the keys of this wallet that would sign"`
	Signers    []dryRunSigner             `json:"must_sign" help:"whose authority is needed"`
	Effects    []ledger.Effect            `json:"effects" help:"what changes besides money"`
	Changed    []dryRunChange             `json:"changed,omitempty" help:"what is not as it was last accepted: nobody would sign it unseen"`
	Balances   []ledgerview.PrettyBalance `json:"balances_after" help:"what the payer would have left of the assets that it spends"`
	Others     []dryRunBalance            `json:"balances_of_others,omitempty" help:"what other accounts that pay would have left"`
}

// dryRunSigner is an authority that has to sign.
type dryRunSigner struct {
	Account   *ledger.AccountID `json:"account,omitempty"`
	Name      string            `json:"name,omitempty"`
	Authority string            `json:"authority" help:"active or owner; keys where keys are named directly"`
	Keys      *ledger.Authority `json:"keys,omitempty"`
	Met       bool              `json:"met" help:"whether the keys of this wallet satisfy it"`
}

// dryRunChange is something that is not as it was last accepted.
type dryRunChange struct {
	What  string      `json:"what" help:"such as memo key, fee or issuer"`
	Of    string      `json:"of" help:"the account, or what else it is of"`
	Was   string      `json:"was"`
	Now   string      `json:"now"`
	Since ledger.Time `json:"since" help:"when what it was was accepted, UTC"`

	Undoes string `json:"undoes,omitempty" help:"the change of this wallet that would be undone; was is how it is, now how it would be"`
}

// dryRunBalance is the balance of an asset that an account would have left.
type dryRunBalance struct {
	Account ledger.AccountID `json:"account"`
	Name    string           `json:"name"`
	ledgerview.PrettyBalance
}

// spendAnswer describes the result of a spend: a signed transaction, a dry run, or a transaction file.
type spendAnswer struct{}

func (spendAnswer) schema(s *schemas) Schema {
	const name = "spend_answer" // one component that all spends refer to
	if _, known := s.components[name]; !known {
		s.components[name] = Schema{AnyOf: []Schema{
			s.of(reflect.TypeFor[*txbuild.Signed]()), s.of(reflect.TypeFor[dryRun]()), exported(nil).schema(s)}}
	}
	return Schema{Ref: "#/components/schemas/" + name}
}

func (spendAnswer) word() string { return "signed transaction with transaction_id" }

// runDry builds and reviews a spend without signing anything. It fails where the spend would be refused.
func runDry(ctx context.Context, w *Core, r txbuild.Request, how payment.Sending) (*dryRun, error) {
	tried, err := w.Payments.DryRun(ctx, r, how)
	if err != nil {
		return nil, err
	}
	return dryRunOf(tried.Review)
}

func dryRunOf(r txbuild.Review) (*dryRun, error) {
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
	out := &dryRun{Sentence: r.Intent(), Operations: operations.Bytes(), Fee: pretty(r.Fee, r.FeeAsset),
		SignsWith: r.SignsWith, Effects: r.Effects}
	for _, c := range r.Changed {
		of := c.Of
		if of == "" {
			of = c.Account.Name + " (" + c.Account.ID.String() + ")"
		}
		out.Changed = append(out.Changed, dryRunChange{What: c.What, Of: of, Was: c.Was, Now: c.Now, Since: ledger.TimeOf(c.Since),
			Undoes: c.Undoes})
	}
	for _, o := range r.Outgoing {
		left := pretty(o.Left(), o.Asset)
		if o.Account.ID == r.From.ID {
			out.Balances = append(out.Balances, left)
			continue
		}
		out.Others = append(out.Others, dryRunBalance{o.Account.ID, o.Account.Name, left})
	}
	for _, needed := range r.Signers {
		row := dryRunSigner{Authority: needed.Role, Keys: needed.Keys, Met: needed.Met}
		if needed.Keys == nil {
			row.Account, row.Name = &needed.Account.ID, needed.Account.Name
		}
		out.Signers = append(out.Signers, row)
	}
	return out, nil
}

func pretty(amount int64, of ledgerview.AssetRef) ledgerview.PrettyBalance {
	return ledgerview.PrettyBalance{AssetAmount: ledger.AssetAmount{Amount: amount, AssetID: of.ID},
		Pretty: ledger.FormatAmount(amount, of.Precision) + " " + of.Symbol}
}
