package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/produce"
)

func TestChecksRefuseWithTheNodesCodes(t *testing.T) {
	b := newBank(t)
	nathan := []ledger.PrivateKey{b.nathan}
	good := func() *ledger.SignedTransaction { return b.build(pay(nathanID, init0ID, 100)) }
	for _, c := range []struct {
		name  string
		code  nodeerr.Code
		text  string
		fault func() *nodeerr.Error
	}{
		{"no operation", nodeerr.CodeNoOperation, "", func() *nodeerr.Error { return b.push(nathan) }},
		{"to oneself", nodeerr.CodeValidate, "from != to", func() *nodeerr.Error { return b.push(nathan, pay(nathanID, nathanID, 1)) }},
		{"nothing", nodeerr.CodeValidate, "amount.amount > 0", func() *nodeerr.Error { return b.push(nathan, pay(nathanID, init0ID, 0)) }},
		{"negative amount", nodeerr.CodeValidate, "amount.amount > 0",
			func() *nodeerr.Error { return b.push(nathan, pay(nathanID, init0ID, -5)) }},
		{"negative fee", nodeerr.CodeValidate, "fee.amount >= 0", func() *nodeerr.Error {
			op := pay(nathanID, init0ID, 1)
			op.Fee.Amount = -1
			return b.push(nathan, op)
		}},
		{"too big", nodeerr.CodeAssert, "fc::raw::pack_size(trx)", func() *nodeerr.Error {
			op := pay(nathanID, init0ID, 1)
			op.Memo = &ledger.Memo{Message: make(ledger.Bytes, 4096)}
			return b.push(nathan, op)
		}},
		{"twice", nodeerr.CodeAssert, "(skip & skip_transaction_dupe_check) || trx_idx.find(trx_id)", func() *nodeerr.Error {
			p := b.sign(good(), nathan...)
			b.must(b.c.Push(p))
			return b.c.Push(p)
		}},
		{"twice, in a block", nodeerr.CodeAssert, "(skip & skip_transaction_dupe_check) || trx_idx.find(trx_id)", func() *nodeerr.Error {
			p := b.sign(good(), nathan...)
			b.must(b.c.Push(p))
			b.mine()
			return b.c.Push(p)
		}},
		{"not canonical", nodeerr.CodeAssert, "is_canonical( c )", func() *nodeerr.Error {
			tx := good()
			tx.Signatures = []ledger.Signature{{31, 0x80}}
			return b.c.Push(b.sign(tx))
		}},
		{"same key twice", nodeerr.CodeDuplicateSig, "", func() *nodeerr.Error { return b.c.Push(b.sign(good(), b.nathan, b.nathan)) }},
		{"unsigned", nodeerr.CodeMissingActive,
			"s.check_authority(id) || s.check_authority(get_owner(id)): Missing Active Authority 1.2.16",
			func() *nodeerr.Error { return b.push(nil, pay(nathanID, init0ID, 1)) }},
		{"another's key", nodeerr.CodeMissingActive, "",
			func() *nodeerr.Error { return b.push([]ledger.PrivateKey{b.init}, pay(nathanID, init0ID, 1)) }},
		{"a key too many", nodeerr.CodeIrrelevantSig, "",
			func() *nodeerr.Error { return b.push([]ledger.PrivateKey{b.nathan, b.init}, pay(nathanID, init0ID, 1)) }},
		{"for 1.2.0", nodeerr.CodeCommitteeApproval, "",
			func() *nodeerr.Error { return b.push(nil, pay(ledger.MinerAccount, init0ID, 1)) }},
		{"unknown payer", nodeerr.CodeObjectNotFound, "Object ID: 1.2.999",
			func() *nodeerr.Error { return b.push(nathan, pay(999, init0ID, 1)) }},
		{"unknown reference block", nodeerr.CodeAssert, "trx.ref_block_prefix ==", func() *nodeerr.Error {
			tx := good()
			tx.RefBlockPrefix++
			return b.c.Push(b.sign(tx, b.nathan))
		}},
		{"reference block to come", nodeerr.CodeAssert, "trx.ref_block_prefix ==", func() *nodeerr.Error {
			tx := good()
			tx.RefBlockNum += 5
			return b.c.Push(b.sign(tx, b.nathan))
		}},
		{"expired", nodeerr.CodeAssert, "now <= trx.expiration", func() *nodeerr.Error {
			tx := good()
			tx.Expiration -= 3000
			return b.c.Push(b.sign(tx, b.nathan))
		}},
		{"expires too late", nodeerr.CodeAssert, "trx.expiration <= now + chain_parameters.maximum_time_until_expiration",
			func() *nodeerr.Error {
				tx := good()
				tx.Expiration += 86400
				return b.c.Push(b.sign(tx, b.nathan))
			}},
		{"fee too low", nodeerr.CodeInsufficientFee, "", func() *nodeerr.Error {
			op := pay(nathanID, init0ID, 1)
			op.Fee.Amount = 99999
			return b.push(nathan, op)
		}},
		{"fee in an unknown asset", nodeerr.CodeObjectNotFound, "Object ID: 1.3.7", func() *nodeerr.Error {
			op := pay(nathanID, init0ID, 1)
			op.Fee = ledger.AssetAmount{Amount: 100000, AssetID: 7}
			return b.push(nathan, op)
		}},
		{"unknown receiver", nodeerr.CodeObjectNotFound, "Object ID: 1.2.999",
			func() *nodeerr.Error { return b.push(nathan, pay(nathanID, 999, 1)) }},
		{"content that does not exist", nodeerr.CodeObjectNotFound, "Object ID: 2.13.0", func() *nodeerr.Error {
			op := pay(nathanID, 0, 1)
			op.To = ledger.NewObjectID(2, 13, 0)
			return b.push(nathan, op)
		}},
		{"to an asset", nodeerr.CodeValidate, "is_account || is_content", func() *nodeerr.Error {
			op := pay(nathanID, 0, 1)
			op.To = ledger.NewObjectID(1, 3, 0)
			return b.push(nathan, op)
		}},
		{"no fee left", nodeerr.CodeAssert, "balance >= -delta: Insufficient Balance: nathan has", func() *nodeerr.Error {
			return b.push(nathan, pay(nathanID, init0ID, b.balance(nathanID)-1), pay(nathanID, init0ID, 1))
		}},
		{"a virtual operation", nodeerr.CodeValidate, "!virtual operation", func() *nodeerr.Error {
			return b.push(nathan, &ledger.PaySeederOp{Author: nathanID})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := b.snapshot()
			fault := c.fault()
			b.refused(fault, c.code, c.text)
			if c.code == nodeerr.CodeValidate && fault != nil && fault.Stack[0].Data["index"] != 0 {
				t.Errorf("the first frame has no index: %+v", fault.Stack[0])
			}
			if after := b.snapshot(); c.name != "twice" && c.name != "twice, in a block" && before != after {
				t.Errorf("the refusal changed the state from\n%s\nto\n%s", before, after)
			}
		})
	}
}

