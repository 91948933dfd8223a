package ledger

import (
	"fmt"
	"strconv"

	"billfold/ledger/printable"
)

// Codes of the operations on assets.
const (
	CodeAssetCreate                   OpCode = 3  // asset_create
	CodeAssetIssue                    OpCode = 4  // asset_issue
	CodeAssetPublishFeed              OpCode = 5  // asset_publish_feed
	CodeAssetReserve                  OpCode = 34 // asset_reserve
	CodeUpdateUserIssuedAsset         OpCode = 36 // update_user_issued_asset
	CodeUpdateMonitoredAsset          OpCode = 37 // update_monitored_asset
	CodeUpdateUserIssuedAssetAdvanced OpCode = 40 // update_user_issued_asset_advanced
)

// AssetCreateOp creates an asset; the outer is_exchangeable has no effect.
type AssetCreateOp struct {
	Fee                AssetAmount            `json:"fee,omitempty"`
	Issuer             AccountID              `json:"issuer"`
	Symbol             string                 `json:"symbol"`
	Precision          uint8                  `json:"precision"`
	Description        string                 `json:"description"`
	Options            AssetOptions           `json:"options"`
	MonitoredAssetOpts *MonitoredAssetOptions `json:"monitored_asset_opts,omitempty"`
	IsExchangeable     bool                   `json:"is_exchangeable"`
	Extensions         Extensions             `json:"extensions"`
}

// FeePayer returns the issuer, or 1.2.0 for a monitored asset, which the miners create.
func (op *AssetCreateOp) FeePayer() AccountID {
	if op.MonitoredAssetOpts != nil {
		return MinerAccount
	}
	return op.Issuer
}

func (*AssetCreateOp) declared() *declaration { return &assetCreateDeclaration }

var assetCreateDeclaration = declaration{
	code: CodeAssetCreate, name: "asset_create", new: empty[AssetCreateOp],
	fee: feeRule{fixed: 100_000, basic: true, base: base(func(f FeeParameters, op *AssetCreateOp) (uint64, error) {
		if op.MonitoredAssetOpts != nil {
			return f.Fee, nil
		}
		return f.Fee * symbolFactor(op.Symbol), nil
	})},
	rules:    rules((*AssetCreateOp).valid),
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	gives:    gives(func(op *AssetCreateOp) []AccountID { return []AccountID{op.Issuer} }),
	sentence: template("{issuer} created the asset {symbol}"),
}

// effects returns the asset's settings in its own units, which no Namer knows before the asset exists.
func (op *AssetCreateOp) effects(_ Before, n Namer) []Effect {
	if op.MonitoredAssetOpts != nil {
		return nil
	}
	words := func(a AssetAmount) string {
		if a.AssetID == CoreAsset {
			return n.AmountText(a)
		}
		return FormatDecimals(a.Amount, op.Precision) + " " + op.Symbol
	}
	rate := op.Options.CoreExchangeRate
	return []Effect{
		{What: "maximum supply of " + op.Symbol, Now: words(AssetAmount{Amount: op.Options.MaxSupply, AssetID: 1})},
		{What: "DCT rate of " + op.Symbol, Now: words(rate.Base) + " for " + words(rate.Quote)},
		{What: "fees can be paid in " + op.Symbol, Now: strconv.FormatBool(op.Options.IsExchangeable)},
	}
}

func (op *AssetCreateOp) valid() error {
	err := check(ValidSymbol(op.Symbol), validDescription(op.Description),
		require(op.Precision <= MaxPrecision, fmt.Sprintf("an asset has at most %d decimals", MaxPrecision)))
	if err != nil {
		return err
	}
	if m := op.MonitoredAssetOpts; m != nil {
		return check(
			require(op.Options.MaxSupply == 0, "a monitored asset has no maximum supply: it must be 0"),
			require(
				m.FeedLifetimeSec > 0 && m.MinimumFeeds > 0,
				"a monitored asset needs a feed lifetime and a number of feeds above zero",
			),
		)
	}
	return check(validSupply(op.Options.MaxSupply), validCoreRate(op.Options.CoreExchangeRate))
}

