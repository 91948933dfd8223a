// Package frame draws the bands around every page: header, nav, banner, hints,
// status row, and the notice for a terminal that is too small. Each cell keeps
// its place on every page. It is pure: what it shows comes with the call.
package frame

import (
	"fmt"
	"strings"
	"time"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"
	"billfold/walletcore/vault"
)

// Page is an entry of the nav row or of the machine room in the status row.
type Page struct {
	ID      screen.ID
	Key     string
	Name    string
	Machine bool // it belongs to the machine room
	Unread  bool // something on it is unread
}

// Press is the message of a click on something that stands for a key.
type Press struct{ Do action.ID }

// Header draws the first row. Lock state and node dot are shown at any size.
func Header(a canvas.Area, e screen.Env) {
	if a.H == 0 {
		return
	}
	right := lockCell(e)
	narrow := e.Class < layout.Home
	switch {
	case narrow:
		right = canvas.Join(nodeDot(e), canvas.Text(" "), ageCell(e), canvas.Text("  "), right)
		if e.Status.Sandbox {
			right = canvas.Join(chip(), canvas.Text("  "), right)
		}
	case e.Class == layout.Home:
		right = canvas.Join(network(e, false), canvas.Text("  "), headCell(e), canvas.Text("  "), right)
	default:
		right = canvas.Join(network(e, true), canvas.Text("  "), headCell(e), canvas.Text("  "),
			canvas.In(theme.Muted, irreversible(e)), canvas.Text("   "), right)
	}
	right = canvas.Join(plainWarning(e), right)
	left := canvas.Join(canvas.Text(" "), brand(e), accountCell(e))
	if left.Width()+right.Width()+3 > a.W { // a long account name pushes the block number out
		right = canvas.Join(plainWarning(e), nodeDot(e), canvas.Text(" "), ageCell(e), canvas.Text("  "), lockCell(e))
		if e.Status.Sandbox {
			right = canvas.Join(chip(), canvas.Text("  "), right)
		}
	}
	a.Put(0, 0, left)
	a.PutRight(1, 0, right)
}

// plainWarning warns of a node whose connection anybody on the way can read and change.
func plainWarning(e screen.Env) canvas.Line {
	if !e.Status.Plain {
		return nil
	}
	return canvas.In(theme.Warn, theme.SignCareful+" plain ws  ")
}

func brand(e screen.Env) canvas.Line {
	switch {
	case e.Class < layout.Home:
		return nil
	case e.Class == layout.Home:
		return canvas.In(theme.Brand, theme.SignBrand+" ")
	}
	return canvas.Join(canvas.In(theme.Brand, theme.SignBrand+" "), canvas.Bold(theme.Text, "Billfold"), canvas.Text("   "))
}

func accountCell(e screen.Env) canvas.Line {
	switch {
	case e.Status.Lock == vault.New:
		return canvas.In(theme.Muted, "no wallet open")
	case e.Account.Name == "" && e.Account.ID == 0:
		if e.Status.Lock == vault.Locked {
			return canvas.Text("locked")
		}
		return canvas.In(theme.Muted, "no account")
	case e.Class < layout.Home || len(e.Accounts) < 2:
		return format.Account(e.Account)
	}
	return canvas.Join(format.Account(e.Account), canvas.In(theme.Muted, " "+theme.SignChoice))
}

// network returns the network cell; on the sandbox it is always the chip.
func network(e screen.Env, room bool) canvas.Line {
	switch {
	case e.Status.Sandbox && room:
		return canvas.Join(chip(), canvas.In(theme.Pending, " play money"))
	case e.Status.Sandbox:
		return chip()
	case e.Status.Network == "":
		return canvas.In(theme.Muted, "no network")
	}
	return canvas.Text(format.Clean(e.Status.Network))
}

func chip() canvas.Line {
	return canvas.Line{{Text: theme.SignChip + " SANDBOX " + theme.SignChip, Style: theme.Of(theme.Pending).On(theme.SandboxBg)}}
}