// The text is the one recorded from the node.
func TestTooLowBalanceSaysWhoAndHowMuch(t *testing.T) {
	b := newBank(t)
	alice := b.register("alice", ledger.SingleKeyAuthority(keyOf("alice").Public()))
	fault := b.push([]ledger.PrivateKey{b.init}, pay(init1ID, alice, 100000000))
	b.refused(fault, nodeerr.CodeAssert,
		"sufficient_balance: Insufficient Balance: 0 DCT, unable to transfer '1 DCT' from account 'init1' to 'alice'")
}

func TestPendingIsJudgedByTheHeadBeforeItsBlock(t *testing.T) {
	b := newBank(t)
	before := b.balance(nathanID)
	tx := b.build(pay(nathanID, init0ID, 100))
	p := b.sign(tx, b.nathan)
	b.must(b.c.Push(p))
	if got := b.balance(init0ID); got != 100 {
		t.Errorf("the pending state shows %d, want 100", got)
	}
	mined, err := b.c.Mine(tx.Expiration + 100)
	if err != nil || len(mined.Block.Transactions) != 1 {
		t.Fatalf("the block is judged by the head before it, so the transaction is in: %v %v", mined, err)
	}
	if got := b.balance(nathanID); got != before-100-100000 {
		t.Errorf("nathan has %d", got)
	}
}

