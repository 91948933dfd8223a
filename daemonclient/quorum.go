package daemonclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// DaemonAnswer holds what one of several daemons answered to a question.
type DaemonAnswer struct {
	URL     string // without secrets
	Meaning string // as the meaning function returned it; text of the daemon, not cleaned
}

// DisagreeError names the daemons that answered differently. To errors.Is it is ErrDisagree.
type DisagreeError struct {
	What    string // what was asked, such as "account alice"
	Answers []DaemonAnswer
}

func (e *DisagreeError) Error() string {
	odd, rest := e.Dissenters()
	who := joinNames(odd) + " disagrees with " + joinNames(rest)
	switch {
	case len(rest) == 0:
		who = joinNames(odd) + " disagree"
	case len(odd) > 1:
		who = joinNames(odd) + " disagree with " + joinNames(rest)
	}
	return fmt.Sprintf("%s about %s; find out which is wrong and take it out of --daemon-url", who, cleanText(e.What))
}

// Is reports that every DisagreeError is ErrDisagree.
func (e *DisagreeError) Is(target error) bool { return target == ErrDisagree }

// Dissenters returns the addresses of the daemons outside the largest group of equal answers, and of that group. If no
// group is the largest, all are outside.
func (e *DisagreeError) Dissenters() (odd, majority []string) {
	votes := map[string]int{}
	for _, a := range e.Answers {
		votes[a.Meaning]++
	}
	best, tie := 0, false
	for _, n := range votes {
		if n >= best {
			best, tie = n, n == best
		}
	}
	for _, a := range e.Answers {
		if votes[a.Meaning] == best && !tie {
			majority = append(majority, a.URL)
		} else {
			odd = append(odd, a.URL)
		}
	}
	return odd, majority
}

// TooFewError reports how many daemons were wanted and how many could be asked. To errors.Is it is ErrTooFew and
// ErrUnavailable.
type TooFewError struct {
	What       string // what was asked
	Want, Have int
	Err        error // why one of the others could not answer; nil if there are no others
}

func (e *TooFewError) Error() string {
	text := fmt.Sprintf("%s must be asked of %d daemons (--daemon-quorum), but only %d are reliable now; "+
		"add another to --daemon-url or wait",
		cleanText(e.What), e.Want, e.Have)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Is reports that every TooFewError is ErrTooFew and ErrUnavailable.
func (e *TooFewError) Is(target error) bool { return target == ErrTooFew || target == ErrUnavailable }

// Unwrap returns why one of the others could not answer.
func (e *TooFewError) Unwrap() error { return e.Err }

// AskQuorum asks Config.Quorum daemons of the pool one question at the same time, and returns the answer if all of them
// mean the same. With a Quorum of 0 or 1 it asks the daemon in use like any other query.
//
// what names the question for people ("account alice", "asset GOLD", "the fees", "the payment in block 17"). question
// must ask only through the Queries it is given. meaning reduces an answer to what has to be equal: leave out what may
// rightly differ by a block between honest daemons (balances, statistics), or ask for what no longer changes ("block 17
// is irreversible: true").
//
//	account, err := daemonclient.AskQuorum(ctx, client, "account "+name,
//		func(ctx context.Context, q daemonclient.Queries) (*ledger.Account, error) { … q.LookupAccountNames … },
//		func(a *ledger.Account) string { return a.ID.String() + a.Options.MemoKey.String() })
//
// Daemons that are away, silent, stale or caught at a false answer are not asked; one that fails is replaced by
// another. A refusal (*RemoteError) is an answer: it agrees with refusals of the same code. If answers differ, the
// question is asked twice more, a little later, because one daemon may just have been a block behind.
//
// Errors: *DisagreeError, *TooFewError, the common *RemoteError, and those of Call.
func AskQuorum[T any](
	ctx context.Context, c *Client, what string, question func(context.Context, Queries) (T, error), meaning func(T) string,
) (T, error) {
	if c.cfg.Quorum <= 1 {
		return question(ctx, c.Queries)
	}
	for round := 1; ; round++ {
		answer, err := askOnce(ctx, c, what, question, meaning)
		if round == quorumRounds || !errors.Is(err, ErrDisagree) || ctx.Err() != nil {
			if errors.Is(err, ErrDisagree) {
				c.cfg.Logger.Warn("daemons: they disagree", "reason", err.Error())
			}
			return answer, err
		}
		sleep(ctx, 2*c.cfg.ProbeInterval)
	}
}

// quorumRounds is the number of times a question is asked before the daemons are reported to disagree.
const quorumRounds = 3

// reply is the answer of one daemon: a value or a refusal.
type reply[T any] struct {
	url     string
	value   T
	err     error // a *RemoteError, or nil
	meaning string
}

func askOnce[T any](
	ctx context.Context, c *Client, what string, question func(context.Context, Queries) (T, error), meaning func(T) string,
) (none T, err error) {
	replies, err := gather(ctx, c, what, func(d Daemon) (r reply[T], err error) {
		r.url = d.URL
		r.value, err = question(ctx, d.Queries)
		if refused, ok := errors.AsType[*RemoteError](err); ok {
			r.err, r.meaning = err, fmt.Sprintf("refused with code %d", refused.Code)
			return r, nil
		}
		if err == nil {
			r.meaning = meaning(r.value)
		}
		return r, err
	})
	if err != nil {
		return none, err
	}
	answers := make([]DaemonAnswer, len(replies))
	same := true
	for i, r := range replies {
		answers[i] = DaemonAnswer{URL: r.url, Meaning: r.meaning}
		same = same && r.meaning == replies[0].meaning && (r.err == nil) == (replies[0].err == nil)
	}
	if !same {
		return none, &DisagreeError{What: what, Answers: answers}
	}
	return replies[0].value, replies[0].err
}

// gather asks as many daemons as the quorum requires, the first healthy ones at once and the spare ones in place of
// those that fail. Replies come in the order of the daemons.
func gather[T any](ctx context.Context, c *Client, what string, ask func(Daemon) (reply[T], error)) ([]reply[T], error) {
	var got []reply[T]
	var failed error
	left := c.healthy()
	have := len(left)
	for len(got) < c.cfg.Quorum && len(left) > 0 && len(left)+len(got) >= c.cfg.Quorum {
		n := min(c.cfg.Quorum-len(got), len(left))
		replies, errs := make([]reply[T], n), make([]error, n)
		var all sync.WaitGroup
		for i, d := range left[:n] {
			all.Go(func() { replies[i], errs[i] = ask(d) })
		}
		all.Wait()
		left = left[n:]
		for i := range n {
			if errs[i] == nil {
				got = append(got, replies[i])
				continue
			}
			have--
			failed = cmp.Or(failed, errs[i])
		}
		if ctx.Err() != nil {
			return nil, cmp.Or(failed, context.Cause(ctx))
		}
	}
	if len(got) < c.cfg.Quorum {
		return nil, &TooFewError{What: what, Want: c.cfg.Quorum, Have: have, Err: failed}
	}
	return got, nil
}

// joinNames joins addresses for a sentence.
func joinNames(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
