package rpcserver_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// view is an answer without what may differ between two runs, so that the rest can be
// compared as it is.
type view map[string]any

// viewOf returns the view of an answer. Of an error only the code is left; the member
// jsonrpc, which the reference never sends, is dropped.
func (d *recordedDaemon) viewOf(method string, r reply) view {
	v := view{}
	if r.status != 0 {
		v["status"] = r.status
	}
	body, err := decoded(r.body)
	switch object, ok := body.(map[string]any); {
	case len(r.body) == 0:
		v["body"] = "empty"
	case err != nil || !ok:
		v["body"] = string(r.body)
	default:
		delete(object, "jsonrpc")
		d.fillView(v, method, object)
	}
	return v
}

func (d *recordedDaemon) fillView(v view, method string, object map[string]any) {
	for name, value := range object {
		v[name] = value
	}
	if failure, ok := object["error"].(map[string]any); ok {
		v["error"] = failure["code"]
	}
	result, ok := v["result"].(map[string]any)
	if pair, isPair := v["result"].([]any); isPair && method == "generate_brain_key_el_gamal_key" && len(pair) == 2 {
		v["result"] = brainKeyElGamalView(pair)
	}
	if text, isText := v["result"].(string); isText && method == "generate_encryption_key" {
		v["result"] = contentKeyView(text)
	}
	if !ok {
		return
	}
	if _, signed := result["transaction_id"]; signed && result["signatures"] != nil {
		v["result"] = d.transactionView(result)
	}
	switch method {
	case "generate_el_gamal_keys":
		v["result"] = elGamalView(result)
	case "suggest_brain_key":
		v["result"] = brainKeyView(result)
	case "about":
		result["wallet_info"] = memberNames(result["wallet_info"])
	}
}

// transactionView replaces signatures by the keys that signed, memos by their text, the id
// by whether it is the right one, and the expiration by whether it is within a minute of
// the reference block: both change it by seconds to make ids differ.
func (d *recordedDaemon) transactionView(result map[string]any) map[string]any {
	tx := new(ledger.SignedTransaction)
	if err := codec.Unmarshal([]byte(encoded(result)), tx); err != nil {
		return map[string]any{"unreadable": err.Error()}
	}
	id, _ := tx.ID()
	result["transaction_id"] = result["transaction_id"] == id.String()
	result["signatures"] = d.rec.signersOf(tx)
	after := tx.Expiration.Time().Sub(d.now())
	result["expiration"] = after >= 25*time.Second && after < time.Minute
	operations, _ := result["operations"].([]any)
	for i, op := range operations {
		if pair, ok := op.([]any); ok && len(pair) == 2 {
			d.rec.showMemo(pair[1], tx.Operations[i])
		}
	}
	return result
}

func (rec *recording) signersOf(tx *ledger.SignedTransaction) []any {
	chain, _ := ledger.ParseChainID(recordedChain)
	digest, err := tx.Digest(chain)
	if err != nil {
		return []any{err.Error()}
	}
	var keys []string
	for _, sig := range tx.Signatures {
		key, err := rec.signer(digest, sig)
		if err != nil || !sig.IsCanonical() {
			keys = append(keys, "bad signature")
			continue
		}
		keys = append(keys, key.String())
	}
	slices.Sort(keys)
	out := make([]any, len(keys))
	for i, key := range keys {
		out[i] = key
	}
	return out
}

// signer is ledger.RecoverKey with a cache, since views are made for each comparison.
func (rec *recording) signer(digest [32]byte, sig ledger.Signature) (ledger.PublicKey, error) {
	made := signed{digest, sig}
	if key, known := rec.signers[made]; known {
		return key, nil
	}
	key, err := ledger.RecoverKey(digest, sig)
	if err == nil {
		rec.signers[made] = key
	}
	return key, err
}

// showMemo replaces the memo of an operation, and those of operations that it proposes, by their text.
func (rec *recording) showMemo(payload any, op ledger.Operation) {
	fields, _ := payload.(map[string]any)
	if custom, ok := op.Body.(*ledger.CustomOp); ok {
		fields["data"] = rec.messageView(custom)
	}
	if proposal, ok := op.Body.(*ledger.ProposalCreateOp); ok {
		for i, each := range fields["proposed_ops"].([]any) {
			rec.showMemo(each.(map[string]any)["op"].([]any)[1], proposal.ProposedOps[i].Op)
		}
	}
	memo := op.Memo()
	shown, ok := fields["memo"].(map[string]any)
	if !ok || memo == nil {
		return
	}
	shown["nonce"] = "any"
	shown["message"] = rec.open(memo)
}

