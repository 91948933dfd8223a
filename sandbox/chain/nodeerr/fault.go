// Package nodeerr is the node's error: a code with a name and a sentence, and a
// stack of frames with what went wrong and what was being done.
package nodeerr

import (
	"fmt"
	"regexp"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// Code is an exception code of the node (docs/protocol/daemon-api.md 7).
type Code int

// The codes that the ledger and the interface on top of it answer with.
const (
	CodeUnspecified       Code = 0
	CodeParse             Code = 4
	CodeBadCast           Code = 7
	CodeAssert            Code = 10
	CodeTooFewArguments   Code = 50
	CodeNoMethod          Code = 51
	CodeNoAPI             Code = 52
	CodeInvalidParameter  Code = 54
	CodeNoAPIName         Code = 55
	CodeAES               Code = 17
	CodeObjectNotFound    Code = 103
	CodeNoAccountGiven    Code = 202
	CodeMalformedKey      Code = 203
	CodeAPINotAvailable   Code = 204
	CodeNoBlock           Code = 206
	CodeNoTransaction     Code = 207
	CodeLimitExceeded     Code = 208
	CodeNoAccount         Code = 209
	CodeNoBuying          Code = 210
	CodeNoContent         Code = 211
	CodeNoSeeder          Code = 212
	CodeKeyPart           Code = 213
	CodeMissingActive     Code = 405
	CodeMissingOwner      Code = 406
	CodeMissingOther      Code = 407
	CodeIrrelevantSig     Code = 408
	CodeDuplicateSig      Code = 409
	CodeCommitteeApproval Code = 410
	CodeInsufficientFee   Code = 411
	CodeNoOperation       Code = 412
	CodeValidate          Code = 3031000
	CodeAuthTooLarge      Code = 3041101
	CodeAuthNoAccount     Code = 3041102
	CodeUpdateTooLarge    Code = 3041201
	CodeUpdateNoAccount   Code = 3041202
	CodeReviewMissing     Code = 3041901
	CodeReviewShort       Code = 3041902
	CodeReserveMonitored  Code = 3044401
)

type codeText struct{ name, what string }

// codeTexts holds the type name and the fixed sentence of each code.
var codeTexts = map[Code]codeText{
	CodeUnspecified:       {"exception", "unspecified"},
	CodeParse:             {"parse_error_exception", "Parse Error"},
	CodeBadCast:           {"bad_cast_exception", "Bad Cast"},
	CodeAssert:            {"assert_exception", "Assert Exception"},
	CodeTooFewArguments:   {"too_few_arguments_exception", "Too few arguments passed to method."},
	CodeNoMethod:          {"no_method_with_this_name_exception", "No method with this name."},
	CodeNoAPI:             {"api_id_is_not_registered_exception", "Api id is not registered."},
	CodeInvalidParameter:  {"invalid_parameter_exception", "Invalid parameter."},
	CodeNoAPIName:         {"api_name_is_not_registered_exception", "Api name is not registered."},
	CodeAES:               {"aes_exception", "AES error"},
	CodeNoAccountGiven:    {"at_least_one_account_needs_to_be_specified_exception", "At leas one account needs to be specified."},
	CodeMalformedKey:      {"malformed_private_key_exception", "Malformed private_key."},
	CodeNoBuying:          {"buying_object_does_not_exist_exception", "Buying object does not exist."},
	CodeNoContent:         {"content_object_does_not_exist_exception", "Content object does not exist."},
	CodeKeyPart:           {"decryption_of_key_particle_failed_exception", "Decryption of key particle failed."},
	CodeNoSeeder:          {"seeder_not_found_exception", "Seeder not found."},
	CodeObjectNotFound:    {"object_not_found_exception", "Object not found in database."},
	CodeAPINotAvailable:   {"api_not_available_exception", "API not available."},
	CodeNoBlock:           {"block_not_found_exception", "Block not found."},
	CodeNoTransaction:     {"block_does_not_contain_requested_trx_exception", "Block does not contain the requested transaction."},
	CodeLimitExceeded:     {"limit_exceeded_exception", "Limit exceeded."},
	CodeNoAccount:         {"account_does_not_exist_exception", "Account does not exist."},
	CodeMissingActive:     {"tx_missing_active_auth_exception", "Missing required active authority."},
	CodeMissingOwner:      {"tx_missing_owner_auth_exception", "Missing required owner authority."},
	CodeMissingOther:      {"tx_missing_other_auth_exception", "Missing required other authority."},
	CodeIrrelevantSig:     {"tx_irrelevant_sig_exception", "Irrelevant signature included."},
	CodeDuplicateSig:      {"tx_duplicate_sig_exception", "Duplicate signature included."},
	CodeCommitteeApproval: {"invalid_committee_approval_exception", "Committee account cannot directly approve transaction."},
	CodeInsufficientFee:   {"insufficient_fee_exception", "Insufficient fee."},
	CodeNoOperation:       {"trx_must_have_at_least_one_op_exception", "A transaction must have at least one operation."},
	CodeValidate:          {"operation_validate_exception", "Operation validation exception."},
	CodeAuthTooLarge:      {"account_create_max_auth_exceeded", "Exceeds max authority fan-out."},
	CodeAuthNoAccount:     {"account_create_auth_account_not_found", "Auth account not found."},
	CodeUpdateTooLarge:    {"account_update_max_auth_exceeded", "Exceeds max authority fan-out"},
	CodeUpdateNoAccount:   {"account_update_auth_account_not_found", "Auth account not found"},
	CodeReviewMissing:     {"proposal_create_review_period_required", "review_period required"},
	CodeReviewShort:       {"proposal_create_review_period_insufficient", "review_period insufficient"},
	CodeReserveMonitored:  {"asset_reserve_invalid_on_mia", "invalid on mia"},
}

// Data are the values for the placeholders of a frame's format.
type Data map[string]any

// Frame is one entry of a fault's stack: a condition or sentence with
// ${name} placeholders, and their values.
type Frame struct {
	Method string
	Format string
	Data   Data
}

// Error is an error in the node's shape. The first entry of the stack is what went
// wrong, the others are what was being done.
type Error struct {
	Code  Code
	Stack []Frame
}

// New makes a fault with one frame. The format of an assert is the condition, a
// colon, a space and the sentence.
func New(code Code, method, format string, data Data) *Error {
	return &Error{Code: code, Stack: []Frame{{Method: method, Format: format, Data: data}}}
}

// Copy returns a copy to which frames can be added without changing f.
func (f *Error) Copy() *Error {
	return &Error{Code: f.Code, Stack: append([]Frame(nil), f.Stack...)}
}

// In adds a frame with what was being done when the fault occurred. It changes and
// returns f.
func (f *Error) In(method, format string, data Data) *Error {
	f.Stack = append(f.Stack, Frame{Method: method, Format: format, Data: data})
	return f
}

// Name returns the type name of the code, or "" if the node has no such code.
func (f *Error) Name() string { return codeTexts[f.Code].name }

// What returns the fixed sentence of the code.
func (f *Error) What() string { return codeTexts[f.Code].what }

// Error returns one line: code, name, sentence and the text of the first frame.
func (f *Error) Error() string {
	return fmt.Sprintf("%d %s: %s %s", f.Code, f.Name(), f.What(), f.Stack[0].Text())
}

var placeholder = regexp.MustCompile(`\$\{([^}]*)\}`)

// Text returns the format with its placeholders filled in.
func (f Frame) Text() string {
	return placeholder.ReplaceAllStringFunc(f.Format, func(m string) string {
		value, ok := f.Data[m[2:len(m)-1]]
		if !ok {
			return m
		}
		if text, ok := value.(string); ok {
			return text
		}
		text, err := codec.Marshal(value)
		if err != nil {
			return m
		}
		return trimQuotes(string(text))
	})
}

func trimQuotes(s string) string {
	if len(s) >= 2 && s[0] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// Assert makes the fault for a condition that does not hold; see New.
func Assert(method, format string, data Data) *Error {
	return New(CodeAssert, method, format, data)
}

// NotFound makes the fault for an object that does not exist.
func NotFound(id ledger.ObjectID) *Error {
	return New(CodeObjectNotFound, "get", "Object ID: ${id}", Data{"id": id})
}
