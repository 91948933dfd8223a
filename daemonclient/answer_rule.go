package daemonclient

import (
	"encoding/json"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// answerRule holds what is known of a method's answers in advance: how many bytes the result may have, and how it is
// checked against what was asked. A method without a rule cannot be called.
type answerRule struct {
	size  func(question) int
	check func(question, json.RawMessage) error
}

// ruleOf returns the rule of a method.
func ruleOf(r request) (answerRule, error) {
	known, ok := answerRules[r.set][r.method]
	if !ok {
		return answerRule{}, fmt.Errorf("%s.%s has no rule for checking its answers; add one to the table", r.set, r.method)
	}
	return known, nil
}

// answerRules is the table of all methods that can be called.
var answerRules = map[Set]map[string]answerRule{
	Login: {
		"login":                  {upTo(scalarSize), wantBool},
		string(Database):         {upTo(scalarSize), wantNumber(32)},
		string(History):          {upTo(scalarSize), wantNumber(32)},
		string(NetworkBroadcast): {upTo(scalarSize), wantNumber(32)},
		string(NetworkNode):      {upTo(scalarSize), wantNumber(32)},
		string(Crypto):           {upTo(scalarSize), wantNumber(32)},
		string(Messaging):        {upTo(scalarSize), wantNumber(32)},
		string(Monitoring):       {upTo(scalarSize), wantNumber(32)},
	},
	Database: {
		"about":                         {upTo(smallSize), wantObject},
		"get_chain_id":                  {upTo(scalarSize), wantA[ledger.ChainID]},
		"get_configuration":             {upTo(objectSize), wantObject},
		"get_chain_properties":          {upTo(smallSize), wantID("2.9.0")},
		"get_global_properties":         {upTo(largeSize), checkGlobal},
		"get_dynamic_global_properties": {upTo(smallSize), checkDynamic},
		"head_block_time":               {upTo(scalarSize), wantA[ledger.Time]},
		"set_block_applied_callback":    {upTo(scalarSize), wantNull},
		"get_objects":                   {perElement(0, objectSize), checkObjects},
		"list_operations":               {upTo(objectSize), checkOperations},

		"get_accounts":           {perElement(0, objectSize), checkObjects},
		"lookup_account_names":   {perElement(0, objectSize), checkAccountNames},
		"lookup_accounts":        {perRow(1, 1000, perTwoFields), checkAccountList},
		"get_account_balances":   {balancesSize, checkBalances},
		"get_key_references":     {perElement(0, objectSize), checkKeyReferences},
		"get_account_references": {upTo(largeSize), checkAccountIDs},
		"get_account_count":      {upTo(scalarSize), wantNumber(64)},

		"search_accounts":           {perRow(3, 1000, objectSize), checkSearchedAccounts},
		"search_account_history":    {perRow(3, maxSearched, recordSize), checkDetails},
		"get_proposed_transactions": {upTo(blockSize), checkProposals},

		"get_assets":             {perElement(0, assetSize), checkObjects},
		"lookup_asset_symbols":   {perElement(0, assetSize), checkSymbols},
		"list_assets":            {perRow(1, 100, assetSize), checkAssetList},
		"get_asset_dynamic_data": {perElement(0, smallSize), checkObjects},
		"price_to_dct":           {upTo(scalarSize), checkInDCT},
		"get_real_supply":        {upTo(smallSize), checkSupply},

		"list_non_fungible_tokens":           {perRow(1, 100, objectSize), checkNFTList},
		"get_non_fungible_tokens":            {perElement(0, objectSize), checkObjects},
		"get_non_fungible_tokens_by_symbols": {perElement(0, objectSize), checkNFTSymbols},
		"get_non_fungible_token_data":        {perElement(0, objectSize), checkObjects},
		"list_non_fungible_token_data":       {upTo(blockSize), checkTokensOfKind},
		"get_non_fungible_token_summary":     {upTo(largeSize), checkTokenCounts},
		"get_non_fungible_token_balances":    {upTo(blockSize), checkTokensOfOwner},
		"search_non_fungible_token_history":  {upTo(blockSize), checkTokenHistory},

		"lookup_miner_accounts": {perRow(1, 1000, perTwoFields), checkMinerList},
		"get_miner_by_account":  {upTo(blockSize), checkMinerOf},
		"get_miners":            {perElement(0, largeSize), checkObjects},
		"search_miner_voting":   {perRow(5, 1000, smallSize), checkMinerVoting},
		"get_vesting_balances":  {upTo(largeSize), checkVesting},
		"get_feeds_by_miner":    {perRow(1, 100, smallSize), checkFeeds},

		"get_content":                            {upTo(largeSize), checkContent},
		"search_content":                         {perRow(6, 100, objectSize), checkContentFound},
		"get_open_buyings":                       {upTo(blockSize), checkBuyings},
		"get_open_buyings_by_URI":                {upTo(blockSize), checkBuyingsOf},
		"get_open_buyings_by_consumer":           {upTo(blockSize), checkBuyingsBy},
		"get_buying_history_objects_by_consumer": {upTo(blockSize), checkBuyingsBy},
		"get_buying_objects_by_consumer":         {perRow(4, maxSearched, objectSize), checkBuyingsFound},
		"get_buying_by_consumer_URI":             {upTo(largeSize), checkBuyingOf},
		"search_feedback":                        {perRow(3, maxSearched, objectSize), checkFeedback},
		"get_seeder":                             {upTo(smallSize), checkSeederOf},
		"list_seeders_by_price":                  {perRow(0, 100, smallSize), checkSeeders},
		"list_seeders_by_upload":                 {perRow(0, 100, smallSize), checkSeeders},
		"list_seeders_by_rating":                 {perRow(0, 100, smallSize), checkSeeders},
		"list_seeders_by_region":                 {upTo(largeSize), checkSeedersIn},

		"get_subscription":                      {upTo(smallSize), checkSubscription},
		"list_subscriptions_by_consumer":        {perRow(1, 100, smallSize), checkSubscriptionsOf(subscriber, false)},
		"list_subscriptions_by_author":          {perRow(1, 100, smallSize), checkSubscriptionsOf(author, false)},
		"list_active_subscriptions_by_consumer": {upTo(largeSize), checkSubscriptionsOf(subscriber, true)},
		"list_active_subscriptions_by_author":   {upTo(largeSize), checkSubscriptionsOf(author, true)},

		"get_block":         {upTo(blockSize), checkBlock},
		"get_block_header":  {upTo(headerSize), checkHeader},
		"get_block_headers": {perRow(1, maxHeaders, headerSize), checkHeaders},

		"get_transaction_by_id":    {upTo(recordSize), checkTransactionByID},
		"get_transaction":          {upTo(recordSize), wantA[ledger.ProcessedTransaction]},
		"get_required_signatures":  {perElement(1, scalarSize), checkRequiredKeys},
		"get_potential_signatures": {upTo(objectSize), checkKeys},
		"validate_transaction":     {upTo(recordSize), checkValidated},
		"get_required_fees":        {perElement(0, smallSize), checkFees},
		"get_transaction_hex":      {upTo(recordSize), checkTransactionHex},
	},
	History: {
		"get_account_history":          {perRow(2, 100, recordSize), checkHistory},
		"get_relative_account_history": {perRow(2, 100, recordSize), checkRelativeHistory},

		"search_account_balance_history":      {perRow(6, maxSearched, recordSize), checkBalanceHistory},
		"get_account_balance_for_transaction": {upTo(recordSize), checkBalanceAt},
	},
	NetworkBroadcast: {
		"broadcast_transaction":               {upTo(scalarSize), wantNull},
		"broadcast_transaction_with_callback": {upTo(scalarSize), wantNull},
	},
	NetworkNode: {
		"add_node":            {upTo(scalarSize), wantNull},
		"get_connected_peers": {upTo(largeSize), checkPeers},
	},
	Messaging: {
		"get_message_objects": {perRow(2, maxSearched, objectSize), checkMessages},
	},
	Monitoring: {
		"reset_counters": {upTo(scalarSize), wantNull},
		"get_counters":   {upTo(objectSize), checkCounters},
	},
}

// Sizes of JSON in bytes. Those of one object are several times what the ledger's own limits allow; an error may repeat
// a transaction in each entry of its stack.
const (
	scalarSize   = 256
	smallSize    = 4 << 10
	objectSize   = 64 << 10
	assetSize    = 16 << 10
	recordSize   = 64 << 10
	headerSize   = 1 << 10
	perTwoFields = 256
	largeSize    = 512 << 10
	blockSize    = 8 << 20
	errorSize    = 256 << 10
	envelope     = 1 << 10
	minReadLimit = errorSize + envelope // of any message, including notices
	errorRepeats = 8                    // how often an error may repeat the question, at most
)

func upTo(bytes int) func(question) int { return func(question) int { return bytes } }

// perElement allows so many bytes per element of a parameter that is a list.
func perElement(param, bytes int) func(question) int {
	return func(q question) int { return smallSize + bytes*len(q.list(param)) }
}

// perRow allows so many bytes per row that a parameter asks for; most is the daemon's own limit for it.
func perRow(param int, most uint64, bytes int) func(question) int {
	return func(q question) int { return smallSize + bytes*int(min(q.number(param), most)) }
}

// balancesSize allows for the named assets, or if none were named, for an account that holds very many.
func balancesSize(q question) int {
	if n := len(q.list(1)); n > 0 {
		return smallSize + perTwoFields*n
	}
	return largeSize
}

// maxHeaders is the most headers that one call may return; a daemon has no limit of its own.
const maxHeaders = 10_000

// wantNull is the check for methods without a result.
func wantNull(_ question, result json.RawMessage) error {
	if !isNull(result) {
		return fmt.Errorf("got %s instead of no result", quoted(result))
	}
	return nil
}

func wantBool(_ question, result json.RawMessage) error {
	if text := string(result); text != "true" && text != "false" {
		return fmt.Errorf("%s is neither true nor false", quoted(result))
	}
	return nil
}

func wantNumber(bits int) func(question, json.RawMessage) error {
	return func(_ question, result json.RawMessage) error {
		_, err := number(result, bits)
		return err
	}
}

func wantObject(_ question, result json.RawMessage) error {
	_, err := fields(result)
	return err
}

// wantA is the check for methods whose result has a form but nothing to be checked against.
func wantA[T any](_ question, result json.RawMessage) error {
	var value T
	if isNull(result) {
		return fmt.Errorf("got nothing")
	}
	return codec.Unmarshal(result, &value)
}

// wantID is the check for methods that return one certain object.
func wantID(id string) func(question, json.RawMessage) error {
	return func(_ question, result json.RawMessage) error { return checkOnly(id, result) }
}

// maxSearched is the most rows of searches that the daemon itself does not limit.
const maxSearched = 1000
