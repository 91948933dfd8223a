package page_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/page/rpc"
	"billfold/tui/uitest"
)

// listenerRoom is a server and its tokens as plain values: what a real one makes of them is tested with it.
type listenerRoom struct {
	listeners []rpc.Listener
	clients   []rpc.Client
	calls     []rpc.Call
	tokens    []rpc.Token
	cut       uint64
	text      []byte
}

func (r *listenerRoom) Listeners() []rpc.Listener { return append([]rpc.Listener(nil), r.listeners...) }
func (r *listenerRoom) Clients() []rpc.Client     { return r.clients }
func (r *listenerRoom) Calls() []rpc.Call         { return r.calls }

func (r *listenerRoom) Switch(name string, on bool) error {
	for i := range r.listeners {
		if r.listeners[i].Name == name && name == "WebSocket" && on {
			return errors.New("cannot listen on 127.0.0.1:8091; another program uses this port; stop it, or choose another port")
		} else if r.listeners[i].Name == name {
			r.listeners[i].On = on
		}
	}
	return nil
}

func (r *listenerRoom) CutOff(number uint64) bool {
	r.cut = number
	return true
}

func (r *listenerRoom) List(context.Context) ([]rpc.Token, error) { return r.tokens, nil }

func (r *listenerRoom) Describe(p rpc.Policy) (string, error) {
	if strings.Contains(p.PerPayment, "x") {
		return "", errors.New(`"x" is not a limit; write it like "100 DCT"`)
	}
	return "methods " + p.May + "; per payment " + p.PerPayment, nil
}

func (r *listenerRoom) New(_ context.Context, name string, p rpc.Policy) ([]byte, error) {
	r.tokens = append(r.tokens, rpc.Token{ID: "new", Name: name, Policy: p, Summary: "methods " + p.May})
	r.text = []byte("billfold_new_secretsecret")
	return r.text, nil
}

func (r *listenerRoom) Change(_ context.Context, id string, p rpc.Policy) error {
	for i := range r.tokens {
		if r.tokens[i].ID == id {
			r.tokens[i].Policy, r.tokens[i].Summary = p, "methods "+p.May+"; per payment "+p.PerPayment
		}
	}
	return nil
}

func (r *listenerRoom) Revoke(_ context.Context, id string) error {
	for i := range r.tokens {
		if r.tokens[i].ID == id {
			r.tokens = append(r.tokens[:i:i], r.tokens[i+1:]...)
			break
		}
	}
	return nil
}

// drawnRoom is the page of the drawing.
func drawnRoom() *listenerRoom {
	at := func(ago time.Duration) time.Time { return uitest.Start.Add(-ago) }
	return &listenerRoom{
		listeners: []rpc.Listener{{Name: "HTTP", Addr: "http://127.0.0.1:8093/rpc", On: true, Since: at(5 * time.Hour), Token: true},
			{Name: "WebSocket", Addr: "ws://127.0.0.1:8091", Token: true}},
		clients: []rpc.Client{{Number: 1, Who: "shop-till", Via: "websocket", Open: true, Calls: 412, Last: at(0)},
			{Number: 2, Who: "reports\x1b[2J", Via: "HTTP", Calls: 57, Last: at(8 * time.Second)}},
		calls: []rpc.Call{
			{At: at(0), Who: "shop-till", Via: "websocket", Method: "transfer", Params: `"alice" "merchant-7" "5.5" "DCT" … true`, Count: 1, Running: 1},
			{At: at(7 * time.Second), Who: "reports", Via: "HTTP", Method: "get_account_history", Params: `"alice" 100`, Count: 1, Took: 41 * time.Millisecond},
			{At: at(8 * time.Second), Who: "reports", Via: "HTTP", Method: "unlock", Params: "[hidden]", Count: 1, Fault: "denied"},
			{At: at(9 * time.Second), Who: "shop-till", Via: "websocket", Method: "list_account_balances", Params: `"alice"`, Count: 4012, Took: 9 * time.Millisecond},
			{At: at(99 * time.Second), Via: "HTTP", Count: 1, Status: 401, Message: "This wallet requires a token."},
			{At: at(100 * time.Second), Who: "anybody", Via: "HTTP", Count: 1, Fault: "unknown_method", Message: "There is no operation \x1b[31m."},
		},
		tokens: []rpc.Token{
			{ID: "aa", Name: "shop-till", Policy: rpc.Policy{May: "transfer", PerPayment: "5 DCT", PerDay: "50 DCT"},
				Summary: "methods transfer; per payment 5 DCT; per day 50 DCT", Spent: []rpc.Sum{{Asset: uitest.DCT, Amount: 12_50000000}}},
			{ID: "bb", Name: "reports", Policy: rpc.Policy{May: "all"}, Summary: "methods all to read"},
		},
	}
}

