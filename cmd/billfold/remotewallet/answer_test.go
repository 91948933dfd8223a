package remotewallet

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"billfold/cmd/billfold/shell"
	"billfold/walletcore/walletapi"
)

// A node at the address of a wallet server is called that; its own error, with thousands of letters, is not shown.
func TestNodeIsNoWalletServer(t *testing.T) {
	request, err := http.NewRequest(http.MethodPost, "http://127.0.0.1:8090/rpc", nil)
	if err != nil {
		t.Fatal(err)
	}
	response := &http.Response{StatusCode: http.StatusOK, Request: request}
	for body, want := range map[string]string{
		`{"id":1,"error":{"code":51,"message":"51 no_method_with_this_name_exception: No method with this name. itr != _by_name.end(): 'is_locked' {\"api\":[]}","data":{"code":51,"name":"no_method_with_this_name_exception"}}}`: "at http://127.0.0.1:8090 is a node",
		`{"id":1,"error":{"code":1,"message":"Assert Exception: itr != _by_name.end(): no method with name 'is_locked'"}}`:                                                                                                         "is a node",
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"There is no operation is_locked.","data":{"name":"no_method_with_this_name_exception"}}}`:                                                                       "There is no operation",
	} {
		if _, err := resultOf("is_locked", response, []byte(body)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "_by_name") {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// What a proxy answers in a server's stead says nothing of a payment that it may have passed on; a call that reads has only failed.
func TestNoAnswerToAPaymentIsUnknown(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
	}{
		{"bad gateway", "<html>502 Bad Gateway</html>", http.StatusBadGateway},
		{"unavailable", "", http.StatusServiceUnavailable},
		{"gateway timeout", "upstream timed out", http.StatusGatewayTimeout},
		{"found", "", http.StatusFound},
		{"redirect", "", http.StatusTemporaryRedirect},
		{"not found", "404 page not found", http.StatusNotFound},
		{"too many", `{"message":"slow down"}`, http.StatusTooManyRequests},
		{"a gateway's error", `{"error":{"code":502,"message":"upstream"}}`, http.StatusBadGateway},
		{"a gateway's JSON-RPC", `{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"gateway timeout"}}`, http.StatusOK},
		{"a gateway's JSON-RPC with the id", `{"jsonrpc":"2.0","id":1,"error":{"code":-32004,"message":"gateway timeout"}}`, http.StatusGatewayTimeout},
		{"no result", `{"jsonrpc":"2.0","id":1,"result":null}`, http.StatusOK},
		{"nothing", "", http.StatusOK},
		{"neither", `{"jsonrpc":"2.0","id":1,"error":null}`, http.StatusOK},
		{"no object", `[]`, http.StatusOK},
		{"another id", `{"jsonrpc":"2.0","id":2,"result":null}`, http.StatusOK},
		{"a result without an id", `{"jsonrpc":"2.0","id":null,"result":null}`, http.StatusOK},
		{"cut off", `{"jsonrpc":"2.0","id":1,"resu`, http.StatusOK},
	} {
		t.Run(c.name, func(t *testing.T) {
			proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "http://127.0.0.1:1/rpc")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}))
			defer proxy.Close()
			w, err := OpenURL(proxy.URL, "", "")
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range []struct {
				method, params, says string
				exit                 int
			}{
				{"transfer", `["alice","bobby","1","DCT","",true,"order 7"]`, `get_payment "order 7"`, shell.Unknown},
				{"transfer", `["alice","bobby","1","DCT","",true]`, "list_payments", shell.Unknown},
				{"from_command_file", `["payday.txt"]`, "list_payments", shell.Unknown},
				{"lock", `[]`, "not a wallet server of this version (it may have been done", shell.Refused},
				{"info", `[]`, "is not a wallet server of this version", shell.Refused},
			} {
				if c.name == "no result" && call.method != "transfer" { // which others may have
					continue
				}
				var params []json.RawMessage
				if err := json.Unmarshal([]byte(call.params), &params); err != nil {
					t.Fatal(err)
				}
				result, err := w.Call(t.Context(), call.method, walletapi.Params{Positional: params})
				if err == nil || shell.ExitCode(err) != call.exit || !strings.Contains(err.Error(), call.says) ||
					strings.Contains(err.Error(), "not known") != (call.exit == shell.Unknown) {
					t.Errorf("%s: %s, exit code %d, %v", call.method, result, shell.ExitCode(err), err)
				}
			}
		})
	}
}

// An error without an id is of a server that took no call from the request.
func TestErrorWithoutAnIDIsAnAnswer(t *testing.T) {
	response := &http.Response{StatusCode: http.StatusServiceUnavailable}
	_, err := resultOf("transfer", response, []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"Too busy.","data":{"name":"limit_exceeded"}}}`))
	if err == nil || !strings.Contains(err.Error(), "Too busy") || shell.ExitCode(err) != shell.Refused {
		t.Errorf("exit code %d, %v", shell.ExitCode(err), err)
	}
}

// What a node had and refused may still happen, whatever its number means to the wallet; what is refused for good may not.
func TestUnsettledRefusalIsUnknown(t *testing.T) {
	response := &http.Response{StatusCode: http.StatusOK}
	for data, want := range map[string]int{
		`{"name":"assert_exception","unsettled":true,"daemon":{"code":10}}`: shell.Unknown,
		`{"name":"exception","unsettled":true}`:                             shell.Unknown,
		`{"name":"exception","daemon":{"code":0}}`:                          shell.Refused,
	} {
		code := "10"
		if strings.Contains(data, `"exception"`) {
			code = "0"
		}
		_, err := resultOf("transfer", response, []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":`+code+`,"message":"The daemon refused.","data":`+data+`}}`))
		if got := shell.ExitCode(err); got != want {
			t.Errorf("%s: exit code %d, %v", data, got, err)
		}
	}
}
