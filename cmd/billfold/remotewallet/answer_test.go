package remotewallet

import (
	"net/http"
	"strings"
	"testing"
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
