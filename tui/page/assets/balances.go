package assets

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// read asks for what the account holds. The values of another account are dropped at once.
func (m *Model) read(env screen.Env) tea.Cmd {
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
		m.ask(env, topicBalances, func(ctx context.Context) (any, error) { return m.core.Balances(ctx, id) }),
		m.ask(env, topicTokens, func(ctx context.Context) (any, error) { return m.core.OwnedBy(ctx, id) }),
		m.learn(env),
	)
}

// ask starts a reading, unless it is under way.
func (m *Model) ask(env screen.Env, topic string, read func(context.Context) (any, error)) tea.Cmd {
	if _, busy := m.tasks.Busy(topic); busy {
		return nil
	}
	return m.tasks.Start(env, topic, askLimit, read)
}

// learn asks what the asset in focus is.
func (m *Model) learn(env screen.Env) tea.Cmd {
	symbol := m.symbol()
	if _, known := m.known[symbol]; known || symbol == "" || !env.Online() {
		return nil
	}
	return m.ask(env, topicAsset, func(ctx context.Context) (any, error) {
		a, err := m.core.Asset(ctx, symbol)
		if err != nil {
			return nil, err
		}
		issuer, err := m.core.AccountNamed(ctx, a.Issuer.String())
		return about{a, issuer}, err
	})
}

// find searches all assets of the ledger for what is typed.
func (m *Model) find(env screen.Env) tea.Cmd {
	m.tasks.Forget(topicFind)
	m.found = reading[[]*ledger.Asset]{}
	text := m.search.Value()
	return m.ask(env, topicFind, func(ctx context.Context) (any, error) { return m.core.FindAssets(ctx, text, mostFound) })
}

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicBalances:
		m.balances.take(env, msg)
	case topicTokens:
		m.tokens.take(env, msg)
	case topicFind:
		m.found.take(env, msg)
	case topicAsset:
		if a, read := msg.Body.(about); read && msg.Err == nil {
			m.known[a.Symbol] = a
		}
	}
	m.at[m.focus].Jump(m.at[m.focus].At, m.rows())
	return m.learn(env)
}

// since is when what is shown was read.
func (m *Model) since() time.Time { return m.balances.at }

// Call implements screen.Caller: the balances of the account in focus.
func (m *Model) Call(env screen.Env) string {
	if env.Account.Name == "" {
		return ""
	}
	return "list_account_balances " + env.Account.Name
}
