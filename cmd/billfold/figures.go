package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/osfile"
	"billfold/rpcserver/figures"
	"billfold/walletcore/walletapi"
)

// newFigures returns the figures of a server.
func (p *program) newFigures(v *service) *figures.Figures {
	return figures.New(walletapi.Methods(), figures.Sources{
		Version: fullVersion(), Parts: parts(), Obstacles: func() (list []string) {
			for _, o := range p.obstacles() {
				list = append(list, o.part)
			}
			return list
		},
		Locked: p.wallet.Vault.IsLocked, Running: func() int { return v.Running() }, Approvals: p.waitingApprovals,
		Payments: p.wallet.Payments.Figures, Daemons: p.client.Status,
		Position: func() (head, irreversible uint32) {
			head, _, irreversible = p.wallet.View.Chain.Position()
			return head, irreversible
		},
		Writable: func() bool { return p.store.Journal.Ready(context.Background()) == nil }, Commits: p.store.Commits,
		DiskFree: func() (free uint64, known bool) {
			free, _, known = osfile.Room(p.folder())
			return free, known
		},
		IndexDiskFree: func() (free uint64, known bool) {
			if !p.settings.hasIndexDir() {
				return 0, false
			}
			free, _, known = osfile.Room(p.settings.indexDir)
			return free, known
		},
		Ends: func() (end time.Time) {
			if v.identity != nil {
				end = v.identity.Ends()
			}
			return end
		},
		Records: p.store.Audit.Last, Tokens: v.tokenFigures, Backlogs: p.backlogs,
	})
}

func (p *program) waitingApprovals() int {
	if p.approvals == nil {
		return 0
	}
	return len(p.approvals.Waiting())
}

// tokenFigures returns what is shown of the tokens.
func (v *service) tokenFigures(ctx context.Context) (out []figures.Token, err error) {
	list, err := v.tokens.List()
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		used, err := v.tokenAuth.Used(ctx, t)
		if err != nil {
			return nil, err
		}
		out = append(out, figures.Token{Name: t.Name, Expires: t.Scope.Expires, Used: used})
	}
	return out, nil
}

// backlogs returns how many deposits were not acknowledged, by the names of the accounts as the wallet lists them.
func (p *program) backlogs(ctx context.Context) (out []figures.Backlog, err error) {
	all, err := p.deposits.Backlogs(ctx)
	if err != nil {
		return nil, err
	}
	for id, b := range all {
		one := figures.Backlog{Account: id.String(), Waiting: b.Waiting}
		if own, listed := p.wallet.Own.Of(id); listed {
			one.Account = own.Name
		}
		if b.Oldest != ledger.Time(0) {
			one.Oldest = b.Oldest.Time()
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b figures.Backlog) int { return strings.Compare(a.Account, b.Account) })
	return out, nil
}
