package audit

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"billfold/rpcserver"
	"billfold/walletcore/approval"
	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/walletapi"
)

// Decider is an rpcserver.Decider that applies Rules and logs every decision.
type Decider struct {
	rules   Rules
	log     *Log
	queue   *approval.Queue // nil = nobody can be asked
	methods map[string]*walletapi.Method
	repeats repeats
}

// NewDecider returns a Decider that applies rules and writes to log. It asks a
// person through queue, which may be nil.
func NewDecider(rules Rules, log *Log, queue *approval.Queue) *Decider {
	c := &Decider{rules: rules, log: log, queue: queue, methods: map[string]*walletapi.Method{}}
	for _, m := range walletapi.Methods() {
		c.methods[m.Name] = m
	}
	return c
}

// judgedMethod returns the operation of that name if it does more than read or write data, nil otherwise. Only such calls are
// judged and logged.
func (c *Decider) judgedMethod(method string) *walletapi.Method {
	if m := c.methods[method]; m != nil && !m.DoesOnly(walletapi.Reads|walletapi.Writes) {
		return m
	}
	return nil
}

// Decide lets reads pass. Any other call is recorded before it is executed,
// together with its requester; recordOutcome records how it ended. A person is asked
// only once everything else allows the call and it can be shown.
func (c *Decider) Decide(_ context.Context, by rpcserver.Requester, method string, params rpcserver.Params) (
	with rpcserver.Params, recordOutcome func(error), err error) {
	params.Guarded = c.rules.Guarded
	recordOutcome = func(error) {}
	m := c.judgedMethod(method)
	if m == nil {
		return params, recordOutcome, nil
	}
	a := c.newCall(by, m)
	v := c.rules.judge(m, by)
	read, err := a.describe(params)
	if v.policy == Deny || v.policy == Ask && c.queue == nil && !a.dry {
		hint := v.hint
		if a.sends && a.key != "" { // the call may repeat one that was allowed
			hint += "; get_payment " + fault.Quote(a.key) + " says whether a payment was made under this key before"
		}
		return params, recordOutcome, a.deny(cmp.Or(unattendedRule(v), v.rule), v.message, hint)
	}
	if params = read; err != nil { // the call cannot succeed
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
		params.Begin = func(ctx context.Context, _ walletapi.Question) error { return a.writeDecision(ctx, Allow, v.rule) }
	}
	return params, a.outcome, nil
}

// unattendedRule returns why a call was denied although its rule is to ask a person, "" for another rule.
func unattendedRule(v verdict) string {
	if v.policy == Ask {
		return "nobody is there to ask"
	}
	return ""
}

// Refused records that a token may not make a call that does more than read.
func (c *Decider) Refused(_ context.Context, by rpcserver.Requester, method string, params rpcserver.Params, why error) {
	m := c.judgedMethod(method)
	if m == nil {
		return
	}
	a := c.newCall(by, m)
	_, _ = a.describe(params)
	_ = a.writeDenial(why.Error()) // the call is refused in any case
}

// pendingCall is one call that does more than read, while it is decided and executed.
type pendingCall struct {
	c         *Decider
	by        rpcserver.Requester
	method    *walletapi.Method
	record    Record
	dry       bool     // it only reports what it would do
	returned  bool     // the transaction is returned to the caller, signed or for signing, and not sent
	sends     bool     // the transaction is sent, and recorded in the journal first
	key       string   // its request key; "" = none
	allowedBy *Pending // the record that allowed the call; nil while there is none
}

func (c *Decider) newCall(by rpcserver.Requester, m *walletapi.Method) *pendingCall {
	return &pendingCall{c: c, by: by, method: m, record: Record{Who: by.Who, Via: via(by), Method: m.Name}}
}

// describe sets what the call asks for in the record, and returns the parameters bound to what was read.
func (a *pendingCall) describe(params rpcserver.Params) (rpcserver.Params, error) {
	texts, params, err := a.method.ByRole(params)
	a.dry, a.key = texts[walletapi.RoleDryRun] == "true", texts[walletapi.RoleRequestKey]
	given := texts[walletapi.RoleExport] != "" && texts[walletapi.RoleExport] != "0"
	a.returned, a.sends = given || texts[walletapi.RoleBroadcast] == "false", texts[walletapi.RoleBroadcast] == "true" && !given && !a.dry
	switch {
	case err != nil:
		a.record.What = "parameters that cannot be read"
	case a.method.Question.Sentence != "":
		a.record.What = a.method.QuestionFor(params).Sentence
	default:
		a.record.What = summary(texts)
	}
	return params, err
}

