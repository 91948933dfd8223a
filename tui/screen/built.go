package screen

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/paytable"
	"billfold/walletcore/txbuild"
)

// Built is a transaction that was built and that nobody has signed yet.
type Built interface {
	Review() txbuild.Review
	Send(ctx context.Context) (payment.Payment, error)
}

// Several is a Built of several transactions that are sent one after the other: the payments of a table.
type Several interface {
	Built
	Notes() []paytable.Note // what a person has to know beside the review
	Parts() []paytable.Part // the state of each transaction, also while they are sent
}

// Keyed is a Built that can be sent under a request key, so that it is made once however often it is sent.
type Keyed interface {
	Built
	SendUnder(ctx context.Context, key string) (payment.Payment, error)
}

// Rereader is a Built that can be reviewed again before it is signed: the ledger moves on while a person reads.
type Rereader interface {
	Built
	// Reread reviews the same operations as of now; shown is the review that the person has before them.
	Reread(ctx context.Context, shown txbuild.Review) (Reread, error)
}

// Reread is a Built that was reviewed again.
type Reread struct {
	Built          Built // built again if HasNewWarnings is set: the keys that it was built for may have changed
	Review         txbuild.Review
	HasNewWarnings bool // it warns of something new, or would sign something else
}

// Rereview reviews again what was built. ok is false if it cannot be reviewed again.
func Rereview(ctx context.Context, built Built, shown txbuild.Review) (r Reread, ok bool, err error) {
	by, can := built.(Rereader)
	if !can {
		return r, false, nil
	}
	r, err = by.Reread(ctx, shown)
	return r, true, err
}

// Around returns a Built that is sent by do, which calls send. It stays so when it is built again, unless others have to sign it then.
func Around(built Built, do func(ctx context.Context, send func(context.Context) (payment.Payment, error)) (payment.Payment, error)) Built {
	return around{built, do}
}

type around struct {
	Built
	do func(ctx context.Context, send func(context.Context) (payment.Payment, error)) (payment.Payment, error)
}

// Send implements Built.
func (a around) Send(ctx context.Context) (payment.Payment, error) { return a.do(ctx, a.Built.Send) }

// Reread implements Rereader.
func (a around) Reread(ctx context.Context, shown txbuild.Review) (Reread, error) {
	r, can, err := Rereview(ctx, a.Built, shown)
	if !can {
		return Reread{Built: a, Review: a.Review()}, err
	}
	if _, others := r.Built.(Unsigned); !others && r.Built != nil {
		r.Built = around{r.Built, a.do}
	}
	return r, err
}

// Save implements Saver.
func (a around) Save(ctx context.Context) (Saved, error) {
	by, can := a.Built.(Saver)
	if !can {
		return Saved{}, &fault.Error{Code: fault.BadValue, Op: "save", Message: "this cannot be saved unsigned", Hint: "sign and send it here"}
	}
	return by.Save(ctx)
}

// Saver is a Built that can be written to a file for others to sign.
type Saver interface {
	Built
	// Save writes exactly the operations of the review to a file, unsigned.
	Save(ctx context.Context) (Saved, error)
}

// Unsigned is a Built that the keys here may not sign alone: it becomes a file that others sign, or a proposal.
type Unsigned interface {
	Saver
	// Propose builds a proposal of them, whose fee payer pays.
	Propose(ctx context.Context, payer string, end ledger.Time) (Built, error)
}

// Saved is an unsigned transaction in a file.
type Saved struct {
	Path  string
	Until ledger.Time // when it expires
}

// OnlyFile is an Unsigned that cannot be proposed.
type OnlyFile struct {
	Unsigned
	Why error // why not; nil: no account of the wallet can act alone
}

// ProposalOrFile returns what others can sign in place of the keys here: a proposal, paid by the first of payers that can afford its
// fee, or else an OnlyFile. Errors: those of propose, except InsufficientBalance.
func ProposalOrFile(u Unsigned, payers []string, propose func(payer string) (Built, error)) (Built, error) {
	if len(payers) == 0 {
		return OnlyFile{Unsigned: u}, nil
	}
	built, err := FirstAble(payers, propose)
	if fault.CodeOf(err) == fault.InsufficientBalance {
		return OnlyFile{u, err}, nil
	}
	return built, err
}

// FirstAble returns the proposal paid by the first of payers that can afford the fee. Errors: those of propose; if nobody can afford
// it, the one for the first payer, who was meant.
func FirstAble(payers []string, propose func(payer string) (Built, error)) (Built, error) {
	var poor error
	for _, payer := range payers {
		built, err := propose(payer)
		if fault.CodeOf(err) != fault.InsufficientBalance || err == nil {
			return built, err
		}
		if poor == nil {
			poor = err
		}
	}
	return nil, poor
}

// proposalLife is the time that others have to approve what is proposed.
const proposalLife = 7 * 24 * time.Hour

// ProposalEnd returns the expiration of what is proposed now.
func (e Env) ProposalEnd() ledger.Time {
	end := e.Status.HeadTime
	if end == 0 {
		end = ledger.TimeOf(e.Now)
	}
	return end + ledger.Time(proposalLife/time.Second)
}

// Payers returns the names of the accounts that can pay for a proposal because the wallet may act for them, the given one first.
func (e Env) Payers(first ledger.AccountID) (out []string) {
	if a, _ := e.Listed(first); a.CanSign() {
		out = append(out, a.Name)
	}
	for _, a := range e.Accounts {
		if a.CanSign() && a.ID != first {
			out = append(out, a.Name)
		}
	}
	return out
}
