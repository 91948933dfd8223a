package daemonclient

// Condition is the most serious of what is wrong with the daemon in use.
type Condition int

// The conditions, the gravest last. Frozen and those of the head are known only when
// daemons are watched (Config.URLs).
const (
	Ready      Condition = iota
	Behind               // its head block is older than Config.LagAfter
	RolledBack           // it has fewer blocks than it had (Status.Lost)
	Ahead                // its head block lies in the future; no payment is trusted to it
	TooOld               // its head block is older than Config.StaleAfter; no payment is trusted to it
	Distrusted           // it gave a false answer within the last minute
	Frozen               // it is connected and answers nothing
	Foreign              // only daemons of another chain are there
	Missing              // none is connected
)

// String returns the condition in lower case.
func (c Condition) String() string {
	names := [...]string{"ready", "behind", "rolled back", "ahead", "stale", "distrusted", "frozen", "wrong chain", "missing"}
	if c < 0 || int(c) >= len(names) {
		return "unknown"
	}
	return names[c]
}
