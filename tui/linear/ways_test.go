package linear_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/cmd/billfold/shell"
	"billfold/ledger"
	"billfold/tui/linear"
	"billfold/tui/page/rpc"
	"billfold/tui/uitest"
	"billfold/walletcore/approval"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/walletapi"
)

// secret is a strong password.
const secret = "seven otters juggle quietly"

// word returns word n of the phrase that was printed last.
func word(n int) reads {
	return func(output string) string {
		var all []string
		for _, l := range regexp.MustCompile(`Words \d+ to \d+: (.*)`).FindAllStringSubmatch(output, -1) {
			all = append(all, strings.Fields(l[1])...)
		}
		return strings.ToLower(all[len(all)-16+n-1]) // of the latest phrase
	}
}

// written is a ledger on which dave-shop has the keys of phrase.
var written = &uitest.Past{Ledger: func(w *uitest.World) {
	w.Ago(40 * time.Hour)
	owner := ledger.DeriveKey(phrase, 0)
	active := ledger.DeriveKey(owner.WIF(), 0)
	one := func(k ledger.PrivateKey) ledger.Authority {
		return ledger.Authority{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{{Key: k.Public(), Weight: 1}}}
	}
	w.Push(&ledger.AccountCreateOp{Registrar: uitest.Carol.ID, Name: "dave-shop", Owner: one(owner), Active: one(active),
		Options: ledger.NewAccountOptions(active.Public())})
	w.Mine()
}}

const phrase = "ANGRY RIVER COPPER FOLIO MANTLE QUIVER"

// A phrase restores its account with the keys derived from it.
func TestPhraseRestoresItsAccount(t *testing.T) {
	uitest.Live(t, uitest.Scene{Past: written, Unmade: true}, func(w *uitest.World) {
		output, _ := runSession(w, nil, "4", strings.ToLower(phrase), secret, secret, "keys", "1", "quit")
		if strings.Contains(strings.ToUpper(output), "MANTLE") {
			t.Error("the phrase was printed")
		}
		golden(t, "first-phrase", output)
	})
}

func unmade() uitest.Scene { return uitest.Scene{Unmade: true} }

// The phrase of a new wallet is printed in parts and some of its words are asked for; the wallet is written once, at
// the end.
func TestCreateWallet(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		made := act(func() {
			if !w.Wallet.Vault.IsNew() {
				t.Error("the wallet was written before the phrase was typed")
			}
		})
		output, code := runSession(
			w,
			nil,
			"7",
			"1",
			"otter",
			"others",
			`"stop"`,
			secret,
			secret,
			"",
			"ready",
			"again",
			"new", "yes", "back",
			"new", "another",
			"ready",
			"agai",
			"repeat",
			"",
			"next",
			"wrong",
			word(3),
			word(9),
			made,
			word(14), "carol", "x", "dave-shop",
			"where",
			"quit",
		)
		if code != linear.Done || w.Wallet.Vault.IsNew() {
			t.Error("there is no wallet")
		}
		output = regexp.MustCompile(`(Words \d+ to \d+): .*`).ReplaceAllString(output, "$1: ...")
		output = regexp.MustCompile(`DCT\w{50}`).ReplaceAllString(output, "DCT...")
		output = regexp.MustCompile(`(?m)^(Word \d+) > .*`).ReplaceAllString(output, "$1 > ...")
		golden(t, "create", output)
	})
}

// A password typed by mistake after a refused answer is not printed: "seven otters" in watch is such a password.
func TestWaysIntoAWallet(t *testing.T) {
	alice := uitest.KeyOf(uitest.Alice.Name).WIF()
	for name, script := range map[string][]any{
		"key":   {"3", "nonsense", "", alice, "carol", "again", "", secret, secret, "import", "2", uitest.KeyOf(uitest.Carol.Name).WIF(), "-", alice, "quit"},
		"watch": {"5", "nobody-here", "seven otters", "again", "carol", "help", secret, "", secret, "account", "send", "quit"},
		"brain": {"4", "Angry river  copper folio mantle quiver", "", "keep", secret, secret, "quit"},
		"box":   {"6"},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, unmade(), func(w *uitest.World) {
				output, _ := runSession(w, func(o *linear.Options) { o.OfferSandbox = true }, script...)
				for _, secret := range []string{alice, "mantle", "seven otters"} {
					if strings.Contains(strings.ToLower(output), strings.ToLower(secret)) {
						t.Errorf("%q was printed", secret)
					}
				}
				golden(t, "first-"+name, output)
			})
		})
	}
}

