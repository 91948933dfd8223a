package api

import (
	"encoding/hex"

	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

var transactionMethods = map[string]Method{
	"get_transaction": read2(transactionAt),
	"get_transaction_by_id": read1(func(st *state.State, id ledger.TransactionID) (any, error) {
		tx, ok := st.Blocks.Transaction(id)
		if !ok {
			return nil, nil
		}
		return tx, nil
	}),
	"get_transaction_id": prepared(func(_ *Session, p *evaluate.Prepared) (any, error) { return p.ID, nil }),
	"get_transaction_hex": prepared(func(_ *Session, p *evaluate.Prepared) (any, error) {
		packed, err := p.Tx.Pack()
		return hex.EncodeToString(packed), err
	}),
	"get_required_signatures":  With2(requiredSignatures),
	"get_potential_signatures": prepared(potentialSignatures),
	"verify_authority":         prepared(verifyAuthority),
	"verify_account_authority": read2(verifyAccountAuthority),
	"validate_transaction": prepared(func(s *Session, p *evaluate.Prepared) (any, error) {
		done, fault := s.Chain.Validate(p)
		return done, asError(fault)
	}),
	"get_required_fees": read2(func(st *state.State, ops []ledger.Operation, id ledger.AssetID) (any, error) {
		asset := st.Assets.Get(id)
		if asset == nil {
			return nil, objectNotFound(id.Object())
		}
		return requiredFees(st, ops, asset, 0)
	}),
}

// prepared makes a method whose only argument is a signed transaction.
func prepared(do func(*Session, *evaluate.Prepared) (any, error)) Method {
	return With1(func(s *Session, tx ledger.SignedTransaction) (any, error) {
		p, err := Prepare(s.Chain, &tx)
		if err != nil {
			return nil, err
		}
		return do(s, p)
	})
}

func transactionAt(st *state.State, num, at uint32) (any, error) {
	b := st.Blocks.Get(num)
	if b == nil {
		return nil, nodeerr.New(nodeerr.CodeNoBlock, "get_transaction", "opt_block: block ${n}", nodeerr.Data{"n": num})
	}
	if uint64(at) >= uint64(len(b.Transactions)) {
		return nil, nodeerr.New(nodeerr.CodeNoTransaction, "get_transaction", "opt_block->transactions.size() > trx_num: transaction ${n}",
			nodeerr.Data{"n": at})
	}
	return &b.Transactions[at], nil
}

func requiredSignatures(s *Session, tx ledger.SignedTransaction, available []ledger.PublicKey) (out any, err error) {
	p, err := Prepare(s.Chain, &tx)
	if err != nil {
		return nil, err
	}
	s.Chain.View(func(st *state.State) { out = evaluate.RequiredSignatures(st, p, available) })
	return out, nil
}

func potentialSignatures(s *Session, p *evaluate.Prepared) (out any, err error) {
	s.Chain.View(func(st *state.State) { out = evaluate.PotentialSignatures(st, p) })
	return out, nil
}

func verifyAuthority(s *Session, p *evaluate.Prepared) (_ any, err error) {
	s.Chain.View(func(st *state.State) { err = asError(evaluate.VerifyAuthority(st, p)) })
	return true, err
}

func verifyAccountAuthority(st *state.State, ref string, keys []ledger.PublicKey) (any, error) {
	if ref == "" {
		return nil, nodeerr.New(nodeerr.CodeUnspecified, "verify_account_authority", "name_or_id.size() > 0: ", nil)
	}
	account := st.Accounts.Find(ref)
	if account == nil {
		return nil, noAccount(ref)
	}
	return true, asError(evaluate.VerifyAccount(st, account.ID, keys))
}

// maxFeeNesting is the maximum depth of nested proposals that are priced.
const maxFeeNesting = 4

// requiredFees returns the fee of each operation. For a proposal it is a pair of
// its own fee and the fees of what it proposes.
func requiredFees(st *state.State, ops []ledger.Operation, asset *ledger.Asset, level int) (any, error) {
	if level >= maxFeeNesting {
		return nil, nodeerr.New(nodeerr.CodeAssert, "get_required_fees", "current_recursion < 4: proposals are nested too deep", nil)
	}
	list := make([]any, 0, len(ops))
	for _, op := range ops {
		fee, err := evaluate.RequiredFee(st, op, asset)
		if err != nil {
			return nil, nodeerr.New(nodeerr.CodeAssert, "get_required_fees", "${why}", nodeerr.Data{"why": err.Error()})
		}
		proposal, ok := op.Body.(*ledger.ProposalCreateOp)
		if !ok {
			list = append(list, fee)
			continue
		}
		inner := make([]ledger.Operation, len(proposal.ProposedOps))
		for i := range inner {
			inner[i] = proposal.ProposedOps[i].Op
		}
		fees, err := requiredFees(st, inner, asset, level+1)
		if err != nil {
			return nil, err
		}
		list = append(list, []any{fee, fees})
	}
	return list, nil
}

var broadcastSet = Set{name: "network_broadcast", methods: map[string]Method{
	"info": With0(func(*Session) (any, error) { return "network_broadcast_api", nil }),
	"broadcast_transaction": With1(func(s *Session, tx ledger.SignedTransaction) (any, error) {
		return nil, s.broadcaster.Broadcast(&tx, nil)
	}),
	"broadcast_transaction_with_callback": With2(func(s *Session, callback uint64, tx ledger.SignedTransaction) (any, error) {
		return nil, s.broadcaster.Broadcast(&tx, &callback)
	}),
}}

// Prepare prepares a transaction without the ledger's lock. Its error is the
// node's for an argument that cannot be read.
func Prepare(c *chain.Chain, tx *ledger.SignedTransaction) (*evaluate.Prepared, error) {
	p, err := c.Prepare(tx)
	if err != nil {
		return nil, nodeerr.New(nodeerr.CodeInvalidParameter, "call_generic", "Zero based index of parameter ${index_of_parameter}",
			nodeerr.Data{"index_of_parameter": 0}).
			In("from_variant", "${why}", nodeerr.Data{"why": err.Error()})
	}
	return p, nil
}