// messageView returns a message with its texts decrypted.
func (rec *recording) messageView(op *ledger.CustomOp) any {
	message, err := ledger.ReadMessage(op.Data)
	if err != nil {
		return err.Error()
	}
	view := []any{message.From.String(), message.PubFrom.String()}
	for i, to := range message.Receivers {
		memo := message.Memo(i)
		text, plain, err := memo.Plain()
		if err != nil || !plain {
			text = rec.open(&memo)
		}
		view = append(view, to.To.String(), to.PubTo.String(), plain, text)
	}
	return view
}

// open decrypts a memo with whichever of its two keys is in the recording.
func (rec *recording) open(memo *ledger.Memo) string {
	for _, sides := range [][2]ledger.PublicKey{{memo.From, memo.To}, {memo.To, memo.From}} {
		if _, known := rec.keys[sides[0]]; !known {
			continue
		}
		secret, err := rec.secret(sides[0], sides[1])
		if err != nil {
			return "cannot be decrypted: " + err.Error()
		}
		text, err := memo.DecryptWith(secret)
		if err != nil {
			return "cannot be decrypted: " + err.Error()
		}
		return text
	}
	return "no key"
}

// secret returns the shared secret of own, a key of the recording, and other. It is cached,
// because histories show many memos between the same two.
func (rec *recording) secret(own, other ledger.PublicKey) (ledger.SharedSecret, error) {
	pair := [2]ledger.PublicKey{own, other}
	if secret, known := rec.secrets[pair]; known {
		return secret, nil
	}
	secret, err := rec.keys[own].SharedSecret(other)
	if err == nil {
		rec.secrets[pair] = secret
	}
	return secret, err
}

// brainKeyView checks that the keys in an answer are derived from its random brain key.
func brainKeyView(result map[string]any) map[string]any {
	words, _ := result["brain_priv_key"].(string)
	key := ledger.DeriveKey(words, 0)
	return map[string]any{
		"words":          wordsIn(words),
		"normalized":     ledger.NormalizeBrainKey(words) == words,
		"wif_priv_key":   result["wif_priv_key"] == key.WIF(),
		"pub_key":        result["pub_key"] == key.Public().String(),
		"no_more_fields": len(result) == 3,
	}
}

func wordsIn(text string) int {
	n := 1
	for _, c := range text {
		if c == ' ' {
			n++
		}
	}
	return n
}

func memberNames(object any) []any {
	fields, _ := object.(map[string]any)
	var names []string
	for name, value := range fields {
		if _, text := value.(string); text {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = name
	}
	return out
}

// recordedReply returns the reference's answer over the recorded transport, or only its
// body for the other one.
func (x *exchange) recordedReply(transport string) reply {
	if x.Transport == "ws" {
		return reply{body: x.Response}
	}
	var r struct {
		Status int
		Body   string
	}
	_ = json.Unmarshal(x.Response, &r)
	if transport == "ws" {
		r.Status = 0
	}
	return reply{r.Status, []byte(r.Body)}
}

// elGamalView checks that the public number of a random pair belongs to the private one.
func elGamalView(result map[string]any) map[string]any {
	private, _ := result["private_key"].(string)
	number, whole := new(big.Int).SetString(strings.TrimSuffix(private, "."), 10)
	if !whole {
		return map[string]any{"unreadable": private}
	}
	prime, _ := new(big.Int).SetString("11760620558671662461946567396662025495126946227619472274601251081547302009186313201119191293557856181195016058359990840577430081932807832465057884143546419", 10)
	public := new(big.Int).Exp(big.NewInt(3), number, prime)
	return map[string]any{"belongs": result["public_key"] == public.String()+".", "members": len(result)}
}

// contentKeyView checks that a random content key is a number of at most 256 bits.
func contentKeyView(text string) map[string]any {
	number, whole := new(big.Int).SetString(strings.TrimSuffix(text, "."), 10)
	return map[string]any{"dot": strings.HasSuffix(text, "."), "a key": whole && number.Sign() > 0 && number.BitLen() <= 256}
}

// brainKeyElGamalView checks that the pair in an answer is derived from its random brain key.
func brainKeyElGamalView(pair []any) map[string]any {
	info, _ := pair[0].(map[string]any)
	keys, _ := pair[1].(map[string]any)
	words, _ := info["brain_priv_key"].(string)
	own := ledger.DeriveKey(words, 0).ElGamal()
	ofTheKey := keys["private_key"] == ledger.BigText(own.Private)
	return map[string]any{"brain_key": brainKeyView(info), "el_gamal": elGamalView(keys), "of_the_key": ofTheKey}
}
