package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// BlockQueries are the queries about blocks; see Queries.
type BlockQueries struct{ ask asker }

// GetBlock returns a block with its transactions, as the daemon wrote it; nil if there is no block of that number.
func (q BlockQueries) GetBlock(ctx context.Context, number uint32) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_block", number)
}

// GetBlockHeader returns the header of a block; nil if there is no block of that number.
func (q BlockQueries) GetBlockHeader(ctx context.Context, number uint32) (*ledger.BlockHeader, error) {
	return query[*ledger.BlockHeader](ctx, q.ask, Database, "get_block_header", number)
}

// checkBlock expects the block with the number asked for: it follows the block before, its id is that of its header,
// and there is an id for each transaction.
func checkBlock(q question, result json.RawMessage) error {
	if isNull(result) {
		return nil
	}
	m, err := fields(result, "block_id", "transactions", "transaction_ids")
	if err != nil {
		return err
	}
	var header ledger.SignedBlockHeader
	if err := codec.Unmarshal(result, &header); err != nil {
		return err
	}
	if err := checkFollows(q.number(0), header.Previous); err != nil {
		return err
	}
	id, err := header.ID()
	if err != nil {
		return err
	}
	if text, err := plainText(m[0]); err != nil || text != id.String() {
		return fmt.Errorf("block #%d has the id %s, its header has %s", id.Num(), quoted(m[0]), id)
	}
	return sameLength(m[1], m[2])
}

// sameLength compares the counts of transactions and ids without keeping them: a block may be large.
func sameLength(transactions, ids json.RawMessage) error {
	for _, list := range []json.RawMessage{transactions, ids} {
		if len(list) == 0 || list[0] != '[' {
			return fmt.Errorf("%s is not a list", quoted(list))
		}
	}
	if n, of := countElements(ids), countElements(transactions); n != of {
		return fmt.Errorf("there are %d ids for %d transactions", n, of)
	}
	return nil
}

func checkFollows(num uint64, previous ledger.BlockID) error {
	if got := uint64(previous.Num()) + 1; got != num {
		return fmt.Errorf("asked for block #%d, got #%d", num, got)
	}
	return nil
}

// checkHeader expects the header of the block asked for.
func checkHeader(q question, result json.RawMessage) error {
	return checkHeaderOf(q.number(0), result)
}

func checkHeaderOf(num uint64, raw json.RawMessage) error {
	if isNull(raw) {
		return nil
	}
	var header ledger.BlockHeader
	if err := codec.Unmarshal(raw, &header); err != nil {
		return err
	}
	return checkFollows(num, header.Previous)
}

// checkHeaders expects as many headers as were asked for, each of its number, and none after a missing one.
func checkHeaders(q question, result json.RawMessage) error {
	list, err := exactRows(result, int(min(q.number(1), maxHeaders)))
	if err != nil {
		return err
	}
	ended := false
	for i, raw := range list {
		if err := checkHeaderOf(q.number(0)+uint64(i), raw); err != nil {
			return err
		}
		if !isNull(raw) && ended {
			return fmt.Errorf("block #%d exists and the one before does not", q.number(0)+uint64(i))
		}
		ended = isNull(raw)
	}
	return nil
}
