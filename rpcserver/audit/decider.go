package audit

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"billfold/rpcserver"
	"billfold/walletcore/approval"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
)

// Decider is the rpcserver.Decider by rules, with every decision in a log.
type Decider struct {
	rules   Rules
	log     *Log
	queue   *approval.Queue // nil = nobody can be asked
	methods map[string]*walletapi.Method
	repeats repeats
}

// NewDecider decides by rules and writes to log. A person is asked through
// queue; nil where there is none.
func NewDecider(rules Rules, log *Log, queue *approval.Queue) *Decider {
	c := &Decider{rules: rules, log: log, queue: queue, methods: map[string]*walletapi.Method{}}
	for _, m := range walletapi.Methods() {
		c.methods[m.Name] = m
	}
	return c
}

// judged finds the operation if it is more than reading: what the log tells of.
func (c *Decider) judged(method string) *walletapi.Method {
	if m := c.methods[method]; m != nil && !m.DoesOnly(walletapi.Reads|walletapi.Writes) {
		return m
	}
	return nil
}

// Decide lets reads pass. Everything else is recorded before it is done,
// together with who asked; recordOutcome records how it ended. Where a person
// decides, that is when nothing else stands against the call and it can be shown.
func (c *Decider) Decide(_ context.Context, by rpcserver.Asking, method string, params rpcserver.Params) (
	with rpcserver.Params, recordOutcome func(error), err error) {
	params.Guarded = c.rules.Guarded
	recordOutcome = func(error) {}
	m := c.judged(method)
	if m == nil {
		return params, recordOutcome, nil
	}
	a := c.act(by, m)
	v := c.rules.judge(m, by)
	read, err := a.describe(params)
	if v.policy == Deny || v.policy == Ask && c.queue == nil && !a.dry {
		return params, recordOutcome, a.deny(cmp.Or(denialRule(v), v.rule), v.message, v.hint)
	}
	if params = read; err != nil { // nothing can come of it
		return params, recordOutcome, err
	}
	switch {
	case a.dry: // nothing will be signed
		return params, recordOutcome, nil
	case m.DoesOnly(walletapi.Reads | walletapi.Writes | walletapi.Lock):
		return params, a.lockOutcome, nil
	case v.policy == Ask && m.Does(walletapi.Spends):
		params.Approve = a.askReview
	case v.policy == Ask:
		params.Begin = a.askAbout
	default:
		params.Begin = func(ctx context.Context, _ walletapi.Question) error { return a.write(ctx, Allow, v.rule) }
	}
	return params, a.outcome, nil
}

// denialRule is why nobody decided.
func denialRule(v verdict) string {
	if v.policy == Ask {
		return "nobody is there to ask"
	}
	return ""
}

// Refused records that a token was not allowed to do more than reading.
func (c *Decider) Refused(_ context.Context, by rpcserver.Asking, method string, params rpcserver.Params, why error) {
	m := c.judged(method)
	if m == nil {
		return
	}
	a := c.act(by, m)
	_, _ = a.describe(params)
	_ = a.note(why.Error()) // it is refused all the same
}

// act is one call that is more than reading, on its way through a decision.
type act struct {
	c      *Decider
	by     rpcserver.Asking
	method *walletapi.Method
	record Record
	dry    bool     // it only tells what it would do
	kept   bool     // it is given to the caller, signed or to be signed, and not sent
	sends  bool     // it is sent, and written in the journal before
	of     *Pending // the record of the yes; nil while there is none
}

func (c *Decider) act(by rpcserver.Asking, m *walletapi.Method) *act {
	return &act{c: c, by: by, method: m, record: Record{Who: by.Who, Via: via(by), Method: m.Name}}
}

// describe fills in what is asked for, and gives the call bound to what was read.
func (a *act) describe(params rpcserver.Params) (rpcserver.Params, error) {
	texts, params, err := a.method.ByRole(params)
	a.dry = texts[walletapi.RoleDryRun] == "true"
	given := texts[walletapi.RoleExport] != "" && texts[walletapi.RoleExport] != "0"
	a.kept, a.sends = given || texts[walletapi.RoleBroadcast] == "false", texts[walletapi.RoleBroadcast] == "true" && !given && !a.dry
	switch {
	case err != nil:
		a.record.What = "parameters that cannot be read"
	case a.method.Question.Sentence != "":
		a.record.What = a.method.Asks(params).Sentence
	default:
		a.record.What = what(texts)
	}
	return params, err
}