func rpcScene(r *listenerRoom) uitest.Scene {
	s := uitest.Rows()
	s.Options = tui.Options{RPC: rpc.Core{Server: r, Traffic: r, Tokens: r,
		Terms: []rpc.Term{{Name: "Spending", Text: "you are asked, unless a token's limit allows it"}}}}
	return s
}

func TestRPCLooksAsDrawn(t *testing.T) {
	uitest.Play(t, 100, 30, rpcScene(drawnRoom()), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("-")
		d.Until("shop-till", "12.50000000 DCT", "×4,012")
		d.GoldenPage("rpc/rpc")
		d.GoldenSizes("rpc/rpc", [][2]int{{60, 20}, {50, 16}})
		d.Resize(80, 24)
		d.Press("tab tab tab down down down down down enter")
		d.Until("unknown operation", `\x1b[31m`)
		d.GoldenPage("rpc/rpc-call")
		d.Resize(80, 24)
		d.Press("tab")
		d.GoldenPage("rpc/rpc-tokens")
		d.GoldenSizes("rpc/rpc-tokens", [][2]int{{60, 20}, {50, 16}, {40, 12}})
		d.Resize(80, 24)
		d.Press("n")
		d.GoldenPage("rpc/rpc-new")
		d.GoldenSizes("rpc/rpc-new", [][2]int{{50, 16}})
	})
}

// A listener is switched with space; why it was not is said, and a locked wallet is only made narrower.
func TestListenersAreSwitched(t *testing.T) {
	r := drawnRoom()
	uitest.Play(t, 100, 30, rpcScene(r), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("-")
		d.Send(uitest.Key(" "))
		d.Until("HTTP is off")
		d.Send(uitest.Key(" "))
		d.Until("HTTP is on")
		d.Press("down")
		d.Send(uitest.Key(" "))
		d.Until("another program uses this port")
		d.Press("up tab x")
		d.Until("Cut off")
		if r.cut != 1 {
			t.Errorf("client %d was cut off", r.cut)
		}
		d.Press("down x")
		d.Until("calls over HTTP")
		d.Press("ctrl+l esc -")
		d.Send(uitest.Key(" "))
		d.Until("HTTP is off")
		d.Send(uitest.Key(" "))
		if r.listeners[0].On {
			t.Error("a locked wallet opened a listener")
		}
	})
}

// A token is made, shown once, wiped, changed, and revoked by its name and X.
func TestTokensAreMadeChangedAndRevoked(t *testing.T) {
	r := drawnRoom()
	uitest.Play(t, 100, 30, rpcScene(r), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("- n enter enter enter enter enter enter enter enter")
		d.Until("give it a name")
		d.Press("tab")
		d.Type("till")
		d.Press("tab tab tab tab")
		d.Type("x")
		d.Press("tab tab tab enter")
		d.Until("is not a limit")
		d.Press("shift+tab shift+tab shift+tab ctrl+u")
		d.Type("5 DCT")
		d.Shows("Permits: methods all; per payment 5 DCT")
		d.Press("ctrl+l")
		d.Until("Unlock")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("Permits: methods all; per payment 5 DCT") // a lock loses nothing
		d.Press("tab tab tab enter")
		d.Until("billfold_new_secretsecret", "never shown again")
		d.GoldenPage("rpc/rpc-made")
		d.Resize(100, 30)
		d.Press("enter") // whoever holds it down keeps the text on screen
		d.Shows("secretsecret")
		d.Press("esc ~")
		d.Shows("billfold token new till --methods all --per-payment '5 DCT'")
		d.Press("esc")
		d.Hides("secretsecret")
		if string(r.text) != strings.Repeat("\x00", len(r.text)) {
			t.Errorf("the text of the token is still %q", r.text)
		}
		d.Press("tab tab tab tab down down e")
		d.Until("Policy of till")
		d.Press("ctrl+u")
		d.Type("transfer")
		d.Press("enter enter enter enter enter enter enter")
		d.Until("methods transfer")
		d.Press("x")
		d.Type("Xtill")
		d.Press("ctrl+u")
		d.Type("till")
		d.Sure("X")
		d.Until("2 ━")
		if len(r.tokens) != 2 {
			t.Errorf("the tokens are %+v", r.tokens)
		}
	})
}