func headCell(e screen.Env) canvas.Line {
	if e.Status.Head == 0 {
		return canvas.Join(nodeDot(e), canvas.In(theme.Muted, " no block yet"))
	}
	return canvas.Join(nodeDot(e), canvas.Text(" "+format.Block(e.Status.Head)+"  "), ageCell(e))
}

func nodeDot(e screen.Env) canvas.Line {
	switch e.Status.Daemon {
	case walletcore.DaemonOnline:
		if behind(e) || e.Status.Frozen || e.Status.Distrusted || e.Status.Doubt != "" {
			return canvas.In(theme.Danger, theme.SignCareful)
		}
		if e.Status.Lost > 0 {
			return canvas.In(theme.Warn, theme.SignCareful)
		}
		return canvas.In(theme.OK, theme.SignOn)
	case walletcore.DaemonConnecting:
		return canvas.In(theme.Pending, theme.SignWork)
	case walletcore.DaemonOffline, walletcore.DaemonWrongChain:
	}
	return canvas.In(theme.Danger, theme.SignFailed)
}

func headAge(e screen.Env) time.Duration {
	if e.Status.HeadTime == 0 {
		return 0
	}
	return max(e.Now.Sub(e.Status.HeadTime.Time()), 0)
}

// behind reports whether the node's view of the ledger is old.
func behind(e screen.Env) bool {
	return e.Status.Stale || !e.Status.OwnClock && headAge(e) > time.Minute
}

// ageCell shows the age of the head block: a warning after three missed blocks, an alarm after a minute.
func ageCell(e screen.Env) canvas.Line {
	if e.Status.HeadTime == 0 {
		return canvas.In(theme.Muted, "–")
	}
	d, t := headAge(e), theme.Text
	switch {
	case e.Status.OwnClock: // no block is late
		t = theme.Muted
	case d > time.Minute:
		t = theme.Danger
	case d > 15*time.Second:
		t = theme.Warn
	}
	return canvas.In(t, fmt.Sprintf("%3s", format.Age(d)))
}

func irreversible(e screen.Env) string {
	if e.Status.Irreversible == 0 || e.Status.Daemon != walletcore.DaemonOnline {
		return "irr ?"
	}
	return fmt.Sprintf("irr −%d", e.Status.Head-min(e.Status.Irreversible, e.Status.Head))
}

func lockCell(e screen.Env) canvas.Line {
	switch e.Status.Lock {
	case vault.New:
		return canvas.In(theme.Muted, "new")
	case vault.Locked:
		return canvas.In(theme.Warn, "locked")
	case vault.Unlocked:
	}
	out := canvas.In(theme.OK, "unlocked")
	if e.LockIn <= 0 || e.Class == layout.Tiny {
		return out
	}
	t := theme.Text
	if e.LockIn < time.Minute {
		t = theme.Warn
	}
	return canvas.Join(out, canvas.In(t, fmt.Sprintf(" %5s", format.Countdown(e.LockIn))))
}

