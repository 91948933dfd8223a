package payment_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

// sendMany sends n payments of 1 DCT to bobby, by a few callers at once.
func (s *sitting) sendMany(n int) (ids []ledger.TransactionID) {
	s.t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range n / 16 {
				info, err := s.wallet.Payments.Spend(
					s.ctx,
					build.NewRequest("transfer", oneDCT, build.Transfer),
					payment.Sending{Broadcast: true},
				)
				if err != nil {
					s.t.Error(err)
					return
				}
				mu.Lock()
				ids = append(ids, info.TransactionID)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ids
}

// damaged writes a payment down that no daemon takes.
func (s *sitting) damaged() ledger.TransactionID {
	s.t.Helper()
	lost := s.built()
	lost.Transaction().Signatures[0][9] ^= 1
	must(s.t, s.wallet.Payments.WriteEntry(s.ctx, lost))
	return lost.ID
}

// blockCount notes how often a relay's ledger was asked for each block.
type blockCount struct {
	mu   sync.Mutex
	seen map[string]int
}

var blockAnswer = regexp.MustCompile(`"signing_key".*"block_id":"(\w+)"|"block_id":"(\w+)".*"signing_key"`)

func countBlocks(r *relay) *blockCount {
	c := &blockCount{seen: map[string]int{}}
	r.set(func(r *relay) {
		r.swap = func(answer string) string {
			if found := blockAnswer.FindStringSubmatch(answer); found != nil {
				c.mu.Lock()
				c.seen[found[1]+found[2]]++
				c.mu.Unlock()
			}
			return answer
		}
	})
	return c
}

// most gives how many blocks were asked for, and the most often one was.
func (c *blockCount) most() (blocks, most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, n := range c.seen {
		most = max(most, n)
	}
	return len(c.seen), most
}

func TestEachBlockIsReadOnceForAllPayments(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	r := relayTo(t, p.url)
	p.url = r.url
	s := p.sit()
	read := countBlocks(r)
	const payments = 128
	var ids []ledger.TransactionID
	for range 4 {
		ids = append(ids, s.sendMany(payments/4)...)
		s.mine()
	}
	for _, id := range ids {
		s.mineUntil(id, payment.Irreversible)
	}
	if blocks, most := read.most(); blocks == 0 || blocks > 12 || most != 1 {
		t.Errorf("%d blocks were read, one of them %d times", blocks, most)
	}
	s.bobbyGot(t, payments)
	s.end()
	if open, err := p.sit().journal.Open(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("still open are %+v (%v)", open, err)
	}
}

// After a long time away blocks are read from where a payment may be until its outcome is
// proven; what comes then is only looked at for who signs.
func TestALongTimeAwayIsCaughtUpWithFewBlocks(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	var ids [2]ledger.TransactionID
	for i := range ids {
		s := p.sit()
		ids[i] = s.prepare().ID
		s.end()
		p.now.forward(time.Minute)
		for range 300 {
			_, err := p.box.Mine()
			must(t, err)
		}
	}
	r := relayTo(t, p.url)
	p.url = r.url
	read := countBlocks(r)
	s := p.sit()
	for _, id := range ids {
		s.settled(id, payment.Expired)
	}
	if blocks, most := read.most(); blocks == 0 || blocks > 400 || most != 1 {
		t.Errorf("%d blocks of 600 were read, one of them %d times", blocks, most)
	}
	s.bobbyGot(t, 0)
}

func TestAForkTakesAPaymentBackAndItComesInAgain(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	s.mine()
	id := s.pay("alice", "bobby", "1", "").TransactionID
	before := s.mineUntil(id, payment.InBlock)
	_, err := p.box.Fork(1, false)
	must(t, err)
	s.mine() // another block of the same number, without it
	if got := s.settled(id, payment.Sent); got.BlockNum != 0 || got.InBlock != nil {
		t.Errorf("taken back it is %+v", got)
	}
	after := s.mineUntil(id, payment.Irreversible)
	if after.BlockNum <= before.BlockNum || after.Reason != "" {
		t.Errorf("it was in %d, is in %d: %+v", before.BlockNum, after.BlockNum, after)
	}
	s.bobbyGot(t, 1)
}

func TestAForkThatTakesTheReferenceBlockEndsThePayment(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	s.mine()
	s.mine()
	id := s.pay("alice", "bobby", "1", "").TransactionID
	s.mineUntil(id, payment.InBlock)
	_, err := p.box.Fork(2, false)
	must(t, err)
	p.now.forward(20 * time.Second)
	s.mine()
	s.mine()
	s.settled(id, payment.Sent)
	p.now.forward(time.Minute)
	s.mineUntil(id, payment.Expired)
	if !s.wallet.Payments.Read(id).Taken {
		t.Error("the daemon's answer that it has the bytes is forgotten")
	}
	s.bobbyGot(t, 0)
}

// A chain that lacks what is proven is not the ledger: nothing is concluded from it, and
// the payments whose blocks it lacks say so.
func TestAChainThatLacksAnIrreversibleBlock(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	for range 6 {
		s.mine()
	}
	kept := s.pay("alice", "bobby", "1", "").TransactionID
	s.mineUntil(kept, payment.Irreversible)
	for range 3 {
		s.mine()
	}
	id := s.pay("alice", "bobby", "1", "").TransactionID
	s.mineUntil(id, payment.InBlock)
	_, err := p.box.Fork(10, true)
	must(t, err)
	p.now.forward(2 * time.Minute)
	for range 12 {
		s.mine()
	}
	s.until("the missing block", func() bool { return strings.Contains(s.payment(kept).Reason, "lacks it") })
	if got := s.payment(kept); got.State != payment.Irreversible {
		t.Errorf("what is proven became %s", got.State)
	}
	if got := s.payment(id); got.State != payment.InBlock && got.State != payment.Sent {
		t.Errorf("on another chain it became %s: %s", got.State, got.Reason)
	}
	_, err = s.wallet.Payments.Spend(s.ctx, build.NewRequest("transfer", oneDCT, build.Transfer), payment.Sending{Broadcast: true})
	if text := refused(t, err, fault.DaemonContradicts).Error(); !strings.Contains(text, "billfold pins forget miners") {
		t.Error(text)
	}
	if why := s.wallet.View.Chain.NotReady(); !strings.Contains(why, "lacks block") {
		t.Errorf("it is ready: %q", why)
	}
	s.end()
	if got := p.sit().settled(id, payment.Sent); got.BlockNum != 0 {
		t.Errorf("the next run takes that chain for the ledger: %+v", got)
	}
}

// A sandbox takes back what it is told to; its wallet goes on with what is there.
func TestTheOwnSandboxMayTakeBackWhatIsIrreversible(t *testing.T) {
	now := newClock()
	box := ledgerOf(t, sandbox.Options{Now: now.now})
	s := connect(t, filepath.Join(t.TempDir(), "wallet.keys"), box.URL(), func(cfg *walletcore.Config) { cfg.Sandbox = true })
	s.box = box
	must(t, s.client.WaitOnline(s.ctx))
	s.hold("alice")
	for range 6 {
		s.mine()
	}
	id := s.pay("alice", "bobby", "1", "").TransactionID
	s.mine()
	s.reaches(id, payment.InBlock)
	_, err := box.Fork(4, true)
	must(t, err)
	now.forward(2 * time.Minute)
	for range 4 {
		s.mine()
	}
	for s.payment(id).State != payment.Expired {
		s.mine()
	}
}

// Answers that do not fit together prove nothing: not that a payment never
// happens, and not that it is final.
func TestAnswersThatDoNotFitTogetherProveNothing(t *testing.T) {
	head := regexp.MustCompile(`"head_block_id":"(\w{8})\w{32}"`)
	own := regexp.MustCompile(`"block_id":"\w{8}`)
	for name, lie := range map[string]func(string) string{
		"head of another fork": func(a string) string {
			return head.ReplaceAllString(a, `"head_block_id":"${1}`+strings.Repeat("ab", 16)+`"`)
		},
		"block of another number": func(a string) string { return own.ReplaceAllString(a, `"block_id":"00abcdef`) },
		"no blocks": func(a string) string {
			if blockAnswer.MatchString(a) {
				return regexp.MustCompile(`"result":\{.*\}\}`).ReplaceAllString(a, `"result":null}`)
			}
			return a
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			first := p.sit()
			paid, lost := first.pay("alice", "bobby", "1", "").TransactionID, first.damaged()
			first.end()
			p.now.forward(time.Minute)
			r := relayTo(t, p.url)
			p.url = r.url
			s := p.sit()
			r.set(func(r *relay) { r.swap = lie })
			for range 10 {
				_, err := p.box.Mine()
				must(t, err)
			}
			s.until("the blocks", func() bool { return s.wallet.Status().Head >= 10 })
			s.until("the payments", func() bool { return s.wallet.Payments.Find(paid) != nil && s.wallet.Payments.Find(lost) != nil })
			payment.NewFollower(s.wallet.Payments).Step(s.ctx)
			if got := s.wallet.Payments.Read(paid); !got.IsOpen() && got.State != payment.Irreversible {
				t.Errorf("what was paid is %s", got.State)
			}
			if got := s.wallet.Payments.Read(lost); !got.IsOpen() && got.State != payment.Expired {
				t.Errorf("what was not is %s", got.State)
			}
			r.set(func(r *relay) { r.swap = nil })
			s.mine()
			s.mineUntil(lost, payment.Expired)
		})
	}
}

