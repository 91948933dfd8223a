package linear_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
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
	"billfold/walletcore/build"
	"billfold/walletcore/walletapi"
)

// secret is a password that resists.
const secret = "seven otters juggle quietly"

// word is word n of the phrase that was read.
func word(n int) reads {
	return func(said string) string {
		var all []string
		for _, l := range regexp.MustCompile(`Words \d+ to \d+: (.*)`).FindAllStringSubmatch(said, -1) {
			all = append(all, strings.Fields(l[1])...)
		}
		return strings.ToLower(all[len(all)-16+n-1]) // of the phrase that was read last
	}
}

// written is a ledger on which dave-shop has the keys of a phrase.
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

// A phrase brings its account back, with the keys that are derived from it.
func TestAPhraseBringsItsAccountBack(t *testing.T) {
	uitest.Live(t, uitest.Scene{Past: written, Unmade: true}, func(w *uitest.World) {
		said, _ := hold(w, nil, "4", strings.ToLower(phrase), secret, secret, "keys", "1", "quit")
		if strings.Contains(strings.ToUpper(said), "MANTLE") {
			t.Error("the phrase was said")
		}
		golden(t, "first-phrase", said)
	})
}

func unmade() uitest.Scene { return uitest.Scene{Unmade: true} }

// A new wallet has a phrase that is read in parts and typed in part; it is written once, at the end.
func TestAWalletIsCreated(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		made := act(func() {
			if !w.Wallet.Vault.IsNew() {
				t.Error("the wallet was written before the phrase was typed")
			}
		})
		said, code := hold(
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
		said = regexp.MustCompile(`(Words \d+ to \d+): .*`).ReplaceAllString(said, "$1: ...")
		said = regexp.MustCompile(`DCT\w{50}`).ReplaceAllString(said, "DCT...")
		said = regexp.MustCompile(`(?m)^(Word \d+) > .*`).ReplaceAllString(said, "$1 > ...")
		golden(t, "create", said)
	})
}

// What is typed for a password behind an answer that was refused is not said: "seven otters" is, in the way of watch.
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
				said, _ := hold(w, func(o *linear.Options) { o.OfferSandbox = true }, script...)
				for _, secret := range []string{alice, "mantle", "seven otters"} {
					if strings.Contains(strings.ToLower(said), strings.ToLower(secret)) {
						t.Errorf("%q was said", secret)
					}
				}
				golden(t, "first-"+name, said)
			})
		})
	}
}

// A wallet.json fits a wallet that is of no chain yet.
func TestAWalletFileIsTakenOver(t *testing.T) {
	path, err := filepath.Abs("../../keystore/testdata/wallet-legacy.json")
	uitest.Must(t, err)
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(uitest.Start))
		w := &uitest.World{T: t, Ctx: t.Context(), Wallet: uitest.RealWallet(t, t.TempDir())} // of no chain yet, so that the file fits
		defer w.Wallet.Vault.Lock()
		said, _ := hold(w, nil, "2", "/nowhere", "again", path, "wrong", "pass123", secret, secret, "quit")
		golden(t, "first-file", strings.ReplaceAll(said, path, "wallet.json"))
	})
}

// programs ask, and hear the answer.
func TestApprovals(t *testing.T) {
	uitest.Live(t, saved(), func(w *uitest.World) {
		queue := approval.New()
		defer queue.Close()
		heard := make(chan approval.Answer, 9)
		asks := func(who, typed string) act {
			return func() {
				request := build.TransferParams{From: uitest.Alice.Name, To: uitest.Carol.Name, Amount: "6", Asset: "DCT"}
				made, err := w.Wallet.Payments.Prepare(w.Ctx, build.NewRequest("transfer", request, build.Transfer))
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
		said, _ := hold(
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
		golden(t, "approvals", said)
		for _, want := range []approval.Answer{approval.Yes, approval.No, approval.Yes, approval.Silence} {
			if got := <-heard; got != want {
				t.Errorf("a program heard %v, not %v", got, want)
			}
		}
	})
}

// An outcome that is not known is said so, never sent anew, and the same bytes go out again by a word.
func TestAnUnknownOutcome(t *testing.T) {
	scene := uitest.Rows()
	uitest.Live(t, scene, func(w *uitest.World) {
		refuse := act(func() { uitest.Must(t, w.Ledger.RefuseBroadcast(10, "the pending list is full")) })
		cut, join := act(w.Cut), act(w.Join)
		said, code := hold(
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
		golden(t, "unknown", said)
		if w.Paid() != 1 || code != linear.Done {
			t.Errorf("%d payments were sent, code %d", w.Paid(), code)
		}
	})
}

func TestConsole(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(
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
		said = regexp.MustCompile(`[0-9a-f]{40}`).ReplaceAllString(said, "...")
		golden(t, "console", said)
		if w.Paid() != 1 {
			t.Errorf("%d payments were sent", w.Paid())
		}
	})
}

// A script ends with its first error, and says by its code how; each line is an object.
func TestScripts(t *testing.T) {
	for name, test := range map[string]struct {
		code   int
		scene  uitest.Scene
		script []any
	}{
		"done":    {linear.Done, uitest.Rows(), []any{"send", "carol", "1", "", "sign"}},
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
				said, code := hold(w, func(o *linear.Options) { o.Script, o.Echo = true, true }, test.script...)
				if code != test.code {
					t.Errorf("it ended with %d, not %d:\n%s", code, test.code, said)
				}
				if name == "file" && (!strings.Contains(said, "Proposals: not known.") || !strings.Contains(said, "file cannot be read")) {
					t.Errorf("without a node a file is not opened:\n%s", said)
				}
				if quoted := `refused: "the pending list is full"`; name == "unknown" && !strings.Contains(said, quoted) {
					t.Errorf("what the node says does not stand between quotes:\n%s", said)
				}
				if name == "empty" && w.Paid() != 0 {
					t.Error("an empty line spent")
				}
			})
		})
	}
}