// A wallet.json is imported into a wallet that belongs to no chain yet.
func TestWalletFileIsImported(t *testing.T) {
	path, err := filepath.Abs("../../keystore/testdata/wallet-legacy.json")
	uitest.Must(t, err)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(uitest.Start))
		// This wallet belongs to no chain yet, so that the file fits.
		w := &uitest.World{T: t, Ctx: t.Context(), Wallet: uitest.RealWallet(t, t.TempDir())}
		defer w.Wallet.Vault.Lock()
		damaged := filepath.Join(t.TempDir(), "damaged")
		whole, err := os.ReadFile(path)
		uitest.Must(t, err)
		var script []any
		for i, text := range []string{string(whole[:400]), "", strings.Repeat("\x00", 99), `{"a":1}`, string(whole[:1]) + "\x00" + string(whole[2:])} {
			name := damaged + strconv.Itoa(i)
			uitest.Must(t, os.WriteFile(name, []byte(text), 0o600))
			script = append(script, name, "again")
		}
		output, _ := runSession(w, nil, append(append([]any{"2"}, script...), "/nowhere", "again", path, "wrong", "pass123", secret, secret, "quit")...)
		golden(t, "first-file", strings.ReplaceAll(strings.ReplaceAll(output, path, "wallet.json"), damaged, "damaged"))
	})
}

// Programs ask for approvals and receive the answers.
func TestApprovals(t *testing.T) {
	uitest.Live(t, saved(), func(w *uitest.World) {
		queue := approval.New()
		defer queue.Close()
		heard := make(chan approval.Answer, 9)
		asks := func(who, typed string) act {
			return func() {
				request := txbuild.TransferParams{From: uitest.Alice.Name, To: uitest.Carol.Name, Amount: "6", Asset: "DCT"}
				made, err := w.Wallet.Payments.Prepare(w.Ctx, txbuild.NewRequest("transfer", request, txbuild.Transfer))
				uitest.Must(t, err)
				r := approval.Request{
					Who:    who,
					Via:    "HTTP",
					Method: "transfer",
					Why:    "over the 5 DCT limit per call",
					Review: made.Review(),
				}
				if typed != "" {
					r = approval.Request{Who: who, Via: "HTTP", Method: "dump_private_keys", Why: "programs have to ask",
						Sentence: "export all private keys", Typed: typed}
				}
				go func() { heard <- queue.Ask(context.Background(), r) }()
			}
		}
		output, _ := runSession(
			w,
			func(o *linear.Options) {
				o.Approvals = queue
				o.RPC.Server, o.RPC.Traffic = httpListener{}, httpListener{}
				o.RPC.Terms = []rpc.Term{{Name: "Spending", Text: "you are asked"}}
			},
			"rpc",
			asks("shop-till", ""),
			"approvals",
			"",
			"yes",
			"approve",
			asks("till\x1b[2J", ""),
			asks("backup", "export"),
			"rpc",
			"approvals",
			"1",
			"later",
			"1 approvals",
			"deny",
			"approvals",
			"exprot",
			"export",
			"approve",
			asks("slow", ""),
			"",
			"approvals",
			pause(2*time.Minute),
			"approve",
			"approvals",
			"quit",
			"quit",
		)
		golden(t, "approvals", output)
		for _, want := range []approval.Answer{approval.Yes, approval.No, approval.Yes, approval.Silence} {
			if got := <-heard; got != want {
				t.Errorf("a program received %v, not %v", got, want)
			}
		}
	})
}

// An unknown outcome is reported, the payment is never built again, and resend sends the same bytes.
func TestUnknownOutcome(t *testing.T) {
	scene := uitest.Rows()
	uitest.Live(t, scene, func(w *uitest.World) {
		refuse := act(func() { uitest.Must(t, w.Ledger.RefuseBroadcast(10, "the pending list is full")) })
		cut, join := act(w.Cut), act(w.Join)
		output, code := runSession(
			w,
			nil,
			"send",
			"carol",
			"7",
			"",
			refuse,
			"sign",
			"pending",
			"again",
			"send carol 7",
			"",
			"sign",
			"stop",
			"resend 2",
			"resend",
			pause(10*time.Second),
			"pending",
			"resend",
			cut,
			pause(20*time.Second),
			"",
			"home",
			"send",
			"where",
			join,
			pause(3*time.Minute),
			"",
			"quit",
		)
		golden(t, "unknown", output)
		if w.Paid() != 1 || code != linear.Done {
			t.Errorf("%d payments were sent, code %d", w.Paid(), code)
		}
	})
}

