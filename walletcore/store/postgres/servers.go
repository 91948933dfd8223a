package postgres

import (
	"cmp"
	"context"
	"time"
)

// Server is one of those that share a store.
type Server struct {
	ID      string        `json:"id"`
	Name    string        `json:"name"`
	Version string        `json:"version"`
	Alive   bool          `json:"alive"`
	Started time.Time     `json:"started"`
	Ended   *time.Time    `json:"ended"`   // when it shut down in good order; nil while it is alive, and if it was killed
	Left    time.Duration `json:"-"`       // remaining lease; negative once it is over
	Open    int64         `json:"open"`    // payments that it follows
	Follows bool          `json:"follows"` // it has had a daemon within the last seconds
	Locked  *bool         `json:"locked"`  // its wallet is; nil = it does not say, as programs before 1.0
	Unheard bool          `json:"unheard"` // it may live: no server can have reported since the database stopped confirming or came back
}

// Status is the state of a store and its servers.
type Status struct {
	Path, ID       string
	Version        int
	HeldWhy        string // "" = new payments are made
	HeldSince      time.Time
	HeldFrom       uint32   // a block from before what is missing; 0 = unknown, or not needed
	NeedsPerson    bool     // the hold ends only with store accept
	Awaited        []string // names of the servers that the hold waits for
	Unclaimed      int      // payments that were found after a loss and are not claimed
	Payments, Open int64
	Records        int64  // audit records
	Standbys       string // synchronous_standby_names
	Streams        int    // connected standbys
	Waits          int    // commits of this user that wait for a standby
	Servers        []Server
	Refuses        error // why no payment can be written; nil = one can
}

// Mute reports whether the store confirms nothing because no standby that commits wait for is connected.
func (s *Status) Mute() bool { return s.Standbys != "" && s.Streams == 0 }

// Status reads the state of the store at address.
func (o Options) Status(ctx context.Context, address string) (s Status, err error) {
	l, err := o.openReadOnly(ctx, address, "0")
	if err != nil {
		return s, err
	}
	defer l.db.Close() //nolint:errcheck // it was only read
	s.Path = l.Path()
	var held, from int64
	var kind string
	if err := l.db.QueryRowContext(ctx, `SELECT store_id, version, held_why, held_since, held_kind, held_from,
			(SELECT COUNT(*) FROM payments),
			(SELECT COUNT(*) FROM payments WHERE `+openPayments+`), COALESCE((SELECT number FROM audit_head), 0),
			current_setting('synchronous_standby_names'), (SELECT COUNT(*) FROM pg_stat_replication),
			(SELECT COUNT(*) FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'),
			(SELECT COUNT(*) FROM payments WHERE origin = 1) FROM store_meta`).
		Scan(&s.ID, &s.Version, &s.HeldWhy, &held, &kind, &from, &s.Payments, &s.Open, &s.Records, &s.Standbys,
			&s.Streams, &s.Waits, &s.Unclaimed); err != nil {
		return s, l.Explain(err)
	}
	s.HeldSince, s.NeedsPerson = time.UnixMilli(held).UTC(), kind == byPerson
	s.HeldFrom = uint32(max(0, from)) //nolint:gosec // a block's number
	s.Servers, err = l.servers(ctx)
	var back bool
	if err == nil {
		err = l.Explain(l.db.QueryRowContext(ctx, `SELECT clock_timestamp() - pg_postmaster_start_time() < ? * INTERVAL '1 millisecond'
			OR timeline NOT IN ('', `+timelineID+`) FROM store_meta`, (cmp.Or(o.Lease, defaultLease) + startPatience).Milliseconds()).Scan(&back))
	}
	for n := range s.Servers {
		v := &s.Servers[n]
		v.Unheard = !v.Alive && v.Ended == nil && (back || s.Mute())
	}
	if err == nil {
		s.Awaited, err = l.texts(ctx, `SELECT COALESCE(s.name, h.server) FROM held_for h LEFT JOIN servers s ON s.id = h.server ORDER BY 1`)
	}
	if err == nil {
		s.Refuses = l.rehearse(ctx)
	}
	return s, err
}

// texts reads a column.
func (l *readOnlyStore) texts(ctx context.Context, query string) (list []string, err error) {
	rows, err := l.db.QueryContext(ctx, query)
	if err != nil {
		return nil, l.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, l.Explain(rows.Err())
}

// servers lists the servers that ever used the store, live ones first.
func (l *readOnlyStore) servers(ctx context.Context) (list []Server, err error) {
	rows, err := l.db.QueryContext(ctx, `SELECT id, name, version, started_at, expires_at - `+now+`, GREATEST(-expires_at, 0),
			NOT `+leaseOver+`, (SELECT COUNT(*) FROM payments WHERE owner = s.id AND `+openPayments+`), follows = 1, locked
		FROM servers s WHERE started_at > 0 ORDER BY `+leaseOver+`, expires_at < 0, name, id`)
	if err != nil {
		return nil, l.Explain(err)
	}
	defer rows.Close()
	list = []Server{}
	for rows.Next() {
		var s Server
		var started, left, ended, locked int64
		if err := rows.Scan(&s.ID, &s.Name, &s.Version, &started, &left, &ended, &s.Alive, &s.Open, &s.Follows, &locked); err != nil {
			return nil, err
		}
		s.Started, s.Left = time.UnixMilli(started).UTC(), time.Duration(left)*time.Millisecond
		if ended > 0 {
			s.Ended = new(time.UnixMilli(ended).UTC())
		}
		if locked >= 0 {
			s.Locked = new(locked > 0)
		}
		list = append(list, s)
	}
	return list, l.Explain(rows.Err())
}
