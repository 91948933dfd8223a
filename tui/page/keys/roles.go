package keys

import (
	"fmt"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
)

// roleRows returns the rows of an account: who may act as owner and as active, and the memo key. What-if does not count.
func (t *tree) roleRows(id ledger.AccountID) (out []roleRow) {
	a := t.lookup(id)
	if a == nil {
		return nil
	}
	held := *t
	held.flipped = nil
	for _, role := range []struct {
		name string
		auth ledger.Authority
	}{{"owner", a.Owner}, {"active", a.Active}} {
		first := true
		add := func(r roleRow, weight uint16) {
			r.role, r.needs, r.weight, r.sameRole = role.name, fmt.Sprint(role.auth.WeightThreshold), fmt.Sprint(weight), !first
			out, first = append(out, r), false
		}
		for _, k := range role.auth.KeyAuths {
			row := roleRow{key: k.Key}
			if held.keysHere[k.Key] {
				row.state = present
			}
			add(row, k.Weight)
		}
		for _, n := range role.auth.AccountAuths {
			add(roleRow{account: n.Account, state: held.accountPresence(n.Account, 0)}, n.Weight)
		}
	}
	memo := roleRow{role: "memo", needs: "–", weight: "–", key: a.Options.MemoKey}
	if t.keysHere[memo.key] {
		memo.state = present
	}
	return append(out, memo)
}

// heldKeys returns the keys of an account that are in this wallet, each once with all its roles.
func (t *tree) heldKeys(id ledger.AccountID) (out []screen.HeldKey) {
	for _, row := range t.roleRows(id) {
		at := slices.IndexFunc(out, func(one screen.HeldKey) bool { return one.Key == row.key })
		switch {
		case row.account != 0 || !t.keysHere[row.key]:
		case at < 0:
			out = append(out, screen.HeldKey{Roles: row.role, Key: row.key})
		case !strings.HasSuffix(out[at].Roles, row.role):
			out[at].Roles += ", " + row.role
		}
	}
	return out
}

// warnings returns what is wrong or risky about the authorities of an account.
func (t *tree) warnings(id ledger.AccountID) (out []canvas.Line) {
	a := t.lookup(id)
	if a == nil {
		return nil
	}
	warn := func(text string) { out = append(out, canvas.In(theme.Warn, theme.SignCareful+" "+text)) }
	for _, role := range []struct {
		name string
		auth ledger.Authority
	}{{"owner", a.Owner}, {"active", a.Active}} {
		if role.auth.Actors(t.lookup).Anybody() {
			out = append(out, canvas.Bold(theme.Danger, theme.SignCareful+" ANYBODY can act as "+role.name+", without any signature"))
		}
		if t.maxWeight(role.auth, 0) < uint64(role.auth.WeightThreshold) {
			text := theme.SignFailed + " nobody can sign as " + role.name + ": all weights together do not reach what it needs"
			out = append(out, canvas.Bold(theme.Danger, text))
		}
	}
	switch {
	case shared(a.Owner, a.Active) && a.Owner.HasKey(a.Options.MemoKey):
		warn("owner, active and memo share one key: whoever learns it has everything")
	case shared(a.Owner, a.Active):
		warn("owner and active share a key: the owner key is meant to stay offline")
	case a.Active.HasKey(a.Options.MemoKey):
		warn("active and memo share one key")
	}
	if a.Options.MemoKey != (ledger.PublicKey{}) && !t.keysHere[a.Options.MemoKey] {
		warn("the memo key is not here: memos to this account cannot be read with this wallet")
	}
	return out
}

// shared reports whether two authorities name the same key.
func shared(a, b ledger.Authority) bool {
	for _, k := range a.KeyAuths {
		if b.HasKey(k.Key) {
			return true
		}
	}
	return false
}

// verdict returns a sentence on what the keys here can do for an account. What-if changes who counts, never how they are counted.
func (t *tree) verdict(a *ledger.Account) string {
	owner := t.reachText("owner", a.Owner)
	active := t.reachText("active", a.Active)
	if t.missingWeight(a.Owner) == 0 && t.missingWeight(a.Active) > 0 {
		active = "can act as active"
	}
	if len(t.flipped) > 0 {
		return "What if: with what is switched, you " + active + ", and " + owner + "."
	}
	return "Result: the keys here " + active + ", and " + owner + "."
}

// reachText returns whether the parties that count satisfy an authority, or how much weight they lack.
func (t *tree) reachText(role string, a ledger.Authority) string {
	have, lacks, most := t.weightHere(a, 0), t.missingWeight(a), t.maxWeight(a, 0)
	switch {
	case lacks == 0:
		return "can act as " + role
	case max(most, have) < uint64(a.WeightThreshold):
		return fmt.Sprintf("can never act as %s, as all its signers together weigh %d of %d", role, most, a.WeightThreshold)
	}
	return fmt.Sprintf("lack weight %d of %d for %s", lacks, a.WeightThreshold, role)
}
