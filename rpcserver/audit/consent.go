package audit

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"billfold/rpcserver"
	"billfold/walletcore"
	"billfold/walletcore/approval"
	"billfold/walletcore/walletapi"
)

// Policy says what becomes of spends over RPC.
type Policy string

// The policies.
const (
	Allow Policy = "allow" // as far as the token allows it
	Deny  Policy = "deny"
	Ask   Policy = "ask" // a person decides; denied where nobody can be asked
)

// ParsePolicy reads a policy.
func ParsePolicy(text string) (Policy, error) {
	switch p := Policy(text); p {
	case Allow, Deny, Ask:
		return p, nil
	}
	return "", fmt.Errorf("%q is no policy for spends; choose allow, deny or ask", text)
}

// Consent is the rpcserver.Consent by a policy, with every decision in a log.
type Consent struct {
	policy  Policy
	log     *Log
	queue   *approval.Queue // nil = nobody can be asked
	methods map[string]*walletapi.Method
	denials denials
}

// NewConsent decides by policy and writes to log. A person is asked through
// queue; nil where there is none.
func NewConsent(policy Policy, log *Log, queue *approval.Queue) *Consent {
	c := &Consent{policy: policy, log: log, queue: queue, methods: map[string]*walletapi.Method{}}
	methods := walletapi.Methods()
	for i := range methods {
		c.methods[methods[i].Name] = &methods[i]
	}
	return c
}

// spends finds the operation if it spends.
func (c *Consent) spends(method string) *walletapi.Method {
	if m := c.methods[method]; m != nil && m.Spends {
		return m
	}
	return nil
}

// Decide lets every call pass that does not spend. A spend is written down
// first; settle writes down how it ended. Where a person decides, that is when
// the operation is built and can be shown.
func (c *Consent) Decide(ctx context.Context, by rpcserver.Asking, method string, params rpcserver.Params) (with rpcserver.Params, settle func(error), err error) {
	settle = func(error) {}
	m := c.spends(method)
	if m == nil {
		return params, settle, nil
	}
	s := c.begin(by, m, params)
	asks := by.Asks == rpcserver.Always || by.Asks == rpcserver.AsPolicy && c.policy == Ask
	switch {
	case c.policy == Deny:
		return params, settle, s.deny("spends are denied",
			"This wallet does not spend for programs", "start it with --rpc-spends=allow or ask if it should")
	case !asks:
		if err := s.write(Allow, cmp.Or(by.Why, "spends are allowed")); err != nil {
			return params, settle, err
		}
	case c.queue != nil:
		params.Agree = s.ask
	default:
		return params, settle, s.deny("nobody is there to be asked",
			"A person has to agree to this, and nobody is there to be asked", "pay in the wallet itself, or start it with --tui, or with --rpc-spends=allow")
	}
	return params, func(err error) { s.outcome(err) }, nil
}

// Refused writes down that a token was not allowed to spend.
func (c *Consent) Refused(ctx context.Context, by rpcserver.Asking, method string, params rpcserver.Params, why error) {
	m := c.spends(method)
	if m == nil {
		return
	}
	s := c.begin(by, m, params)
	_ = s.note(why.Error()) // it is refused all the same
}

// spend is one call that spends, on its way through a decision.
type spend struct {
	c     *Consent
	by    rpcserver.Asking
	entry Entry
	kept  bool  // it is signed and given to the caller, and not sent
	of    *Line // the entry of the yes; nil while there is none
}

func (c *Consent) begin(by rpcserver.Asking, m *walletapi.Method, params rpcserver.Params) *spend {
	texts, err := m.ByRole(params)
	s := &spend{c: c, by: by, kept: texts[walletapi.RoleBroadcast] == "false"}
	s.entry = Entry{Who: by.Who, Via: via(by), Method: m.Name, What: "parameters that cannot be read"}
	if err == nil {
		s.entry.What = what(texts)
	}
	return s
}

// write writes a decision down. What cannot be written is not spent.
func (s *spend) write(decision Policy, rule string) error {
	e := s.entry
	e.Decision, e.Rule = string(decision), rule
	line, err := s.log(e)
	if err != nil {
		return &walletcore.Error{Code: walletcore.CodeFile, Op: e.Method, Message: "the audit log cannot be written: " + err.Error(),
			Hint: "free the disk or correct the folder's mode; nothing was sent", Err: err}
	}
	if decision == Allow {
		s.of = line
	}
	return nil
}

// log waits for the disk before anything is sent. A caller that sends what it gets
// needs longer for that than the log for the disk.
func (s *spend) log(e Entry) (*Line, error) {
	if s.kept {
		return s.c.log.Note(e, nil)
	}
	return s.c.log.Append(e)
}

