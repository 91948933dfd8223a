package send

import (
	"context"
	"sort"
	"strings"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// suggestRows is how many recipients are offered.
const suggestRows = 5

// found is an answer of the ledger to the start of a name.
type found struct {
	prefix   string
	accounts []walletcore.AccountRef
}

// look asks the ledger for names that begin as typed. It never blocks typing;
// an answer to an older text is dropped. Without a node nothing was asked, so
// nothing is known.
func (m *Model) look(env screen.Env) tea.Cmd {
	prefix := strings.ToLower(m.text(fieldTo))
	m.lookFault = false
	if prefix == "" || !env.Online() || m.fields[fieldTo].HoldsKey() {
		m.found, m.foundFor = nil, ""
		m.tasks.Forget("find")
		return nil
	}
	return m.tasks.Start(env, "find", askLimit, func(ctx context.Context) (any, error) {
		accounts, err := m.core.FindAccounts(ctx, prefix, suggestRows)
		return found{prefix, accounts}, err
	})
}

// lookAgain asks anew for a recipient about whom no node has answered yet.
func (m *Model) lookAgain(env screen.Env) tea.Cmd {
	prefix := strings.ToLower(m.text(fieldTo))
	_, busy := m.tasks.Busy("find")
	if prefix == "" || !env.Online() || busy || m.foundFor == prefix || m.fields[fieldTo].HoldsKey() {
		return nil
	}
	return m.look(env)
}

// suggestions lists who may be meant: own accounts and accounts paid before
// that contain the text, then what the ledger found.
func (m *Model) suggestions(env screen.Env) []walletcore.AccountRef {
	want := strings.ToLower(m.text(fieldTo))
	if want == "" {
		return nil
	}
	seen := map[ledger.AccountID]bool{env.Account.ID: true}
	var out []walletcore.AccountRef
	add := func(a walletcore.AccountRef) {
		if !seen[a.ID] && len(out) < suggestRows && (strings.Contains(a.Name, want) || a.ID.String() == want) {
			seen[a.ID] = true
			out = append(out, a)
		}
	}
	for _, p := range m.paidOften() {
		add(p.ref)
	}
	for _, a := range env.Accounts {
		add(a.AccountRef)
	}
	for _, a := range m.found {
		add(a)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name == want && out[j].Name != want })
	return out
}

// paidOften lists earlier recipients, most often paid first.
func (m *Model) paidOften() []paidBefore {
	out := make([]paidBefore, 0, len(m.paid))
	for _, p := range m.paid {
		out = append(out, p)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].times != out[j].times {
			return out[i].times > out[j].times
		}
		return out[i].ref.ID < out[j].ref.ID
	})
	return out
}

// recipient finds the account whose name or id is typed exactly, and whether
// the ledger was asked about this very text.
func (m *Model) recipient(env screen.Env) (ref walletcore.AccountRef, ok, asked bool) {
	want := m.text(fieldTo)
	known := append([]walletcore.AccountRef(nil), m.found...)
	for _, p := range m.paid {
		known = append(known, p.ref)
	}
	for _, a := range env.Accounts {
		known = append(known, a.AccountRef)
	}
	for _, a := range known {
		if a.Name == want || a.ID.String() == want {
			return a, true, true
		}
	}
	return walletcore.AccountRef{}, false, m.foundFor == strings.ToLower(want)
}

// lookAlike finds an own account or one paid before whose name a person could
// take for the given one.
func (m *Model) lookAlike(env screen.Env, a walletcore.AccountRef) (walletcore.AccountRef, bool) {
	if env.Owns(a.ID) || m.paid[a.ID].times > 0 {
		return walletcore.AccountRef{}, false
	}
	for _, own := range env.Accounts {
		if confusable(a.Name, own.Name) {
			return own.AccountRef, true
		}
	}
	for _, p := range m.paidOften() {
		if confusable(a.Name, p.ref.Name) {
			return p.ref, true
		}
	}
	return walletcore.AccountRef{}, false
}

// confusable reports whether two different names look the same at a glance: same
// letters after folding what looks alike, or one letter apart.
func confusable(a, b string) bool {
	if a == b || a == "" || b == "" {
		return false
	}
	if fold(a) == fold(b) {
		return true
	}
	far := 1
	if min(len(a), len(b)) >= 9 {
		far = 2
	}
	return distance(a, b, far) <= far
}

// fold replaces what looks alike by one form and drops doubled letters and
// hyphens.
func fold(s string) string {
	s = strings.NewReplacer("rn", "m", "vv", "w", "1", "l", "i", "l", "0", "o", "-", "").Replace(s)
	var out strings.Builder
	var last rune
	for _, r := range s {
		if r != last {
			out.WriteRune(r)
		}
		last = r
	}
	return out.String()
}

// distance is the number of letters to insert, drop or change, as far as it is
// not above far.
func distance(a, b string, far int) int {
	if d := len(a) - len(b); d > far || -d > far {
		return far + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diag := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			next := min(row[j], row[j-1]) + 1
			if a[i-1] == b[j-1] {
				next = min(next, diag)
			} else {
				next = min(next, diag+1)
			}
			diag, row[j] = row[j], next
		}
	}
	return row[len(b)]
}

// take types the suggestion in focus.
func (m *Model) take(env screen.Env) tea.Cmd {
	s := m.suggestions(env)
	if at := m.pick.At; at < len(s) {
		m.fields[fieldTo].Set(s[at].Name)
		return m.look(env)
	}
	return nil
}