// writeDecision records a decision. If it fails, the call must not be executed.
func (a *pendingCall) writeDecision(ctx context.Context, decision Policy, rule string) error {
	r := a.record
	r.Decision, r.Rule = string(decision), rule
	written, err := a.log(ctx, r)
	if err != nil {
		return &fault.Error{Code: fault.File, Op: r.Method, Message: "the audit log cannot be written: " + err.Error(),
			Hint: fault.Advice(err, fault.MakeRoom) + "; nothing was done", Err: err}
	}
	if decision == Allow {
		a.allowedBy = written
	}
	return nil
}

// log writes r. It waits for the disk before anything is sent and before a key or the
// password is touched. The record that allows a payment is written in one commit with the
// payment itself. For a transaction that is returned to the caller it does not wait:
// sending it takes the caller longer than writing the record.
func (a *pendingCall) log(ctx context.Context, r Record) (*Pending, error) {
	if a.method.Does(guarding) {
		return a.c.log.Append(r)
	}
	if unit := store.CallBatchOf(ctx); unit != nil && a.sends && r.Decision == string(Allow) {
		return a.c.log.Join(unit, r), nil
	}
	if a.returned {
		return a.c.log.Note(r, nil)
	}
	return a.c.log.Append(r)
}

// writeDenial records a denial, at most one of an operation and a token per minute, whatever the reason, which may name what the
// caller asked for: a program that keeps asking must not fill the disk.
func (a *pendingCall) writeDenial(rule string) error { return a.writeRefusal(fault.Denied, rule) }

func (a *pendingCall) writeRefusal(code fault.Code, rule string) error {
	more, first := a.c.repeats.take(kindOf(a.record.Who, a.record.Method, string(code)), 1, time.Now())
	if !first {
		return nil
	}
	return a.writeDecision(context.Background(), Deny, withMore(rule, more))
}

// kindOf returns the kind under which repeated records are counted: token, operation and outcome.
func kindOf(who, method, outcome string) string { return who + "\x00" + method + "\x00" + outcome }

func withMore(text string, more int) string {
	if more > 0 {
		return fmt.Sprintf("%s (%d more like this before)", text, more)
	}
	return text
}

func (a *pendingCall) deny(rule, message, hint string) error {
	return refused(a.writeDenial(rule), a.denied(message, hint))
}

// denied returns an error that is one of the core, as its callers expect, and wraps one of the server.
func (a *pendingCall) denied(message, hint string) *fault.Error {
	return &fault.Error{Code: fault.Denied, Op: a.record.Method, Message: message, Hint: hint,
		Err: &rpcserver.Denied{Message: message, Hint: hint}}
}

// askReview asks a person to approve what will be signed.
func (a *pendingCall) askReview(ctx context.Context, r txbuild.Review) error {
	a.record.What = fmt.Sprintf("%s (asked: %s)", r.Sentence, a.record.What)
	why := cmp.Or(a.by.Why, "programs have to ask")
	if a.method.Does(guarding) {
		why += "; this puts keys into the wallet as well"
	}
	return a.ask(ctx, approval.Request{Why: why, Review: r})
}

// askAbout asks a person to approve a use of keys or the password, or a signature that spends nothing.
func (a *pendingCall) askAbout(ctx context.Context, q walletapi.Question) error {
	why := "programs have to ask for keys and password"
	if !a.method.Does(guarding) {
		why = cmp.Or(a.by.Why, "programs have to ask")
	}
	return a.ask(ctx, approval.Request{Why: why, Sentence: q.Sentence, Typed: q.Typed})
}

// ask asks a person and records the answer. It returns nil only if the person approved.
func (a *pendingCall) ask(ctx context.Context, r approval.Request) error {
	r.Who, r.Via, r.From, r.Method = a.by.Who, a.by.Via, a.by.From, a.record.Method
	r.Entered, r.Still = func() { a.noteWaiting(r.Why) }, a.by.Still
	var answer approval.Answer
	var ended error
	a.by.Await(ctx, func(ctx context.Context) { answer, ended = a.c.queue.Ask(ctx, r), ctx.Err() })
	switch answer {
	case approval.Yes:
		return a.writeDecision(ctx, Allow, "a person approved")
	case approval.No:
		return refused(a.writeDecision(ctx, Deny, "a person denied"), a.denied("Denied by the owner", "nothing was "+a.participle()))
	case approval.Silence:
		return refused(a.writeDecision(ctx, Deny, "nobody answered in time"),
			a.denied("Not answered in time", "nothing was "+a.participle()+"; ask again when the owner is there"))
	case approval.Left:
		return refused(a.writeRefusal(fault.Canceled, "the program stopped waiting"),
			&fault.Error{Code: fault.Canceled, Op: a.record.Method, Message: "the call ended before the owner answered",
				Hint: "nothing was " + a.participle(), Err: ended})
	case approval.TooMany:
		const message = "Too many requests wait for the owner"
		return refused(a.writeDenial("too many requests waited"), &fault.Error{Code: fault.Denied, Op: a.record.Method, Message: message,
			Hint: "nothing was " + a.participle(), Err: &rpcserver.Busy{What: message, After: 10 * time.Second}})
	case approval.Unwelcome:
		const message = "The token that asked is no longer valid"
		return refused(a.writeDecision(ctx, Deny, "the token was revoked, or has expired, before the answer"),
			a.denied(message, "nothing was "+a.participle()+"; billfold token list shows which are valid"))
	case approval.Unattended:
	}
	return refused(a.writeDecision(ctx, Deny, "the terminal was closed"),
		a.denied("The wallet is closing", "nothing was "+a.participle()))
}

