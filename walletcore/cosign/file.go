package cosign

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/ledger/usertext"
	"billfold/walletcore/fault"
)

const (
	version = 1
	// MaxSize is the size of the largest file, in bytes.
	MaxSize       = 1 << 20
	maxSignatures = 64
)

// File is a transaction with the signatures that it has so far.
type File struct {
	Chain       ledger.ChainID
	ID          ledger.TransactionID
	Transaction ledger.SignedTransaction
	Unchecked   Hints

	signers []ledger.PublicKey // the keys that made the signatures, in their order
}

// document is the form of a file.
type document struct {
	Version     fileVersion          `json:"billfold_transaction"`
	Chain       string               `json:"chain_id"`
	ID          ledger.TransactionID `json:"transaction_id"`
	Bytes       string               `json:"bytes"` // without signatures, hex
	Transaction json.RawMessage      `json:"transaction"`
	Signatures  []ledger.Signature   `json:"signatures"`
	Unchecked   Hints                `json:"unchecked"`
}

// fileVersion is a version, which other programs may have rewritten as 1.0.
type fileVersion int

// UnmarshalJSON reads a whole number.
func (v *fileVersion) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, (*int)(v)) }

// New returns the file of a transaction. Error: fault.UnsupportedOperation.
func New(chain ledger.ChainID, tx ledger.SignedTransaction, hints Hints) (*File, error) {
	id, err := tx.ID()
	if err != nil {
		return nil, &fault.Error{Code: fault.UnsupportedOperation, Op: "tx", Message: err.Error(), Err: err}
	}
	f := &File{Chain: chain, ID: id, Transaction: tx, Unchecked: hints}
	return f, f.recoverSigners()
}

// Bytes returns the file as indented JSON.
func (f *File) Bytes() ([]byte, error) {
	packed, err := f.Transaction.Transaction.Pack()
	if err != nil {
		return nil, err
	}
	readable, err := codec.Marshal(&f.Transaction.Transaction)
	if err != nil {
		return nil, err
	}
	d := document{version, f.Chain.String(), f.ID, hex.EncodeToString(packed), readable, f.Transaction.Signatures, f.Unchecked}
	if d.Signatures == nil {
		d.Signatures = []ledger.Signature{}
	}
	text, err := json.MarshalIndent(d, "", "  ")
	return append(text, '\n'), err
}

// Parse parses a file. The bytes decide: a file whose readable form differs from them is refused. Error: fault.BadFile.
func Parse(text []byte) (*File, error) {
	if len(text) > MaxSize {
		return nil, bad("it is larger than %d bytes", MaxSize)
	}
	text, err := usertext.DecodeJSON(text)
	if err != nil {
		return nil, bad("%w", err)
	}
	if err := checkJSON(text); err != nil {
		return nil, bad("%w", err)
	}
	d, err := readDocument(text)
	if err != nil {
		return nil, err
	}
	f := &File{Unchecked: d.Unchecked}
	if f.Chain, err = ledger.ParseChainID(d.Chain); err != nil {
		return nil, bad("its chain_id is not a chain id")
	}
	if err := f.readTransaction(d); err != nil {
		return nil, err
	}
	if len(d.Signatures) > maxSignatures {
		return nil, bad("it has more than %d signatures", maxSignatures)
	}
	f.Transaction.Signatures = d.Signatures
	if err := f.recoverSigners(); err != nil {
		return nil, err
	}
	return f, f.Unchecked.check()
}

func readDocument(text []byte) (d document, err error) {
	var of struct {
		Version *fileVersion `json:"billfold_transaction"`
	}
	if err := json.Unmarshal(text, &of); err != nil || of.Version == nil {
		return d, bad("it is not a transaction file: the member billfold_transaction is missing")
	}
	if *of.Version != version {
		return d, bad("it has version %d, but this Billfold reads version %d", *of.Version, version)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return d, bad("%w", inOwnWords(err))
	}
	required := []string{"chain_id", "transaction_id", "bytes", "transaction", "signatures", "unchecked"}
	for _, name := range required {
		if string(members[name]) == "null" {
			return d, bad("its member %s is missing", name)
		}
	}
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&d); err != nil {
		return d, bad("%w", inOwnWords(err))
	}
	for _, name := range required {
		if _, there := members[name]; !there {
			return d, bad("its member %s is missing", name)
		}
	}
	return d, nil
}

// inOwnWords returns an error of the library for JSON in words for people.
func inOwnWords(err error) error {
	if form, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		return fmt.Errorf("its member %s is %s, and something else is expected there", fault.Quote(form.Field), fault.Quote(form.Value))
	}
	if name, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("it has a member %s, which no transaction file has", fault.Quote(strings.Trim(name, `"`)))
	}
	return err
}

// readTransaction unpacks the bytes, and compares everything else in the file with them.
func (f *File) readTransaction(d document) error {
	packed, err := hex.DecodeString(d.Bytes)
	if err != nil {
		return bad("its bytes are not hex digits")
	}
	tx := &f.Transaction.Transaction
	if err := codec.Unpack(packed, tx); err != nil {
		return bad("its bytes are not a transaction: %w", err)
	}
	again, err := tx.Pack()
	if err != nil || !bytes.Equal(again, packed) {
		return bad("its bytes are not a transaction in the ledger's form")
	}
	if len(tx.Operations) == 0 {
		return bad("its transaction does nothing")
	}
	for i, op := range tx.Operations {
		if err := op.Validate(); err != nil {
			return bad("the ledger would refuse operation %d: %w", i+1, err)
		}
	}
	if f.ID, err = tx.ID(); err != nil || f.ID != d.ID {
		return bad("its transaction_id is not that of its bytes")
	}
	readable, err := codec.Marshal(tx)
	if err != nil || !sameJSON(readable, d.Transaction) {
		return bad("its transaction and its bytes say different things; do not trust whoever wrote it")
	}
	return nil
}

// recoverSigners finds the keys that made the signatures. Error: fault.BadFile.
func (f *File) recoverSigners() error {
	digest, err := f.Transaction.Digest(f.Chain)
	if err != nil {
		return bad("%w", err)
	}
	f.signers = nil
	seen := map[ledger.PublicKey]bool{}
	for i, sig := range f.Transaction.Signatures {
		key, err := ledger.RecoverKey(digest, sig)
		if err != nil || !sig.IsCanonical() {
			return bad("signature %d is not valid", i+1)
		}
		if seen[key] {
			return bad("the key %s signed it twice", key)
		}
		seen[key] = true
		f.signers = append(f.signers, key)
	}
	return nil
}

// SignedBy returns the keys that signed, in the order of the signatures.
func (f *File) SignedBy() []ledger.PublicKey { return f.signers }

// sameJSON reports whether two texts have the same values; numbers are compared digit by digit, 2.0 and 1e1 as whole ones.
func sameJSON(a, b []byte) bool {
	var left, right any
	for text, into := range map[*[]byte]*any{&a: &left, &b: &right} {
		d := json.NewDecoder(bytes.NewReader(*text))
		d.UseNumber()
		if d.Decode(into) != nil {
			return false
		}
		*into = wholeNumbers(*into)
	}
	return reflect.DeepEqual(left, right)
}

// wholeNumbers replaces the whole numbers in a JSON value by their digits.
func wholeNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		if digits, err := codec.WholeNumber(v.String()); err == nil {
			return json.Number(digits)
		}
	case []any:
		for i := range v {
			v[i] = wholeNumbers(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = wholeNumbers(v[name])
		}
	}
	return value
}
