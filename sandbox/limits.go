package sandbox

import "time"

// Limits of the transport. A transaction has at most 4096 bytes, so a longer frame
// than maxFrame is always a mistake or an attack.
const (
	maxFrame     = 4 << 20
	writeTimeout = 10 * time.Second
	readTimeout  = 30 * time.Second // for a POST; an open websocket may stay silent
	queueLength  = 256              // frames waiting for a slow reader
)
