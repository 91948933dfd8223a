package postgres

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"time"
)

// Options configure how a store is used.
type Options struct {
	Folder  string        // the server's own folder, which holds its mark
	Server  string        // the server's name, for people; "" keeps the one it had, at first that of the machine
	Version string        // the program's, for people
	MayLose bool          // accept a database without a synchronous standby
	Linger  time.Duration // how long changes that nobody waits for may wait; 0 for the default
	Lease   time.Duration // how long a server that is not heard from counts as alive; 0 for the default
	Logger  *slog.Logger  // nil: nothing is logged
}

const (
	defaultLinger = 10 * time.Millisecond
	defaultLease  = 10 * time.Second

	mostReaders = 6 // connections; the writer and the lease have one each
)

// MarkName is the name of the file in the folder that records how far this server had come.
const MarkName = "store.mark"

func randomText(size int) string {
	raw := make([]byte, size)
	n, _ := rand.Read(raw) // it never fails
	return hex.EncodeToString(raw[:n])
}

// ackTimeout is how long data that was sent may go unacknowledged by the other machine.
const ackTimeout = 6 * time.Second
