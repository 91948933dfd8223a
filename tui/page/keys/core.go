package keys

import (
	"context"
	"maps"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/paper"
	"billfold/walletcore/vault"
	"billfold/walletcore/vault/strength"

	tea "github.com/charmbracelet/bubbletea"
)

// Ledger is what the page reads.
type Ledger interface {
	AuthorityTree(ctx context.Context, needs ledger.Needs, depth int) (map[ledger.AccountID]*ledger.Account, error)
	OfKey(ctx context.Context, key ledger.PublicKey) ([]ledgerview.KeyUse, error)
	Get(ctx context.Context, nameOrID string) (*ledger.Account, error)
}

// Vault is what the page needs of the wallet's keys.
type Vault interface {
	Holds(key ledger.PublicKey) bool
	PrivateKeyOf(key ledger.PublicKey) (ledger.KeyText, error)
}

// Lock is what the page needs of the wallet's password.
type Lock interface {
	Unlock(ctx context.Context, password string) error
	ChangePassword(ctx context.Context, old, fresh string) error
	JudgePassword(lists *strength.Estimator, password string) strength.Verdict
}

// Changer builds what changes who may sign; nothing is signed by that. A change that the keys here may not sign alone is a
// screen.Unsigned.
type Changer interface {
	Change(ctx context.Context, req build.ChangeSignersParams) (screen.Built, error)
	ProposeChange(ctx context.Context, req build.ProposedSigners) (screen.Built, error)
}

// Keeper keeps private keys that were made.
type Keeper interface {
	ImportAccountKey(ctx context.Context, key vault.KeyImport) (vault.ImportedKey, error)
}

// Core is what the page needs of the wallet.
type Core struct {
	Ledger  Ledger
	Vault   Vault
	Lock    Lock
	Changer Changer
	Keeper  Keeper
	Papers  Papers
}

// Papers remembers when backups were proven.
type Papers interface {
	Of(ctx context.Context, account ledger.AccountID) (paper.Check, error)
}

const askLimit = 20 * time.Second // how long one reading may take

// The topics of the page's tasks.
const (
	topicTree  = "tree"
	topicForm  = "form"
	topicJudge = "judge"
	topicPlan  = "plan"
)

// known is what was read of the own accounts.
type known struct {
	core  Core
	tasks *screen.Tasks

	tree  tree
	at    time.Time // of the tree; zero: not read yet
	fault error
}

// read asks for the accounts on the list and all that their authorities name.
func (k *known) read(env screen.Env) tea.Cmd {
	if _, busy := k.tasks.Busy(topicTree); busy || len(env.Accounts) == 0 || !env.Online() {
		return nil
	}
	accounts, core := env.Accounts, k.core
	return k.tasks.Start(env, topicTree, askLimit, func(ctx context.Context) (any, error) { return readTree(ctx, core, accounts) })
}

// readTree reads accounts and all that their authorities name.
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
	t := tree{accounts: found, depth: depth, here: heldOf(core.Vault, slices.Collect(maps.Values(found))),
		proven: map[ledger.AccountID]paper.Check{}}
	for _, id := range ids {
		if t.proven[id], err = core.Papers.Of(ctx, id); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// heldOf returns which keys of accounts are here.
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

func (k *known) take(env screen.Env, msg screen.Result) {
	if k.fault = msg.Err; msg.Err != nil {
		return
	}
	flipped := k.tree.flipped
	k.tree, _ = msg.Body.(tree)
	k.tree.flipped = flipped
	k.at = env.Now
}

// name is an account by the name that the tree has.
func (k *known) name(id ledger.AccountID) ledgerview.AccountRef {
	if a := k.tree.lookup(id); a != nil {
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
	state    counts
	sameRole bool // as the row above it
}
