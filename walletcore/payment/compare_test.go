package payment_test

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// olderFolder returns a place with the wallet's files as they were before it paid for the last time, under the key "since". That payment
// is in no block yet.
func (p *place) olderFolder(t *testing.T) (back *place, paid ledger.TransactionID) {
	t.Helper()
	s := p.sit()
	_, err := s.keyed("before", nil)
	testwallet.Must(t, err)
	for n, proven := 0, false; n < 12 || !proven; n++ { // without a proven block in the store the daemon's word counts
		p.now.Forward(5 * time.Second)
		s.Mine()
		kept, err := s.Payments.Anchors.Anchor(s.Ctx, s.View.Pins.Chain())
		testwallet.Must(t, err)
		if proven = kept != nil && kept.Block.Num() > 0; n > 200 {
			t.Fatal("no block is kept as proven")
		}
	}
	s.end()
	older := folderOf(t, p.dir)
	s = p.sit()
	signed, err := s.Transfer(seven(), payment.Sending{Broadcast: true, Key: "since"})
	testwallet.Must(t, err)
	s.end()
	back = &place{t: t, dir: testwallet.Folder(t), box: p.box, now: p.now, url: p.url}
	for name, data := range older {
		testwallet.Must(t, os.WriteFile(filepath.Join(back.dir, name), data, 0o600))
	}
	return back, signed.TransactionID
}

// isHeldFor waits until nothing is paid because of a payment that the journal lacked.
func (s *sitting) isHeldFor(id ledger.TransactionID) {
	s.T.Helper()
	for end := time.Now().Add(testwallet.Patience / 4); s.Payments.JournalFault() == nil && time.Now().Before(end); {
		time.Sleep(2 * time.Millisecond) // no event follows the last block
	}
	if err := s.Payments.JournalFault(); err == nil || !strings.Contains(err.Error(), id.String()) {
		s.T.Errorf("it is held because %v", err)
	}
	if _, err := s.plain("next"); err == nil {
		s.T.Error("a new payment is made")
	}
}

// A journal that came back is compared at the start, and what it lacks comes into a block only afterwards.
func TestWhatComesInAfterTheComparisonHolds(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	older := folderOf(t, p.dir)
	p.idle = true
	s := p.sit()
	lacking := s.prepare() // it is sent only later
	s.end()
	for range 6 { // longer than expirations differ by
		_, err := p.box.Mine()
		testwallet.Must(t, err)
	}
	back := &place{t: t, dir: testwallet.Folder(t), box: p.box, now: p.now, url: p.url}
	for name, data := range older {
		testwallet.Must(t, os.WriteFile(filepath.Join(back.dir, name), data, 0o600))
	}
	s = back.sit()
	if err := s.Payments.JournalFault(); err != nil {
		t.Fatalf("no block has it, and it is held: %v", err)
	}
	daemon, err := s.Client.Current()
	testwallet.Must(t, err)
	testwallet.Must(t, daemon.BroadcastTransaction(s.Ctx, lacking.Transaction()))
	s.Mine()
	s.isHeldFor(lacking.ID)
}

// A journal that came back after so long that not every block is read is compared by the history of its accounts.
func TestAJournalOfLongAgoIsCompared(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{"by the history": "", "of a daemon that lists none": refusal, "of one that lists nothing": `"result":[]`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			back, paid := p.olderFolder(t)
			for range 450 {
				_, err := p.box.Mine()
				testwallet.Must(t, err)
			}
			asked := back.asksFor("get_account_history", answer)
			s := back.sit()
			s.isHeldFor(paid)
			if !asked() {
				t.Error("no history was asked for")
			}
		})
	}
}

