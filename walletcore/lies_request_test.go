package walletcore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// request is a payment as it was asked for, with its outcome.
type request struct {
	n        int
	to       string // name, whatever the request calls the account by
	asset    string // symbol, likewise
	amount   int64  // smallest unit
	text     txbuild.TransferParams
	key      string
	way      way
	lied     bool // asked while the daemon lied
	err      error
	returned ledger.TransactionID
	made     []ledger.TransactionID // the transactions broadcast for it
}

// way is the path by which a payment is made.
type way int

const (
	transferring way = iota // as over RPC
	reviewing               // as on the screen
	signing                 // signed only, for somebody else to send
	ways
)

// payable lists the assets that alice pays with; they are part of the genesis.
var payable = map[string]struct {
	id        ledger.AssetID
	precision uint8
}{"DCT": {0, 8}, "ALX.GOLD": {1, 4}}

const (
	maxFee    = 1_0000_0000 // 1 DCT
	maxWindow = 40 * time.Second
)

// pay asks for a payment that differs from all others.
func (s *scene) pay(lied bool) *request {
	return s.payTo([]string{"carol", "merchant-7"}[s.luck.IntN(2)], lied)
}

func (s *scene) payTo(to string, lied bool) *request {
	n := len(s.requests) + 1
	r := &request{n: n, lied: lied, to: to, asset: "DCT", amount: int64(10_0000 + n), way: way(s.luck.IntN(int(ways)))}
	if s.luck.IntN(4) == 0 {
		r.asset, r.amount = "ALX.GOLD", int64(n)
	}
	facts := payable[r.asset]
	r.text = txbuild.TransferParams{From: "alice", To: r.to, Asset: r.asset, Amount: ledger.FormatAmount(r.amount, facts.precision)}
	if s.luck.IntN(2) == 0 {
		r.text.To = s.account(r.to).ID.String()
	}
	if s.luck.IntN(3) == 0 {
		r.text.Asset = facts.id.String()
	}
	if s.luck.IntN(4) == 0 {
		r.text.From = s.account("alice").ID.String()
	}
	if s.luck.IntN(3) == 0 {
		r.text.Memo = fmt.Sprintf("for order %d", n)
	}
	if s.luck.IntN(2) == 0 {
		r.key = fmt.Sprintf("order %d", n)
	}
	s.mu.Lock()
	s.requests = append(s.requests, r)
	s.mu.Unlock()
	s.bounded("a payment", func(ctx context.Context) { s.send(ctx, r) })
	s.judgeAnswer(r)
	return r
}

// send asks the wallet to make the payment.
func (s *scene) send(ctx context.Context, r *request) {
	switch r.way {
	case transferring:
		info, err := s.wallet.Payments.Spend(
			ctx,
			txbuild.NewRequest("transfer", r.text, txbuild.Transfer),
			payment.Sending{Broadcast: true, Key: r.key},
		)
		if r.err = err; err == nil {
			r.returned = info.TransactionID
		}
	case reviewing:
		draft, err := s.wallet.Payments.Prepare(ctx, txbuild.NewRequest("transfer", r.text, txbuild.Transfer))
		if r.err = err; err != nil {
			return
		}
		if changed := draft.Review().Changed; len(changed) > 0 { // shown, and the change must be typed to confirm: nobody does
			r.err = &fault.Error{Code: fault.Denied, Op: "send", Message: "the person saw another " + changed[0].What}
			return
		}
		sent, err := s.wallet.Payments.Send(ctx, draft)
		if r.err = err; err == nil {
			r.returned = sent.ID
		}
	case signing:
		info, err := s.wallet.Payments.Spend(ctx, txbuild.NewRequest("transfer", r.text, txbuild.Transfer), payment.Sending{})
		if r.err = err; err == nil {
			s.compare(r, info.SignedTransaction)
		}
	}
}

// broadcast is called with everything that the wallet broadcasts.
func (s *scene) broadcast(tx ledger.SignedTransaction) {
	id, err := tx.ID()
	s.mu.Lock()
	requests := s.requests
	s.mu.Unlock()
	again := s.left(id)
	r := s.askedFor(requests, tx)
	s.mu.Lock()
	s.seen[id] = true
	if !again && r != nil {
		r.made = append(r.made, id)
	}
	s.mu.Unlock()
	switch {
	case err != nil || r == nil:
		s.found.add(&s.found.signed, "a broadcast of what nobody asked for: %v", err)
	case !again:
		s.compare(r, tx)
	}
}

// left reports whether the wallet handed out the transaction.
func (s *scene) left(id ledger.TransactionID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen[id]
}

// askedFor returns the request for a transaction: the latest that it matches exactly, since
// it may be sent later than it was asked for; if none matches, the request in progress.
func (s *scene) askedFor(requests []*request, tx ledger.SignedTransaction) *request {
	for _, r := range slices.Backward(requests) {
		if len(s.differences(r, tx)) == 0 {
			return r
		}
	}
	if len(requests) == 0 {
		return nil
	}
	return requests[len(requests)-1]
}

// compare compares what was signed with the request.
func (s *scene) compare(r *request, tx ledger.SignedTransaction) {
	for _, wrong := range s.differences(r, tx) {
		s.found.add(&s.found.signed, "asked %s of %s to %s as %q: signed %s", r.text.Amount, r.asset, r.to, r.text.To, wrong)
	}
}

