package chain

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// contentRecording is content that was published, proven, bought and delivered on the real node.
type contentRecording struct {
	Blocks []struct {
		Num          uint32                        `json:"num"`
		Transactions []ledger.ProcessedTransaction `json:"transactions"`
		Previous     ledger.BlockID                `json:"previous"`
	} `json:"blocks"`
	Content     json.RawMessage   `json:"content"`      // as the node answered before the purchase
	Purchase    json.RawMessage   `json:"purchase"`     // as it answered after the delivery
	FirstSeeder ledger.BigInteger `json:"first_seeder"` // the public number of nathan, who announced himself before
}

func readContent(t *testing.T) (r contentRecording) {
	t.Helper()
	text, err := os.ReadFile("testdata/content.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := codec.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

const recordedURI = "ipfs:QmfS3zGGqtpMv8cSN2mrgZfbnzjBArZbmAvvYG5c2rJ7fB"

// trusted broadcasts operations whose signatures are not asked for.
func (b *bank) trusted(ops ...ledger.Operation) *nodeerr.Error {
	b.t.Helper()
	tx := b.build()
	tx.Operations = ops
	b.c.View(func(s *state.State) { tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(s.Blocks.Get(1).BlockID) })
	p, err := b.c.PrepareTrusted(tx)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.c.Push(p)
}

// The recorded operations have the recorded results, and leave content and purchase as the node showed them. Each proof among them with one
// bit changed is refused before.
func TestRecordedContentIsPublishedProvenAndDelivered(t *testing.T) {
	b, recorded := newBank(t), readContent(t)
	at := func(num uint32) ledger.Time { // two seconds a block
		return ledger.TimeOf(time.Date(2026, 11, 21, 20, 9, 30, 0, time.UTC)) + ledger.Time(num)*2 - 136*2
	}
	for b.c.s.Dynamic().HeadBlockNumber < 102 {
		b.mineAt(at(b.c.s.Dynamic().HeadBlockNumber + 1))
	}
	region := "SK"
	b.by(b.nathan, &ledger.ReadyToPublishOp{
		Seeder: nathanID, Space: 1000, PubKey: recorded.FirstSeeder, PricePerMByte: 100000, IPFSID: "peer", RegionCode: &region,
	})
	b.mineAt(at(103))
	refused := 0
	for _, block := range recorded.Blocks {
		for b.c.s.Dynamic().HeadBlockNumber < block.Num-1 {
			b.mineAt(at(b.c.s.Dynamic().HeadBlockNumber + 1))
		}
		// Proofs are about the id of the block before them: for them, ours is theirs.
		b.c.s.Blocks.Get(block.Num - 1).BlockID = block.Previous
		for _, tx := range block.Transactions {
			for _, op := range changedProofs(tx.Operations[0]) {
				before := b.snapshot()
				if fault := b.trusted(op); fault == nil || b.snapshot() != before {
					t.Errorf("block %d: a changed proof is accepted (%v), or a refusal changed the state:\n%s", block.Num, fault, marshal(t, op))
				}
				refused++
			}
			b.must(b.trusted(tx.Operations...))
		}
		got := b.mineAt(at(block.Num))
		for i, tx := range got.Transactions {
			if !reflect.DeepEqual(tx.OperationResults, block.Transactions[i].OperationResults) {
				t.Errorf("block %d: the results are %v, want %v", block.Num, tx.OperationResults, block.Transactions[i].OperationResults)
			}
		}
		b.c.View(func(s *state.State) {
			switch block.Num {
			case 138:
				if got := marshal(t, s.Contents.Of(recordedURI)); got != string(recorded.Content) {
					t.Errorf("the content is\n%s, want\n%s", got, recorded.Content)
				}
			case 149:
				if got := marshal(t, s.Purchases.Get(0)); got != string(recorded.Purchase) {
					t.Errorf("the purchase is\n%s, want\n%s", got, recorded.Purchase)
				}
			}
		})
	}
	if refused < 2*3+4*7 {
		t.Errorf("only %d changed proofs were tried", refused)
	}
	b.c.View(func(s *state.State) {
		if c := s.Contents.Of(recordedURI); c.TimesBought != 2 || len(s.Purchases.Open()) != 0 {
			t.Errorf("%+v; open: %v", c, s.Purchases.Open())
		}
		if p := s.Purchases.Get(2); !p.Delivered || p.Price.Amount != 0 || p.PaidAfterExchange.Amount != 2_0000_0000 {
			t.Errorf("content without seeders is not delivered at once: %+v", p)
		}
	})
}

// changedProofs returns an operation with one bit changed in each place of its proof, and of the key part that it proves.
func changedProofs(op ledger.Operation) (out []ledger.Operation) {
	change := func(edit func(ledger.Body)) {
		text, err := codec.Marshal(op)
		if err != nil {
			panic(err)
		}
		var again ledger.Operation
		if err := codec.Unmarshal(text, &again); err != nil {
			panic(err)
		}
		edit(again.Body)
		out = append(out, again)
	}
	switch op.Body.(type) {
	case *ledger.ProofOfCustodyOp:
		change(func(b ledger.Body) { b.(*ledger.ProofOfCustodyOp).Proof.Sigma[5] ^= 1 })
		change(func(b ledger.Body) { b.(*ledger.ProofOfCustodyOp).Proof.Seed[19] ^= 1 })
		change(func(b ledger.Body) { flip(&b.(*ledger.ProofOfCustodyOp).Proof.Mus[3], 0) })
	case *ledger.DeliverKeysOp:
		for i := range 7 {
			change(func(b ledger.Body) {
				d := b.(*ledger.DeliverKeysOp)
				n := []*ledger.BigInteger{&d.Proof.G1, &d.Proof.G2, &d.Proof.G3, &d.Proof.S, &d.Proof.R, &d.Key.C1, &d.Key.D1}[i]
				flip(&n.S, 1)
			})
		}
	}
	return out
}

// flip changes the lowest bit of the digit before so many last characters.
func flip(text *string, last int) {
	b := []byte(*text)
	b[len(b)-1-last] ^= 1
	*text = string(b)
}
