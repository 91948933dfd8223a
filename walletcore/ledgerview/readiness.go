package ledgerview

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Distrust is the reason why the ledger is not relied on as the daemon in use shows it, and what ends that; the zero value is trust.
// Neither text names an address: whoever reaches a port may read them.
type Distrust struct {
	Why  string // in one sentence without its full stop
	Ends string // what ends it, in words that go on with "it ends"
}

// String returns both texts as one sentence without its full stop; "" for trust.
func (d Distrust) String() string {
	if d == (Distrust{}) {
		return ""
	}
	return d.Why + "; it ends " + d.Ends
}

// NotReady returns why the ledger cannot be relied on now and what ends that, in one sentence; "" when it
// can. It changes within 2 s of what happens to the daemon.
func (c *Chain) NotReady() string { return c.Distrust().String() }

// Distrust returns why the ledger cannot be relied on now.
func (c *Chain) Distrust() Distrust {
	s := c.daemon.Status()
	if d := distrustOf(&s); d != (Distrust{}) {
		return d
	}
	return c.doubtOf(s.URL, s.Head, s.HeadSeen).distrust()
}

// ChainDistrust is Distrust for the chain alone that the daemon in use shows, whatever else is wrong with the daemon.
func (c *Chain) ChainDistrust() Distrust {
	s := c.daemon.InUse()
	return c.doubtOf(s.URL, s.Head, s.HeadSeen).distrust()
}

// distrustOf returns what is wrong with the daemon itself.
func distrustOf(s *daemonclient.Status) Distrust {
	switch s.Condition {
	case daemonclient.LoggedOut:
		return Distrust{"login refused: " + cmp.Or(s.LoginFault, "the daemon does not know this user or password"), "when it takes the login, which is tried again and again, with the password that the file has then " +
			"(--daemon-user and --daemon-password-file)"}
	case daemonclient.Restricted:
		return Distrust{"login refused: the daemon takes no payments from this login",
			"with a user who may broadcast (--daemon-user and --daemon-password-file), or with another daemon"}
	case daemonclient.Missing:
		return Distrust{"the wallet waits for its daemon", "when one answers, which is tried again and again"}
	case daemonclient.Foreign:
		return Distrust{"the daemon belongs to another chain", "when a daemon of the wallet's own chain answers"}
	case daemonclient.Frozen:
		return Distrust{"the daemon is connected but does not answer", "with its next answer, or when another daemon takes over"}
	case daemonclient.Distrusted:
		return Distrust{"the daemon gave a false answer within the last minute", "a minute after its last false answer, or when another daemon takes over"}
	case daemonclient.TooOld:
		if s.Even {
			return Distrust{fmt.Sprintf("this machine's clock is ahead by %s, or the daemon's is behind: its blocks keep coming, and the newest, #%d, is from %s UTC",
				s.HeadAge.Round(time.Second), s.Head.Num(), s.HeadTime), "when the clocks agree; check this machine's first"}
		}
		return Distrust{fmt.Sprintf("the daemon is stale: its newest block, #%d, is from %s UTC", s.Head.Num(), s.HeadTime),
			"when it shows the newest blocks again, or when another daemon takes over"}
	case daemonclient.Ahead:
		return Distrust{fmt.Sprintf("the daemon's newest block, #%d, is in the future: %s UTC", s.Head.Num(), s.HeadTime),
			"when this machine's clock and the daemon's agree; check which of them is wrong"}
	case daemonclient.Ready, daemonclient.Behind, daemonclient.RolledBack: // what it lacks is compared with what is proven
	}
	return Distrust{}
}

// distrust returns what is wrong with the chain that a daemon shows.
func (d Doubt) distrust() Distrust {
	switch d.Kind {
	case LacksBlock:
		return Distrust{fmt.Sprintf("the daemon's chain lacks block %d, which is proven irreversible", d.Block),
			"when a daemon shows that block again; if the ledger was started afresh: billfold pins forget miners"}
	case BelowProven:
		return Distrust{fmt.Sprintf("the daemon's newest block is #%d, and block %d is proven irreversible", d.Head, d.Block),
			"when it has that block again; if the ledger was started afresh: billfold pins forget miners"}
	case Unproven:
		return Distrust{fmt.Sprintf("the daemon's blocks after block %d are not signed by the miners that are trusted, so no payment gets an outcome", d.Block),
			"when a daemon shows blocks that they signed; if the miners have changed: billfold pins forget miners"}
	case NoDoubt:
	}
	return Distrust{}
}

// DoubtKind is a kind of Doubt.
type DoubtKind int

// The kinds.
const (
	NoDoubt     DoubtKind = iota
	LacksBlock            // it lacks a block that is proven irreversible, or has another in its place
	BelowProven           // it has fewer blocks than are proven irreversible
	Unproven              // its blocks cannot be proven
)

// Doubt is the reason why the chain that a daemon shows may not be the ledger; the zero value is none.
type Doubt struct {
	Kind   DoubtKind
	Daemon string
	Block  uint32 // the last block that is proven irreversible
	Head   uint32 // of the daemon, for BelowProven
}

// doubtOf returns the doubt about the chain of a daemon: the one that was recorded for it or, sooner, the one that its
// newest head shows. A head that was seen before the block was proven shows nothing.
func (c *Chain) doubtOf(daemon string, head ledger.BlockID, seen time.Time) Doubt {
	c.position.mu.RLock()
	defer c.position.mu.RUnlock()
	p := &c.position
	switch {
	case p.doubt.Kind != NoDoubt && p.doubt.Daemon == daemon:
		return p.doubt
	case head.Num() > 0 && head.Num() < p.irreversible && seen.After(p.provenAt):
		return Doubt{BelowProven, daemon, p.irreversible, head.Num()}
	case head.Num() > 0 && head.Num() == p.irreversible && head != p.proven:
		return Doubt{LacksBlock, daemon, p.irreversible, head.Num()}
	}
	return Doubt{}
}

// WhileAnswered returns a context that ends when the daemon is found frozen, so that
// a caller is told so instead of waiting for an answer. stop must be called.
func (c *Chain) WhileAnswered(ctx context.Context) (limited context.Context, stop func()) {
	limited, cancel := context.WithCancelCause(ctx)
	events, end := c.daemon.Subscribe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range events {
			if c.daemon.Status().Condition == daemonclient.Frozen {
				cancel(errFrozen)
			}
		}
	}()
	if c.daemon.Status().Condition == daemonclient.Frozen { // before anybody listened
		cancel(errFrozen)
	}
	return limited, func() {
		end()
		cancel(nil)
		<-done
	}
}

var errFrozen = &fault.Error{
	Code: fault.DaemonAway, Op: "daemon", Message: "the daemon is connected but does not answer",
	Hint: "add another daemon with --daemon-url; an open wallet keeps trying",
}
