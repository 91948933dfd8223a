package assets

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// readHoldings starts reading what the account in focus holds. If another account was shown, its values are dropped at once.
func (m *Model) readHoldings(env screen.Env) tea.Cmd {
	if id := env.Account.ID; id != m.account {
		m.account = id
		m.balances, m.tokens = reading[[]ledgerview.Balance]{}, reading[[]ledgerview.OwnedToken]{}
		m.tasks.Forget(topicBalances)
		m.tasks.Forget(topicTokens)
	}
	if len(env.Accounts) == 0 {
		return nil
	}
	id := m.account
	return tea.Batch(
		m.startReading(env, topicBalances, func(ctx context.Context) (any, error) { return m.core.Balances(ctx, id) }),
		m.startReading(env, topicTokens, func(ctx context.Context) (any, error) { return m.core.OwnedBy(ctx, id) }),
		m.readAsset(env),
	)
}

// startReading starts the reading of a topic, unless one is under way.
func (m *Model) startReading(env screen.Env, topic string, read func(context.Context) (any, error)) tea.Cmd {
	if _, busy := m.tasks.Busy(topic); busy {
		return nil
	}
	return m.tasks.Start(env, topic, readLimit, read)
}

// readAsset starts reading the details of the asset in focus, unless they are known.
func (m *Model) readAsset(env screen.Env) tea.Cmd {
	symbol := m.symbol()
	if _, known := m.details[symbol]; known || symbol == "" || !env.Online() {
		return nil
	}
	return m.startReading(env, topicAsset, func(ctx context.Context) (any, error) {
		return card.ReadAsset(ctx, m.core, symbol)
	})
}

// searchAssets starts a search of all assets on the ledger for what is typed.
func (m *Model) searchAssets(env screen.Env) tea.Cmd {
	m.tasks.Forget(topicFind)
	m.found = reading[[]*ledger.Asset]{}
	text := m.search.Value()
	return m.startReading(env, topicFind, func(ctx context.Context) (any, error) { return m.core.FindAssets(ctx, text, maxFound) })
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicBalances:
		m.balances.apply(env, msg)
	case topicTokens:
		m.tokens.apply(env, msg)
	case topicFind:
		m.found.apply(env, msg)
	case topicAsset:
		if a, read := msg.Body.(card.Asset); read && msg.Err == nil {
			m.details[a.Symbol] = a
		}
	}
	m.cursors[m.focus].Jump(m.cursors[m.focus].At, m.rows())
	return m.readAsset(env)
}

// readAt returns when the balances shown were read; zero if they were not.
func (m *Model) readAt() time.Time { return m.balances.at }

// Call implements screen.Caller: the operation lists the balances of the account in focus.
func (m *Model) Call(env screen.Env) string {
	if env.Account.Name == "" {
		return ""
	}
	return "list_account_balances " + env.Account.Name
}
