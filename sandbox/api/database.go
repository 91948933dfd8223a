package api

import (
	_ "embed"
	"encoding/json"
	"maps"
	"math"
	"runtime"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// configuration holds the node's compile-time constants as get_configuration shows them.
//
//go:embed configuration.json
var configuration []byte

var databaseSet = Set{name: "database", methods: joined(
	chainMethods, accountMethods, assetMethods, minerMethods, proposalMethods, transactionMethods,
	nftMethods, subscriptionMethods, vestingMethods, publishingMethods, contentMethods, purchaseMethods, seederMethods,
	detailMethods,
)}

func joined(tables ...map[string]Method) map[string]Method {
	all := map[string]Method{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

var chainMethods = map[string]Method{
	"info":              With0(func(*Session) (any, error) { return "database_api", nil }),
	"about":             With0(func(s *Session) (any, error) { return about(s.Identity), nil }),
	"get_configuration": With0(func(*Session) (any, error) { return json.RawMessage(configuration), nil }),
	"get_chain_id":      With0(func(s *Session) (any, error) { return s.Identity.ChainID(), nil }),
	"get_objects": read1(func(st *state.State, ids []ledger.ObjectID) (any, error) {
		list := make([]any, len(ids))
		for i, id := range ids {
			list[i] = st.Object(id)
		}
		return list, nil
	}),
	"get_chain_properties": With0(func(s *Session) (any, error) {
		var p state.ChainProperty
		s.Chain.View(func(st *state.State) { p = st.Properties() })
		p.ChainID = s.Identity.ChainID()
		return p, nil
	}),
	"get_global_properties":         read0(func(st *state.State) any { return st.Global() }),
	"get_dynamic_global_properties": read0(func(st *state.State) any { return st.Dynamic() }),
	"head_block_time":               read0(func(st *state.State) any { return st.HeadTime() }),
	"list_operations":               read0(listOperations),
	"get_block_header":              read1(func(st *state.State, num uint32) (any, error) { return header(st, num), nil }),
	"get_block_headers": read2(func(st *state.State, num, count uint32) (any, error) {
		return blockRange(num, count, func(n uint32) any { return header(st, n) })
	}),
	"get_block": read1(func(st *state.State, num uint32) (any, error) { return st.Blocks.Get(num), nil }),
	"get_blocks": read2(func(st *state.State, num, count uint32) (any, error) {
		return blockRange(num, count, func(n uint32) any { return st.Blocks.Get(n) })
	}),
	"set_block_applied_callback": With1(func(s *Session, callback uint64) (any, error) {
		s.Callbacks.setBlock(callback)
		return nil, nil
	}),
	"set_pending_transaction_callback": With1(func(s *Session, callback uint64) (any, error) {
		s.Callbacks.setPending(callback)
		return nil, nil
	}),
	// The sandbox reports no updates: who follows content reads blocks.
	"set_content_update_callback": With2(func(_ *Session, _ uint64, _ string) (any, error) { return nil, nil }),
}

type aboutNode struct {
	Version         string `json:"version"`
	BoostVersion    string `json:"boost_version"`
	OpensslVersion  string `json:"openssl_version"`
	CryptoppVersion string `json:"cryptopp_version"`
	Build           string `json:"build"`
	OwnClock        bool   `json:"own_clock"` // the age of its head block means nothing
}

func about(id Identity) aboutNode {
	return aboutNode{Version: "1.5.0-billfold-sandbox", Build: runtime.GOOS + " " + runtime.GOARCH, OwnClock: id.OwnClock()}
}

type operationInfo struct {
	ID          uint64               `json:"id"`
	Name        string               `json:"name"`
	CurrentFees ledger.FeeParameters `json:"current_fees"`
}

func listOperations(st *state.State) any {
	list := []operationInfo{}
	for _, code := range ledger.OpCodes() {
		list = append(list, operationInfo{uint64(code), ledger.OpName(code), st.Global().Parameters.CurrentFees.Of(code)})
	}
	return list
}

func header(st *state.State, num uint32) *ledger.BlockHeader {
	if b := st.Blocks.Get(num); b != nil {
		return &b.BlockHeader
	}
	return nil
}

// blockRange returns what get returns for count blocks from num on. It has a limit
// that the node has not, so that one call cannot exhaust the memory.
func blockRange(num, count uint32, get func(uint32) any) (any, error) {
	if err := within1000(count); err != nil {
		return nil, err
	}
	list := make([]any, count)
	for i := range list {
		if n := uint64(num) + uint64(i); n <= math.MaxUint32 {
			list[i] = get(uint32(n))
		}
	}
	return list, nil
}
