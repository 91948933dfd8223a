package remotewallet

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// callID is the id of every call: each connection has one call at a time.
const callID = "1"

// errNoAnswer means that what came back is no answer of a wallet server to the call, whatever became of the call.
var errNoAnswer = errors.New("no JSON-RPC answer to this call")

// answer is the answer of a server to a call: a result, or an error.
type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *wireError      `json:"error"`
}

// readAnswer returns the answer in a body, or an error that is errNoAnswer. An answer without an id is one only if the server took no call
// from the request: then it is an error.
func readAnswer(response *http.Response, body []byte) (*answer, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, fmt.Errorf("%w (HTTP status %d): %w", errNoAnswer, response.StatusCode, err)
	}
	fails := a.Error != nil && a.Error.Code != nil && (a.Error.Data.Name != "" || a.Error.isOfNode()) // which the errors of a proxy do not have
	switch id := string(a.ID); {
	case id == callID && (fails || a.Error == nil && a.Result != nil):
	case id == "null" && a.Version == "2.0" && fails:
	case id != callID && id != "null" && id != "":
		return nil, fmt.Errorf("%w: it has another id", errNoAnswer)
	default:
		return nil, fmt.Errorf("%w (HTTP status %d): neither result nor error", errNoAnswer, response.StatusCode)
	}
	return &a, nil
}

// resultOf returns the result in an answer, or its error. What is no answer is errNoAnswer.
func resultOf(method string, response *http.Response, body []byte) (json.RawMessage, error) {
	a, err := readAnswer(response, body)
	switch {
	case err != nil && response.StatusCode == http.StatusUnauthorized: // of a proxy, which passed nothing on
		return nil, unauthorized(method, response.Request.Header.Get("Authorization") != "", nil)
	case err != nil:
		return nil, invalidAnswer(method, err)
	case response.StatusCode == http.StatusUnauthorized:
		return nil, unauthorized(method, response.Request.Header.Get("Authorization") != "", a.Error)
	case a.Error != nil && a.Error.isOfNode():
		return nil, &fault.Error{Code: fault.Denied, Op: method, Err: a.Error.fault(method),
			Message: "what answers at " + response.Request.URL.Scheme + "://" + response.Request.URL.Host + " is a node (or cli_wallet), and not a wallet server of billfold: it has no operation " + method,
			Hint:    "nothing was done; name the address of the wallet server (--rpc-http) with --to, and a node with --daemon-url"}
	case a.Error != nil:
		return nil, a.Error.fault(method)
	}
	return a.Result, nil
}

// unauthorized returns the error of a call that the server took from nobody: without a token, or with one that it does not accept, where it
// may have said why.
func unauthorized(method string, sent bool, why *wireError) error {
	e := &fault.Error{Code: fault.Denied, Op: method, Message: "the wallet server requires a token",
		Hint: "billfold token new makes one; name the file that holds it with --token-file"}
	if sent {
		e.Message = "the wallet server does not accept the token of --token-file"
		e.Hint = "billfold token list shows the tokens that it knows, billfold token new makes one"
		if why != nil {
			e.Message += ": " + strings.TrimSuffix(why.fault(method).Message, ".")
		}
	}
	return e
}

func invalidAnswer(method string, err error) error {
	return &fault.Error{Code: fault.Canceled, Op: method, Message: "what answers there is not a wallet server of this version", Err: err}
}

// wireError is the error object in a server's answer.
type wireError struct {
	Code    *int   `json:"code"` // of an error that was read, not nil
	Message string `json:"message"`
	Data    struct {
		Name      string          `json:"name"`
		Hint      string          `json:"hint"`
		Unsettled bool            `json:"unsettled"`
		Key       fault.KeyUse    `json:"request_key"`
		Daemon    json.RawMessage `json:"daemon"`
	} `json:"data"`
}

// isOfNode reports whether a node, or the reference wallet, does not know an operation: its number and name for that are other than those of this
// program's servers.
func (f *wireError) isOfNode() bool {
	return *f.Code != -32601 && (*f.Code == 51 || strings.Contains(f.Message, "no_method_with_this_name") || strings.Contains(f.Message, "_by_name.end()"))
}

// isOfDaemon reports whether the number is the one in the daemon's own error, and none of the wallet's.
func (f *wireError) isOfDaemon() bool {
	var own struct {
		Code *int `json:"code"`
	}
	return len(f.Data.Daemon) > 0 && json.Unmarshal(f.Data.Daemon, &own) == nil && own.Code != nil && *own.Code == *f.Code
}

// fault returns the error of the server's wallet, with the code that its number stands for.
func (f *wireError) fault(method string) *fault.Error {
	message := strings.TrimSuffix(f.Message, ".")
	if f.Data.Hint != "" {
		message = strings.TrimSuffix(message, "; "+strings.TrimSuffix(f.Data.Hint, "."))
	}
	e := &fault.Error{Code: fault.DaemonRefused, Op: method, Message: message, Hint: f.Data.Hint, Data: f.Data.Daemon,
		Unsettled: f.Data.Unsettled, RequestKey: f.Data.Key}
	if f.isOfDaemon() {
		return e
	}
	for _, row := range fault.Rows() {
		if row.Standard == *f.Code && (row.Name == f.Data.Name || row.Standard == -32602) {
			e.Code = row.Code
			break
		}
	}
	return e
}

// approvalOf returns what of a dry run is approved.
func approvalOf(result json.RawMessage) (json.RawMessage, error) {
	var tried struct {
		Operations json.RawMessage `json:"operations"`
		Effects    json.RawMessage `json:"effects"`
	}
	if err := json.Unmarshal(result, &tried); err != nil {
		return nil, err
	}
	return json.Marshal(tried)
}

// reviewOf returns the review in the result of a dry run.
func reviewOf(result json.RawMessage) (txbuild.Review, error) {
	var tried struct {
		Sentence   string          `json:"sentence"`
		Operations json.RawMessage `json:"operations"`
		Fee        struct {
			Pretty string `json:"pretty_amount"`
		} `json:"fee"`
		SignsWith []ledger.PublicKey `json:"signs_with"`
		Effects   []ledger.Effect    `json:"effects"`
	}
	if err := json.Unmarshal(result, &tried); err != nil {
		return txbuild.Review{}, err
	}
	if tried.Sentence == "" {
		return txbuild.Review{}, errors.New("a dry run without a sentence")
	}
	number, symbol, _ := strings.Cut(tried.Fee.Pretty, " ")
	_, decimals, _ := strings.Cut(number, ".")
	asset := ledgerview.AssetRef{Symbol: symbol, Precision: uint8(min(len(decimals), ledger.MaxPrecision))}
	fee, err := ledger.ParseAmountOf(tried.Fee.Pretty, symbol, asset.Precision)
	return txbuild.Review{
		Sentence: tried.Sentence, SignsWith: tried.SignsWith, Fee: fee, FeeAsset: asset, JSON: string(tried.Operations),
		Effects: tried.Effects,
	}, err
}
