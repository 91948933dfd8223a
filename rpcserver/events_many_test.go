package rpcserver_test

import (
	"path/filepath"
	"testing"

	"billfold/rpcserver/events"
	"billfold/walletcore"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/testwallet"
)

// With very many accounts, events are published for the ones that something happened to, from the first change on.
func TestEventsOfVeryManyAccounts(t *testing.T) {
	t.Parallel()
	index, err := historyindex.Open(filepath.Join(testwallet.Folder(t), "history.db"))
	must(t, err)
	t.Cleanup(func() { _ = index.Close() })
	on := testwallet.New(t, func(c *walletcore.Config) { c.Index = index })
	on.Hold("alice", "bobby")
	testwallet.WatchMany(t, on.Vault.Path, 400)
	on.Until("the list", func() bool { return on.Own.Count() > 400 })
	s := &subscriber{T: t, Wallet: on}
	s.connect(events.SourcesOf(on.Wallet))
	s.pay("3.5")
	s.mine(1)
	s.waitEvents([]string{"deposits", `"state":"in_block"`, `"bobby"`}, []string{"balances", `"account":"bobby"`})
	for range 12 {
		s.mine(1)
	}
	s.waitEvent("deposits", `"state":"irreversible"`, `"bobby"`)
}
