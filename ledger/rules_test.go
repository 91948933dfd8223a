package ledger

import (
	"strings"
	"testing"
)

// follows tests the rules of an operation: base is valid, and so is each change of it that stays within them; no change that does not.
func follows[T any, P interface {
	*T
	Body
}](t *testing.T, base T, allowed, refused map[string]func(*T)) {
	t.Helper()
	try := func(what string, change func(*T), valid bool) {
		t.Helper()
		op := base
		change(&op)
		if err := NewOperation(P(&op)).Validate(); (err == nil) != valid {
			t.Errorf("%T with %s: %v", &op, what, err)
		}
	}
	try("nothing changed", func(*T) {}, true)
	for what, change := range allowed {
		try(what, change, true)
	}
	for what, change := range refused {
		try(what, change, false)
	}
}

// Every rule of the ledger about an operation's own values is known here, at its bounds: what the ledger would refuse is not signed.
func TestOperationsFollowTheLedgersRules(t *testing.T) {
	one, gold := AssetAmount{Amount: 1}, AssetAmount{Amount: 1, AssetID: 1}
	single := SingleKeyAuthority(DeriveKey("a", 0).Public())
	nobody, weak := Authority{WeightThreshold: 1}, single
	weak.WeightThreshold = 2
	long := func(n int) string { return strings.Repeat("x", n) }
	name := func(text string) *string { return &text }

	follows(t, TransferObsoleteOp{From: 1, To: 2, Amount: one}, nil, map[string]func(*TransferObsoleteOp){
		"itself as recipient": func(op *TransferObsoleteOp) { op.To = 1 },
		"nothing to pay":      func(op *TransferObsoleteOp) { op.Amount.Amount = 0 },
		"less than nothing":   func(op *TransferObsoleteOp) { op.Amount.Amount = -1 },
		"a fee below zero":    func(op *TransferObsoleteOp) { op.Fee.Amount = -1 },
	})
	follows(t, TransferOp{From: 1, To: AccountID(2).Object(), Amount: one}, map[string]func(*TransferOp){
		"content of its number": func(op *TransferOp) { op.To = ContentID(1).Object() },
	}, map[string]func(*TransferOp){
		"itself as recipient": func(op *TransferOp) { op.To = AccountID(1).Object() },
		"nothing to pay":      func(op *TransferOp) { op.Amount.Amount = 0 },
	})
	follows(t, AccountCreateOp{Name: "alice", Owner: single, Active: single}, map[string]func(*AccountCreateOp){
		"a subscription": func(op *AccountCreateOp) {
			op.Options.AllowSubscription, op.Options.SubscriptionPeriod, op.Options.PricePerSubscribe = true, 1, one
		},
		"the longest": func(op *AccountCreateOp) {
			op.Options.AllowSubscription, op.Options.SubscriptionPeriod, op.Options.PricePerSubscribe = true, 365, one
		},
		"a price for no one": func(op *AccountCreateOp) { op.Options.SubscriptionPeriod = 1000 },
		"a vote":             func(op *AccountCreateOp) { op.Options.Votes, op.Options.NumMiner = make([]VoteID, 1), 1 },
	}, map[string]func(*AccountCreateOp){
		"a bad name":               func(op *AccountCreateOp) { op.Name = "Alice" },
		"an owner of nobody":       func(op *AccountCreateOp) { op.Owner = nobody },
		"an impossible owner":      func(op *AccountCreateOp) { op.Owner = weak },
		"an active of nobody":      func(op *AccountCreateOp) { op.Active = nobody },
		"an impossible active":     func(op *AccountCreateOp) { op.Active = weak },
		"more miners than votes":   func(op *AccountCreateOp) { op.Options.NumMiner = 1 },
		"a subscription of no day": func(op *AccountCreateOp) { op.Options.AllowSubscription, op.Options.PricePerSubscribe = true, one },
		"one for nothing":          func(op *AccountCreateOp) { op.Options.AllowSubscription, op.Options.SubscriptionPeriod = true, 1 },
		"one that is too long": func(op *AccountCreateOp) {
			op.Options.AllowSubscription, op.Options.SubscriptionPeriod, op.Options.PricePerSubscribe = true, 366, one
		},
	})
	follows(t, AccountUpdateOp{Account: 16, Owner: &single}, map[string]func(*AccountUpdateOp){
		"another active":  func(op *AccountUpdateOp) { op.Owner, op.Active = nil, &single },
		"other options":   func(op *AccountUpdateOp) { op.Owner, op.NewOptions = nil, &AccountOptions{} },
		"all that may be": func(op *AccountUpdateOp) { op.Active, op.NewOptions = &single, &AccountOptions{} },
	}, map[string]func(*AccountUpdateOp){
		"nothing to change":    func(op *AccountUpdateOp) { op.Owner = nil },
		"the miners' account":  func(op *AccountUpdateOp) { op.Account = MinerAccount },
		"anybody's account":    func(op *AccountUpdateOp) { op.Account = TempAccount },
		"an owner of nobody":   func(op *AccountUpdateOp) { op.Owner = &nobody },
		"an impossible active": func(op *AccountUpdateOp) { op.Active = &weak },
		"impossible options":   func(op *AccountUpdateOp) { op.NewOptions = &AccountOptions{NumMiner: 1} },
	})
	rate := Price{Base: one, Quote: gold}
	follows(t, AssetCreateOp{Symbol: "GOLD", Precision: MaxPrecision, Description: long(maxDescription), Options: AssetOptions{MaxSupply: 1, CoreExchangeRate: rate}},
		map[string]func(*AssetCreateOp){
			"the largest supply":    func(op *AssetCreateOp) { op.Options.MaxSupply = MaxShareSupply },
			"DCT on the other side": func(op *AssetCreateOp) { op.Options.CoreExchangeRate = rate.Invert() },
			"a price that others say": func(op *AssetCreateOp) {
				op.Options.MaxSupply, op.MonitoredAssetOpts = 0, &MonitoredAssetOptions{FeedLifetimeSec: 1, MinimumFeeds: 1}
			},
		}, map[string]func(*AssetCreateOp){
			"a bad symbol":       func(op *AssetCreateOp) { op.Symbol = "gold" },
			"too many decimals":  func(op *AssetCreateOp) { op.Precision++ },
			"a long description": func(op *AssetCreateOp) { op.Description += "x" },
			"no supply":          func(op *AssetCreateOp) { op.Options.MaxSupply = 0 },
			"too large a supply": func(op *AssetCreateOp) { op.Options.MaxSupply++; op.Options.MaxSupply += MaxShareSupply - 1 },
			"a rate without DCT": func(op *AssetCreateOp) { op.Options.CoreExchangeRate.Base.AssetID = 2 },
			"a supply and feeds": func(op *AssetCreateOp) {
				op.MonitoredAssetOpts = &MonitoredAssetOptions{FeedLifetimeSec: 1, MinimumFeeds: 1}
			},
			"feeds that are over": func(op *AssetCreateOp) {
				op.Options.MaxSupply, op.MonitoredAssetOpts = 0, &MonitoredAssetOptions{MinimumFeeds: 1}
			},
			"feeds of nobody": func(op *AssetCreateOp) {
				op.Options.MaxSupply, op.MonitoredAssetOpts = 0, &MonitoredAssetOptions{FeedLifetimeSec: 1}
			},
		})
	follows(t, AssetIssueOp{AssetToIssue: gold}, map[string]func(*AssetIssueOp){
		"all there may be": func(op *AssetIssueOp) { op.AssetToIssue.Amount = MaxShareSupply },
	}, map[string]func(*AssetIssueOp){
		"nothing":                func(op *AssetIssueOp) { op.AssetToIssue.Amount = 0 },
		"more than there may be": func(op *AssetIssueOp) { op.AssetToIssue.Amount = MaxShareSupply + 1 },
		"DCT":                    func(op *AssetIssueOp) { op.AssetToIssue.AssetID = CoreAsset },
	})
	follows(t, AssetReserveOp{AmountToReserve: one}, nil, map[string]func(*AssetReserveOp){
		"nothing": func(op *AssetReserveOp) { op.AmountToReserve.Amount = 0 },
	})
	issuer, another := AccountID(16), AccountID(17)
	follows(t, UpdateUserIssuedAssetOp{Issuer: issuer, AssetToUpdate: 1, NewIssuer: &another, NewDescription: long(maxDescription), CoreExchangeRate: rate},
		map[string]func(*UpdateUserIssuedAssetOp){
			"the issuer it has": func(op *UpdateUserIssuedAssetOp) { op.NewIssuer = nil },
			"the rate inverted": func(op *UpdateUserIssuedAssetOp) { op.CoreExchangeRate = rate.Invert() },
		}, map[string]func(*UpdateUserIssuedAssetOp){
			"the same issuer anew": func(op *UpdateUserIssuedAssetOp) { op.NewIssuer = &issuer },
			"a long description":   func(op *UpdateUserIssuedAssetOp) { op.NewDescription += "x" },
			"another asset's rate": func(op *UpdateUserIssuedAssetOp) { op.AssetToUpdate = 2 },
			"a rate without DCT":   func(op *UpdateUserIssuedAssetOp) { op.CoreExchangeRate.Base.AssetID = 2 },
			"a rate of DCT to DCT": func(op *UpdateUserIssuedAssetOp) { op.CoreExchangeRate.Quote.AssetID = CoreAsset },
		})
	follows(t, UpdateMonitoredAssetOp{NewDescription: long(maxDescription)}, nil, map[string]func(*UpdateMonitoredAssetOp){
		"a long description": func(op *UpdateMonitoredAssetOp) { op.NewDescription += "x" },
	})
	follows(t, AssetFundPoolsOp{UIAAsset: gold, DCTAsset: one}, map[string]func(*AssetFundPoolsOp){
		"the first only":  func(op *AssetFundPoolsOp) { op.DCTAsset.Amount = 0 },
		"the second only": func(op *AssetFundPoolsOp) { op.UIAAsset.Amount = 0 },
	}, map[string]func(*AssetFundPoolsOp){
		"nothing":               func(op *AssetFundPoolsOp) { op.UIAAsset.Amount, op.DCTAsset.Amount = 0, 0 },
		"less than nothing":     func(op *AssetFundPoolsOp) { op.UIAAsset.Amount = -1 },
		"less than nothing DCT": func(op *AssetFundPoolsOp) { op.DCTAsset.Amount = -1 },
		"no DCT":                func(op *AssetFundPoolsOp) { op.DCTAsset.AssetID = 1 },
	})
	follows(t, AssetClaimFeesOp{UIAAsset: gold, DCTAsset: one}, nil, map[string]func(*AssetClaimFeesOp){
		"nothing": func(op *AssetClaimFeesOp) { op.UIAAsset.Amount, op.DCTAsset.Amount = 0, 0 },
	})
	prices := []RegionalPrice{{Region: RegionNone, Price: one}}
	follows(t, ContentSubmitOp{Author: 16, Size: 1, Price: prices, CoAuthors: []CoAuthor{{Account: 17, Split: 4000}, {Account: 18, Split: 5999}}},
		map[string]func(*ContentSubmitOp){
			"the largest":   func(op *ContentSubmitOp) { op.Size = maxContentSize },
			"no co-authors": func(op *ContentSubmitOp) { op.CoAuthors = nil },
			"the author among them": func(op *ContentSubmitOp) {
				op.CoAuthors = []CoAuthor{{Account: 16, Split: 9999}, {Account: 17, Split: 1}}
			},
			"the author with nothing": func(op *ContentSubmitOp) { op.CoAuthors = []CoAuthor{{Account: 16}, {Account: 17, Split: 10000}} },
		}, map[string]func(*ContentSubmitOp){
			"nothing left for the author": func(op *ContentSubmitOp) {
				op.CoAuthors = []CoAuthor{{Account: 17, Split: 4000}, {Account: 18, Split: 6000}}
			},
			"more than there is": func(op *ContentSubmitOp) {
				op.CoAuthors = []CoAuthor{{Account: 16, Split: 1}, {Account: 17, Split: 10000}}
			},
			"less than there is": func(op *ContentSubmitOp) {
				op.CoAuthors = []CoAuthor{{Account: 17, Split: 9998}, {Account: 16, Split: 1}}
			},
			"no price":  func(op *ContentSubmitOp) { op.Price = nil },
			"no size":   func(op *ContentSubmitOp) { op.Size = 0 },
			"too large": func(op *ContentSubmitOp) { op.Size = maxContentSize + 1 },
		})
	follows(t, LeaveRatingAndCommentOp{Rating: 1, Comment: long(maxComment)}, map[string]func(*LeaveRatingAndCommentOp){
		"the best": func(op *LeaveRatingAndCommentOp) { op.Rating, op.Comment = maxRating, "" },
	}, map[string]func(*LeaveRatingAndCommentOp){
		"no rating":      func(op *LeaveRatingAndCommentOp) { op.Rating = 0 },
		"too good":       func(op *LeaveRatingAndCommentOp) { op.Rating = maxRating + 1 },
		"a long comment": func(op *LeaveRatingAndCommentOp) { op.Comment += "x" },
	})
	follows(t, CustomOp{Fee: one}, nil, map[string]func(*CustomOp){"no fee": func(op *CustomOp) { op.Fee.Amount = 0 }})
	follows(t, AssertOp{}, nil, map[string]func(*AssertOp){"further authorities": func(op *AssertOp) { op.RequiredAuths = make([]AccountID, 1) }})
	follows(t, MinerCreateOp{URL: long(maxMinerURL)}, nil, map[string]func(*MinerCreateOp){"a long link": func(op *MinerCreateOp) { op.URL += "x" }})
	follows(t, MinerUpdateOp{}, map[string]func(*MinerUpdateOp){
		"a link": func(op *MinerUpdateOp) { op.NewURL = name(long(maxMinerURL)) },
	}, map[string]func(*MinerUpdateOp){
		"a long link": func(op *MinerUpdateOp) { op.NewURL = name(long(maxMinerURL + 1)) },
	})
	follows(t, NFTCreateDefinitionOp{Symbol: "CARDS", Options: NFTOptions{Description: long(maxDescription)},
		Definitions: []NFTDataDefinition{{Name: name(long(maxDataName)), Modifiable: 1}, {}, {Name: name("b")}}}, nil, map[string]func(*NFTCreateDefinitionOp){
		"a bad symbol":                        func(op *NFTCreateDefinitionOp) { op.Symbol = "cards" },
		"a long description":                  func(op *NFTCreateDefinitionOp) { op.Options.Description += "x" },
		"a field without a name that changes": func(op *NFTCreateDefinitionOp) { op.Definitions = []NFTDataDefinition{{Modifiable: 1}} },
		"a long name": func(op *NFTCreateDefinitionOp) {
			op.Definitions = []NFTDataDefinition{{Name: name(long(maxDataName + 1))}}
		},
		"a name twice": func(op *NFTCreateDefinitionOp) {
			op.Definitions = []NFTDataDefinition{{Name: name("a")}, {Name: name("a")}}
		},
		"a bad one behind one without a name": func(op *NFTCreateDefinitionOp) { op.Definitions = []NFTDataDefinition{{}, {Modifiable: 1}} },
	})
	follows(t, NFTUpdateDefinitionOp{Options: NFTOptions{Description: long(maxDescription)}}, nil, map[string]func(*NFTUpdateDefinitionOp){
		"a long description": func(op *NFTUpdateDefinitionOp) { op.Options.Description += "x" },
	})
	follows(t, NFTUpdateDataOp{Data: []NamedVariant{{Name: "a"}, {Name: "b"}}}, nil, map[string]func(*NFTUpdateDataOp){
		"a field without a name": func(op *NFTUpdateDataOp) { op.Data = []NamedVariant{{}} },
		"a field twice":          func(op *NFTUpdateDataOp) { op.Data = []NamedVariant{{Name: "a"}, {Name: "a"}} },
	})
	pays := ProposedOperation{Op: NewOperation(&TransferObsoleteOp{From: 1, To: 2, Amount: one})}
	loses := ProposedOperation{Op: NewOperation(&TransferObsoleteOp{From: 1, To: 2})}
	follows(t, ProposalCreateOp{ProposedOps: []ProposedOperation{pays}}, nil, map[string]func(*ProposalCreateOp){
		"nothing proposed":                  func(op *ProposalCreateOp) { op.ProposedOps = nil },
		"something that could never happen": func(op *ProposalCreateOp) { op.ProposedOps = []ProposedOperation{pays, loses} },
	})
	accounts, other := []AccountID{1, 2}, []AccountID{3, 2}
	keys := []PublicKey{DeriveKey("a", 0).Public()}
	follows(t, ProposalUpdateOp{ActiveApprovalsToAdd: accounts}, map[string]func(*ProposalUpdateOp){
		"one instead of another": func(op *ProposalUpdateOp) { op.ActiveApprovalsToRemove = []AccountID{3} },
		"the owner taken back":   func(op *ProposalUpdateOp) { op.OwnerApprovalsToRemove = accounts },
		"only removed":           func(op *ProposalUpdateOp) { op.ActiveApprovalsToAdd, op.ActiveApprovalsToRemove = nil, accounts },
		"only an owner":          func(op *ProposalUpdateOp) { op.ActiveApprovalsToAdd, op.OwnerApprovalsToAdd = nil, accounts },
		"only an owner removed":  func(op *ProposalUpdateOp) { op.ActiveApprovalsToAdd, op.OwnerApprovalsToRemove = nil, accounts },
		"only a key":             func(op *ProposalUpdateOp) { op.ActiveApprovalsToAdd, op.KeyApprovalsToAdd = nil, keys },
		"only a key removed":     func(op *ProposalUpdateOp) { op.ActiveApprovalsToAdd, op.KeyApprovalsToRemove = nil, keys },
	}, map[string]func(*ProposalUpdateOp){
		"nobody":                     func(op *ProposalUpdateOp) { op.ActiveApprovalsToAdd = nil },
		"one added and removed":      func(op *ProposalUpdateOp) { op.ActiveApprovalsToRemove = other },
		"an owner added and removed": func(op *ProposalUpdateOp) { op.OwnerApprovalsToAdd, op.OwnerApprovalsToRemove = accounts, other },
		"a key added and removed":    func(op *ProposalUpdateOp) { op.KeyApprovalsToAdd, op.KeyApprovalsToRemove = keys, keys },
	})
	follows(t, SubscribeOp{}, nil, map[string]func(*SubscribeOp){"a price below zero": func(op *SubscribeOp) { op.Price.Amount = -1 }})
	follows(t, VestingBalanceCreateOp{Amount: one}, nil, map[string]func(*VestingBalanceCreateOp){"nothing": func(op *VestingBalanceCreateOp) { op.Amount.Amount = 0 }})
	follows(t, VestingBalanceWithdrawOp{Amount: one}, nil, map[string]func(*VestingBalanceWithdrawOp){"nothing": func(op *VestingBalanceWithdrawOp) { op.Amount.Amount = 0 }})
	follows(t, WithdrawPermissionCreateOp{WithdrawFromAccount: 1, AuthorizedAccount: 2, WithdrawalLimit: one, WithdrawalPeriodSec: 1, PeriodsUntilExpiration: 1}, nil,
		map[string]func(*WithdrawPermissionCreateOp){
			"itself":     func(op *WithdrawPermissionCreateOp) { op.AuthorizedAccount = 1 },
			"no limit":   func(op *WithdrawPermissionCreateOp) { op.WithdrawalLimit.Amount = 0 },
			"no period":  func(op *WithdrawPermissionCreateOp) { op.WithdrawalPeriodSec = 0 },
			"no periods": func(op *WithdrawPermissionCreateOp) { op.PeriodsUntilExpiration = 0 },
		})
	follows(t, WithdrawPermissionUpdateOp{WithdrawFromAccount: 1, AuthorizedAccount: 2, WithdrawalLimit: one, WithdrawalPeriodSec: 1, PeriodsUntilExpiration: 1}, nil,
		map[string]func(*WithdrawPermissionUpdateOp){
			"itself":     func(op *WithdrawPermissionUpdateOp) { op.AuthorizedAccount = 1 },
			"no limit":   func(op *WithdrawPermissionUpdateOp) { op.WithdrawalLimit.Amount = 0 },
			"no period":  func(op *WithdrawPermissionUpdateOp) { op.WithdrawalPeriodSec = 0 },
			"no periods": func(op *WithdrawPermissionUpdateOp) { op.PeriodsUntilExpiration = 0 },
		})
	follows(t, WithdrawPermissionClaimOp{WithdrawFromAccount: 1, WithdrawToAccount: 2, AmountToWithdraw: one}, nil, map[string]func(*WithdrawPermissionClaimOp){
		"itself":  func(op *WithdrawPermissionClaimOp) { op.WithdrawToAccount = 1 },
		"nothing": func(op *WithdrawPermissionClaimOp) { op.AmountToWithdraw.Amount = 0 },
	})
}
