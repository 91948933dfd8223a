package chain

import (
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func twoOf(threshold uint32, names ...string) ledger.Authority {
	a := ledger.Authority{WeightThreshold: threshold}
	for _, name := range names {
		a.KeyAuths = append(a.KeyAuths, ledger.KeyWeight{Key: keyOf(name).Public(), Weight: 1})
	}
	slices.SortFunc(a.KeyAuths, func(x, y ledger.KeyWeight) int { return ledger.ComparePublicKeys(x.Key, y.Key) })
	return a
}

func accountsAuthority(ids ...ledger.AccountID) ledger.Authority {
	a := ledger.Authority{WeightThreshold: 1}
	for _, id := range ids {
		a.AccountAuths = append(a.AccountAuths, ledger.AccountWeight{Account: id, Weight: 1})
	}
	return a
}

func (b *bank) fund(id ledger.AccountID) {
	b.t.Helper()
	b.must(b.push([]ledger.PrivateKey{b.nathan}, pay(nathanID, id, 10_0000_0000)))
	b.mine()
}

func TestMultisignatureNeedsItsThreshold(t *testing.T) {
	b := newBank(t)
	id := b.register("multi-one", twoOf(2, "a", "b", "c"))
	b.fund(id)
	a, bb, c := keyOf("a"), keyOf("b"), keyOf("c")
	b.refused(b.push([]ledger.PrivateKey{a}, pay(id, nathanID, 1)), nodeerr.CodeMissingActive, "")
	b.must(b.push([]ledger.PrivateKey{a, bb}, pay(id, nathanID, 1)))
	b.must(b.push([]ledger.PrivateKey{c, bb}, pay(id, nathanID, 1)))
	b.refused(b.push([]ledger.PrivateKey{a, bb, c}, pay(id, nathanID, 1)), nodeerr.CodeIrrelevantSig, "")
}

func TestOwnerKeyMaySignForActive(t *testing.T) {
	b := newBank(t)
	owner, active := keyOf("owner"), keyOf("active")
	b.must(
		b.push([]ledger.PrivateKey{b.nathan},
			create("careful", ledger.SingleKeyAuthority(owner.Public()), ledger.SingleKeyAuthority(active.Public()))))
	b.mine()
	b.fund(17)
	b.must(b.push([]ledger.PrivateKey{owner}, pay(17, nathanID, 1)))
	b.must(b.push([]ledger.PrivateKey{active}, pay(17, nathanID, 1)))
}

func TestNestedAccountsCountToTheChainsDepth(t *testing.T) {
	b := newBank(t)
	root := b.register("level0", ledger.SingleKeyAuthority(keyOf("root").Public()))
	one := b.register("level1", accountsAuthority(root))
	two := b.register("level2", accountsAuthority(one))
	three := b.register("level3", accountsAuthority(two))
	for _, id := range []ledger.AccountID{one, two, three} {
		b.fund(id)
	}
	key := []ledger.PrivateKey{keyOf("root")}
	b.must(b.push(key, pay(one, nathanID, 1)))
	b.must(b.push(key, pay(two, nathanID, 1)))
	b.refused(b.push(key, pay(three, nathanID, 1)), nodeerr.CodeMissingActive, "")
}

func TestOneUnneededSignatureIsAcceptedAlone(t *testing.T) {
	b := newBank(t)
	anyone := b.register("open-house", accountsAuthority(ledger.TempAccount))
	b.fund(anyone)
	b.must(b.push(nil, pay(anyone, nathanID, 1)))
	b.must(b.push([]ledger.PrivateKey{keyOf("stranger")}, pay(anyone, nathanID, 1)))
	b.refused(b.push([]ledger.PrivateKey{keyOf("stranger"), keyOf("other")}, pay(anyone, nathanID, 1)), nodeerr.CodeIrrelevantSig, "")
}

func TestAccountsThatNameEachOtherEnd(t *testing.T) {
	b := newBank(t)
	first := b.register("first", ledger.SingleKeyAuthority(keyOf("x").Public()))
	second := b.register("second", accountsAuthority(first))
	b.c.s.Accounts.Change(first, func(a *ledger.Account) { a.Active, a.Owner = accountsAuthority(second), accountsAuthority(second) })
	b.c.s.Commit()
	b.fund(first)
	b.refused(b.push([]ledger.PrivateKey{keyOf("x")}, pay(first, nathanID, 1)), nodeerr.CodeMissingActive, "")
}

func TestRequiredAndPotentialSignatures(t *testing.T) {
	b := newBank(t)
	id := b.register("multi-one", twoOf(2, "a", "b", "c"))
	keys := []ledger.PublicKey{keyOf("a").Public(), keyOf("b").Public(), keyOf("c").Public(), b.init.Public()}
	p := b.sign(b.build(pay(id, nathanID, 1)))
	signed := b.sign(b.build(pay(id, nathanID, 1)), keyOf("a"))
	b.c.View(func(s *state.State) {
		if got := evaluate.RequiredSignatures(s, p, keys); len(got) != 2 || slices.Contains(got, b.init.Public()) {
			t.Errorf("required are %v", got)
		}
		if got := evaluate.RequiredSignatures(s, signed, keys); len(got) != 1 || got[0] == keyOf("a").Public() {
			t.Errorf("besides a, required are %v", got)
		}
		if got := evaluate.RequiredSignatures(s, p, keys[3:]); len(got) != 0 {
			t.Errorf("a stranger's key is required: %v", got)
		}
		if got := evaluate.PotentialSignatures(s, p); len(got) != 3 || !slices.IsSortedFunc(got, ledger.ComparePublicKeys) {
			t.Errorf("potential are %v", got)
		}
		if fault := evaluate.VerifyAccount(s, id, keys[:2]); fault != nil {
			t.Error(fault)
		}
		b.refused(evaluate.VerifyAccount(s, id, keys[:1]), nodeerr.CodeMissingActive, "")
		b.refused(evaluate.VerifyAuthority(s, signed), nodeerr.CodeMissingActive, "")
	})
}
