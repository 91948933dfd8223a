package walletapi

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
)

// behindRelay is furnished, with a relay between the wallet and its ledger, and with bobby's key in the wallet as well.
func behindRelay(t testing.TB) (*fixture, *testwallet.Relay, *testwallet.Clock) {
	t.Helper()
	now := testwallet.NewClock()
	box := testwallet.Ledger(t, sandbox.Options{Now: now.Now})
	relay := testwallet.RelayTo(t, box.URL())
	on := testwallet.Connect(t, filepath.Join(testwallet.Folder(t), "wallet.keys"), relay.URL, func(cfg *walletcore.Config) {
		cfg.Now = now.Now
	})
	on.Box = box
	must(t, on.Client.WaitOnline(on.Ctx))
	on.Hold("alice", "bobby")
	on.Mine()
	api := New(Core{Wallet: on.Wallet, Versions: ledgerview.Versions{Version: "test"}})
	return &fixture{t: t, ctx: on.Ctx, box: box, api: api, on: on, handle: on.Furnish()}, relay, now
}

// What a daemon says otherwise after honest use is not signed: the fee, the vote that belongs to a miner's name, a parameter that
// nobody asked to change, the tokens that a symbol means.
func TestWhatWasAcceptedIsNotSignedOtherwise(t *testing.T) {
	t.Parallel()
	s, relay, _ := behindRelay(t)
	s.ok("create_non_fungible_token", `"alice"`, `"GOLDCARDS"`, `"gold"`, `[]`, `10`, `false`, `true`, `true`)
	s.on.Mine()
	soon := quoted(s.on.Status().HeadTime.After(3600).String())
	for _, c := range []struct {
		name, method, from, to string
		call                   []string
		code                   fault.Code
	}{
		{"fee", "get_global_properties", `[0,{"fee":100000}]`, `[0,{"fee":99000000}]`,
			[]string{"transfer", `"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `false`}, fault.FeeTooHigh},
		{"small fee", "get_global_properties", `{"fee":100000}`, `{"fee":100001}`,
			[]string{"transfer", `"alice"`, `"bobby"`, `"1"`, `"DCT"`, `""`, `false`}, fault.StateChanged},
		{"vote", "get_miner_by_account", `"vote_id":"0:0"`, `"vote_id":"0:2"`,
			[]string{"vote_for_miner", `"alice"`, `"miner-a"`, `true`, `false`}, fault.DaemonContradicts},
		{"parameter", "get_global_properties", `"maximum_miner_count":1001`, `"maximum_miner_count":3`,
			[]string{"propose_parameter_change", `"alice"`, soon, `{"block_interval":4}`, `false`}, fault.StateChanged},
		{"tokens", "get_non_fungible_tokens_by_symbols", `"id":"1.10.0"`, `"id":"1.10.1"`,
			[]string{"issue_non_fungible_token", `"bobby"`, `"CARDS"`, `["second"]`, `""`, `false`}, fault.DaemonContradicts},
	} {
		honest := s.ok(c.call[0], c.call[1:]...)
		told := 0
		relay.Set(func(r *testwallet.Relay) {
			r.Lie = func(q testwallet.Question, result json.RawMessage) json.RawMessage {
				if q.Method != c.method {
					return result
				}
				told += strings.Count(string(result), c.from)
				return json.RawMessage(strings.ReplaceAll(string(result), c.from, c.to))
			}
		})
		s.on.View.Chain.Forget()
		got, err := s.api.Call(s.ctx, c.call[0], positional(c.call[1:]...))
		relay.Set(func(r *testwallet.Relay) { r.Lie = nil })
		s.on.View.Chain.Forget()
		switch {
		case told == 0:
			t.Errorf("%s: the lie was not told", c.name)
		case err == nil:
			t.Errorf("%s: honestly\n%s\nthen\n%s", c.name, honest, got)
		case fault.CodeOf(err) != c.code:
			t.Errorf("%s: %v, want %s", c.name, err, c.code)
		default:
			t.Logf("%s: %v", c.name, err)
		}
		s.ok(c.call[0], c.call[1:]...)
	}
}
