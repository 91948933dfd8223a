package payment_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// sendMany sends n payments of 1 DCT to bobby, by a few callers at once.
func (s *sitting) sendMany(n int) (ids []ledger.TransactionID) {
	s.T.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range n / 16 {
				info, err := s.Payments.Spend(
					s.Ctx,
					txbuild.NewRequest("transfer", testwallet.OneDCT(), txbuild.Transfer),
					payment.Sending{Broadcast: true},
				)
				if err != nil {
					s.T.Error(err)
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
	s.T.Helper()
	lost := s.built()
	lost.Transaction().Signatures[0][9] ^= 1
	testwallet.Must(s.T, s.Payments.WriteEntry(s.Ctx, lost))
	return lost.ID
}

// blockCount notes how often a relay's ledger was asked for each block.
type blockCount struct {
	mu   sync.Mutex
	seen map[string]int
}

var blockAnswer = regexp.MustCompile(`"signing_key".*"block_id":"(\w+)"|"block_id":"(\w+)".*"signing_key"`)

func countBlocks(r *testwallet.Relay) *blockCount {
	c := &blockCount{seen: map[string]int{}}
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
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

// most returns how many blocks were asked for, and the most often one was.
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
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	s := p.sit()
	read := countBlocks(r)
	const payments = 128
	var ids []ledger.TransactionID
	for range 4 {
		ids = append(ids, s.sendMany(payments/4)...)
		s.Mine()
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
// proven; what comes then is only checked for who signs.
func TestALongTimeAwayIsCaughtUpWithFewBlocks(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	var ids [2]ledger.TransactionID
	for i := range ids {
		s := p.sit()
		ids[i] = s.prepare().ID
		s.end()
		p.now.Forward(time.Minute)
		for range 300 {
			_, err := p.box.Mine()
			testwallet.Must(t, err)
		}
	}
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	read := countBlocks(r)
	s := p.sit()
	for _, id := range ids {
		s.waitFor(id, payment.Expired)
	}
	if blocks, most := read.most(); blocks == 0 || blocks > 450 || most > 2 { // the journal is compared apart
		t.Errorf("%d blocks of 600 were read, one of them %d times", blocks, most)
	}
	s.bobbyGot(t, 0)
}

// What was proven on the way is kept, though the way is never gone to its end over one connection.
func TestWhatIsProvenIsKeptOnTheWay(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.sit()
	s.Mine()
	s.prepare()
	s.end()
	for range 700 {
		_, err := p.box.Mine()
		testwallet.Must(t, err)
	}
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	blockAsked := regexp.MustCompile(`"get_block",\[(\d+)\]`)
	r.Set(func(r *testwallet.Relay) {
		r.Seen = func(request string) {
			if asked := blockAsked.FindStringSubmatch(request); asked != nil {
				if num, err := strconv.Atoi(asked[1]); err != nil || num > 300 && num < 650 { // the newest one shows the comparison whose chain it is
					r.Lose = request
				}
			}
		}
	})
	s = p.sit()
	s.Until("what is proven is kept", func() bool {
		kept, err := s.kept.Anchors.Anchor(t.Context(), s.Client.Status().ChainID)
		return err == nil && kept != nil && kept.Block.Num() > 200
	})
}

// A line that never lasts for all the blocks between a payment and its outcome does not keep that from being known.
func TestALineThatBreaksOftenIsEnough(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	s := p.sit()
	s.Mine()
	id := s.prepare().ID
	s.end()
	p.now.Forward(time.Minute)
	for range 500 { // so many that the journal is compared without reading them
		_, err := p.box.Mine()
		testwallet.Must(t, err)
	}
	p.breaksEvery(6, "get_block")
	s = p.sit()
	s.waitFor(id, payment.Expired)
}

// A daemon may show a block with what this program cannot read, under its real header: the payment in it has no outcome, and says why,
// until another connection shows it as it is.
func TestABlockThatCouldNotBeReadIsReadAgain(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	s := p.sit()
	s.Mine()
	id := s.Pay("alice", "bobby", "1", "").TransactionID
	code := regexp.MustCompile(`"operations":\[\[\d+,`)
	r.Set(func(r *testwallet.Relay) {
		r.Lie = func(q testwallet.Question, result json.RawMessage) json.RawMessage {
			if q.Method != "get_block" {
				return result
			}
			return code.ReplaceAll(result, []byte(`"operations":[[200,`))
		}
	})
	s.Mine()
	p.now.Forward(time.Minute)
	var said string
	for end := time.Now().Add(testwallet.Patience / 4); !strings.Contains(said, "cannot read") && time.Now().Before(end); {
		s.Mine()
		said = s.Payments.Read(id).Reason
	}
	if state := s.Payments.Read(id).State; state != payment.Sent || !strings.Contains(said, "cannot read") {
		t.Errorf("it is %v: %q", state, said)
	}
	r.Set(func(r *testwallet.Relay) { r.Lie = nil })
	r.HangUp(false)
	if got := s.mineUntil(id, payment.Irreversible); got.Reason != "" {
		t.Errorf("it is still %q", got.Reason)
	}
}

// breaksEvery has wallets that begin from now on ask over lines that break with every n-th call of some, and returns what mends them.
func (p *place) breaksEvery(n int, calls ...string) (mend func()) {
	r, asked := testwallet.RelayTo(p.t, p.url), 0
	p.url = r.URL
	r.Set(func(r *testwallet.Relay) {
		r.Seen = func(request string) {
			for _, call := range calls {
				if strings.Contains(request, `"`+call+`",`) {
					if asked++; asked%n == 0 {
						r.Lose = request
					}
				}
			}
		}
	})
	return func() { r.Set(func(r *testwallet.Relay) { r.Seen = nil }) }
}

func TestAForkTakesAPaymentBackAndItComesInAgain(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	s.Mine()
	id := s.Pay("alice", "bobby", "1", "").TransactionID
	before := s.mineUntil(id, payment.InBlock)
	_, err := p.box.Fork(1, false)
	testwallet.Must(t, err)
	s.Mine() // another block of the same number, without it
	if got := s.waitFor(id, payment.Sent); got.BlockNum != 0 || got.InBlock != nil {
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
	s.Mine()
	s.Mine()
	id := s.Pay("alice", "bobby", "1", "").TransactionID
	s.mineUntil(id, payment.InBlock)
	_, err := p.box.Fork(2, false)
	testwallet.Must(t, err)
	p.now.Forward(20 * time.Second)
	s.Mine()
	s.Mine()
	s.waitFor(id, payment.Sent)
	p.now.Forward(time.Minute)
	s.mineUntil(id, payment.Expired)
	if !s.Payments.Read(id).Taken {
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
		s.Mine()
	}
	kept := s.Pay("alice", "bobby", "1", "").TransactionID
	s.mineUntil(kept, payment.Irreversible)
	gone, cancel := context.WithCancel(s.Ctx)
	cancel()
	daemon, err := s.Client.Current()
	testwallet.Must(t, err)
	f := payment.NewFollower(s.Payments)
	f.Use(daemon)
	f.FlagMissing(gone)
	if got := s.Payment(kept); got.Reason != "" {
		t.Errorf("where the daemon does not answer, it is said to lack a block: %s", got.Reason)
	}
	for range 3 {
		s.Mine()
	}
	id := s.Pay("alice", "bobby", "1", "").TransactionID
	s.mineUntil(id, payment.InBlock)
	events, stop := s.Payments.Events.Subscribe(event.Payment)
	defer stop()
	_, err = p.box.Fork(10, true)
	testwallet.Must(t, err)
	p.now.Forward(2 * time.Minute)
	for range 12 {
		s.Mine()
	}
	s.Until("the missing block", func() bool { return strings.Contains(s.Payment(kept).Reason, "lacks it") })
	for told := false; !told; {
		select {
		case e := <-events:
			told = e.Payment == kept
		case <-s.Ctx.Done():
			t.Fatal("nobody hears of the missing block")
		}
	}
	if got := s.Payment(kept); got.State != payment.Irreversible {
		t.Errorf("what is proven became %s", got.State)
	}
	if got := s.Payment(id); got.State != payment.InBlock && got.State != payment.Sent {
		t.Errorf("on another chain it became %s: %s", got.State, got.Reason)
	}
	_, err = s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
	if text := faulttest.Refused(t, err, fault.DaemonContradicts).Error(); !strings.Contains(text, "billfold pins forget miners") {
		t.Error(text)
	}
	if why := s.View.Chain.NotReady(); !strings.Contains(why, "lacks block") {
		t.Errorf("it is ready: %q", why)
	}
	s.end()
	next := p.sitAway() // its journal is not compared with that chain, so it does not get as far as sit waits for
	testwallet.Must(t, next.Client.WaitOnline(next.Ctx))
	if got := next.waitFor(id, payment.Sent); got.BlockNum != 0 {
		t.Errorf("the next run takes that chain for the ledger: %+v", got)
	}
}

// A sandbox takes back what it is told to; its wallet continues with what is there.
func TestTheOwnSandboxMayTakeBackWhatIsIrreversible(t *testing.T) {
	now := testwallet.NewClock()
	box := testwallet.Ledger(t, sandbox.Options{Now: now.Now})
	path := filepath.Join(testwallet.Folder(t), "wallet.keys")
	s := testwallet.Connect(t, path, box.URL(), func(cfg *walletcore.Config) { cfg.Sandbox = true })
	s.Box = box
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	s.Hold("alice")
	s.Mine()
	for range 6 {
		s.Mine()
	}
	id := s.Pay("alice", "bobby", "1", "").TransactionID
	s.Mine()
	reaches(s, id, payment.InBlock)
	_, err := box.Fork(4, true)
	testwallet.Must(t, err)
	now.Forward(2 * time.Minute)
	for range 4 {
		s.Mine()
	}
	for s.Payment(id).State != payment.Expired {
		s.Mine()
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
			paid, lost := first.Pay("alice", "bobby", "1", "").TransactionID, first.damaged()
			first.end()
			p.now.Forward(time.Minute)
			r := testwallet.RelayTo(t, p.url)
			p.url = r.URL
			s := p.sit()
			r.Set(func(r *testwallet.Relay) { r.Swap = lie })
			for range 10 {
				_, err := p.box.Mine()
				testwallet.Must(t, err)
			}
			s.Until("the blocks", func() bool { return s.Status().Head >= 10 })
			s.Until("the payments", func() bool { return s.Payments.Find(paid) != nil && s.Payments.Find(lost) != nil })
			payment.NewFollower(s.Payments).CatchUp(s.Ctx)
			if got := s.Payments.Read(paid); !got.IsOpen() && got.State != payment.Irreversible {
				t.Errorf("what was paid is %s", got.State)
			}
			if got := s.Payments.Read(lost); !got.IsOpen() && got.State != payment.Expired {
				t.Errorf("what was not is %s", got.State)
			}
			r.Set(func(r *testwallet.Relay) { r.Swap = nil })
			s.Mine()
			s.mineUntil(lost, payment.Expired)
		})
	}
}

// A follower whose wallet has open payments and nothing new to read is at rest.
func TestOpenPaymentsDoNotKeepTheFollowerAwake(t *testing.T) {
	p := newPlace(t)
	r := testwallet.RelayTo(t, p.url)
	p.url = r.URL
	s := p.sit()
	s.sendMany(32)
	s.Mine()
	s.Until("the look-up", func() bool { return s.Payments.Recent()[0].State == payment.InBlock })
	var mu sync.Mutex
	answers := 0
	r.Set(func(r *testwallet.Relay) {
		r.Swap = func(answer string) string {
			mu.Lock()
			defer mu.Unlock()
			answers++
			return answer
		}
	})
	events, stop := s.Subscribe()
	defer stop()
	rest, cancel := context.WithTimeout(s.Ctx, 300*time.Millisecond)
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
	s, r, _ := testwallet.OpenBehindRelay(t)
	d := s.Prepare(testwallet.OneDCT())
	r.Set(func(r *testwallet.Relay) { r.Lose = "broadcast_transaction" })
	p, err := s.Payments.Send(s.Ctx, d)
	faulttest.Refused(t, err, fault.OutcomeUnknown)
	reaches(s, p.ID, payment.Sent)
	s.Mine()
	reaches(s, p.ID, payment.InBlock)
	if got := s.DCT("bobby"); got != 831_0000_0000 {
		t.Errorf("bobby has %d", got)
	}
}
