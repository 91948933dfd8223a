package walletapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/vault"
)

// TestGeneratedLies makes each spend of the catalogue honestly once, and records every answer that the daemon gave to it. Then it makes
// the spend again for each leaf of each answer and each way to change that leaf. What is signed must be the same, or the spend must be
// refused. Reference block and expiration follow the head block, which the trial of lies in walletcore is about. After the lies about an answer the daemon is honest, and the same spend must go through as before: no lie is kept.
//
// LIES_GENERATED=all tells every lie, LIES_SPEND=name[,name] those about some operations, LIES_SEED repeats a sample. Otherwise it tells as
// many as fit into a second, others each time.
func TestGeneratedLies(t *testing.T) {
	seed := rand.Uint64()
	if n, err := strconv.ParseUint(os.Getenv("LIES_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("repeat with LIES_SEED=%d", seed)
	g := newGenerator(t, seed)
	spends := g.spendCases(t)
	names := slices.Sorted(maps.Keys(spends))
	only := strings.Split(os.Getenv("LIES_SPEND"), ",")
	names = slices.DeleteFunc(names, func(name string) bool { return only[0] != "" && !slices.Contains(only, name) })
	all := os.Getenv("LIES_GENERATED") == "all" || only[0] != ""
	if !all {
		g.until = time.Now().Add(usualLies)
		g.luck.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	}
	honest := map[string]string{}
	for _, name := range names { // everything is used honestly first, so that there is something to compare with
		g.begin(name, spends[name])
		signed, err := g.spend()
		if err != nil {
			t.Fatalf("%s, honestly: %v", name, err)
		}
		honest[name] = signed
	}
	for _, name := range names {
		if g.late() {
			break
		}
		g.begin(name, spends[name])
		g.lieAbout(name, honest[name])
	}
	t.Logf("%d lies about %d operations: same %d, refused %d, explained %d; signed otherwise %d, told wrongly %d, kept %d", g.told, g.operations,
		g.same, g.refused, g.explained, g.signed, g.wrong, g.kept)
}

// usualLies is the time for which lies are told in the everyday suite.
const usualLies = time.Second

// ownKeys are the members of own accounts whose last state is compared elsewhere as well: the memo key of who sends, and the active key from
// which others are derived.
var ownKeys = regexp.MustCompile(`^(lookup_account_names|get_accounts)[^ ]* .*(options\.memo_key|active\.key_auths)`)

const ownKeyReason = "another key of the same wallet, for its own memo or derived key"

// explainedLies are the changes that may be signed, each with its reason.
var explainedLies = []struct {
	where  *regexp.Regexp // the name of the call, and the path of the leaf
	reason string
}{
	{ownKeys, ownKeyReason},
}

// generator tells lies about the answers to spends.
type generator struct {
	*fixture
	relay *testwallet.Relay
	clock *testwallet.Clock
	luck  *rand.Rand
	until time.Time
	spare map[string][]string // values of the ledger, by kind: ids by their type, keys, names

	name  string
	of    operationCase
	calls int

	mu sync.Mutex // of what a recording collects

	told, operations, same, refused, explained, signed, wrong, kept int
}

func newGenerator(t *testing.T, seed uint64) *generator {
	s, relay, clock := behindRelay(t)
	s.ok("create_non_fungible_token", `"alice"`, `"GOLDCARDS"`, `"gold"`, `[]`, `10`, `false`, `true`, `true`)
	s.on.Mine()
	g := &generator{fixture: s, relay: relay, clock: clock, luck: rand.New(rand.NewPCG(seed, 3)), spare: map[string][]string{
		"key": {testwallet.Key("bobby").Public().String(), testwallet.Key("carol").Public().String(),
			ledger.DeriveKey("a liar", 0).Public().String()},
		"name": {"alice", "bobby", "carol", "miner-b", "CARDS", "GOLDCARDS", "ART", "ALX.GOLD", "nobody-at-all"},
	}}
	return g
}

func (g *generator) late() bool { return !g.until.IsZero() && time.Now().After(g.until) }

func (g *generator) begin(name string, c operationCase) { g.name, g.of = name, c }

// spend signs the spend and returns the operations in a form that can be compared.
func (g *generator) spend() (string, error) {
	if g.calls++; g.calls%50 == 0 { // the expirations of identical transactions are used up otherwise
		g.clock.Forward(3 * time.Minute)
		_, err := g.box.Mine()
		must(g.t, err)
	}
	g.on.View.Chain.Forget()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second) // the wallet of a test lasts a minute
	defer cancel()
	out, err := g.api.Call(ctx, g.name, g.of.call("false"))
	if err != nil {
		if ctx.Err() != nil {
			g.t.Errorf("%s: it took too long: %v", g.name, err)
		}
		return "", err
	}
	var signed ledger.SignedTransaction
	must(g.t, codec.Unmarshal(out, &signed))
	return g.comparable(signed.Operations), nil
}

// comparable returns operations as JSON, with the text of each memo instead of its cipher.
func (g *generator) comparable(ops []ledger.Operation) string {
	var memos []string
	open := func(m ledger.Memo) {
		text, state := g.on.Vault.OpenMemo(&m)
		if state != vault.MemoOpen && state != vault.MemoPlain {
			g.t.Errorf("%s: a memo cannot be read here: %v", g.name, state)
		}
		memos = append(memos, fmt.Sprint(m.From, m.To, text))
	}
	for _, op := range ops {
		for _, each := range op.WithProposed() {
			for _, m := range each.Memos() {
				open(*m)
				m.Nonce, m.Message = 0, nil
			}
			if custom, ok := each.Body.(*ledger.CustomOp); ok && custom.ID == ledger.MessageID {
				message, err := ledger.ReadMessage(custom.Data)
				must(g.t, err)
				for i, r := range message.Receivers {
					open(message.Memo(i))
					memos = append(memos, r.To.String())
				}
				custom.Data = nil
			}
		}
	}
	text, err := codec.Marshal(ops)
	must(g.t, err)
	return string(text) + strings.Join(memos, "\n")
}

// lieAbout makes the spend with every lie about every answer to the spend.
func (g *generator) lieAbout(name, honest string) {
	g.operations++
	answers := g.record()
	questions := slices.SortedFunc(maps.Keys(answers), func(a, b testwallet.Question) int {
		return strings.Compare(a.Method+a.Args, b.Method+b.Args)
	})
	if !g.until.IsZero() {
		g.luck.Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
	}
	for _, q := range questions {
		if q.Method == "get_block" || q.Method == "login" { // finality, which the trial of lies is about
			continue
		}
		lies := g.liesAbout(answers[q])
		if !g.until.IsZero() { // a few of many operations say more than many of one
			g.luck.Shuffle(len(lies), func(i, j int) { lies[i], lies[j] = lies[j], lies[i] })
			lies = lies[:min(len(lies), 4)]
		}
		for _, l := range lies {
			g.tell(q, l, honest)
			g.relay.Set(func(r *testwallet.Relay) { r.Lie = nil })
			g.trust()
		}
		if now, err := g.spend(); err != nil || now != honest {
			g.kept++
			g.t.Errorf("%s: after the lies about %s %s, honestly: %v\n%s\nwas\n%s", name, q.Method, q.Args, err, now, honest)
			return
		}
		if g.late() {
			return
		}
	}
}

// trust makes a block if the wallet does not rely on the chain, as after a lie about its head, and waits until it does again.
func (g *generator) trust() {
	chain := g.on.View.Chain
	if chain.ChainDistrust() == (ledgerview.Distrust{}) {
		return
	}
	_, err := g.box.Mine()
	must(g.t, err)
	for end := time.Now().Add(10 * time.Second); chain.ChainDistrust() != (ledgerview.Distrust{}) && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // the wallet of a test, whose events are waited for, lasts a minute
	}
}

