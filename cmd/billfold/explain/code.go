package explain

import (
	"fmt"
	"strconv"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// codeSections explains an error code, given by number or name: the wallet's own codes first, then the node's.
// The minus sign of a number may be left out, since in a command line it looks like a flag.
func codeSections(word string) (out []section) {
	number, err := strconv.Atoi(word)
	isNumber := err == nil
	name := strings.TrimSuffix(strings.ToLower(word), "_exception")
	for _, row := range fault.Rows() {
		known := strings.TrimSuffix(row.Name, "_exception")
		is := name == string(row.Code) || name == known
		if isNumber {
			is = row.Standard == number || row.Reference == number || row.Standard == -number
		}
		if !is {
			continue
		}
		s := section{title: fmt.Sprintf("Error %s: %s", numbersOf(row), row.Code)}
		s.add("name", row.Name)
		s.add("next", row.Advice)
		if row.NothingSpent {
			s.add("payment", "a payment that failed with this error was certainly not made, unless data.unsettled is true: then a node had it, and it may still happen")
		}
		out = append(out, s)
	}
	for _, known := range nodeCodes() {
		if isNumber && known.number == number || !isNumber && known.name == name {
			s := section{title: fmt.Sprintf("Error %d of a daemon: %s", known.number, known.name)}
			s.add("meaning", known.meaning)
			out = append(out, s)
		}
	}
	if isNumber {
		out = append(out, evaluateCode(number)...)
	}
	return out
}

func numbersOf(row fault.Row) string {
	if row.Standard == row.Reference {
		return strconv.Itoa(row.Standard)
	}
	return fmt.Sprintf("%d (%d for a request without jsonrpc 2.0)", row.Standard, row.Reference)
}

// The numbers for refusals by an operation's own rules: 3041000 + 100 × operation + n.
const (
	evaluateBase = 3041000
	evaluateStep = 100
)

func evaluateCode(number int) []section {
	code := ledger.OpCode((number - evaluateBase) / evaluateStep) //nolint:gosec // compared below
	if number < evaluateBase || number >= evaluateBase+evaluateStep*len(ledger.OpCodes()) {
		return nil
	}
	s := section{title: fmt.Sprintf("Error %d of a daemon", number)}
	s.add("meaning", fmt.Sprintf("the ledger's rules refuse an operation %s, reason %d", ledger.OpName(code),
		(number-evaluateBase)%evaluateStep))
	return []section{s}
}

// nodeCode is an error of a daemon.
type nodeCode struct {
	number        int
	name, meaning string
}

// nodeCodes returns the daemon's error codes that the wallet's own table lacks (docs/protocol/daemon-api.md 6 and 7).
func nodeCodes() []nodeCode {
	return []nodeCode{
		{0, "unspecified", "no kind of its own; the message says more, such as a key or amount that cannot be read"},
		{2, "timeout", "the node gave up waiting"},
		{4, "parse_error", "a text is not JSON, or not a value of its type"},
		{5, "invalid_arg", "an argument does not fit"},
		{7, "bad_cast", "a JSON value is of another type than expected"},
		{8, "out_of_range", "a number or position is out of its range"},
		{10, "assert", "a condition does not hold; the message names it"},
		{11, "eof", "data ends too early"},
		{13, "std", "an error of the node's libraries"},
		{15, "null_optional", "a value that is needed is not there"},
		{18, "overflow", "a number is too large"},
		{19, "underflow", "a number is too small"},
		{21, "divide_by_zero", "a division by zero"},
		{101, "invalid_space_id", "no object has such a first number in its id"},
		{102, "invalid_type_id", "no object has such a second number in its id"},
		{103, "object_not_found", "there is no such object"},
		{104, "invalid_index", "the node keeps no such index"},
		{201, "database_not_available", "the node's database is not open yet"},
		{202, "at_least_one_account_needs_to_be_specified", "name a sender or a recipient"},
		{204, "api_not_available", "the node does not offer this set of calls"},
		{206, "block_not_found", "the node has no such block"},
		{208, "limit_exceeded", "more rows were asked for than the node returns at once"},
		{209, "account_does_not_exist", "there is no such account"},
		{210, "buying_object_does_not_exist", "there is no such purchase"},
		{211, "content_object_does_not_exist", "there is no such content"},
		{212, "seeder_not_found", "there is no such seeder"},
		{213, "decryption_of_key_particle_failed", "a part of a content key cannot be decrypted"},
		{404, "unlinkable_block", "a block does not join those that the node has"},
		{405, "tx_missing_active_auth", "an account's active authority has not signed"},
		{406, "tx_missing_owner_auth", "an account's owner authority has not signed"},
		{407, "tx_missing_other_auth", "keys that the transaction names have not signed"},
		{408, "tx_irrelevant_sig", "there is a signature that nobody needs"},
		{409, "tx_duplicate_sig", "the same key signed twice"},
		{410, "invalid_committee_approval", "only a proposal of the miners can do this"},
		{411, "insufficient_fee", "the fee is less than the ledger requires"},
		{412, "trx_must_have_at_least_one_op", "the transaction does nothing"},
		{3031000, "operation_validate", "an operation's values are out of bounds, whatever the state of the ledger"},
	}
}
