package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func TestAssetCreateRefusals(t *testing.T) {
	b := newBank(t)
	nathan := []ledger.PrivateKey{b.nathan}
	b.by(b.nathan, gold("GOLDX", false))
	edited := func(symbol string, edit func(*ledger.AssetCreateOp)) *ledger.AssetCreateOp {
		op := gold(symbol, false)
		edit(op)
		return op
	}
	theirs := edited("GOLDX.COIN", func(op *ledger.AssetCreateOp) { op.Issuer = init0ID })
	b.by(b.nathan, pay(nathanID, init0ID, 100_0000_0000))
	b.refuses(t, []refusal{
		{"taken", nathan, gold("GOLDX", false), nodeerr.CodeAssert, "asset_symbol_itr == asset_indx.end()"},
		{"bad symbol", nathan, gold("gold", false), nodeerr.CodeValidate, ""},
		{"no parent", nathan, gold("SILVER.COIN", false), nodeerr.CodeAssert,
			"asset_symbol_itr != asset_indx.end(): Asset SILVER.COIN may only be created by issuer of SILVER, but SILVER has not " +
				"been registered"},
		{"parent of another", []ledger.PrivateKey{b.init}, theirs, nodeerr.CodeAssert, "asset_symbol_itr->issuer == op.issuer"},
		{"not said whether fixed", nathan, edited("SILVER", func(op *ledger.AssetCreateOp) { op.Options.Extensions = nil }),
			nodeerr.CodeAssert,
			"count_fixed_max_supply_ext"},
		{"rate of nothing", nathan, edited("SILVER", func(op *ledger.AssetCreateOp) { op.Options.CoreExchangeRate = rate(1, 0, 1) }),
			nodeerr.CodeValidate,
			"core_exchange_rate"},
		{"monitored, directly", nathan, monitoredAsset("EURX"), nodeerr.CodeMissingActive, ""},
		{"monitored, unsigned", nil, monitoredAsset("EURX"), nodeerr.CodeCommitteeApproval, ""},
	})
	b.by(b.nathan, gold("GOLDX.COIN", true))
	if a, _ := b.asset(2); a.Options.CoreExchangeRate.Quote.AssetID != 2 {
		t.Errorf("the rate names %v", a.Options.CoreExchangeRate)
	}
}

