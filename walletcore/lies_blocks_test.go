package walletcore_test

import (
	"encoding/json"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// onBlocks changes blocks and headers alike; truth is nil if the ledger has no such
// block, and a nil result is answered as null.
func onBlocks(edit func(num uint32, truth *ledger.Block) *ledger.Block) teller {
	return func(q *question, honest func() reply) reply {
		var num, count uint32
		if len(q.args) > 0 {
			_ = json.Unmarshal(q.args[0], &num)
		}
		if len(q.args) > 1 {
			_ = json.Unmarshal(q.args[1], &count)
		}
		switch q.method {
		case "get_block":
			return reply{result: blockText(edit(num, truthOf(honest())), func(b *ledger.Block) any { return b })}
		case "get_block_header":
			return reply{result: blockText(edit(num, truthOf(q.conn.ask(asBlock(q, num)))), headerOf)}
		case "get_block_headers":
			list := []json.RawMessage{}
			for i := range min(count, 200) {
				list = append(list, blockText(edit(num+i, truthOf(q.conn.ask(asBlock(q, num+i)))), headerOf))
			}
			return reply{result: encode(list)}
		}
		return honest()
	}
}

// asBlock returns the question for the block whose header q asks for.
func asBlock(q *question, num uint32) *question {
	return &question{set: q.set, method: "get_block", args: []json.RawMessage{encode(num)}, conn: q.conn}
}

func headerOf(b *ledger.Block) any { return b.BlockHeader }

func truthOf(r reply) *ledger.Block {
	b := new(ledger.Block)
	if len(r.result) == 0 || string(r.result) == "null" || codec.Unmarshal(r.result, b) != nil {
		return nil
	}
	return b
}

func blockText(b *ledger.Block, form func(*ledger.Block) any) json.RawMessage {
	if b == nil {
		return json.RawMessage("null")
	}
	text, err := codec.Marshal(form(b))
	if err != nil {
		return json.RawMessage("null")
	}
	return text
}

// blockEdit changes every block that has transactions, or all of them.
func blockEdit(all bool, edit func(b *ledger.Block)) func(*scene) teller {
	return always(onBlocks(func(_ uint32, truth *ledger.Block) *ledger.Block {
		if truth != nil && (all || len(truth.Transactions) > 0) {
			edit(truth)
		}
		return truth
	}))
}

func withoutTransactions(b *ledger.Block) {
	b.Transactions, b.TransactionIDs = []ledger.ProcessedTransaction{}, []ledger.TransactionID{}
}

// blockLies returns the lies that invent blocks or change real ones.
func blockLies() []lie {
	invented := func(by signer, until func() time.Time, step ledger.Time) func(*scene) teller {
		return func(s *scene) teller { return forge(s, by, until, step).tell() }
	}
	holding := func(by signer) func(*scene) teller {
		return func(s *scene) teller {
			f := forge(s, by, fits, 1)
			return compose([]teller{swallow(f.hold), f.tell()})
		}
	}
	return []lie{
		{name: "invented-unsigned", says: "irreversible blocks without signatures, 5 minutes ahead", must: unsettled, tell: invented(nobody, ahead, 14)},
		{name: "invented-impostor", says: "the same, signed by unknown keys", must: unsettled, tell: invented(impostor, ahead, 14)},
		{name: "invented-fitting", says: "irreversible blocks of unknown keys at times that fit", must: unsettled, tell: invented(impostor, fits, 4)},
		{name: "invented-unsigned-fitting", says: "irreversible blocks without signatures at times that fit", must: unsettled, tell: invented(nobody, fits, 4)},
		{name: "invented-one-miner", says: "irreversible blocks of one crooked miner", must: unsettled, tell: invented(crooked, fits, 4)},
		{name: "invented-minority", says: "irreversible blocks of as many crooked miners as do not suffice", must: unsettled, tell: invented(minority, fits, 4)},
		{name: "invented-minority-close", says: "the same, a block in each slot", must: unsettled, tell: invented(minority, fits, 2)},
		{name: "invented-minority-ahead", says: "the same, 5 minutes ahead", must: unsettled, tell: invented(minority, ahead, 14)},
		{name: "invented-posing", says: "irreversible blocks of one miner in the name of all", must: unsettled, tell: invented(posing, fits, 4)},
		{name: "invented-miners", says: "blocks of strangers, and that these are the miners", must: unsettled, tell: func(s *scene) teller {
			return compose([]teller{strangeMiners(s), forge(s, impostor, fits, 4).tell()})
		}},
		{name: "holding-unsigned", says: "a block that holds the payment, which was never passed on", must: unsettled, tell: holding(nobody)},
		{name: "holding-impostor", says: "the same, signed by unknown keys", must: unsettled, tell: holding(impostor)},
		{name: "holding-minority", says: "the same, signed by as many crooked miners as do not suffice", must: unsettled, tell: holding(minority)},
		{name: "holding-one-miner", says: "the same, signed by one crooked miner", must: unsettled, tell: holding(crooked)},
		{name: "holding-miners", says: "the same, signed by strangers who are said to be the miners", must: unsettled, tell: func(s *scene) teller {
			return compose([]teller{strangeMiners(s), holding(impostor)(s)})
		}},
		{name: "holding-ids", says: "real blocks with the id of a payment that was never passed on", must: unsettled, tell: func(s *scene) teller {
			h := &holder{}
			return compose([]teller{swallow(h.hold), onBlocks(h.add)})
		}},
		{name: "holding-transactions", says: "real blocks with a payment that was never passed on", must: unsettled,
			tell: func(s *scene) teller {
				h := &holder{whole: true}
				return compose([]teller{swallow(h.hold), onBlocks(h.add)})
			}},
		{name: "emptied-blocks", says: "real blocks without their transactions", must: unsettled, tell: blockEdit(false, withoutTransactions)},
		{name: "emptied-ids", says: "real blocks without the ids of their transactions", must: unsettled, tell: blockEdit(false, func(b *ledger.Block) { b.TransactionIDs = []ledger.TransactionID{} })},
		{name: "emptied-resealed", says: "real blocks without their transactions, with a root and an id that fit", must: unsettled, tell: blockEdit(false, func(b *ledger.Block) {
			withoutTransactions(b)
			b.TransactionMerkleRoot = ledger.Hash160{}
			b.BlockID, _ = b.SignedBlockHeader.ID()
		})},
		{name: "transactions-changed", says: "real blocks whose transactions pay somebody else", must: unsettled, tell: blockEdit(false,
			func(b *ledger.Block) {
				for i := range b.Transactions {
					if op, ok := b.Transactions[i].Operations[0].Body.(*ledger.TransferObsoleteOp); ok {
						op.To = 5
					}
				}
			})},
		{name: "block-id", says: "blocks under other ids", must: unsettled, tell: blockEdit(true, func(b *ledger.Block) { b.BlockID[19] ^= 1 })},
		{name: "block-previous", says: "blocks that are not linked", must: unsettled, tell: blockEdit(true, func(b *ledger.Block) { b.Previous[19] ^= 1 })},
		{name: "block-time", says: "blocks an hour later than they were", must: unsettled, tell: blockEdit(true, func(b *ledger.Block) { b.Timestamp += 3600 })},
		{name: "block-time-resealed", says: "blocks an hour later, with ids that fit", must: unsettled, tell: func(s *scene) teller { return resealed(s, func(b *ledger.Block) { b.Timestamp += 3600 }) }},
		{name: "block-signature", says: "blocks without their signatures", must: unsettled, tell: blockEdit(true, func(b *ledger.Block) { b.MinerSignature = ledger.Signature{} })},
		{name: "block-signing-key", says: "blocks with another signing key beside them", must: passes, tell: blockEdit(true, func(b *ledger.Block) { b.SigningKey = key("art-guild").Public() })},
		{name: "block-miner", says: "blocks in another miner's name", must: unsettled, tell: blockEdit(true, func(b *ledger.Block) { b.Miner = 1 + b.Miner%11 })},
		{name: "block-replayed", says: "old blocks for new ones", must: unsettled, tell: func(s *scene) teller {
			head := s.head().HeadBlockNumber
			return onBlocks(func(num uint32, truth *ledger.Block) *ledger.Block {
				if num > head {
					return s.block(head - num%5)
				}
				return truth
			})
		}},
		{name: "block-other-chain", says: "the blocks of another chain", must: unsettled, tell: func(s *scene) teller {
			other := foreignBlocks(s, 80)
			return onBlocks(func(num uint32, truth *ledger.Block) *ledger.Block {
				if num >= 1 && int(num) <= len(other) {
					return other[num-1]
				}
				return truth
			})
		}},
		{name: "block-null", says: "there are no blocks", must: unsettled, tell: answered("null", "get_block", "get_block_header", "get_block_headers")},
		{name: "block-list", says: "a list for each block", must: unsettled, tell: answered("[1,2,3]", "get_block", "get_block_header")},
		{name: "block-many-ids", says: "a block of 60,000 transactions", must: unsettled, tell: blockEdit(true, func(b *ledger.Block) { b.TransactionIDs = make([]ledger.TransactionID, 60_000) })},
	}
}

// swallow accepts broadcasts and passes none on.
func swallow(took func(ledger.SignedTransaction)) teller {
	return func(q *question, honest func() reply) reply {
		var tx ledger.SignedTransaction
		if !isBroadcast(q.method) || len(q.args) == 0 || codec.Unmarshal(q.args[len(q.args)-1], &tx) != nil {
			return honest()
		}
		took(tx)
		return reply{result: json.RawMessage("null")}
	}
}

// holder shows swallowed payments in real blocks.
type holder struct {
	whole bool // shows whole transactions, not only ids
	mu    sync.Mutex
	held  []ledger.SignedTransaction
	at    map[uint32][]ledger.SignedTransaction
}

func (h *holder) hold(tx ledger.SignedTransaction) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held = append(h.held, tx)
}