// AssetIssueOp issues units of an asset to an account.
type AssetIssueOp struct {
	Fee            AssetAmount `json:"fee,omitempty"`
	Issuer         AccountID   `json:"issuer"`
	AssetToIssue   AssetAmount `json:"asset_to_issue"`
	IssueToAccount AccountID   `json:"issue_to_account"`
	Memo           *Memo       `json:"memo,omitempty"`
	Extensions     Extensions  `json:"extensions"`
}

// FeePayer returns the issuer.
func (op *AssetIssueOp) FeePayer() AccountID { return op.Issuer }

func (op *AssetIssueOp) memo() **Memo { return &op.Memo }

func (*AssetIssueOp) declared() *declaration { return &assetIssueDeclaration }

var assetIssueDeclaration = declaration{
	code: CodeAssetIssue, name: "asset_issue", new: empty[AssetIssueOp],
	fee: feeRule{fixed: 500_000, base: base(func(f FeeParameters, op *AssetIssueOp) (uint64, error) {
		return f.plus(f.Fee, &op.Memo) // the fixed fee serves as the price per kbyte
	})},
	rules:   rules((*AssetIssueOp).valid),
	signs:   payerSigns,
	touches: touches(func(op *AssetIssueOp) []AccountID { return []AccountID{op.IssueToAccount} }),
	moves: moves(func(op *AssetIssueOp) []Movement {
		return []Movement{{To: op.IssueToAccount.Object(), Amount: op.AssetToIssue}}
	}),
	sentence: template("{issuer} issued {asset_to_issue} to {issue_to_account}"),
}

func (op *AssetIssueOp) valid() error {
	return check(positive("the amount to issue", op.AssetToIssue),
		require(op.AssetToIssue.Amount <= MaxShareSupply, "the amount to issue is more than any asset can have"),
		require(op.AssetToIssue.AssetID != CoreAsset, "DCT cannot be issued"))
}

