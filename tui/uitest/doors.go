package uitest

import "billfold/tui/page/rpc"

// Doors are listeners that stand open, and through which nobody calls.
type Doors []rpc.Listener

// Listeners returns them.
func (d Doors) Listeners() []rpc.Listener { return d }

// Switch leaves them as they are.
func (Doors) Switch(string, bool) error { return nil }

// Clients returns none.
func (Doors) Clients() []rpc.Client { return nil }

// Calls returns none.
func (Doors) Calls() []rpc.Call { return nil }

// CutOff finds nobody.
func (Doors) CutOff(uint64) bool { return false }