// A chain that verifies blocks looks at the signatures of what is pending again, and so finds one that was changed since.
func TestSignaturesAreVerifiedAgainInABlock(t *testing.T) {
	for _, verify := range []bool{false, true} {
		b := newBank(t)
		if verify {
			b.c.VerifyBlocks()
		}
		good, changed := b.sign(b.build(pay(nathanID, init0ID, 1)), b.nathan), b.sign(b.build(pay(nathanID, init0ID, 2)), b.nathan)
		b.must(b.c.Push(good))
		b.must(b.c.Push(changed))
		changed.Tx.Signatures[0] = b.init.Sign([32]byte{1})
		mined, err := b.c.Mine(good.Tx.Expiration)
		if err != nil || len(mined.Dropped) != map[bool]int{true: 1}[verify] || len(mined.Block.Transactions) != map[bool]int{true: 1, false: 2}[verify] {
			t.Errorf("verified again %v: %+v %v", verify, mined, err)
		}
	}
}

func TestTransactionsBeyondTheBlockSizeWait(t *testing.T) {
	b := newBank(t)
	b.c.s.ChangeGlobal(func(g *ledger.GlobalProperties) { g.Parameters.MaximumBlockSize = produce.HeaderSize + 300 })
	b.c.s.Commit()
	for i := range int64(5) {
		b.must(b.push([]ledger.PrivateKey{b.nathan}, pay(nathanID, init0ID, i+1)))
	}
	total := 0
	for range 6 {
		n := len(b.mine().Transactions)
		if n > 2 {
			t.Errorf("%d transactions in a block for two", n)
		}
		total += n
		if got := b.balance(init0ID); got != 15 {
			t.Errorf("init0 sees %d, want 15 in and out of blocks", got)
		}
	}
	if total != 5 {
		t.Errorf("%d of 5 transactions got into blocks", total)
	}
}

func TestWaitingTransactionThatExpiresIsDropped(t *testing.T) {
	b := newBank(t)
	b.c.s.ChangeGlobal(func(g *ledger.GlobalProperties) { g.Parameters.MaximumBlockSize = produce.HeaderSize })
	b.c.s.Commit()
	tx := b.build(pay(nathanID, init0ID, 100))
	p := b.sign(tx, b.nathan)
	b.must(b.c.Push(p))
	before := b.balance(init0ID)
	mined, err := b.c.Mine(tx.Expiration + 1)
	if err != nil || len(mined.Block.Transactions) != 0 || len(mined.Dropped) != 1 || mined.Dropped[0].ID != p.ID {
		t.Fatalf("got %+v %v", mined, err)
	}
	b.refused(mined.Dropped[0].Fault, nodeerr.CodeAssert, "now <= trx.expiration")
	if got := b.balance(init0ID); before != 100 || got != 0 {
		t.Errorf("init0 saw %d and then %d, want 100 and 0", before, got)
	}
}

func TestValidateKeepsNothing(t *testing.T) {
	b := newBank(t)
	p := b.sign(b.build(create("alice", ledger.SingleKeyAuthority(b.init.Public()), ledger.SingleKeyAuthority(b.init.Public()))), b.nathan)
	before := b.snapshot()
	done, fault := b.c.Validate(p)
	if fault != nil || *done.OperationResults[0].Object != ledger.AccountID(17).Object() {
		t.Fatalf("got %+v, %v", done, fault)
	}
	if after := b.snapshot(); before != after {
		t.Error("validation changed the state")
	}
	b.must(b.c.Push(p))
}

func TestKeptFaultDoesNotGrow(t *testing.T) {
	b := newBank(t)
	p := b.sign(b.build(pay(nathanID, nathanID, 1)), b.nathan)
	first := len(b.c.Push(p).Stack)
	if second := len(b.c.Push(p).Stack); first != second {
		t.Errorf("the stack grew from %d to %d frames", first, second)
	}
}