// A follower whose wallet has open payments and nothing new to read is at rest.
func TestOpenPaymentsDoNotKeepTheFollowerAwake(t *testing.T) {
	p := newPlace(t)
	r := relayTo(t, p.url)
	p.url = r.url
	s := p.sit()
	s.sendMany(32)
	s.mine()
	s.until("the look-up", func() bool { return s.wallet.Payments.Recent()[0].State == payment.InBlock })
	var mu sync.Mutex
	answers := 0
	r.set(func(r *relay) {
		r.swap = func(answer string) string {
			mu.Lock()
			defer mu.Unlock()
			answers++
			return answer
		}
	})
	events, stop := s.wallet.Subscribe()
	defer stop()
	rest, cancel := context.WithTimeout(s.ctx, 300*time.Millisecond)
	defer cancel()
	for told := 0; ; told++ {
		select {
		case <-events:
			if told > 200 {
				t.Fatal("events come without end")
			}
			continue
		case <-rest.Done():
		}
		break
	}
	mu.Lock()
	defer mu.Unlock()
	if answers > 20 {
		t.Errorf("%d answers came while nothing happened", answers)
	}
}

func TestAPaymentOfALostLineIsSentAgain(t *testing.T) {
	s, r, _ := openBehindRelay(t)
	d := s.draft(oneDCT)
	r.set(func(r *relay) { r.lose = "broadcast_transaction" })
	p, err := s.wallet.Payments.Send(s.ctx, d)
	refused(t, err, fault.OutcomeUnknown)
	s.reaches(p.ID, payment.Sent)
	s.mine()
	s.reaches(p.ID, payment.InBlock)
	if got := s.dct("bobby"); got != 831_0000_0000 {
		t.Errorf("bobby has %d", got)
	}
}
