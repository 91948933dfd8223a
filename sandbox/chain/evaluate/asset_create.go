package evaluate

import (
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// corePoolShare returns the part of the creation fee with which an asset's core
// pool starts. The reference adds the odd unit of an odd fee to both halves; here
// it is collected, so that no unit is created out of nothing.
func corePoolShare(core int64) int64 { return core / 2 }

func validateAssetCreate(op *ledger.AssetCreateOp) *nodeerr.Fault {
	if fault := stateless(op); fault != nil {
		return fault
	}
	if op.MonitoredAssetOpts == nil && op.Options.CoreExchangeRate.Valid() != nil {
		return invalid("core_exchange_rate: ${why}", nodeerr.Data{"why": ledger.ErrPrice.Error()})
	}
	return nil
}

// evaluateAssetCreate makes the checks that the node makes since its last hard
// fork, which is older than any ledger that starts now.
func evaluateAssetCreate(e *Engine, op *ledger.AssetCreateOp) *nodeerr.Fault {
	if e.Assets.BySymbol(op.Symbol) != nil {
		return refuse("asset_symbol_itr == asset_indx.end(): the symbol ${s} is taken", nodeerr.Data{"s": op.Symbol})
	}
	if fault := verifyParent(e, op); fault != nil {
		return fault
	}
	fixed := fixedSupply(op.Options) != nil
	m := op.MonitoredAssetOpts
	switch {
	case m == nil && !fixed:
		return refuse("count_fixed_max_supply_ext: a user-issued asset says whether its maximum supply is fixed", nil)
	case m != nil && fixed:
		return refuse("!count_fixed_max_supply_ext: a monitored asset has no maximum supply", nil)
	case m != nil && m.FeedLifetimeSec <= uint32(e.Parameters().BlockInterval):
		return refuse("op.monitored_asset_opts->feed_lifetime_sec > block_interval: ", nil)
	}
	return nil
}

// verifyParent requires A.B to be created by the issuer of A.
func verifyParent(e *Engine, op *ledger.AssetCreateOp) *nodeerr.Fault {
	prefix, _, dotted := strings.Cut(op.Symbol, ".")
	if !dotted {
		return nil
	}
	parent := e.Assets.BySymbol(prefix)
	data := nodeerr.Data{"s": op.Symbol, "p": prefix}
	if parent == nil {
		return refuse(
			"asset_symbol_itr != asset_indx.end(): Asset ${s} may only be created by issuer of ${p}, but ${p} has not been registered",
			data)
	}
	if parent.Issuer != op.Issuer {
		return refuse("asset_symbol_itr->issuer == op.issuer: Asset ${s} may only be created by issuer of ${p}", data)
	}
	return nil
}

func applyAssetCreate(e *Engine, op *ledger.AssetCreateOp) (ledger.OperationResult, *nodeerr.Fault) {
	worth := op.Fee
	if paid := e.Assets.Get(op.Fee.AssetID); paid.ID != ledger.CoreAsset {
		worth, _ = paid.Options.CoreExchangeRate.Convert(op.Fee) // prepareFee did the same
	}
	a := ledger.Asset{
		Symbol: op.Symbol, Precision: op.Precision, Issuer: op.Issuer, Description: op.Description,
		Options: op.Options, MonitoredAssetOpts: op.MonitoredAssetOpts,
	}
	id := e.Assets.Next()
	if rate := &a.Options.CoreExchangeRate; rate.Base.AssetID == ledger.CoreAsset {
		rate.Quote.AssetID = id
	} else {
		rate.Base.AssetID = id
	}
	e.Assets.Add(a)
	e.Assets.ChangeData(id, func(d *state.AssetData) { d.CorePool = corePoolShare(worth.Amount) })
	return objectResult(id.Object()), nil
}
