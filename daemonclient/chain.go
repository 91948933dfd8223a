package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// ChainQueries are the queries about the chain as a whole, and about objects by id; see Queries.
type ChainQueries struct{ ask asker }

// ChainID returns the chain's id.
func (q ChainQueries) ChainID(ctx context.Context) (ledger.ChainID, error) {
	return query[ledger.ChainID](ctx, q.ask, Database, "get_chain_id")
}

// About returns the daemon's versions: {version, boost_version, openssl_version,
// cryptopp_version, build}.
func (q ChainQueries) About(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "about")
}

// GlobalProperties returns the object 2.0.0: parameters and fees.
func (q ChainQueries) GlobalProperties(ctx context.Context) (ledger.GlobalProperties, error) {
	return query[ledger.GlobalProperties](ctx, q.ask, Database, "get_global_properties")
}

// GlobalPropertiesRaw is GlobalProperties as the daemon wrote it.
func (q ChainQueries) GlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_global_properties")
}

// DynamicGlobalProperties returns the object 2.1.0: the head block and the last irreversible block.
func (q ChainQueries) DynamicGlobalProperties(ctx context.Context) (ledger.DynamicGlobalProperties, error) {
	return query[ledger.DynamicGlobalProperties](ctx, q.ask, Database, "get_dynamic_global_properties")
}

// DynamicGlobalPropertiesRaw is DynamicGlobalProperties as the daemon wrote it.
func (q ChainQueries) DynamicGlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_dynamic_global_properties")
}

// HeadBlockTime returns the time of the head block.
func (q ChainQueries) HeadBlockTime(ctx context.Context) (ledger.Time, error) {
	return query[ledger.Time](ctx, q.ask, Database, "head_block_time")
}

// GetObjects returns objects of any kind, one per id.
func (q ChainQueries) GetObjects(ctx context.Context, ids []ledger.ObjectID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_objects", emptyForNil(ids))
}

// ListOperations returns the operations with their current fees.
func (q ChainQueries) ListOperations(ctx context.Context) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "list_operations")
}

// checkOnly expects the one object with this id.
func checkOnly(id string, result json.RawMessage) error {
	m, err := fields(result, "id")
	if err != nil {
		return err
	}
	if got, err := plainText(m[0]); err != nil || got != id {
		return fmt.Errorf("asked for %s, got %s", id, quoted(m[0]))
	}
	return nil
}

// checkGlobal expects the chain's parameters, with a block interval and active miners, none twice.
func checkGlobal(_ question, result json.RawMessage) error {
	if err := checkOnly("2.0.0", result); err != nil {
		return err
	}
	var p ledger.GlobalProperties
	if err := codec.Unmarshal(result, &p); err != nil {
		return err
	}
	if p.Parameters.BlockInterval == 0 {
		return fmt.Errorf("the block interval is 0")
	}
	seen := make(map[ledger.MinerID]bool, len(p.ActiveMiners))
	for _, miner := range p.ActiveMiners {
		if seen[miner] {
			return fmt.Errorf("%s is an active miner twice", miner)
		}
		seen[miner] = true
	}
	return nil
}

// checkDynamic expects that the head's id contains the head's number, and that nothing beyond the head is irreversible.
func checkDynamic(_ question, result json.RawMessage) error {
	if err := checkOnly("2.1.0", result); err != nil {
		return err
	}
	var p ledger.DynamicGlobalProperties
	if err := codec.Unmarshal(result, &p); err != nil {
		return err
	}
	switch {
	case p.HeadBlockID.Num() != p.HeadBlockNumber:
		return fmt.Errorf("the head block is #%d by its number and #%d by its id", p.HeadBlockNumber, p.HeadBlockID.Num())
	case p.LastIrreversibleBlockNum > p.HeadBlockNumber:
		return fmt.Errorf("block #%d is irreversible and the head is #%d", p.LastIrreversibleBlockNum, p.HeadBlockNumber)
	}
	return nil
}

// checkObjects expects one row per id asked for: the object with that id, or null.
func checkObjects(q question, result json.RawMessage) error {
	ids := q.list(0)
	list, err := exactRows(result, len(ids))
	if err != nil {
		return err
	}
	for i, raw := range list {
		if isNull(raw) {
			continue
		}
		want, err := objectID(ids[i])
		if err != nil {
			return err
		}
		got, err := checkObject(raw)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("asked for %s, got %s", want, got)
		}
	}
	return nil
}

// checkObject refuses an object that no ledger can hold, and returns its id.
func checkObject(raw json.RawMessage) (ledger.ObjectID, error) {
	m, err := fields(raw, "id", "name", "symbol", "precision")
	if err != nil {
		return 0, err
	}
	id, err := objectID(m[0])
	if err != nil {
		return 0, err
	}
	switch id {
	case ledger.AccountID(id.Instance()).Object():
		_, err = accountName(m[1])
	case ledger.AssetID(id.Instance()).Object():
		err = checkAsset(ledger.AssetID(id.Instance()), m[2], m[3])
	case ledger.NFTID(id.Instance()).Object():
		_, err = symbol(m[2])
	}
	return id, err
}

// checkOperations expects operations in the order of their codes, each with its own price.
func checkOperations(_ question, result json.RawMessage) error {
	list, err := rows(result, smallSize)
	if err != nil {
		return err
	}
	var next uint64
	for _, raw := range list {
		m, err := fields(raw, "id", "name", "current_fees")
		if err != nil {
			return err
		}
		code, err := number(m[0], 32)
		if err != nil {
			return err
		}
		if _, err := plainText(m[1]); err != nil {
			return err
		}
		price, err := exactRows(m[2], 2)
		if err != nil {
			return err
		}
		if of, err := number(price[0], 32); err != nil || of != code || code < next {
			return fmt.Errorf("got the price of operation %s at operation %d", quoted(price[0]), code)
		}
		if _, err := fields(price[1]); err != nil {
			return err
		}
		next = code + 1
	}
	return nil
}
