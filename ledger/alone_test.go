package ledger

import (
	"strings"
	"testing"
)

// holding is a ledger on which accounts have one key each, or are not known.
type holding struct {
	plain
	keys map[AccountID]PublicKey
}

func (h holding) Account(id AccountID) *Account {
	key, known := h.keys[id]
	if !known {
		return nil
	}
	return &Account{ID: id, Active: SingleKeyAuthority(key), Owner: SingleKeyAuthority(key)}
}

// ruledBy is an account 16 whose authorities are both a.
func ruledBy(a Authority, on Before) changedAccount {
	return changedAccount{id: 16, name: "alice (1.2.16)", owner: &a, active: &a, lookup: on.Account}
}

// shared is an authority of accounts and keys with the weight 1 each.
func shared(threshold uint32, accounts []AccountID, keys ...PublicKey) Authority {
	a := Authority{WeightThreshold: threshold}
	for _, id := range accounts {
		a.AccountAuths = append(a.AccountAuths, AccountWeight{Account: id, Weight: 1})
	}
	for _, key := range keys {
		a.KeyAuths = append(a.KeyAuths, KeyWeight{Key: key, Weight: 1})
	}
	return a
}

// A key counts once for each place that it stands in, by itself or inside an account: whoever has it has all of them.
func TestWhoActsAloneIsFoundByKeys(t *testing.T) {
	own, his, hers := DeriveKey("own", 0).Public(), DeriveKey("his", 0).Public(), DeriveKey("hers", 0).Public()
	on := holding{keys: map[AccountID]PublicKey{17: his, 18: his, 19: hers}}
	of := shared
	for name, c := range map[string]struct {
		a    Authority
		want string
	}{
		"his account and key":  {of(2, []AccountID{17}, his, own), "can act alone: " + his.String()},
		"two accounts of his":  {of(2, []AccountID{17, 18}, own), "can act alone: " + his.String()},
		"one account":          {of(1, []AccountID{17}), "can act alone: 1.2.17"},
		"three people":         {of(2, []AccountID{17, 19}, own), "nobody can act alone; at least 2 have to sign"},
		"two by three":         {of(3, []AccountID{17, 18, 19}, own), "nobody can act alone; at least 2 have to sign"},
		"one that is not read": {of(2, []AccountID{20}, own), "at least 2 have to sign; but who acts for 1.2.20 is not known here"},
		"anybody and a key":    {of(2, []AccountID{TempAccount}, own), "can act alone: " + own.String()},
		"anybody":              {of(1, []AccountID{TempAccount}, own), "ANYBODY can act"},
		"not enough":           {of(3, nil, own), "nobody can ever act"},
	} {
		if got := ruledBy(c.a, on).ownerWords(on); !strings.Contains(got, c.want) || strings.HasPrefix(c.want, "can act") && got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	one := SingleKeyAuthority(own)
	is := ruledBy(of(2, []AccountID{17}, his, own), on)
	is.owner = &one
	if got := is.activeWords(on); got != "can act alone: "+his.String() {
		t.Errorf("active: %q", got)
	}
}

// Who acts is said of the account as it is once all is done. Nobody acts for an account that only itself, the ledger's own, or a circle
// acts for; one that is not read is somebody.
func TestWhoNeverActsIsNotSaidToAct(t *testing.T) {
	own, his := DeriveKey("own", 0).Public(), DeriveKey("his", 0).Public()
	on := ring{holding{keys: map[AccountID]PublicKey{16: own, 17: his}}}
	key, alice, bobby := shared(1, nil, own), shared(1, []AccountID{16}), shared(1, []AccountID{17})
	null, circle := shared(1, []AccountID{NullAccount}), shared(1, []AccountID{30})
	never := "nobody can ever act"
	for name, c := range map[string]struct {
		owner, active *Authority
		want          []string // of each effect
		careful       string
	}{
		"itself, both":           {&alice, &alice, []string{never, never}, "nobody can ever act for 1.2.16 again"},
		"itself, as owner":       {&alice, nil, []string{"can act alone: " + own.String()}, ""},
		"itself, by its owner":   {&key, &alice, []string{"can act alone: " + own.String(), "can act alone: " + own.String()}, ""},
		"itself, by another":     {&bobby, &alice, []string{"can act alone: 1.2.17", "can act alone: 1.2.17"}, ""},
		"another, by itself":     {&alice, &bobby, []string{"can act alone: 1.2.17", "can act alone: 1.2.17"}, ""},
		"itself, owner as it is": {nil, &alice, []string{"can act alone: " + own.String()}, ""},
		"nobody":                 {&null, &null, []string{never, never}, "nobody can ever act for 1.2.16 again"},
		"nobody as owner":        {&null, nil, []string{never}, "nobody can ever act as owner of 1.2.16 again"},
		"nobody but the owner": {nil, &null, []string{
			"of these nobody can ever act; as owner, these can still do everything alone, and change this: " + own.String()}, ""},
		"nobody but two owners": {ptr(shared(2, nil, own, his)), &null, []string{"nobody can act alone; at least 2 have to sign",
			"of these nobody can ever act; as owner, at least 2 together can still do everything, and change this"}, ""},
		"a circle":              {&circle, &circle, []string{never, never}, "nobody can ever act for 1.2.16 again"},
		"a circle and a key":    {ptr(shared(1, []AccountID{30}, own)), nil, []string{"can act alone: " + own.String()}, ""},
		"one that is not known": {ptr(shared(1, []AccountID{50})), nil, []string{"can act alone: 1.2.50"}, ""},
		"anybody":               {nil, ptr(shared(1, []AccountID{TempAccount}, own)), []string{anybodyCanAct}, "ANYBODY can act for 1.2.16"},
		"anybody as owner": {ptr(shared(1, []AccountID{TempAccount})), &key, []string{anybodyCanAct, anybodyCanAct},
			"ANYBODY can act for 1.2.16"},
	} {
		effects := Effects(NewOperation(&AccountUpdateOp{Account: 16, Owner: c.owner, Active: c.active}), on, on)
		careful := ""
		for i, e := range effects {
			if careful = e.Careful; strings.TrimPrefix(e.Note, "it stays as it is; ") != c.want[i] {
				t.Errorf("%s: %s: %q, want %q", name, e.What, e.Note, c.want[i])
			}
		}
		if len(effects) != len(c.want) || !strings.HasPrefix(careful, c.careful) || (c.careful == "") != (careful == "") {
			t.Errorf("%s: careful %q, want %q", name, careful, c.careful)
		}
	}
}

// ring is a holding in which 30 and 31 are changedAccount by one another alone.
type ring struct{ holding }

func (r ring) Account(id AccountID) *Account {
	if id != 30 && id != 31 {
		return r.holding.Account(id)
	}
	other := shared(1, []AccountID{61 - id})
	return &Account{ID: id, Active: other, Owner: other}
}

func ptr(a Authority) *Authority { return &a }

// The miners act for their account by what they are elected to, and nobody does before.
func TestTheMinersActByTheirActiveAuthorityAlone(t *testing.T) {
	own := DeriveKey("own", 0).Public()
	for want, active := range map[string]Authority{
		"nobody can act until miners are elected, who then could": nobodyActs,
		"can act alone:  (1.2.0)":                                 SingleKeyAuthority(own),
	} {
		lookup := func(AccountID) *Account { return &Account{Owner: SingleKeyAuthority(own), Active: active} }
		is := changedAccount{id: 16, name: "alice", owner: ptr(shared(1, []AccountID{MinerAccount})), lookup: lookup}
		if got := is.ownerWords(plainNames{}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What is set by several operations of a transaction, or of a proposal, is judged as it is once all are done.
func TestWhoActsIsSaidOfTheWholeTransaction(t *testing.T) {
	own, his := DeriveKey("own", 0).Public(), DeriveKey("his", 0).Public()
	on := holding{keys: map[AccountID]PublicKey{16: own, 17: his}}
	alice, his1 := shared(1, []AccountID{16}), SingleKeyAuthority(his)
	ops := []Operation{NewOperation(&AccountUpdateOp{Account: 16, Active: &alice}),
		NewOperation(&AccountUpdateOp{Account: 16, Owner: &his1})}
	want := "can act alone: " + his.String()
	if e := Effects(ops[0], Together(on, ops), on); e[0].Note != want {
		t.Errorf("%q, want %q", e[0].Note, want)
	}
	proposes := &ProposalCreateOp{ProposedOps: []ProposedOperation{{Op: ops[0]}, {Op: ops[1]}}}
	if e := Effects(NewOperation(proposes), on, on); e[1].Note != want {
		t.Errorf("proposed: %q, want %q", e[1].Note, want)
	}
}