// ~ shows what opens the listeners that are on, with the login that they ask for, and what lists the tokens.
func TestListenersAreSaidAsACommand(t *testing.T) {
	uitest.Play(t, 100, 30, rpcScene(drawnRoom()), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("- ~")
		d.Shows("billfold --tui --rpc-http=127.0.0.1:8093 --rpc-auth")
		d.Press("esc tab tab tab ~")
		d.Hides("Command")
		d.Press("esc tab ~")
		d.Shows("billfold token list")
	})
}

// While other machines reach the wallet, every page says so.
func TestAListenerForOtherMachinesIsShownOnEveryPage(t *testing.T) {
	r := drawnRoom()
	r.listeners = append(r.listeners, rpc.Listener{Name: "Open", Addr: "http://0.0.0.0:9000/rpc", On: true, Beyond: true, Token: true})
	uitest.Play(t, 100, 30, rpcScene(r), func(d *uitest.Driver, _ *uitest.World) {
		for _, key := range []string{"1", "2", "-"} {
			d.Press("esc esc " + key)
			d.Shows("▲ Other machines reach this wallet at http://0.0.0.0:9000/rpc.")
		}
		r.listeners[2].On = false
		d.Wait(2 * time.Second)
		d.Hides("Other machines reach")
	})
}

// While somebody reads further down in the calls, or one of them whole, the list stands still and says how many came.
func TestTheCallsStandStillForWhoReads(t *testing.T) {
	r := drawnRoom()
	uitest.Play(t, 100, 30, rpcScene(r), func(d *uitest.Driver, _ *uitest.World) {
		call := func(method string) {
			d.Wait(time.Second)
			r.calls = append([]rpc.Call{{At: time.Now().UTC(), Who: "flood", Via: "HTTP", Method: method}}, r.calls...)
			d.Wait(2 * time.Second)
		}
		d.Press("- tab tab tab")
		call("first_call")
		d.Shows("first_call")
		d.Press("j")
		for range 40 {
			call("second_call")
		}
		d.Shows("first_call", "• 40 new · g shows them")
		d.Hides("second_call")
		d.Press("g")
		d.Shows("second_call")
		d.Hides("new · g")
		d.Press("enter")
		call("third_call")
		d.Shows("• 1 new")
		d.Hides("third_call")
		d.Press("enter")
		d.Wait(2 * time.Second)
		d.Shows("third_call")
	})
}

// A form that is longer than the window says how much is above and which key shows it; typing goes back to the field.
func TestALongFormIsReadToItsBeginning(t *testing.T) {
	uitest.Play(t, 50, 16, rpcScene(drawnRoom()), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("- n tab tab")
		d.Shows("pgup ", " more ", "For accounts")
		d.Hides("May call: operations")
		d.Press("pgup")
		d.Shows("May call: operations", "pgdn ", " more ")
		d.Press("pgdown")
		d.Hides("May call: operations")
		d.Press("pgup")
		d.Type("carol")
		d.Shows("For accounts  carol")
		d.Resize(140, 40)
		d.Shows("May call: operations")
		d.Hides("pgup ", "pgdn ")
	})
}