func TestLinesAsObjects(t *testing.T) {
	uitest.Live(t, uitest.Rows(), func(w *uitest.World) {
		said, _ := hold(w, func(o *linear.Options) { o.JSON, o.Script = true, true }, "history", "1", "send", "carol", "1", "", "stop")
		golden(t, "objects", said)
	})
}

// httpListener is an HTTP listener that is on; what it does is tested with the server.
type httpListener struct{}

func (httpListener) Listeners() []rpc.Listener {
	return []rpc.Listener{{Name: "HTTP", Addr: "http://127.0.0.1:8093/rpc", On: true}}
}
func (httpListener) Switch(string, bool) error { return nil }
func (httpListener) Clients() []rpc.Client     { return nil }
func (httpListener) Calls() []rpc.Call         { return nil }
func (httpListener) CutOff(uint64) bool        { return false }

// What others need to register an account is heard again until they did, also in a later run; then the wallet lists it.
func TestAWalletWithoutAnAccountWaitsForIt(t *testing.T) {
	for _, name := range []string{"dave-shop", ""} {
		uitest.Live(t, unmade(), func(w *uitest.World) {
			file := filepath.Join(t.TempDir(), "line.txt")
			said, _ := hold(w, nil, "1", secret, secret, "ready", "next", word(3), word(9), word(14), name, "lock", "home", "keys",
				"registration", secret, "receive", "registration "+file, "history", "quit")
			key := func(label string) string {
				all := regexp.MustCompile(label+` key: (DCT\w+)`).FindAllStringSubmatch(said, -1)
				if len(all) != 3 {
					t.Fatalf("the %s key is said %d times:\n%s", label, len(all), said)
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
			said, _ = hold(w, nil, "home", register, pause(time.Minute), "", "home", "registration", "keys", "quit")
			for _, want := range []string{"Event: this wallet has the account dave-shop 1.2.114 now.",
				"Account: dave-shop 1.2.114, can sign", "No registration is waiting."} {
				if !strings.Contains(said, want) {
					t.Errorf("%q is not said:\n%s", want, said)
				}
			}
		})
	}
}

// A key is kept while no node answers, and its accounts are listed when it comes again.
func TestAKeyIsKeptWithoutANode(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		alice := uitest.KeyOf(uitest.Alice.Name).WIF()
		said, _ := hold(w, nil, act(w.Cut), pause(20*time.Second), "3", alice, "", "again", "-", secret, secret, "keys",
			act(w.Join), pause(time.Minute), "import", "2", alice, "", "quit")
		if strings.Contains(said, "acts for no account") || strings.Count(said, "its accounts are not known") != 1 ||
			!strings.Contains(said, "alice 1.2.34, as its") {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}

// A phrase that is pasted as two lines is one phrase: its second line answers nothing.
func TestAPhraseIsPastedAsLines(t *testing.T) {
	uitest.Live(t, unmade(), func(w *uitest.World) {
		said, _ := hold(w, nil, "4", "angry river copper", ahead("folio mantle"), "keep", secret, secret, "quit")
		if !strings.Contains(said, "Words: 5") || strings.Contains(said, "dropped") || strings.Contains(said, "mantle") {
			t.Errorf("the conversation is\n%s", said)
		}
	})
}
