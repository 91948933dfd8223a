package tui

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/page/console"
	"billfold/tui/page/rpc"
	"billfold/tui/screen"
	"billfold/tui/visit"
	"billfold/walletcore/approval"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// reading is the state that every page shows, as last read from the wallet.
type reading struct {
	opt     Options
	env     screen.Env
	account ledger.AccountID
	chosen  bool // the account, by a person
}

// refresh reads all but accounts and payments.
func (r *reading) refresh() {
	r.env.Now = r.opt.Clock.now()
	r.env.Status = r.opt.Core.Session.Status()
	r.env.Status.Sandbox = r.env.Status.Sandbox || r.opt.Sandbox
	on := r.listeners()
	r.env.Listeners, r.env.Beyond = len(on), ""
	for _, l := range on {
		if l.Beyond {
			r.env.Beyond = l.Addr
		}
	}
	r.env.Approvals = r.waiting()
	r.env.Contacts = r.opt.Core.Saved.List()
	r.env.LockIn = 0
	if at := r.env.Status.LocksAt; !at.IsZero() {
		r.env.LockIn = max(at.Sub(r.env.Now), 0)
	}
}

// listeners are those that are on.
func (r *reading) listeners() (on []rpc.Listener) {
	if r.opt.RPC.Server == nil {
		return nil
	}
	for _, l := range r.opt.RPC.Server.Listeners() {
		if l.On {
			on = append(on, l)
		}
	}
	return on
}

// httpEndpoint returns where HTTP is listened for; without an address while it is not.
func (r *reading) httpEndpoint() console.Endpoint {
	for _, l := range r.listeners() {
		if strings.HasPrefix(l.Addr, "http") {
			return console.Endpoint{URL: l.Addr, Token: l.Token}
		}
	}
	return console.Endpoint{}
}

// waiting lists the spends that wait for an answer.
func (r *reading) waiting() []approval.Request {
	if r.opt.Approvals == nil {
		return nil
	}
	return r.opt.Approvals.Waiting()
}

// readAccounts reads the own accounts and keeps the one in focus if it is still
// there; else the first that can sign. One that nobody chose gives way to it as
// well, when it turns out that the keys may not act for it; but not where keep
// says that a payment may be typed.
func (r *reading) readAccounts(keep bool) {
	r.env.Accounts = r.opt.Core.Accounts.List()
	r.env.Account = ledgerview.AccountRef{}
	if id := r.visits().Focus(r.opt.Core.Session.Status().ChainID); !r.chosen && r.lists(id) { // as it was when the UI was left
		r.account, r.chosen = id, true
	}
	for _, a := range r.env.Accounts {
		if a.ID == r.account && a.ID != 0 && (keep || r.chosen || a.CanSign()) {
			r.env.Account = a.AccountRef
			return
		}
	}
	for _, a := range r.env.Accounts {
		if a.CanSign() {
			r.env.Account = a.AccountRef
			break
		}
	}
	if r.env.Account.ID == 0 && len(r.env.Accounts) > 0 {
		r.env.Account = r.env.Accounts[0].AccountRef
	}
	r.account = r.env.Account.ID
}

// lists reports whether an account is on the wallet's list.
func (r *reading) lists(id ledger.AccountID) bool {
	return slices.ContainsFunc(r.env.Accounts, func(a vault.OwnAccount) bool { return a.ID == id })
}

// use puts an account in focus, now and when the UI is opened again.
func (r *reading) use(id ledger.AccountID) {
	r.account, r.chosen = id, true
	_ = r.visits().SetFocus(r.env.Status.ChainID, id) // forgotten, it is chosen again
}

// visits are where this person was.
func (r *reading) visits() *visit.Visits {
	if r.opt.Visits == nil {
		r.opt.Visits = visit.Open("")
	}
	return r.opt.Visits
}

// walletName is what the unlock page calls the wallet.
func (r *reading) walletName() string {
	if r.opt.Folder == "" {
		return "default"
	}
	return r.opt.Folder
}
