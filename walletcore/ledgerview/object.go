package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// objectReader is the part of the daemon that objects of any kind are read from.
type objectReader interface {
	GetBlock(ctx context.Context, num uint32) (json.RawMessage, error)
	GetObjects(ctx context.Context, ids []ledger.ObjectID) ([]json.RawMessage, error)
	GlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error)
	DynamicGlobalPropertiesRaw(ctx context.Context) (json.RawMessage, error)
	chainRecords
}

// chainRecords are the records of transactions and fees.
type chainRecords interface {
	TransactionByIDRaw(ctx context.Context, id ledger.TransactionID) (json.RawMessage, error)
	ListOperations(ctx context.Context) ([]json.RawMessage, error)
}

// Objects passes objects through as the daemon wrote them, so that members that a
// newer daemon adds survive.
type Objects struct {
	daemon objectReader
	pins   *Pins
}

// Accounts are 1.2.N and assets 1.3.N.
const (
	accountSpace, accountType = 1, 2
	assetSpace, assetType     = 1, 3
)

// Block reads a block. It returns null if there is none.
func (s *Objects) Block(ctx context.Context, num uint32) (json.RawMessage, error) {
	raw, err := s.daemon.GetBlock(ctx, num)
	return orNull(raw), daemonFault("reading the block", err)
}

// Get reads objects of any kind. Missing ones are null. An asset in doubt is marked: see Assets.List.
func (s *Objects) Get(ctx context.Context, ids []ledger.ObjectID) ([]json.RawMessage, error) {
	rows, err := s.daemon.GetObjects(ctx, ids)
	if err != nil {
		return nil, fault.Daemon("reading objects", err)
	}
	var accounts, assets []json.RawMessage
	var places []int // of the assets
	for i := range rows {
		rows[i] = orNull(rows[i])
		if i < len(ids) && ids[i].Space() == accountSpace && ids[i].Type() == accountType {
			accounts = append(accounts, rows[i])
		}
		if i < len(ids) && ids[i].Space() == assetSpace && ids[i].Type() == assetType {
			assets, places = append(assets, rows[i]), append(places, i)
		}
	}
	if _, err := s.pins.checkRawAccounts(ctx, accounts); err != nil {
		return nil, err
	}
	err = s.pins.markRawAssets(ctx, assets)
	for n, i := range places {
		rows[i] = assets[n]
	}
	return rows, err
}

// GlobalProperties reads the object 2.0.0.
func (s *Objects) GlobalProperties(ctx context.Context) (json.RawMessage, error) {
	raw, err := s.daemon.GlobalPropertiesRaw(ctx)
	return raw, daemonFault("reading the chain's parameters", err)
}

// DynamicGlobalProperties reads the object 2.1.0.
func (s *Objects) DynamicGlobalProperties(ctx context.Context) (json.RawMessage, error) {
	raw, err := s.daemon.DynamicGlobalPropertiesRaw(ctx)
	return raw, daemonFault("reading the head block", err)
}

// Transaction reads a transaction in a block by its id. It returns null if there is none, or the daemon
// has no record of it.
func (s *Objects) Transaction(ctx context.Context, id ledger.TransactionID) (json.RawMessage, error) {
	raw, err := s.daemon.TransactionByIDRaw(ctx, id)
	return orNull(raw), daemonFault("reading the transaction", err)
}

// Operations lists every operation with its present fee.
func (s *Objects) Operations(ctx context.Context) ([]json.RawMessage, error) {
	found, err := s.daemon.ListOperations(ctx)
	return found, daemonFault("listing operations", err)
}