// write writes a decision down. What cannot be written is not done.
func (a *act) write(ctx context.Context, decision Policy, rule string) error {
	r := a.record
	r.Decision, r.Rule = string(decision), rule
	written, err := a.log(ctx, r)
	if err != nil {
		return &fault.Error{Code: fault.File, Op: r.Method, Message: "the audit log cannot be written: " + err.Error(),
			Hint: fault.Advice(err, fault.MakeRoom) + "; nothing was done", Err: err}
	}
	if decision == Allow {
		a.of = written
	}
	return nil
}

// log waits for the disk before anything is sent, and before a key or the
// password is touched. The yes to a payment is on disk with the payment itself, in one commit. A caller that
// sends what it gets needs longer for that than the log for the disk.
func (a *act) log(ctx context.Context, r Record) (*Pending, error) {
	if a.method.Does(guarding) {
		return a.c.log.Append(r)
	}
	if unit := store.UnitOf(ctx); unit != nil && a.sends && r.Decision == string(Allow) {
		return a.c.log.Join(unit, r), nil
	}
	if a.kept {
		return a.c.log.Note(r, nil)
	}
	return a.c.log.Append(r)
}

// note writes a denial down, one of a kind in a minute: a program that asks for
// ever must not fill the disk.
func (a *act) note(rule string) error {
	more, first := a.c.repeats.take(a.record.Who+"\x00"+a.record.Method+"\x00"+rule, time.Now())
	if !first {
		return nil
	}
	return a.write(context.Background(), Deny, withMore(rule, more))
}

func withMore(text string, more int) string {
	if more > 0 {
		return fmt.Sprintf("%s (%d more like this before)", text, more)
	}
	return text
}

func (a *act) deny(rule, message, hint string) error {
	if err := a.note(rule); err != nil {
		return err
	}
	return a.denied(message, hint)
}

// denied is an error of the core, as callers of it expect, and one of the server.
func (a *act) denied(message, hint string) error {
	return &fault.Error{Code: fault.Denied, Op: a.record.Method, Message: message, Hint: hint,
		Err: &rpcserver.Denied{Message: message, Hint: hint}}
}

// askReview has a person decide about what will be signed.
func (a *act) askReview(ctx context.Context, r build.Review) error {
	a.record.What = fmt.Sprintf("%s (asked: %s)", r.Sentence, a.record.What)
	why := cmp.Or(a.by.Why, "programs have to ask")
	if a.method.Does(guarding) {
		why += "; this puts keys into the wallet as well"
	}
	return a.ask(ctx, approval.Request{Why: why, Review: r})
}

// askAbout has a person decide about keys, the password, or a signature that spends nothing.
func (a *act) askAbout(ctx context.Context, q walletapi.Question) error {
	why := "programs have to ask for keys and password"
	if !a.method.Does(guarding) {
		why = cmp.Or(a.by.Why, "programs have to ask")
	}
	return a.ask(ctx, approval.Request{Why: why, Sentence: q.Sentence, Typed: q.Typed})
}

