package payment_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// parting is a change of an object: the parts that it sets, with their values afterwards.
type parting struct {
	parts   map[string]string // part -> value
	request txbuild.Request
	before  bool // its operations were made before
}

// acknowledged is a change that its caller was told is on its way.
type acknowledged struct {
	parting
	id           ledger.TransactionID
	asked, told  time.Time
	block, index uint32
}

// changes makes random changes of everything that the ledger replaces whole, at once and through several wallets.
type changes struct {
	t       *testing.T
	seed    uint64
	miners  []string
	mu      sync.Mutex
	acks    []acknowledged
	refused map[fault.Code]int
}

func changesOf(t *testing.T, everyday int) *changes {
	c := &changes{t: t, seed: rand.Uint64(), refused: map[fault.Code]int{}}
	if text := os.Getenv("CHANGES_SEED"); text != "" {
		var err error
		c.seed, err = strconv.ParseUint(text, 10, 64)
		testwallet.Must(t, err)
	}
	t.Logf("%d changes from seed %d; repeat with CHANGES_SEED=%d", countChanges(t, everyday), c.seed, c.seed)
	return c
}

// countChanges returns how many changes are made: CHANGES, or those of the everyday suite.
func countChanges(t *testing.T, everyday int) int {
	if text := os.Getenv("CHANGES"); text != "" {
		n, err := strconv.Atoi(text)
		testwallet.Must(t, err)
		return n
	}
	return everyday
}

// prepare makes the objects: alice's asset ART and tokens CARDS, and the miner pickaxe.
func (c *changes) prepare(s *sitting) {
	c.t.Helper()
	s.Furnish()
	raw, err := s.View.Miners.List(s.Ctx, "", 100)
	testwallet.Must(c.t, err)
	var rows []ledger.NamedMiner
	testwallet.Must(c.t, codec.Unmarshal(raw, &rows))
	for _, r := range rows[:6] {
		c.miners = append(c.miners, r.Name)
	}
}

// draw draws a change.
func (c *changes) draw(r *rand.Rand, n int) parting {
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	key := ledger.DeriveKey("billfold changes", r.IntN(1000)).Public().String()
	switch r.IntN(11) {
	case 0:
		return parting{parts: map[string]string{"memo": key}, request: txbuild.NewRequest("update_account_keys",
			txbuild.UpdateAccountKeysParams{Account: "alice", Memo: key}, txbuild.UpdateAccountKeys)}
	case 1, 2, 3, 4:
		miner, approve := pick(c.miners...), r.IntN(3) > 0
		return parting{parts: map[string]string{"vote " + miner: strconv.FormatBool(approve)}, request: txbuild.NewRequest("vote_for_miner",
			txbuild.VoteForMinerParams{Voter: "alice", Miner: miner, Approve: approve}, txbuild.VoteForMiner)}
	case 5:
		proxy := pick("", "bobby", "carol")
		return parting{parts: map[string]string{"proxy": proxy}, request: txbuild.NewRequest("set_voting_proxy",
			txbuild.SetVotingProxyParams{Account: "alice", Proxy: proxy}, txbuild.SetVotingProxy)}
	case 6:
		count := uint16(r.IntN(2))
		return parting{parts: map[string]string{"count": fmt.Sprint(count)}, request: txbuild.NewRequest("set_desired_miner_count",
			txbuild.SetMinerCountParams{Account: "alice", Count: count}, txbuild.SetMinerCount)}
	case 7:
		days := uint32(1 + r.IntN(300))
		return parting{parts: map[string]string{"subscription": fmt.Sprint(days)}, request: txbuild.NewRequest("set_subscription",
			txbuild.SetSubscriptionParams{Account: "alice", Allow: true, Period: days, Price: "1", Asset: "DCT"}, txbuild.SetSubscription)}
	case 8:
		other, err := ledger.ParsePublicKey(key)
		testwallet.Must(c.t, err)
		own := testwallet.Key("alice").Public()
		return parting{parts: map[string]string{"active": key}, request: txbuild.NewRequest("change_signers", txbuild.ChangeSignersParams{Account: "alice",
			Active: &txbuild.Signers{Needs: 1, Keys: []ledger.KeyWeight{{Key: own, Weight: 1}, {Key: other, Weight: 1}}}}, txbuild.ChangeSigners)}
	case 9:
		text := fmt.Sprint("art ", n)
		if r.IntN(2) == 0 {
			return parting{parts: map[string]string{"asset": text}, request: txbuild.NewRequest("update_user_issued_asset", txbuild.UpdateUserIssuedAssetParams{
				Symbol: "ART", Description: text, MaxSupply: 1_000_0000, Exchangeable: true,
				Rate: ledger.Price{Base: ledger.AssetAmount{Amount: 1}, Quote: ledger.AssetAmount{Amount: 1, AssetID: 1}},
			}, txbuild.UpdateUserIssuedAsset)}
		}
		return parting{parts: map[string]string{"tokens": text}, request: txbuild.NewRequest("update_non_fungible_token",
			txbuild.UpdateNFTParams{Symbol: "CARDS", Description: text, MaxSupply: 10}, txbuild.UpdateNFT)}
	}
	if r.IntN(2) == 0 {
		link := fmt.Sprint("https://miner.example/", n)
		return parting{parts: map[string]string{"link": link}, request: txbuild.NewRequest("update_miner",
			txbuild.UpdateMinerParams{Miner: "pickaxe", URL: link}, txbuild.UpdateMiner)}
	}
	return parting{parts: map[string]string{"signing": key}, request: txbuild.NewRequest("update_miner",
		txbuild.UpdateMinerParams{Miner: "pickaxe", Key: key}, txbuild.UpdateMiner)}
}

