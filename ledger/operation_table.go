package ledger

import "reflect"

// opSpec declares one operation: everything that is not in its field list.
type opSpec struct {
	code     OpCode
	name     string // the reference's name without its suffix
	virtual  bool
	fee      uint64 // built-in fee, smallest unit of DCT
	perKByte uint32 // built-in price per 1024 bytes, where the size counts
	make     func() Body
	typ      reflect.Type
}

// operations is the table of all operations, by code (protocol/serialization.md 2).
var operations = specTable([]opSpec{
	{code: 0, name: "transfer_obsolete", fee: 100000, make: func() Body { return new(TransferObsoleteOp) }},
	{code: 1, name: "account_create", fee: 100000, make: func() Body { return new(AccountCreateOp) }},
	{code: 2, name: "account_update", fee: 100000, make: func() Body { return new(AccountUpdateOp) }},
	{code: 3, name: "asset_create", fee: 100000, make: func() Body { return new(AssetCreateOp) }},
	{code: 4, name: "asset_issue", fee: 500000, make: func() Body { return new(AssetIssueOp) }},
	{code: 5, name: "asset_publish_feed", fee: 10, make: func() Body { return new(AssetPublishFeedOp) }},
	{code: 6, name: "miner_create", fee: 50000000, make: func() Body { return new(MinerCreateOp) }},
	{code: 7, name: "miner_update", fee: 100000, make: func() Body { return new(MinerUpdateOp) }},
	{code: 8, name: "miner_update_global_parameters", fee: 10, make: func() Body { return new(MinerUpdateGlobalParametersOp) }},
	{code: 9, name: "proposal_create", fee: 100000, perKByte: 10, make: func() Body { return new(ProposalCreateOp) }},
	{code: 10, name: "proposal_update", fee: 100000, perKByte: 10, make: func() Body { return new(ProposalUpdateOp) }},
	{code: 11, name: "proposal_delete", fee: 100000, make: func() Body { return new(ProposalDeleteOp) }},
	{code: 12, name: "withdraw_permission_create", fee: 100000, make: func() Body { return new(WithdrawPermissionCreateOp) }},
	{code: 13, name: "withdraw_permission_update", fee: 100000, make: func() Body { return new(WithdrawPermissionUpdateOp) }},
	{code: 14, name: "withdraw_permission_claim", fee: 100000, perKByte: 10, make: func() Body { return new(WithdrawPermissionClaimOp) }},
	{code: 15, name: "withdraw_permission_delete", make: func() Body { return new(WithdrawPermissionDeleteOp) }},
	{code: 16, name: "vesting_balance_create", fee: 100000, make: func() Body { return new(VestingBalanceCreateOp) }},
	{code: 17, name: "vesting_balance_withdraw", fee: 100000, make: func() Body { return new(VestingBalanceWithdrawOp) }},
	{code: 18, name: "custom", fee: 100000, perKByte: 10, make: func() Body { return new(CustomOp) }},
	{code: 19, name: "assert", fee: 1000000, make: func() Body { return new(AssertOp) }},
	{code: 20, name: "content_submit", fee: 1000000, make: func() Body { return new(ContentSubmitOp) }},
	{code: 21, name: "request_to_buy", make: func() Body { return new(RequestToBuyOp) }},
	{code: 22, name: "leave_rating_and_comment", make: func() Body { return new(LeaveRatingAndCommentOp) }},
	{code: 23, name: "ready_to_publish_obsolete", make: func() Body { return new(ReadyToPublishObsoleteOp) }},
	{code: 24, name: "proof_of_custody", make: func() Body { return new(ProofOfCustodyOp) }},
	{code: 25, name: "deliver_keys", make: func() Body { return new(DeliverKeysOp) }},
	{code: 26, name: "subscribe", make: func() Body { return new(SubscribeOp) }},
	{code: 27, name: "subscribe_by_author", make: func() Body { return new(SubscribeByAuthorOp) }},
	{code: 28, name: "automatic_renewal_of_subscription", make: func() Body { return new(AutomaticRenewalOfSubscriptionOp) }},
	{code: 29, name: "report_stats", make: func() Body { return new(ReportStatsOp) }},
	{code: 30, name: "set_publishing_manager", make: func() Body { return new(SetPublishingManagerOp) }},
	{code: 31, name: "set_publishing_right", make: func() Body { return new(SetPublishingRightOp) }},
	{code: 32, name: "content_cancellation", make: func() Body { return new(ContentCancellationOp) }},
	{code: 33, name: "asset_fund_pools", fee: 500000, make: func() Body { return new(AssetFundPoolsOp) }},
	{code: 34, name: "asset_reserve", fee: 500000, make: func() Body { return new(AssetReserveOp) }},
	{code: 35, name: "asset_claim_fees", fee: 500000, make: func() Body { return new(AssetClaimFeesOp) }},
	{code: 36, name: "update_user_issued_asset", fee: 500000, make: func() Body { return new(UpdateUserIssuedAssetOp) }},
	{code: 37, name: "update_monitored_asset", fee: 500000, make: func() Body { return new(UpdateMonitoredAssetOp) }},
	{code: 38, name: "ready_to_publish", make: func() Body { return new(ReadyToPublishOp) }},
	{code: 39, name: "transfer", fee: 100000, make: func() Body { return new(TransferOp) }},
	{code: 40, name: "update_user_issued_asset_advanced", fee: 500000, make: func() Body { return new(UpdateUserIssuedAssetAdvancedOp) }},
	{code: 41, name: "non_fungible_token_create_definition", fee: 100000, perKByte: 10, make: func() Body { return new(NFTCreateDefinitionOp) }},
	{code: 42, name: "non_fungible_token_update_definition", fee: 500000, make: func() Body { return new(NFTUpdateDefinitionOp) }},
	{code: 43, name: "non_fungible_token_issue", fee: 500000, perKByte: 10, make: func() Body { return new(NFTIssueOp) }},
	{code: 44, name: "non_fungible_token_transfer", fee: 500000, make: func() Body { return new(NFTTransferOp) }},
	{code: 45, name: "non_fungible_token_update_data", fee: 500000, perKByte: 10, make: func() Body { return new(NFTUpdateDataOp) }},
	{code: 46, name: "disallow_automatic_renewal_of_subscription", virtual: true, make: func() Body { return new(DisallowAutomaticRenewalOfSubscriptionOp) }},
	{code: 47, name: "return_escrow_submission", virtual: true, make: func() Body { return new(ReturnEscrowSubmissionOp) }},
	{code: 48, name: "return_escrow_buying", virtual: true, make: func() Body { return new(ReturnEscrowBuyingOp) }},
	{code: 49, name: "pay_seeder", virtual: true, make: func() Body { return new(PaySeederOp) }},
	{code: 50, name: "finish_buying", virtual: true, make: func() Body { return new(FinishBuyingOp) }},
	{code: 51, name: "renewal_of_subscription", virtual: true, make: func() Body { return new(RenewalOfSubscriptionOp) }},
})

func specTable(list []opSpec) []opSpec {
	for i := range list {
		list[i].typ = reflect.TypeOf(list[i].make())
	}
	return list
}

func specOf(code OpCode) *opSpec {
	if code >= OpCode(len(operations)) {
		return nil
	}
	return &operations[code]
}
