package uitest

import "billfold/tui/page/rpc"

// Listeners are on, and nobody calls through them.
type Listeners []rpc.Listener

// Listeners returns them.
func (d Listeners) Listeners() []rpc.Listener { return d }

// Switch leaves them as they are.
func (Listeners) Switch(string, bool) error { return nil }

// Clients returns none.
func (Listeners) Clients() []rpc.Client { return nil }

// Calls returns none.
func (Listeners) Calls() []rpc.Call { return nil }

// CutOff finds nobody.
func (Listeners) CutOff(uint64) bool { return false }
