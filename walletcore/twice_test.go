package walletcore_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// The same change is asked of two wallets with the same keys at once: both answer that it is made, because it is so whichever comes first, and
// nobody's word was needed for it. What somebody else changed besides is still not written back unseen.
func TestTheSameChangeAtTwoWallets(t *testing.T) {
	t.Parallel()
	w := testwallet.Open(t, "alice")
	other := testwallet.On(t, w.Box, w.Box.URL(), nil)
	other.Hold("alice")
	w.Mine()
	w.Mine()
	stop := mining(w)
	defer stop()
	key := testwallet.Key("carol").Public().String()
	for name, request := range map[string]txbuild.Request{
		"vote":     txbuild.NewRequest("vote_for_miner", txbuild.VoteForMinerParams{Voter: "alice", Miner: "miner-b", Approve: true}, txbuild.VoteForMiner),
		"proxy":    txbuild.NewRequest("set_voting_proxy", txbuild.SetVotingProxyParams{Account: "alice", Proxy: "bobby"}, txbuild.SetVotingProxy),
		"memo key": txbuild.NewRequest("update_account_keys", txbuild.UpdateAccountKeysParams{Account: "alice", Memo: key}, txbuild.UpdateAccountKeys),
		"vote taken back": txbuild.NewRequest("vote_for_miner", txbuild.VoteForMinerParams{Voter: "alice", Miner: "miner-c", Approve: true},
			txbuild.VoteForMiner),
	} {
		var errs [2]error
		var wg sync.WaitGroup
		for i, one := range []*testwallet.Wallet{w, other} {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 20 * time.Millisecond) // so that the second one sees the first one's
				_, errs[i] = one.Payments.Spend(one.Ctx, request, payment.Sending{Broadcast: true})
			})
		}
		wg.Wait()
		for i, err := range errs {
			if err != nil && !strings.Contains(err.Error(), "already") {
				t.Errorf("%s, wallet %d: %v", name, i+1, err)
			}
		}
	}
}

// mining makes blocks until stop is called.
func mining(w *testwallet.Wallet) (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(50 * time.Millisecond):
				_, _ = w.Box.Mine()
			}
		}
	}()
	return func() { close(done); <-ended }
}
