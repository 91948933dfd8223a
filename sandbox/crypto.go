package sandbox

import (
	"encoding/hex"
	"encoding/json"
	"errors"

	"billfold/ledger"
	"billfold/sandbox/chain"
)

// cryptoSet works with private keys that the client sends. It is there because
// the node has it; a wallet never needs it. Keys are neither kept nor told in
// errors.
var cryptoSet = apiSet{name: "crypto", methods: map[string]method{
	"info": with0(func(*session) (any, error) { return "crypto_api", nil }),
	"wif_to_public_key": with1(func(_ *session, wif string) (any, error) {
		key, err := keyOfWIF(wif)
		if err != nil {
			return nil, err
		}
		return key.Public(), nil
	}),
	"wif_to_private_key": with1(func(_ *session, wif string) (any, error) {
		key, err := keyOfWIF(wif)
		if err != nil {
			return nil, err
		}
		secret := key.Secret()
		return hex.EncodeToString(secret[:]), nil
	}),
	"sign_transaction": with2(func(s *session, tx ledger.Transaction, key secretKey) (any, error) {
		digest, err := tx.Digest(s.sandbox.ChainID())
		if err != nil {
			return nil, err
		}
		return ledger.SignedTransaction{Transaction: tx, Signatures: []ledger.Signature{key.Sign(digest)}}, nil
	}),
	"encrypt_message": with4(encryptMessage),
	"decrypt_message": with4(decryptMessage),
}}

func keyOfWIF(wif string) (ledger.PrivateKey, error) {
	key, err := ledger.ParseWIF(wif)
	if err != nil {
		return key, chain.NewFault(chain.CodeMalformedKey, "wif_to_private_key", "key.valid(): ", nil)
	}
	return key, nil
}

// secretKey is a private key as 64 hex digits; zeroes are the null key.
type secretKey struct{ ledger.PrivateKey }

var errSecret = errors.New("a private key is 64 hex digits, below the order of the curve")

func (k *secretKey) UnmarshalJSON(data []byte) error {
	var text string
	var secret [32]byte
	if json.Unmarshal(data, &text) != nil || len(text) != 64 {
		return errSecret
	}
	if _, err := hex.Decode(secret[:], []byte(text)); err != nil {
		return errSecret
	}
	if secret == [32]byte{} {
		return nil
	}
	var err error
	if k.PrivateKey, err = ledger.NewPrivateKey(secret); err != nil {
		return errSecret
	}
	return nil
}

// encryptMessage writes a memo that everybody can read when one of the keys is
// the null key.
func encryptMessage(_ *session, text string, key secretKey, to ledger.PublicKey, nonce uint64) (any, error) {
	if key.IsNull() || to.IsNull() {
		return ledger.PlainMemo(text), nil
	}
	return ledger.EncryptMemo(key.PrivateKey, to, nonce, text)
}

func decryptMessage(_ *session, message ledger.Bytes, key secretKey, from ledger.PublicKey, nonce uint64) (any, error) {
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
		return nil, chain.NewFault(chain.CodeAES, "decrypt_message", "the message cannot be read with these keys and this nonce", nil)
	}
	return text, nil
}