func TestAssetOperationsRefuse(t *testing.T) {
	b := newBank(t)
	nathan, init := []ledger.PrivateKey{b.nathan}, []ledger.PrivateKey{b.init}
	b.by(b.nathan, pay(nathanID, init0ID, 100_0000_0000), gold("GOLDX", true),
		&ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(5000, 1), IssueToAccount: init0ID})
	update := func(edit func(*ledger.UpdateUserIssuedAssetOp)) *ledger.UpdateUserIssuedAssetOp {
		op := &ledger.UpdateUserIssuedAssetOp{Issuer: nathanID, AssetToUpdate: 1, MaxSupply: 1_000_0000, CoreExchangeRate: rate(1, 1, 1)}
		edit(op)
		return op
	}
	nobody := ledger.AccountID(999)
	b.refuses(t, []refusal{
		{"issue of another", init, &ledger.AssetIssueOp{Issuer: init0ID, AssetToIssue: amount(1, 1), IssueToAccount: nathanID},
			nodeerr.CodeAssert,
			"o.issuer == a.issuer"},
		{"issue too much", nathan, &ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(1_000_0000, 1), IssueToAccount: nathanID},
			nodeerr.CodeAssert,
			"(asset_dyn_data->current_supply + o.asset_to_issue.amount) <= a.options.max_supply: more than 1000 GOLDX cannot exist"},
		{"issue to nobody", nathan, &ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(1, 1), IssueToAccount: nobody},
			nodeerr.CodeAssert,
			"d.find_object(o.issue_to_account)"},
		{"issue of nothing", nathan, &ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(1, 7), IssueToAccount: nathanID},
			nodeerr.CodeObjectNotFound,
			"Object ID: 1.3.7"},
		{"reserve too much", nathan, &ledger.AssetReserveOp{Payer: nathanID, AmountToReserve: amount(1, 1)}, nodeerr.CodeAssert,
			"balance >= -delta"},
		{"reserve more than there is", nathan, &ledger.AssetReserveOp{Payer: nathanID, AmountToReserve: amount(5001, 1)},
			nodeerr.CodeAssert,
			"(asset_dyn_data->current_supply"},
		{"fund without gold", nathan, &ledger.AssetFundPoolsOp{FromAccount: nathanID, UIAAsset: amount(1, 1)}, nodeerr.CodeAssert,
			"o.uia_asset <= db().get_balance"},
		{"fund DCT", nathan, &ledger.AssetFundPoolsOp{FromAccount: nathanID, DCTAsset: amount(1, 0)}, nodeerr.CodeAssert,
			"!uia_o.is_monitored_asset()"},
		{"fund, fee in gold", nathan, &ledger.AssetFundPoolsOp{Fee: amount(9999, 1), FromAccount: nathanID, UIAAsset: amount(1, 1)},
			nodeerr.CodeValidate,
			"fee.asset_id == asset_id_type()"},
		{"claim of another", init, &ledger.AssetClaimFeesOp{Issuer: init0ID, UIAAsset: amount(0, 1), DCTAsset: amount(1, 0)},
			nodeerr.CodeAssert,
			"uia_ao.issuer == o.issuer"},
		{"claim too much gold", nathan, &ledger.AssetClaimFeesOp{Issuer: nathanID, UIAAsset: amount(1, 1)}, nodeerr.CodeAssert,
			"o.uia_asset.amount <= asset_dyn_data->asset_pool"},
		{"claim too much DCT", nathan, &ledger.AssetClaimFeesOp{Issuer: nathanID, UIAAsset: amount(0, 1), DCTAsset: amount(1_0000_0000, 0)},
			nodeerr.CodeAssert,
			"o.dct_asset.amount <= asset_dyn_data->core_pool"},
		{"supply below what exists", nathan, update(func(op *ledger.UpdateUserIssuedAssetOp) { op.MaxSupply = 4999 }), nodeerr.CodeAssert,
			"o.max_supply >= "},
		{"fixed supply", nathan, update(func(op *ledger.UpdateUserIssuedAssetOp) { op.MaxSupply++ }), nodeerr.CodeAssert,
			"o.max_supply == asset_to_update->options.max_supply: Asset GOLDX has fixed max supply."},
		{"to nobody", nathan, update(func(op *ledger.UpdateUserIssuedAssetOp) { op.NewIssuer = &nobody }), nodeerr.CodeAssert,
			"d.find_object(*o.new_issuer)"},
		{"update of another", init, update(func(op *ledger.UpdateUserIssuedAssetOp) { op.Issuer = init0ID }), nodeerr.CodeAssert,
			"o.issuer == asset_to_update->issuer"},
		{"not monitored", nathan, &ledger.UpdateMonitoredAssetOp{Issuer: nathanID, AssetToUpdate: 1}, nodeerr.CodeAssert,
			"a.is_monitored_asset()"},
		{"precision of what is out", nathan, &ledger.UpdateUserIssuedAssetAdvancedOp{Issuer: nathanID, AssetToUpdate: 1, NewPrecision: 5},
			nodeerr.CodeAssert,
			"itr.first == itr.second: The asset was already distributed."},
		{"fixed twice", nathan,
			&ledger.UpdateUserIssuedAssetAdvancedOp{Issuer: nathanID, AssetToUpdate: 1, NewPrecision: 4, SetFixedMaxSupply: true},
			nodeerr.CodeAssert,
			"!is_fixed_max_supply"},
		{"nothing to do", nathan, &ledger.UpdateUserIssuedAssetAdvancedOp{Issuer: nathanID, AssetToUpdate: 1, NewPrecision: 4},
			nodeerr.CodeAssert,
			"set_precision || o.set_fixed_max_supply"},
		{"feed for gold", nathan,
			&ledger.AssetPublishFeedOp{Publisher: nathanID, AssetID: 1, Feed: ledger.PriceFeed{CoreExchangeRate: rate(1, 1, 1).Invert()}},
			nodeerr.CodeAssert,
			"a.is_monitored_asset()"},
		{"too precise", nathan, &ledger.UpdateUserIssuedAssetAdvancedOp{Issuer: nathanID, AssetToUpdate: 1, NewPrecision: 13},
			nodeerr.CodeValidate,
			"new_precision <= 12"},
	})
}

