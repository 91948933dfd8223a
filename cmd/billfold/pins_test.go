package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
)

// What was accepted of tokens, a miner, fees and parameters is listed, and forgotten by the name that a person knows: a symbol, the account
// of a miner, a word. Nothing else is.
func TestAcceptedFactsAreForgottenByName(t *testing.T) {
	kept, err := sqlite.Open(filepath.Join(ramdisk.Folder(t), sqlite.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	chain, ctx := ledger.ChainID{1}, t.Context()
	fact := func(subject, name, value string, own bool) store.AcceptedFact {
		return store.AcceptedFact{Subject: subject, Name: name, Value: value, Own: own, Source: "ws://a", Since: time.Unix(1000, 0)}
	}
	if _, err := kept.Pins.PinAccounts(ctx, chain, store.AccountPin{ID: 22, Name: "pickaxe", Source: "ws://a", Since: time.Unix(1000, 0)}); err != nil {
		t.Fatal(err)
	}
	if err := kept.Pins.KeepFacts(ctx, chain, fact("1.10.0", "symbol", "CARDS", true), fact("1.10.0", "issuer", "1.2.22", false),
		fact("1.4.12", "account", "1.2.22", true), fact("1.4.12", "vote id", "0:11", true), fact("fees", "transfer", "{}", false),
		fact("parameters", "block_interval", "5", false)); err != nil {
		t.Fatal(err)
	}
	left := func() string {
		var out strings.Builder
		if err := listPins(ctx, &out, kept, chain); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, c := range []struct {
		word string
		gone []string
		stay []string
	}{
		{"pickaxe", []string{"pickaxe", "1.4.12"}, []string{"CARDS", "issuer", "transfer", "block_interval"}},
		{"CARDS", []string{"CARDS", "issuer"}, []string{"transfer", "block_interval"}},
		{"fees", []string{"transfer"}, []string{"block_interval"}},
		{"parameters", []string{"block_interval"}, []string{"nothing is pinned yet"}},
	} {
		for _, text := range c.gone {
			if !strings.Contains(left(), text) {
				t.Errorf("before %s is forgotten, %s is not in\n%s", c.word, text, left())
			}
		}
		if err := forgetPin(ctx, new(strings.Builder), kept, chain, c.word, nil, false); err != nil {
			t.Error(c.word, err)
		}
		for _, text := range c.gone {
			if strings.Contains(left(), text) {
				t.Errorf("after %s was forgotten, %s is still in\n%s", c.word, text, left())
			}
		}
		for _, text := range c.stay {
			if !strings.Contains(left(), text) {
				t.Errorf("after %s was forgotten, %s is missing in\n%s", c.word, text, left())
			}
		}
	}
}

// What an own account was last is forgotten each time that it is asked for: its name is in the key file, and needs no pin.
func TestAnOwnAccountIsForgottenEachTime(t *testing.T) {
	kept, err := sqlite.Open(filepath.Join(ramdisk.Folder(t), sqlite.Name))
	must(t, err)
	defer kept.Close()
	chain, ctx, bobby := ledger.ChainID{1}, t.Context(), keystore.Account{ID: 17, Name: "bobby"}
	for _, word := range []string{"bobby", "bobby", "1.2.17"} {
		must(t, kept.Objects.Append(ctx, chain, 0, store.ObjectState{Object: bobby.ID.Object(), Number: 1, Kind: store.ObjectAccepted,
			State: ledger.ObjectState{"votes": "[]"}, Since: time.Unix(1000, 0)}))
		var out strings.Builder
		must(t, forgetPin(ctx, &out, kept, chain, word, []keystore.Account{bobby}, false))
		if left, err := kept.Objects.States(ctx, chain, bobby.ID.Object()); err != nil || len(left) > 0 || !strings.Contains(out.String(), `"bobby"`) {
			t.Errorf("after %q there are %d states (%v), and it says %q", word, len(left), err, out.String())
		}
	}
	if err := forgetPin(ctx, new(strings.Builder), kept, chain, "bobby", []keystore.Account{bobby}, false); err == nil {
		t.Error("what is not known is forgotten")
	}
}

// The keys of an account are forgotten by its id although its name is not pinned, as after it was forgotten beside a running server, which
// has the name in memory and accepts the keys again.
func TestKeysWithoutAPinnedNameAreForgottenByID(t *testing.T) {
	kept, err := sqlite.Open(filepath.Join(ramdisk.Folder(t), sqlite.Name))
	must(t, err)
	defer kept.Close()
	chain, ctx := ledger.ChainID{1}, t.Context()
	must(t, kept.Pins.SetSeenAccount(ctx, chain, store.SeenAccount{ID: 22, Since: time.Unix(1000, 0)}))
	must(t, forgetPin(ctx, new(strings.Builder), kept, chain, "1.2.22", nil, false))
	if seen, err := kept.Pins.SeenAccount(ctx, chain, 22); seen != nil || err != nil {
		t.Errorf("it is there still: %+v, %v", seen, err)
	}
	if err := forgetPin(ctx, new(strings.Builder), kept, chain, "1.2.22", nil, false); err == nil {
		t.Error("it is forgotten twice")
	}
}