// record makes the spend and returns the answers to it.
func (g *generator) record() map[testwallet.Question]json.RawMessage {
	seen := map[testwallet.Question]json.RawMessage{}
	g.relay.Set(func(r *testwallet.Relay) {
		r.Lie = func(q testwallet.Question, result json.RawMessage) json.RawMessage {
			g.mu.Lock()
			defer g.mu.Unlock()
			seen[q] = bytes.Clone(result)
			return result
		}
	})
	_, err := g.spend()
	must(g.t, err)
	g.relay.Set(func(r *testwallet.Relay) { r.Lie = nil })
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(seen)
}

// tell makes the spend with one lie, and judges the result.
func (g *generator) tell(q testwallet.Question, l generated, honest string) {
	g.relay.Set(func(r *testwallet.Relay) {
		r.Lie = func(asked testwallet.Question, result json.RawMessage) json.RawMessage {
			if asked != q {
				return result
			}
			return l.answer
		}
	})
	g.told++
	got, err := g.spend()
	what := q.Method + " " + l.path
	switch {
	case err == nil && got == honest:
		g.same++
	case err != nil && claimsDone(err):
		g.wrong++
		g.t.Errorf("%s: %s: %s: told wrongly: %v", g.name, what, l.change, err)
	case err != nil:
		g.refused++
	case slices.ContainsFunc(explainedLies, func(e struct {
		where  *regexp.Regexp
		reason string
	}) bool {
		return e.where.MatchString(what)
	}):
		g.explained++
		g.t.Logf("%s: %s: %s: signed otherwise, which is explained", g.name, what, l.change)
	default:
		g.signed++
		g.t.Errorf("%s: %s: %s: signed\n%s\ninstead of\n%s", g.name, what, l.change, got, honest)
	}
}