func TestAdvancedUpdateFixesPrecisionAndSupply(t *testing.T) {
	b := newBank(t)
	b.by(b.nathan, gold("GOLDX", false))
	b.by(b.nathan, &ledger.UpdateUserIssuedAssetAdvancedOp{Issuer: nathanID, AssetToUpdate: 1, NewPrecision: 6, SetFixedMaxSupply: true})
	if a, _ := b.asset(1); a.Precision != 6 || !a.Options.Extensions[0].FixedSupply.IsFixedMaxSupply {
		t.Errorf("the asset is %+v", a)
	}
}

// Of an odd creation fee the pool gets the smaller half.
func TestCreationFeeIsSharedWithoutMakingAnything(t *testing.T) {
	b := newBank(t)
	op := gold("GOLDX", false)
	op.Fee.Amount = 500_001
	b.by(b.nathan, op)
	_, goldData := b.asset(1)
	_, core := b.asset(0)
	if goldData.CorePool != 250_000 || core.AssetPool != 250_001 {
		t.Errorf("the pools got %d and %d", goldData.CorePool, core.AssetPool)
	}
}

// What a claim brings may pay for the claim.
func TestClaimPaysForItself(t *testing.T) {
	b := newBank(t)
	b.by(b.nathan, gold("GOLDX", false),
		&ledger.AssetFundPoolsOp{FromAccount: nathanID, UIAAsset: amount(0, 1), DCTAsset: amount(1_0000_0000, 0)},
		pay(nathanID, init0ID, 1),
	)
	b.mine()
	issuer := b.register("poor-issuer", ledger.SingleKeyAuthority(keyOf("poor").Public()))
	b.by(b.nathan,
		&ledger.UpdateUserIssuedAssetOp{Issuer: nathanID, AssetToUpdate: 1, MaxSupply: 1_000_0000, CoreExchangeRate: rate(1, 1, 1),
			NewIssuer: &issuer})
	b.by(keyOf("poor"), &ledger.AssetClaimFeesOp{Issuer: issuer, UIAAsset: amount(0, 1), DCTAsset: amount(1_0000_0000, 0)})
	if got := b.balance(issuer); got != 1_0000_0000-500_000 {
		t.Errorf("the issuer has %d", got)
	}
}

func TestCreationFeeInAnotherAssetComesOutOfItsPool(t *testing.T) {
	b := newBank(t)
	b.by(b.nathan, gold("GOLDX", false),
		&ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(1000, 1), IssueToAccount: nathanID},
		&ledger.AssetFundPoolsOp{FromAccount: nathanID, UIAAsset: amount(0, 1), DCTAsset: amount(1_0000_0000, 0)})
	_, before := b.asset(0)
	op := gold("SILVER", false)
	op.Fee = amount(25, 1) // 0.005 DCT
	b.by(b.nathan, op)
	_, core := b.asset(0)
	_, first := b.asset(1)
	_, second := b.asset(2)
	if first.AssetPool != 25 || first.CorePool != 1_0000_0000+250_000-500_000 || second.CorePool != 250_000 ||
		core.AssetPool != before.AssetPool+250_000 {
		t.Errorf("the pools are %+v, %+v and %+v", core, first, second)
	}
}
