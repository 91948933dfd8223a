package fault

// Code is the kind of an error. Its text appears in logs, in the audit log and in events.
type Code string

// The kinds. Each has its row below; a test fails for one without.
const (
	Internal             Code = "internal"              // a fault of this program
	UnknownMethod        Code = "unknown_method"        // no such wallet operation
	TooFewParameters     Code = "too_few_parameters"    // a required parameter is missing
	TooManyParameters    Code = "too_many_parameters"   // an unknown named parameter
	BadParameter         Code = "bad_parameter"         // a parameter of the wrong type or form
	UnknownHelp          Code = "unknown_help"          // help asked for a method that does not exist
	Locked               Code = "locked"                // the wallet is locked
	NoPassword           Code = "new"                   // the wallet has no password yet
	EmptyPassword        Code = "empty_password"        // a password must not be empty
	WrongPassword        Code = "wrong_password"        // the password does not open the wallet
	TooManyTries         Code = "too_many_tries"        // wait before the next password
	BadKey               Code = "bad_key"               // not a private key (import)
	BadWIF               Code = "bad_wif"               // not a private key (look-up)
	BadPublicKey         Code = "bad_public_key"        // not a public key
	KeyUnused            Code = "key_unused"            // no account names the key, or the given account does not
	KeyNotInWallet       Code = "key_not_in_wallet"     // the wallet does not hold this key
	EmptyAccount         Code = "empty_account"         // an account name or id must not be empty
	NoSuchAccount        Code = "no_such_account"       // the ledger has no such account
	NoSuchRecipient      Code = "no_such_recipient"     // the recipient of a transfer does not exist
	AccountExists        Code = "account_exists"        // the name is taken
	EmptyAsset           Code = "empty_asset"           // an asset symbol or id must not be empty
	NoSuchAsset          Code = "no_such_asset"         // the ledger has no such asset
	AssetExists          Code = "asset_exists"          // the symbol is taken
	NFTExists            Code = "nft_exists"            // the symbol is taken by a non-fungible token
	NotOneKey            Code = "not_one_key"           // the account has none or several active keys
	BadValue             Code = "bad_value"             // a value that the operation does not accept
	AssetNotMonitored    Code = "asset_not_monitored"   // nobody publishes its price
	NoSuchMiner          Code = "no_such_miner"         // the account is not a miner
	NoSuchNFT            Code = "no_such_nft"           // the ledger has no such non-fungible token
	NoSuchContent        Code = "no_such_content"       // nobody offers content at this URI
	NoCoAuthorTwice      Code = "no_co_author_twice"    // a co-author is named more than once
	NoPrices             Code = "no_prices"             // content is offered without a price
	BadExpiration        Code = "bad_expiration"        // content would expire too soon
	NotSoldInRegion      Code = "not_sold_in_region"    // the content has no price in this region
	NoSuchSeeder         Code = "no_such_seeder"        // the account keeps no content for others
	NoSuchPackage        Code = "no_such_package"       // no package with this hash is on this machine
	PackageState         Code = "package_state"         // the package is not whole, or something else is being done with it
	NothingAtURL         Code = "nothing_at_url"        // no package can be fetched from this address
	IPFS                 Code = "ipfs"                  // the IPFS daemon does not answer, or not as it should
	NoSuchPurchase       Code = "no_such_purchase"      // the account did not buy this content
	KeyParts             Code = "key_parts"             // the parts of a content key do not make one
	NoSuchSubscription   Code = "no_such_subscription"  // the ledger has no such subscription
	NoSuchHandle         Code = "no_such_handle"        // no transaction is under construction under this number
	FeesInDCT            Code = "fees_in_dct"           // fees can only be paid in DCT
	BadFile              Code = "bad_file"              // a transaction file that cannot be read, or that contains what it must not
	NotAMiner            Code = "not_a_miner"           // the account to vote for is not a miner
	VotesAlready         Code = "votes_already"         // the account votes for this miner already
	VotesNot             Code = "votes_not"             // the account does not vote for this miner
	SameProxy            Code = "same_proxy"            // this account votes for it already
	NoProxy              Code = "no_proxy"              // the account votes for itself already
	SameMinerCount       Code = "same_miner_count"      // the account votes for that number of miners already
	SameAuthority        Code = "same_authority"        // the account has these authorities already
	NoSuchProposal       Code = "no_such_proposal"      // the ledger has no such open proposal
	MinerExists          Code = "miner_exists"          // the account is a miner already
	BadAmount            Code = "bad_amount"            // the text is not an amount of this asset
	AmountLimit          Code = "amount_limit"          // above the largest amount of any asset
	AmountOverflow       Code = "amount_overflow"       // too large for 64 bits
	InvalidOperation     Code = "invalid_operation"     // the operation breaks a stateless rule
	InsufficientBalance  Code = "insufficient_balance"  // not enough of an asset
	MissingAuthority     Code = "missing_authority"     // the available keys cannot sign this
	Denied               Code = "denied"                // approval was refused or not given
	UnsupportedOperation Code = "unsupported_operation" // an operation this program cannot read or sign
	LimitExceeded        Code = "limit_exceeded"        // more rows than one call returns
	DaemonRefused        Code = "daemon_refused"        // the daemon answered with its own error
	DaemonAway           Code = "daemon_away"           // no daemon answers
	DaemonStale          Code = "daemon_stale"          // the daemon is too far behind to be trusted with payments
	DaemonGarbage        Code = "daemon_garbage"        // the daemon's answer is invalid
	DaemonsDisagree      Code = "daemons_disagree"      // daemons gave different answers to the same question
	WrongChain           Code = "wrong_chain"           // a daemon or wallet of another chain
	DaemonContradicts    Code = "daemon_contradicts"    // a daemon contradicts what never changes
	KeysChanged          Code = "keys_changed"          // a counterparty's keys changed, and nobody has accepted the new ones
	StateChanged         Code = "state_changed"         // what would be signed rests on something that is not as it was last accepted
	FeeTooHigh           Code = "fee_too_high"          // above the fee ceiling
	OutcomeUnknown       Code = "outcome_unknown"       // sent, but not answered: it may still happen
	NeverSent            Code = "never_sent"            // the payment under a request key was never sent, and never will be
	MadeElsewhere        Code = "made_elsewhere"        // another wallet with the same keys made the very same transaction
	BoughtAlready        Code = "bought_already"        // the account has bought this content, or is buying it
	RequestKey           Code = "request_key"           // the key belongs to another payment, or cannot be used
	NoSuchPayment        Code = "no_such_payment"       // no payment with this id or key is known
	Expired              Code = "expired"               // the payment is proven not to have happened
	File                 Code = "file"                  // a wallet file cannot be read or written
	NoSuchFile           Code = "no_such_file"          // there is no command file with that name
	Canceled             Code = "canceled"              // the caller left or the deadline passed
)

