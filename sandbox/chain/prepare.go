package chain

import (
	"crypto/sha256"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// Prepared is a transaction with everything that can be known of it without
// the state: its bytes, its id and the keys that signed.
type Prepared struct {
	Tx *ledger.SignedTransaction
	ID ledger.TransactionID

	size     int // packed, with signatures
	keys     []ledger.PublicKey
	fault    *nodeerr.Fault // of the operations themselves
	keyFault *nodeerr.Fault // of the signatures
	trusted  bool           // nobody needs to have signed
	replayed bool           // it was in a block before, whatever is known of it
}

// Prepare does the slow part of a check, above all recovering the keys of the
// signatures; it takes no lock, so several can run at once. What it finds
// wrong comes out when the transaction is used, in the node's order. An
// error means that an operation is unknown and cannot be packed.
func (c *Chain) Prepare(tx *ledger.SignedTransaction) (*Prepared, error) {
	p, packed, err := c.prepare(tx)
	if err != nil {
		return nil, err
	}
	digest := sha256.New()
	digest.Write(c.id[:])
	digest.Write(packed)
	p.recover([32]byte(digest.Sum(nil)))
	return p, nil
}

// prepare leaves out the signatures; it also gives the bytes that are signed.
func (c *Chain) prepare(tx *ledger.SignedTransaction) (*Prepared, []byte, error) {
	packed, err := tx.Transaction.Pack()
	if err != nil {
		return nil, nil, err
	}
	id := sha256.Sum256(packed)
	p := &Prepared{
		Tx: tx, ID: ledger.TransactionID(id[:20]),
		size: len(packed) + 1 + 65*len(tx.Signatures), fault: validate(tx.Operations),
	}
	return p, packed, nil
}

func (p *Prepared) recover(digest [32]byte) {
	for _, sig := range p.Tx.Signatures {
		key, fault := recoverKey(digest, sig)
		if fault != nil {
			p.keyFault = fault
			return
		}
		for _, other := range p.keys {
			if other == key {
				p.keyFault = nodeerr.New(nodeerr.CodeDuplicateSig, "get_signature_keys", "result.insert(key).second: Duplicate Signature detected", nil)
				return
			}
		}
		p.keys = append(p.keys, key)
	}
}

func recoverKey(digest [32]byte, sig ledger.Signature) (ledger.PublicKey, *nodeerr.Fault) {
	if !sig.IsCanonical() {
		return ledger.PublicKey{}, nodeerr.Assert("public_key", "is_canonical( c ): signature is not canonical", nil)
	}
	key, err := ledger.RecoverKey(digest, sig)
	if err != nil {
		return ledger.PublicKey{}, nodeerr.New(nodeerr.CodeUnspecified, "public_key", "unable to reconstruct public key from signature", nil)
	}
	return key, nil
}

// validate makes the checks that need no state.
func validate(ops []ledger.Operation) *nodeerr.Fault {
	if len(ops) == 0 {
		return nodeerr.New(nodeerr.CodeNoOperation, "validate", "operations.size() > 0: A transaction must have at least one operation", nil)
	}
	for i, op := range ops {
		if cause := validateOne(op); cause != nil {
			fault := nodeerr.New(nodeerr.CodeValidate, "validate", "Operation validation failed on index: ${index}", nodeerr.Data{"index": i})
			fault.Stack = append(fault.Stack, cause.Stack...)
			return fault
		}
	}
	return nil
}

func validateOne(op ledger.Operation) *nodeerr.Fault {
	if fee := op.Fee(); fee.Amount < 0 {
		return nodeerr.Assert("validate", "fee.amount >= 0: ", nodeerr.Data{"fee": *fee})
	}
	if op.Code.IsVirtual() {
		return nodeerr.Assert("validate", "!virtual operation: ${name} stands in the history only", nodeerr.Data{"name": ledger.OpName(op.Code)})
	}
	if ev, ok := evaluatorOf(op.Code); ok {
		return ev.validate(op.Body)
	}
	return nil
}