// A line that never lasts for all that is to be compared does not keep the comparison from its end, whichever way it goes.
func TestAComparisonGoesOnWhereALineBroke(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		blocks, payments, lasts int
		calls                   []string
	}{
		"block by block": {350, 1, 50, []string{"get_block"}},
		"by the history": {450, 12, 6, []string{"get_account_history", "get_block"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			back, paid := p.olderFolder(t)
			_, err := p.box.Mine()
			testwallet.Must(t, err)
			s := p.sit()
			last := paid
			for range c.payments - 1 {
				last = s.Pay("alice", "bobby", "1", "").TransactionID
				s.Mine()
			}
			s.end()
			for range c.blocks {
				_, err := p.box.Mine()
				testwallet.Must(t, err)
			}
			back.breaksEvery(c.lasts, c.calls...)
			s = back.sit()
			s.isCompared()
			s.isHeldFor(paid)
			if known, err := s.journal.Knows(s.Ctx, last); err != nil || !known {
				t.Errorf("the journal lacks %s still: %v", last, err)
			}
		})
	}
}

// A daemon that shows blocks which no trusted miner signed ends no comparison: what the ledger has may be in none of them.
func TestAComparisonEndsAtTheHeadOfTheLedger(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	back, paid := p.olderFolder(t)
	head := p.box.Head()
	for range 5 {
		_, err := p.box.Mine()
		testwallet.Must(t, err)
	}
	tell := forgedBlocks(t, p, head)
	r := testwallet.RelayTo(t, p.url)
	back.url = r.URL
	r.Set(func(r *testwallet.Relay) { r.Lie = tell })
	s := back.sitAway()
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	for range 50 {
		if time.Sleep(10 * time.Millisecond); s.Payments.Compared() {
			t.Fatal("the comparison ends")
		}
	}
	r.Set(func(r *testwallet.Relay) { r.Lie = nil })
	r.HangUp(false)
	s.isCompared()
	s.isHeldFor(paid)
}

// forgedBlocks has the ledger's blocks after one without their transactions, signed with a key of the liar's own.
func forgedBlocks(t *testing.T, p *place, from uint32) func(testwallet.Question, json.RawMessage) json.RawMessage {
	s := p.sit()
	daemon, err := s.Client.Current()
	testwallet.Must(t, err)
	forged, own := map[string]json.RawMessage{}, ledger.DeriveKey("impostor", 1)
	var previous, newest ledger.BlockID
	for num := from + 1; num <= p.box.Head(); num++ {
		raw, err := daemon.GetBlock(s.Ctx, num)
		testwallet.Must(t, err)
		var b ledger.Block
		testwallet.Must(t, codec.Unmarshal(raw, &b))
		b.Transactions, b.TransactionIDs, b.TransactionMerkleRoot = []ledger.ProcessedTransaction{}, []ledger.TransactionID{}, ledger.Hash160{}
		if previous != (ledger.BlockID{}) {
			b.Previous = previous
		}
		digest, err := b.BlockHeader.Digest()
		testwallet.Must(t, err)
		b.MinerSignature, b.SigningKey = own.Sign(digest), own.Public()
		b.BlockID, err = b.SignedBlockHeader.ID()
		testwallet.Must(t, err)
		previous, newest = b.BlockID, b.BlockID
		forged[fmt.Sprintf("[%d]", num)], err = codec.Marshal(&b)
		testwallet.Must(t, err)
	}
	s.end()
	id := regexp.MustCompile(`"head_block_id":"[0-9a-f]+"`)
	return func(q testwallet.Question, result json.RawMessage) json.RawMessage {
		if q.Method == "get_dynamic_global_properties" {
			return id.ReplaceAll(result, []byte(`"head_block_id":"`+newest.String()+`"`))
		}
		if b := forged[q.Args]; q.Method == "get_block" && b != nil {
			return b
		}
		return result
	}
}

// isCompared waits until the journal was compared with the ledger.
func (s *sitting) isCompared() {
	s.T.Helper()
	for end := time.Now().Add(testwallet.Patience / 2); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		at, err := s.Payments.JournalState(s.Ctx)
		testwallet.Must(s.T, err)
		if at.Compared {
			return
		}
	}
	s.T.Error("the journal is still compared with the ledger")
}