// AssetPublishFeedOp publishes what a monitored asset is worth.
type AssetPublishFeedOp struct {
	Fee        AssetAmount `json:"fee,omitempty"`
	Publisher  AccountID   `json:"publisher"`
	AssetID    AssetID     `json:"asset_id"`
	Feed       PriceFeed   `json:"feed"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer returns the publisher.
func (op *AssetPublishFeedOp) FeePayer() AccountID { return op.Publisher }

func (*AssetPublishFeedOp) declared() *declaration { return &assetPublishFeedDeclaration }

var assetPublishFeedDeclaration = declaration{
	code: CodeAssetPublishFeed, name: "asset_publish_feed", new: empty[AssetPublishFeedOp],
	fee:      flatFee(10),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{publisher} published a price of {asset_id}"),
}

// AssetReserveOp burns units of an asset.
type AssetReserveOp struct {
	Fee             AssetAmount `json:"fee,omitempty"`
	Payer           AccountID   `json:"payer"`
	AmountToReserve AssetAmount `json:"amount_to_reserve"`
	Extensions      Extensions  `json:"extensions"`
}

// FeePayer returns the owner of what is burned.
func (op *AssetReserveOp) FeePayer() AccountID { return op.Payer }

func (*AssetReserveOp) declared() *declaration { return &assetReserveDeclaration }

var assetReserveDeclaration = declaration{
	code: CodeAssetReserve, name: "asset_reserve", new: empty[AssetReserveOp],
	fee:     flatFee(500_000),
	rules:   rules((*AssetReserveOp).valid),
	signs:   payerSigns,
	touches: touchesNobodyElse,
	moves: moves(func(op *AssetReserveOp) []Movement {
		return []Movement{{From: op.Payer.Object(), Amount: op.AmountToReserve}}
	}),
	sentence: template("{payer} burned {amount_to_reserve}"),
}

// effects warns that burning is for ever.
func (op *AssetReserveOp) effects(_ Before, n Namer) []Effect {
	return []Effect{{What: "supply of " + n.AssetName(op.AmountToReserve.AssetID), Now: "reduced",
		Careful: grouped(n.AmountText(op.AmountToReserve)) + " are destroyed for ever"}}
}

func (op *AssetReserveOp) valid() error { return positive("the amount to burn", op.AmountToReserve) }

// UpdateUserIssuedAssetOp changes a user-issued asset.
type UpdateUserIssuedAssetOp struct {
	Fee              AssetAmount `json:"fee,omitempty"`
	Issuer           AccountID   `json:"issuer"`
	AssetToUpdate    AssetID     `json:"asset_to_update"`
	NewDescription   string      `json:"new_description"`
	NewIssuer        *AccountID  `json:"new_issuer,omitempty"`
	MaxSupply        uint64      `json:"max_supply"`
	CoreExchangeRate Price       `json:"core_exchange_rate"`
	IsExchangeable   bool        `json:"is_exchangeable"`
	Extensions       Extensions  `json:"extensions"`
}

// FeePayer returns the issuer.
func (op *UpdateUserIssuedAssetOp) FeePayer() AccountID { return op.Issuer }

func (*UpdateUserIssuedAssetOp) declared() *declaration { return &updateUserIssuedAssetDeclaration }

var updateUserIssuedAssetDeclaration = declaration{
	code: CodeUpdateUserIssuedAsset, name: "update_user_issued_asset", new: empty[UpdateUserIssuedAssetOp],
	fee:      flatFee(500_000),
	rules:    rules((*UpdateUserIssuedAssetOp).valid),
	signs:    payerSigns,
	touches:  touches((*UpdateUserIssuedAssetOp).beneficiaries),
	moves:    movesNothing,
	gives:    gives((*UpdateUserIssuedAssetOp).beneficiaries),
	sentence: template("{issuer} changed the asset {asset_to_update}"),
}

// effects compares the new settings with the asset's present ones.
func (op *UpdateUserIssuedAssetOp) effects(before Before, n Namer) (out []Effect) {
	asset := n.AssetName(op.AssetToUpdate)
	if op.NewIssuer != nil {
		out = append(out, newIssuer(asset, op.Issuer, *op.NewIssuer, n))
	}
	units := func(amount uint64) string {
		return grouped(n.AmountText(AssetAmount{Amount: int64(amount), AssetID: op.AssetToUpdate}))
	}
	supply, rate, fees, description := notKnown, notKnown, notKnown, notKnown
	if current := before.Asset(op.AssetToUpdate); current != nil {
		supply, rate = units(uint64(current.Options.MaxSupply)), current.Options.CoreExchangeRate.words(n)
		fees, description = strconv.FormatBool(current.Options.IsExchangeable), printable.Word(current.Description)
	}
	out = append(out, changeOf("maximum supply of "+asset, supply, units(op.MaxSupply))...)
	out = append(out, changeOf("DCT rate of "+asset, rate, op.CoreExchangeRate.words(n))...)
	out = append(out, changeOf("fees can be paid in "+asset, fees, strconv.FormatBool(op.IsExchangeable))...)
	return append(out, changeOf("description of "+asset, description, printable.Word(op.NewDescription))...)
}

// newIssuer returns a warning that an asset, or a kind of token, is given away.
func newIssuer(of string, was, now AccountID, n Namer) Effect {
	return Effect{What: "issuer of " + of, Was: withID(was, n), Now: withID(now, n), Whom: []AccountID{now},
		Careful: "gives " + of + " away: only " + withID(now, n) + " can issue it, change it or give it back"}
}

// beneficiaries returns the new issuer.
func (op *UpdateUserIssuedAssetOp) beneficiaries() []AccountID {
	if op.NewIssuer == nil {
		return nil
	}
	return []AccountID{*op.NewIssuer}
}

func (op *UpdateUserIssuedAssetOp) valid() error {
	return check(validDescription(op.NewDescription),
		require(op.NewIssuer == nil || *op.NewIssuer != op.Issuer, "the new issuer must be another account"),
		require(isCoreRateOf(op.CoreExchangeRate, op.AssetToUpdate), "the exchange rate must be between the asset and DCT"))
}

// UpdateMonitoredAssetOp changes a monitored asset.
type UpdateMonitoredAssetOp struct {
	Fee                AssetAmount `json:"fee,omitempty"`
	Issuer             AccountID   `json:"issuer"`
	AssetToUpdate      AssetID     `json:"asset_to_update"`
	NewDescription     string      `json:"new_description"`
	NewFeedLifetimeSec uint32      `json:"new_feed_lifetime_sec"`
	NewMinimumFeeds    uint8       `json:"new_minimum_feeds"`
	Extensions         Extensions  `json:"extensions"`
}

// FeePayer returns the issuer.
func (op *UpdateMonitoredAssetOp) FeePayer() AccountID { return op.Issuer }

func (*UpdateMonitoredAssetOp) declared() *declaration { return &updateMonitoredAssetDeclaration }

var updateMonitoredAssetDeclaration = declaration{
	code: CodeUpdateMonitoredAsset, name: "update_monitored_asset", new: empty[UpdateMonitoredAssetOp],
	fee:      flatFee(500_000),
	rules:    rules((*UpdateMonitoredAssetOp).valid),
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{issuer} changed the monitored asset {asset_to_update}"),
}

func (op *UpdateMonitoredAssetOp) valid() error { return validDescription(op.NewDescription) }

// UpdateUserIssuedAssetAdvancedOp changes the precision of a user-issued asset or fixes its maximum supply.
type UpdateUserIssuedAssetAdvancedOp struct {
	Fee               AssetAmount `json:"fee,omitempty"`
	Issuer            AccountID   `json:"issuer"`
	AssetToUpdate     AssetID     `json:"asset_to_update"`
	NewPrecision      uint8       `json:"new_precision"`
	SetFixedMaxSupply bool        `json:"set_fixed_max_supply"`
	Extensions        Extensions  `json:"extensions"`
}

// FeePayer returns the issuer.
func (op *UpdateUserIssuedAssetAdvancedOp) FeePayer() AccountID { return op.Issuer }

func (*UpdateUserIssuedAssetAdvancedOp) declared() *declaration {
	return &updateUserIssuedAssetAdvancedDeclaration
}

var updateUserIssuedAssetAdvancedDeclaration = declaration{
	code: CodeUpdateUserIssuedAssetAdvanced, name: "update_user_issued_asset_advanced", new: empty[UpdateUserIssuedAssetAdvancedOp],
	fee:      flatFee(500_000),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: words((*UpdateUserIssuedAssetAdvancedOp).sentence),
}

// effects compares the new precision with the present one, and warns of what can never be undone.
func (op *UpdateUserIssuedAssetAdvancedOp) effects(before Before, n Namer) []Effect {
	asset, was := n.AssetName(op.AssetToUpdate), notKnown
	if current := before.Asset(op.AssetToUpdate); current != nil {
		was = strconv.Itoa(int(current.Precision))
	}
	out := changeOf("decimals of "+asset, was, strconv.Itoa(int(op.NewPrecision)))
	if op.SetFixedMaxSupply {
		out = append(out, Effect{What: "maximum supply of " + asset, Now: "fixed",
			Careful: "fixes the maximum supply of " + asset + " for ever"})
	}
	return out
}

// sentence always names the precision, which the operation always contains; the effects show whether it changes.
func (op *UpdateUserIssuedAssetAdvancedOp) sentence(n Namer) string {
	done := fmt.Sprintf("%s set the decimals of %s to %d", n.AccountName(op.Issuer), n.AssetName(op.AssetToUpdate), op.NewPrecision)
	if op.SetFixedMaxSupply {
		done += " and fixed its maximum supply"
	}
	return done
}

// SetDefaults sets the members whose default is not zero.
func (op *UpdateUserIssuedAssetAdvancedOp) SetDefaults() { op.NewPrecision = 8 }

// SetDefaults sets the members whose default is not zero.
func (op *AssetCreateOp) SetDefaults() { op.IsExchangeable = true }

func validSupply(supply int64) error {
	return require(
		supply >= 1 && supply <= MaxShareSupply,
		fmt.Sprintf("the maximum supply must lie between 1 and %d", int64(MaxShareSupply)),
	)
}

func validCoreRate(p Price) error {
	return require(p.Base.AssetID == CoreAsset || p.Quote.AssetID == CoreAsset, "one side of the exchange rate must be DCT")
}

// isCoreRateOf reports whether p is a price between asset and DCT.
func isCoreRateOf(p Price, asset AssetID) bool {
	return p.Base.AssetID == asset && p.Quote.AssetID == CoreAsset || p.Base.AssetID == CoreAsset && p.Quote.AssetID == asset
}
