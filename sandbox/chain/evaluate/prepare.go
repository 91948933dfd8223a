package evaluate

import (
	"crypto/sha256"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/authority"
	"billfold/sandbox/chain/nodeerr"
)

// Prepared is a transaction with everything that can be computed without the
// state: its size, its id and the keys that signed.
type Prepared struct {
	Tx       *ledger.SignedTransaction
	ID       ledger.TransactionID
	Keys     []ledger.PublicKey // that signed
	Trusted  bool               // signatures are not checked
	Replayed bool               // it comes from a log; duplicates are not checked

	size     int // packed, with signatures
	need     authority.Required
	fault    *nodeerr.Error // of the operations themselves
	keyFault *nodeerr.Error // of the signatures
}

// Size returns the size of the transaction with its signatures, in bytes.
func (p *Prepared) Size() int { return p.size }

// Prepare does the slow part of checking a transaction, above all recovering the
// keys of the signatures; it reads no state. The faults it finds are reported when
// the transaction is applied, in the node's order. An error means that an operation
// is unknown and cannot be packed.
func (r *Rules) Prepare(chain ledger.ChainID, tx *ledger.SignedTransaction) (*Prepared, error) {
	p, packed, err := r.prepare(tx)
	if err != nil {
		return nil, err
	}
	digest := sha256.New()
	digest.Write(chain[:])
	digest.Write(packed)
	r.recover(p, [32]byte(digest.Sum(nil)))
	return p, nil
}

// PrepareTrusted prepares a transaction that needs no signature. All other checks
// are made when it is applied.
func (r *Rules) PrepareTrusted(tx *ledger.SignedTransaction) (*Prepared, error) {
	p, _, err := r.prepare(tx)
	if err != nil {
		return nil, err
	}
	p.Trusted = true
	return p, nil
}

// prepare does everything except for the signatures. It also returns the packed
// transaction without them.
func (r *Rules) prepare(tx *ledger.SignedTransaction) (*Prepared, []byte, error) {
	packed, err := tx.Transaction.Pack()
	if err != nil {
		return nil, nil, err
	}
	id := sha256.Sum256(packed)
	p := &Prepared{
		Tx: tx, ID: ledger.TransactionID(id[:20]), need: required(tx.Operations...),
		size: len(packed) + 1 + 65*len(tx.Signatures), fault: r.validate(tx.Operations),
	}
	return p, packed, nil
}

func (r *Rules) recover(p *Prepared, digest [32]byte) {
	var payer ledger.AccountID
	if ops := p.Tx.Operations; len(ops) > 0 && ops[0].Body != nil {
		payer = ops[0].Body.FeePayer()
	}
	for _, sig := range p.Tx.Signatures {
		key, fault := r.recoverKey(payer, digest, sig)
		if fault != nil {
			p.keyFault = fault
			return
		}
		if slices.Contains(p.Keys, key) {
			p.keyFault = nodeerr.New(nodeerr.CodeDuplicateSig, "get_signature_keys",
				"result.insert(key).second: Duplicate Signature detected", nil)
			return
		}
		p.Keys = append(p.Keys, key)
	}
}

func (r *Rules) recoverKey(payer ledger.AccountID, digest [32]byte, sig ledger.Signature) (ledger.PublicKey, *nodeerr.Error) {
	if !sig.IsCanonical() {
		return ledger.PublicKey{}, nodeerr.Assert("public_key", "is_canonical( c ): signature is not canonical", nil)
	}
	key, err := r.signers.recover(payer, digest, sig)
	if err != nil {
		return ledger.PublicKey{}, nodeerr.New(nodeerr.CodeUnspecified, "public_key", "unable to reconstruct public key from signature",
			nil)
	}
	return key, nil
}

// VerifySignatures recovers the keys of a prepared transaction's signatures again, each by the whole computation, and returns a
// fault unless they are those that were found before. A trusted transaction has none.
func VerifySignatures(chain ledger.ChainID, p *Prepared) *nodeerr.Error {
	if p.Trusted {
		return nil
	}
	digest, err := p.Tx.Digest(chain)
	for i := range p.Tx.Signatures {
		var key ledger.PublicKey
		if err == nil {
			key, err = ledger.RecoverKey(digest, p.Tx.Signatures[i])
		}
		if err != nil || key != p.Keys[i] {
			return nodeerr.New(nodeerr.CodeUnspecified, "public_key", "unable to reconstruct public key from signature", nil)
		}
	}
	return nil
}

// validate makes the checks of operations that need no state.
func (r *Rules) validate(ops []ledger.Operation) *nodeerr.Error {
	if len(ops) == 0 {
		return nodeerr.New(nodeerr.CodeNoOperation, "validate", "operations.size() > 0: A transaction must have at least one operation",
			nil)
	}
	for i, op := range ops {
		if cause := r.validateOne(op); cause != nil {
			fault := nodeerr.New(nodeerr.CodeValidate, "validate", "Operation validation failed on index: ${index}",
				nodeerr.Data{"index": i})
			fault.Stack = append(fault.Stack, cause.Stack...)
			return fault
		}
	}
	return nil
}

func (r *Rules) validateOne(op ledger.Operation) *nodeerr.Error {
	if fee := op.Fee(); fee.Amount < 0 {
		return invalid("fee.amount >= 0: ", nodeerr.Data{"fee": *fee})
	}
	if op.Code.IsVirtual() {
		return invalid("!virtual operation: ${name} stands in the history only", nodeerr.Data{"name": ledger.OpName(op.Code)})
	}
	if rule := r.byCode[op.Code]; rule != nil {
		return rule.validate(op.Body)
	}
	return nil
}
