package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// bank is a chain with the keys of the recorded genesis.
type bank struct {
	t      testing.TB
	c      *Chain
	nathan ledger.PrivateKey // 1.2.16, has 10 million DCT
	init   ledger.PrivateKey // 1.2.4 to 1.2.14
	nonce  ledger.Time       // makes ids differ

	publics map[string]ledger.PublicKey // nil: see newTrialBank
}

const (
	nathanID = ledger.AccountID(16)
	init0ID  = ledger.AccountID(4)
	init1ID  = ledger.AccountID(5)
)

func newBank(t testing.TB) *bank {
	t.Helper()
	return newBankOn(t, readGenesis(t))
}

func newBankOn(t testing.TB, g *genesis.Genesis) *bank {
	t.Helper()
	c, err := New(g)
	if err != nil {
		t.Fatal(err)
	}
	wif := func(text string) ledger.PrivateKey {
		key, err := ledger.ParseWIF(text)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	b := &bank{
		t: t, c: c,
		nathan: wif("5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"),
		init:   wif("5KEndUCX4AhTVscE8Xn9QG6Mp1DUEYhU5VrcYzZd6i8gmKP9Jmd"),
	}
	b.mine()
	return b
}

// newTrialBank is a bank that tells the chain who signed, without signing: nearly
// all the time of a random trial would be the arithmetic of signatures, which
// other tests are about. Whose signature is needed is checked all the same.
func newTrialBank(t testing.TB, g *genesis.Genesis) *bank {
	t.Helper()
	b := newBankOn(t, g)
	b.publics = map[string]ledger.PublicKey{}
	return b
}

// public is worked out once for each key.
func (b *bank) public(key ledger.PrivateKey) ledger.PublicKey {
	wif := key.WIF()
	if _, known := b.publics[wif]; !known {
		b.publics[wif] = key.Public()
	}
	return b.publics[wif]
}

func (b *bank) mine() *ledger.Block {
	b.t.Helper()
	mined, err := b.c.Mine(0)
	if err != nil {
		b.t.Fatal(err)
	}
	return mined.Block
}

// build makes a transaction with the least fees, not yet signed.
func (b *bank) build(bodies ...ledger.Body) *ledger.SignedTransaction {
	b.t.Helper()
	tx := &ledger.SignedTransaction{}
	b.nonce++
	b.c.View(func(s *state.State) {
		tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(s.Dynamic().HeadBlockID)
		tx.Expiration = s.HeadTime() + 60 + b.nonce%1000
		for _, body := range bodies {
			op := ledger.NewOperation(body)
			if op.Fee().Amount == 0 {
				_, _ = s.Global().Parameters.CurrentFees.SetFee(op)
			}
			tx.Operations = append(tx.Operations, op)
		}
	})
	return tx
}

func (b *bank) sign(tx *ledger.SignedTransaction, keys ...ledger.PrivateKey) *evaluate.Prepared {
	b.t.Helper()
	if b.publics != nil {
		return b.signInName(tx, keys)
	}
	digest, err := tx.Digest(b.c.ID())
	if err != nil {
		b.t.Fatal(err)
	}
	for _, key := range keys {
		tx.Signatures = append(tx.Signatures, key.Sign(digest))
	}
	p, err := b.c.Prepare(tx)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

// signInName puts in empty signatures, and the keys that would be recovered.
func (b *bank) signInName(tx *ledger.SignedTransaction, keys []ledger.PrivateKey) *evaluate.Prepared {
	b.t.Helper()
	tx.Signatures = make([]ledger.Signature, len(keys))
	p, err := b.c.PrepareTrusted(tx)
	if err != nil {
		b.t.Fatal(err)
	}
	p.Trusted = false
	for _, key := range keys {
		p.Keys = append(p.Keys, b.public(key))
	}
	return p
}

// push broadcasts the operations signed by keys.
func (b *bank) push(keys []ledger.PrivateKey, bodies ...ledger.Body) *nodeerr.Error {
	b.t.Helper()
	return b.c.Push(b.sign(b.build(bodies...), keys...))
}

func (b *bank) must(fault *nodeerr.Error) {
	b.t.Helper()
	if fault != nil {
		b.t.Fatal(fault)
	}
}

// refused checks the code of a fault, and that its frames contain a text.
func (b *bank) refused(fault *nodeerr.Error, code nodeerr.Code, text string) {
	b.t.Helper()
	if fault == nil || fault.Code != code || !contains(fault, text) {
		b.t.Errorf("want %d %q, got %v", code, text, fault)
	}
}

func contains(f *nodeerr.Error, text string) bool {
	for _, frame := range f.Stack {
		if text == "" || frame.Text() == text || len(frame.Text()) > len(text) && frame.Text()[:len(text)] == text {
			return true
		}
	}
	return false
}

func pay(from ledger.AccountID, to ledger.AccountID, amount int64) *ledger.TransferOp {
	return &ledger.TransferOp{From: from, To: to.Object(), Amount: ledger.AssetAmount{Amount: amount}}
}

func create(name string, owner, active ledger.Authority) *ledger.AccountCreateOp {
	return &ledger.AccountCreateOp{
		Registrar: nathanID, Name: name, Owner: owner, Active: active, Options: ledger.NewAccountOptions(ledger.PublicKey{}),
	}
}

// register makes an account and gives its id.
func (b *bank) register(name string, auth ledger.Authority) ledger.AccountID {
	b.t.Helper()
	b.must(b.push([]ledger.PrivateKey{b.nathan}, create(name, auth, auth)))
	b.mine()
	var id ledger.AccountID
	b.c.View(func(s *state.State) { id = s.Accounts.ByName(name).ID })
	return id
}

func (b *bank) balance(id ledger.AccountID) (have int64) {
	b.c.View(func(s *state.State) { have = s.Balances.Of(id, ledger.CoreAsset) })
	return have
}

func keyOf(name string) ledger.PrivateKey { return ledger.DeriveKey("test "+name, 0) }
