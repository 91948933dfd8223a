package keys

import (
	"context"
	"maps"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/paper"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"

	tea "github.com/charmbracelet/bubbletea"
)

// Ledger is the part of the ledger that the page reads.
type Ledger interface {
	AuthorityTree(ctx context.Context, needs ledger.Needs, depth int) (map[ledger.AccountID]*ledger.Account, error)
	OfKey(ctx context.Context, key ledger.PublicKey) ([]ledgerview.KeyUse, error)
	Get(ctx context.Context, nameOrID string) (*ledger.Account, error)
}

// Vault holds the operations on the wallet's keys that the page needs.
type Vault interface {
	Holds(key ledger.PublicKey) bool
	PrivateKeyOf(key ledger.PublicKey) (ledger.KeyText, error)
}

// Lock holds the operations on the wallet's password that the page needs.
type Lock interface {
	Unlock(ctx context.Context, password string) error
	ChangePassword(ctx context.Context, old, fresh string) error
	JudgePassword(lists *strength.Estimator, password string) strength.Verdict
}

// Changer builds changes of who may sign, without signing them. A change that the keys here may not sign alone is a
// screen.Unsigned.
type Changer interface {
	Change(ctx context.Context, req txbuild.ChangeSignersParams) (screen.Built, error)
	ProposeChange(ctx context.Context, req txbuild.ProposedSigners) (screen.Built, error)
}

// Keeper imports new private keys.
type Keeper interface {
	ImportAccountKey(ctx context.Context, key vault.KeyImport) (vault.ImportedKey, error)
}

// Core holds what the page needs of the wallet.
type Core struct {
	Ledger  Ledger
	Vault   Vault
	Lock    Lock
	Changer Changer
	Keeper  Keeper
	Papers  Papers
}

// Papers remembers when backups on paper were verified.
type Papers interface {
	Of(ctx context.Context, account ledger.AccountID) (paper.Check, error)
}

const readLimit = 20 * time.Second // for one reading

// The topics of the page's tasks.
const (
	topicTree  = "tree"
	topicForm  = "form"
	topicJudge = "judge"
	topicPlan  = "plan"
)

// authorities holds what was read about the accounts on the list, and how they can be signed for.
type authorities struct {
	core  Core
	tasks *screen.Tasks

	tree   tree
	readAt time.Time // when the tree was read; zero: not yet
	fault  error
}

// startReading starts reading the accounts on the list and all accounts that their authorities name.
func (a *authorities) startReading(env screen.Env) tea.Cmd {
	if _, busy := a.tasks.Busy(topicTree); busy || len(env.Accounts) == 0 || !env.Online() {
		return nil
	}
	accounts, core := env.Accounts, a.core
	return a.tasks.Start(env, topicTree, readLimit, func(ctx context.Context) (any, error) { return readTree(ctx, core, accounts) })
}

// readTree reads accounts and all accounts that their authorities name, and returns a tree.
func readTree(ctx context.Context, core Core, accounts []vault.OwnAccount) (any, error) {
	ids := make([]ledger.AccountID, len(accounts))
	for i, a := range accounts {
		ids[i] = a.ID
	}
	depth := int(ledger.DefaultChainParameters().MaxAuthorityDepth)
	found, err := core.Ledger.AuthorityTree(ctx, ledger.Needs{Active: ids}, depth)
	if err != nil {
		return nil, err
	}
	t := tree{accounts: found, depth: depth, keysHere: heldOf(core.Vault, slices.Collect(maps.Values(found))),
		proven: map[ledger.AccountID]paper.Check{}}
	for _, id := range ids {
		if t.proven[id], err = core.Papers.Of(ctx, id); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// heldOf returns which keys of the accounts are in this wallet.
func heldOf(keys Vault, accounts []*ledger.Account) map[ledger.PublicKey]bool {
	here := map[ledger.PublicKey]bool{}
	for _, a := range accounts {
		for _, w := range slices.Concat(a.Active.KeyAuths, a.Owner.KeyAuths) {
			here[w.Key] = keys.Holds(w.Key)
		}
		here[a.Options.MemoKey] = keys.Holds(a.Options.MemoKey)
	}
	return here
}

func (a *authorities) applyTree(env screen.Env, msg screen.Result) {
	if a.fault = msg.Err; msg.Err != nil {
		return
	}
	flipped := a.tree.flipped
	a.tree, _ = msg.Body.(tree)
	a.tree.flipped = flipped
	a.readAt = env.Now
}

// nameOf returns an account with the name that the tree has, if any.
func (a *authorities) nameOf(id ledger.AccountID) ledgerview.AccountRef {
	if a := a.tree.lookup(id); a != nil {
		return ledgerview.AccountRef{ID: id, Name: a.Name}
	}
	return ledgerview.AccountRef{ID: id}
}

// roleRow is a row of the table of roles.
type roleRow struct {
	role     string
	needs    string
	weight   string
	key      ledger.PublicKey
	account  ledger.AccountID // 0 for a key
	state    presence
	sameRole bool // the row above has the same role
}