func TestConsole(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(
			w,
			func(o *linear.Options) {
				o.Core.Console = shell.Page{Wallet: walletapi.New(walletapi.Core{Wallet: w.Wallet})}
				o.RPC.Server, o.RPC.Traffic = httpListener{}, httpListener{}
			},
			"console",
			"get_account carol",
			"more",
			"curl",
			"json get_account_count", "lines", "2",
			"complete get_account_c",
			"about transfer",
			"get_acount x",
			"transfer alice bob-trade 1.5 DCT \"two coffees\" true",
			"no",
			"back",
			"1",
			"transfer alice bob-trade 1 DCT \"\" true",
			"sign",
			"quit",
		)
		output = regexp.MustCompile(`[0-9a-f]{40}`).ReplaceAllString(output, "...")
		golden(t, "console", output)
		if w.Paid() != 1 {
			t.Errorf("%d payments were sent", w.Paid())
		}
	})
}

// A script ends at its first error with the exit code of that; each line of JSON output is an object.
func TestScripts(t *testing.T) {
	for name, test := range map[string]struct {
		code   int
		scene  uitest.Scene
		script []any
	}{
		"done":    {linear.Done, uitest.Rows(), []any{"send", "carol", "1", "", "sign"}},
		"marked":  {linear.Done, uitest.Rows(), []any{"\ufeffsend", "\ufeffcarol", "1", "", "sign\x1a"}},
		"refused": {linear.Refused, uitest.Rows(), []any{"send", "nobody-here", "1", "", "sign"}},
		"misused": {linear.Misused, uitest.Rows(), []any{"sned", "carol"}},
		"short":   {linear.Misused, uitest.Rows(), []any{"send", "carol", "1", ""}},
		"empty":   {linear.Misused, uitest.Rows(), []any{"send", "carol", "1", "", "", "", ""}},
		"locked":  {linear.IsLocked, locked(), []any{"wrong"}},
		"silent":  {linear.IsLocked, locked(), []any{"back", "send"}},
		"file":    {linear.Refused, uitest.Scene{Wallet: func(w *uitest.World) { w.Cut() }}, []any{"sign", "file nowhere.json"}},
		"away":    {linear.NoDaemon, uitest.Scene{Wallet: func(w *uitest.World) { w.Cut() }}, []any{"send", "carol"}},
		"unknown": {linear.Unknown, uitest.Scene{Wallet: func(w *uitest.World) {
			uitest.Must(t, w.Ledger.RefuseBroadcast(10, "the pending list is full"))
		}}, []any{"send", "carol", "1", "", "sign", "home"}},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Live(t, test.scene, func(w *uitest.World) {
				output, code := runSession(w, func(o *linear.Options) { o.Script, o.Echo = true, true }, test.script...)
				if code != test.code {
					t.Errorf("it ended with %d, not %d:\n%s", code, test.code, output)
				}
				if name == "file" && (!strings.Contains(output, "Proposals: not known.") ||
					!strings.Contains(output, "no transaction file nowhere.json")) {
					t.Errorf("the file was not opened without a node:\n%s", output)
				}
				if quoted := `refused: "the pending list is full"`; name == "unknown" && !strings.Contains(output, quoted) {
					t.Errorf("text of the node is not quoted:\n%s", output)
				}
				if name == "empty" && w.Paid() != 0 {
					t.Error("an empty line confirmed a payment")
				}
			})
		})
	}
}

func TestLinesAsObjects(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		jsonScript := func(o *linear.Options) { o.JSON, o.Script = true, true }
		output, _ := runSession(w, jsonScript, "history", "1", "send", "carol", "1", "", "stop")
		golden(t, "objects", output)
	})
}

// httpListener is an HTTP listener that is on; the tests of the server test the real one.
type httpListener struct{}

func (httpListener) Listeners() []rpc.Listener {
	return []rpc.Listener{{Name: "HTTP", Addr: "http://127.0.0.1:8093/rpc", On: true}}
}
func (httpListener) Switch(string, bool) error { return nil }
func (httpListener) Clients() []rpc.Client     { return nil }
func (httpListener) Calls() []rpc.Call         { return nil }
func (httpListener) CutOff(uint64) bool        { return false }

