package ledger

import "reflect"

// opSpec declares one operation: everything that is not in its field list.
type opSpec struct {
	code     OpCode
	name     string // the reference's name without its suffix
	virtual  bool
	fee      uint64 // built-in fee, smallest unit of DCT
	perKByte uint32 // built-in price per 1024 bytes, where the size counts
	sentence string // who did what, with members in braces; empty where the body has words of its own
	make     func() Body
	typ      reflect.Type
}

// operations is the table of all operations, by code (protocol/serialization.md 2).
var operations = specTable([]opSpec{
	{code: CodeTransferObsolete, name: "transfer_obsolete", fee: 100000, sentence: "{from} paid {amount} to {to}",
		make: func() Body { return new(TransferObsoleteOp) }},
	{code: CodeAccountCreate, name: "account_create", fee: 100000, sentence: "{registrar} registered the account {name}",
		make: func() Body { return new(AccountCreateOp) }},
	{code: CodeAccountUpdate, name: "account_update", fee: 100000, make: func() Body { return new(AccountUpdateOp) }},
	{code: CodeAssetCreate, name: "asset_create", fee: 100000, sentence: "{issuer} created the asset {symbol}",
		make: func() Body { return new(AssetCreateOp) }},
	{code: CodeAssetIssue, name: "asset_issue", fee: 500000, sentence: "{issuer} issued {asset_to_issue} to {issue_to_account}",
		make: func() Body { return new(AssetIssueOp) }},
	{code: CodeAssetPublishFeed, name: "asset_publish_feed", fee: 10, sentence: "{publisher} said what {asset_id} is worth",
		make: func() Body { return new(AssetPublishFeedOp) }},
	{code: CodeMinerCreate, name: "miner_create", fee: 50000000, sentence: "{miner_account} became a miner",
		make: func() Body { return new(MinerCreateOp) }},
	{code: CodeMinerUpdate, name: "miner_update", fee: 100000, sentence: "{miner_account} changed its miner settings",
		make: func() Body { return new(MinerUpdateOp) }},
	{code: CodeMinerUpdateGlobalParameters, name: "miner_update_global_parameters", fee: 10, sentence: "the miners changed the chain's parameters",
		make: func() Body { return new(MinerUpdateGlobalParametersOp) }},
	{code: CodeProposalCreate, name: "proposal_create", fee: 100000, perKByte: 10, make: func() Body { return new(ProposalCreateOp) }},
	{code: CodeProposalUpdate, name: "proposal_update", fee: 100000, perKByte: 10, make: func() Body { return new(ProposalUpdateOp) }},
	{code: CodeProposalDelete, name: "proposal_delete", fee: 100000, sentence: "{fee_paying_account} withdrew the proposal {proposal}",
		make: func() Body { return new(ProposalDeleteOp) }},
	{code: CodeWithdrawPermissionCreate, name: "withdraw_permission_create", fee: 100000, sentence: "{withdraw_from_account} allowed {authorized_account} to withdraw {withdrawal_limit} every {withdrawal_period_sec} seconds",
		make: func() Body { return new(WithdrawPermissionCreateOp) }},
	{code: CodeWithdrawPermissionUpdate, name: "withdraw_permission_update", fee: 100000, sentence: "{withdraw_from_account} changed what {authorized_account} may withdraw to {withdrawal_limit} every {withdrawal_period_sec} seconds",
		make: func() Body { return new(WithdrawPermissionUpdateOp) }},
	{code: CodeWithdrawPermissionClaim, name: "withdraw_permission_claim", fee: 100000, perKByte: 10, sentence: "{withdraw_to_account} withdrew {amount_to_withdraw} from {withdraw_from_account}",
		make: func() Body { return new(WithdrawPermissionClaimOp) }},
	{code: CodeWithdrawPermissionDelete, name: "withdraw_permission_delete", sentence: "{withdraw_from_account} took back what {authorized_account} may withdraw",
		make: func() Body { return new(WithdrawPermissionDeleteOp) }},
	{code: CodeVestingBalanceCreate, name: "vesting_balance_create", fee: 100000, sentence: "{creator} set {amount} aside for {owner} to become free over time",
		make: func() Body { return new(VestingBalanceCreateOp) }},
	{code: CodeVestingBalanceWithdraw, name: "vesting_balance_withdraw", fee: 100000, sentence: "{owner} took {amount} out of the vesting balance {vesting_balance}",
		make: func() Body { return new(VestingBalanceWithdrawOp) }},
	{code: CodeCustom, name: "custom", fee: 100000, perKByte: 10, make: func() Body { return new(CustomOp) }},
	{code: CodeAssert, name: "assert", fee: 1000000, sentence: "{fee_paying_account} made the transaction depend on conditions",
		make: func() Body { return new(AssertOp) }},
	{code: CodeContentSubmit, name: "content_submit", fee: 1000000, sentence: "{author} offered the content {URI}",
		make: func() Body { return new(ContentSubmitOp) }},
	{code: CodeRequestToBuy, name: "request_to_buy", sentence: "{consumer} bought {URI} for {price}",
		make: func() Body { return new(RequestToBuyOp) }},
	{code: CodeLeaveRatingAndComment, name: "leave_rating_and_comment", make: func() Body { return new(LeaveRatingAndCommentOp) }},
	{code: CodeReadyToPublishObsolete, name: "ready_to_publish_obsolete", sentence: "{seeder} announced to seed content",
		make: func() Body { return new(ReadyToPublishObsoleteOp) }},
	{code: CodeProofOfCustody, name: "proof_of_custody", sentence: "{seeder} proved to hold {URI}",
		make: func() Body { return new(ProofOfCustodyOp) }},
	{code: CodeDeliverKeys, name: "deliver_keys", sentence: "{seeder} delivered its key part for the purchase {buying}",
		make: func() Body { return new(DeliverKeysOp) }},
	{code: CodeSubscribe, name: "subscribe", sentence: "{from} subscribed to {to} for {price}",
		make: func() Body { return new(SubscribeOp) }},
	{code: CodeSubscribeByAuthor, name: "subscribe_by_author", sentence: "{from} subscribed to {to} without payment",
		make: func() Body { return new(SubscribeByAuthorOp) }},
	{code: CodeAutomaticRenewalOfSubscription, name: "automatic_renewal_of_subscription", sentence: "{consumer} switched the automatic renewal of {subscription} {automatic_renewal:on|off}",
		make: func() Body { return new(AutomaticRenewalOfSubscriptionOp) }},
	{code: CodeReportStats, name: "report_stats", sentence: "{consumer} reported what seeders delivered",
		make: func() Body { return new(ReportStatsOp) }},
	{code: CodeSetPublishingManager, name: "set_publishing_manager", sentence: "{from} {can_create_publishers:named|dismissed} publishing managers: {to}",
		make: func() Body { return new(SetPublishingManagerOp) }},
	{code: CodeSetPublishingRight, name: "set_publishing_right", sentence: "{from} {is_publisher:named|dismissed} publishers: {to}",
		make: func() Body { return new(SetPublishingRightOp) }},
	{code: CodeContentCancellation, name: "content_cancellation", sentence: "{author} withdrew the content {URI}",
		make: func() Body { return new(ContentCancellationOp) }},
	{code: CodeAssetFundPools, name: "asset_fund_pools", fee: 500000, sentence: "{from_account} paid {uia_asset} and {dct_asset} into the asset's pools",
		make: func() Body { return new(AssetFundPoolsOp) }},
	{code: CodeAssetReserve, name: "asset_reserve", fee: 500000, sentence: "{payer} burned {amount_to_reserve}",
		make: func() Body { return new(AssetReserveOp) }},
	{code: CodeAssetClaimFees, name: "asset_claim_fees", fee: 500000, sentence: "{issuer} took {uia_asset} and {dct_asset} out of the asset's pools",
		make: func() Body { return new(AssetClaimFeesOp) }},
	{code: CodeUpdateUserIssuedAsset, name: "update_user_issued_asset", fee: 500000, sentence: "{issuer} changed the asset {asset_to_update}",
		make: func() Body { return new(UpdateUserIssuedAssetOp) }},
	{code: CodeUpdateMonitoredAsset, name: "update_monitored_asset", fee: 500000, sentence: "{issuer} changed the monitored asset {asset_to_update}",
		make: func() Body { return new(UpdateMonitoredAssetOp) }},
	{code: CodeReadyToPublish, name: "ready_to_publish", sentence: "{seeder} announced to seed content",
		make: func() Body { return new(ReadyToPublishOp) }},
	{code: CodeTransfer, name: "transfer", fee: 100000, sentence: "{from} paid {amount} to {to}",
		make: func() Body { return new(TransferOp) }},
	{code: CodeUpdateUserIssuedAssetAdvanced, name: "update_user_issued_asset_advanced", fee: 500000, sentence: "{issuer} changed the precision of {asset_to_update} to {new_precision}",
		make: func() Body { return new(UpdateUserIssuedAssetAdvancedOp) }},
	{code: CodeNFTCreateDefinition, name: "non_fungible_token_create_definition", fee: 100000, perKByte: 10, sentence: "{options.issuer} created the token {symbol}",
		make: func() Body { return new(NFTCreateDefinitionOp) }},
	{code: CodeNFTUpdateDefinition, name: "non_fungible_token_update_definition", fee: 500000, sentence: "{current_issuer} changed the token {nft_id}",
		make: func() Body { return new(NFTUpdateDefinitionOp) }},
	{code: CodeNFTIssue, name: "non_fungible_token_issue", fee: 500000, perKByte: 10, sentence: "{issuer} issued a token {nft_id} to {to}",
		make: func() Body { return new(NFTIssueOp) }},
	{code: CodeNFTTransfer, name: "non_fungible_token_transfer", fee: 500000, sentence: "{from} gave the token {nft_data_id} to {to}",
		make: func() Body { return new(NFTTransferOp) }},
	{code: CodeNFTUpdateData, name: "non_fungible_token_update_data", fee: 500000, perKByte: 10, sentence: "{modifier} changed the data of the token {nft_data_id}",
		make: func() Body { return new(NFTUpdateDataOp) }},
	{code: CodeDisallowAutomaticRenewalOfSubscription, name: "disallow_automatic_renewal_of_subscription", virtual: true, sentence: "the automatic renewal of {subscription} was switched off for {consumer}",
		make: func() Body { return new(DisallowAutomaticRenewalOfSubscriptionOp) }},
	{code: CodeReturnEscrowSubmission, name: "return_escrow_submission", virtual: true, sentence: "{author} got {escrow} back for the content {content}",
		make: func() Body { return new(ReturnEscrowSubmissionOp) }},
	{code: CodeReturnEscrowBuying, name: "return_escrow_buying", virtual: true, sentence: "{consumer} got {escrow} back for the purchase {buying}",
		make: func() Body { return new(ReturnEscrowBuyingOp) }},
	{code: CodePaySeeder, name: "pay_seeder", virtual: true, sentence: "{author} paid {payout} to the seeder {seeder}",
		make: func() Body { return new(PaySeederOp) }},
	{code: CodeFinishBuying, name: "finish_buying", virtual: true, sentence: "{author} earned {payout} from a purchase by {consumer}",
		make: func() Body { return new(FinishBuyingOp) }},
	{code: CodeRenewalOfSubscription, name: "renewal_of_subscription", virtual: true, sentence: "the subscription {subscription} of {consumer} was renewed",
		make: func() Body { return new(RenewalOfSubscriptionOp) }},
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