// storm makes so many changes through the wallets, by a few callers each, while blocks are made.
func (c *changes) storm(count int, all ...*sitting) {
	c.t.Helper()
	stop, mined := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(mined)
		for {
			select {
			case <-stop:
				return
			case <-time.After(40 * time.Millisecond):
				_, _ = all[0].Box.Mine()
			}
		}
	}()
	const callers = 3
	var next sync.Mutex
	made := 0
	var wg sync.WaitGroup
	for w, s := range all {
		for k := range callers {
			r := rand.New(rand.NewPCG(c.seed, uint64(w*callers+k)))
			wg.Go(func() {
				for {
					next.Lock()
					n := made
					made++
					next.Unlock()
					if n >= count {
						return
					}
					if r.IntN(3) == 0 {
						time.Sleep(time.Duration(r.IntN(4000)) * time.Microsecond)
					}
					p := c.draw(r, n)
					if r.IntN(4) == 0 {
						p = c.signedBefore(s, p, time.Duration(r.IntN(60))*time.Millisecond)
					}
					c.make(s, p)
				}
			})
		}
	}
	wg.Wait()
	close(stop)
	<-mined
	for range 2 {
		_, err := all[0].Box.Mine()
		testwallet.Must(c.t, err)
	}
}

// signedBefore has a change signed without being sent, waits, and returns the same operations as they were signed: others may have been
// acknowledged meanwhile. A change that is refused is returned as it is.
func (c *changes) signedBefore(s *sitting, p parting, wait time.Duration) parting {
	signed, err := s.Payments.Spend(s.Ctx, p.request, payment.Sending{})
	if err != nil {
		return p
	}
	time.Sleep(wait)
	return parting{p.parts, txbuild.NewRequest("sign_transaction", txbuild.OperationsParams{Operations: signed.Operations}, txbuild.Operations), true}
}

func (c *changes) make(s *sitting, p parting) {
	asked := time.Now()
	signed, err := s.Payments.Spend(s.Ctx, p.request, payment.Sending{Broadcast: true})
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		code := fault.CodeOf(err)
		c.refused[code]++
		switch code {
		case fault.VotesAlready, fault.VotesNot, fault.SameProxy, fault.NoProxy, fault.SameMinerCount, fault.BadValue, fault.SameAuthority,
			fault.InvalidOperation: // nothing would change, or fewer votes than miners wanted
		case fault.StateChanged:
			if !p.before {
				c.t.Errorf("%v: %v", p.parts, err)
			}
		default:
			c.t.Errorf("%v: %v", p.parts, err)
		}
		return
	}
	c.acks = append(c.acks, acknowledged{parting: p, id: signed.TransactionID, asked: asked, told: time.Now()})
}