// participle returns the verb for what did not happen to a denied call.
func (a *pendingCall) participle() string {
	if a.method.Does(walletapi.Spends) {
		return "signed"
	}
	return "done"
}

// maxAsked is the maximum number of requests for one operation of one token recorded in a minute, which is more than a person
// answers: a program that asks and leaves must not fill the disk.
const maxAsked = 20

// noteWaiting records that a request started to wait; the record of the answer follows.
func (a *pendingCall) noteWaiting(why string) {
	more, first := a.c.repeats.take(kindOf(a.record.Who, a.record.Method, string(Ask)), maxAsked, time.Now())
	if !first {
		return
	}
	r := a.record
	r.Decision, r.Rule = string(Ask), withMore(why, more)
	_, _ = a.c.log.Note(r, nil) // the answer is recorded in any case
}

// refused returns the error of a call that is refused: that of recording the refusal, or else no. Nothing in it decides whether
// there is an error, because a call without one is executed.
func refused(written error, no *fault.Error) error { return cmp.Or[error](written, no) }

// summary names the accounts, amount and asset of a call, but never its memo.
func summary(texts map[walletapi.Role]string) string {
	out := make([]byte, 0, typicalSummary)
	for _, part := range []struct {
		role walletapi.Role
		word string
	}{
		{walletapi.RoleAmount, ""}, {walletapi.RoleAsset, ""}, {walletapi.RoleAccount, "from "}, {walletapi.RoleDestination, "to "},
		{walletapi.RoleBroadcast, "broadcast "}, {walletapi.RoleExport, "exported for "}, {walletapi.RoleRequestKey, "key "},
	} {
		if text := texts[part.role]; text != "" && (part.role != walletapi.RoleExport || text != "0") {
			out = append(append(append(out, part.word...), truncate(text)...), ' ')
		}
	}
	return string(out[:max(0, len(out)-1)])
}

const (
	typicalSummary = 128 // bytes, enough for the summary of most calls
	maxParam       = 80  // characters kept of one parameter
)

// truncate cuts a text off after maxParam characters.
func truncate(text string) string {
	n := 0
	for i := range text {
		if n++; n > maxParam {
			return text[:i]
		}
	}
	return text
}

func via(by rpcserver.Requester) string {
	if by.From == "" {
		return by.Via
	}
	return by.Via + " from " + by.From
}

// outcome records how a call ended. If keys or the password were touched, the
// record is on disk before the caller has its answer. A failure to write it is
// ignored, since the call has ended.
func (a *pendingCall) outcome(err error) {
	if a.allowedBy == nil { // nothing allowed the call, and the log says so already
		return
	}
	r := Record{Who: a.record.Who, Method: a.record.Method, Outcome: outcomeOf(err)}
	if a.method.Does(guarding) {
		_, _ = a.c.log.append(r, a.allowedBy)
		return
	}
	a.c.log.NoteLate(r, a.allowedBy)
}

// lockOutcome records that somebody locked or unlocked, or tried to. A program
// that does nothing else must not fill the disk: a repetition without a change in
// between is recorded at most once a minute.
func (a *pendingCall) lockOutcome(err error) {
	text := outcomeOf(err)
	kind := kindOf(a.record.Who, a.record.Method, text)
	if err == nil {
		kind += "\x00" + strconv.Itoa(a.c.repeats.turn(a.record.Method))
	}
	if more, first := a.c.repeats.take(kind, 1, time.Now()); first {
		r := a.record
		r.Outcome = withMore(text, more)
		_, _ = a.c.log.Note(r, nil) // the call has ended, whether or not this can be written
	}
}
