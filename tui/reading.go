package tui

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/lastview"
	"billfold/tui/page/console"
	"billfold/tui/page/rpc"
	"billfold/tui/screen"
	"billfold/walletcore/approval"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// reading is the state that every page shows, as last read from the wallet.
type reading struct {
	opt     Options
	env     screen.Env
	account ledger.AccountID
	chosen  bool // a person chose account
}

// refresh reads everything but accounts and payments.
func (r *reading) refresh() {
	r.env.Now = r.opt.Clock.now()
	r.env.Status = r.opt.Core.Session.Status()
	r.env.Status.Sandbox = r.env.Status.Sandbox || r.opt.Sandbox
	on := r.listeners()
	r.env.Listeners, r.env.ReachableAt = len(on), ""
	for _, l := range on {
		if l.Beyond {
			r.env.ReachableAt = l.Addr
		}
	}
	r.env.Approvals, r.env.Unanswered = r.approvals()
	r.env.Contacts = r.opt.Core.Saved.List()
	r.env.LockIn = 0
	if at := r.env.Status.LocksAt; !at.IsZero() {
		r.env.LockIn = max(at.Sub(r.env.Now), 0)
	}
}

// listeners returns the listeners that are on.
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

// httpEndpoint returns the HTTP listener; its URL is empty while it is off.
func (r *reading) httpEndpoint() console.Endpoint {
	for _, l := range r.listeners() {
		if strings.HasPrefix(l.Addr, "http") {
			return console.Endpoint{URL: l.Addr, Token: l.Token}
		}
	}
	return console.Endpoint{}
}

// approvals returns the requests that wait for an answer, and those that nobody answered.
func (r *reading) approvals() ([]approval.Request, []approval.Unanswered) {
	if r.opt.Approvals == nil {
		return nil, nil
	}
	return r.opt.Approvals.Waiting(), r.opt.Approvals.Unanswered()
}

// readAccounts reads the own accounts. It keeps the account in focus if it is still listed, else takes the first that can sign. An
// account that no person chose is also replaced if it turns out that the keys may not act for it, unless keep says that a payment
// may be half typed.
func (r *reading) readAccounts(keep bool) {
	r.env.Accounts = r.opt.Core.Accounts.List()
	r.env.Account = ledgerview.AccountRef{}
	if id := r.visits().Focus(r.opt.Core.Session.Status().ChainID); !r.chosen && r.isListed(id) { // as when the UI was last quit
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

// isListed reports whether an account is on the wallet's list.
func (r *reading) isListed(id ledger.AccountID) bool {
	return slices.ContainsFunc(r.env.Accounts, func(a vault.OwnAccount) bool { return a.ID == id })
}

// focus puts an account in focus, now and when the UI is opened again.
func (r *reading) focus(id ledger.AccountID) {
	r.account, r.chosen = id, true
	_ = r.visits().SetFocus(r.env.Status.ChainID, id) // if that fails, the person has to choose it again next time
}

// visits returns the memory of where this person was.
func (r *reading) visits() *lastview.Views {
	if r.opt.Visits == nil {
		r.opt.Visits = lastview.Open("")
	}
	return r.opt.Visits
}

// walletName returns what the unlock page calls the wallet.
func (r *reading) walletName() string {
	if r.opt.Folder == "" {
		return "default"
	}
	return r.opt.Folder
}
