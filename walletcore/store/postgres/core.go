package postgres

import (
	"billfold/walletcore/store/commits"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// core is what the writer, the lease and the readers have together.
type core struct {
	opt    Options
	config *pgx.ConnConfig
	queue  *commits.Queue
	mark   markFile
	health health
}

// Path names the store, without a secret.
func (f *core) Path() string { return shown(f.config) }

// MarkPath is where the mark of this server is.
func (f *core) MarkPath() string { return f.mark.path }

// Server is the id of this server.
func (f *core) Server() string { return f.health.at().Server }

// advance notes a commit.
func (f *core) advance(m mark) {
	f.health.confirm(m)
	if err := f.mark.advance(m); err != nil {
		f.opt.Logger.Warn("store: the mark of this server is not written", "error", err)
	}
}

func (f *core) unwritable(err error) error {
	return fmt.Errorf("the payment journal cannot be written: %w", err)
}

// Fault says why nothing can be written now; nil when all is well.
func (f *core) Fault() error { return f.health.fault(f.Path()) }