func (s *scene) differences(r *request, tx ledger.SignedTransaction) (out []string) {
	differ := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if len(tx.Operations) != 1 {
		return []string{fmt.Sprintf("%d operations", len(tx.Operations))}
	}
	op, ok := tx.Operations[0].Body.(*ledger.TransferObsoleteOp)
	if !ok {
		return []string{fmt.Sprintf("operation %d", tx.Operations[0].Code)}
	}
	if alice := s.account("alice").ID; op.From != alice {
		differ("from %s, not %s", op.From, alice)
	}
	if to := s.account(r.to).ID; op.To != to {
		differ("to %s, not %s", op.To, to)
	}
	if want := (ledger.AssetAmount{Amount: r.amount, AssetID: payable[r.asset].id}); op.Amount != want {
		differ("%d of %s, not %d of %s", op.Amount.Amount, op.Amount.AssetID, want.Amount, want.AssetID)
	}
	if op.Fee.AssetID != ledger.CoreAsset || op.Fee.Amount < 0 || op.Fee.Amount > maxFee {
		differ("a fee of %d of %s", op.Fee.Amount, op.Fee.AssetID)
	}
	if latest := time.Now().Add(maxWindow); tx.Expiration.Time().After(latest) {
		differ("an expiration %v ahead", time.Until(tx.Expiration.Time()).Round(time.Second))
	}
	if wrong := s.memoDiffers(r, op.Memo); wrong != "" {
		differ("%s", wrong)
	}
	digest, err := tx.Digest(s.box.ChainID())
	if err != nil {
		differ("what cannot be read back: %v", err)
	}
	for _, sig := range tx.Signatures {
		if by, err := ledger.RecoverKey(digest, sig); err != nil || by != key("alice").Public() {
			differ("for another chain, or by another key")
		}
	}
	return out
}

func (s *scene) memoDiffers(r *request, memo *ledger.Memo) string {
	switch {
	case memo == nil && r.text.Memo == "":
		return ""
	case memo == nil || r.text.Memo == "":
		return "another memo"
	}
	if text, err := memo.Decrypt(key(r.to)); err != nil || text != r.text.Memo {
		return "a memo that the recipient cannot read"
	}
	return ""
}

// judgeAnswer records what a caller was told that cannot be taken back.
func (s *scene) judgeAnswer(r *request) {
	if r.err == nil && r.way != signing && r.returned == (ledger.TransactionID{}) {
		s.found.add(&s.found.finality, "payment %d: neither an error nor an id", r.n)
	}
	var own *fault.Error
	if r.err != nil && !errors.As(r.err, &own) {
		s.found.add(&s.found.finality, "payment %d: an error without a code: %v", r.n, r.err)
	}
}

// toldNever reports whether the caller was told that nothing was spent. An error saying that the
// payment may still happen has the time until which not to pay again.
func (r *request) toldNever() bool {
	return r.err != nil && fault.CodeOf(r.err) != fault.OutcomeUnknown && !strings.Contains(r.err.Error(), "may still happen")
}

// observe compares what the wallet reports as final with the ledger. This ledger has
// no forks: what is not in a block at the end never was, and what is in a block has
// been there since it was first seen.
func (s *scene) observe(told map[ledger.TransactionID]payment.Info) {
	s.bounded("list_payments", func(ctx context.Context) {
		list, err := s.wallet.Payments.List(ctx, 1000)
		if err != nil {
			s.found.add(&s.found.finality, "the payments cannot be listed: %v", err)
		}
		for _, p := range list {
			switch p.State {
			case "irreversible":
				s.read()
				if block, in := s.known[p.TransactionID]; !in || !s.irreversible(block) {
					s.found.add(
						&s.found.finality,
						"payment %s is told to be irreversible in block %d, in truth it is in block %d",
						p.TransactionID,
						p.BlockNum,
						block,
					)
				}
				told[p.TransactionID] = p
			case "expired", "rejected":
				if s.read(); s.finalTime() <= p.Expiration && s.left(p.TransactionID) {
					s.found.add(
						&s.found.finality,
						"payment %s is told to be %s by %s, but may still happen until %s; the last final block is of %s",
						p.TransactionID,
						p.State,
						p.Reason,
						p.Expiration,
						s.finalTime(),
					)
				}
				told[p.TransactionID] = p
			}
		}
	})
}

// irreversible reports whether the block is irreversible on the ledger itself.
func (s *scene) irreversible(block uint32) bool { return s.head().LastIrreversibleBlockNum >= block }

// finalTime returns the time of the ledger's last irreversible block.
func (s *scene) finalTime() ledger.Time {
	if last := s.head().LastIrreversibleBlockNum; last > 0 {
		return s.blocks[last-1].Timestamp
	}
	return 0
}

// judge compares everything the wallet reported with the ledger at the end.
func (s *scene) judge(told map[ledger.TransactionID]payment.Info) {
	s.read()
	for id, p := range told {
		if block, in := s.known[id]; in && p.State != "irreversible" {
			s.found.add(&s.found.finality, "payment %s was told to be %s (%s) and is in block %d", id, p.State, p.Reason, block)
		}
	}
	for _, r := range s.requests {
		paid := 0
		for _, id := range r.made {
			if s.known[id] != 0 {
				paid++
			}
		}
		if paid > 1 {
			s.found.add(&s.found.finality, "payment %d was made %d times", r.n, paid)
		}
		if paid > 0 && r.toldNever() {
			s.found.add(&s.found.finality, "payment %d was answered %q and is on the ledger", r.n, r.err)
		}
	}
}

// brief returns an error as the table shows it.
func brief(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if len(text) > 120 {
		text = text[:120] + "…"
	}
	return string(fault.CodeOf(err)) + ": " + text
}
