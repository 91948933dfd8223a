package walletapi

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/testwallet"
)

// TestNoAnswerLacksWhatAFailedCallWouldHaveSaid makes each call of the catalogue that reads or builds while the first call of the daemon
// for it fails, then the second, and so on. The answer is the one that the call has otherwise, or an error: never one that is shorter
// or empty because something could not be asked.
func TestNoAnswerLacksWhatAFailedCallWouldHaveSaid(t *testing.T) {
	t.Parallel()
	g := newGenerator(t, 1)
	all := casesWith(t, g.handle)
	failures := 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		builds := slices.Contains([]string{"pay", "sum", "spend", "keyspend"}, c.kind)
		if !builds && c.kind != "read" || name == "list_payments" { // which lists those of one second in any order
			continue
		}
		g.begin(name, c)
		g.clock.Forward(3 * time.Minute) // the expirations of identical transactions are used up otherwise
		g.on.Mine()
		answer := func() (string, error) {
			if builds {
				g.calls = 0 // it makes no block now: the calls that follow one would fail instead
				return g.spend()
			}
			g.on.View.Chain.Forget()
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			out, err := g.api.Call(ctx, name, Params{Positional: c.params})
			return string(out), err
		}
		honest, refusal := answer()
		if builds {
			must(t, refusal)
		}
		if again, _ := answer(); again != honest {
			continue // it draws keys, or counts
		}
		for n := 1; n < 100; n++ {
			g.relay.FailCall(n, testwallet.ErrorAnswered)
			got, err := answer()
			failed := g.relay.MendCall()
			if err == nil && failed != "" && (got != honest || refusal != nil) {
				t.Errorf("%s: without an answer to %.200s\n%s\ninstead of\n%s", name, failed, got, honest)
			}
			if failed == "" {
				break
			}
			failures++
		}
	}
	if failures < 200 {
		t.Errorf("only %d calls failed", failures)
	}
}

// TestEveryWrongParameterOfASpendIsRefused makes each call of the catalogue that builds something with one wrong parameter after the
// other: a name that nobody has, an asset that does not exist, an amount that is none.
func TestEveryWrongParameterOfASpendIsRefused(t *testing.T) {
	t.Parallel()
	g := newGenerator(t, 1)
	refused := 0
	for name, c := range g.spendCases(t) {
		g.begin(name, c)
		m := newTable(Methods()).byName[name]
		for i, p := range m.Params[:len(c.params)-1] {
			wrong, is := map[Role][]string{
				RoleAccount:     {`"nobody-at-all"`, `"1.2.999999"`, `"Not A Name"`},
				RoleDestination: {`"nobody-at-all"`, `"1.2.999999"`},
				RoleAsset:       {`"NOTHING"`, `"1.3.999999"`},
				RoleAmount:      {`"1,5"`, `"-1"`, `"0.123456789"`, `"99999999999999999999"`},
			}[p.Role]
			if !is || p.typ.Kind() != reflect.String {
				continue
			}
			for _, text := range wrong {
				g.of = c
				g.of.params = slices.Clone(c.params)
				g.of.params[i] = json.RawMessage(text)
				if signed, err := g.spend(); err == nil || fault.CodeOf(err) == fault.Internal {
					t.Errorf("%s with %s %s: %v %s", name, p.Name, text, err, signed)
				}
				refused++
			}
		}
	}
	if refused < 100 {
		t.Errorf("only %d were wrong", refused)
	}
}