const refusal = `"error":{"code":1,"message":"that is not answered here"}`

// asksFor has wallets that begin from now on ask a daemon which may answer one call falsely, and returns what reports whether they called it.
func (p *place) asksFor(call, answer string) (asked func() bool) {
	r, ids := testwallet.RelayTo(p.t, p.url), map[string]bool{}
	r.Set(func(r *testwallet.Relay) {
		r.Seen = func(request string) {
			if strings.Contains(request, `"`+call+`"`) {
				ids[idOf(request)] = true
			}
		}
		r.Swap = func(told string) string {
			if id := idOf(told); ids[id] && answer != "" {
				return `{"id":` + id + `,` + answer + `}`
			}
			return told
		}
	})
	p.url = r.URL
	return func() (called bool) {
		r.Set(func(*testwallet.Relay) { called = len(ids) > 0 })
		return called
	}
}

// idOf returns the id of a request or an answer.
func idOf(frame string) string {
	var f struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal([]byte(frame), &f) // a notice has none
	return string(f.ID)
}

// Blocks that are read after the start count from where the comparison began, as long as something that an earlier run signed may be in
// them; one that cannot be compared stops whoever reads them.
func TestOfLaterBlocksThoseCountThatMayHoldWhatIsMissing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.sit()
	signed, err := s.keyed("before", nil)
	testwallet.Must(t, err)
	s.mineUntil(signed.TransactionID, payment.Irreversible)
	s.end()
	s = p.sit()
	from := s.Payments.ComparedFrom()
	if from < 2 {
		t.Fatalf("the comparison began at block %d", from)
	}
	expires := func(b *ledger.Block, at ledger.Time) {
		tx := &b.Transactions[0].SignedTransaction
		tx.Expiration = at
		testwallet.Must(t, s.Vault.Sign(tx, []ledger.PublicKey{testwallet.Key("alice").Public()}))
	}
	block := func(num uint32) *ledger.Block {
		made, err := s.Build.Sign(s.Ctx, s.Prepare(testwallet.OneDCT()))
		testwallet.Must(t, err)
		b := new(ledger.Block)
		binary.BigEndian.PutUint32(b.BlockID[:], num)
		b.Transactions = []ledger.ProcessedTransaction{{SignedTransaction: made.SignedTransaction}}
		expires(b, made.Expiration-10) // as if it had been signed a little before the start
		b.Timestamp = made.Expiration - 20
		return b
	}
	held := func() bool {
		hold, err := s.journal.Hold(s.Ctx)
		testwallet.Must(t, err)
		return hold.Why != ""
	}
	if err := s.Payments.See(s.Ctx, block(from-1)); err != nil || held() {
		t.Errorf("a block from before the comparison: held %v, %v", held(), err)
	}
	late := block(from)
	expires(late, late.Timestamp+600) // by another wallet with the same keys
	if err := s.Payments.See(s.Ctx, late); err != nil || held() {
		t.Errorf("what was signed since the start: held %v, %v", held(), err)
	}
	forged := block(from)
	expires(forged, forged.Timestamp-100) // before the block before
	if err := s.Payments.See(s.Ctx, forged); err == nil || held() {
		t.Errorf("a block that no chain has: held %v, %v", held(), err)
	}
	if err := s.Payments.See(s.Ctx, block(from)); err != nil || !held() {
		t.Errorf("a block of the comparison: held %v, %v", held(), err)
	}
}

