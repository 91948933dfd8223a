package ledger

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"billfold/ledger/codec"
)

// recordedLine is a line of testdata/recorded.jsonl: what the reference's node
// and wallet wrote on a private network of chain recordedChain. A line has the
// keys that were ever in the authorities of an account, or a block, or a
// transaction with what is known of its id and bytes.
type recordedLine struct {
	Account     AccountID       `json:"account"`
	Keys        []PublicKey     `json:"keys"`
	Block       json.RawMessage `json:"block"`
	Transaction json.RawMessage `json:"transaction"`
	ID          *TransactionID  `json:"id"`
	Hex         string          `json:"hex"`
}

const recordedChain = "640bd0c466552fe0e6314c05a62bf69b66ae59490f2314f1b82c771c434d7a82"

func readRecorded(t *testing.T) (lines []recordedLine, keys map[AccountID]map[PublicKey]bool) {
	t.Helper()
	file, err := os.Open("testdata/recorded.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	keys = map[AccountID]map[PublicKey]bool{}
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var line recordedLine
		if err := json.Unmarshal(scan.Bytes(), &line); err != nil {
			t.Fatalf("line %d: %v", len(lines)+1, err)
		}
		lines = append(lines, line)
		for _, key := range line.Keys {
			if keys[line.Account] == nil {
				keys[line.Account] = map[PublicKey]bool{}
			}
			keys[line.Account][key] = true
		}
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	return lines, keys
}

func TestRecordedBlocks(t *testing.T) {
	lines, _ := readRecorded(t)
	count := 0
	for i, line := range lines {
		if line.Block == nil {
			continue
		}
		count++
		var b Block
		if err := codec.Unmarshal(line.Block, &b); err != nil {
			t.Errorf("line %d: %v", i+1, err)
			continue
		}
		writtenAs(t, i, line.Block, b)
		if id, err := b.ID(); err != nil || id != b.BlockID {
			t.Errorf("line %d: id %v (%v), want %v", i+1, id, err, b.BlockID)
		}
		for j, tx := range b.Transactions {
			if id, err := tx.ID(); err != nil || id != b.TransactionIDs[j] {
				t.Errorf("line %d: transaction %d has id %v (%v), want %v", i+1, j, id, err, b.TransactionIDs[j])
			}
		}
		digest, err := b.Digest()
		if err != nil {
			t.Fatal(err)
		}
		if key, err := RecoverKey(digest, b.MinerSignature); err != nil || key != b.SigningKey {
			t.Errorf("line %d: signed by %v (%v), want %v", i+1, key, err, b.SigningKey)
		}
	}
	atLeast(t, "blocks", count, 17)
}

// writtenAs wants v written as the recording has it.
func writtenAs(t *testing.T, i int, want json.RawMessage, v any) {
	t.Helper()
	written, err := codec.Marshal(v)
	if err != nil {
		t.Errorf("line %d: %v", i+1, err)
		return
	}
	sameJSON(t, written, want)
}

func atLeast(t *testing.T, what string, got, want int) {
	t.Helper()
	if got < want {
		t.Errorf("only %d %s were checked, want at least %d", got, what, want)
	}
}

func TestRecordedTransactions(t *testing.T) {
	lines, keys := readRecorded(t)
	var read, ids, packed, signed int
	for i, line := range lines {
		if line.Transaction == nil {
			continue
		}
		read++
		tx := readTransaction(t, i, line.Transaction)
		if line.ID != nil {
			ids++
			if id, err := tx.ID(); err != nil || id != *line.ID {
				t.Errorf("line %d: id %v (%v), want %v", i+1, id, err, *line.ID)
			}
		}
		if line.Hex != "" {
			packed++
			if bytes, err := tx.Pack(); err != nil || hex.EncodeToString(bytes) != line.Hex {
				t.Errorf("line %d is packed as\n%x (%v)\nwant\n%s", i+1, bytes, err, line.Hex)
			}
		}
		signed += checkSigners(t, i, tx, keys)
	}
	atLeast(t, "transactions", read, 131)
	atLeast(t, "ids", ids, 95)
	atLeast(t, "packed transactions", packed, 58)
	atLeast(t, "signatures", signed, 100)
}

// readTransaction reads a transaction of whichever of the three forms it has,
// and wants that form written back.
func readTransaction(t *testing.T, i int, text json.RawMessage) *SignedTransaction {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	var tx ProcessedTransaction
	if err := codec.Unmarshal(text, &tx); err != nil {
		t.Errorf("line %d: %v", i+1, err)
		return &tx.SignedTransaction
	}
	for _, op := range tx.Operations {
		if op.Raw != nil { // it would be written back as it came, known or not
			t.Errorf("line %d: something in it is not known: %s", i+1, op.Raw)
		}
	}
	switch {
	case members["operation_results"] != nil:
		writtenAs(t, i, text, tx)
	case members["signatures"] != nil:
		writtenAs(t, i, text, tx.SignedTransaction)
	default:
		writtenAs(t, i, text, tx.Transaction)
	}
	return &tx.SignedTransaction
}

// checkSigners wants every signature to be canonical and to recover a key of an
// account whose authority the transaction needs. It gives how many it checked:
// those of transactions whose accounts are all recorded.
func checkSigners(t *testing.T, i int, tx *SignedTransaction, keys map[AccountID]map[PublicKey]bool) int {
	t.Helper()
	needs := NeedsOf(tx.Operations)
	accounts := append(append([]AccountID{}, needs.Active...), needs.Owner...)
	for _, id := range accounts {
		if keys[id] == nil {
			return 0
		}
	}
	chain, err := ParseChainID(recordedChain)
	if err != nil {
		t.Fatal(err)
	}
	digest, err := tx.Digest(chain)
	if err != nil {
		t.Errorf("line %d: %v", i+1, err)
		return 0
	}
	for _, sig := range tx.Signatures {
		key, err := RecoverKey(digest, sig)
		if err != nil || !sig.IsCanonical() || !anyHolds(keys, accounts, key) {
			t.Errorf("line %d is signed by %v (%v), who has no authority over %v", i+1, key, err, accounts)
		}
	}
	return len(tx.Signatures)
}

func anyHolds(keys map[AccountID]map[PublicKey]bool, accounts []AccountID, key PublicKey) bool {
	for _, id := range accounts {
		if keys[id][key] {
			return true
		}
	}
	return false
}
