package chain

import (
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var assetCreate = keeping(corePoolShare,
	typed(validateAssetCreate, (*State).evaluateAssetCreate, (*State).applyAssetCreate))

// keeping is for operations that use a part of their fee.
func keeping(part func(core int64) int64, ev evaluator) evaluator {
	ev.keeps = part
	return ev
}

// corePoolShare is the part of its creation fee that an asset's core pool
// begins with. Of an odd fee the reference puts the halved unit on both sides;
// here it is collected, so that nothing is made of nothing.
func corePoolShare(core int64) int64 { return core / 2 }

func validateAssetCreate(op *ledger.AssetCreateOp) *nodeerr.Fault {
	if fault := stateless(op); fault != nil {
		return fault
	}
	if op.MonitoredAssetOpts == nil && op.Options.CoreExchangeRate.Valid() != nil {
		return nodeerr.Assert("validate", "core_exchange_rate: ${why}", nodeerr.Data{"why": ledger.ErrPrice.Error()})
	}
	return nil
}

// stateless makes the checks that package ledger knows for the operation.
func stateless[T ledger.Body](op T) *nodeerr.Fault {
	if err := ledger.NewOperation(op).Validate(); err != nil {
		return nodeerr.Assert("validate", "${why}", nodeerr.Data{"why": err.Error()})
	}
	return nil
}

// evaluateAssetCreate checks as the node does since its last hard fork, which is
// older than any ledger that begins now.
func (s *State) evaluateAssetCreate(op *ledger.AssetCreateOp) *nodeerr.Fault {
	if s.AssetBySymbol(op.Symbol) != nil {
		return nodeerr.Assert("do_evaluate", "asset_symbol_itr == asset_indx.end(): the symbol ${s} is taken", nodeerr.Data{"s": op.Symbol})
	}
	if fault := s.verifyParent(op); fault != nil {
		return fault
	}
	fixed := fixedSupply(op.Options) != nil
	m := op.MonitoredAssetOpts
	switch {
	case m == nil && !fixed:
		return nodeerr.Assert("do_evaluate", "count_fixed_max_supply_ext: a user-issued asset says whether its maximum supply is fixed", nil)
	case m != nil && fixed:
		return nodeerr.Assert("do_evaluate", "!count_fixed_max_supply_ext: a monitored asset has no maximum supply", nil)
	case m != nil && m.FeedLifetimeSec <= uint32(s.global.Parameters.BlockInterval):
		return nodeerr.Assert("do_evaluate", "op.monitored_asset_opts->feed_lifetime_sec > block_interval: ", nil)
	}
	return nil
}

// verifyParent wants A.B to be created by the issuer of A.
func (s *State) verifyParent(op *ledger.AssetCreateOp) *nodeerr.Fault {
	prefix, _, dotted := strings.Cut(op.Symbol, ".")
	if !dotted {
		return nil
	}
	parent := s.AssetBySymbol(prefix)
	data := nodeerr.Data{"s": op.Symbol, "p": prefix}
	if parent == nil {
		return nodeerr.Assert("do_evaluate", "asset_symbol_itr != asset_indx.end(): Asset ${s} may only be created by issuer of ${p}, but ${p} has not been registered", data)
	}
	if parent.Issuer != op.Issuer {
		return nodeerr.Assert("do_evaluate", "asset_symbol_itr->issuer == op.issuer: Asset ${s} may only be created by issuer of ${p}", data)
	}
	return nil
}

func (s *State) applyAssetCreate(op *ledger.AssetCreateOp) (ledger.OperationResult, *nodeerr.Fault) {
	worth := op.Fee
	if paid := s.Asset(op.Fee.AssetID); paid.ID != ledger.CoreAsset {
		worth, _ = paid.Options.CoreExchangeRate.Convert(op.Fee) // prepareFee did the same
	}
	a := ledger.Asset{
		Symbol: op.Symbol, Precision: op.Precision, Issuer: op.Issuer, Description: op.Description,
		Options: op.Options, MonitoredAssetOpts: op.MonitoredAssetOpts,
	}
	id := ledger.AssetID(s.assets.next())
	if rate := &a.Options.CoreExchangeRate; rate.Base.AssetID == ledger.CoreAsset {
		rate.Quote.AssetID = id
	} else {
		rate.Base.AssetID = id
	}
	s.addAsset(a)
	s.assetData.change(uint64(id), func(d *AssetData) { d.CorePool = corePoolShare(worth.Amount) })
	return objectResult(id.Object()), nil
}

// fixedSupply finds the extension that says whether the maximum supply can
// change, or nil.
func fixedSupply(o ledger.AssetOptions) *ledger.FixedSupply {
	for _, e := range o.Extensions {
		if e.FixedSupply != nil {
			return e.FixedSupply
		}
	}
	return nil
}