// check compares the ledger with what was acknowledged.
func (c *changes) check(s *sitting) {
	c.t.Helper()
	places := map[ledger.TransactionID][2]uint32{}
	head, err := s.View.Chain.HeadTime(s.Ctx)
	testwallet.Must(c.t, err)
	_ = head
	for num := uint32(1); ; num++ {
		raw, err := s.View.Objects.Block(s.Ctx, num)
		testwallet.Must(c.t, err)
		var block ledger.Block
		if string(raw) == "null" {
			break
		}
		testwallet.Must(c.t, codec.Unmarshal(raw, &block))
		for i, tx := range block.Transactions {
			id, err := tx.ID()
			testwallet.Must(c.t, err)
			places[id] = [2]uint32{num, uint32(i)}
		}
	}
	for i := range c.acks {
		at, there := places[c.acks[i].id]
		if !there {
			c.t.Errorf("%v was acknowledged as %s, and no block has it", c.acks[i].parts, c.acks[i].id)
		}
		c.acks[i].block, c.acks[i].index = at[0], at[1]
	}
	slices.SortFunc(c.acks, func(a, b acknowledged) int {
		if a.block != b.block {
			return int(a.block) - int(b.block)
		}
		return int(a.index) - int(b.index)
	})
	want, by := map[string]string{}, map[string]acknowledged{}
	for _, a := range c.acks {
		for part, value := range a.parts {
			if before, set := by[part]; set && a.told.Before(before.asked) {
				c.t.Errorf("%s: %s was acknowledged before %s was asked for, and the ledger has it later", part, a.id, before.id)
			}
			want[part], by[part] = value, a
		}
	}
	got := c.ledger(s)
	lost := 0
	for part, value := range want {
		if got[part] != value {
			lost++
			c.t.Errorf("%s: %s was acknowledged last (%s), and the ledger has %s", part, value, by[part].id, got[part])
		}
	}
	c.t.Logf("%d acknowledged, refused %v; acknowledged and not on the ledger: %d", len(c.acks), c.refused, lost)
}

// ledger reads the parts as they are.
func (c *changes) ledger(s *sitting) map[string]string {
	c.t.Helper()
	s.View.Chain.Forget()
	alice, err := s.View.Accounts.Get(s.Ctx, "alice")
	testwallet.Must(c.t, err)
	out := map[string]string{"memo": alice.Options.MemoKey.String(), "count": fmt.Sprint(alice.Options.NumMiner),
		"subscription": fmt.Sprint(alice.Options.SubscriptionPeriod)}
	for _, miner := range c.miners {
		m, err := s.View.Quorum.Miner(s.Ctx, miner)
		testwallet.Must(c.t, err)
		out["vote "+miner] = strconv.FormatBool(slices.Contains(alice.Options.Votes, m.VoteID))
	}
	if alice.Options.VotingAccount != ledger.ProxyToSelf {
		proxy, err := s.View.Accounts.Get(s.Ctx, alice.Options.VotingAccount.String())
		testwallet.Must(c.t, err)
		out["proxy"] = proxy.Name
	}
	for _, k := range alice.Active.KeyAuths {
		if k.Key != testwallet.Key("alice").Public() {
			out["active"] = k.Key.String()
		}
	}
	art, err := s.View.Assets.Get(s.Ctx, "ART")
	testwallet.Must(c.t, err)
	cards, err := s.View.Quorum.Kind(s.Ctx, "CARDS")
	testwallet.Must(c.t, err)
	pickaxe, err := s.View.Quorum.Miner(s.Ctx, "pickaxe")
	testwallet.Must(c.t, err)
	out["asset"], out["tokens"] = art.Description, cards.Options.Description
	out["link"], out["signing"] = pickaxe.URL, pickaxe.SigningKey.String()
	return out
}

// Whoever changes what the ledger replaces whole, and whoever else does so at the same time: what was acknowledged is on the ledger,
// unless a later acknowledged change of the same part replaced it. CHANGES says how many (make changes).
func TestChangesAreNotUndoneByOthers(t *testing.T) {
	for _, where := range []struct {
		name  string
		store func(t *testing.T) *place
		sits  int
	}{
		{"one process", parallelPlace, 1},
		{"two on one folder", parallelPlace, 2},
		{"two servers", changesOnServers, 2},
	} {
		t.Run(strings.ReplaceAll(where.name, " ", "_"), func(t *testing.T) {
			if where.name == "two servers" && os.Getenv("STORETEST_POSTGRES") == "" {
				t.Skip("it needs a PostgreSQL: make changes, make postgres")
			}
			p := where.store(t)
			c := changesOf(t, 24)
			first := p.sit()
			c.prepare(first)
			all := []*sitting{first}
			for range where.sits - 1 {
				all = append(all, p.sit())
			}
			c.storm(countChanges(t, 24), all...)
			c.check(first)
		})
	}
}

func parallelPlace(t *testing.T) *place {
	t.Parallel()
	return newPlace(t)
}