// A waiting registration is printed again on request, also in a later run, until the account is registered; then the
// wallet lists it.
func TestWaitingRegistration(t *testing.T) {
	for _, name := range []string{"dave-shop", ""} {
		uitest.Live(t, unmade(), func(w *uitest.World) {
			file := filepath.Join(t.TempDir(), "line.txt")
			output, _ := runSession(w, nil, "1", secret, secret, "ready", "next", word(3), word(9), word(14), name, "lock", "home", "keys",
				"registration", secret, "receive", "registration "+file, "history", "quit")
			key := func(label string) string {
				all := regexp.MustCompile(label+` key: (DCT\w+)`).FindAllStringSubmatch(output, -1)
				if len(all) != 3 {
					t.Fatalf("the %s key is printed %d times:\n%s", label, len(all), output)
				}
				return all[2][1]
			}
			called := name
			if name == "" {
				called = "NAME"
			}
			line := strings.Join([]string{"register_account_with_keys", called, key("Owner"), key("Active"), key("Memo"),
				"THEIR-ACCOUNT", "true\n"}, " ")
			if text, err := os.ReadFile(file); err != nil || string(text) != line {
				t.Errorf("the file has %q, %v, not %q", text, err, line)
			}
			one := func(text string) (ledger.PublicKey, ledger.Authority) {
				k, err := ledger.ParsePublicKey(text)
				uitest.Must(t, err)
				return k, ledger.Authority{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{{Key: k, Weight: 1}}}
			}
			_, owner := one(key("Owner"))
			_, active := one(key("Active"))
			memo, _ := one(key("Memo"))
			register := act(func() {
				w.Push(&ledger.AccountCreateOp{Registrar: uitest.Carol.ID, Name: "dave-shop", Owner: owner, Active: active,
					Options: ledger.NewAccountOptions(memo)})
			})
			output, _ = runSession(w, nil, "home", register, pause(time.Minute), "", "home", "registration", "keys", "quit")
			for _, want := range []string{"Event: this wallet now has the account dave-shop 1.2.114.",
				"Account: dave-shop 1.2.114, can sign", "No registration is waiting."} {
				if !strings.Contains(output, want) {
					t.Errorf("%q is not printed:\n%s", want, output)
				}
			}
		})
	}
}

// A key is imported while no node answers, and its accounts are listed once one answers.
func TestKeyImportWithoutANode(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		alice := uitest.KeyOf(uitest.Alice.Name).WIF()
		output, _ := runSession(w, nil, act(w.Cut), pause(20*time.Second), "3", alice, "", "again", "-", secret, secret, "keys",
			act(w.Join), pause(time.Minute), "import", "2", alice, "", "quit")
		if strings.Contains(output, "acts for no account") || strings.Count(output, "its accounts are not known") != 1 ||
			!strings.Contains(output, "alice 1.2.34, as its") {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// A phrase pasted as two lines is one phrase; the second line answers no other question.
func TestPhrasePastedAsTwoLines(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "4", "angry river copper", ahead("folio mantle"), "keep", secret, secret, "quit")
		if !strings.Contains(output, "Words: 5") || strings.Contains(output, "dropped") || strings.Contains(output, "mantle") {
			t.Errorf("unexpected output:\n%s", output)
		}
	})
}

// The node is chosen before there is a wallet; an address where none answers is asked for again.
func TestTheFirstNodeIsChosen(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		choice := &uitest.NodeChoice{}
		output, _ := runSession(w, func(o *linear.Options) { o.Core.FirstNode = choice }, "6", "wss://node.exampl", "wss://node.example")
		if choice.Used != "wss://node.example" {
			t.Errorf("the node chosen is %q", choice.Used)
		}
		golden(t, "first-node", output)
		sandbox := func(o *linear.Options) { o.Core.FirstNode, o.OfferSandbox = choice, true }
		output, _ = runSession(w, sandbox, "7", "back", "quit")
		golden(t, "first-node-back", output)
	})
}

// exit ends the run as quit does.
func TestWordsOfAShellLeadOn(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		output, _ := runSession(w, nil, "console", "exit", "home")
		if strings.Contains(output, "There is no word") || strings.Contains(output, "> home") {
			t.Error(output)
		}
	})
}