// Row is everything that depends on the kind of an error.
//
// Standard is the number over RPC for a request that says "jsonrpc":"2.0", Reference the one for a request that does not;
// they differ only for faults of the envelope. Name goes to error.data.name: it is the reference's name where the number is
// the reference's. A daemon_refused error carries the daemon's own number and name instead, if its data has them. Sources:
// docs/protocol/wallet-api.md 1.3, docs/protocol/daemon-api.md 7; recorded answers decide where both are silent (bad_key, bad_amount:
// 0). Numbers from -32001 on are our own, for cases where the reference has none because it ends, hangs or does not check.
type Row struct {
	Code         Code
	Standard     int
	Reference    int
	Name         string
	NothingSpent bool   // a payment that ended with it was certainly not made, and nobody holds its signed bytes
	Advice       string // what a person should do next, as a sentence for the screen
}

// Rows returns the table, in the order of the constants.
func Rows() []Row {
	return []Row{
		{Code: Internal, Standard: -32603, Reference: 1, Name: "unhandled_exception",
			Advice: "This is a bug in Billfold. Nothing was sent."},
		{Code: UnknownMethod, Standard: -32601, Reference: 51, Name: "no_method_with_this_name_exception",
			Advice: "Check the name of the call."},
		{Code: TooFewParameters, Standard: -32602, Reference: 50, Name: "too_few_arguments_exception", NothingSpent: true,
			Advice: "Give all parameters of the call."},
		{Code: TooManyParameters, Standard: -32602, Reference: 54, Name: "invalid_parameter_exception", NothingSpent: true,
			Advice: "Leave out the unknown parameter."},
		{Code: BadParameter, Standard: -32602, Reference: 54, Name: "invalid_parameter_exception", NothingSpent: true,
			Advice: "Correct what you typed."},
		{Code: UnknownHelp, Standard: 6, Reference: 6, Name: "key_not_found_exception",
			Advice: "Press ? for all keys."},
		{Code: Locked, Standard: 507, Reference: 507, Name: "wallet_is_locked_exception", NothingSpent: true,
			Advice: "Unlock the wallet first."},
		{Code: NoPassword, Standard: 17, Reference: 17, Name: "aes_exception", NothingSpent: true,
			Advice: "Set a password first."},
		{Code: EmptyPassword, Standard: 508, Reference: 508, Name: "password_cannot_be_empty_exception",
			Advice: "Type a password."},
		{Code: WrongPassword, Standard: 17, Reference: 17, Name: "aes_exception",
			Advice: "Type the password again."},
		{Code: TooManyTries, Standard: -32005, Reference: -32005, Name: "too_many_tries",
			Advice: "Wait a moment, then type the password again."},
		{Code: BadKey, Standard: 0, Reference: 0, Name: "exception",
			Advice: "Check the key: it starts with 5 and has 51 characters."},
		{Code: BadWIF, Standard: 512, Reference: 512, Name: "invalid_wif_private_key_exception",
			Advice: "Check the key: it starts with 5 and has 51 characters."},
		{Code: BadPublicKey, Standard: -32602, Reference: 54, Name: "invalid_parameter_exception", NothingSpent: true,
			Advice: "Check the key: it starts with DCT."},
		{Code: KeyUnused, Standard: 10, Reference: 10, Name: "assert_exception",
			Advice: "Check the key and the account; nothing was kept."},
		{Code: KeyNotInWallet, Standard: 10, Reference: 10, Name: "assert_exception", NothingSpent: true,
			Advice: "Import the key first."},
		{Code: EmptyAccount, Standard: 501, Reference: 501, Name: "account_name_or_id_cannot_be_empty_exception", NothingSpent: true,
			Advice: "Type an account name or id."},
		{Code: NoSuchAccount, Standard: 510, Reference: 510, Name: "account_does_not_exist_exception", NothingSpent: true,
			Advice: "Check the name, or type the object id."},
		{Code: NoSuchRecipient, Standard: 10, Reference: 10, Name: "assert_exception", NothingSpent: true,
			Advice: "Check the recipient's name, or type the object id."},
		{Code: AccountExists, Standard: 511, Reference: 511, Name: "account_already_exist_exception",
			Advice: "Choose another name."},
		{Code: EmptyAsset, Standard: 10, Reference: 10, Name: "assert_exception", NothingSpent: true,
			Advice: "Type the symbol of an asset."},
		{Code: NoSuchAsset, Standard: 514, Reference: 514, Name: "asset_does_not_exist_exception", NothingSpent: true,
			Advice: "Check the symbol of the asset."},
		{Code: AssetExists, Standard: 516, Reference: 516, Name: "asset_already_exists_exception", NothingSpent: true,
			Advice: "Choose another symbol."},
		{Code: NFTExists, Standard: 503, Reference: 503, Name: "nft_already_exist_exception", NothingSpent: true,
			Advice: "Choose another symbol."},
		{Code: NotOneKey, Standard: 0, Reference: 0, Name: "exception", NothingSpent: true,
			Advice: "Choose an account with one active key."},
		{Code: BadValue, Standard: 10, Reference: 10, Name: "assert_exception", NothingSpent: true,
			Advice: "Correct the value."},
		{Code: AssetNotMonitored, Standard: 515, Reference: 515, Name: "asset_not_monitored_exception",
			Advice: "Choose an asset whose price is published."},
		{Code: NoSuchMiner, Standard: 520, Reference: 520, Name: "no_miner_is_registered_for_this_owner_id_exception", NothingSpent: true,
			Advice: "Choose an account that is a miner."},
		{Code: NoSuchNFT, Standard: 10, Reference: 10, Name: "assert_exception", NothingSpent: true,
			Advice: "Check the symbol, or type the object id."},
		{Code: NoSuchContent, Standard: 534, Reference: 534, Name: "invalid_content_uri_exception", NothingSpent: true,
			Advice: "Nothing was signed. Check the address, or search what is on offer now."},
		{Code: NoCoAuthorTwice, Standard: 531, Reference: 531, Name: "duplicity_at_the_list_of_coauthors_not_allowed_exception",
			NothingSpent: true, Advice: "Name each co-author once."},
		{Code: NoPrices, Standard: 532, Reference: 532, Name: "the_prices_of_the_content_per_region_cannot_be_empty_exception",
			NothingSpent: true, Advice: "Give the content a price."},
		{Code: BadExpiration, Standard: 533, Reference: 533, Name: "invalid_content_expiration_exception", NothingSpent: true,
			Advice: "Choose a later time."},
		{Code: NotSoldInRegion, Standard: 535, Reference: 535, Name: "content_not_available_for_this_region_exception", NothingSpent: true,
			Advice: "Choose another region."},
		{Code: NoSuchSeeder, Standard: 537, Reference: 537, Name: "seeder_not_found_exception", NothingSpent: true,
			Advice: "Choose an account that is a seeder."},
		{Code: NoSuchPackage, Standard: 528, Reference: 528, Name: "cannot_find_package_exception", NothingSpent: true,
			Advice: "Check the hash of the package, or download it first."},
		{Code: PackageState, Standard: 529, Reference: 529, Name: "package_is_not_in_valid_state_exception", NothingSpent: true,
			Advice: "Wait until the package is ready, or make it again."},
		{Code: NothingAtURL, Standard: 530, Reference: 530, Name: "no_such_content_at_this_url_exception", NothingSpent: true,
			Advice: "Check the address of the content."},
		{Code: IPFS, Standard: 13, Reference: 13, Name: "std_exception", NothingSpent: true,
			Advice: "Start the IPFS daemon, or name another (--ipfs-api)."},
		{Code: NoSuchPurchase, Standard: 536, Reference: 536, Name: "cannot_find_download_object_exception", NothingSpent: true,
			Advice: "Buy the content first."},
		{Code: KeyParts, Standard: 10, Reference: 10, Name: "assert_exception", NothingSpent: true,
			Advice: "Wait until the seeders delivered the key."},
		{Code: NoSuchSubscription, Standard: 538, Reference: 538, Name: "could_not_find_matching_subcription_exception", NothingSpent: true,
			Advice: "Check the id of the subscription."},
		{Code: NoSuchHandle, Standard: 517, Reference: 517, Name: "invalid_transaction_handle_exception", NothingSpent: true,
			Advice: "Start a transaction first."},
		{Code: FeesInDCT, Standard: 518, Reference: 518, Name: "fees_can_be_paid_in_core_asset_exception", NothingSpent: true,
			Advice: "Pay the fees in DCT."},
		{Code: BadFile, Standard: -32021, Reference: -32021, Name: "bad_file", NothingSpent: true,
			Advice: "Nothing was signed. Ask for the file again."},
		{Code: NotAMiner, Standard: 522, Reference: 522, Name: "account_is_not_registered_as_miner_exception", NothingSpent: true,
			Advice: "Choose an account that is a miner."},
		{Code: VotesAlready, Standard: 523, Reference: 523, Name: "account_was_already_voting_for_miner_exception", NothingSpent: true,
			Advice: "Nothing needs to be done."},
		{Code: VotesNot, Standard: 524, Reference: 524, Name: "account_is_already_not_voting_miner_exception", NothingSpent: true,
			Advice: "Nothing needs to be done."},
		{Code: SameProxy, Standard: 525, Reference: 525, Name: "voting_proxy_is_already_set_to_voter_exception", NothingSpent: true,
			Advice: "Nothing needs to be done."},
		{Code: NoProxy, Standard: 526, Reference: 526, Name: "account_was_already_voting_for_itself_exception", NothingSpent: true,
			Advice: "Nothing needs to be done."},
		{Code: SameMinerCount, Standard: 527, Reference: 527, Name: "account_was_already_voting_for_miners_exception", NothingSpent: true,
			Advice: "Nothing needs to be done."},
		{Code: SameAuthority, Standard: 513, Reference: 513, Name: "new_auth_needs_to_be_different_from_existing_exception",
			NothingSpent: true, Advice: "Nothing needs to be done."},
		{Code: NoSuchProposal, Standard: 7, Reference: 7, Name: "bad_cast_exception", NothingSpent: true,
			Advice: "Choose a proposal that is still open."},
		{Code: MinerExists, Standard: 0, Reference: 0, Name: "exception", NothingSpent: true,
			Advice: "Change the miner instead."},
		{Code: BadAmount, Standard: 0, Reference: 0, Name: "exception", NothingSpent: true,
			Advice: "Type digits with at most one point."},
		{Code: AmountLimit, Standard: 10, Reference: 10, Name: "assert_exception", NothingSpent: true,
			Advice: "Choose a smaller amount."},
		{Code: AmountOverflow, Standard: 13, Reference: 13, Name: "std_exception", NothingSpent: true,
			Advice: "Choose a smaller amount."},
		{Code: InvalidOperation, Standard: 3031000, Reference: 3031000, Name: "operation_validate_exception", NothingSpent: true,
			Advice: "Change the form; the chain would refuse this."},
		{Code: InsufficientBalance, Standard: 10, Reference: 10, Name: "assert_exception", NothingSpent: true,
			Advice: "Choose a smaller amount."},
		{Code: MissingAuthority, Standard: 405, Reference: 405, Name: "tx_missing_active_auth_exception", NothingSpent: true,
			Advice: "Import the missing key, or let its owner sign."},
		{Code: Denied, Standard: -32010, Reference: -32010, Name: "forbidden", NothingSpent: true,
			Advice: "Nothing was signed."},
		{Code: UnsupportedOperation, Standard: 519, Reference: 519, Name: "unsupported_operation_exception",
			Advice: "This version cannot sign such an operation."},
		{Code: LimitExceeded, Standard: 208, Reference: 208, Name: "limit_exceeded_exception",
			Advice: "Ask for fewer rows."},
		{Code: DaemonRefused, Standard: 0, Reference: 0, Name: "exception", NothingSpent: true,
			Advice: "Nothing was spent. Change the form and review again."},
		{Code: DaemonAway, Standard: -32001, Reference: -32001, Name: "daemon_away", NothingSpent: true,
			Advice: "Billfold keeps trying to reach the node, and repeats no payment; ctrl+r tries now."},
		{Code: DaemonStale, Standard: -32012, Reference: -32012, Name: "daemon_stale", NothingSpent: true,
			Advice: "Nothing was sent. Wait, or start with another node (--daemon-url)."},
		{Code: DaemonGarbage, Standard: -32002, Reference: -32002, Name: "daemon_garbage",
			Advice: "Start with another node (--daemon-url)."},
		{Code: DaemonsDisagree, Standard: -32019, Reference: -32019, Name: "daemons_disagree", NothingSpent: true,
			Advice: "Nothing was sent. Find out which node is wrong and leave it out (--daemon-url)."},
		{Code: WrongChain, Standard: -32003, Reference: -32003, Name: "wrong_chain", NothingSpent: true,
			Advice: "Start with a node of this wallet's chain (--daemon-url)."},
		{Code: DaemonContradicts, Standard: -32013, Reference: -32013, Name: "daemon_contradicts", NothingSpent: true,
			Advice: "Nothing was signed. Ask another node (--daemon-url)."},
		{Code: KeysChanged, Standard: -32014, Reference: -32014, Name: "keys_changed", NothingSpent: true,
			Advice: "Nothing was signed. Ask the recipient whether they changed their keys."},
		{Code: StateChanged, Standard: -32023, Reference: -32023, Name: "state_changed", NothingSpent: true,
			Advice: "Nothing was signed. Look at what changed; if it is right, do it once on this screen, or forget what was accepted (billfold pins forget)."},
		{Code: FeeTooHigh, Standard: -32015, Reference: -32015, Name: "fee_too_high", NothingSpent: true,
			Advice: "Nothing was signed. Ask another node, or raise --max-fee."},
		{Code: OutcomeUnknown, Standard: -32004, Reference: -32004, Name: "outcome_unknown",
			Advice: "Do not send again. Billfold finds out on its own."},
		{Code: NeverSent, Standard: -32022, Reference: -32022, Name: "never_sent", NothingSpent: true,
			Advice: "Nothing was sent. Make the payment again, under a new request key."},
		{Code: MadeElsewhere, Standard: -32024, Reference: -32024, Name: "made_elsewhere", NothingSpent: true,
			Advice: "Nothing was spent for this payment. Make it again, under a new request key."},
		{Code: BoughtAlready, Standard: -32025, Reference: -32025, Name: "bought_already", NothingSpent: true,
			Advice: "Nothing was signed. It stands among what was bought."},
		{Code: RequestKey, Standard: -32007, Reference: -32007, Name: "request_key", NothingSpent: true,
			Advice: "Use a new request key for a new payment."},
		{Code: NoSuchPayment, Standard: -32008, Reference: -32008, Name: "no_such_payment",
			Advice: "Look it up in the history."},
		{Code: Expired, Standard: -32009, Reference: -32009, Name: "expired",
			Advice: "Nothing was spent. It can be sent again as a new payment."},
		{Code: File, Standard: -32006, Reference: -32006, Name: "file",
			Advice: "Check the path and its permissions. Nothing was changed."},
		{Code: NoSuchFile, Standard: 3, Reference: 3, Name: "file_not_found_exception", NothingSpent: true,
			Advice: "Check the name of the file."},
		{Code: Canceled, Standard: 9, Reference: 9, Name: "canceled_exception",
			Advice: "Try again."},
	}
}

// RowOf returns the row of code, and whether there is one.
func RowOf(code Code) (Row, bool) {
	for _, r := range Rows() {
		if r.Code == code {
			return r, true
		}
	}
	return Row{}, false
}
