package postgres

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"time"
)

// Options say how a store is used.
type Options struct {
	Folder  string        // the server's own: its mark is there
	Server  string        // the server's name, for people; "" for the one that it had before, at first that of the machine
	Version string        // of the program, for people
	MayLose bool          // a database without a synchronous standby will do
	Linger  time.Duration // how long changes wait that nobody waits for; 0 for the default
	Lease   time.Duration // how long a server counts as alive that is not heard of; 0 for the default
	Logger  *slog.Logger  // nil for silence
}

const (
	defaultLinger = 10 * time.Millisecond
	defaultLease  = 10 * time.Second

	mostReaders = 6 // connections; the writer and the lease have one each
)

// MarkName is the name of the file in the folder that says how far this server had come.
const MarkName = "store.mark"

func randomText(size int) string {
	raw := make([]byte, size)
	rand.Read(raw) //nolint:errcheck // it never fails
	return hex.EncodeToString(raw)
}

// ackTimeout is how long what was sent may go unconfirmed by the other machine.
const ackTimeout = 6 * time.Second
