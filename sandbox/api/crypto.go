package api

import (
	"encoding/hex"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// cryptoSet works with private keys that the client sends. It exists because the
// node has it; a wallet never needs it. Keys are neither kept nor included in
// errors.
var cryptoSet = Set{name: "crypto", methods: map[string]Method{
	"info": With0(func(*Session) (any, error) { return "crypto_api", nil }),
	"wif_to_public_key": With1(func(_ *Session, wif string) (any, error) {
		key, err := keyOfWIF(wif)
		if err != nil {
			return nil, err
		}
		return key.Public(), nil
	}),
	"wif_to_private_key": With1(func(_ *Session, wif string) (any, error) {
		key, err := keyOfWIF(wif)
		if err != nil {
			return nil, err
		}
		var secret [32]byte
		key.PutSecret(&secret)
		return hex.EncodeToString(secret[:]), nil
	}),
	"sign_transaction": With2(signTransaction),
	"encrypt_message":  With4(encryptMessage),
	"decrypt_message":  With4(decryptMessage),
}}

func keyOfWIF(wif string) (ledger.PrivateKey, error) {
	key, err := ledger.ParseWIF(wif)
	if err != nil {
		return key, nodeerr.New(nodeerr.CodeMalformedKey, "wif_to_private_key", "key.valid(): ", nil)
	}
	return key, nil
}

// keyOfHex parses a private key of 64 hex digits, which is argument number at.
// Zeroes are the null key.
func keyOfHex(at int, text string) (ledger.PrivateKey, error) {
	fault := badArgument(at, "a private key is 64 hex digits, below the order of the curve")
	secret, err := hex.DecodeString(text)
	if err != nil || len(secret) != 32 {
		return ledger.PrivateKey{}, fault
	}
	if [32]byte(secret) == [32]byte{} {
		return ledger.PrivateKey{}, nil
	}
	key, err := ledger.NewPrivateKey([32]byte(secret))
	if err != nil {
		return ledger.PrivateKey{}, fault
	}
	return key, nil
}

func signTransaction(s *Session, tx ledger.Transaction, secret string) (any, error) {
	key, err := keyOfHex(1, secret)
	if err != nil {
		return nil, err
	}
	digest, err := tx.Digest(s.Chain.ID())
	if err != nil {
		return nil, err
	}
	return ledger.SignedTransaction{Transaction: tx, Signatures: []ledger.Signature{key.SignAsReference(digest)}}, nil
}

// encryptMessage returns a memo. If one of the keys is the null key, everybody can
// read it.
func encryptMessage(_ *Session, text, secret string, to ledger.PublicKey, nonce uint64) (any, error) {
	key, err := keyOfHex(1, secret)
	if err != nil {
		return nil, err
	}
	if key.IsNull() || to.IsNull() {
		return ledger.PlainMemo(text), nil
	}
	return ledger.EncryptMemo(key, to, nonce, text)
}

func decryptMessage(_ *Session, message ledger.Bytes, own string, from ledger.PublicKey, nonce uint64) (any, error) {
	key, err := keyOfHex(1, own)
	if err != nil {
		return nil, err
	}
	if len(message) == 0 {
		return "", nil
	}
	secret, err := key.SharedSecret(from)
	if err != nil {
		return nil, err
	}
	defer secret.Wipe()
	text, err := ledger.Memo{From: from, To: key.Public(), Nonce: nonce, Message: message}.DecryptWith(secret)
	if err != nil {
		return nil, nodeerr.New(nodeerr.CodeAES, "decrypt_message", "the message cannot be read with these keys and this nonce", nil)
	}
	return text, nil
}