func (h *holder) add(num uint32, b *ledger.Block) *ledger.Block {
	h.mu.Lock()
	defer h.mu.Unlock()
	if b == nil {
		return nil
	}
	if h.at == nil {
		h.at = map[uint32][]ledger.SignedTransaction{}
	}
	if _, done := h.at[num]; !done {
		h.at[num], h.held = h.held, nil
	}
	for _, tx := range h.at[num] {
		id, _ := tx.ID()
		b.TransactionIDs = append(b.TransactionIDs, id)
		if h.whole {
			b.Transactions = append(b.Transactions, ledger.ProcessedTransaction{SignedTransaction: tx,
				OperationResults: noResults(len(tx.Operations))})
		}
	}
	return b
}

// resealed changes the ledger's blocks from the current head on and links them
// again, unsigned.
func resealed(s *scene, edit func(*ledger.Block)) teller {
	from := s.block(s.head().HeadBlockNumber)
	var mu sync.Mutex
	made := map[uint32]*ledger.Block{from.BlockID.Num(): from}
	var at func(num uint32, conn *conn) *ledger.Block
	at = func(num uint32, conn *conn) *ledger.Block {
		if b := made[num]; b != nil || num <= from.BlockID.Num() {
			return b
		}
		b := truthOf(conn.ask(asBlock(&question{conn: conn}, num)))
		before := at(num-1, conn)
		if b == nil || before == nil {
			return nil
		}
		edit(b)
		b.Previous = before.BlockID
		b.BlockID, _ = b.SignedBlockHeader.ID()
		made[num] = b
		return b
	}
	return func(q *question, honest func() reply) reply {
		mu.Lock()
		defer mu.Unlock()
		return compose([]teller{
			dynamically(func(d *ledger.DynamicGlobalProperties) {
				if b := at(d.HeadBlockNumber, q.conn); b != nil {
					d.HeadBlockID, d.Time = b.BlockID, b.Timestamp
				}
			}),
			onBlocks(func(num uint32, truth *ledger.Block) *ledger.Block {
				if num > from.BlockID.Num() && truth != nil {
					return at(num, q.conn)
				}
				return truth
			}),
		})(q, honest)
	}
}

// foreignBlocks returns n blocks of a chain of their own.
func foreignBlocks(s *scene, n int) (out []*ledger.Block) {
	last := &ledger.Block{}
	for i := range n {
		b := &ledger.Block{}
		withoutTransactions(b)
		b.Previous, b.Timestamp, b.Miner = last.BlockID, ledger.TimeOf(time.Now().Add(-20*time.Minute))+ledger.Time(i*10),
			ledger.MinerID(1+i%11)
		seal(b, ledger.DeriveKey("another chain", i%11))
		out, last = append(out, b), b
	}
	return out
}

// strangeMiners claims that the miners' keys are the impostor's.
func strangeMiners(*scene) teller {
	rename := func(v any) any {
		return each(v, func(o object) any {
			id, _ := o["id"].(string)
			var miner ledger.MinerID
			if codec.Unmarshal(encode(id), &miner) == nil {
				o["signing_key"] = impostorKey(miner).Public().String()
			}
			return o
		}, "signing_key")
	}
	return changing(func(_ *question, v any) any {
		if o, ok := v.(object); ok {
			rename([]any{o})
			return o
		}
		return rename(v)
	}, "get_objects", "get_miners", "get_miner_by_account")
}
