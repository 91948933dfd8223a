package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func message(t *testing.T, from ledger.AccountID, to ...ledger.AccountID) *ledger.CustomOp {
	t.Helper()
	keys := map[ledger.AccountID]ledger.PublicKey{}
	for _, id := range to {
		keys[id] = ledger.PublicKey{}
	}
	m, err := ledger.NewMessage(from, ledger.PrivateKey{}, "hello", keys, 0)
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return &ledger.CustomOp{Payer: from, ID: ledger.MessageID, Data: data}
}

func TestMessageBecomesAnObjectAndEntersHistories(t *testing.T) {
	b := newBank(t)
	b.by(b.nathan, message(t, nathanID, init0ID, init1ID))
	b.by(b.nathan, &ledger.CustomOp{Payer: nathanID, ID: 77, Data: ledger.Bytes("anything")})
	b.mine()
	b.c.View(func(s *state.State) {
		m := s.Messages.Get(ledger.NewObjectID(2, 18, 0))
		if m == nil || m.Sender != nathanID || len(m.Receivers) != 2 || m.Receivers[1].Receiver != init1ID {
			t.Errorf("the message is %+v", m)
		}
		if s.Messages.Get(ledger.NewObjectID(2, 18, 1)) != nil || s.Messages.Get(ledger.NewObjectID(1, 2, 0)) != nil {
			t.Error("other data became a message too")
		}
		for id, want := range map[ledger.AccountID]int{nathanID: 2, init0ID: 1, init1ID: 1} {
			if got := len(s.History.Page(id, 0, 100, 0)); got != want {
				t.Errorf("%s has %d records, want %d", id, got, want)
			}
		}
	})
}

func TestCustomNeedsEveryAuthorityItNames(t *testing.T) {
	b := newBank(t)
	op := &ledger.CustomOp{Payer: nathanID, RequiredAuths: []ledger.AccountID{init0ID}, ID: 5}
	b.refused(b.push([]ledger.PrivateKey{b.nathan}, op), nodeerr.CodeMissingActive, "")
	b.must(b.push([]ledger.PrivateKey{b.nathan, b.init}, op))
}

func TestMessageRefusals(t *testing.T) {
	b := newBank(t)
	nathan := []ledger.PrivateKey{b.nathan}
	others := message(t, init0ID, init1ID)
	others.Payer = nathanID
	free := message(t, nathanID, init0ID)
	free.Fee.AssetID, free.Fee.Amount = 0, -1
	b.refuses(t, []refusal{
		{"no JSON", nathan, &ledger.CustomOp{Payer: nathanID, ID: ledger.MessageID, Data: ledger.Bytes("{")}, nodeerr.CodeParse, ""},
		{"no message", nathan, &ledger.CustomOp{Payer: nathanID, ID: ledger.MessageID, Data: ledger.Bytes(`{"from":7}`)},
			nodeerr.CodeBadCast,
			""},
		{"from nobody", nathan, message(t, 999, init0ID), nodeerr.CodeObjectNotFound, ""},
		{"to nobody", nathan, message(t, nathanID, 999), nodeerr.CodeAssert, "itr != idx.end(): Receiver 1.2.999 does not exist."},
		{"paid by another", nathan, others, nodeerr.CodeAssert, "pl.from == o.payer"},
		{"negative fee", nathan, free, nodeerr.CodeValidate, ""},
	})
}

func TestPredicates(t *testing.T) {
	g := readGenesis(t)
	g.InitialParameters.MaxPredicateOpcode = 3
	b := newBankOn(t, g)
	head := b.mine().BlockID
	name := func(id ledger.AccountID, text string) *ledger.AssertOp {
		return asserting(ledger.Predicate{AccountName: &ledger.AccountNamePredicate{AccountID: id, Name: text}})
	}
	symbol := func(id ledger.AssetID, text string) *ledger.AssertOp {
		return asserting(ledger.Predicate{AssetSymbol: &ledger.AssetSymbolPredicate{AssetID: id, Symbol: text}})
	}
	block := func(id ledger.BlockID) *ledger.AssertOp {
		return asserting(ledger.Predicate{Block: &ledger.BlockPredicate{ID: id}})
	}
	b.by(b.nathan, name(nathanID, "nathan"), symbol(0, "DCT"), block(head), pay(nathanID, init0ID, 1))
	nathan := []ledger.PrivateKey{b.nathan}
	other := head
	other[19]++
	auths := name(nathanID, "nathan")
	auths.RequiredAuths = []ledger.AccountID{init0ID}
	b.refuses(t, []refusal{
		{"other name", nathan, name(nathanID, "nathen"), nodeerr.CodeAssert, "p.account_id(db).name == p.name"},
		{"nobody", nathan, name(999, "nathan"), nodeerr.CodeObjectNotFound, "Object ID: 1.2.999"},
		{"other symbol", nathan, symbol(0, "DTC"), nodeerr.CodeAssert, "p.asset_id(db).symbol == p.symbol"},
		{"no asset", nathan, symbol(9, "DCT"), nodeerr.CodeObjectNotFound, "Object ID: 1.3.9"},
		{"other block", nathan, block(other), nodeerr.CodeAssert, "block_summary_id_type("},
		{"authorities", nathan, auths, nodeerr.CodeValidate, "required_auths.empty()"},
	})
}

func asserting(list ...ledger.Predicate) *ledger.AssertOp {
	return &ledger.AssertOp{FeePayingAccount: nathanID, Predicates: list}
}

// The recorded chain allows the first predicate alone.
func TestPredicatesAboveTheLimitAreRefused(t *testing.T) {
	b := newBank(t)
	op := asserting(ledger.Predicate{AssetSymbol: &ledger.AssetSymbolPredicate{Symbol: "DCT"}})
	b.refused(b.push([]ledger.PrivateKey{b.nathan}, op), nodeerr.CodeAssert, "unsigned(p.which()) < max_predicate_opcode")
}
