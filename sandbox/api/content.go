package api

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// contentMethods answer as a node without content, seeders and purchases. They
// read their arguments, so that invalid ones are refused as by the node.
var contentMethods = map[string]Method{
	"get_content":                            read1(func(*state.State, string) (any, error) { return nil, nil }),
	"search_content":                         searchContent,
	"get_open_buyings":                       read0(func(*state.State) any { return []any{} }),
	"get_open_buyings_by_URI":                read1(func(*state.State, string) (any, error) { return []any{}, nil }),
	"get_open_buyings_by_consumer":           read1(func(*state.State, ledger.AccountID) (any, error) { return []any{}, nil }),
	"get_buying_history_objects_by_consumer": read1(func(*state.State, ledger.AccountID) (any, error) { return []any{}, nil }),
	"get_buying_objects_by_consumer":         buyingObjects,
	"get_buying_by_consumer_URI": read2(func(*state.State, ledger.AccountID, string) (any, error) {
		return nil, nil
	}),
	"search_feedback": read4(func(*state.State, string, string, ledger.ObjectID, uint32) (any, error) {
		return []any{}, nil
	}),
	"get_seeder":             read1(func(*state.State, ledger.AccountID) (any, error) { return nil, nil }),
	"list_seeders_by_price":  read1(noSeeders),
	"list_seeders_by_upload": read1(noSeeders),
	"list_seeders_by_rating": read1(noSeeders),
	"list_seeders_by_region": read1(func(*state.State, string) (any, error) { return []any{}, nil }),
	"generate_content_keys":  read1(contentKeys),
	"restore_encryption_key": read2(func(_ *state.State, _ ledger.BigInteger, buying ledger.BuyingID) (any, error) {
		return nil, nodeerr.New(nodeerr.CodeNoBuying, "restore_encryption_key", "objs: Buying: ${b}", nodeerr.Data{"b": buying})
	}),
}

func noSeeders(_ *state.State, count uint32) (any, error) { return []any{}, within100(count) }

// searchContent takes term, order, user, region, start id, type and count.
func searchContent(_ *Session, args []json.RawMessage) (any, error) {
	r := &reader{args: args}
	for range 4 {
		next[string](r)
	}
	next[ledger.ObjectID](r)
	next[string](r)
	count := next[uint32](r)
	if r.err != nil {
		return nil, r.err
	}
	return []any{}, within100(count)
}

// buyingObjects takes account, order, start id, term and count, which has no
// limit.
func buyingObjects(_ *Session, args []json.RawMessage) (any, error) {
	r := &reader{args: args}
	next[ledger.AccountID](r)
	next[string](r)
	next[ledger.ObjectID](r)
	next[string](r)
	next[uint32](r)
	return []any{}, r.err
}

type generatedKeys struct {
	Key    string `json:"key"`
	Parts  []any  `json:"parts"`
	Quorum uint32 `json:"quorum"`
}

// contentKeys makes a key for content without seeders, which therefore has no
// parts.
func contentKeys(_ *state.State, seeders []ledger.AccountID) (any, error) {
	if len(seeders) > 0 {
		return nil, nodeerr.New(nodeerr.CodeNoSeeder, "generate_content_keys", "objs: Seeder: ${s}", nodeerr.Data{"s": seeders[0]})
	}
	var key [32]byte
	if _, err := rand.Read(key[:]); err != nil {
		return nil, err
	}
	return generatedKeys{Key: hex.EncodeToString(key[:]), Parts: []any{}, Quorum: 2}, nil
}