// claimsDone reports whether an error says that nothing has to be done.
func claimsDone(err error) bool {
	return slices.Contains([]fault.Code{fault.VotesAlready, fault.VotesNot, fault.SameProxy, fault.NoProxy, fault.SameMinerCount,
		fault.SameAuthority}, fault.CodeOf(err))
}

// generated is an answer with one leaf changed.
type generated struct {
	path, change string
	answer       json.RawMessage
}

// liesAbout returns every lie about an answer.
func (g *generator) liesAbout(answer json.RawMessage) (all []generated) {
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	root := v
	g.walk(root, "", func(next any) { root = next }, func(path, change string) {
		text, err := json.Marshal(root)
		must(g.t, err)
		all = append(all, generated{path, change, text})
	})
	return all
}

// walk changes everything in v, one thing at a time: put replaces v where it stands, and tell uses the whole.
func (g *generator) walk(v any, path string, put func(any), tell func(path, change string)) {
	try := func(change string, next any) {
		put(next)
		tell(path, change)
		put(v)
	}
	if v != nil {
		try("null", nil)
	}
	switch is := v.(type) {
	case json.Number:
		for change, next := range numbersBeside(is.String()) {
			try(change, json.Number(next))
		}
	case bool:
		try("the opposite", !is)
	case string:
		try("empty", "")
		for _, next := range g.stringsBeside(is) {
			try("now "+next, next)
		}
	case []any:
		g.walkList(is, path, try, tell)
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(is)) {
			inner := is[name]
			delete(is, name)
			tell(path+"."+name, "absent")
			is[name] = inner
			g.walk(inner, path+"."+name, func(next any) { is[name] = next }, tell)
		}
	}
}

func (g *generator) walkList(list []any, path string, try func(string, any), tell func(path, change string)) {
	if len(list) > 0 {
		try("no elements", []any{})
		try("without the last", list[:len(list)-1])
		try("the last twice", append(slices.Clone(list), list[len(list)-1]))
	}
	if len(list) > 1 {
		try("without the first", list[1:])
		turned := slices.Clone(list)
		slices.Reverse(turned)
		try("reversed", turned)
	}
	for i, inner := range list {
		g.walk(inner, fmt.Sprintf("%s[%d]", path, i), func(next any) { list[i] = next }, tell)
	}
}

// numbersBeside returns numbers beside n.
func numbersBeside(n string) map[string]string {
	out := map[string]string{"0": "0", "-1": "-1"}
	if i, err := strconv.ParseInt(n, 10, 64); err == nil {
		out["one more"], out["one less"] = strconv.FormatInt(i+1, 10), strconv.FormatInt(i-1, 10)
		if i != 0 {
			out["ten times"], out["a hundred times"] = n+"0", n+"00"
		}
	}
	for change, next := range out {
		if next == n {
			delete(out, change)
		}
	}
	return out
}

// stringsBeside returns other strings of the kind that text is: other ids of its type, other keys, other times, numbers and names.
func (g *generator) stringsBeside(text string) (out []string) {
	switch id, isID := ledger.ObjectIDText(text); {
	case isID:
		prefix := text[:strings.LastIndexByte(text, '.')+1]
		for _, n := range []uint64{id.Instance() + 1, id.Instance() - 1, 16, 17, 999} {
			if n < 1<<40 {
				out = append(out, prefix+strconv.FormatUint(n, 10))
			}
		}
	case strings.HasPrefix(text, "DCT") && len(text) > 40:
		out = slices.Clone(g.spare["key"])
	case regexp.MustCompile(`^\d+:\d+$`).MatchString(text):
		kind, n, _ := strings.Cut(text, ":")
		for change := range maps.Values(numbersBeside(n)) {
			out = append(out, kind+":"+change)
		}
	case regexp.MustCompile(`^\d{4}-\d\d-\d\dT`).MatchString(text):
		out = []string{"1970-01-01T00:00:00", "2100-01-01T00:00:00"}
	case regexp.MustCompile(`^\d+$`).MatchString(text):
		out = slices.Collect(maps.Values(numbersBeside(text)))
	default:
		out = append(slices.Clone(g.spare["name"]), text+"x")
	}
	return slices.DeleteFunc(out, func(other string) bool { return other == text })
}