// Banner returns the standing condition that all pages show, if there is one.
func Banner(e screen.Env) canvas.Line {
	s := e.Status
	if s.JournalFault != "" { // whatever the node does
		return canvas.Join(
			canvas.Bold(theme.Danger, theme.SignFailed+" Sending is off: the journal is faulty. Run billfold journal status"),
			canvas.In(theme.Muted, "  "+format.Clean(s.JournalFault)),
		)
	}
	if s.OwnChanged != "" {
		return canvas.Join(canvas.Bold(theme.Danger, theme.SignCareful+" Somebody else changed your account; ~ shows it and ends this notice. "),
			canvas.In(theme.Warn, format.Clean(s.OwnChanged)))
	}
	switch s.Daemon {
	case walletcore.DaemonWrongChain:
		return canvas.Join(
			canvas.Bold(theme.Danger, theme.SignFailed+" Wrong chain: this node is not on the wallet's network. Sending is off. "),
			canvas.In(theme.Muted, format.Clean(s.DaemonError)),
		)
	case walletcore.DaemonOffline:
		why := strings.ToUpper(e.NoNode()[:1]) + e.NoNode()[1:]
		if s.HeadTime == 0 {
			return canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "+why+". Sending is off. "),
				canvas.In(theme.Muted, format.Clean(s.DaemonError)))
		}
		return canvas.Bold(theme.Danger, fmt.Sprintf("%s %s. Shown as of %s, %s ago. Sending is off.",
			theme.SignFailed, why, e.Times().Clock(s.HeadTime.Time()), format.Age(headAge(e))))
	case walletcore.DaemonOnline:
		if l := nodeProblem(e); l != nil {
			return l
		}
	case walletcore.DaemonConnecting:
	}
	if own, _ := e.Listed(e.Account.ID); own.Ownership == vault.OwnershipMissing {
		return canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" This ledger has no account "), format.Account(own.AccountRef),
			canvas.Bold(theme.Danger, ": nobody can pay it. "), canvas.In(theme.Muted, "Another account: @, another node: ="))
	}
	if e.ReachableAt != "" {
		open := theme.SignCareful + " Other machines reach this wallet at " + format.Clean(e.ReachableAt) + "."
		return canvas.Join(canvas.Bold(theme.Warn, open),
			canvas.In(theme.Muted, " Close it on the RPC page when it is not needed."))
	}
	if e.KeysFault != "" {
		return canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" keys.yaml is not used; the default keys apply. "),
			canvas.In(theme.Muted, format.Clean(e.KeysFault)))
	}
	return nil
}

// NextTry shows how long it is until a node is dialled again; nil while one answers.
func NextTry(e screen.Env) canvas.Line {
	left := e.Status.NextTry.Sub(e.Now)
	if e.Status.NextTry.IsZero() || left < 0 || e.Status.JournalFault != "" {
		return nil
	}
	in := fmt.Sprintf("next try %5s", format.Age(left.Round(time.Second)))
	return canvas.Join(canvas.In(theme.Muted, in), canvas.In(theme.Key, "  ="),
		canvas.In(theme.Muted, " nodes"))
}

// nodeProblem returns what is wrong with a node that is connected; nil if nothing is.
func nodeProblem(e screen.Env) canvas.Line {
	s, careful := e.Status, theme.SignCareful+" "
	judged := s.StaleBy
	if judged == 0 && s.HeadTime != 0 {
		judged = e.Now.Sub(s.HeadTime.Time())
	}
	switch {
	case s.Frozen:
		return canvas.Bold(theme.Danger, theme.SignFailed+
			" The node does not answer. As of "+e.Times().ClockOn(s.HeadTime.Time())+". Nothing is sent.")
	case s.Distrusted:
		return canvas.Bold(theme.Danger, careful+"The node gave a false answer within the last minute. Careful: it may lie again.")
	case s.Stale && s.HeadTime != 0 && judged < 0:
		return canvas.Bold(
			theme.Danger,
			careful+"The node's last block is "+format.Age(-judged)+" ahead of this computer's clock. Nothing is sent.",
		)
	case s.Stale:
		return canvas.Bold(
			theme.Danger,
			careful+"Stale node: its last block is "+format.Age(judged)+" old. Nothing is sent until it is back.",
		)
	case s.Doubt != "":
		return canvas.Bold(theme.Danger, careful+"Nothing is sent: "+format.Clean(s.Doubt)+".")
	case s.Lost > 0:
		return canvas.Bold(theme.Warn, careful+
			"The node has "+format.Count(int(s.Lost))+" blocks fewer than it had. What was in them may be gone.")
	case behind(e):
		return canvas.In(theme.Warn, careful+"The node's last block is "+format.Age(headAge(e))+" old: what is shown may be out of date.")
	}
	return nil
}
