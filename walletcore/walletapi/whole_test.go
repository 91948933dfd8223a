package walletapi

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// answer returns the answer to a read, or the question to a person about a spend, who then denies it; without what differs each time.
func (s *fixture) answer(c operationCase, name string) (string, error) {
	s.on.View.Chain.Forget()
	if c.kind == "read" {
		out, err := s.api.Call(s.ctx, name, Params{Positional: c.params})
		return string(out), err
	}
	shown := ""
	p := c.call("true")
	p.Approve = func(_ context.Context, r txbuild.Review) error {
		r.Bytes, r.JSON = "", ""
		text, err := json.Marshal(r)
		if shown = string(text); err != nil {
			shown = err.Error()
		}
		return &fault.Error{Code: fault.Denied, Message: "no"}
	}
	out, err := s.api.Call(s.ctx, name, p)
	if fault.CodeOf(err) == fault.Denied {
		err = nil
	}
	return shown + string(out), err
}

// Whichever call of the daemon fails, or is answered with nonsense, an operation is refused, or it answers, or asks a person about, all that
// it does otherwise: nothing is left out of what is signed or believed because a daemon did not answer.
func TestAnOperationIsWholeOrRefused(t *testing.T) {
	t.Parallel()
	on, relay, _ := testwallet.OpenBehindRelay(t)
	s := &fixture{t: t, ctx: on.Ctx, box: on.Box, on: on, api: New(Core{Wallet: on.Wallet, Versions: ledgerview.Versions{Version: "test"}})}
	s.handle = on.Furnish()
	all := casesWith(t, s.handle)
	if _, err := s.api.Call(s.ctx, "propose_transfer", all["propose_transfer"].call("true")); err != nil {
		t.Fatal(err)
	}
	on.Mine()
	for name, c := range all { // of two proposals the second, so that none is taken for it
		for i, param := range c.params {
			c.params[i] = bytes.ReplaceAll(param, []byte(`"1.6.0"`), []byte(`"1.6.1"`))
		}
		all[name] = c
	}
	failed, compared := 0, 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		if !slices.Contains([]string{"read", "pay", "sum", "spend", "buy", "keyspend"}, c.kind) {
			continue
		}
		whole, err := s.answer(c, name)
		again, _ := s.answer(c, name)
		if err != nil || whole != again { // there is nothing to compare with
			continue
		}
		compared++
		for n := 1; n < 60; n++ {
			relay.FailCall(n, testwallet.ErrorAnswered)
			got, err := s.answer(c, name)
			call := relay.MendCall()
			if err == nil && got != whole {
				at := 0
				for at < min(len(got), len(whole)) && got[at] == whole[at] {
					at++
				}
				t.Errorf("%s: without call %d, %.160s, from the %dth byte on it is\n%.200s, not\n%.200s", name, n, call, at, got[at:], whole[at:])
			}
			if call == "" {
				break
			}
			failed++
		}
	}
	if compared < 80 || failed < 100 {
		t.Errorf("only %d operations were compared, and %d calls failed", compared, failed)
	}
}
