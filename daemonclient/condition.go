package daemonclient

// Condition is the most serious thing wrong with the daemon in use.
type Condition int

// The conditions, the most serious last. Frozen and those about the head are known only if daemons are watched (Config.URLs).
const (
	Ready      Condition = iota
	Behind               // its head block is older than Config.LagAfter
	RolledBack           // it has fewer blocks than it had (Status.Lost)
	Ahead                // its head block is in the future; it is trusted with no payment
	TooOld               // its head block is older than Config.StaleAfter; it is trusted with no payment
	Distrusted           // it gave a false answer within the last minute
	Restricted           // it grants this login no broadcasting
	Frozen               // it is connected but answers nothing
	Foreign              // only daemons of another chain can be reached
	LoggedOut            // none is connected; the latest refused the login
	Missing              // none is connected
)

// String returns the condition in lower case.
func (c Condition) String() string {
	names := [...]string{"ready", "behind", "rolled back", "ahead", "stale", "distrusted", "restricted", "frozen", "wrong chain", "login refused", "missing"}
	if c < 0 || int(c) >= len(names) {
		return "unknown"
	}
	return names[c]
}
