package uitest

import "billfold/tui/page/rpc"

// Listeners are RPC listeners without clients or calls.
type Listeners []rpc.Listener

// Listeners returns the listeners.
func (d Listeners) Listeners() []rpc.Listener { return d }

// Switch changes nothing.
func (Listeners) Switch(string, bool) error { return nil }

// Clients returns none.
func (Listeners) Clients() []rpc.Client { return nil }

// Calls returns none.
func (Listeners) Calls() []rpc.Call { return nil }

// CutOff reports that there is no such client.
func (Listeners) CutOff(uint64) bool { return false }