func (a *act) ask(ctx context.Context, r approval.Request) error {
	r.Who, r.Via, r.From, r.Method = a.by.Who, a.by.Via, a.by.From, a.record.Method
	r.Entered, r.Still = func() { a.noteWaiting(r.Why) }, a.by.Still
	var answer approval.Answer
	a.by.Await(func() { answer = a.c.queue.Ask(ctx, r) })
	switch answer {
	case approval.Yes:
		return a.write(ctx, Allow, "a person approved")
	case approval.No:
		return errOr(a.write(ctx, Deny, "a person denied"), a.denied("Denied by the owner", "nothing was "+a.participle()))
	case approval.Silence:
		return errOr(a.write(ctx, Deny, "nobody answered in time"),
			a.denied("Not answered in time", "nothing was "+a.participle()+"; ask again when the owner is there"))
	case approval.Left:
		return errOr(a.write(ctx, Deny, "the program stopped waiting"),
			&fault.Error{Code: fault.Canceled, Op: a.record.Method, Message: "the call ended before the owner answered",
				Hint: "nothing was " + a.participle(), Err: ctx.Err()})
	case approval.TooMany:
		const message = "Too many requests wait for the owner"
		return errOr(a.note("too many requests waited"), &fault.Error{Code: fault.Denied, Op: a.record.Method, Message: message,
			Hint: "nothing was " + a.participle(), Err: &rpcserver.Busy{What: message, After: 10 * time.Second}})
	case approval.Unwelcome:
		const message = "The token that asked is not good any more"
		return errOr(a.write(ctx, Deny, "the token was revoked, or has expired, before the answer"),
			a.denied(message, "nothing was "+a.participle()+"; billfold token list shows which are good"))
	case approval.Unattended:
	}
	return errOr(a.write(ctx, Deny, "the terminal was closed"), a.denied("The wallet is closing", "nothing was "+a.participle()))
}

// participle is what was not done.
func (a *act) participle() string {
	if a.method.Does(walletapi.Spends) {
		return "signed"
	}
	return "done"
}

// noteWaiting notes that a request began to wait; the answer follows.
func (a *act) noteWaiting(why string) {
	r := a.record
	r.Decision, r.Rule = string(Ask), why
	_, _ = a.c.log.Note(r, nil) // the answer is written in any case
}

func errOr(first, otherwise error) error {
	if first != nil {
		return first
	}
	return otherwise
}

// what names accounts, amount and asset; never the memo.
func what(texts map[walletapi.Role]string) string {
	out := make([]byte, 0, usualWhat)
	for _, part := range []struct {
		role walletapi.Role
		word string
	}{
		{walletapi.RoleAmount, ""}, {walletapi.RoleAsset, ""}, {walletapi.RoleAccount, "from "}, {walletapi.RoleDestination, "to "},
		{walletapi.RoleBroadcast, "broadcast "}, {walletapi.RoleExport, "exported for "}, {walletapi.RoleRequestKey, "key "},
	} {
		if text := texts[part.role]; text != "" && (part.role != walletapi.RoleExport || text != "0") {
			out = append(append(append(out, part.word...), firstLetters(text)...), ' ')
		}
	}
	return string(out[:max(0, len(out)-1)])
}

const (
	usualWhat   = 128 // bytes that hold what most calls ask for
	mostLetters = 80  // that are kept of one parameter
)

// firstLetters cuts a text off.
func firstLetters(text string) string {
	n := 0
	for i := range text {
		if n++; n > mostLetters {
			return text[:i]
		}
	}
	return text
}

func via(by rpcserver.Asking) string {
	if by.From == "" {
		return by.Via
	}
	return by.Via + " from " + by.From
}

// outcome records how a call ended. Where keys or the password were touched
// it is on disk before the caller has its answer. That it cannot be written
// changes nothing of what was done.
func (a *act) outcome(err error) {
	if a.of == nil { // there was no yes, which says it all
		return
	}
	r := Record{Who: a.record.Who, Method: a.record.Method, Outcome: outcomeOf(err)}
	if a.method.Does(guarding) {
		_, _ = a.c.log.append(r, a.of)
		return
	}
	_, _ = a.c.log.NoteLate(r, a.of)
}

// lockOutcome records that somebody locked or unlocked, or tried to. A
// program that does nothing else must not fill the disk: what repeats without
// anything having changed in between is written once in a minute.
func (a *act) lockOutcome(err error) {
	text := outcomeOf(err)
	kind := a.record.Who + "\x00" + a.record.Method + "\x00" + text
	if err == nil {
		kind += "\x00" + strconv.Itoa(a.c.repeats.turn(a.record.Method))
	}
	if more, first := a.c.repeats.take(kind, time.Now()); first {
		r := a.record
		r.Outcome = withMore(text, more)
		_, _ = a.c.log.Note(r, nil) // whether it can be written decides about nothing
	}
}