// A journal that knows no irreversible block yet is compared from about the block that its first payment refers to, but not from blocks
// that were made long before: what the account paid there is from before there was a journal.
func TestWhatIsFromBeforeTheJournalHoldsNothing(t *testing.T) {
	t.Parallel()
	for name, age := range map[string]time.Duration{"an hour before": time.Hour, "a moment before": 10 * time.Second} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			empty := folderOf(t, p.dir)
			s := p.sit()
			_, err := s.plain("of an earlier wallet")
			testwallet.Must(t, err)
			p.now.Forward(5 * time.Second)
			s.Mine()
			s.end()
			p.now.Forward(age)
			_, err = p.box.Mine()
			testwallet.Must(t, err)
			p = &place{t: t, dir: testwallet.Folder(t), box: p.box, now: p.now, url: p.url}
			for name, data := range empty {
				testwallet.Must(t, os.WriteFile(filepath.Join(p.dir, name), data, 0o600))
			}
			s = p.sit()
			s.prepare()
			s.end()
			p.forgetProven()
			s = p.sit()
			if held, want := s.Payments.JournalFault() != nil, age < 5*time.Minute; held != want {
				t.Errorf("held: %v (%v), want %v", held, s.Payments.JournalFault(), want)
			}
			s.end()
		})
	}
}

// forgetProven makes the file one of a program that was killed before it had proven any block.
func (p *place) forgetProven() {
	p.t.Helper()
	p.edit("DELETE FROM anchors")
	p.edit("UPDATE payments SET sure_block = 0")
}

// edit changes the file while no wallet has it open.
func (p *place) edit(statement string, args ...any) {
	p.t.Helper()
	files, err := filepath.Glob(filepath.Join(p.dir, "*.db"))
	testwallet.Must(p.t, err)
	if len(files) != 1 {
		p.t.Fatalf("the databases are %q", files)
	}
	db, err := sql.Open("sqlite", files[0])
	testwallet.Must(p.t, err)
	_, err = db.ExecContext(p.t.Context(), statement, args...)
	testwallet.Must(p.t, err)
	testwallet.Must(p.t, db.Close())
}

// A block that was proven long ago says nothing of what the account paid after it with another wallet, before this one was there: only
// the time at which the journal was last written counts.
func TestWhatIsFromBeforeTheLatestProofHoldsNothing(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]time.Duration{"written now": 0, "written before": -2 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			s := p.sit()
			earlier, err := s.plain("before")
			testwallet.Must(t, err)
			s.mineUntil(earlier.TransactionID, payment.Irreversible)
			s.end() // saves what is proven
			s = p.sit()
			chain := s.Client.Status().ChainID
			first, err := s.kept.Anchors.Anchor(s.Ctx, chain)
			testwallet.Must(t, err)
			if first == nil || first.Block.Num() == 0 {
				t.Fatalf("nothing is proven: %+v", first)
			}
			_, err = s.plain("of another wallet")
			testwallet.Must(t, err)
			s.Mine()
			s.end()
			p.now.Forward(time.Hour)
			_, err = p.box.Mine()
			testwallet.Must(t, err)
			q := p.beside()
			first.Head = ledger.TimeOf(p.now.Now().Add(head))
			text, err := json.Marshal(first)
			testwallet.Must(t, err)
			q.edit("UPDATE anchors SET block = 1, anchor = ?", string(text))
			s = q.sit()
			if held, want := s.Payments.JournalFault() != nil, head < 0; held != want {
				t.Errorf("held: %v (%v), want %v", held, s.Payments.JournalFault(), want)
			}
			s.end()
		})
	}
}

// While a journal is compared with the ledger, a wallet says on /readyz how far that is.
func TestAComparisonSaysHowFarItIs(t *testing.T) {
	t.Parallel()
	back, _ := newPlace(t).olderFolder(t)
	back.asksFor("get_block", refusal)
	s := back.sit()
	defer s.end()
	want := regexp.MustCompile(`^the payment journal is still compared with the ledger, block \d+ of \d+; it ends by itself, at the newest block$`)
	for end := time.Now().Add(testwallet.Patience / 4); !want.MatchString(payment.NotReady(s.Payments)); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it says %q", payment.NotReady(s.Payments))
		}
	}
}

func seven() txbuild.TransferParams {
	req := testwallet.OneDCT()
	req.Amount = "7"
	return req
}
