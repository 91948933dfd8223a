package walletcore_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// reads are the reads of a person or a program; each checks the answer as far as it can be known.
var reads = []func(*scene, context.Context){
	(*scene).readAccount, (*scene).readAccount, (*scene).readAsset, (*scene).readAsset,
	(*scene).readBalances, (*scene).readHistory, (*scene).readNames, (*scene).readFee,
	(*scene).readKeys,
	func(s *scene, ctx context.Context) { _, _ = s.wallet.View.Chain.Info(ctx) },
	func(s *scene, ctx context.Context) { _, _ = s.wallet.History.Latest(ctx, "bobby", 20) },
	func(s *scene, ctx context.Context) { _, _ = s.wallet.Own.Raw(ctx) },
	func(s *scene, ctx context.Context) { _, _ = s.wallet.View.PrettyBalances(ctx, "alice") },
	func(s *scene, ctx context.Context) { _, _ = s.wallet.View.Objects.Block(ctx, 5) },
}

func (s *scene) readOne() {
	read := reads[s.luck.IntN(len(reads))]
	s.bounded("a read", func(ctx context.Context) { read(s, ctx) })
}

func (s *scene) readAccount(ctx context.Context) {
	name := []string{"alice", "bobby", "carol", "merchant-7"}[s.luck.IntN(4)]
	truth := s.account(name)
	ask := name
	if s.luck.IntN(2) == 0 {
		ask = truth.ID.String()
	}
	if got, err := s.wallet.View.Accounts.Named(ctx, ask); err == nil && (got.ID != truth.ID || got.Name != name) {
		s.found.add(&s.found.others, "account %q is answered as %s %s", ask, got.ID, strconv.QuoteToASCII(got.Name))
	}
}

// readKeys asks whose a key is. A daemon can attribute it wrongly only to an account that
// is not known yet.
func (s *scene) readKeys(ctx context.Context) {
	uses, err := s.wallet.View.Accounts.OfKey(ctx, key("alice").Public())
	if err != nil {
		return
	}
	for _, u := range uses {
		if u.Name == "alice" && u.ID != s.account("alice").ID || len(uses) > 100 {
			s.found.add(&s.found.others, "the key of alice belongs to %s %q, one of %d", u.ID, u.Name, len(uses))
		}
	}
}

func (s *scene) readAsset(ctx context.Context) {
	for symbol, truth := range payable {
		ask := symbol
		if s.luck.IntN(2) == 0 {
			ask = truth.id.String()
		}
		if got, err := s.wallet.View.Assets.Get(ctx, ask); err == nil &&
			(got.ID != truth.id || got.Symbol != symbol || got.Precision != truth.precision) {
			s.found.add(&s.found.others, "asset %q is answered as %s %s with %d digits", ask, got.ID, strconv.QuoteToASCII(got.Symbol),
				got.Precision)
		}
	}
}

func (s *scene) readBalances(ctx context.Context) {
	rows, err := s.wallet.View.Assets.Balances(ctx, s.account("alice").ID)
	if err != nil {
		return
	}
	for _, row := range rows {
		s.shown(row.Asset.Symbol)
		if truth, known := payable[row.Asset.Symbol]; known && (truth.id != row.Asset.ID || truth.precision != row.Asset.Precision) {
			s.found.add(&s.found.others, "a balance of %s is shown as %s", row.Asset.ID, row.Asset.Format(row.Amount))
		}
	}
}

func (s *scene) readHistory(ctx context.Context) {
	rows, err := s.wallet.History.Entries(ctx, s.account("alice").ID, 0, 20)
	if err != nil {
		return
	}
	for _, row := range rows {
		s.shown(row.From.Name)
		s.shown(row.To.Name)
		s.shown(row.Asset.Symbol)
	}
}

func (s *scene) readNames(ctx context.Context) {
	rows, _ := s.wallet.View.Accounts.Find(ctx, "ca", 10)
	if len(rows) > 0 {
		s.shown(rows[0].Name)
	}
	if len(rows) > 10 {
		s.found.add(&s.found.others, "10 names were asked for, %d came", len(rows))
	}
}

func (s *scene) readFee(ctx context.Context) { _, _, _ = s.wallet.Build.TransferFee(ctx) }

// shown checks a name or a symbol as it would be displayed.
func (s *scene) shown(text string) {
	odd := func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) }
	if len(text) > 64 || strings.ContainsFunc(text, odd) {
		s.found.add(&s.found.others, "a name no ledger could hold is shown: %d bytes, %.40q", len(text), text)
	}
}

// fund makes another account pay bobby.
func (s *scene) fund() {
	d := s.head()
	s.funded++
	op := &ledger.TransferObsoleteOp{
		From: s.account("faucet").ID, To: s.account("bobby").ID,
		Amount: ledger.AssetAmount{Amount: int64(1_0000_0000 + s.funded)},
	}
	op.Fee.Amount = 50_0000
	tx := ledger.SignedTransaction{
		Transaction: ledger.Transaction{Expiration: d.Time + 600, Operations: []ledger.Operation{ledger.NewOperation(op)}},
	}
	tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(d.HeadBlockID)
	digest, err := tx.Digest(s.box.ChainID())
	must(s.t, err)
	tx.Signatures = []ledger.Signature{key("faucet").Sign(digest)}
	text, err := codec.Marshal(tx)
	must(s.t, err)
	s.push(text)
}

// push broadcasts a transaction to the ledger directly.
func (s *scene) push(tx json.RawMessage) bool {
	var set int
	must(s.t, json.Unmarshal(s.line.ask(1, "network_broadcast"), &set))
	return s.line.ask(set, "broadcast_transaction", tx) != nil
}

// takeDeposits lists and acknowledges deposits as an exchange does.
func (s *scene) takeDeposits() {
	s.bounded("deposits.next", func(ctx context.Context) {
		list, err := s.deposits.Next(ctx, "bobby", 50)
		if err != nil {
			return
		}
		s.read()
		for _, d := range list {
			if !s.isDeposit(d.BlockNum, d.TrxInBlock, d.Amount, d.AssetID, d.FromID) {
				s.found.add(&s.found.finality, "a deposit was handed out that is not on the ledger, or not irreversible: %+v", d)
			}
			s.handed[d.Position.String()] = true
		}
	})
}

func (s *scene) isDeposit(block, trx uint32, amount string, asset ledger.AssetID, from ledger.AccountID) bool {
	if block == 0 || block > uint32(len(s.blocks)) || !s.irreversible(block) || int(trx) >= len(s.blocks[block-1].Transactions) {
		return false
	}
	for _, op := range s.blocks[block-1].Transactions[trx].Operations {
		body, ok := op.Body.(*ledger.TransferObsoleteOp)
		if ok && body.To == s.account("bobby").ID && body.From == from && body.Amount.AssetID == asset &&
			strconv.FormatInt(body.Amount.Amount, 10) == amount {
			return true
		}
	}
	return false
}
