package cosign

import (
	"fmt"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Keys are those of a wallet.
type Keys interface {
	ChainID() ledger.ChainID // that they belong to; zero if not known yet
	Holds(key ledger.PublicKey) bool
	SignFor(chain ledger.ChainID, tx *ledger.SignedTransaction, keys []ledger.PublicKey) error
}

const (
	longestLife = 24 * time.Hour
	clockFault  = time.Minute // by how much clocks may differ
)

// MaxLife is the maximum lifetime of a transaction that several sign, in seconds.
const MaxLife = uint32(longestLife / time.Second)

// Plan is the keys that would sign a file.
type Plan struct {
	Keys     []ledger.PublicKey
	Complete bool // it then has all signatures, as far as the file says
}

// PlanSigning chooses the keys of a wallet that would sign: no more than are needed besides the signatures it has.
// checkFees checks the fees. Errors: fault.WrongChain, fault.Expired, fault.BadFile, fault.FeeTooHigh,
// fault.KeyNotInWallet, fault.InvalidOperation.
func (f *File) PlanSigning(keys Keys, now time.Time, checkFees func([]ledger.Operation) error) (Plan, error) {
	if err := f.checkSignable(keys.ChainID(), now); err != nil {
		return Plan{}, err
	}
	if err := checkFees(f.Transaction.Operations); err != nil {
		return Plan{}, err
	}
	needs := f.needs()
	if f.signersOf(f.signers).Missing(needs).Empty() {
		return Plan{}, &fault.Error{Code: fault.InvalidOperation, Op: "tx", Message: "the transaction has all signatures that it needs",
			Hint: "nothing was signed; billfold tx broadcast sends it"}
	}
	own, _ := ledger.SmallestKeys(needs, keys.Holds, f.Unchecked.lookup, f.Unchecked.Depth)
	own = slices.DeleteFunc(own, func(key ledger.PublicKey) bool { return slices.Contains(f.signers, key) })
	if len(own) == 0 {
		return Plan{}, &fault.Error{Code: fault.KeyNotInWallet, Op: "tx",
			Message: "no key of this wallet may sign the transaction, or they all have",
			Hint:    "nothing was signed; billfold tx inspect shows who may"}
	}
	enough := func(own []ledger.PublicKey) bool {
		return f.signersOf(slices.Concat(f.signers, own)).Missing(needs).Empty()
	}
	if !enough(own) {
		return Plan{Keys: own}, nil
	}
	for i := len(own) - 1; i >= 0; i-- {
		if without := slices.Delete(slices.Clone(own), i, i+1); enough(without) {
			own = without
		}
	}
	return Plan{Keys: own, Complete: true}, nil
}

// checkSignable refuses what must not be signed, whatever it does.
func (f *File) checkSignable(own ledger.ChainID, now time.Time) error {
	switch {
	case own == ledger.ChainID{}:
		return &fault.Error{Code: fault.WrongChain, Op: "tx", Message: "the keys of this wallet belong to no chain yet",
			Hint: "nothing was signed; let the wallet connect to a daemon of its chain once"}
	case own != f.Chain:
		return &fault.Error{Code: fault.WrongChain, Op: "tx",
			Message: fmt.Sprintf("the transaction is for the chain %s, but the keys of this wallet belong to %s", f.Chain, own),
			Hint:    "nothing was signed"}
	}
	if err := f.CheckTime(now); err != nil {
		return err
	}
	if until := ledger.TimeOf(now.Add(longestLife + clockFault)); f.Transaction.Expiration > until {
		return bad("it could be used until %s UTC, which is more than a day", f.Transaction.Expiration)
	}
	return f.CheckStrangers()
}

// CheckTime refuses a transaction that has expired at now. Error: fault.Expired.
func (f *File) CheckTime(now time.Time) error {
	if f.Transaction.Expiration > ledger.TimeOf(now) {
		return nil
	}
	return &fault.Error{Code: fault.Expired, Op: "tx",
		Message: "the transaction expired at " + f.Transaction.Expiration.String() + " UTC", Hint: "nothing was done; make it again"}
}

// CheckStrangers refuses signatures that no account of the transaction needs, as far as the file says: the ledger would
// refuse the transaction with them. Error: fault.BadFile.
func (f *File) CheckStrangers() error {
	if strangers := f.strangers(); len(strangers) > 0 {
		return bad("it is signed by %s, a key that no account of the transaction has", strangers[0])
	}
	return nil
}

// Sign adds the signatures of a plan. Errors: those of the keys, fault.Internal.
func (f *File) Sign(keys Keys, plan Plan) error {
	added := ledger.SignedTransaction{Transaction: f.Transaction.Transaction}
	if err := keys.SignFor(f.Chain, &added, plan.Keys); err != nil {
		return err
	}
	f.Transaction.Signatures = slices.Concat(f.Transaction.Signatures, added.Signatures)
	return f.recoverSigners()
}

// Merge adds the signatures of another file of the same transaction. Error: fault.BadFile.
func (f *File) Merge(other *File) error {
	switch {
	case f.Chain != other.Chain:
		return bad("the two are of different chains, %s and %s", f.Chain, other.Chain)
	case f.ID != other.ID:
		return bad("they are two transactions, %s and %s", f.ID, other.ID)
	}
	for _, each := range []*File{f, other} {
		if err := each.CheckStrangers(); err != nil {
			return err
		}
	}
	for i, key := range other.signers {
		if !slices.Contains(f.signers, key) {
			f.Transaction.Signatures = append(f.Transaction.Signatures, other.Transaction.Signatures[i])
		}
	}
	f.Unchecked.add(other.Unchecked)
	if err := f.Unchecked.check(); err != nil {
		return err
	}
	return f.recoverSigners()
}