// note writes a denial down, one of a kind in a minute: a program that asks for
// ever must not fill the disk.
func (s *spend) note(rule string) error {
	more, first := s.c.denials.take(s.entry.Who+"\x00"+s.entry.Method+"\x00"+rule, time.Now())
	if !first {
		return nil
	}
	if more > 0 {
		rule = fmt.Sprintf("%s (%d more like this before)", rule, more)
	}
	return s.write(Deny, rule)
}

func (s *spend) deny(rule, message, hint string) error {
	if err := s.note(rule); err != nil {
		return err
	}
	return s.denied(message, hint)
}

// denied is an error of the core, as callers of it expect, and one of the server.
func (s *spend) denied(message, hint string) error {
	return &walletcore.Error{Code: walletcore.CodeDenied, Op: s.entry.Method, Message: message, Hint: hint,
		Err: &rpcserver.Denied{Message: message, Hint: hint}}
}

// ask has a person decide about what will be signed.
func (s *spend) ask(ctx context.Context, r walletcore.Review) error {
	s.entry.What = fmt.Sprintf("%s (asked: %s)", r.Sentence, s.entry.What)
	answer := s.c.queue.Ask(ctx, approval.Request{Who: s.by.Who, Via: s.by.Via, From: s.by.From, Method: s.entry.Method, Why: cmp.Or(s.by.Why, "programs have to ask"), Review: r})
	switch answer {
	case approval.Yes:
		return s.write(Allow, "a person agreed")
	case approval.No:
		return errOr(s.write(Deny, "a person refused"), s.denied("Denied by the owner", "nothing was signed"))
	case approval.Silence:
		return errOr(s.write(Deny, "nobody answered in time"), s.denied("Not answered in time", "nothing was signed; ask again when the owner is there"))
	case approval.Left:
		return errOr(s.write(Deny, "the program stopped waiting"),
			&walletcore.Error{Code: walletcore.CodeCanceled, Op: s.entry.Method, Message: "the call ended before the owner answered", Hint: "nothing was signed", Err: ctx.Err()})
	case approval.Crowded:
		const what = "As many payments wait for the owner as may"
		return errOr(s.note("too many requests waited"), &walletcore.Error{Code: walletcore.CodeDenied, Op: s.entry.Method, Message: what, Hint: "nothing was signed",
			Err: &rpcserver.Busy{What: what, After: 10 * time.Second}})
	}
	return errOr(s.write(Deny, "the terminal was closed"), s.denied("The wallet is closing", "nothing was signed"))
}

func errOr(first, otherwise error) error {
	if first != nil {
		return first
	}
	return otherwise
}

// outcome notes how a spend ended. That the note fails changes nothing of what
// was decided.
func (s *spend) outcome(err error) {
	if s.of == nil { // there was no yes, which says it all
		return
	}
	text := "done"
	if err != nil {
		text = string(walletcore.CodeOf(err))
	}
	_, _ = s.c.log.Note(Entry{Who: s.entry.Who, Method: s.entry.Method, Outcome: text}, s.of)
}

// denials counts those of one kind.
type denials struct {
	mu   sync.Mutex
	seen map[string]*denial
}

type denial struct {
	written time.Time
	more    int // since then
}

// kept bounds the kinds that are told apart: their number is up to the clients.
const kept = 1000

// take tells whether a denial is the first of its kind in a minute, and how many
// were left out since the last one that was.
func (d *denials) take(kind string, now time.Time) (more int, first bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if old := d.seen[kind]; old != nil && now.Sub(old.written) < time.Minute {
		old.more++
		return 0, false
	} else if old != nil {
		more = old.more
	}
	if d.seen == nil || len(d.seen) >= kept {
		d.seen = map[string]*denial{}
	}
	d.seen[kind] = &denial{written: now}
	return more, true
}

func via(by rpcserver.Asking) string {
	if by.From == "" {
		return by.Via
	}
	return by.Via + " from " + by.From
}

// what names accounts, amount and asset; never the memo.
func what(texts map[walletapi.Role]string) string {
	out := ""
	for _, part := range []struct {
		role walletapi.Role
		word string
	}{{walletapi.RoleAmount, ""}, {walletapi.RoleAsset, ""}, {walletapi.RoleAccount, "from "}, {walletapi.RoleDestination, "to "}, {walletapi.RoleBroadcast, "broadcast "}, {walletapi.RoleRequestKey, "key "}} {
		if text := texts[part.role]; text != "" {
			out += fmt.Sprintf("%s%.80s ", part.word, text)
		}
	}
	return out[:max(0, len(out)-1)]
}
